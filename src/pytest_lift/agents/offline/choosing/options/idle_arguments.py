"""Makes plain what a call, or its object, has to have and what plays no part in what a case shows:
containers are empty, numbers and texts the same in all cases."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

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
from pytest_lift.source.syntax import shared_expression, written_with

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

MOST_INSIDE = 3
"""Most containers inside of an argument that are tried empty."""

Given = tuple[bool, str, str, str]
"""Whether an argument is one of what makes the object, its name, a part of it, and what stands in
the place of that."""


@dataclass(frozen=True)
class _OtherArguments:
    """A case with other arguments."""

    number: int
    """Place of the case."""
    values: tuple[Given, ...]
    """What is given in the place of something else."""
    kept: KeptCase

    @property
    def place(self) -> tuple[int, bool, str, str]:
        """The case and its first argument that is another one."""
        return self.number, *self.values[0][:3]


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
        judged = defaultdict[tuple[int, bool, str, str], list[tuple[_OtherArguments, bool]]](list)
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
    """Yields what is tried in the place of each argument that a call, and its object, has to have,
    and of the containers inside: a plain one, then others."""
    for part in (call, call.receiver) if call is not None else ():
        for name, value in part.values if part is not None else ():
            assert part is not None
            usual = common.get((part.target.key, name))
            for old, kind in _parts(value) if name not in part.target.optional_names else ():
                if kind == OBJECT and _is_hinted(part.target, name):
                    continue
                plain = EMPTY.get(kind) or (usual if kind in SCALARS and old == value else None)
                if plain is not None and old != plain:
                    others = [one for one in FILLED[kind] if one not in (old, plain)]
                    for one in (plain, *others[:MOST_FILLED]):
                        yield ((part is not call, name, old, one),)


def _is_hinted(target: Target, name: str) -> bool:
    parameter = named_parameter(target, name)
    return parameter is not None and bool(parameter.annotation)


def _parts(value: str) -> Iterator[tuple[str, str]]:
    """Yields an argument, and the first containers of which objects inside of it are made, each
    with its kind."""
    node = shared_expression(value)
    if node is None:
        return
    calls = [one for one in ast.walk(node) if isinstance(one, ast.Call)]
    made = [one for one in calls if not container_kind(one)]
    kind = literal_kind(node) or container_kind(node)
    yield value, kind or (OBJECT if node in made and len(made) > 1 else "")
    given = (one for call in made for one in (*call.args, *(key.value for key in call.keywords)))
    inside = {ast.unparse(one): kind for one in given if (kind := container_kind(one))}
    yield from islice(inside.items(), MOST_INSIDE)


def _with_value(call: Call, of_object: bool, name: str, old: str, new: str) -> Call:
    """Returns a call with another argument, or one of what makes its object, or another part of
    such a one."""
    if of_object and call.receiver is not None:
        return call.but(receiver=_with_value(call.receiver, False, name, old, new))
    value = call.given[name]
    node, other = shared_expression(value), shared_expression(new)
    if value == old or node is None or other is None:
        return call.with_value(name, new)
    parts = (one for one in ast.walk(node) if isinstance(one, ast.expr))
    first = next((one for one in parts if ast.unparse(one) == old), None)
    changed = written_with(node, first, other) if first is not None else None
    return call.with_value(name, changed or value)


def _ends_alike(old: Chosen, new: KeptCase) -> bool:
    """Whether a case that ran gives what another one does, and reaches all that this is for."""
    same = old.kept.seen.outcomes == new.seen.outcomes
    return same and not new.seen.rejected and old.gain <= new.seen.hits
