"""Runs of as many mutants as there is time for, counted meanwhile; the first become the sample.

Where mutmut can be steered it runs them in their order, at once, until it is stopped; else in
portions, since of one that is stopped only the quick mutants may be known.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Protocol

from pytest_lift.mutation.mutation import (
    ALL,
    DETECTED,
    LEAST_MUTANTS,
    SCORED,
    Sample,
    Verdict,
    interval,
)
from pytest_lift.mutation.mutmut.command import Steered
from pytest_lift.mutation.mutmut.errors import OutOfTime

Queue = Mapping[str, frozenset[str] | Verdict]
"""Key -> the tests to run it against, or its verdict where that costs nothing; in order."""
LEAST_PART = 0.25
"""A first sample of less, or of fewer than `LEAST_MUTANTS`, says nothing."""
PILOT_SHARE, RUN_SHARE = 0.15, 0.8
"""Parts of the time left that the first portion of mutants is estimated to take, and the next."""
SAMPLE_SHARE = 0.6
"""Part of the time for the first suite that its sample may take if every mutant in it were
executed: later suites are larger, and are measured on the same sample."""
WHOLE_SHARE = 0.9
"""Part of the time for a chosen sample in which mutants are begun."""
OUT_OF_TIME = "the time for mutants was used up: not all were run"


@dataclass(frozen=True)
class Ran:
    """Results of one run of some mutants."""

    verdicts: Mapping[str, Verdict]
    failures: Mapping[str, Collection[str]] = field(default_factory=dict)
    """Key -> nodes of tests that fail on it."""
    seconds: float = 0.0
    cut_short: bool = False
    stopped: bool = False
    """Reason other than time for which the run was cut short."""
    begun: bool = True
    """False: no mutant was run, since the suite turned out to need another way to run them."""


class RunSome(Protocol):
    """Runs mutants against their tests for at most so many seconds (None: as long as it takes), in
    their order where that is `steered`."""

    def __call__(
        self,
        tests: Mapping[str, frozenset[str]],
        seconds: float | None,
        steered: Steered | None = None,
    ) -> Ran: ...


@dataclass
class Found:
    """Results of all runs together."""

    wanted: Sequence[str] = ()
    """Keys that the score is to be a share of."""
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    failures: dict[str, set[str]] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)
    """Mutants that ran to the end and have no verdict."""
    out_of_time: bool = False

    def add(self, keys: Collection[str], ran: Ran) -> None:
        self.verdicts |= ran.verdicts
        for key, nodes in ran.failures.items():
            self.failures.setdefault(key, set()).update(nodes)
        if not ran.cut_short:
            self.silent |= keys - ran.verdicts.keys()


def telling(sample: Sample, places: Mapping[str, float]) -> Sample:
    """Returns the sample of an earlier lift, if enough is left of it in the program to say
    something; else all."""
    few = len(sample.keys(places)) < _least(len(places))
    return ALL if few else sample


def _least(count: int) -> float:
    return min(LEAST_MUTANTS, LEAST_PART * count)


def run_in_portions(
    queue: Queue,
    costs: Mapping[str, float],
    run: RunSome,
    left: Callable[[], float | None],
    *,
    fixed: bool,
    usual: float,
    steers: Callable[[], bool] = lambda: False,
    part: float = 1.0,
) -> Found:
    """Runs as many of the queue, from the first on, as there is time for.

    `costs` are seconds each is estimated to take, `left` tells the seconds that there are (None:
    no limit). `fixed`: the queue is the sample, whatever there is time for. Else `wanted` is its
    beginning, up to the last of a portion that was run to the end; `usual` is what a mutant takes
    if none is executed. `steers` tells whether mutants can be run in their order; then
    they are begun in `part` of the time. Raises OutOfTime where nothing is known of that beginning.
    """
    if steers() and left() is not None:
        found = _run_in_order(queue, costs, run, left, fixed=fixed, usual=usual, part=part)
        if found is not None:
            return found
    found = Found(tuple(queue))
    planned = costs if fixed else _as_if_executed(queue, costs, usual)
    pace, share, rest, stopped = 1.0, PILOT_SHARE, list(queue), False
    time = left()
    least = sum(planned[key] for key in rest[:LEAST_MUTANTS])
    room = math.inf if time is None or fixed else max(SAMPLE_SHARE * time, least)
    while rest:
        time = left()
        most = math.inf if time is None else min(share * time, room) / pace
        portion = rest if time is None else _affordable(rest, planned, most)
        if not portion:
            found.out_of_time = True
            break
        running = {key: own for key in portion if isinstance(own := queue[key], frozenset)}
        if running:
            ran = run(running, time)
            found.add(running.keys(), ran)
            if ran.cut_short:
                found.out_of_time, stopped = not ran.stopped, ran.stopped
                break
            estimated = sum(costs[key] for key in running)
            pace, share = max(ran.seconds / max(estimated, 0.1), 0.05), RUN_SHARE
        room -= pace * sum(planned[key] for key in portion)
        rest = rest[len(portion) :]
    if not (fixed or stopped):
        done = found.wanted[: len(queue) - len(rest)]
        found.wanted = done if len(done) >= _least(len(queue)) else _beginning(queue, found)
        _require_some(queue, found)
    return _told(queue, found)


def _run_in_order(
    queue: Queue,
    costs: Mapping[str, float],
    run: RunSome,
    left: Callable[[], float | None],
    *,
    fixed: bool,
    usual: float,
    part: float,
) -> Found | None:
    """Runs all mutants in one run, until the time is up; returns None if that turned out to be
    impossible.

    Mutants are begun in `part` of the time that is left for them at first, but a few in any case.
    """
    found = Found(tuple(queue))
    running = {key: own for key, own in queue.items() if isinstance(own, frozenset)}
    if not running:
        return _told(queue, found)
    planned = _as_if_executed(queue, costs, usual)
    executed = sum(planned[key] for key in running) / max(sum(planned.values()), 1e-9)
    share = min(part, WHOLE_SHARE)
    if not fixed and part < 1.0:
        share *= SAMPLE_SHARE * executed
    ran = run(running, left(), Steered(share, min(LEAST_MUTANTS, len(running))))
    if not ran.begun:
        return None
    found.add(running.keys(), ran)
    if ran.cut_short and not fixed and not ran.stopped:
        found.wanted = _beginning(queue, found)
        _require_some(queue, found)
    found.out_of_time = ran.cut_short and not ran.stopped
    return _told(queue, found)


def _beginning(queue: Queue, found: Found) -> list[str]:
    """Returns the keys up to the first of which nothing is known."""
    known = found.verdicts.keys() | found.silent
    return list(takewhile(lambda key: isinstance(queue[key], str) or key in known, queue))


def _require_some(queue: Queue, found: Found) -> None:
    """Raises OutOfTime where no mutant that tests execute was run, and there are such."""
    ran = any(key in found.verdicts for key in found.wanted)
    if not ran and any(isinstance(own, frozenset) for own in queue.values()):
        raise OutOfTime(
            OUT_OF_TIME, where="--lift-mutation-minutes", todo="raise --lift-mutation-minutes"
        )


def _told(queue: Queue, found: Found) -> Found:
    """Returns the result with the verdicts of the wanted mutants only."""
    free = {key: own for key, own in queue.items() if isinstance(own, str)}
    known = found.verdicts | free
    found.verdicts = {key: known[key] for key in found.wanted if key in known}
    return found


def _affordable(keys: Sequence[str], costs: Mapping[str, float], seconds: float) -> list[str]:
    total, chosen = 0.0, []
    for key in keys:
        total += costs[key]
        if total > seconds:
            break
        chosen.append(key)
    return chosen


def _as_if_executed(queue: Queue, costs: Mapping[str, float], usual: float) -> dict[str, float]:
    """Returns the seconds of each mutant in a suite that executes it, since one that no test
    executes costs nothing now."""
    executed = [costs[key] for key, own in queue.items() if isinstance(own, frozenset)]
    mean = sum(executed) / len(executed) if executed else usual
    return {key: costs[key] or mean for key in queue}


@dataclass
class SoFar:
    """Progress of one run of mutants."""

    read: Callable[[], Mapping[str, Verdict | None]]
    """Key -> verdict of each mutant of the run, None where there is none yet; empty where nothing
    can be read at the moment."""
    _counts: Counter[Verdict | None] = field(default_factory=Counter)

    def count(self) -> tuple[int, int]:
        """Returns (mutants with a verdict, mutants of the run); the last numbers if they cannot be
        read now."""
        self._counts = Counter(self.read().values()) or self._counts
        total = self._counts.total()
        return total - self._counts[None], total

    def told(self) -> str:
        """Returns ``, 62% of them detected (44 to 77% of all)``; an empty text if there are too
        few."""
        scored = sum(self._counts[verdict] for verdict in SCORED)
        if scored < LEAST_MUTANTS:
            return ""
        detected = sum(self._counts[verdict] for verdict in DETECTED)
        text = f", {100 * detected / scored:.0f}% of them detected"
        if not self._counts[None]:
            return text
        found = interval(detected, scored, scored + self._counts[None])
        return f"{text} ({found.low:.0f} to {found.high:.0f}% of all)"
