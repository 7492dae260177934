"""Removes the tool's own tests without which nothing that was measured is lost.

The user's tests are never removed. Candidates are proposed from the footprints of the tests and
each proposal is measured: large groups first; a group that loses something is halved (delta
debugging; Zeller and Hildebrandt, 2002).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pytest_lift.measure.measurement import Measurement, measured_losses
from pytest_lift.redundancy.redundancy import COPIES, DROPPABLE, LIKENESS, Likeness, find_redundancy
from pytest_lift.redundancy.test_coverage import Footprint, footprints
from pytest_lift.suite.suite import Suite
from pytest_lift.trace.statuses import BAD

Measure = Callable[[Suite], Measurement]
JudgeLoss = Callable[[Measurement, Measurement], Sequence[str]]

MOST_MEASUREMENTS = 24


def propose(
    measurement: Measurement,
    *,
    beyond_twins: bool | None = None,
    likenesses: Collection[Likeness] = DROPPABLE,
) -> tuple[tuple[str, ...], ...]:
    """Returns groups of the tool's tests to drop, the safest first: near-duplicates by likeness,
    then tests whose branches, functions, requirements and detected mutants all belong to other
    tests, too.

    The last group exists only if mutants were measured, or with `beyond_twins`: tests that take the
    same branches may notice different faults.
    """
    if not measurement.coverage.by_test:
        return ()
    redundancy = find_redundancy(measurement)
    owned = {test.node for test in measurement.suite.owned_tests()}
    needed = _Needed(measurement, footprints(measurement))
    groups: dict[str, list[str]] = {}
    for twin in redundancy.twins.values():
        wanted = twin.test in owned and twin.likeness in likenesses
        if wanted and needed.let_go(twin.test, anyway=twin.likeness in COPIES):
            groups.setdefault(twin.likeness, []).append(twin.test)
    found = [tuple(groups[name]) for name in LIKENESS if name in groups]
    if beyond_twins if beyond_twins is not None else measurement.mutation is not None:
        rest = [node for node in needed.by_worth() if node in owned and needed.let_go(node)]
        found += [tuple(rest)] if rest else []
    return tuple(found)


def minimise(
    measurement: Measurement,
    measure: Measure,
    judge_loss: JudgeLoss,
    *,
    groups: Sequence[Sequence[str]] | None = None,
    most_measurements: int = MOST_MEASUREMENTS,
) -> Measurement:
    """Returns the smallest suite that was measured to lose nothing; `measurement` if nothing can be
    dropped.

    `measure` runs a suite (with mutants if `measurement` has them); `judge_loss` says what the
    second measurement lacks of the first. At most `most_measurements` runs are made.
    """
    wanted = propose(measurement) if groups is None else groups
    owned = {test.node for test in measurement.suite.owned_tests()}
    nodes = [node for group in wanted for node in group if node in owned]
    search = _Search(measurement, measurement, measure, judge_loss, most_measurements)
    search.drop(list(dict.fromkeys(nodes)))
    return search.smallest


def losses(before: Measurement, after: Measurement) -> tuple[str, ...]:
    """Returns, in words, what `after` lacks compared with `before`: covered branches and lines,
    detected mutants, the status of requirements, passing tests. Pure; usable as `judge_loss`."""
    return tuple(_losses(before, after))


@dataclass
class _Search:
    start: Measurement
    smallest: Measurement
    measure: Measure
    judge_loss: JudgeLoss
    left: int
    """Measurements that may still be made."""

    def drop(self, nodes: Sequence[str], known_to_lose: bool = False) -> bool:
        """Drops as many of these tests as possible; returns whether all were dropped."""
        if not nodes:
            return True
        if not known_to_lose:
            if self.left <= 0:
                return False
            if self._tried(nodes):
                return True
        if len(nodes) == 1:
            return False
        half = len(nodes) // 2
        all_went = self.drop(nodes[:half])
        # If the first half lost nothing, the loss comes from the second half.
        return self.drop(nodes[half:], known_to_lose=all_went) and all_went

    def _tried(self, nodes: Sequence[str]) -> bool:
        self.left -= 1
        candidate = self.measure(self.smallest.suite.without(nodes))
        if self.judge_loss(self.start, candidate):
            return False
        self.smallest = candidate
        return True


@dataclass
class _Needed:
    """Counts of the remaining tests that have each fact."""

    measurement: Measurement
    prints: Mapping[str, Footprint]
    counts: Counter[Hashable] = field(default_factory=Counter)
    gone: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for each in self.prints.values():
            self.counts.update(_facts(each))

    def let_go(self, node: str, anyway: bool = False) -> bool:
        """Drops a test unless it is dropped already or a fact would be lost; returns whether it was
        dropped.

        With `anyway` the facts are not asked: an equal test stays, and would detect the same
        mutants even if only the first test that kills a mutant was recorded.
        """
        each = self.prints[node]
        facts = _facts(each)
        if node in self.gone or not (
            anyway or (each.seen and all(self.counts[fact] > 1 for fact in facts))
        ):
            return False
        self.gone.add(node)
        self.counts.subtract(facts)
        return True

    def by_worth(self) -> list[str]:
        """Returns the remaining tests, least valuable first: fewer verified requirements, longer,
        without docstring, later in the run."""
        order = {node: index for index, node in enumerate(self.prints)}

        def worth(node: str) -> tuple[int, int, bool, int]:
            test = self.measurement.suite.function(node)
            lines = test.end_line - test.line if test else 0
            doc = bool(test and test.doc)
            return (len(self.prints[node].verifies), -lines, doc, -order[node])

        return sorted((node for node in self.prints if node not in self.gone), key=worth)


def _facts(each: Footprint) -> tuple[Hashable, ...]:
    tagged: list[tuple[str, Iterable[Hashable]]] = [
        ("branch", each.branches),
        ("function", each.functions),
        ("mutant", each.mutants),
        ("requirement", each.requirements),
    ]
    return tuple((tag, fact) for tag, facts in tagged for fact in facts)


def _losses(before: Measurement, after: Measurement) -> Iterator[str]:
    if after.run.cut_short is not None:
        yield f"the run {after.run.ending}"
    yield from (loss.text for loss in measured_losses(before, after))
    yield from _lost("linked requirements", _linked(before), _linked(after))
    if before.mutation is not None:
        detected = after.mutation.detected if after.mutation is not None else frozenset()
        yield from _lost("detected mutants", before.mutation.detected, detected)
    yield from _lost("tests that passed", _staying(before, after), after.passing)
    yield from _lost(
        "files that could be collected", after.run.broken.keys() - before.run.broken.keys(), ()
    )


def _lost(what: str, before: Iterable[Hashable], after: Iterable[Hashable]) -> Iterator[str]:
    if missing := set(before) - set(after):
        yield f"{len(missing)} {what}: {', '.join(sorted(map(str, missing))[:3])}"


def _linked(measurement: Measurement) -> set[str]:
    """Returns requirements that a test which ran and did not fail is linked to."""
    return {
        item.requirement.id
        for item in measurement.trace.requirements
        if any(
            link.outcome not in BAD and link.outcome not in ("skipped", "not-run")
            for link in item.links
        )
    }


def _staying(before: Measurement, after: Measurement) -> set[str]:
    """Returns tests that passed before and are still in the suite; all tests of the user are."""
    owned = {test.node for test in before.suite.owned_tests()}
    return {
        node
        for node in before.passing
        if node not in owned or after.suite.function(node) is not None
    }
