"""Proposes calls of the functions that users call in the place of calls of those inside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target

MOST_ENTRANCES, MOST_VALUES = 3, 2
"""Most functions that lead to one, and most arguments that are handed to each of them."""
TRIVIAL = frozenset({"None", "True", "False", "0", "1", "''", "[]", "{}", "()", "set()"})
"""Arguments by which a call does nothing special."""


@dataclass
class Entrances:
    """The functions of a program that were seen to lead to others."""

    search: ProgramSearch
    _known: dict[str, list[Call]] = field(default_factory=dict)

    def others(self, kept: KeptCase) -> Iterator[Call]:
        """Yields calls of functions that lead to the one of a case, with its arguments."""
        call = kept.call
        if call is None or call.target.entry or call.in_block:
            return
        yield from self._inner(call)
        values = [value for part in call.chain for _, value in part.values]
        telling = [one for one in dict.fromkeys(values) if one not in TRIVIAL]
        for outer in self._outer(call.target):
            for value in telling[:MOST_VALUES]:
                for name, old in outer.values:
                    if value != old:
                        yield outer.with_value(name, value)

    def _inner(self, call: Call) -> Iterator[Call]:
        """Yields calls of functions that a call leads to, with the arguments of the same names:
        ``dumps`` needs no file that ``dump`` writes to."""
        reached = self.search.progress[call.target.key].functions
        for one in self.search.targets:
            if one.kind != "function" or (one.path, one.symbol) not in reached:
                continue
            names = {parameter.name for parameter in one.parameters}
            values = tuple(pair for pair in call.values if pair[0] in names)
            needed = {p.name for p in one.parameters if p.default is None and "var" not in p.kind}
            whole = bool(values) and needed <= {name for name, _ in values}
            if whole and one.key != call.target.key and not self.search.showing.is_internal(one):
                yield Call(one, values)

    def _outer(self, target: Target) -> list[Call]:
        """Returns the plainest calls of the functions that lead to a target and that the program
        offers, those that lead to most first; cached."""
        if target.key not in self._known:
            place = (target.path, target.symbol)
            progress = self.search.progress
            leading = [
                one
                for one in self.search.targets
                if one.key != target.key
                and place in progress[one.key].functions
                and not (one.entry or self.search.showing.is_internal(one))
            ]
            leading.sort(key=lambda one: -self._breadth[one.key])
            self._known[target.key] = [
                call
                for one in leading[:MOST_ENTRANCES]
                if (call := min(progress[one.key].calls, key=self._oddness, default=None))
                and not (call.before or call.in_block)
            ]
        return self._known[target.key]

    def _oddness(self, call: Call) -> float:
        natural = self.search.natural
        return natural.oddness(call) + len(call.text) / 100

    @cached_property
    def _breadth(self) -> Counter[str]:
        """Target -> number of functions that its calls reach."""
        progress = self.search.progress
        return Counter({key: len(progress[key].functions) for key in progress})
