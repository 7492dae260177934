"""What an iteration changed: tests by their text, statuses that are other than before."""

from __future__ import annotations

from pytest_lift.evolve.iteration import Changes, Iteration, changes
from pytest_lift.llm.values import Usage
from pytest_lift.measure.measurement import Figures
from pytest_lift.requirements.requirement import Requirement
from pytest_lift.suite.suite import Suite, suite_of
from pytest_lift.trace.statuses import Status
from pytest_lift.trace.trace import RequirementTrace, Trace

FIGURES = Figures(1, 1, 0, 0, 50.0, 50.0, 0, 0, 0, 0, 0)


def suite(**bodies: int) -> Suite:
    text = "".join(f"def test_{name}():\n    assert {n}\n\n\n" for name, n in bodies.items())
    return suite_of("tests", {"tests/test_a.py": text})


def trace(**statuses: Status) -> Trace:
    asked = {name: Requirement(name, "t", "d", ("a",), (), "r", 1) for name in statuses}
    return Trace(tuple(RequirementTrace(asked[name], said) for name, said in statuses.items()))


def iteration(found: Changes) -> Iteration:
    return Iteration(1, "initial", FIGURES, True, "", changes=found)


def test_tests_are_added_changed_and_removed() -> None:
    found = changes(suite(old=1, same=1, gone=1), suite(old=2, same=1, new=1), (), Trace())
    assert found == Changes(
        ("tests/test_a.py::test_new",),
        ("tests/test_a.py::test_old",),
        ("tests/test_a.py::test_gone",),
    )


def test_of_the_suite_as_found_nothing_was_added() -> None:
    assert changes(None, suite(old=1), (), Trace()) == Changes()


def test_a_status_is_told_where_it_is_another_than_before() -> None:
    earlier = [
        iteration(Changes(statuses={"A": "verified", "B": "touched"})),
        iteration(Changes(statuses={"B": "verified"})),
    ]
    found = changes(None, suite(), earlier, trace(A="verified", B="touched", C="uncovered"))
    assert found.statuses == {"B": "touched", "C": "uncovered"}


def test_what_was_spent_is_that_of_all_roles() -> None:
    usage = {"generator": Usage(calls=2), "evaluator": Usage(calls=3)}
    assert Iteration(1, "initial", FIGURES, True, "", usage=usage).spent.calls == 5
    assert iteration(Changes()).spent == Usage()
