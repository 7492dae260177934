"""What keeps a session from speaking for the whole suite, in words."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_lift.run.events import CUT_SHORT, DESELECTED
from pytest_lift.run.result import Run
from pytest_lift.text.wording import count


def missing(run: Run) -> Iterator[str]:
    """Which of its tests did not run, each reason as a clause."""
    if left := left_out(run, CUT_SHORT):
        yield f"the session was cut short, {count(left, 'test')} did not run"
    if left := left_out(run, DESELECTED):
        yield f"{count(left, 'test')} of this suite {'was' if left == 1 else 'were'} deselected"
    others = len(run.not_run) - left_out(run, CUT_SHORT) - left_out(run, DESELECTED)
    if others:
        yield f"{count(others, 'linked test')} {'was' if others == 1 else 'were'} not collected"


def left_out(run: Run, why: str) -> int:
    """How many tests did not run for this reason."""
    return sum(row.reason == why for row in run.not_run.values())
