"""Leaves out lines of documented cases on which nothing that they show depends."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.examples.pinning import names_in, pinning_lines
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.prober import Prober
from pytest_lift.source.bindings import imports_in
from pytest_lift.source.program import Program

SECONDS = 3.0
MOST_LINES = 16
"""Most lines of a case that are tried without."""


def without_idle_lines(kept: Sequence[KeptCase], prober: Prober) -> list[KeptCase]:
    """Returns the cases, documented ones without lines that leave what they show as it is, and that
    reach nothing which no other case reaches."""
    reached = Counter(hit for one in kept for hit in one.seen.hits)
    drafts = {n: [*_shorter(one.case, prober.program)] for n, one in enumerate(kept)}
    seen = prober.observe([case for some in drafts.values() for _, case in some], SECONDS)
    shortest: dict[int, Case] = {}
    for number, some in drafts.items():
        one = kept[number]
        if idle := {at for at, case in some if _is_same(one, seen.get(case.key), reached)}:
            shortest[number] = _without_unread_imports(one.case, idle)
    untried = [case for case in shortest.values() if case.key not in seen]
    seen = {**seen, **prober.observe(untried, SECONDS)}
    found = list(kept)
    for number, case in shortest.items():
        one, told = kept[number], seen.get(case.key)
        if told is not None and _is_same(one, told, reached):
            found[number] = replace(one, case=case, seen=told)
            reached.subtract(one.seen.hits - told.hits)
    return found


def _shorter(case: Case, program: Program) -> Iterator[tuple[int, Case]]:
    """Yields (number of a line that is not looked at, the case without it), but for lines that may
    change what is around the program."""
    if case.origin != "documented" or case.placed or case.looped:
        return
    if case.seeded or case.stateful:
        return
    pinning = {*pinning_lines(case, program)}
    lines = [at for at, step in enumerate(case.steps) if not (step.check or at in pinning)]
    for at in lines[-MOST_LINES:]:
        if len(case.steps) > 1:
            yield at, _without(case, {at})


def _without_unread_imports(case: Case, lines: set[int]) -> Case:
    """Returns a case without some lines, and without those that import what only these read."""
    trees = [ast.parse(step.source) for step in case.steps]
    read = {name for at, tree in enumerate(trees) if at not in lines for name in names_in(tree)}
    gone = {name for at in lines for name in names_in(trees[at])} - read
    bound = ({one.bound for one in imports_in(tree.body)} for tree in trees)
    unread = {at for at, names in enumerate(bound) if names and names <= gone}
    return _without(case, lines | unread)


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
