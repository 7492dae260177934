"""Checks of a case keep the lines that do something."""

from __future__ import annotations

import pytest

from pytest_lift.agents.offline.writing.oracles import StepCheck, without_unused


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("unused = []", []),
        ("unused = job.run()", ["job.run()"]),
        ("unused = job.friday.seconds", ["job.friday.seconds"]),
        ("_ = job.days", ["job.days"]),
    ],
)
def test_what_is_assigned_for_nobody_stays_where_it_acts(line: str, kept: list[str]) -> None:
    checks = (StepCheck("none", line), StepCheck("equals", "job.unit", "1"))
    assert [check.expression for check in without_unused(checks)] == [*kept, "job.unit"]
