"""Makes plain what a call, or its object, has to have and what plays no part in what a case shows:
containers are empty, numbers and texts the same in all cases, objects made of others None."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.arguments.hints.forms import container_kind, literal_kind
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.typed_at_last import may_change
from pytest_lift.agents.offline.natural.fitting.fitness import named_parameter
from pytest_lift.agents.offline.natural.kinds import KINDS
from pytest_lift.agents.offline.search.drafts import Drafts
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import shared_expression

SECONDS = 1.5
MOST_FILLED = 3
"""Most filled containers that are tried in the place of one."""
OBJECT = "object"
"""Kind of an object that is made of other objects."""
EMPTY = {"list": "[]", "dict": "{}", "tuple": "()", "set": "set()", OBJECT: "None"}
"""Kind of container -> one with nothing in it; what stands for an object."""
FILLED = KINDS | {OBJECT: ("1", "'hello'")}
"""Kind of a value -> others that are tried in the place of one."""
SCALARS = frozenset({"int", "float", "str"})
"""Kinds of values that are the same wherever they play no part."""

Given = tuple[bool, str, str]
"""Whether an argument is one of what makes the object, its name, and a value."""


@dataclass(frozen=True)
class _OtherArguments:
    """A case with other arguments."""

    number: int
    """Place of the case."""
    values: tuple[Given, ...]
    """What is given in the place of something else."""
    kept: KeptCase

    @property
    def place(self) -> tuple[int, bool, str]:
        """The case and its first argument that is another one."""
        return self.number, *self.values[0][:2]


@dataclass(frozen=True)
class IdleArguments:
    """Looks for arguments in whose place a plain one, and any other, shows the same."""

    prober: Prober
    drafts: Drafts
    show: Callable[[Sequence[KeptCase]], list[object]]
    """Tells what tests of cases assert."""

    def plain(self, chosen: Sequence[Chosen]) -> list[Chosen]:
        """Returns the cases with plain arguments where these play no part in what they show."""
        found, common = list(chosen), _common(chosen)
        open_ = [n for n, item in enumerate(found) if may_change(item, self.drafts.write)]
        trials = [
            one
            for number in open_
            for values in _others(found[number].kept.call, common)
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
        self, number: int, item: Chosen, values: Sequence[Given]
    ) -> _OtherArguments | None:
        call, old = item.kept.call, item.kept.case
        for one in values:
            call = _with_value(call, *one) if call is not None else None
        case = self.drafts.unpriced(call) if call is not None else None
        if case is None or case.keywords != old.keywords:
            return None
        case = replace(case, effect=old.effect)
        return _OtherArguments(number, tuple(values), replace(item.kept, case=case, call=call))

    def _idle(
        self, found: Sequence[Chosen], trials: Sequence[_OtherArguments]
    ) -> dict[int, list[Given]]:
        """Returns number of a case -> what may stand in the place of its idle arguments."""
        judged = defaultdict[tuple[int, bool, str], list[tuple[_OtherArguments, bool]]](list)
        for one, same in self._judged(found, trials):
            judged[one.place].append((one, same))
        idle = defaultdict[int, list[Given]](list)
        first = {one.place: one.values for one in reversed(trials)}
        for place, some in judged.items():
            plain = some[0][0].values
            if len(some) > 1 and plain == first[place] and all(same for _, same in some):
                idle[place[0]] += plain
        return idle

    def _judged(
        self, found: Sequence[Chosen], trials: Sequence[_OtherArguments]
    ) -> list[tuple[_OtherArguments, bool]]:
        """Returns the trials that ran, as they were seen, each with whether a test of it shows what
        a test of the case does, and reaches all that this is for."""
        seen = self.prober.observe([one.kept.case for one in trials], SECONDS, checked=True)
        ran = [
            replace(one, kept=replace(one.kept, seen=seen[one.kept.case.key]))
            for one in trials
            if one.kept.case.key in seen
        ]
        alike = [one for one in ran if _ends_alike(found[one.number], one.kept)]
        numbers = [*dict.fromkeys(one.number for one in alike)]
        shown = self.show([*(found[n].kept for n in numbers), *(one.kept for one in alike)])
        before = dict(zip(numbers, shown, strict=False))
        after = zip(alike, shown[len(numbers) :], strict=True)
        same = {id(one) for one, new in after if new == before[one.number]}
        return [(one, id(one) in same) for one in ran]


def _common(chosen: Sequence[Chosen]) -> dict[tuple[str, str], str]:
    """Returns the shortest of what several cases give a parameter, by the key of its target and its
    name."""
    calls = (item.kept.call for item in chosen if item.kept.call is not None)
    parts = (part for call in calls for part in (call, call.receiver) if part is not None)
    given = Counter((part.target.key, *pair) for part in parts for pair in part.values)
    ordered = sorted(given, key=lambda one: (len(one[2]), -given[one]), reverse=True)
    return {(key, name): value for key, name, value in ordered if given[key, name, value] > 1}


def _others(
    call: Call | None, common: Mapping[tuple[str, str], str]
) -> Iterator[tuple[Given, ...]]:
    """Yields what is tried in the place of each argument that a call, and its object, has to have:
    a plain one, then others."""
    for part in (call, call.receiver) if call is not None else ():
        for name, value in part.values if part is not None else ():
            assert part is not None
            kind = _kind(part.target, name, value)
            usual = common.get((part.target.key, name)) if kind in SCALARS else None
            plain = EMPTY.get(kind) or usual
            if plain is not None and value != plain:
                others = [one for one in FILLED[kind] if one not in (value, plain)]
                for one in (plain, *others[:MOST_FILLED]):
                    yield ((part is not call, name, one),)


def _kind(target: Target, name: str, value: str) -> str:
    """Returns the kind of an argument that has to be given, "" for any other one; an object is none
    where a hint asks for it."""
    parameter, node = named_parameter(target, name), shared_expression(value)
    if node is None or name in target.optional_names:
        return ""
    hinted = parameter is not None and bool(parameter.annotation)
    calls = sum(isinstance(one, ast.Call) for one in ast.walk(node))
    made = isinstance(node, ast.Call) and calls > 1 and not hinted
    return literal_kind(node) or container_kind(node) or (OBJECT if made else "")


def _with_value(call: Call, of_object: bool, name: str, value: str) -> Call:
    """Returns a call with another argument, or one of what makes its object."""
    if not of_object or call.receiver is None:
        return call.with_value(name, value)
    return call.but(receiver=call.receiver.with_value(name, value))


def _ends_alike(old: Chosen, new: KeptCase) -> bool:
    """Whether a case that ran gives what another one does, and reaches all that this is for."""
    same = old.kept.seen.outcomes == new.seen.outcomes
    return same and not new.seen.rejected and old.gain <= new.seen.hits
