"""Takes out of verified cases what plays no part in what they assert in the end."""

from __future__ import annotations

import math
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import islice

from pytest_lift.agents.offline.examples.pinning import pinning_lines
from pytest_lift.agents.offline.joining.merits.hollow import is_set
from pytest_lift.agents.offline.needed.acts import keeps_act, makes_a_difference, without_act
from pytest_lift.agents.offline.needed.kept_values import (
    KeptValue,
    rows_worth_it,
    that_are_kept,
    values_in,
)
from pytest_lift.agents.offline.needed.rerun import (
    Rewritten,
    as_case,
    still_holds,
    with_messages,
)
from pytest_lift.agents.offline.needed.smaller import smaller_cases
from pytest_lift.agents.offline.needed.steadied import steadied
from pytest_lift.agents.offline.writing.oracles.checks import Verified
from pytest_lift.calls.case import Observation
from pytest_lift.calls.prober import Prober
from pytest_lift.source.program import Program

SECONDS = 1.5
"""Seconds for each round."""
MOST_ROUNDS, MOST_TRIED = 10, 40
"""Most rounds, in each of which a case loses one part, and most that are tried of each case."""
MOST_EMPTIED = 3
"""Parts of each case that are tried before those of all others: the first are what its arguments
are made of."""
MOST_LOST, LEAST_LOST = 0.01, 1
"""Share of the branches that are new, and branches in any case, that may go with such parts:
nothing is asserted of them."""
MOST_SECONDS = 2.5
"""Seconds, from before documented objects show their options, after which no case is written
any more and no run of one is begun, but those of STEADY_SECONDS: the seconds of a lift are for
finding more, too. A run that is under way then has only the grace that each has."""
STEADY_SECONDS = 3.0
"""Seconds for seeing that what has changed is the same beside other cases."""
STATED = {"__delitem__": r"^del ", "__setitem__": r"\] = "}
"""Special method -> pattern of the statements that call it."""


@dataclass(frozen=True)
class _Idle:
    """A case without a part on which no assertion depends."""

    shorter: Rewritten
    seen: Observation


def only_needed(
    items: Sequence[Verified],
    prober: Prober,
    own: AbstractSet[str],
    branches: AbstractSet[int],
    tested: AbstractSet[int] = frozenset(),
    whole: AbstractSet[str] = frozenset(),
    classes: AbstractSet[str] = frozenset(),
    until: float = math.inf,
) -> tuple[list[Verified], dict[KeptValue, Verified]]:
    """Returns the cases, searched ones without what can go with all their assertions still true,
    documented ones without such statements that reach nothing alone.

    What reaches nothing alone goes first, the largest parts of a case before others; then what
    alone reaches some of the `branches`, the least first, as long as few are lost of those that are
    not `tested`. `own` are the names of what the program defines. A case that has lost what it is
    about goes, where it reaches nothing alone. Cases with one of the keys `whole` stay as they are.
    What objects of `classes` only keep is returned apart, where it reaches what no case does then.
    Nothing more is tried after `until` (`time.monotonic()`).
    """
    needed = _NeededParts(list(items), prober, own, branches - tested, until)
    needed.begin([n for n, item in enumerate(items) if _may_lose(item, whole, prober.program)])
    new = frozenset().union(*(item.hits for item in items)) & needed.counted
    spare = max(LEAST_LOST, MOST_LOST * len(new))
    waiting = needed.open
    needed.round(MOST_EMPTIED)  # what makes tests longest goes while there is time
    needed.open = waiting
    for _ in range(MOST_ROUNDS):
        if time.monotonic() > until:
            break
        if not needed.open and classes and not needed.kept:
            needed.keep(classes)
            classes = frozenset()
        if not needed.open:
            spare -= needed.give_up(spare)
        if not needed.open:
            break
        needed.round()
    needed.found = steadied(needed.found, items, needed.before, prober, STEADY_SECONDS)
    needed.count()
    return needed.about_something(items), needed.kept


