"""Tells which comparisons of documents say nothing, or what another one has said."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.source.syntax import parsed_expression


def is_vain(check: StepCheck, item: Verified) -> bool:
    """Whether a documented case shows that nothing came out, that two things are not equal which
    its document compares without a word, or what a constant is called: ``ends(1) == None``,
    ``Color.RED.name == 'RED'``."""
    if item.case.origin != "documented" or check.form == "none":
        return False
    node = parsed_expression(check.expression)
    equal = isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.Is)
    wanted = (step.want for step in item.case.steps if step.source == check.expression)
    if check.form == "false":
        return equal and not any(wanted)
    match node:
        case ast.Compare(comparators=[ast.Constant(None)]) if equal and check.form == "true":
            return True
    match node, parsed_expression(check.expected):
        case ast.Attribute(value=ast.Attribute(attr=name)), ast.Constant(value=str(text)):
            if name == text:
                return True
    return check.form in ("equals", "is") and check.expected == "None"


def is_said_again(check: StepCheck, before: Sequence[StepCheck]) -> bool:
    """Whether the check before it compares the same two things the other way round: what
    ``Color('red') == Color.RED`` says of ``Color.RED is Color('red')``."""
    sides = _sides(before[-1]) if before else None
    return sides is not None and len({*sides}) == 2 and _sides(check) == sides[::-1]


def without_repeated(items: Sequence[Verified], whole: AbstractSet[str]) -> list[Verified]:
    """Returns the cases without documented ones that do no more than to compare the same two things
    as another one did before; those with one of the keys `whole` stay."""
    known: set[tuple[str, tuple[str, ...], frozenset[str]]] = set()
    found = []
    for item in items:
        sides = _sides(item.checks[0]) if len(item.checks) == 1 else None
        said = (item.case.path, item.case.imports, frozenset(sides or ()))
        told = item.case.origin == "documented" and len(said[-1]) == 2
        if not (told and said in known and item.case.key not in whole):
            found.append(item)
        known |= {said} if told else set()
    return found


def _sides(check: StepCheck) -> tuple[str, str] | None:
    """Returns the two sides of what a check says to be equal, or one; None for another check."""
    node = parsed_expression(check.expression)
    match node:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]) if (
            check.form == "true"
        ):
            return ast.unparse(left), ast.unparse(right)
    expected = parsed_expression(check.expected) if check.form in ("equals", "is") else None
    return (ast.unparse(node), ast.unparse(expected)) if node and expected else None
