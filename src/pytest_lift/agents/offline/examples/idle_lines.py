"""Leaves out lines of documented cases on which nothing that they show depends."""

from __future__ import annotations

import ast
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.examples.parting import only_binds
from pytest_lift.agents.offline.examples.pinning import names_in, pinning_lines
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.prober import Prober
from pytest_lift.source.bindings import imports_in
from pytest_lift.source.program import Program

SECONDS = 4.0
MOST_LINES = 48
"""Most lines of a case that are tried without."""


@dataclass
class _Shortening:
    """A case on its way to the lines that it needs: all that may be idle go at once, or else by
    halves, the first ones first, as in delta debugging (Zeller and Hildebrandt, 2002)."""

    whole: KeptCase
    best: KeptCase
    waiting: list[tuple[int, ...]]
    """Groups of lines that are still to be tried without; numbers in the whole case."""
    act: int | None
    """Line by which something is done, after which there are looks alone; None where the whole case
    shows the same without it."""
    gone: frozenset[int] = frozenset()

    def trials(self) -> list[Case]:
        """Returns the case without its next lines, and that without its act, which must show."""
        lines = self.gone.union(self.waiting[-1])
        act = [self.act] if self.act is not None else []
        return [self._without(lines), *(self._without({*lines, at}) for at in act)]

    @property
    def idle_act(self) -> Case | None:
        """The whole case without its act."""
        return self._without({self.act}) if self.act is not None else None

    def judge(
        self,
        trials: Sequence[Case],
        seen: Mapping[str, Observation],
        reached: Counter[int],
    ) -> None:
        """Takes over what its next trials gave, or breaks these lines up into halves."""
        case, *others = trials
        lines = self.waiting.pop()
        told = seen.get(case.key)
        shows = all(_differs(self.whole, seen.get(one.key)) for one in others)
        if told is not None and shows and _is_same(self.best, told, reached):
            reached.subtract(self.best.seen.hits - told.hits)
            self.gone = self.gone.union(lines)
            self.best = replace(self.best, case=case, seen=told)
        elif len(lines) > 1:
            half = len(lines) // 2
            self.waiting += [lines[half:], lines[:half]]

    def _without(self, lines: AbstractSet[int]) -> Case:
        return _without_unread_imports(self.whole.case, lines)


def without_idle_lines(kept: Sequence[KeptCase], prober: Prober) -> list[KeptCase]:
    """Returns the cases, documented ones without lines that leave what they show as it is, and that
    reach nothing which no other case reaches. What is done last still makes a difference then."""
    until = time.monotonic() + SECONDS
    reached = Counter(hit for one in kept for hit in one.seen.hits)
    found = {n: one for n, case in enumerate(kept) if (one := _begun(case, prober.program))}
    without = {n: case for n, one in found.items() if (case := one.idle_act) is not None}
    seen = prober.observe([*without.values()], SECONDS)
    for number, case in without.items():
        if not _differs(kept[number], seen.get(case.key)):
            found[number].act = None
    while (left := until - time.monotonic()) > 0:
        trying = [one for one in found.values() if one.waiting]
        if not trying:
            break
        trials = [one.trials() for one in trying]
        cases = {case.key: case for some in trials for case in some}
        untried = [case for key, case in cases.items() if key not in seen]
        seen |= prober.observe(untried, left)
        for one, some in zip(trying, trials, strict=True):
            one.judge(some, seen, reached)
    return [found[n].best if n in found else one for n, one in enumerate(kept)]


def _begun(one: KeptCase, program: Program) -> _Shortening | None:
    """Returns a case with the lines that may go: those that are not looked at, but for those that
    may change what is around the program; None where there are none."""
    case = one.case
    if case.origin != "documented" or case.placed or case.looped:
        return None
    if case.seeded or case.stateful or len(case.steps) < 2:
        return None
    pinning = {*pinning_lines(case, program)}
    lines = [at for at, step in enumerate(case.steps) if not (step.check or at in pinning)]
    lines = lines[-MOST_LINES:]
    looks = [at for at, step in enumerate(case.steps) if step.check]
    act = looks[0] - 1 if looks else -1
    acts = act in lines and not only_binds(case.steps[act].source)
    return _Shortening(one, one, [tuple(lines)], act if acts else None) if lines else None


def _differs(one: KeptCase, seen: Observation | None) -> bool:
    """Whether a case without a line shows something else than the whole."""
    return seen is not None and seen.outcomes != one.seen.outcomes


def _without_unread_imports(case: Case, lines: AbstractSet[int]) -> Case:
    """Returns a case without some lines, and without those that import what only these read."""
    trees = [ast.parse(step.source) for step in case.steps]
    read = {name for at, tree in enumerate(trees) if at not in lines for name in names_in(tree)}
    gone = {name for at in lines for name in names_in(trees[at])} - read
    bound = ({one.bound for one in imports_in(tree.body)} for tree in trees)
    unread = {at for at, names in enumerate(bound) if names and names <= gone}
    return _without(case, {*lines, *unread})


def _without(case: Case, lines: AbstractSet[int]) -> Case:
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
