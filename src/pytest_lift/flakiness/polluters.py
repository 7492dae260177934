"""The tests that make a later one fail, found by delta debugging.

A victim fails after a polluter; a brittle test fails without a state-setter (iFixFlakies; Shi et
al., 2019). Every claim rests on runs that were made: with what makes the difference and without.

ddmin of Zeller and Hildebrandt (2002). The order is kept; a part is never asked about twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pytest_lift.run.result import Run
from pytest_lift.text.wording import some
from pytest_lift.trace.statuses import BAD

Kind = Literal["polluted", "brittle", "flaky", "unclear"]
RunChosen = Callable[[Sequence[str]], Run]
"""Runs these node ids in this order (`SuiteMeasurer.try_tests`)."""

MOST_RUNS = 60
USED_UP = "the runs that were allowed were used up"
PASSES_AGAIN = "run again in the order in which it failed, it passes"


class Spent(Exception):
    """No further run may be made."""


def shrink(
    items: Sequence[str], shows: Callable[[Sequence[str]], bool]
) -> tuple[tuple[str, ...], bool]:
    """Returns (part, whether it is minimal): a minimal part does not show the effect without any
    one of its items.

    `items` show it, an empty part does not; both are known and not tried. `shows` may raise
    `Spent`: then the smallest part so far is returned.
    """
    part, pieces = tuple(items), 2
    asked: dict[tuple[str, ...], bool] = {}
    try:
        while len(part) > 1:
            smaller = _smaller(part, pieces, shows, asked)
            if smaller is not None:
                pieces = 2 if len(smaller) <= -(-len(part) // pieces) else max(pieces - 1, 2)
                part = smaller
            elif pieces >= len(part):
                break
            else:
                pieces = min(len(part), 2 * pieces)
    except Spent:
        return part, False
    return part, True


def _smaller(
    part: tuple[str, ...],
    pieces: int,
    shows: Callable[[Sequence[str]], bool],
    asked: dict[tuple[str, ...], bool],
) -> tuple[str, ...] | None:
    """Returns a smaller sequence that still shows it: one piece, else everything but one piece.

    The last pieces come first, since the cause is often near the victim.
    """
    size = -(-len(part) // pieces)
    starts = range(0, len(part), size)
    chunks = [part[start : start + size] for start in reversed(starts)]
    rests = [part[:start] + part[start + size :] for start in reversed(starts)]
    for candidate in (*chunks, *(rests if len(chunks) > 2 else ())):
        if not candidate or candidate == part:
            continue
        if candidate not in asked:
            asked[candidate] = shows(candidate)
        if asked[candidate]:
            return tuple(candidate)
    return None


@dataclass(frozen=True)
class Dependence:
    """Test whose outcome depends on more than the program."""

    test: str
    """Node id, parameters included."""
    kind: Kind
    others: tuple[str, ...] = ()
    """``polluted``: after these it fails; ``brittle``: without them. Few, not always the fewest."""
    why: str = ""
    """Sentence on the runs that were made and their results."""
    seeds: tuple[int, ...] = ()
    """Seeds of the shuffled orders in which it failed."""


def find_polluters(
    run: RunChosen,
    order: Sequence[str],
    victim: str,
    own_order: Sequence[str] = (),
    *,
    most_runs: int = MOST_RUNS,
) -> Dependence:
    """Returns why `victim` fails in `order`, though it passes in `own_order`, the suite's own.

    Of those before it, the fewest that were found to matter. Never raises for what a run does:
    what cannot be decided is ``unclear``, with the reason.
    """
    return Inquiry(Runs(run, most_runs), victim).answer(order, own_order)


@dataclass
class Runs:
    """Counts the runs, and remembers none: a flaky test may do something else the next time."""

    run: RunChosen
    left: int
    made: int = 0

    def spend(self) -> None:
        """Raises `Spent` where no further run may be made."""
        if self.left <= 0:
            raise Spent
        self.left -= 1
        self.made += 1

    def chosen(self, nodes: Sequence[str]) -> Run:
        self.spend()
        return self.run(nodes)

    def fails(self, before: Sequence[str], victim: str) -> bool | None:
        """Whether `victim` fails after these; None where that run does not tell."""
        return failed(self.chosen([*before, victim]), victim)


def failed(run: Run, node: str) -> bool | None:
    """Whether a test failed; None if it did not run, or was skipped."""
    result = run.results.get(node)
    if result is None or result.outcome == "skipped":
        return None
    return result.outcome in BAD


@dataclass
class Inquiry:
    """Search for the polluters of one victim."""

    runs: Runs
    victim: str

    def answer(self, order: Sequence[str], own_order: Sequence[str]) -> Dependence:
        if self.victim not in order:
            return self._unclear("it is not in the order in which it is said to fail")
        try:
            return self._answer(before(order, self.victim), before(own_order, self.victim))
        except Spent:
            return self._unclear(USED_UP)

    def _answer(self, earlier: Sequence[str], own: Sequence[str]) -> Dependence:
        alone = self.runs.fails((), self.victim)
        if alone is None:
            return self._unclear("it does not run alone")
        if alone:
            return self._brittle(own)
        if not self.runs.fails(earlier, self.victim):
            return self._unclear(PASSES_AGAIN)
        return self._polluted(earlier)

    def _polluted(self, earlier: Sequence[str]) -> Dependence:
        guilty, minimal = shrink(earlier, lambda part: self.runs.fails(part, self.victim) is True)
        # A run alone and one after these, once more: chance does not do it twice.
        if self.runs.fails((), self.victim) or not self.runs.fails(guilty, self.victim):
            return Dependence(self.victim, "flaky", why="it differs between runs of one order")
        told = f"it passes alone and fails after {some(guilty, 3)}"
        return Dependence(self.victim, "polluted", guilty, told + _so_far(minimal))

    def _brittle(self, own: Sequence[str]) -> Dependence:
        if not own:
            return Dependence(self.victim, "brittle", why="it fails when it is run alone")
        if self.runs.fails(own, self.victim) is not False:
            return self._unclear("it fails alone, and in the suite's own order, too")
        setters, minimal = shrink(own, lambda part: self.runs.fails(part, self.victim) is False)
        if not self.runs.fails((), self.victim) or self.runs.fails(setters, self.victim):
            return Dependence(self.victim, "flaky", why="it differs between runs of one order")
        told = f"it fails alone and passes after {some(setters, 3)}"
        return Dependence(self.victim, "brittle", setters, told + _so_far(minimal))

    def _unclear(self, why: str) -> Dependence:
        return Dependence(self.victim, "unclear", why=why)


def before(order: Sequence[str], node: str) -> tuple[str, ...]:
    """Returns tests that run before it; none if it is not in `order`."""
    return tuple(order[: order.index(node)]) if node in order else ()


def _so_far(minimal: bool) -> str:
    return "" if minimal else " (the runs that were allowed do not show which of them)"
