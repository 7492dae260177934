"""Shows calls on containers that are made with something in them: on an empty one, most of what
they do cannot be seen, and what fills one first is often an odd way to do so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.shrinking.simplifying import keeps
from pytest_lift.agents.offline.choosing.typed_at_last import may_change
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.typed_values import NOTHING
from pytest_lift.agents.offline.search.drafts import Drafts
from pytest_lift.agents.offline.search.dullness import BEGUN_WITH
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Observation
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.ancestry import above
from pytest_lift.source.symbols import Parameter

SECONDS = 2.0
MOST_CONTENTS, MOST_TRIED = 3, 8
"""Most contents that are tried in a container, and most calls in the place of one."""
BASES = frozenset({
    "dict", "list", "set", "frozenset", "tuple", "deque", "OrderedDict", "UserDict", "UserList",
    "Mapping", "MutableMapping", "Sequence", "MutableSequence", "Set", "MutableSet", "Collection",
})  # fmt: skip
"""Classes of Python's own that containers derive from."""


@dataclass(frozen=True)
class Filled:
    """Puts contents into the containers on which calls are shown."""

    prober: Prober
    drafts: Drafts
    natural: Naturalness

    def all(self, chosen: Sequence[Chosen]) -> list[Chosen]:
        """Returns the cases; those on containers that are made of nothing on ones with contents,
        where that reaches all that they are for: without what filled these before the call, or with
        another answer than an empty one gives."""
        found = list(chosen)
        tried = {number: [*self._new(item)] for number, item in enumerate(found)}
        cases = [one.case for several in tried.values() for one in several]
        seen = self.prober.observe(cases, SECONDS, checked=True) if cases else {}
        for number, several in tried.items():
            ran = (replace(one, seen=seen[one.case.key]) for one in several if one.case.key in seen)
            best = next((one for one in ran if _is_better(found[number], one)), None)
            if best is not None and best.call is not None:
                priced = self.drafts.priced(best.call, best.case)
                found[number] = replace(found[number], kept=replace(best, case=priced))
        return found

    def _new(self, item: Chosen) -> Iterator[KeptCase]:
        call = item.kept.call
        if call is None or call.receiver is None or not may_change(item, self.drafts.unpriced):
            return
        for other in islice(self._others(call), MOST_TRIED):
            case = None if self.drafts.blocking.have(other) else self.drafts.unpriced(other)
            if case is not None:
                yield replace(item.kept, case=case, call=other)

    def _others(self, call: Call) -> Iterator[Call]:
        """Yields a call on containers with contents, without the lines that filled them."""
        receiver = call.receiver
        parameter = self._contents_of(receiver.target) if receiver is not None else None
        if receiver is None or parameter is None:
            return
        if receiver.given.get(parameter.name, "[]") not in NOTHING:
            return
        put_in = [
            one
            for one in _put_in(call.before)
            if self.natural.fitness.fits(receiver.target, parameter.name, one)
        ]
        for value in (*put_in, *self._contents(receiver.target, parameter)):
            filled = receiver.with_value(parameter.name, value)
            yield call.but(receiver=filled, before=())

    def _contents(self, maker: Target, parameter: Parameter) -> list[str]:
        """Returns what a container may be made of, what is known first."""
        pool = self.natural.inputs.pool(maker, parameter)
        some = [one for one in pool if one.startswith(("{", "[")) and one not in NOTHING]
        some = [one for one in some if self.natural.fitness.fits(maker, parameter.name, one)]
        some.sort(key=lambda one: not self.natural.is_known(maker, parameter.name, one))
        return some[:MOST_CONTENTS]

    def _contents_of(self, maker: Target) -> Parameter | None:
        """Returns the first parameter of the constructor of a container; None where it has to be
        given more, or takes no contents."""
        first = next(iter(maker.parameters), None)
        if maker.kind != "constructor" or first is None or maker.leaf not in self._containers:
            return None
        needed = [one for one in maker.parameters[1:] if one.default is None]
        more = any(not one.kind.startswith("var-") for one in needed)
        return None if more or first.kind.startswith("var-") else first

    @cached_property
    def _containers(self) -> frozenset[str]:
        """Names of the classes of the program whose objects are containers."""
        matcher = self.natural.inputs.matcher
        return frozenset(
            name
            for name, members in matcher.attributes.items()
            if "__len__" in members or not BASES.isdisjoint(above(name, matcher.bases))
        )


def _put_in(lines: Sequence[Call]) -> Iterator[str]:
    """Yields a container of what calls put in one by one: ``{'a': 1}`` for ``bag.put('a', 1)``."""
    given = [line.sources for line in lines]
    if given and all(len(one) == 2 for one in given):
        yield f"{{{', '.join(f'{key}: {value}' for key, value in given)}}}"
    elif given and all(len(one) == 1 for one in given):
        yield f"[{', '.join(value for (value,) in given)}]"


def _is_better(old: Chosen, new: KeptCase) -> bool:
    """Whether a case on containers with contents shows what the old one does, and more of it."""
    if not keeps(old, new, new.seen) or _ends(new.seen) != _ends(old.kept.seen):
        return False
    call = old.kept.call
    before, now = ([one.source for one in seen.outcomes] for seen in (old.kept.seen, new.seen))
    says_more = before != now and not all(one in BEGUN_WITH for one in now)
    if call is not None and call.before:
        return before == now or says_more
    return says_more or before == now == ["True"]


def _ends(seen: Observation) -> list[str]:
    return [outcome.raised.type if outcome.raised else "" for outcome in seen.outcomes]
