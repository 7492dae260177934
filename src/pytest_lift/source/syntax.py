"""The syntax of Python files: parsed, in lines, hashed as written; statements below each other.

The collector of garbage is paused while a tree is made: trees are large and have no cycles, and
without a pause parsing takes up to three times as long.
"""

from __future__ import annotations

import ast
import copy
import gc
import hashlib
import re
import textwrap
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What `parse` raises for texts that are no Python."""
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


@contextmanager
def collection_paused() -> Iterator[None]:
    """Pauses garbage collection inside the block."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


SELDOM = 50_000
"""Objects that are made before those among them which nobody can reach are collected."""


@contextmanager
def collection_seldom() -> Iterator[None]:
    """Lets garbage be collected seldom inside the block, which makes many short-lived objects
    beside large trees; these are left alone then, for they would be looked through each time. What
    others have left alone before stays so."""
    usual, freezes = gc.get_threshold(), not gc.get_freeze_count()
    gc.set_threshold(SELDOM, *usual[1:])
    if freezes:
        gc.freeze()
    try:
        yield
    finally:
        if freezes:
            gc.unfreeze()
        gc.set_threshold(*usual)


@collection_paused()
def parse(text: str) -> ast.Module:
    """Returns the tree that `ast.parse` gives, read as the interpreter would: coding cookies and
    byte order marks are honoured."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(to_bytes(text))


@contextmanager
def said_of_code_hidden() -> Iterator[None]:
    """Hides what Python says of code that is parsed or compiled, such as an invalid escape: it is
    the program's, and each tool that reads a file would say it anew."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.filterwarnings("ignore", r"invalid \w+ (sequence|literal)", DeprecationWarning)
        yield


@lru_cache(maxsize=16)
def walked(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Returns the nodes of a tree that nobody changes, as `ast.walk` yields them; those of the last
    trees are remembered."""
    return tuple(ast.walk(tree))


@lru_cache(maxsize=4096)
def parts_of(function: ast.AST) -> tuple[ast.AST, ...]:
    """Returns the nodes of a function that nobody changes, as `ast.walk` yields them: what asks for
    them asks for each of its parameters."""
    return tuple(ast.walk(function))


def parse_readable(text: str) -> ast.Module:
    """Returns the tree of a text; an empty one where it cannot be parsed."""
    try:
        return parse(text)
    except UNREADABLE:
        return ast.Module([], [])


def to_bytes(text: str) -> bytes:
    """Returns the bytes on disk of a text that `from_bytes` made."""
    return text.encode("utf-8", "surrogateescape")


def from_bytes(data: bytes) -> str:
    """Returns a text that `to_bytes` turns back into the same bytes, whatever they are."""
    return data.decode("utf-8", "surrogateescape")


def split_lines(text: str) -> list[str]:
    """Returns lines with their ends, cut where Python cuts them (not at form feeds or U+2028)."""
    return _LINE.findall(text)


def line_end(line: str) -> str:
    """Returns the end of a line: a line feed, both signs of Windows, or nothing."""
    return line[len(line.rstrip("\r\n")) :]


def digest(source: str) -> str:
    """Returns 16 hex digits; line ends, common indentation, trailing white space do not count."""
    text = "\n".join([line.rstrip() for line in split_lines(source)])
    normal = textwrap.dedent(text) if text[:1].isspace() else text
    return hashlib.sha256(to_bytes(normal.strip("\n"))).hexdigest()[:16]


def first_line(node: ast.stmt) -> int:
    """Returns the line of the first decorator, or of the statement."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


@lru_cache(maxsize=64)
def functions_by_line(tree: ast.Module) -> dict[int, ast.AST]:
    """Returns the first line of each function of a module, with its decorators -> the function."""
    return {first_line(node): node for node in ast.walk(tree) if isinstance(node, FunctionNode)}


def blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yields the blocks of an `if`, `try`, `with`, loop or `match`; a definition has none here."""
    if isinstance(node, FunctionNode | ast.ClassDef):
        return
    for name in ("body", "orelse", "finalbody"):
        if block := getattr(node, name, None):
            yield block
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield part.body


def statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yields `body` in order, with what stands in the blocks of compound statements."""
    for node in body:
        yield node
        for block in blocks(node):
            yield from statements(block)


def leaf(node: ast.AST) -> str:
    """Returns the last part of a name or attribute: ``dumps`` of ``json.dumps``; else ""."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def bare_leaf(node: ast.expr) -> str:
    """Returns `leaf` of what is called or subscripted: ``pytest.fixture(...)`` -> ``fixture``."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return leaf(node)


def chain(node: ast.expr) -> list[str]:
    """Returns ``request.node.name`` -> its three parts; [] for what does not begin with a name."""
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute) and (before := chain(node.value)):
        return [*before, node.attr]
    return []


def is_fixture(node: FunctionNode) -> bool:
    """Whether a function is a fixture of pytest, by its decorators."""
    return any(bare_leaf(decorator) == "fixture" for decorator in node.decorator_list)


