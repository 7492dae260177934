"""What the last gate refuses, what it does not blame on a candidate, and what it says of both."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.evolve.screening import ScreenedCandidate
from pytest_lift.measure.last_gate import PLAIN, Cause, LastGate, cause_of
from pytest_lift.measure.measurement import Measurement
from pytest_lift.run.result import Failure, Run, TestResult
from pytest_lift.suite.suite import Edit, Suite, suite_of
from pytest_lift.trace.trace import Trace

FILE = "tests/test_a.py"
OLD = "def test_mine():\n    assert 1\n"
NEW = f"{OLD}\n\ndef test_new():\n    assert 1\n\n\ndef test_more():\n    assert 1\n"
MINE, FIRST, SECOND = f"{FILE}::test_mine", f"{FILE}::test_new", f"{FILE}::test_more"
MISSING = ("ModuleNotFoundError", "No module named 'pkg.mod'")


def before() -> Suite:
    return suite_of("tests", {FILE: OLD})


def candidate() -> Suite:
    return before().apply(Edit({FILE: NEW}))


def failure(kind: str = "AssertionError", message: str = "assert 0") -> Failure:
    return Failure("call", kind, message, FILE, 1, "")


def ran(suite: Suite, bad: Mapping[str, Failure] | None = None, **more: object) -> Run:
    failures = bad or {}
    results = {
        test.node: TestResult(test.node, "failed", 0.1, failures[test.node])
        if test.node in failures
        else TestResult(test.node, "passed", 0.1)
        for test in suite.tests()
    }
    return Run(**{"ending": "failed" if bad else "passed", "results": results, **more})  # type: ignore[arg-type]


class Answers:
    """Plain pytest that answers by whether the new tests are there, and counts."""

    def __init__(self, new: Run, old: Run | None = None) -> None:
        self.new, self.old = new, old or ran(before())
        self.asked: list[str] = []

    def __call__(self, suite: Suite) -> Run:
        is_new = suite.function(FIRST) is not None
        self.asked.append("new" if is_new else "old")
        return self.new if is_new else self.old


def gate(answers: Answers) -> LastGate:
    return LastGate(answers)


def test_what_passes_is_asked_for_once() -> None:
    answers = Answers(ran(candidate()))
    assert gate(answers).refused(candidate(), before(), ()) == {}
    assert answers.asked == ["new"]


def test_a_new_test_that_fails_is_refused_and_the_reason_kept() -> None:
    one = gate(Answers(ran(candidate(), {FIRST: failure()})))
    assert one.refused(candidate(), before(), ()) == {FIRST: f"{PLAIN}AssertionError: assert 0"}
    assert one.causes == {Cause("other", "AssertionError: assert 0"): {FIRST}}


def test_what_failed_before_the_lift_is_no_news() -> None:
    one = gate(Answers(ran(candidate(), {MINE: failure()})))
    assert one.refused(candidate(), before(), {MINE}) == {}


def test_what_fails_without_the_candidate_too_is_not_blamed_on_it() -> None:
    old = ran(before(), {MINE: failure()})
    answers = Answers(ran(candidate(), {MINE: failure()}), old)
    one = gate(answers)
    assert one.refused(candidate(), before(), ()) == {}
    assert one.refused(candidate(), before(), ()) == {}
    assert answers.asked == ["new", "old", "new"]  # the accepted suite is asked for once
    assert not one.causes


def test_a_users_test_that_only_fails_with_the_candidate_is_a_reason() -> None:
    one = gate(Answers(ran(candidate(), {MINE: failure()})))
    assert list(one.refused(candidate(), before(), ())) == [MINE]


def test_new_tests_are_suspected_first() -> None:
    one = gate(Answers(ran(candidate(), {MINE: failure(), SECOND: failure()})))
    assert list(one.refused(candidate(), before(), ())) == [SECOND]


def test_a_file_that_cannot_be_collected_costs_its_new_tests() -> None:
    broken = ran(candidate(), broken={FILE: failure(*MISSING)}, results={})
    one = gate(Answers(broken))
    told = one.refused(candidate(), before(), ())
    why = f"{PLAIN}cannot be collected: ModuleNotFoundError: No module named 'pkg.mod'"
    assert told == {FIRST: why, SECOND: why}
    assert one.causes == {Cause("import", "pkg.mod"): {FIRST, SECOND}}


def test_a_mark_that_is_refused_costs_the_tests_that_bear_it() -> None:
    text = NEW.replace("def test_new", "@pytest.mark.req('R')\ndef test_new")
    suite = before().apply(Edit({FILE: f"import pytest\n\n\n{text}"}))
    refused = failure("Failed", "'req' not found in `markers` configuration option")
    one = gate(Answers(ran(suite, broken={FILE: refused}, results={})))
    assert list(one.refused(suite, before(), ())) == [FIRST]
    assert one.causes == {Cause("mark", "req"): {FIRST}}


def test_what_is_not_collected_there_does_not_land() -> None:
    suite = candidate()
    results = {node: r for node, r in ran(suite).results.items() if node != FIRST}
    one = gate(Answers(ran(suite, results=results)))
    assert one.refused(suite, before(), ()) == {FIRST: f"{PLAIN}it is not collected"}


@pytest.mark.parametrize("ending", ["refused", "crashed"])
def test_a_candidate_that_stops_the_session(ending: str) -> None:
    stopped = Run(ending, detail="no\nmore")  # type: ignore[arg-type]
    one = gate(Answers(stopped))
    why = f"{PLAIN}the session stops: no"
    assert one.refused(candidate(), before(), ()) == {FIRST: why, SECOND: why}
    assert not one.off


def test_a_session_that_only_changed_tests_stop_is_blamed_on_them() -> None:
    """No test is new: one of the tool's own says something else, and the session hangs."""
    old = suite_of("tests", {}).apply(Edit({FILE: NEW}))
    new = old.apply(Edit({FILE: NEW.replace("test_more():\n    assert 1", "test_more():\n    1")}))
    runs = {old.files[FILE].text: ran(old), new.files[FILE].text: Run("timed-out", detail="slow")}
    one = LastGate(lambda suite: runs[suite.files[FILE].text])
    assert one.refused(new, old, ()) == {SECOND: f"{PLAIN}the session stops: slow"}


