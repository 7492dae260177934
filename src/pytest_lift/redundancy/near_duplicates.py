"""Groups near-duplicate tests by shape and footprint, each group with the test that is kept."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pytest_lift.redundancy.shapes import Shape
from pytest_lift.redundancy.test_coverage import Footprint
from pytest_lift.suite.suite import Suite

Likeness = Literal["copy", "renamed", "reordered", "literal", "part", "rows"]
LIKENESS: Mapping[Likeness, str] = {
    "copy": "the same text under another name",
    "renamed": "the same but for the names of its variables",
    "reordered": "the same statements in another order",
    "literal": "the same but for one literal",
    "part": "the same but for one statement that the other has more",
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


def rank_in(suite: Suite, shapes: Mapping[str, Shape], prints: Mapping[str, Footprint]) -> Rank:
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
