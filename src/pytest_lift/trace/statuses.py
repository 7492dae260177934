"""Status of a requirement from the results of the linked tests: the table. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pytest_lift.run.result import Outcome, TestResult
from pytest_lift.text.wording import count, verb

Grade = Literal["verified", "doubted", "touches", "unrelated"]
"""``doubted``: it would be ``verified``, and something that was measured speaks against it."""

Status = Literal[
    "verified",
    "failing",
    "suspected-defect",
    "known-failing",
    "incomplete",
    "not-run",
    "doubted",
    "touched",
    "uncovered",
    "waived",
    "untestable",
    "non-goal",
]
"""The meaning of each is in docs/reports.md. No test is expected of the last three."""

EXEMPT: frozenset[Status] = frozenset({"waived", "untestable", "non-goal"})

OPEN: tuple[Status, ...] = (
    *("failing", "suspected-defect", "known-failing", "doubted", "incomplete", "not-run"),
    *("uncovered", "touched"),
)
"""Statuses after which a person has something to do, the most urgent first."""

BAD: frozenset[Outcome] = frozenset({"failed", "error"})
"""Outcomes that speak against the requirement."""

EXPECTED_TO_FAIL: frozenset[Outcome] = frozenset({"xfailed", "xpassed"})


@dataclass(frozen=True)
class Cases:
    """Numbers of the cases of one test by outcome: the rows of its table, or the test itself."""

    passed: int = 0
    failed: int = 0
    """Errors in set-up and tear-down included."""
    expected_to_fail: int = 0
    """Those marked so (xfail), also where they passed."""
    skipped: int = 0
    not_run: int = 0
    """Deselected, not reached, or in a file that was not collected."""
    reruns: int = 0
    """Number of failed attempts before those that count."""

    @property
    def left_out(self) -> int:
        """Cases that say nothing: skipped ones and those that did not run."""
        return self.skipped + self.not_run

    @property
    def all(self) -> int:
        """Number of all cases, whatever their outcome."""
        return self.passed + self.failed + self.expected_to_fail + self.left_out


NO_CASES = Cases()


class Word(NamedTuple):
    """Claim of one test about a requirement."""

    grade: Grade
    cases: Cases
    contradicts: bool = False
    """Whether it is a contradiction test of the tool."""


def cases_of(rows: Iterable[TestResult]) -> Cases:
    """Returns the rows of one test, counted."""
    found = tuple(rows)
    outcomes = [row.outcome for row in found]
    return Cases(
        passed=outcomes.count("passed"),
        failed=sum(one in BAD for one in outcomes),
        expected_to_fail=sum(one in EXPECTED_TO_FAIL for one in outcomes),
        skipped=outcomes.count("skipped"),
        not_run=outcomes.count("not-run"),
        reruns=sum(row.reruns for row in found),
    )


def outcome_of(rows: Iterable[TestResult]) -> Outcome:
    """Returns the outcome of all rows of one test; rows that are skipped or did not run do not
    count against the others (`cases_of` counts them)."""
    outcomes = {row.outcome for row in rows}
    return worst(outcomes - {"skipped", "not-run"} or outcomes or {"skipped"})


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """Returns the outcome that a person has to know about first."""
    order: tuple[Outcome, ...] = (
        *("error", "failed", "xpassed", "xfailed", "not-run", "skipped", "passed"),
    )
    return min(outcomes, key=order.index)


def status_of(words: Sequence[Word], *, contradicted: bool = False, every: bool = True) -> Status:
    """Returns the status of a requirement that tests are expected of.

    All of its cases are put together: rows of one test count as tests of one row each. `every`
    asks that all of them pass (`lift_verified`), otherwise one that verifies is enough; a case that
    fails is always one too many. `contradicted`: the program breaks what the text says itself.
    """
    if any(word.cases.failed for word in words):
        return "failing"
    if contradicted or any(word.contradicts for word in words):
        return "suspected-defect"
    if not words:
        return "uncovered"
    passing = [word for word in words if word.cases.passed]
    grades = {word.grade for word in passing}
    if not every and "verified" in grades:
        return "verified"
    if any(word.cases.expected_to_fail for word in words):
        return "known-failing"
    if not passing:
        return "not-run"
    if any(word.cases.left_out for word in words):
        return "incomplete"
    graded: tuple[Status, ...] = ("verified", "doubted")
    return next((status for status in graded if status in grades), "touched")


def in_words(found: Cases) -> str:
    """Returns ``3 of 4 cases pass, 1 is skipped, 2 attempts failed before``; empty for a single
    case that was tried once."""
    told = []
    if found.all > 1:
        passing = "passes" if found.passed == 1 else "pass"
        told.append(f"{found.passed} of {found.all} cases {passing}")
        told += [verb(found.failed, "fail")] if found.failed else []
        expected = found.expected_to_fail
        told += [f"{verb(expected, 'are')} expected to fail"] if expected else []
        told += [f"{verb(found.skipped, 'are')} skipped"] if found.skipped else []
        told += [f"{found.not_run} did not run"] if found.not_run else []
    if found.reruns:
        told.append(f"{count(found.reruns, 'attempt')} failed before")
    return ", ".join(told)
