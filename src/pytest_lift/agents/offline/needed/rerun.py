"""Runs verified cases once more with other lines, to see whether their assertions still hold."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.case import Case, Observation, Outcome, Step
from pytest_lift.source.syntax import FunctionNode, parsed_expression


@dataclass(frozen=True)
class Rewritten:
    """A verified case with other lines: the checks that are left of it, each with its code."""

    item: Verified
    less: int
    """Characters that it is shorter than before."""
    gone: tuple[tuple[str, str], ...] = ()
    """(Name, value) of the options that it is without."""
    begun: Verified | None = None
    """What was there before up to the last statement that it is without; None where all are
    there."""

    @cached_property
    def case(self) -> Case:
        return as_case(self.item)

    @cached_property
    def beginning(self) -> Case | None:
        """`begun` as a case."""
        return None if self.begun is None else as_case(self.begun)


def as_case(item: Verified) -> Case:
    """Returns a case that runs the lines of a verified one and observes what it asserts of."""
    steps = tuple(
        Step(check.expression, check=check.form != "none", acts=_acts(check))
        for check in item.checks
    )
    defines = 0
    for check in item.checks[: item.case.defines]:
        defines += isinstance(ast.parse(check.expression).body[0], FunctionNode | ast.ClassDef)
    return replace(
        item.case, steps=steps, imports=item.imports, watched=(), defines=defines, asks=False
    )


def _acts(check: StepCheck) -> bool:
    return check.form != "none" and parsed_expression(check.expression) is None


def with_lines(item: Verified, checks: Sequence[StepCheck]) -> Verified:
    """Returns a verified case with other checks, and with those of the options in its name that
    these still set."""
    source = "\n".join(check.expression for check in checks)
    before = "\n".join(check.expression for check in item.checks)
    given = [
        name
        for name in (*item.case.keywords, *item.case.idle)
        if source.count(f"{name}=") or not before.count(f"{name}=")
    ]
    case = replace(
        item.case,
        steps=tuple(
            Step(check.expression, check=check.form != "none", acts=_acts(check))
            for check in checks
        ),
        keywords=tuple(name for name in item.case.keywords if name in given),
        idle=tuple(name for name in item.case.idle if name in given),
    )
    return replace(item, case=case, checks=tuple(checks))


def still_holds(item: Verified, seen: Observation, before: Observation) -> bool:
    """Whether everything that a case asserts holds for another run, since that shows what the run
    `before` did."""
    asserted = [check for check in item.checks if check.form != "none"]
    if seen.rejected or not len(asserted) == len(seen.outcomes) == len(before.outcomes):
        return False
    rows = zip(asserted, seen.outcomes, before.outcomes, strict=True)
    return all(_told(check, one) == _told(check, other) for check, one, other in rows)


def with_messages(item: Verified, seen: Observation) -> Verified:
    """Returns a verified case with the errors as another run has them: what is not asserted of a
    message may be other words there."""
    outcomes = iter(seen.outcomes)
    checks = []
    for check in item.checks:
        seen_now = next(outcomes, None) if check.form != "none" else None
        raised = seen_now.raised if seen_now is not None else None
        checks.append(replace(check, raised=raised) if check.raised and raised else check)
    return replace(item, checks=tuple(checks))


def _told(check: StepCheck, outcome: Outcome) -> Outcome:
    """Returns the part of an outcome of which a check says something."""
    names = {name for name, _ in check.attributes}
    attributes = tuple(pair for pair in outcome.attributes if pair[0] in names)
    text = outcome.text if check.form == "text" else None
    raised = outcome.raised
    if raised is not None and check.match and not check.blank and check.match in raised.message:
        raised = replace(raised, message=check.match)
    return replace(outcome, attributes=attributes, text=text, raised=raised)
