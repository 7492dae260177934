"""Findings about texts and links that a measurement rests upon, beside the suite and its run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from pytest_lift.requirements.expectation import Expectation
from pytest_lift.trace.link_grades import LinkGrade


@dataclass(frozen=True)
class Knowledge:
    """Expectations that requirement texts state, and evaluators' grades of links.

    Agents contribute to it; a measurement says which knowledge its trace was computed with.
    """

    expectations: tuple[Expectation, ...] = ()
    """One for each `Expectation.key`; none is ever removed by an agent."""
    link_grades: Mapping[tuple[str, str], LinkGrade] = field(default_factory=dict)
    """(test, requirement) -> the latest grade."""

    def with_expectations(self, said: Iterable[Expectation]) -> Knowledge:
        """Returns this with expectations added, or replaced by those of the same key."""
        known = {one.key: one for one in (*self.expectations, *said)}
        return replace(self, expectations=tuple(known.values()))

    def with_grades(self, said: Iterable[LinkGrade]) -> Knowledge:
        """Returns this with grades added, or replaced by those of the same link."""
        grades = {(one.test, one.requirement): one for one in said}
        return replace(self, link_grades={**self.link_grades, **grades})
