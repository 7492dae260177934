"""Near-duplicates that are planted into a suite of somebody's: whose copy each is, and how."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from pytest_lift.assertions.spelling import local_names
from pytest_lift.source.syntax import first_line, parse, split_lines
from pytest_lift.suite.collection import Definition, definitions
from pytest_lift.suite.suite import Edit, Suite

KINDS = ("copy", "literal", "reordered", "renamed")


@dataclass(frozen=True)
class Planted:
    """One copy."""

    original: str
    """Node of the test that it was made from."""
    node: str
    kind: str
    at: int
    """Line of the file after which it stands."""
    source: str


def candidates(suite: Suite, nodes: Sequence[str], random: Random) -> Iterator[Planted]:
    """One copy of each kind of each of these tests, where it can be made."""
    wanted = set(nodes)
    for path, file in suite.files.items():
        if not file.tests:
            continue
        for found in definitions(parse(file.text), suite.naming):
            if f"{path}::{found.name}" in wanted:
                for kind in KINDS:
                    if planted := _plant(path, file.text, found, kind, random):
                        yield planted


def plant(suite: Suite, chosen: Sequence[Planted]) -> Suite:
    """The suite with these copies in it, each below its original."""
    by_path: dict[str, list[Planted]] = {}
    for one in chosen:
        by_path.setdefault(one.node.partition("::")[0], []).append(one)
    files: dict[str, str | None] = {}
    for path, copies in by_path.items():
        lines = split_lines(suite.files[path].text)
        for one in sorted(copies, key=lambda one: -one.at):
            lines[one.at : one.at] = ["\n", *split_lines(one.source)]
        files[path] = "".join(lines)
    return suite.apply(Edit(files))


def _plant(path: str, text: str, found: Definition, kind: str, random: Random) -> Planted | None:
    function = found.function
    lines = split_lines(text)
    start, end = first_line(function), function.end_lineno or function.lineno
    edits = _edits(function, kind, lines, random)
    if edits is None:
        return None
    name = f"{function.name}_{kind}"
    edits[_name_span(function, lines)] = name
    source = _edited(lines, edits, start, end)
    outer = found.name.rpartition("::")[0]
    node = "::".join(part for part in (path, outer, name) if part)
    return Planted(f"{path}::{found.name}", node, kind, end, source)


Span = tuple[int, int, int, int]
"""Line and column of begin and end; columns in bytes, as `ast` counts."""


def _edits(
    function: ast.FunctionDef | ast.AsyncFunctionDef, kind: str, lines: list[str], random: Random
) -> dict[Span, str] | None:
    """Span -> new text; None where there is no such variant."""
    if kind == "copy":
        return {}
    if kind == "literal":
        places = [node for node in _constants(function) if _other(node.value) is not None]
        if not places:
            return None
        node = random.choice(places)
        return {_span(node): str(_other(node.value))}
    if kind == "reordered":
        return _swap(function, lines, random)
    return _renaming(function)


def _constants(function: ast.AST) -> list[ast.Constant]:
    """Literals on one line that are no docstring and no part of a formatted one."""
    inside = {
        id(c) for n in ast.walk(function) if isinstance(n, ast.JoinedStr) for c in ast.walk(n)
    }
    inside |= {id(node.value) for node in ast.walk(function) if isinstance(node, ast.Expr)}
    marks = getattr(function, "decorator_list", [])
    inside |= {id(child) for mark in marks for child in ast.walk(mark)}
    return [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Constant)
        and id(node) not in inside
        and node.lineno == node.end_lineno
    ]


def _other(value: object) -> str | None:
    """A literal that is not the same."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        return repr(value + 1)
    if isinstance(value, float):
        return repr(value + 0.5)
    if isinstance(value, str):
        return repr(value + "q")
    return repr(value + b"q") if isinstance(value, bytes) else None


def _swap(
    function: ast.FunctionDef | ast.AsyncFunctionDef, lines: list[str], random: Random
) -> dict[Span, str] | None:
    """Two neighbouring statements change places, if they differ and stand on lines of their own."""
    pairs = [
        (one, two)
        for one, two in zip(function.body, function.body[1:], strict=False)
        if not isinstance(one, ast.Expr) or not isinstance(one.value, ast.Constant)
        if ast.dump(one) != ast.dump(two) and one.lineno > function.lineno
        if (one.end_lineno or 0) < two.lineno
    ]
    if not pairs:
        return None
    one, two = random.choice(pairs)
    return {_span(one): _segment(lines, _span(two)), _span(two): _segment(lines, _span(one))}


def _renaming(function: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[Span, str] | None:
    """All variables of the body under other names."""
    stored = {
        n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    names = stored & local_names(function)
    names -= {arg.arg for arg in ast.walk(function) if isinstance(arg, ast.arg)}
    uses = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id in names]
    return {_span(node): f"other_{node.id}" for node in uses} or None


def _span(node: ast.stmt | ast.expr) -> Span:
    end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return (node.lineno, node.col_offset, *end)


def _name_span(function: ast.FunctionDef | ast.AsyncFunctionDef, lines: list[str]) -> Span:
    line = function.lineno
    column = len(lines[line - 1].partition(f"def {function.name}")[0].encode()) + 4
    return (line, column, line, column + len(function.name.encode()))


def _segment(lines: Sequence[str], span: Span) -> str:
    line, column, end_line, end = span
    part = [text.encode() for text in lines[line - 1 : end_line]]
    part[-1] = part[-1][:end]
    part[0] = part[0][column:]
    return b"".join(part).decode()


def _edited(lines: Sequence[str], edits: Mapping[Span, str], start: int, end: int) -> str:
    rows = [text.encode() for text in lines]
    for (line, column, end_line, end_column), new in sorted(edits.items(), reverse=True):
        after = rows[end_line - 1][end_column:]
        rows[line - 1] = rows[line - 1][:column] + new.encode() + after
        for index in range(line, end_line):
            rows[index] = b""
    return b"".join(rows[start - 1 : end]).decode().rstrip("\n") + "\n"
