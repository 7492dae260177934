"""Tells whether a program does what an example of its documentation shows."""

from __future__ import annotations

import ast
import doctest
from dataclasses import replace
from pprint import pformat

from pytest_lift.agents.offline.writing.readings import is_look
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
    """Returns a documented case up to the last step in which the program does what is shown, with
    the others before it only done; None where no step is so, or all are."""
    outcomes = iter(seen.outcomes)
    steps: list[Step] = []
    shown = 0
    for step in case.steps:
        outcome = next(outcomes, None) if step.check else None
        if step.check and (outcome is None or _ends(step, outcome)):
            break
        if outcome is None or _agrees(step, outcome):
            steps.append(step)
            shown = len(steps) if step.check else shown
        elif not is_look(step.source):
            steps.append(Step(step.source))
    found = tuple(steps[:shown])
    return replace(case, steps=found) if found and found != case.steps else None


def _ends(step: Step, outcome: Outcome) -> bool:
    """Whether nothing is told of a case from a step on: it raises what it should not."""
    return outcome.raised is not None and not (outcome.raised.explicit and _agrees(step, outcome))


def _agrees(step: Step, outcome: Outcome) -> bool:
    if step.want is None:
        return True
    if step.raises or outcome.raised:
        if outcome.raised is None or not step.raises:
            return False
        name = step.want.partition(":")[0].strip().rpartition(".")[2]
        return name == outcome.raised.type.rpartition(".")[2]
    given = "" if outcome.printed and outcome.shown == "None" else outcome.shown
    got = outcome.printed + given if not step.printed else (outcome.text or _said(outcome))
    checker = doctest.OutputChecker()
    same = checker.check_output(step.want + "\n", got.rstrip("\n") + "\n", LENIENT)
    return same or _in_order(step.want) == _in_order(got)


def _in_order(text: str) -> object:
    """Returns a literal with its keys in order, as a document shows it that lays it out; anything
    else is equal to nothing."""
    try:
        return pformat(ast.literal_eval(text.strip()))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return object()


def _said(outcome: Outcome) -> str:
    """Returns ``str(value)`` of the value whose ``repr`` was observed."""
    shown = outcome.shown
    try:
        value = ast.literal_eval(shown)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return shown
    return value if isinstance(value, str) else shown