@pytest.mark.parametrize("ending", ["refused", "timed-out"])
def test_a_session_that_never_works_says_nothing_of_the_candidate(ending: str) -> None:
    stopped = Run(ending, detail="no plugin x")  # type: ignore[arg-type]
    answers = Answers(stopped, stopped)
    one = gate(answers)
    for _ in range(2):
        assert one.refused(candidate(), before(), ()) == {}
    assert answers.asked == ["new", "old"]
    (line,) = one.told()
    assert (line.startswith("plain pytest cannot be run"), line.endswith("no plugin x")) == (
        True,
    ) * 2


def test_each_cause_is_one_sentence_with_what_mends_it_tried_once() -> None:
    tried = []

    def mend(cause: Cause, suite: Suite, nodes: frozenset[str]) -> tuple[str, ...]:
        tried.append((cause.kind, nodes))
        return (
            ("this fixes it, in pytest.ini, [pytest]:", "    pythonpath = .")
            if cause.kind == "import"
            else ()
        )

    bad = {FIRST: failure(*MISSING), SECOND: failure()}
    one = LastGate(Answers(ran(candidate(), bad)), mend=mend)
    one.refused(candidate(), before(), ())
    one.refused(candidate(), before(), ())
    assert tried == [("import", {FIRST}), ("other", {SECOND})]
    assert one.told() == [
        "1 test did not land, under plain pytest pkg.mod cannot be imported; "
        "this fixes it, in pytest.ini, [pytest]:",
        "    pythonpath = .",
        "1 test did not land, under plain pytest: AssertionError: assert 0",
    ]


@pytest.mark.parametrize(
    ("kind", "message", "cause"),
    [
        (*MISSING, Cause("import", "pkg.mod")),
        (
            "Failed",
            "'req' not found in `markers` configuration option",
            Cause("mark", "req"),
        ),
        (
            "pytest.PytestUnknownMarkWarning",
            "Unknown pytest.mark.req - is this a typo?  You can register custom marks",
            Cause("mark", "req"),
        ),
        (
            "ImportError",
            "cannot import name 'new' from 'pkg.mod' (/usr/lib/site-packages/pkg/mod.py)",
            Cause("name", "pkg.mod", "new", "/usr/lib/site-packages/pkg/mod.py"),
        ),
        ("AttributeError", "module 'pkg' has no attribute 'new'", Cause("name", "pkg", "new")),
        ("AttributeError", "'X' has no y", Cause("other", "AttributeError: 'X' has no y")),
        ("ValueError", "one\ntwo", Cause("other", "ValueError: one")),
    ],
)
def test_causes(kind: str, message: str, cause: Cause) -> None:
    assert cause_of(failure(kind, message)) == cause


def test_an_agent_is_not_asked_to_correct_what_only_fails_there() -> None:
    measurement = Measurement(candidate(), ran(candidate()), Coverage(), Trace(()))
    told = {FIRST: f"{PLAIN}it is not collected"}
    assert not ScreenedCandidate(measurement, measurement, True, told).failed
    assert ScreenedCandidate(
        measurement, measurement, True, {**told, SECOND: "AssertionError"}
    ).failed
    assert (
        ScreenedCandidate(
            measurement, measurement, True, {**told, SECOND: "x"}
        ).refused_by_plain_pytest
        == told
    )
