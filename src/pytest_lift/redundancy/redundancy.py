"""Finds each test's unique contribution, redundant tests and near-duplicates in a measurement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from pytest_lift.coverage.coverage import Branch, Entry
from pytest_lift.measure.measurement import Measurement
from pytest_lift.redundancy.near_duplicates import LIKENESS, Group, Twin, rank_in, twin_groups
from pytest_lift.redundancy.shapes import shapes
from pytest_lift.redundancy.test_coverage import Footprint, footprints

Fact = TypeVar("Fact")

UNMEASURED = "mutants were not measured: only branches and requirements were looked at"


@dataclass(frozen=True)
class Contribution:
    """Facts that one test function adds and no other passing test does."""

    test: str
    branches: frozenset[Branch] = frozenset()
    functions: frozenset[Entry] = frozenset()
    """Functions of the program that no other test enters; counts code without branches, too."""
    mutants: frozenset[str] = frozenset()
    """Mutants that no other test is known to detect."""
    requirements: frozenset[str] = frozenset()
    """Requirements whose status rests on this test alone."""
    seen: bool = True
    """False if coverage.py saw it execute nothing of the program, so that it cannot be called
    redundant."""

    @property
    def redundant(self) -> bool:
        """Whether nothing would be lost if only this test were removed; of two equal tests, both
        are."""
        return self.seen and not (
            self.branches or self.functions or self.mutants or self.requirements
        )


@dataclass(frozen=True)
class Redundancy:
    """Result of comparing the tests of a suite with each other."""

    contributions: Mapping[str, Contribution] = field(default_factory=dict)
    """Test function -> its contribution; contradiction tests, skipped and failing tests are left
    out."""
    groups: tuple[Group, ...] = ()
    """Groups of near-duplicates."""
    mutants_measured: bool = False
    contexts: bool = True
    """False if branches by test are unknown; then no test is called redundant."""

    @property
    def redundant(self) -> tuple[str, ...]:
        """Tests that add nothing, in the order of the run."""
        return tuple(node for node, adds in self.contributions.items() if adds.redundant)

    @cached_property
    def twins(self) -> Mapping[str, Twin]:
        """Near-duplicate -> its relation to the test that is kept; kept tests are absent."""
        return {twin.test: twin for group in self.groups for twin in group.twins}

    @property
    def scope(self) -> str:
        """Facts that were compared, in words, to accompany every claim of redundancy."""
        if self.mutants_measured:
            return "branches, requirements and the mutants that each test is known to detect"
        return UNMEASURED

    def why(self, node: str) -> str:
        """Returns one sentence on a redundant test or near-duplicate; empty for any other test."""
        if twin := self.twins.get(node):
            return f"is like {twin.of}: {LIKENESS[twin.likeness]}{self._caveat}"
        adds = self.contributions.get(node)
        if adds is None or not adds.redundant:
            return ""
        known = ", and no mutant is known that it alone detects" if self.mutants_measured else ""
        return (
            "adds nothing: other tests take every branch that it takes and speak for every "
            f"requirement that rests on it{known}{self._caveat}"
        )

    @property
    def _caveat(self) -> str:
        return "" if self.mutants_measured else f" ({UNMEASURED})"


def find_redundancy(measurement: Measurement) -> Redundancy:
    """Compares the passing tests of one measured suite."""
    prints = footprints(measurement)
    contributions = _contributions(prints)
    alone = frozenset(node for node, adds in contributions.items() if adds.mutants)
    known = shapes(measurement.suite)
    rank = rank_in(measurement.suite, known, prints)
    return Redundancy(
        contributions,
        twin_groups(known, prints, rank, alone),
        measurement.mutation is not None,
        bool(measurement.coverage.by_test) or not prints,
    )


def _contributions(prints: Mapping[str, Footprint]) -> dict[str, Contribution]:
    branches = _unique({node: each.branches for node, each in prints.items()})
    functions = _unique({node: each.functions for node, each in prints.items()})
    mutants = _unique({node: each.mutants for node, each in prints.items()})
    requirements = _unique({node: each.requirements for node, each in prints.items()})
    return {
        node: Contribution(
            node, branches[node], functions[node], mutants[node], requirements[node], each.seen
        )
        for node, each in prints.items()
    }


def _unique(sets: Mapping[str, frozenset[Fact]]) -> dict[str, frozenset[Fact]]:
    """Returns, for each set, the elements that are in no other set."""
    once: set[Fact] = set()
    more: set[Fact] = set()
    for facts in sets.values():
        more |= once & facts
        once |= facts
    alone = once - more
    return {node: facts & alone for node, facts in sets.items()}
