"""Finds each test's unique contribution, redundant tests and near-duplicates in a measurement."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeVar

from pytest_lift.coverage.coverage import Branch, Entry
from pytest_lift.measure.measurement import Measurement
from pytest_lift.redundancy.shapes import Shape, shapes
from pytest_lift.redundancy.test_coverage import Footprint, footprints
from pytest_lift.suite.suite import Suite

Likeness = Literal["copy", "renamed", "reordered", "literal", "part", "rows"]
LIKENESS: Mapping[Likeness, str] = {
    "copy": "the same text under another name",
    "renamed": "the same but for the names of its variables",
    "reordered": "the same statements in another order",
    "literal": "the same but for one literal",
    "part": "the same but for one additional statement in the other",
    "rows": "the same but for its literals: both could be rows of one parametrized test",
}
"""Likeness in words, the closest first.

A near-duplicate takes no branch that the kept test does not take. ``rows`` are no reason to drop a
test: it checks other values.
"""

COPIES: frozenset[Likeness] = frozenset({"copy", "renamed"})
"""Likenesses of tests that do the same, whatever the program does."""
DROPPABLE: frozenset[Likeness] = frozenset(LIKENESS) - {"rows"}

FEWEST_IN_COMMON = 2
"""Fewest statements of a test that is called a part of another."""
Fact = TypeVar("Fact")

UNMEASURED = "mutants were not measured: only branches and requirements were looked at"


@dataclass(frozen=True)
class Twin:
    """Near-duplicate of a test that is kept."""

    test: str
    of: str
    """The test of its group that is kept."""
    likeness: Likeness


@dataclass(frozen=True)
class Group:
    """Tests that are alike and do nothing that the kept one does not do."""

    kept: str
    twins: tuple[Twin, ...]

    @property
    def tests(self) -> tuple[str, ...]:
        return (self.kept, *(twin.test for twin in self.twins))


Rank = Callable[[str], tuple[float | int | bool | str, ...]]
"""Node id -> sort key by which the test to be kept comes first."""


def twin_groups(
    shapes: Mapping[str, Shape], prints: Mapping[str, Footprint], rank: Rank, alone: frozenset[str]
) -> tuple[Group, ...]:
    """Returns the groups of near-duplicates. Pure.

    `alone` are tests that are known to detect a mutant that no other test detects.
    """

    def first(node: str) -> tuple[object, ...]:
        """Returns a sort key that puts tests with most branches and links first: the others are
        within them."""
        each = prints[node]
        return (-len(each.branches), -len(each.linked), node not in alone, rank(node))

    nodes = sorted(shapes.keys() & prints.keys(), key=first)
    kept_by: dict[str, Twin] = {}
    for bucket in _buckets(nodes, lambda node: shapes[node].statements):
        _pair(bucket, shapes, prints, alone, kept_by)
    _parts([node for node in nodes if node not in kept_by], shapes, prints, alone, kept_by)
    groups: dict[str, list[Twin]] = defaultdict(list)
    for twin in kept_by.values():
        top = twin.of
        while top in kept_by:  # the kept test of one group may be a part of a longer test
            top = kept_by[top].of
        groups[top].append(Twin(twin.test, top, twin.likeness))
    order = {node: index for index, node in enumerate(prints)}
    return tuple(
        Group(kept, tuple(sorted(groups[kept], key=lambda twin: order[twin.test])))
        for kept in sorted(groups, key=order.__getitem__)
    )


def rank_in(suite: Suite, prints: Mapping[str, Footprint]) -> Rank:
    """Returns a rank: the user's tests before the tool's, then verifying, shorter, explained and
    earlier tests."""
    order = {node: index for index, node in enumerate(prints)}
    owned = {test.node for test in suite.owned_tests()}

    def rank(node: str) -> tuple[float | int | bool | str, ...]:
        test = suite.function(node)
        lines = test.end_line - test.line + 1 if test else 0
        doc = test.doc if test else ""
        verified = len(prints[node].verifies)
        return (node in owned, -verified, lines, not doc, order[node])

    return rank


def likeness(one: Shape, other: Shape) -> Likeness | None:
    """Returns how two tests are alike; None if they are not."""
    if one.copy == other.copy:
        return "copy"
    if one.same == other.same:
        return "renamed"
    if one.reordered == other.reordered:
        return "reordered"
    if one.statements != other.statements:
        return None
    alike = one.marks == other.marks and differing_literals(one, other) <= 1
    return "literal" if alike else "rows"


def differing_literals(one: Shape, other: Shape) -> int:
    """Returns the number of literals of `one` that differ from those of `other`."""
    if one.strict == other.strict:
        return sum(a != b for a, b in zip(one.literals, other.literals, strict=True))
    return (Counter(one.literals) - Counter(other.literals)).total()


def _pair(
    bucket: Sequence[str],
    shapes: Mapping[str, Shape],
    prints: Mapping[str, Footprint],
    alone: frozenset[str],
    kept_by: dict[str, Twin],
) -> None:
    """Assigns each test of one shape to the first test that covers it."""
    kept = _Kept()
    order = list(LIKENESS)
    for node in bucket:
        found = [
            Twin(node, other, like)
            for other in kept.candidates(shapes[node], prints[node])
            if (like := likeness(shapes[node], shapes[other]))
            and _is_covered(prints[node], prints[other], like, node in alone)
        ]
        if found:
            kept_by[node] = min(found, key=lambda twin: order.index(twin.likeness))
        else:
            kept.add(node, shapes[node], prints[node])


class _Kept:
    """Kept tests of one shape, indexed by text and facts, so that not every pair is compared."""

    def __init__(self) -> None:
        self._nodes: list[str] = []
        self._by_text: dict[str, list[int]] = defaultdict(list)
        self._by_fact: dict[Hashable, list[int]] = defaultdict(list)

    def add(self, node: str, shape: Shape, footprint: Footprint) -> None:
        """Adds a test; `candidates` keeps the order of adding."""
        number = len(self._nodes)
        self._nodes.append(node)
        for text in {shape.copy, shape.same}:
            self._by_text[text].append(number)
        for fact in (*footprint.branches, *footprint.functions):
            self._by_fact[fact].append(number)

    def candidates(self, shape: Shape, footprint: Footprint) -> list[str]:
        """Returns the kept tests that are written the same and those that may cover the footprint:
        tests with its rarest fact."""
        found = {*self._by_text.get(shape.copy, ()), *self._by_text.get(shape.same, ())}
        facts = (*footprint.branches, *footprint.functions)
        doing = [self._by_fact.get(fact, []) for fact in facts]
        found.update(sorted(doing, key=len)[0] if doing else ())
        return [self._nodes[number] for number in sorted(found)]


def _is_covered(one: Footprint, other: Footprint, like: Likeness, alone: bool) -> bool:
    """Whether `other` covers `one`. Copies do so whatever was measured: the first of two may have
    filled a cache."""
    if like in ("copy", "renamed"):
        return one.linked <= other.linked
    return one.seen and not alone and one.within(other)


def _parts(
    nodes: Sequence[str],
    shapes: Mapping[str, Shape],
    prints: Mapping[str, Footprint],
    alone: frozenset[str],
    kept_by: dict[str, Twin],
) -> None:
    """Assigns tests to a test that has the same statements and one more."""
    longer: dict[Hashable, list[str]] = defaultdict(list)
    for node in nodes:
        head, *statements = shapes[node].statements
        for index in range(len(statements)):
            rest = (head, *statements[:index], *statements[index + 1 :])
            longer[rest].append(node)
    for node in nodes:
        statements_of = shapes[node].statements
        if len(statements_of) <= FEWEST_IN_COMMON:
            continue
        for other in longer.get(statements_of, ()):
            alike = differing_literals(shapes[node], shapes[other]) <= 1
            if alike and _is_covered(prints[node], prints[other], "part", node in alone):
                kept_by[node] = Twin(node, other, "part")
                break


def _buckets(nodes: Iterable[str], key: Callable[[str], Hashable]) -> list[list[str]]:
    found: dict[Hashable, list[str]] = defaultdict(list)
    for node in nodes:
        found[key(node)].append(node)
    return [bucket for bucket in found.values() if len(bucket) > 1]


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
            "adds nothing: other tests take every branch that it takes and cover every "
            f"requirement that it covers{known}{self._caveat}"
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
    return Redundancy(
        contributions,
        twin_groups(known, prints, rank_in(measurement.suite, prints), alone),
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
