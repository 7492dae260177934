"""Types of parameters without annotation, by what callers pass: found, and written into a buffer.

The import of a class stands at the end of the buffer, so that no line moves.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pytest_lift.context.sites import name_place
from pytest_lift.source.program import SourceFile
from pytest_lift.source.syntax import FunctionNode, line_end, split_lines

MOST_SITES = 12
"""Calls whose arguments are looked at."""
MOST_TYPES = 3
"""Classes that one parameter may have."""


@dataclass(frozen=True)
class PassedArgument:
    """What one call passes for one parameter."""

    parameter: str
    path: str
    line: int
    column: int
    """Bytes of the line before the place whose type the argument has."""
    called: bool = False
    """Whether the argument is what a call of the name there gives."""


@dataclass(frozen=True, order=True)
class FoundClass:
    """A class of the program by its module and its qualified name."""

    module: str
    name: str


@dataclass(frozen=True)
class Annotated:
    """A text in which parameters have annotations that its file has not."""

    text: str
    shifts: Mapping[int, Sequence[tuple[int, int]]]
    """Line -> (byte, bytes that were put in there)."""

    def column(self, line: int, column: int) -> int:
        """Returns where a byte of the file is in the text."""
        return column + sum(more for at, more in self.shifts.get(line, ()) if at <= column)


def untyped_parameters(function: FunctionNode, *, bound: bool) -> dict[str, ast.arg]:
    """Returns the parameters without annotation by name, in order; not `self` and `cls` of a
    method that is bound."""
    args = function.args
    plain = [*args.posonlyargs, *args.args][bound:]
    return {arg.arg: arg for arg in (*plain, *args.kwonlyargs) if arg.annotation is None}


def passed_arguments(
    call: ast.Call, function: FunctionNode, path: str, *, bound: bool
) -> Iterator[PassedArgument]:
    """Yields what a call passes for parameters without annotation: the place of a name or
    attribute, else the end of the expression, where servers tell the type of the whole. What is
    called is told as well, since not all do."""
    wanted = untyped_parameters(function, bound=bound)
    names = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)][bound:]
    given: list[tuple[str, ast.expr]] = []
    if not any(isinstance(arg, ast.Starred) for arg in call.args):
        given += zip(names, call.args, strict=False)
    given += [(word.arg, word.value) for word in call.keywords if word.arg]
    for name, value in given:
        if name not in wanted or isinstance(value, ast.Constant | ast.Lambda | ast.Starred):
            continue
        if isinstance(value, ast.Name | ast.Attribute):
            yield PassedArgument(name, path, *name_place(value))
            continue
        end = value.end_lineno or value.lineno
        yield PassedArgument(name, path, end, (value.end_col_offset or 1) - 1)
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name | ast.Attribute):
            yield PassedArgument(name, path, *name_place(value.func), called=True)


def with_annotations(
    source: SourceFile,
    parameters: Mapping[str, ast.arg],
    types: Mapping[str, Iterable[FoundClass]],
) -> Annotated | None:
    """Returns the text of a file in which parameters have the types that were found; None where
    there are none."""
    lines = split_lines(source.text)
    shifts: dict[int, list[tuple[int, int]]] = {}
    imports: dict[str, None] = {}
    for name, arg in reversed([*parameters.items()]):
        classes = sorted({*types.get(name, ())})[:MOST_TYPES]
        if not classes:
            continue
        spelt = []
        for one in classes:
            top, _, inner = one.name.partition(".")
            if one.module == source.module:
                spelt.append(one.name)
                continue
            alias = f"_lift_{one.module.replace('.', '_')}_{top}"
            imports[f"from {one.module} import {top} as {alias}"] = None
            spelt.append(f"{alias}.{inner}" if inner else alias)
        more = f': "{" | ".join(spelt)}"'
        line, at = (arg.end_lineno or arg.lineno), arg.end_col_offset or 0
        whole = lines[line - 1].encode()
        lines[line - 1] = (whole[:at] + more.encode() + whole[at:]).decode()
        shifts.setdefault(line, []).append((at, len(more.encode())))
    if not shifts:
        return None
    text = "".join(lines)
    gap = "" if line_end(lines[-1]) else "\n"
    return Annotated(f"{text}{gap}{chr(10).join(imports)}\n", shifts)
