"""Says how often a test does what is not told line by line."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.agents.offline.writing.values import listed
from pytest_lift.source.syntax import FunctionNode

MOST_CALLED = 2
"""Most functions whose calls are counted."""


def counted(lines: Sequence[str]) -> Iterator[str]:
    """Yields lines, those that are done again at once with how often: ``put(1) twice``."""
    for line, same in groupby(lines):
        count = len([*same])
        often = {1: "", 2: " twice"}.get(count, f" {count} times")
        yield f"{line}{often}"


def left_out(checks: Sequence[StepCheck], some: Sequence[StepCheck]) -> str:
    """Returns ``5 calls of tree.add and one of tree.sort`` for what is left out of the lines of a
    test where `some` are told, ``9 more lines`` where it is more than that."""
    left = left_of(checks, some)
    called = Counter(_called_by(check.expression) for check in left)
    if "" in called or len(called) > MOST_CALLED:
        return f"{len(left)} more lines"
    (first, count), *others = called.most_common()
    more = [f"{number if number > 1 else 'one'} of {name}" for name, number in others]
    return listed([f"{count} calls of {first}" if count > 1 else f"a call of {first}", *more])


def left_of(checks: Sequence[StepCheck], some: Sequence[StepCheck]) -> list[StepCheck]:
    """Returns what is left out of the lines of a test where `some` are told, but definitions."""
    others = (check for check in checks if not any(check is one for one in some))
    return [check for check in others if not _defines(check)]


def _defines(check: StepCheck) -> bool:
    """Whether a line defines a class or function, which a docstring tells by itself."""
    return isinstance(ast.parse(check.expression).body[0], ast.ClassDef | FunctionNode)


def _called_by(source: str) -> str:
    """Returns what a statement calls by a name; "" for another one."""
    match ast.parse(source).body:
        case [ast.Expr(ast.Call(ast.Name() | ast.Attribute(ast.Name()) as called))]:
            return ast.unparse(called)
    return ""
