"""Hashes of functions and files by their syntax tree: what a formatter changes does not count.

Quotes, line breaks, brackets, trailing commas, the spelling of numbers and strings, the white
space of docstrings and the order of imports that stand together do not count, nor do comments to
tools (``# noqa``). Other comments do: they are somebody's words. The hashes are the same for every
version of Python.
"""

from __future__ import annotations

import ast
import hashlib
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby

from pytest_lift.source.bindings import ImportNode, imports_in
from pytest_lift.source.syntax import (
    FunctionNode,
    digest,
    first_line,
    parse,
    split_lines,
    statements,
)

_TOOLS = (
    r"noqa|type:|pragma|pylint:|pyright:|mypy:|ty:|fmt:|yapf:|isort:|ruff:|flake8|nosec|nosonar"
)
_TO_A_TOOL = re.compile(rf"(?i)(?:{_TOOLS})")
_FIELD = re.compile(r"\s*\n\s*(?=:)")
"""Text before a field of a docstring, which has to begin its line."""
_UNSAID = {"ctx", "kind", "type_comment", "type_ignores"}
"""Fields that follow from others, or say how something is spelled."""
_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError)


@lru_cache(maxsize=2048)
def of_functions(text: str) -> Mapping[int, str]:
    """Returns first line of each function and method of a file -> its hash; none for no Python."""
    try:
        tree = parse(text)
        comments = _comments(text)
        return {
            first_line(node): _hash(node, _between(comments, first_line(node), node.end_lineno))
            for node in _functions(tree.body)
        }
    except _UNREADABLE:
        return {}


@lru_cache(maxsize=512)
def of_file(text: str) -> str:
    """Returns the hash of a whole file; one that is no Python is taken as it stands."""
    try:
        return _hash(parse(text), _comments(text).values())
    except _UNREADABLE:
        return digest(text)


def _functions(body: Iterable[ast.stmt]) -> Iterator[FunctionNode]:
    for node in statements(body):
        if isinstance(node, FunctionNode):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body)


def _hash(node: ast.AST, comments: Iterable[str]) -> str:
    words = [*_words(node), *(f"#{comment}" for comment in sorted(comments))]
    return hashlib.sha256(" ".join(words).encode("ascii")).hexdigest()[:16]


def _words(root: ast.AST) -> Iterator[str]:
    """Yields the tree from left to right, without recursion: expressions may be nested deeply."""
    pending: list[object] = [root]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, ast.AST):
            pending += reversed(_parts(item))
        elif isinstance(item, list):
            pending += ["]", *reversed(_normal_block(item)), "["]
        else:
            yield ascii(item)


def _parts(node: ast.AST) -> list[object]:
    """Returns a node as words, values and nodes, in its one spelling."""
    node = _normal(node)
    if isinstance(node, ast.Constant):
        return [f"{type(node.value).__name__}:{node.value!a}"]
    parts: list[object] = [type(node).__name__, "("]
    for name, value in ast.iter_fields(node):
        if name not in _UNSAID and value is not None and value != []:
            parts += [f"{name}=", ascii(value) if isinstance(value, str) else value]
    return [*parts, ")"]


def _normal(node: ast.AST) -> ast.AST:
    """Returns a node in a normal form: spellings with the same meaning become equal."""
    if isinstance(node, ast.Expr) and (text := _text(node.value)) is not None:
        parts = [" ".join(part.split()) for part in _FIELD.split(text)]
        return ast.Expr(ast.Constant("\n".join(parts)))
    if isinstance(node, ast.JoinedStr):
        return _joined(node)
    if isinstance(node, ast.FormattedValue) and _is_empty(node.format_spec):
        return ast.FormattedValue(node.value, node.conversion)
    if isinstance(node, ast.Delete):
        return ast.Delete([*_flat(node.targets)])
    return node


def _text(node: ast.AST | None) -> str | None:
    """Returns the value of a string literal."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None


def _is_empty(node: ast.expr | None) -> bool:
    return isinstance(node, ast.JoinedStr) and not node.values


def _joined(node: ast.JoinedStr) -> ast.expr:
    """Texts side by side put together; an f-string without a field is a plain one."""
    values: list[ast.expr] = []
    for value in node.values:
        before, text = _text(values[-1]) if values else None, _text(value)
        if before is not None and text is not None:
            values[-1] = ast.Constant(before + text)
        elif text != "":
            values.append(value)
    if all(isinstance(value, ast.Constant) for value in values):
        return values[0] if values else ast.Constant("")
    return ast.JoinedStr(values)


def _flat(targets: Iterable[ast.expr]) -> Iterator[ast.expr]:
    """Yields the targets of a `del` without brackets: ``del (a, b)`` is ``del a, b``."""
    for target in targets:
        if isinstance(target, ast.Tuple | ast.List):
            yield from _flat(target.elts)
        else:
            yield target


def _normal_block(items: list[object]) -> list[object]:
    """Imports that stand together one by one and sorted, unless their order tells."""
    found: list[object] = []
    for together, group in groupby(items, lambda item: isinstance(item, ImportNode)):
        if together:
            found += _sorted_imports([node for node in group if isinstance(node, ImportNode)])
        else:
            found += [ascii(i) if i is None or isinstance(i, str) else i for i in group]
    return found


def _sorted_imports(nodes: list[ImportNode]) -> list[object]:
    """Returns imports sorted, or unchanged if two bind the same name or one has a star."""
    found = {*imports_in(nodes)}
    bound = {one.bound: one.origin for one in found}
    clash = any(bound[one.bound] != one.origin for one in found)
    if clash or ("*" in bound and len(found) > 1):
        return [*nodes]
    return [f"import{one[:3]!a}" for one in sorted(found)]


def _comments(text: str) -> dict[int, str]:
    """Returns line -> what its comment says to people."""
    if "#" not in text:
        return {}
    lines = iter(split_lines(text.removeprefix("\ufeff")))
    found = {}
    for token in tokenize.generate_tokens(lambda: next(lines, "")):
        words = " ".join(token.string.lstrip("#!: \t").split())
        if token.type == tokenize.COMMENT and words and not _TO_A_TOOL.match(words):
            found[token.start[0]] = ascii(words)
    return found


def _between(comments: Mapping[int, str], start: int, end: int | None) -> list[str]:
    return [words for line, words in comments.items() if start <= line <= (end or start)]
