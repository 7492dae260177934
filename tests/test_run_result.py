"""Outcomes as values: nodes without parameters, what cut a run short, and limits of the jail."""

from __future__ import annotations

from typing import get_args

import pytest

from pytest_lift.run.result import Confine, CutShort, Ending, Failure, Run, TestResult, confine


def failure(kind: str, message: str = "") -> Failure:
    return Failure("call", kind, message, "t.py", 1, "")


@pytest.mark.parametrize(
    ("node", "function"),
    [("t.py::test_a", "t.py::test_a"), ("t.py::A::test_a[x[1]-y]", "t.py::A::test_a")],
)
def test_a_row_is_one_of_its_function(node: str, function: str) -> None:
    assert TestResult(node, "passed", 0.1).function == function


def test_what_did_not_run_is_known_too() -> None:
    ran, waits = TestResult("a", "failed", 0.1), TestResult("b", "not-run", 0.0)
    run = Run("crashed", {"a": ran}, not_run={"b": waits})
    assert run.rows == (ran, waits)
    assert (ran.ran, waits.ran) == (True, False)


@pytest.mark.parametrize("ending", get_args(Ending))
def test_what_cut_a_run_short(ending: Ending) -> None:
    assert Run(ending).cut_short == (ending if ending in get_args(CutShort) else None)


@pytest.mark.parametrize(
    ("kind", "message", "limit"),
    [
        ("MemoryError", "", "out-of-memory"),
        ("numpy.core.MemoryError", "", "out-of-memory"),
        ("urllib.error.URLError", "<[Errno 101] Network is unreachable>", "needs-loopback"),
        ("OSError", "[Errno 97] Address family not supported by protocol", "needs-loopback"),
        ("socket.gaierror", "[Errno -3] Temporary failure in name resolution", "needs-loopback"),
        ("PermissionError", "[Errno 13] Permission denied: '/x'", "denied-write"),
        ("OSError", "[Errno 30] Read-only file system: '/x'", "denied-write"),
        ("sqlite3.OperationalError", "unable to open database file", "denied-write"),
        ("AssertionError", "[Errno 13] Permission denied", None),
        ("OSError", "[Errno 2] No such file", None),
        ("ConnectionError", "[Errno 111] Connection refused", None),
        ("ValueError", "", None),
    ],
)
def test_the_limit_that_a_test_ran_into(kind: str, message: str, limit: Confine | None) -> None:
    assert confine(failure(kind, message)) == limit
