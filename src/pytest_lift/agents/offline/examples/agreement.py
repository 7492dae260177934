"""Tells whether a program does what an example of its documentation shows."""

from __future__ import annotations

import ast
import doctest
from dataclasses import replace

from pytest_lift.calls.case import Case, Observation, Outcome, Step

LENIENT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def differs(case: Case, seen: Observation) -> bool:
    """Whether the program does something else than its documentation says."""
    checked = [step for step in case.steps if step.check]
    if len(seen.outcomes) != len(checked):
        return True
    pairs = zip(checked, seen.outcomes, strict=True)
    return any(not _agrees(step, outcome) for step, outcome in pairs)


def agreeing(case: Case, seen: Observation) -> Case | None:
    """Returns the beginning of a documented case in which the program does what is shown; None
    where it does not begin so."""
    numbers = [number for number, step in enumerate(case.steps) if step.check]
    last = -1
    for number, outcome in zip(numbers, seen.outcomes, strict=False):
        if not _agrees(case.steps[number], outcome) or (
            outcome.raised and not outcome.raised.explicit
        ):
            break
        last = number
    return replace(case, steps=case.steps[: last + 1]) if 0 <= last < numbers[-1] else None


def _agrees(step: Step, outcome: Outcome) -> bool:
    if step.want is None:
        return True
    if step.raises or outcome.raised:
        if outcome.raised is None or not step.raises:
            return False
        name = step.want.partition(":")[0].strip().rpartition(".")[2]
        return name == outcome.raised.type.rpartition(".")[2]
    got = outcome.shown if not step.printed else (outcome.text or _said(outcome))
    checker = doctest.OutputChecker()
    return checker.check_output(step.want + "\n", got + "\n", LENIENT)


def _said(outcome: Outcome) -> str:
    """Returns ``str(value)`` of the value whose ``repr`` was observed."""
    shown = outcome.shown
    try:
        value = ast.literal_eval(shown)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return shown
    return value if isinstance(value, str) else shown