@dataclass
class _NeededParts:
    """Rounds in which cases lose what no assertion of theirs depends on."""

    found: list[Verified]
    prober: Prober
    own: AbstractSet[str]
    counted: AbstractSet[int]
    until: float
    """`time.monotonic()` at which the last round ends."""
    open: list[int] = field(default_factory=list)
    """Numbers of cases of which more may go."""
    before: dict[int, Observation] = field(default_factory=dict)
    costly: dict[int, list[_Idle]] = field(default_factory=dict)
    """Number of a case -> it without parts that alone reach something."""
    acting: set[int] = field(default_factory=set)
    """Numbers of documented cases in which what is done last makes a difference."""
    kept: dict[KeptValue, Verified] = field(default_factory=dict)
    """Rows of tables of what objects keep, which reach what cases then need not reach."""
    reached: Counter[int] = field(default_factory=Counter)
    """Probe that is counted -> how many of the cases and rows reach it."""

    def __post_init__(self) -> None:
        self.count()

    def count(self) -> None:
        """Counts the cases and rows that reach each probe."""
        self.reached.clear()
        for item in (*self.found, *self.kept.values()):
            self.reached.update(item.hits & self.counted)

    def begin(self, numbers: Sequence[int]) -> None:
        """Runs the cases of these numbers as they are."""
        cases = {n: as_case(self.found[n]) for n in numbers}
        without = (one.case for n in numbers if (one := without_act(self.found[n])) is not None)
        seen = self.prober.observe([*cases.values(), *without], self._left())
        self.before = {n: seen[case.key] for n, case in cases.items() if case.key in seen}
        rows = self.before.items()
        self.acting = {n for n, one in rows if makes_a_difference(self.found[n], seen, one)}
        self.open = [n for n, one in rows if still_holds(self.found[n], one, one)]

    def round(self, most: int = MOST_TRIED) -> None:
        """Takes from each case that is open the largest part without which nothing is lost, of the
        first ones."""
        drafts: dict[int, list[Rewritten]] = {}
        for number in self.open:
            if time.monotonic() > self.until:
                break
            drafts[number] = [*islice(smaller_cases(self.found[number], self.own), most)]
        tried = [one for some in drafts.values() for one in some]
        begun = {one.beginning.key: one.beginning for one in tried if one.beginning is not None}
        acting = (one.item for n in self.acting for one in drafts.get(n, ()))
        without = (rest.case for one in acting if (rest := without_act(one)) is not None)
        cases = [*begun.values(), *(one.case for one in tried), *without]
        seen = self.prober.observe(cases, self._left())
        self.open = []
        free: dict[int, _Idle] = {}
        for number, some in drafts.items():
            idle = self._idle(number, some, seen)
            documented = self.found[number].case.origin == "documented"
            self.costly[number] = [] if documented else idle
            loose = (one for one in idle if not self._lost(number, one))
            if (first := next(loose, None)) is not None:
                free[number] = first
        again = self._again(free)
        for number in again:
            if not self._lost(number, free[number]):  # others may have lost something meanwhile
                self._take(number, free[number])

    def _again(self, rows: Mapping[int, _Idle]) -> list[int]:
        """Returns the numbers of cases that give the same once more, and at another time, without
        the part of each."""
        cases = [one.shorter.case for one in rows.values()]
        seen = self.prober.observe(cases, self._left(), checked=True)
        same = []
        for number, one in rows.items():
            observed = seen.get(one.shorter.case.key)
            if observed is not None and still_holds(one.shorter.item, observed, one.seen):
                same.append(number)
        return same

    def _left(self) -> float:
        return max(0.0, min(SECONDS, self.until - time.monotonic()))

    def keep(self, classes: AbstractSet[str]) -> None:
        """Finds what objects of the classes keep, in cases that lose it then, and in those that
        show nothing else."""
        echoes = [n for n in self.before if self._only_keeps(n)]
        numbers = {*echoes, *(n for n, some in self.costly.items() if some)}
        values: list[KeptValue] = []
        for number in sorted(numbers):
            if time.monotonic() > self.until:
                break
            values += values_in(self.found[number], classes)
        kept = that_are_kept(values, self.prober, self._left())
        others = [one.hits for n, one in enumerate(self.found) if n not in numbers]
        self.kept = rows_worth_it(kept, self.counted, frozenset().union(*others))
        for item in self.kept.values():
            self.reached.update(item.hits & self.counted)
        self.open = sorted(numbers - {*echoes}) if self.kept else []

    def _only_keeps(self, number: int) -> bool:
        """Whether a case shows nothing but attributes that it has set."""
        item = self.found[number]
        asserted = item.asserted
        return item.case.origin == "searched" and all(is_set(check, item) for check in asserted)

    def give_up(self, spare: float) -> int:
        """Takes out the part that alone reaches least, as long as that is to spare; returns what is
        lost."""
        rows = [
            (len(self._lost(number, one)), -one.shorter.less, number, at)
            for number, some in self.costly.items()
            for at, one in enumerate(some)
        ]
        for lost, _, number, at in sorted(rows):
            one = self.costly[number][at]
            if lost > spare or time.monotonic() > self.until:
                break
            if self._again({number: one}):
                self._take(number, one)
                return lost
        return 0

    def about_something(self, items: Sequence[Verified]) -> list[Verified]:
        """Returns the cases without those that no longer have what they are about, nor reach
        anything alone; those of these that do are about their class. That runs nothing: it is done
        for all cases, however late it is."""
        left = []
        for number, item in enumerate(self.found):
            name = item.case.symbol.rpartition(".")[2]
            searched = item.case.origin == "searched"
            lost = searched and _names(items[number], name) and not _names(item, name)
            idle = lost or (searched and bool(self.kept) and self._only_keeps(number))
            if idle and not self._alone(item.hits & self.counted):
                self.reached.subtract(item.hits & self.counted)
                continue
            owner = item.case.symbol.rpartition(".")[0]
            about = replace(item, case=replace(item.case, symbol=owner))
            left.append(about if lost and owner else item)
        return left

    def _idle(
        self, number: int, drafts: Sequence[Rewritten], seen: Mapping[str, Observation]
    ) -> list[_Idle]:
        """Returns the shorter cases that show the same, the shortest first."""
        before = self.before[number]
        rows = [
            _Idle(one, observed)
            for one in drafts
            if (observed := seen.get(one.case.key)) is not None
            and still_holds(one.item, observed, before)
            and not self._is_led_to(number, one, seen)
            and self._still_acts(number, one, seen)
        ]
        return sorted(rows, key=lambda one: -one.shorter.less)

    def _is_led_to(self, number: int, one: Rewritten, seen: Mapping[str, Observation]) -> bool:
        """Whether what follows a statement that is left out goes another way with it: what was
        added is taken away again."""
        if one.beginning is None:
            return False
        begun = seen.get(one.beginning.key)
        own = begun.hits if begun is not None else frozenset[int]()
        return not self.before[number].hits - own <= seen[one.case.key].hits

    def _still_acts(self, number: int, one: Rewritten, seen: Mapping[str, Observation]) -> bool:
        """Whether what a case does last makes as much difference in a shorter one."""
        return number not in self.acting or (
            keeps_act(self.found[number], one.item)
            and makes_a_difference(one.item, seen, self.before[number])
        )

    def _lost(self, number: int, one: _Idle) -> AbstractSet[int]:
        """Returns what no case reaches when one is without a part."""
        lost = (self.found[number].hits - one.seen.hits) & self.counted
        return self._alone(lost)

    def _alone(self, hits: AbstractSet[int]) -> AbstractSet[int]:
        """Returns those of the probes that a case reaches which no other one does."""
        return frozenset(probe for probe in hits if self.reached[probe] == 1)

    def _take(self, number: int, one: _Idle) -> None:
        self.reached.subtract(self.found[number].hits & self.counted)
        self.reached.update(one.seen.hits & self.counted)
        shorter = with_messages(one.shorter.item, one.seen)
        self.found[number] = replace(shorter, hits=one.seen.hits)
        self.before[number] = one.seen
        self.costly.pop(number, None)
        self.open.append(number)


def _names(item: Verified, name: str) -> bool:
    """Whether a case has the name of a function, or the statement that calls a special method."""
    pattern = re.compile(STATED.get(name, rf"\b{re.escape(name)}\b"))
    return any(pattern.search(check.expression) for check in item.checks)


def _may_lose(item: Verified, whole: AbstractSet[str], program: Program) -> bool:
    case = item.case
    if case.looped or case.exact or case.command or case.key in whole:
        return False
    if case.origin == "documented":
        pinned = any(not case.steps[at].check for at in pinning_lines(case, program))
        return not (case.placed or case.seeded or case.stateful or pinned)
    return case.origin == "searched"
