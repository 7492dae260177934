"""The rule by which the cases of the linked tests give a status, whatever shape they have."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.report.page.words import STATUSES
from pytest_lift.run.result import Outcome, TestResult
from pytest_lift.trace.statuses import (
    EXEMPT,
    OPEN,
    Cases,
    Grade,
    Status,
    Word,
    cases_of,
    outcome_of,
    status_of,
)
from pytest_lift.trace.statuses import in_words as told_cases

GRADES: tuple[Grade, ...] = get_args(Grade)
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


def rows(*outcomes: Outcome, reruns: int = 0) -> list[TestResult]:
    return [TestResult(f"t[{n}]", one, 0.0, reruns=reruns) for n, one in enumerate(outcomes)]


def word(*outcomes: Outcome, grade: Grade = "verified") -> Word:
    return Word(grade, cases_of(rows(*outcomes)))


@pytest.mark.parametrize(
    ("words", "every", "one"),
    [
        ([], "uncovered", "uncovered"),
        ([word("passed")], "verified", "verified"),
        ([word("passed", "skipped")], "incomplete", "verified"),
        ([word("passed"), word("skipped")], "incomplete", "verified"),
        ([word("passed"), word("not-run")], "incomplete", "verified"),
        ([word("passed"), word("xfailed")], "known-failing", "verified"),
        ([word("passed", "xpassed")], "known-failing", "verified"),
        ([word("passed", "failed")], "failing", "failing"),
        ([word("passed"), word("error")], "failing", "failing"),
        ([word("skipped")], "not-run", "not-run"),
        ([word("not-run", "skipped")], "not-run", "not-run"),
        ([word("xfailed")], "known-failing", "known-failing"),
        ([word("xfailed", "skipped")], "known-failing", "known-failing"),
        ([word("passed", grade="touches")], "touched", "touched"),
        ([word("passed", grade="doubted")], "doubted", "doubted"),
        ([word("passed", grade="doubted"), word("passed")], "verified", "verified"),
        ([word("passed", grade="touches"), word("skipped")], "incomplete", "incomplete"),
        ([word("skipped"), word("passed", grade="doubted")], "incomplete", "incomplete"),
    ],
)
def test_the_status_of_cases_together(words: list[Word], every: Status, one: Status) -> None:
    assert status_of(words) == every
    assert status_of(words, every=False) == one


def test_what_the_program_breaks_is_not_verified() -> None:
    assert status_of([word("passed")], contradicted=True) == "suspected-defect"
    kept = Word("touches", Cases(expected_to_fail=1), contradicts=True)
    assert status_of([word("passed"), kept], every=False) == "suspected-defect"
    assert status_of([word("failed")], contradicted=True) == "failing"


@given(
    st.lists(
        st.tuples(st.sampled_from(GRADES), st.lists(st.sampled_from(OUTCOMES), min_size=1)),
        min_size=1,
        max_size=4,
    ),
    st.booleans(),
)
def test_rows_of_one_test_count_as_tests_of_one_row(
    tests: list[tuple[Grade, list[Outcome]]], every: bool
) -> None:
    tables = [word(*outcomes, grade=grade) for grade, outcomes in tests]
    single = [word(one, grade=grade) for grade, outcomes in tests for one in outcomes]
    assert status_of(tables, every=every) == status_of(single, every=every)
    assert status_of(single[::-1], every=every) == status_of(single, every=every)


@given(st.lists(st.sampled_from(OUTCOMES), min_size=1))
def test_every_case_is_counted_once(outcomes: list[Outcome]) -> None:
    counted = cases_of(rows(*outcomes))
    assert counted.all == len(outcomes)
    said = outcome_of(rows(*outcomes))
    assert said in outcomes
    assert (said == "not-run") == ("not-run" in outcomes and {*outcomes} <= {"not-run", "skipped"})


def test_every_status_has_its_words_and_its_place() -> None:
    assert {*OPEN, *EXEMPT, "verified"} == {*get_args(Status)} == {*STATUSES}


@pytest.mark.parametrize(
    ("outcomes", "reruns", "told"),
    [
        (["passed"], 0, ""),
        (["passed"], 2, "2 attempts failed before"),
        (["passed", "passed"], 0, "2 of 2 cases pass"),
        (
            ["passed", "skipped", "not-run", "xfailed", "failed"],
            0,
            "1 of 5 cases passes, 1 fails, 1 is expected to fail, 1 is skipped, 1 did not run",
        ),
    ],
)
def test_cases_are_told(outcomes: list[Outcome], reruns: int, told: str) -> None:
    found = cases_of(rows(*outcomes, reruns=reruns))
    assert told_cases(found) == told
