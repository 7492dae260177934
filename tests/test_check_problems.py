"""A finding of the check as a value: its severity, its key, and what is counted of many."""

from __future__ import annotations

import pytest

from pytest_lift.check.problems import BY_NAME, ERROR, RULES, START, WARNING, Findings, Problem
from pytest_lift.marks.fields import TextSpan


@pytest.mark.parametrize("rule", RULES)
def test_a_finding_is_as_severe_as_its_rule(rule) -> None:  # type: ignore[no-untyped-def]
    assert Problem(rule.name, "t.py", START, "x").severity == rule.severity
    assert BY_NAME[rule.name] is rule


def test_a_severity_that_is_given_stands() -> None:
    assert Problem("unknown-id", "t.py", START, "x", severity=WARNING).severity == WARNING


def test_strictly_all_are_errors_unless_a_threshold_decides() -> None:
    assert Problem("uncovered", "t.py", START, "x").strictly().severity == ERROR
    fixed = Problem("uncovered", "t.py", START, "x", fixed_severity=True)
    assert fixed.strictly() is fixed


def test_the_key_does_not_depend_on_the_line() -> None:
    one = Problem("uncovered", "t.py", START, "x", requirement="R", test="t.py::a")
    assert (
        one.key == Problem("uncovered", "t.py", TextSpan(9, 9, 9, 9), "y", "z", "R", "t.py::a").key
    )
    assert one.key != Problem("uncovered", "t.py", START, "x", requirement="R").key


def test_findings_are_counted_by_severity() -> None:
    rules = ("uncovered", "unknown-id", "unknown-id")
    assert Findings(tuple(Problem(r, "t.py", START, "x") for r in rules)).counts == {
        ERROR: 2,
        WARNING: 1,
    }
    assert Findings().counts == {ERROR: 0, WARNING: 0}


@pytest.mark.parametrize(
    ("requirements", "tested", "percent"), [(None, 0, 100.0), (0, 0, 100.0), (4, 1, 25.0)]
)
def test_the_share_of_requirements_with_a_test(
    requirements: int | None, tested: int, percent: float
) -> None:
    assert Findings(requirements=requirements, tested=tested).percent == percent
