"""Where all tests fail for one reason, that reason is the first line of the outcome."""

from __future__ import annotations

import pytest

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.evolve.iteration import LiftOutcome
from pytest_lift.measure.measurement import Measurement
from pytest_lift.report.closing import LONGEST, closing_lines, one_reason
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.run.result import Failure, Run, TestResult
from pytest_lift.suite.suite import suite_of
from pytest_lift.trace.trace import trace_run

TEXT = "def test_a():\n    assert 1\n\n\ndef test_b():\n    assert 1\n"


def failure(message: str = "No module named 'six'", kind: str = "ModuleNotFoundError") -> Failure:
    return Failure("collect", kind, message, "pkg/core.py", 34, "")


def measurement(
    broken: dict[str, Failure] | None = None, results: dict[str, Failure | str] | None = None
) -> Measurement:
    """What a test did is its failure, or its outcome."""
    suite = suite_of("tests", {"tests/test_x.py": TEXT})
    told = {
        node: TestResult(node, "failed", 0.1, said)
        if isinstance(said, Failure)
        else TestResult(node, said, 0.1)  # type: ignore[arg-type]
        for node, said in (results or {}).items()
    }
    run = Run("failed", told, broken=broken or {})
    return Measurement(suite, run, Coverage(), trace_run(Requirements(), run, suite, {}))


MISSING = measurement({"tests/test_a.py": failure(), "tests/test_b.py": failure()})
TOLD = (
    "no test of yours passes, for one reason: ModuleNotFoundError: No module named 'six', at "
    "pkg/core.py:34; install six here, or put its folder on the path (2 files cannot be collected)"
)


def test_a_missing_dependency_is_the_first_line() -> None:
    assert one_reason(MISSING) == TOLD
    outcome = LiftOutcome("plateau", "because", MISSING, (), (), 1.0)
    lines = closing_lines(outcome, where="here", kept={}, unmet=(), failing=())
    assert lines[:2] == [TOLD, "here"]


def test_tests_that_fail_alike_have_one_reason_wherever_they_stand() -> None:
    one = failure("cannot connect\nto 10.0.0.1", "app.Unreachable")
    two = failure("cannot connect\nto 10.0.0.2", "app.Unreachable")
    found = one_reason(
        measurement(results={"tests/test_x.py::test_a": one, "tests/test_x.py::test_b": two})
    )
    assert found.endswith("app.Unreachable: cannot connect, at pkg/core.py:34 (2 tests fail)")
    alone = one_reason(measurement(results={"tests/test_x.py::test_a": one}))
    assert alone.endswith("(1 test fails)")


@pytest.mark.parametrize(
    "results",
    [
        {},
        {"tests/test_x.py::test_a": "passed"},
        {"tests/test_x.py::test_a": failure(), "tests/test_x.py::test_b": "passed"},
        {"tests/test_x.py::test_a": failure(), "tests/test_x.py::test_b": failure("other")},
        {"tests/test_x.py::test_a": failure(), "tests/test_x.py::test_b": failure(kind="OSError")},
        {"tests/test_x.py::test_a": "skipped"},
    ],
)
def test_else_there_is_no_one_reason(results: dict[str, Failure | str]) -> None:
    assert one_reason(measurement(results=results)) == ""


def test_skipped_tests_change_nothing() -> None:
    results: dict[str, Failure | str] = {"tests/test_x.py::test_a": "skipped"}
    assert one_reason(measurement({"tests/test_b.py": failure()}, results)).endswith(
        "(1 file cannot be collected)"
    )


def test_what_the_jail_forbids_says_what_to_do() -> None:
    denied = failure("[Errno 30] Read-only file system: 'out.txt'", "OSError")
    assert "--lift-allow-write" in one_reason(measurement({"tests/test_a.py": denied}))


def test_a_long_message_is_cut() -> None:
    long = one_reason(measurement({"tests/test_a.py": failure("x" * 1000)}))
    assert len(long) < LONGEST + 150
