"""Candidates that `screen` leaves alone: tests that are set apart, deselected or gain nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from plain_project import FLAT, benched, write

from pytest_lift.evolve.screening import screen
from pytest_lift.measure.suite_measurer import SuiteMeasurer
from pytest_lift.run.plain_pytest import PlainCommand
from pytest_lift.scope.scope import Scope, ScopePlace
from pytest_lift.suite.suite import Edit, Suite, read_suite

EARLIER = "from pkg.mod import sign\n\ndef test_earlier():\n    assert sign(-2) == -1\n"
NEW = "from pkg.mod import sign\n\ndef test_new():\n    assert sign(0) == 0\n"


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    """A test of the user's, and one that an earlier lift wrote."""
    root = write(tmp_path / "project", FLAT)
    return read_suite(root, "tests").apply(Edit({"tests/test_earlier.py": EARLIER}))


def test_tests_of_an_earlier_lift_that_are_set_apart_stay(tmp_path: Path, suite: Suite) -> None:
    """They are not run in a lift of a part of the program, and nothing is wrong with them."""
    node = "tests/test_earlier.py::test_earlier"
    scope = Scope(("sign",), (ScopePlace("pkg/mod.py", "sign", 1, 2),), apart=frozenset({node}))
    candidate = suite.apply(Edit({"tests/test_new.py": NEW}))
    with benched(tmp_path / "project") as (measurer, _):
        measurer.scope = scope
        settled = screen(candidate, measurer, known_failures=frozenset(), seed=1, accepted=suite)
    assert (settled.stable, settled.dropped) == (True, {})
    assert settled.measurement.suite.files.keys() == candidate.files.keys()
    assert node not in settled.measurement.run.results


SLOW = f"import pytest\n\npytestmark = pytest.mark.slow\n{EARLIER}"
NOT_SLOW = {"pytest.ini": "[pytest]\naddopts = -m 'not slow'\nmarkers = slow\n"}


def test_what_the_project_deselects_is_not_lost(tmp_path: Path) -> None:
    """The user has marked the file since; a new test in it would never run, and does not land."""
    root = write(tmp_path / "project", {**FLAT, **NOT_SLOW})
    suite = read_suite(root, "tests").apply(Edit({"tests/test_earlier.py": SLOW}))
    more = {"tests/test_earlier.py": SLOW + "\n\ndef test_later():\n    assert sign(0) == 0\n"}
    with benched(root, PlainCommand(addopts=("-m", "not slow"))) as (measurer, _):
        measurer.addopts = [*measurer.addopts, "-m", "not slow"]
        known_failures = measurer.measure(suite).absent
        assert known_failures == {"tests/test_earlier.py::test_earlier"}
        settled = screen(
            suite.apply(Edit({**more, "tests/test_new.py": NEW})),
            measurer,
            known_failures=known_failures,
            seed=1,
            accepted=suite,
        )
    assert settled.stable
    assert list(settled.dropped) == ["tests/test_earlier.py::test_later"]
    left = {test.node for test in settled.measurement.suite.owned_tests()}
    assert left == {*known_failures, "tests/test_new.py::test_new"}


FLAKY = "import os\n\ndef test_flaky():\n    assert os.environ['PYTHONHASHSEED'] == '0'\n"


def settled_with(measurer: SuiteMeasurer, suite: Suite, *, gains: bool) -> dict[str, str]:
    candidate = suite.apply(Edit({"tests/test_flaky.py": FLAKY}))
    told = screen(
        candidate, measurer, known_failures=frozenset(), seed=1, may_gain=lambda measurement: gains
    )
    assert told.stable
    return told.dropped


def test_what_gains_nothing_is_not_run_again(tmp_path: Path) -> None:
    """Whether it passes in another order makes no difference then."""
    with benched(write(tmp_path / "project", FLAT)) as (measurer, suite):
        assert settled_with(measurer, suite, gains=False) == {}
        assert measurer.measurements == 1
        assert settled_with(measurer, suite, gains=True) == {
            "tests/test_flaky.py::test_flaky": "flaky: AssertionError"
        }
