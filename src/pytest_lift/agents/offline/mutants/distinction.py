"""Decides whether the assertions of a test fail on what a mutant does."""

from __future__ import annotations

import ast
import builtins

from pytest_lift.agents.offline.writing.oracles import StepCheck, Verified
from pytest_lift.calls.case import Observation, Outcome, Raised

ENDED = ("timeout", "crash", "setup")
"""Ways in which a mutant ends that need no assertion to be detected."""


def sees(item: Verified, other: Observation) -> bool:
    """Whether the test of `item` fails if its program behaves as in `other`."""
    if other.rejected.startswith(ENDED):
        return True
    outcomes = iter(other.outcomes)
    for step, check in zip(item.case.steps, item.checks, strict=False):
        if not step.check:
            continue
        outcome = next(outcomes, None)
        if outcome is None or _fails(check, outcome):
            return True
    return False


def _fails(check: StepCheck, outcome: Outcome) -> bool:
    if check.raised is not None:
        return outcome.raised is None or not _is_caught(check, check.raised, outcome.raised)
    if outcome.raised is not None:
        return True
    if check.form == "equals":
        return not _is_equal(check, outcome)
    if check.form == "is":
        return outcome.source != check.expected
    if check.form in ("true", "false"):
        return outcome.source != check.form.capitalize()
    if check.form == "text":
        return outcome.text is not None and repr(outcome.text) != check.expected
    if check.form == "attributes":
        found = dict(outcome.attributes)
        return any(found.get(name) != value for name, value in check.attributes)
    if check.form == "printed":
        return (outcome.printed, outcome.files) != (check.printed, check.files)
    return False


def _is_caught(check: StepCheck, usual: Raised, other: Raised) -> bool:
    """Whether ``pytest.raises`` of the check accepts what the mutant raises."""
    if check.form == "says":
        return _is_kind(usual, other) and repr(other.message) == check.expected
    return _is_kind(usual, other) and check.match in other.message


def _is_kind(usual: Raised, other: Raised) -> bool:
    """Whether `other` is of the class of `usual` or, as far as is known, of a subclass."""
    if (usual.type, usual.module) == (other.type, other.module):
        return True
    if usual.module == "builtins" and other.module != "builtins":
        # A class of the program may be derived from it.
        return True
    wide, narrow = (getattr(builtins, raised.type, None) for raised in (usual, other))
    return isinstance(wide, type) and isinstance(narrow, type) and issubclass(narrow, wide)


def _is_equal(check: StepCheck, outcome: Outcome) -> bool:
    """Whether the value equals that of the check; False if that is unknown."""
    if outcome.wrap and not check.expression.startswith("list("):
        return False
    if outcome.source == check.expected:
        return True
    try:
        pair = [ast.literal_eval(text or "") for text in (outcome.source, check.expected)]
        return bool(pair[0] == pair[1])
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
