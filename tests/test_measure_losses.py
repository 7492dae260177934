"""What one measured suite has and another lacks, in words and as things."""

from __future__ import annotations

from pytest_lift.coverage.coverage import Coverage, FileCoverage
from pytest_lift.measure.losses import executed, measured_losses, some, verified
from pytest_lift.measure.measurement import Measurement
from pytest_lift.requirements.requirement import Requirement
from pytest_lift.run.result import Run
from pytest_lift.suite.suite import Suite
from pytest_lift.trace.statuses import Status
from pytest_lift.trace.trace import RequirementTrace, Trace

NONE: frozenset[int] = frozenset()


def measured(
    *lines: int, branches: tuple[tuple[int, int], ...] = (), **statuses: Status
) -> Measurement:
    file = FileCoverage(
        "m.py", frozenset(lines), NONE, NONE, frozenset(branches), frozenset({(8, 9)})
    )
    items = tuple(
        RequirementTrace(Requirement(name, "t", "d", ("a",), (), "r", 1), status)
        for name, status in statuses.items()
    )
    return Measurement(Suite("tests"), Run("passed"), Coverage({"m.py": file}), Trace(items))


def told(before: Measurement, after: Measurement) -> list[str]:
    return [loss.text for loss in measured_losses(before, after)]


def test_what_is_gone_is_named_and_what_is_gained_is_no_loss() -> None:
    before = measured(1, 2, branches=((1, 2), (1, 3)), R1="verified", R2="verified")
    after = measured(1, 3, branches=((1, 3),), R1="touched", R2="verified", R3="verified")
    assert told(before, after) == [
        "the verification of R1",
        "1 covered branch at m.py:1",
        "1 covered line",
    ]
    things = [loss.things for loss in measured_losses(before, after)]
    assert things == [{"R1"}, {("m.py", 1, 2)}, {("m.py", 2)}]


def test_the_same_loses_nothing() -> None:
    one = measured(1, 2, branches=((1, 2),), R1="verified")
    assert told(one, one) == []


def test_what_was_never_verified_cannot_be_lost() -> None:
    assert told(measured(R1="touched"), measured()) == []


def test_verified_requirements_and_executed_lines() -> None:
    one = measured(4, 7, R1="verified", R2="failing", R3="incomplete")
    assert verified(one) == {"R1"}
    assert executed(one) == {("m.py", 4), ("m.py", 7)}


def test_the_first_five_are_named() -> None:
    assert some(["c", "a", "b"]) == "a, b, c"
    assert some("abcde") == "a, b, c, d, e"
    assert some("gfedcba") == "a, b, c, d, e and 2 more"
