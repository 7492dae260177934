"""Several orders of one suite, and repeats -> tests whose outcome depends on more than the program.

What fails in another order only is explained by `polluters.py`; what differs between runs of one
order is flaky.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from pytest_lift.flakiness.polluters import (
    MOST_RUNS,
    PASSES_AGAIN,
    USED_UP,
    Dependence,
    Inquiry,
    RunChosen,
    Runs,
    Spent,
    before,
    failed,
)
from pytest_lift.run.result import Run

RunShuffled = Callable[[int], Run]
"""Runs all tests in the order of a seed, which is the hash seed, too (`SuiteMeasurer.repeat`)."""

SEEDS = (1, 2, 3)
REPEATS = 2


@dataclass(frozen=True)
class Orders:
    """Results of several orders of one suite."""

    found: tuple[Dependence, ...] = ()
    runs: int = 0
    exhausted: bool = False
    """Not everything was tried: as many runs were made as were allowed."""
    unusable: tuple[str, ...] = ()
    """Runs that broke off, and why."""


def examine_orders(
    own: Run,
    chosen: RunChosen,
    shuffled: RunShuffled,
    *,
    seeds: Sequence[int] = SEEDS,
    repeats: int = REPEATS,
    most_runs: int = MOST_RUNS,
) -> Orders:
    """Runs the tests of `own` (a run in the suite's own order) in other orders, and again.

    Tests that fail in `own` already are left alone. At most `most_runs` runs.
    """
    runs = Runs(chosen, most_runs)
    study = _Study(own, runs, shuffled)
    try:
        study.repeat_own(repeats)
        for seed in seeds:
            study.shuffle(seed)
        study.explain()
    except Spent:
        study.leave_open()
    return Orders(tuple(study.found.values()), runs.made, runs.left <= 0, tuple(study.unusable))


@dataclass
class _Study:
    """Several orders of one suite."""

    own: Run
    runs: Runs
    shuffled: RunShuffled
    found: dict[str, Dependence] = field(default_factory=dict)
    unusable: list[str] = field(default_factory=list)
    victims: dict[str, dict[int, tuple[str, ...]]] = field(default_factory=dict)
    """Test -> seed -> order in which it fails every time."""

    def repeat_own(self, repeats: int) -> None:
        """Repeats the suite's own order: tests with another outcome are flaky, whatever the
        order."""
        for _ in range(repeats):
            again = self.runs.chosen(self.own.collected)
            if self._usable(again, "the suite's own order"):
                outcomes = ((n, failed(self.own, n), failed(again, n)) for n in self.own.results)
                for node in (n for n, *both in outcomes if {*both} == {True, False}):
                    told = "it differs between runs of the suite's own order"
                    self.found.setdefault(node, Dependence(node, "flaky", why=told))

    def shuffle(self, seed: int) -> None:
        """Runs another order; if a test newly fails there, the same order is run once more."""
        first = self._shuffled(seed)
        if first is None or not self._newly_failing(first):
            return
        second = self._shuffled(seed)
        if second is None:
            return
        for node in self._newly_failing(first) + self._newly_failing(second):
            if failed(first, node) and failed(second, node):
                self.victims.setdefault(node, {})[seed] = first.collected
            else:
                told = f"it differs between runs of one order (seed {seed})"
                self.found.setdefault(node, Dependence(node, "flaky", why=told, seeds=(seed,)))

    def explain(self) -> None:
        """Finds the polluters of each victim; a victim that one polluter explains costs two runs
        more."""
        known: list[Dependence] = []
        for node, orders in self.victims.items():
            if node in self.found:
                continue
            seeds = tuple(orders)
            told = next((d for d in known if self._same_cause(node, d, orders)), None)
            if told is None:
                inquiry = Inquiry(self.runs, node)
                told = inquiry.answer(orders[seeds[0]], self.own.collected)
                told = self._by_hash_seed(told, orders)
            if told.kind in ("polluted", "brittle"):
                known.append(told)
            self.found[node] = replace(told, test=node, seeds=seeds)

    def leave_open(self) -> None:
        """Notes the failures for which no run was left."""
        for node, orders in self.victims.items():
            told = Dependence(node, "unclear", why=USED_UP, seeds=tuple(orders))
            self.found.setdefault(node, told)

    def _same_cause(self, node: str, known: Dependence, orders: dict[int, tuple[str, ...]]) -> bool:
        wanted = known.kind == "polluted"
        if node in known.others or not known.others:
            return False
        earlier = before(next(iter(orders.values())), node)
        if wanted and not set(known.others) <= set(earlier):
            return False
        alone = self.runs.fails((), node)
        return alone is not wanted and self.runs.fails(known.others, node) is wanted

    def _by_hash_seed(self, told: Dependence, orders: dict[int, tuple[str, ...]]) -> Dependence:
        """Returns the dependence; a test that fails every time in that order with that hash seed,
        and never with another one, is flaky."""
        if told.why != PASSES_AGAIN:
            return told
        seed = next(iter(orders))
        why = f"it fails with hash seed {seed} and passes in the same order with another one"
        return Dependence(told.test, "flaky", why=why)

    def _shuffled(self, seed: int) -> Run | None:
        self.runs.spend()
        run = self.shuffled(seed)
        return run if self._usable(run, f"the order of seed {seed}") else None

    def _usable(self, run: Run, what: str) -> bool:
        if run.cut_short is None and not run.broken.keys() - self.own.broken.keys():
            return True
        self.unusable.append(f"{what}: {run.ending} {run.detail}".strip())
        return False

    def _newly_failing(self, run: Run) -> list[str]:
        return [
            node for node in run.results if failed(run, node) and failed(self.own, node) is False
        ]
