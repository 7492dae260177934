"""Events of a session folded into a run: outcomes test by test, the ending, and what did not run."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_lift.run.events import (
    CUT_SHORT,
    DESELECTED,
    SessionEvents,
    as_run,
    missing,
    run_from_events,
)
from pytest_lift.run.result import Run
from pytest_lift.sandbox.child import Child

WHY = {"phase": "call", "type": "E", "message": "m", "file": "t.py", "line": 3, "traceback": "", "frames": [["t.py", 3, "f"]]}  # fmt: skip
START = {"event": "start", "root": "/p"}
A, B = "t.py::a", "t.py::b"


def collected(*nodes: str) -> dict[str, Any]:
    return {"event": "collected", "nodes": list(nodes)}


def phase(node: str, when: str, outcome: str = "passed", **more: Any) -> dict[str, Any]:
    failed = {"failure": WHY} if outcome == "failed" else {}
    return {"event": "phase", "node": node, "when": when, "outcome": outcome, "seconds": 0.5, **failed, **more}  # fmt: skip


def steps(node: str, call: str = "passed", **more: Any) -> list[dict[str, Any]]:
    middle = [phase(node, "setup"), phase(node, "call", call, **more), phase(node, "teardown")]
    return [{"event": "begin", "node": node}, *middle, {"event": "end"}]


def finish(status: int) -> dict[str, Any]:
    return {"event": "finish", "status": status}


def ran(*events: dict[str, Any], child: Child | None = None) -> Run:
    session = SessionEvents()
    for event in events:
        session.take(event)
    return as_run(session, child or Child(session.status or 0, "ended", 1.0, ""))


def test_the_phases_of_a_test_are_added_up() -> None:
    run = ran(START, collected(A, B), *steps(B), *steps(A, "skipped", reason="why"), finish(0))
    assert run.ending == "passed"
    assert [(r.node, r.outcome, r.seconds, r.reason) for r in run.results.values()] == [
        (A, "skipped", 1.5, "why"),
        (B, "passed", 1.5, ""),
    ]


@pytest.mark.parametrize(
    ("when", "outcome"), [("setup", "error"), ("call", "failed"), ("teardown", "error")]
)
def test_a_failure_outside_of_the_call_is_an_error(when: str, outcome: str) -> None:
    result = ran(START, collected(A), phase(A, when, "failed"), finish(1)).results[A]
    assert (result.outcome, result.failure and result.failure.frames) == (
        outcome,
        (("t.py", 3, "f"),),
    )


def test_the_first_failure_stands() -> None:
    other = {**WHY, "message": "later"}
    run = ran(START, phase(A, "call", "failed"), phase(A, "teardown", "failed", failure=other))
    result = run.results[A]
    assert result.outcome == "failed"
    assert result.failure
    assert result.failure.message == "m"


def test_subtests_count_where_they_fail_and_take_no_time_of_their_own() -> None:
    passing = ran(START, phase(A, "call", "skipped", subtest="x"), phase(A, "call"), finish(0))
    assert (passing.results[A].outcome, passing.results[A].seconds) == ("passed", 0.5)
    failing = ran(START, phase(A, "call", "failed", subtest="x"), phase(A, "call"), finish(1))
    assert (failing.results[A].outcome, failing.results[A].seconds) == ("failed", 0.5)


def test_a_test_that_is_run_again_begins_anew() -> None:
    again = phase(A, "call", "rerun")
    result = ran(START, phase(A, "setup"), again, again, *steps(A), finish(0)).results[A]
    assert (result.outcome, result.reruns, result.seconds) == ("passed", 2, 1.5)


def test_what_is_recorded_later_is_named_too_and_once() -> None:
    named = phase(A, "setup", requirements=["R-1"], emergent=None, doc="d")
    result = ran(START, named, phase(A, "call", recorded=["R-2", "R-1"])).results[A]
    assert result.requirements == ("R-1", "R-2")


@pytest.mark.parametrize(
    "event",
    [
        {"event": "unknown"},
        {"event": "phase", "node": A},
        {"event": "collected"},
        {"event": "finish", "status": "x"},
        phase(A, "call", "not-run"),
        phase(A, "call", "failed", failure={}),
    ],
)
def test_what_is_no_event_is_doubted_and_the_running_test_suspected(event: dict[str, Any]) -> None:
    run = ran(START, {"event": "begin", "node": B}, event, *steps(A), finish(0))
    assert (run.ending, run.detail) == ("crashed", f"1 lines of the record are forged, in {B}")


@pytest.mark.parametrize(
    ("events", "child", "ending", "detail"),
    [
        ([START, finish(0)], Child(0, "timed-out", 9.0, ""), "timed-out",
         "stopped after 9 s, after the session had ended"),
        ([START], Child(-9, "out-of-memory", 1.0, ""), "out-of-memory",
         "stopped because it used too much memory, before the first test"),
        ([START, *steps(A)], Child(1, "flooded", 1.0, ""), "crashed",
         "stopped because it printed too much, between tests"),
        ([START, {"event": "begin", "node": A}], Child(-11, "ended", 1.0, ""), "crashed",
         f"signal 11 (SIGSEGV), in {A}"),
        ([START], Child(-250, "ended", 1.0, ""), "crashed", "signal 250, before the first test"),
        ([START, *steps(A)], Child(7, "ended", 1.0, ""), "crashed", "exit status 7, between tests"),
        ([], Child(4, "ended", 1.0, "no such option\n"), "refused", "no such option"),
        ([], Child(4, "ended", 1.0, ""), "refused", "exit status 4, no session"),
        ([START, finish(0)], Child(1, "ended", 1.0, ""), "crashed",
         "exit status 1, after the session had ended"),
        ([START, collected(A, B), *steps(A), finish(0)], None, "crashed",
         "1 of the collected tests did not run"),
        ([START, *steps(A, "failed"), finish(1)], None, "failed", ""),
        ([START, *steps(A), finish(1)], Child(1, "ended", 1.0, "coverage too low"), "failed",
         "no test failed; coverage too low"),
        ([START, {"event": "internal", "text": "boom"}, finish(3)], None, "refused", "boom"),
        ([START, finish(5)], None, "nothing-collected", ""),
        ([START, {"event": "interrupt", "text": "Ctrl-C"}, finish(2)], None, "crashed",
         "interrupted by Ctrl-C, after the session had ended"),
        ([START, {"event": "broken", "file": "t.py", "failure": WHY}, finish(2)], None,
         "collection-errors", "1 file could not be collected"),
        ([START, {"event": "broken", "file": "t.py", "failure": WHY}, *steps(A), finish(0)], None,
         "passed", ""),
    ],
)  # fmt: skip
def test_the_ending_and_its_detail(
    events: list[dict[str, Any]], child: Child | None, ending: str, detail: str
) -> None:
    run = ran(*events, child=child)
    assert (run.ending, run.detail) == (ending, detail)


def test_of_a_traceback_only_what_was_raised_is_told() -> None:
    said = "Traceback (most recent call last):\n  File x\n    y\nValueError: z\n"
    assert ran(child=Child(1, "ended", 1.0, said)).detail == "ValueError: z"


def test_the_test_that_was_running_counts_only_where_it_had_failed() -> None:
    begun = [START, collected(A), {"event": "begin", "node": A}]
    assert ran(*begun, phase(A, "setup"), child=Child(-9, "ended", 1.0, "")).results == {}
    failed = ran(*begun, phase(A, "call", "failed"), child=Child(-9, "ended", 1.0, ""))
    assert (failed.results[A].outcome, failed.running) == ("failed", A)


def test_what_did_not_run_says_why_and_what_it_names() -> None:
    left = {"event": "deselected", "nodes": [f"{A}[2]", B], "named": {B: ["R-2"]}}
    named = phase(f"{A}[1]", "call", requirements=["R-1"], emergent=None, doc="")
    run = ran(START, collected(f"{A}[1]", f"{A}[3]"), left, named, finish(1))
    assert {n: (r.reason, r.requirements) for n, r in run.not_run.items()} == {
        f"{A}[3]": (CUT_SHORT, ("R-1",)),
        f"{A}[2]": (DESELECTED, ("R-1",)),
        B: (DESELECTED, ("R-2",)),
    }
    assert [*missing(run)] == [
        "the session was cut short, 1 test did not run",
        "2 tests of this suite were deselected",
    ]


def test_a_test_that_was_deselected_and_collected_is_no_deselected_one() -> None:
    run = ran(START, collected(A), {"event": "deselected", "nodes": [A]}, *steps(A), finish(0))
    assert (run.not_run, [*missing(run)]) == ({}, [])


def test_a_status_that_is_known_stands_in_for_the_end() -> None:
    events = [START, collected(A), *steps(A)]
    assert run_from_events(events, status=0, seconds=2.0).ending == "passed"
    assert run_from_events([*events, finish(1)], status=0).ending == "failed"
