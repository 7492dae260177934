"""The tool's own tests that can go, on suites that really ran."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from measured_ladder import HEAD, TEN, UP
from measured_suite import Measured
from small_project import SmallProject

from pytest_lift.measure.measurement import Measurement
from pytest_lift.redundancy.minimising import losses, minimise, propose
from pytest_lift.redundancy.redundancy import COPIES

DOWN = "def test_down(): assert sign(-3) == -1\n\n\n"
ZERO = "def test_zero(): assert sign(0) == 0\n\n\n"


@pytest.fixture
def bed(tmp_path: Path) -> Measured:
    return Measured(SmallProject(tmp_path, src=False))


def names(tests: Sequence[str]) -> list[str]:
    return [node.rpartition("::")[2] for node in tests]


def left(measurement: Measurement) -> list[str]:
    return names([test.node for test in measurement.suite.tests()])


def start(bed: Measured, owned: str, users: str | None = None) -> Measurement:
    told = {"tests/test_user.py": HEAD + users} if users else None
    measurement = bed.measure(bed.suite({"tests/test_a.py": HEAD + owned}, told))
    bed.runs.clear()
    return measurement


def test_near_duplicates_go_in_one_measurement(bed: Measured) -> None:
    measurement = start(bed, TEN + DOWN)
    smallest = minimise(measurement, bed.measure, losses)
    assert left(smallest) == ["test_up_0", "test_down"]
    assert len(bed.runs) == 1
    assert losses(measurement, smallest) == ()


def test_the_tests_of_the_user_stay(bed: Measured) -> None:
    measurement = start(bed, UP + DOWN, users=TEN)
    smallest = minimise(measurement, bed.measure, losses)
    assert left(smallest) == ["test_down", *(f"test_up_{n}" for n in range(10))]
    every = [test.node for test in measurement.suite.tests()]
    smallest = minimise(measurement, bed.measure, lambda before, after: (), groups=[every])
    assert left(smallest) == [f"test_up_{n}" for n in range(10)]


@pytest.mark.slow
def test_tests_that_only_take_the_same_branches_go_where_mutants_are_measured(
    bed: Measured,
) -> None:
    text = UP + "def test_both():\n    assert sign(1) > 0\n    assert sign(-1) < 0\n\n\n"
    assert propose(start(bed, text)) == ()
    assert [*map(names, propose(start(bed, text), beyond_twins=True))] == [["test_up"]]
    bed.kills = {"m1": ("test_both",), "m2": ("test_both", "test_up")}
    measurement = start(bed, text)
    assert [*map(names, propose(measurement))] == [["test_up"]]
    assert left(minimise(measurement, bed.measure, losses)) == ["test_both"]


def test_what_a_known_mutant_rests_on_is_not_proposed(bed: Measured) -> None:
    bed.kills = {"m1": ("test_both",), "m2": ("test_up",)}
    text = UP + "def test_both():\n    assert sign(1) > 0\n    assert sign(-1) < 0\n\n\n"
    assert propose(start(bed, text)) == ()


@pytest.mark.slow
def test_a_kill_that_nobody_knew_of_is_found_by_measuring(bed: Measured) -> None:
    """Who kills `m9` is not known: dropping its killer is undone, and only that."""
    bed.kills = {"m1": ("test_both",), "m9": ("test_up_4",)}
    bed.known = {"m1": ("test_both",)}
    text = "def test_both():\n    assert sign(1) > 0\n    assert sign(-1) < 0\n\n\n" + TEN
    measurement = start(bed, text)
    smallest = minimise(measurement, bed.measure, losses)
    assert left(smallest) == ["test_both", "test_up_4"]
    assert smallest.mutation is not None
    assert smallest.mutation.detected == {"m1", "m9"}
    assert len(bed.runs) <= 9


@pytest.mark.slow
def test_the_measurements_are_limited(bed: Measured) -> None:
    bed.kills = {"m9": ("test_up_4",)}
    bed.known = {}
    measurement = start(bed, TEN + DOWN)
    smallest = minimise(measurement, bed.measure, losses, most_measurements=3)
    assert len(bed.runs) == 3
    assert losses(measurement, smallest) == ()
    assert minimise(measurement, bed.measure, losses, most_measurements=0) is measurement


def test_what_verifies_is_kept_before_what_observes(bed: Measured) -> None:
    req = '@pytest.mark.req("R-1")\n'
    observed = "def test_a():\n    number = sign(3)\n    assert number == 1\n\n\n"
    verified = "def test_b():\n    one = sign(4)\n    assert one == 1\n\n\n"
    measurement = start(bed, observed + req + verified + DOWN)
    assert left(minimise(measurement, bed.measure, losses)) == ["test_b", "test_down"]


def test_losses_are_told(bed: Measured) -> None:
    bed.kills = {"m1": ("test_up",)}
    text = '@pytest.mark.req("R-1")\n' + UP + DOWN
    before = start(bed, text, users=ZERO)
    after = bed.measure(before.suite.without(["tests/test_a.py::test_up"]))
    told = losses(before, after)
    wanted = ["covered branch", "covered line", "linked requirement", "detected mutant"]
    assert len(told) == len(wanted)
    assert all(name in line for name, line in zip(wanted, told, strict=True))
    gone = bed.measure(before.suite.without(["tests/test_user.py::test_zero"]))
    assert any(
        "tests that passed: tests/test_user.py::test_zero" in x for x in losses(before, gone)
    )
    assert losses(before, before) == ()


# Merging


@pytest.mark.slow
def test_what_only_mutants_could_tell_apart_is_no_copy(bed: Measured) -> None:
    """Where mutants cannot be measured again, nothing goes but what does the same."""
    first = "def test_one():\n    assert sign(1) > 0\n\n\n"
    literal = first.replace("test_one", "test_other").replace("sign(1)", "sign(2)")
    copy = first.replace("test_one", "test_again")
    measurement = start(bed, first + literal)
    assert [*map(names, propose(measurement))] != []
    assert propose(measurement, likenesses=COPIES) == ()
    assert [*map(names, propose(start(bed, first + copy), likenesses=COPIES))] == [["test_again"]]
