"""Leaves out lines of documented cases on which nothing that they show depends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.prober import Prober

SECONDS = 3.0
MOST_LINES = 16
"""Most lines of a case that are tried without."""


def without_idle_lines(kept: Sequence[KeptCase], prober: Prober) -> list[KeptCase]:
    """Returns the cases, documented ones without lines that leave what they show as it is, and that
    reach nothing which no other case reaches."""
    reached = Counter(hit for one in kept for hit in one.seen.hits)
    drafts = {n: [*_shorter(one.case)] for n, one in enumerate(kept)}
    seen = prober.observe([case for some in drafts.values() for _, case in some], SECONDS)
    found = list(kept)
    shortest: dict[int, Case] = {}
    for number, some in drafts.items():
        one = kept[number]
        idle = {at for at, case in some if _is_same(one, seen.get(case.key), reached)}
        if len(idle) == 1:
            ((_, case),) = ((at, case) for at, case in some if at in idle)
            found[number] = replace(one, case=case, seen=seen[case.key])
        elif idle:
            shortest[number] = _without(one.case, idle)
    seen = prober.observe(list(shortest.values()), SECONDS)
    for number, case in shortest.items():
        if _is_same(kept[number], seen.get(case.key), reached):
            found[number] = replace(kept[number], case=case, seen=seen[case.key])
    return found


def _shorter(case: Case) -> Iterator[tuple[int, Case]]:
    """Yields (number of a line that is not looked at, the case without it)."""
    if case.origin != "documented" or case.placed or case.looped or case.seeded:
        return
    lines = [at for at, step in enumerate(case.steps) if not step.check]
    for at in lines[-MOST_LINES:]:
        if len(case.steps) > 1:
            yield at, _without(case, {at})


def _without(case: Case, lines: set[int]) -> Case:
    steps = tuple(step for at, step in enumerate(case.steps) if at not in lines)
    return replace(
        case,
        steps=steps,
        defines=case.defines - sum(at < case.defines for at in lines),
        cost=sum(len(step.source) for step in steps) / 60,
    )


def _is_same(one: KeptCase, seen: Observation | None, reached: Counter[int]) -> bool:
    """Whether a shorter case shows what the whole does, and the rest is reached by others."""
    if seen is None or seen.rejected or seen.outcomes != one.seen.outcomes:
        return False
    return all(reached[hit] > 1 for hit in one.seen.hits - seen.hits)
