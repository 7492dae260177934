"""Places lifted to the definitions around them: functions, classes, attributes and constants."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeGuard

from pytest_lift.source.outline import class_lines
from pytest_lift.source.program import SourceFile
from pytest_lift.source.symbols import Symbol
from pytest_lift.source.syntax import (
    FunctionNode,
    blocks,
    first_line,
    is_bare_literal,
    leaf,
    split_lines,
)

DefinitionKind = Literal["function", "class", "attribute", "constant"]
LONGEST_FUNCTION = 40
"""Lines of a definition that are shown whole."""
LONGEST_CONSTANT = 25
LONGEST_CLASS = 30
LONGEST_LINE = 200
_INDENT = "    "
_VAGUE = re.compile(r"\b(?:Unknown|Divergent|Any)\b")
"""Words of types that say less than what is assigned."""


@dataclass(frozen=True)
class FoundDefinition:
    """A definition in a file of the program."""

    path: str
    symbol: str
    """Qualified inside the module."""
    kind: DefinitionKind
    line: int
    end_line: int
    node: ast.stmt

    @property
    def owner(self) -> str:
        """Qualified name of the class or function that it is in; empty at the top."""
        return self.symbol.rpartition(".")[0]


@lru_cache(maxsize=512)
def definitions(source: SourceFile) -> Mapping[int, tuple[FoundDefinition, ...]]:
    """Returns the definitions of a file by each line on which a name is defined."""
    found: dict[int, list[FoundDefinition]] = {}
    for one in _in_block(source.path, source.tree.body, "", in_function=False):
        lines = range(one.line, one.end_line + 1)
        if one.kind in ("function", "class"):
            lines = range(one.node.lineno, one.node.lineno + 1)
        for line in lines:
            found.setdefault(line, []).append(one)
    return {line: tuple(many) for line, many in found.items()}


def definition_at(source: SourceFile, line: int, name: str) -> FoundDefinition | None:
    """Returns the definition on a line, the one of `name` where there are several; None for local
    names, parameters and imports."""
    there = definitions(source).get(line, ())
    exact = [one for one in there if one.symbol.rpartition(".")[2] == name]
    return next(iter(exact or there), None)


def definition_of(source: SourceFile, symbol: str) -> FoundDefinition | None:
    """Returns the first definition of a qualified name."""
    return _by_symbol(source).get(symbol)


def implemented(definition: FoundDefinition, source: SourceFile) -> FoundDefinition:
    """Returns the implementation for an overload of a function; anything else as it is."""
    if not is_overload(definition.node):
        return definition
    found = [
        one
        for many in definitions(source).values()
        for one in many
        if one.symbol == definition.symbol and not is_overload(one.node)
    ]
    return found[-1] if found else definition


def is_overload(node: ast.stmt) -> bool:
    """Whether a function is a signature for type checkers alone."""
    return isinstance(node, FunctionNode) and any(
        leaf(d) == "overload" for d in node.decorator_list
    )


def function_at(source: SourceFile, line: int) -> FunctionNode | None:
    """Returns the function whose first line, decorators included, is `line`."""
    for many in definitions(source).values():
        for one in many:
            if one.kind == "function" and one.line == line and isinstance(one.node, FunctionNode):
                return one.node
    return None


def class_on(source: SourceFile, symbol: str) -> ast.ClassDef | None:
    """Returns the class of a qualified name."""
    found = definition_of(source, symbol)
    return found.node if found is not None and isinstance(found.node, ast.ClassDef) else None


def is_bound(source: SourceFile, symbol: Symbol) -> bool:
    """Whether a function gets its first argument from what it is called on."""
    return symbol.kind == "method" and "staticmethod" not in symbol.decorators


@lru_cache(maxsize=512)
def _by_symbol(source: SourceFile) -> Mapping[str, FoundDefinition]:
    found: dict[str, FoundDefinition] = {}
    for many in definitions(source).values():
        for one in many:
            found.setdefault(one.symbol, one)
    return found


def _in_block(
    path: str, body: list[ast.stmt], prefix: str, *, in_function: bool
) -> Iterator[FoundDefinition]:
    for node in body:
        end = node.end_lineno or node.lineno
        if isinstance(node, FunctionNode | ast.ClassDef):
            symbol = f"{prefix}{node.name}"
            inside = isinstance(node, FunctionNode)
            kind: DefinitionKind = "function" if inside else "class"
            yield FoundDefinition(path, symbol, kind, first_line(node), end, node)
            below = prefix if inside and prefix else f"{symbol}."
            yield from _in_block(path, node.body, below, in_function=inside)
            continue
        for target in _targets(node):
            if isinstance(target, ast.Name) and not in_function:
                kind = "attribute" if prefix else "constant"
                yield FoundDefinition(path, f"{prefix}{target.id}", kind, node.lineno, end, node)
            elif _is_own(target) and in_function:
                name = f"{prefix}{target.attr}"
                yield FoundDefinition(path, name, "attribute", node.lineno, end, node)
        for block in blocks(node):
            yield from _in_block(path, block, prefix, in_function=in_function)


def _is_own(target: ast.expr) -> TypeGuard[ast.Attribute]:
    return (
        isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id in ("self", "cls")
    )


def _targets(node: ast.stmt) -> Iterator[ast.expr]:
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign | ast.AugAssign):
        targets = [node.target]
    for target in targets:
        yield from target.elts if isinstance(target, ast.Tuple) else [target]


def shown(definition: FoundDefinition, source: SourceFile, kind: str = "") -> list[str]:
    """Returns the lines of a definition, shortened; `kind` is the type of an attribute."""
    match definition.kind:
        case "function":
            lines = function_lines(definition, source)
        case "class":
            lines = _class(definition)
        case "attribute":
            lines = [_attribute(definition, kind)]
        case "constant":
            margin = _margin(source, definition.line)
            lines = _text(source, definition.line, definition.end_line)
            lines = _cut([line.removeprefix(margin) for line in lines], LONGEST_CONSTANT)
    return [line[:LONGEST_LINE] for line in lines]


def signature_lines(definition: FoundDefinition, source: SourceFile) -> list[str]:
    """Returns the head of a function or class with the first line of its docstring, or the first
    line of anything else."""
    node = definition.node
    if isinstance(node, FunctionNode | ast.ClassDef):
        return [*_head(node, source), *(_docstring(node) or [f"{_INDENT}..."])]
    return _cut(_text(source, definition.line, definition.end_line), 1)


def function_lines(definition: FoundDefinition, source: SourceFile) -> list[str]:
    """Returns a function without all but the first line of its docstring; of a long one the
    head."""
    node = definition.node
    assert isinstance(node, FunctionNode)
    rest = node.body[1:] if is_bare_literal(node.body[0]) else node.body
    lines = [*_head(node, source), *_docstring(node)]
    if (rest and rest[0].lineno > node.body[0].lineno) or rest[:1] == node.body[:1]:
        body = _text(source, first_line(rest[0]), definition.end_line) if rest else []
        margin = _margin(source, definition.line)
        body = [line.removeprefix(margin) for line in body]
        if len(body) + len(lines) > LONGEST_FUNCTION:
            body = [f"{_INDENT}...  # {len(body)} lines"]
        lines += body
    return lines


def _head(node: FunctionNode | ast.ClassDef, source: SourceFile) -> list[str]:
    """Returns decorators and signature; what stands on the line of the body is left out."""
    last = max(node.lineno, first_line(node.body[0]) - 1)
    lines = _text(source, first_line(node), last)
    while len(lines) > 1 and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    margin = _margin(source, first_line(node))
    return [line.removeprefix(margin) for line in lines]


def _docstring(node: FunctionNode | ast.ClassDef) -> list[str]:
    text = (ast.get_docstring(node) or "").strip().partition("\n")[0]
    return [f'{_INDENT}"""{text}"""'] if text else []


def _class(definition: FoundDefinition) -> list[str]:
    assert isinstance(definition.node, ast.ClassDef)
    head, *rest = [*class_lines(definition.node)]
    at = next((n for n, line in enumerate([head, *rest]) if line.startswith("class ")), 0)
    lines = [head, *rest]
    lines[at] += ":"
    told = _docstring(definition.node)
    lines[at + 1 :] = [*told, *(f"  {line}" for line in lines[at + 1 :])]
    return _cut(lines, LONGEST_CLASS)


def _attribute(definition: FoundDefinition, kind: str) -> str:
    node, name = definition.node, definition.symbol.rpartition(".")[2]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return " ".join(ast.unparse(node).split())
    if kind.startswith("def "):
        return kind
    if kind and not _VAGUE.search(kind):
        return f"{name}: {kind}"
    value = getattr(node, "value", None)
    return f"{name} = {' '.join(ast.unparse(value).split())}" if value else name


def _text(source: SourceFile, line: int, end: int) -> list[str]:
    return [text.rstrip() for text in _lines(source)[line - 1 : end]]


@lru_cache(maxsize=512)
def _lines(source: SourceFile) -> list[str]:
    return split_lines(source.text)


def _margin(source: SourceFile, line: int) -> str:
    text = _lines(source)[line - 1]
    return text[: len(text) - len(text.lstrip())]


def _cut(lines: list[str], most: int) -> list[str]:
    if len(lines) <= most:
        return lines
    return [*lines[:most], f"{_INDENT}...  # {len(lines) - most} lines more"]
