"""Trial -> what each test adds that no other does, which add nothing, and which are alike. Pure."""

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
    """What one test function adds that no other passing test does."""

    test: str
    branches: frozenset[Branch] = frozenset()
    functions: frozenset[Entry] = frozenset()
    """Of the program, that no other test enters: what has no branches counts, too."""
    mutants: frozenset[str] = frozenset()
    """Those that no other test is known to detect."""
    requirements: frozenset[str] = frozenset()
    """Those whose standing rests on it alone."""
    seen: bool = True
    """False: it ran nothing of the program where coverage.py sees it, so nothing is said of it."""

    @property
    def redundant(self) -> bool:
        """Nothing would be missed if this test alone went; of two that do the same, each is."""
        return self.seen and not (
            self.branches or self.functions or self.mutants or self.requirements
        )


@dataclass(frozen=True)
class Redundancy:
    """What can be said of a suite's tests against each other."""

    contributions: Mapping[str, Contribution] = field(default_factory=dict)
    """Test function -> what it adds; contradictions, skipped and failing tests are left out."""
    groups: tuple[Group, ...] = ()
    """Near-duplicates."""
    mutants_measured: bool = False
    contexts: bool = True
    """False: which test took which branch is not known, and nothing is called redundant."""

    @property
    def redundant(self) -> tuple[str, ...]:
        """Tests that add nothing, in the order of the run."""
        return tuple(node for node, adds in self.contributions.items() if adds.redundant)

    @cached_property
    def twins(self) -> Mapping[str, Twin]:
        """Near-duplicate -> what it is like; those that are kept are not in it."""
        return {twin.test: twin for group in self.groups for twin in group.twins}

    @property
    def scope(self) -> str:
        """What was looked at, to be said beside every claim."""
        if self.mutants_measured:
            return "branches, requirements and the mutants that each test is known to detect"
        return UNMEASURED

    def why(self, node: str) -> str:
        """One sentence on a redundant test or a near-duplicate; empty for any other."""
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
    """Compare the passing tests of one measured suite."""
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
    """Of each set what is in no other."""
    once: set[Fact] = set()
    more: set[Fact] = set()
    for facts in sets.values():
        more |= once & facts
        once |= facts
    alone = once - more
    return {node: facts & alone for node, facts in sets.items()}
