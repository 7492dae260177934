"""Empties containers that a call has to have and that play no part in what a case shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from pytest_lift.agents.offline.arguments.hints.forms import literal_kind
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.typed_at_last import may_change
from pytest_lift.agents.offline.natural.kinds import KINDS
from pytest_lift.agents.offline.search.drafts import Drafts
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call
from pytest_lift.calls.prober import Prober
from pytest_lift.source.syntax import shared_expression

SECONDS = 1.5
MOST_FILLED = 3
"""Most filled containers that are tried in the place of one."""
EMPTY = {"list": "[]", "dict": "{}", "tuple": "()", "set": "set()"}
"""Kind of container -> one with nothing in it."""


@dataclass(frozen=True)
class _OtherArguments:
    """A case with other arguments."""

    number: int
    """Place of the case."""
    values: tuple[tuple[str, str], ...]
    """What is given in the place of something else."""
    kept: KeptCase

    @property
    def place(self) -> tuple[int, str]:
        """The case and its first argument that is another one."""
        return self.number, self.values[0][0]


@dataclass(frozen=True)
class IdleArguments:
    """Looks for containers in whose place an empty one, and any other, shows the same: what stands
    in them is noise."""

    prober: Prober
    drafts: Drafts
    show: Callable[[Sequence[KeptCase]], list[object]]
    """Tells what tests of cases assert."""

    def emptied(self, chosen: Sequence[Chosen]) -> list[Chosen]:
        """Returns the cases, those containers empty that play no part in what they show."""
        found = list(chosen)
        open_ = [n for n, item in enumerate(found) if may_change(item, self.drafts.write)]
        trials = [
            one
            for number in open_
            for values in _others(found[number].kept.call)
            if (one := self._with_others(number, found[number], values)) is not None
        ]
        together = [
            one
            for number, values in self._idle(found, trials).items()
            if (one := self._with_others(number, found[number], values)) is not None
        ]
        for one, same in self._judged(found, together):
            if same:
                case = self.drafts.priced(one.kept.call, one.kept.case) if one.kept.call else None
                kept = replace(one.kept, case=case) if case is not None else one.kept
                found[one.number] = replace(found[one.number], kept=kept)
        return found

    def _with_others(
        self, number: int, item: Chosen, values: Sequence[tuple[str, str]]
    ) -> _OtherArguments | None:
        call, old = item.kept.call, item.kept.case
        for name, value in values:
            call = call.with_value(name, value) if call is not None else None
        case = self.drafts.unpriced(call) if call is not None else None
        if case is None or case.keywords != old.keywords:
            return None
        case = replace(case, effect=old.effect)
        return _OtherArguments(number, tuple(values), replace(item.kept, case=case, call=call))

    def _idle(
        self, found: Sequence[Chosen], trials: Sequence[_OtherArguments]
    ) -> dict[int, list[tuple[str, str]]]:
        """Returns number of a case -> what may stand in the place of its idle arguments."""
        judged = defaultdict[tuple[int, str], list[tuple[_OtherArguments, bool]]](list)
        for one, same in self._judged(found, trials):
            judged[one.place].append((one, same))
        idle = defaultdict[int, list[tuple[str, str]]](list)
        for (number, _), some in judged.items():
            if len(some) > 1 and all(same for _, same in some) and _is_empty(some[0][0]):
                idle[number] += some[0][0].values
        return idle

    def _judged(
        self, found: Sequence[Chosen], trials: Sequence[_OtherArguments]
    ) -> list[tuple[_OtherArguments, bool]]:
        """Returns the trials that ran, as they were seen, each with whether a test of it shows what
        that of the case does, which reaches no more that it is for."""
        seen = self.prober.observe([one.kept.case for one in trials], SECONDS, checked=True)
        ran = [
            replace(one, kept=replace(one.kept, seen=seen[one.kept.case.key]))
            for one in trials
            if one.kept.case.key in seen
        ]
        alike = [one for one in ran if _ends_alike(found[one.number], one.kept)]
        shown = self.show([*chain.from_iterable((found[n.number].kept, n.kept) for n in alike)])
        pairs = zip(shown[::2], shown[1::2], strict=True)
        same = {id(one) for one, (old, new) in zip(alike, pairs, strict=True) if old == new}
        return [(one, id(one) in same) for one in ran]


def _others(call: Call | None) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yields what is tried in the place of each container that a call has to have: an empty one,
    then filled ones."""
    optional = call.target.optional_names if call is not None else frozenset()
    for name, value in call.values if call is not None else ():
        node = shared_expression(value) if name not in optional else None
        kind = literal_kind(node) if node is not None else ""
        if kind in EMPTY and value != EMPTY[kind]:
            filled = [one for one in KINDS[kind] if one not in (value, EMPTY[kind])]
            yield from (((name, one),) for one in (EMPTY[kind], *filled[:MOST_FILLED]))


def _is_empty(one: _OtherArguments) -> bool:
    return one.values[0][1] in EMPTY.values()


def _ends_alike(old: Chosen, new: KeptCase) -> bool:
    """Whether a case that ran gives what another one does, and reaches all that this is for."""
    same = old.kept.seen.outcomes == new.seen.outcomes
    return same and not new.seen.rejected and old.gain <= new.seen.hits
