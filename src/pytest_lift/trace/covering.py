"""What speaks for a link and against it: points that a test shows, grades, measured doubts."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pytest_lift.expectations.asserted import asserts
from pytest_lift.expectations.doctests import stated_in
from pytest_lift.expectations.requirement_match import is_made, quotes
from pytest_lift.requirements.points import Kind, points
from pytest_lift.requirements.requirement import (
    Expectation,
    Requirement,
    Requirements,
    has_words,
    stands_in,
)
from pytest_lift.run.result import TestResult
from pytest_lift.text.printable import Identifier
from pytest_lift.text.wording import count

if TYPE_CHECKING:
    from pytest_lift.trace.grounding.subjects import Grounding

Grade = Literal["verifies", "touches", "unrelated"]


@dataclass(frozen=True)
class Cover:
    """Point of a requirement that a test shows."""

    point: int
    """Its number, counted from 1."""
    basis: str
    """``example``, ``quoted value``, ``expectation``, ``judged``, or ``person``: a mark stands
    for the requirement, and there is nothing else in it."""
    parts: tuple[int, ...] = ()
    """Numbers of the outputs that an example expects; empty if that is all of them."""


@dataclass(frozen=True)
class Shown:
    """One point of a requirement, and the passing tests that show it."""

    text: str
    kind: Kind
    covered: bool
    """False also for an example of which tests expect a part only."""
    tests: tuple[Identifier, ...] = ()
    """Node ids, those that show a part included."""


def covers(
    requirement: Requirement,
    source: str | None,
    expected_of_it: Sequence[Expectation] = (),
    *,
    basis: str,
    quote: str = "",
) -> tuple[Cover, ...]:
    """Points of `requirement` that a verifying test shows, by the texts of both.

    `basis` is the ground of the verification, `quote` the words that an evaluator gave for it. An
    author's mark (``person``) says nothing of single points, unless there is one only.
    """
    found: dict[int, Cover] = {}
    for cover in _found(requirement, source, expected_of_it, basis, quote):
        before = found.setdefault(cover.point, cover)
        if before.parts and not cover.parts:
            found[cover.point] = cover
    return tuple(found[number] for number in sorted(found))


def _found(
    requirement: Requirement,
    source: str | None,
    expected_of_it: Sequence[Expectation],
    basis: str,
    quote: str,
) -> Iterator[Cover]:
    said = points(requirement)
    if source is not None:
        yield from _stated(requirement, source)
        for one in expected_of_it:
            if asserts(one, source):
                yield from (Cover(n, "expectation") for n in _places(requirement, one.sentence))
    if basis == "judged":
        yield from (Cover(number, "judged") for number in _places(requirement, quote))
    if basis == "person" and len(said) == 1:
        yield Cover(1, "person")


def _stated(requirement: Requirement, source: str) -> Iterator[Cover]:
    """Examples that the test repeats, and sentences with a value that it expects."""
    for number, point in enumerate(points(requirement), 1):
        parts = stated_in(point.text) if ">>>" in point.text else ()
        made = tuple(n for n, one in enumerate(parts, 1) if is_made(one, source))
        if made:
            yield Cover(number, "example", () if len(made) == len(parts) else made)
        elif not parts and quotes(requirement, point.text, source):
            yield Cover(number, "quoted value")


def _places(requirement: Requirement, quote: str) -> list[int]:
    """Numbers of the points that a quotation has in full, else of the only one that has it: words
    that several have tell none from the others."""
    said = tuple(enumerate(points(requirement), 1))
    if full := [n for n, point in said if has_words(quote, point.text)]:
        return full
    within = [n for n, point in said if has_words(point.text, quote)]
    return within if len(within) == 1 else []


def shown(
    requirement: Requirement, covered_by: Iterable[tuple[str, Sequence[Cover]]]
) -> tuple[Shown, ...]:
    """Returns the checklist of a requirement; `covered_by` are passing tests and what each shows.

    Several tests may show an example together.
    """
    whole: set[int] = set()
    parts: dict[int, set[int]] = defaultdict(set)
    tests: dict[int, dict[str, None]] = defaultdict(dict)
    for test, found in covered_by:
        for cover in found:
            tests[cover.point][test] = None
            parts[cover.point].update(cover.parts)
            if not cover.parts:
                whole.add(cover.point)
    return tuple(
        Shown(
            point.text,
            point.kind,
            n in whole or (n in parts and len(parts[n]) == len(stated_in(point.text))),
            tuple(tests[n]) if n in tests else (),
        )
        for n, point in enumerate(points(requirement), 1)
    )


@dataclass(frozen=True)
class LinkGrade:
    """Holds as long as the test checks at least what it checked then."""

    test: str
    """Node without parameters."""
    requirement: str
    grade: Grade
    sentence: str = ""
    """``verifies``: verbatim from the requirement."""
    checks: tuple[str, ...] = ()
    """Checks of the test at that time, sorted (see `assertions.test_checks.held_by`)."""

    def holds(self, checks: Counter[str]) -> bool:
        return Counter(self.checks) <= checks


def still_said(one: LinkGrade, requirements: Requirements) -> bool:
    """Whether the words that a grade rests upon are still in the requirement; a grade without words
    is void when requirements have changed."""
    item = requirements.by_id.get(one.requirement)
    return item is not None and one.grade == "verifies" and stands_in(one.sentence, item)


_ELSEWHERE = re.compile(
    r"\b(?:subprocess|multiprocessing|Popen|ProcessPoolExecutor|pexpect|pytester|testdir"
    r"|script_runner|os\.(?:system|spawn\w*|exec\w*|fork))\b"
)
"""Words in a file whose tests may run the program in other processes, where nothing is measured."""


def doubt(
    requirement: Requirement,
    rows: Sequence[TestResult],
    idle: bool,
    file: str,
    grounding: Grounding | None,
) -> str:
    """Returns why a passing test that names `requirement` may not show it; empty where nothing says
    so.

    `idle`: see `is_idle`; `file` is the text of the test's file.
    """
    if idle:
        return "nothing in it can fail"
    reruns = sum(row.reruns for row in rows)
    if reruns:
        return f"it failed {count(reruns, 'time')} before it passed"
    if grounding is None or _ELSEWHERE.search(file) or any(row.shares for row in rows):
        return ""
    names = grounding.named(requirement)
    if not names or not grounding.sees(names) or grounding.executed(rows[0].function, names) != ():
        return ""
    return f"it executes none of what the text names: {', '.join(names)}"
