"""Leaves options in calls where they make a difference, and finds such calls for the others."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from pytest_lift.agents.offline.choosing.looks.changes import what_is_shown
from pytest_lift.agents.offline.choosing.options.asked import OptionAnswers
from pytest_lift.agents.offline.choosing.options.moving import WHOLE, Moving, Wanted, Weigh
from pytest_lift.agents.offline.choosing.options.removing import without_options
from pytest_lift.agents.offline.choosing.options.words import without_words, word_options
from pytest_lift.agents.offline.choosing.selection import LEAST_GAIN, Chosen
from pytest_lift.agents.offline.choosing.shrinking.simplifying import distance
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.options.effects import setting
from pytest_lift.agents.offline.search.search import ProgramSearch

ROUNDS = 10
"""How often cases lose an option without an effect, or several at once."""
SECONDS = 1.5
"""Most seconds of each step of a round."""
MOST_LOST = 0.015
"""Share of the probes reached that may go with options that make no difference anywhere: a test of
one reaches its branch and shows nothing of it."""


@dataclass(frozen=True)
class _Trial:
    """A case without some of its options."""

    number: int
    """Place of the case."""
    names: tuple[str, ...]
    plain: KeptCase
    same: bool
    """Whether it shows the same, or as much where the options play no part in what it is for."""
    lost: frozenset[int]
    """What cases were chosen for and none reaches any more."""


def with_options_that_matter(
    chosen: Sequence[Chosen],
    search: ProgramSearch,
    weigh: Weigh,
    until: float,
    asked: OptionAnswers,
    *,
    last: bool = False,
) -> list[Chosen]:
    """Returns the cases without options that change nothing which is shown.

    What such an option alone reaches becomes a case of its own, on an input on which it makes a
    difference. Where none is found `until` then, it stays; the `last` time it goes if it alone
    reaches next to nothing. An option that a case was chosen for becomes the effect that it shows.
    What was `asked` before is not asked again, and what is asked is added.
    """
    options = _Options(search, weigh, until, list(chosen), last, asked)
    options.look_again()
    for _ in range(ROUNDS):
        if not options.round():
            break
    if last:
        options.give_up()
    return [item for item in options.found if _is_for_something(item, weigh)]


def _is_for_something(item: Chosen, weigh: Weigh) -> bool:
    """Whether a case reaches or shows enough for a test."""
    case = item.kept.case
    if case.origin != "searched" or case.effect or item.kept.goals:
        return True
    return sum(map(weigh, item.gain)) >= LEAST_GAIN


@dataclass
class _Options:
    """Rounds in which cases lose options, and what was seen in them."""

    search: ProgramSearch
    weigh: Weigh
    until: float
    found: list[Chosen]
    last: bool
    asked: OptionAnswers
    stuck: dict[tuple[str, tuple[str, ...]], _Trial] = field(default_factory=dict)
    """Case and options -> the case without them, where they matter on no input that is known."""
    wanted: frozenset[int] = field(init=False)
    """What any of the cases was chosen for."""

    def __post_init__(self) -> None:
        self.wanted = frozenset().union(*(item.gain for item in self.found))

    def look_again(self) -> None:
        """Notes what differs from one run of a case to the next one."""
        options = (item.kept for item in self.found if any(self._options_of(item)))
        cases = [kept for kept in options if kept.case.key not in self.asked.again]
        again = self.search.prober.observe([kept.case for kept in cases], self._left())
        for kept in cases:
            if kept.case.key in again:
                self.asked.told.note(kept.seen, again[kept.case.key])
        self.asked.again |= again.keys()

    def round(self) -> bool:
        """Takes options without an effect out of cases; returns whether any case changed."""
        idle = self._idle()
        needed = [one for one in idle if self._weight(one.lost) >= WHOLE]
        wanted = [
            Wanted(one.number, call, one.names[0], one.lost)
            for one in needed
            if (call := self.found[one.number].kept.call) is not None and len(one.names) == 1
            if self._question(one) not in self.asked.elsewhere
        ]
        moving = Moving(self.search, self.weigh, self.asked, SECONDS, self.until)
        moved, tried = moving.elsewhere(wanted)
        done = tried | moved.keys()
        self.asked.elsewhere |= {self._question(one) for one in needed if one.number in done}
        changed = False
        for one in idle:
            other = moved.get(one.number) if one in needed else None
            if other is None and self._weight(self._lost(one)) >= WHOLE:
                self.stuck[self.found[one.number].kept.case.key, one.names] = one
                continue
            self._take_out(one)
            changed = True
            if other is not None:
                self.found.append(Chosen(other, one.lost & other.seen.hits))
        return changed

    def _question(self, one: _Trial) -> tuple[str, str, frozenset[int]]:
        """Returns the case of a trial, the option that it is without, and what that alone
        reaches."""
        return self.found[one.number].kept.case.key, one.names[0], one.lost

    def _lost(self, one: _Trial) -> frozenset[int]:
        """Returns what no case reaches when this one is without the options; others may have
        changed since that was tried."""
        lost = self._wanted_of(one.number) - one.plain.seen.hits
        others = (item for number, item in enumerate(self.found) if number != one.number)
        return lost.difference(*(item.kept.seen.hits for item in others)) if lost else lost

    def _wanted_of(self, number: int) -> frozenset[int]:
        """Returns what a case reaches that it was chosen for, or another one, which may have lost
        it since."""
        item = self.found[number]
        return item.gain | (item.kept.seen.hits & self.wanted)

    def give_up(self) -> None:
        """Takes out options that matter nowhere, as long as little is lost; first those that play
        no part in an error, and that reach least. What has tests already counts as reached."""
        hits = (item.kept.seen.hits for item in self.found)
        spare = MOST_LOST * self._weight(self.search.tested.union(*hits))
        waiting = sorted(
            self.stuck.items(),
            key=lambda pair: (not pair[1].plain.seen.fails, self._weight(pair[1].lost)),
        )
        for (key, _), one in waiting:
            lost = self._weight(self._lost(one))
            if lost <= spare and self.found[one.number].kept.case.key == key:
                self._take_out(one)
                spare -= lost

    def _take_out(self, one: _Trial) -> None:
        item = self.found[one.number]
        case, before = one.plain.case, item.kept.case
        idle = tuple(name for name in before.idle if name not in one.names)
        spoken = tuple(name for name in case.keywords if name not in idle)
        effect = "" if before.effect.partition("=")[0] in one.names else before.effect
        case = replace(case, effect=effect, idle=idle, keywords=spoken)
        goals = {goal for goal in item.kept.goals if goal.rpartition(" ")[2] not in one.names}
        kept = replace(one.plain, case=case, goals=frozenset(goals))
        self.found[one.number] = Chosen(kept, item.gain & kept.seen.hits)

    def _weight(self, probes: Iterable[int]) -> float:
        return sum(map(self.weigh, probes))

    def _idle(self) -> list[_Trial]:
        """Returns, for each case with options that change nothing, the case without most of them
        that reaches as much, else without the one that reaches least; notes what others show."""
        one_less = self._trials(
            (number, (name,))
            for number, item in enumerate(self.found)
            for name in self._options_of(item)
        )
        self._note_effects(one for one in one_less if not one.same)
        names: dict[int, tuple[str, ...]] = {}
        for one in one_less:
            if one.same:
                names[one.number] = (*names.get(one.number, ()), *one.names)
        several = self._trials((number, own) for number, own in names.items() if len(own) > 1)
        best: dict[int, _Trial] = {}
        for one in (*several, *one_less):
            known = self.found[one.number].kept.case.key, one.names
            if not one.same or known in self.stuck:
                continue
            if one.number not in best or self._rank(one) < self._rank(best[one.number]):
                best[one.number] = one
        return list(best.values())

    def _options_of(self, item: Chosen) -> Iterator[str]:
        """Yields the options of a case; the one that it is chosen to show only at last, when the
        case has changed."""
        call, case = item.kept.call, item.kept.case
        if call is None or case.origin != "searched" or call.in_block:
            return
        if call.target.entry:
            yield from word_options(call)
            return
        shown = "" if self.last else case.effect.partition("=")[0]
        yield from (name for name in dict.fromkeys(call.options) if name != shown)

    def _rank(self, one: _Trial) -> tuple[bool, int, float]:
        lost, count = self._weight(one.lost), len(one.names)
        return lost >= WHOLE, count if lost >= WHOLE else -count, lost

    def _trials(self, wanted: Iterable[tuple[int, tuple[str, ...]]]) -> list[_Trial]:
        """Returns cases, by their places, without some of their options."""
        drafts: list[tuple[int, tuple[str, ...], KeptCase]] = []
        for number, names in wanted:
            kept = self.found[number].kept
            assert kept.call is not None
            entry = kept.call.target.entry
            call = (without_words if entry else without_options)(kept.call, names)
            if (case := self.search.write(call)) is not None:
                drafts.append((number, names, replace(kept, case=case, call=call)))
        known = self.asked.known
        new = {kept.case.key: kept.case for *_, kept in drafts if kept.case.key not in known}
        known |= self.search.prober.observe(list(new.values()), self._left())
        seen = [
            (number, names, replace(kept, seen=known[kept.case.key]))
            for number, names, kept in drafts
            if kept.case.key in known
        ]
        pairs = [(kept, self.found[number].kept) for number, _, kept in seen]
        alike = [pair for pair in pairs if pair[0].seen.outcomes == pair[1].seen.outcomes]
        self._look_at([*chain.from_iterable(alike)])
        reached = Counter(probe for item in self.found for probe in item.kept.seen.hits)
        trials = []
        for number, names, kept in seen:
            lost = self.found[number].gain - kept.seen.hits
            missing = self._wanted_of(number) - kept.seen.hits
            alone = frozenset(probe for probe in missing if reached[probe] == 1)
            before = self.found[number].kept
            same = self._equal(kept, before, names) or (not lost and _as_much(before, kept))
            trials.append(_Trial(number, names, kept, same, alone))
        return trials

    def _look_at(self, kept: Iterable[KeptCase]) -> None:
        """Notes what tests of the cases assert."""
        new = {one.case.key: one for one in kept if one.case.key not in self.asked.shown}
        self.asked.shown |= zip(new, what_is_shown(list(new.values()), self.search), strict=True)

    def _equal(self, plain: KeptCase, before: KeptCase, names: Sequence[str]) -> bool:
        """Whether a case shows the same without options; that an object has what these were is
        nothing."""
        if plain.seen.rejected or before.call is None:
            return False
        if plain.seen.outcomes == before.seen.outcomes:
            return self.asked.shown[plain.case.key] == self.asked.shown[before.case.key]
        values = [value for one in before.call.chain for name, value in one.values if name in names]
        return self.asked.told.equal(plain.seen, before.seen, values)

    def _note_effects(self, trials: Iterable[_Trial]) -> None:
        """Notes, in cases that show no effect yet, the option that they were chosen for."""
        most: dict[int, tuple[float, str]] = {}
        for one in trials:
            kept = self.found[one.number].kept
            weight = self._weight(self.found[one.number].gain - one.plain.seen.hits)
            if kept.call is None or kept.call.target.entry:
                continue
            if weight >= WHOLE and not kept.case.effect and not kept.seen.fails:
                most[one.number] = max(most.get(one.number, (0.0, "")), (weight, one.names[0]))
        for number, (_, name) in most.items():
            kept = self.found[number].kept
            assert kept.call is not None
            case = replace(kept.case, effect=setting(kept.call, name))
            self.found[number] = replace(self.found[number], kept=replace(kept, case=case))

    def _left(self) -> float:
        return min(SECONDS, self.until - time.monotonic())


def _as_much(before: KeptCase, plain: KeptCase) -> bool:
    """Whether a case that is not about an option shows as much without one."""
    if before.goals or before.case.effect or not plain.seen.usable:
        return False
    pair = (before, plain)
    errors = [[one.raised and one.raised.type for one in each.seen.outcomes] for each in pair]
    return errors[0] == errors[1] and distance(plain) <= distance(before)