def texts(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yields the values of those of `nodes` that are string literals."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def unannotated(node: ast.stmt) -> ast.stmt:
    """Returns ``count = 1`` for ``count: int = 1``; any other statement as it is."""
    match node:
        case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value):
            return ast.copy_location(ast.Assign([target], value), node)
    return node


def column_names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yields the names in string literals, parted by commas, as in ``parametrize("a, b", ...)``."""
    for text in texts(part for node in nodes for part in ast.walk(node)):
        yield from filter(None, map(str.strip, text.split(",")))


def is_none(node: ast.AST | None) -> bool:
    """Whether an expression is ``None`` as it is written."""
    return isinstance(node, ast.Constant) and node.value is None


def is_bare_literal(node: ast.AST) -> bool:
    """Whether a statement is a literal alone, such as a docstring: it does nothing."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


class _Unqualified(ast.NodeTransformer):
    """``simplejson.dumps`` and ``dumps`` are the same function, however it was imported."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name):
            return ast.copy_location(ast.Name(node.attr, ast.Load()), node)
        return self.generic_visit(node)


def unparsed(tree: ast.AST) -> str:
    """Returns the source by `ast.unparse`, names without the module that they are taken from."""
    return ast.unparse(_Unqualified().visit(copy.deepcopy(tree)))


def written(tree: ast.AST) -> str | None:
    """Returns the source of a changed tree, None where it cannot be written: before Python 3.12 an
    f-string has no backslash between its braces."""
    try:
        return ast.unparse(ast.fix_missing_locations(tree))
    except (ValueError, RecursionError):
        return None


class _Swap(ast.NodeTransformer):
    """Makes a copy of the way down to `old`, with `new` in its place."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self.old:
            return self.new
        fields = {
            name: [self.visit(n) if isinstance(n, ast.AST) else n for n in value]
            if isinstance(value, list)
            else self.visit(value)
            if isinstance(value, ast.AST)
            else value
            for name, value in ast.iter_fields(node)
        }
        return type(node)(**fields)


def written_with(tree: ast.AST, old: ast.expr, new: ast.expr, source: str = "") -> str | None:
    """Returns the source of `tree` with `new` for its node `old`, None where it cannot be written;
    the tree stays as it is. Where its `source` is given, and is one line, the rest of that stays,
    too: that takes a small part of the time."""
    if type(new) is ast.Constant and type(new.value) in (str, bytes, int, bool, type(None)):
        text: str | None = repr(new.value)
    elif isinstance(new, ast.List | ast.Dict | ast.Tuple):
        text = written(new)
    else:
        return written(_Swap(old, new).visit(tree))
    if tree is old:
        return text
    if text is None or "\n" in source or not source or _FORMATTED.search(source):
        return written(_Swap(old, new).visit(tree))
    line = source.encode()
    before, after = line[: old.col_offset].decode(), line[old.end_col_offset :].decode()
    return before + text + (" " if after[:1] == "." and text.isdigit() else "") + after


_FORMATTED = re.compile(r"[fF][rR]?['\"]")
"""The beginning of an f-string, whose parts have no places of their own."""


DEEPEST = 100
"""Levels of a syntax tree that is looked at: printing and copying one is recursive."""
SHALLOW = DEEPEST - 10
"""Characters below which no text has so many levels: each takes one, but for the outer and inner
most."""


def parsed(source: str, mode: str = "exec") -> ast.AST | None:
    """Returns the tree of a text; None if it is not Python or nested too deeply."""
    try:
        tree: ast.AST = ast.parse(source, mode=mode)
    except UNREADABLE:
        return None
    if len(source) < SHALLOW:
        return tree
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return tree
    return None


def parsed_expression(source: str) -> ast.expr | None:
    """Returns the tree of an expression, None if it has a syntax error."""
    tree = parsed(source, "eval")
    return tree.body if isinstance(tree, ast.Expression) else None


@lru_cache(maxsize=2048)
def shared_expression(source: str) -> ast.expr | None:
    """Returns what `parsed_expression` does, one tree for all who ask for the same text: they leave
    it as it is."""
    return parsed_expression(source)


def elements(node: ast.expr) -> list[ast.expr]:
    """Returns the elements of a row; `pytest.param(...)` is one too."""
    if isinstance(node, ast.Tuple | ast.List):
        return node.elts
    if isinstance(node, ast.Call) and called(node) == "param":
        return node.args
    return [node]


def called(node: ast.Call) -> str:
    """Returns the name of a called function: ``json.dumps(x)`` -> ``dumps``."""
    return ast.unparse(node.func).rpartition(".")[2]


def runs_as_script(test: ast.expr) -> bool:
    """Whether a condition is ``__name__ == "__main__"``: what it guards does not run on import."""
    text = ast.unparse(test)
    return "__name__" in text and "__main__" in text


def is_for_type_checkers(test: ast.expr) -> bool:
    """Whether a condition names ``TYPE_CHECKING``: what it guards is for type checkers alone."""
    return "TYPE_CHECKING" in ast.unparse(test)
