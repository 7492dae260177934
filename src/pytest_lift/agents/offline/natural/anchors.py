"""Known whole calls, and calls that differ from one of them in one argument or option."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.calls.call import Call
from pytest_lift.calls.reading import is_stand_in
from pytest_lift.calls.targets.target import Target

MOST_KNOWN = 3
"""Most calls of one target from which others are made."""
MOST_COMPARED = 16
"""Most known calls of one target with which another one is compared."""
MOST_VALUES, MOST_OPTIONS = 5, 3
"""Most values that are tried for one argument, and for one option, of a known call."""
MOST_CALLS = 3000
"""Most calls that differ from a known one in one thing."""
STRAYED = 0.4
"""Cost of each argument in which a call differs from the nearest known one, but for the first."""
STRAYED_INSIDE = 0.7
"""The same where the program alone was seen to make such calls: nobody else knows what to give."""
LONGEST = 300
"""Characters of the arguments of a call from which others are made."""
MADE = ("function", "constructor", "static")
"""Kinds of targets that can be called with the arguments of others alone."""

_Arguments = Mapping[str, str | None]


@dataclass
class Anchors:
    """Whole calls of the documentation and of the program's own code, then those that the program
    was seen to make; for functions without one, those with the arguments that others of their
    file get under the same names."""

    natural: Naturalness
    _known: dict[str, dict[Call, tuple[bool, int]]] = field(default_factory=dict)
    """`Target.key` -> its calls -> whether the program was seen to make each, how long it is."""
    _of_file: dict[str, dict[Call, int]] = field(default_factory=dict)
    """Path -> the calls of all its targets -> how long each is."""
    _found: dict[str, list[Call]] = field(default_factory=dict)
    _compared: dict[str, list[_Arguments]] = field(default_factory=dict)

    def note(self, calls: Iterable[Call], *, seen: bool = False) -> None:
        """Notes whole calls, as people wrote them or as the program was `seen` to make them."""
        for call in calls:
            stands_in = any(map(is_stand_in, call.given.values()))
            length = _length(call)
            if call.values and not (call.target.entry or stands_in or length > LONGEST):
                self._known.setdefault(call.target.key, {}).setdefault(call, (seen, length))
                self._of_file.setdefault(call.target.path, {})[call] = length
        self._found.clear()
        self._compared.clear()

    def of(self, target: Target) -> Sequence[Call]:
        """Returns known calls of a target from which others are made, the shortest first."""
        return self._all_of(target)[:MOST_KNOWN]

    def _all_of(self, target: Target) -> Sequence[Call]:
        """Returns the known calls of a target, or one that is made up of the arguments of others;
        cached."""
        if target.key not in self._found:
            order = self._known.get(target.key, {})
            known = sorted(order, key=lambda one: self._rank(one, *order[one]))[:MOST_COMPARED]
            self._found[target.key] = known or [*self._of_others(target)]
        return self._found[target.key]

    def _rank(self, call: Call, seen: bool, length: int) -> tuple[bool, bool, int]:
        """Returns what orders known calls: those of the documentation come before those of the
        code, whose limits and defaults nobody types."""
        shown = self.natural.inputs.documented
        given = (value in shown.get((call.target.key, name), ()) for name, value in call.values)
        return seen, not all(given), length

    def strayed(self, call: Call) -> float:
        """Returns what a call costs for being further from each known one than by one argument, or
        than by none where the program alone was seen to make such calls; nothing where it reads
        packed numbers: what it then cuts out of longer ones is no plainer than others."""
        if self.natural.inputs.packed.reads(call.target):
            return 0.0
        target = call.target
        if target.key not in self._compared:
            self._compared[target.key] = [*map(_arguments, self._all_of(target))]
        given = _arguments(call)
        apart = min((_apart(given, one) for one in self._compared[target.key]), default=0)
        known = self._known.get(call.target.key, {})
        if known and all(seen for seen, _ in known.values()):
            return STRAYED_INSIDE * apart
        return STRAYED * max(0, apart - 1)

    def beside(self, targets: Iterable[Target]) -> Iterator[Call]:
        """Yields known calls, and those that differ from one in one argument or option."""
        yield from islice(self._beside(targets), MOST_CALLS)

    def _beside(self, targets: Iterable[Target]) -> Iterator[Call]:
        for target in targets:
            for call in self.of(target):
                yield call
                for parameter in target.parameters:
                    unnamed = parameter.kind.startswith("var-") or parameter.idle
                    if unnamed or parameter.name.startswith("_"):
                        continue
                    most = MOST_VALUES if parameter.default is None else MOST_OPTIONS
                    parts = self.natural.keyworded.parts(target, parameter.name)
                    for value in (*self.natural.inputs.pool(target, parameter)[:most], *parts):
                        if value != call.given.get(parameter.name, parameter.default):
                            yield call.with_value(parameter.name, value)

    def near(self, call: Call) -> Iterator[Call]:
        """Yields calls in the place of one: a known call with its options, then with one or two of
        its other arguments, too, and it with one argument of a known call."""
        optional = {p.name for p in call.target.parameters if p.default is not None}
        options = [(name, value) for name, value in call.values if name in optional]
        for known in self.of(call.target):
            base = call.but(values=known.values, extra=known.extra)
            if call.target.owner is None or call.target.kind in MADE:
                base = known
            for name, value in options:
                base = base.with_value(name, value)
            yield from [base] if base != call else ()
            others = [(n, v) for n, v in call.values if base.given.get(n) != v]
            for name, value in others:
                yield base.with_value(name, value)
            for name, _ in others:
                if name in known.given:
                    yield call.with_value(name, known.given[name])

    def _of_others(self, target: Target) -> Iterator[Call]:
        """Yields a call with the arguments that other functions of the file get under the same
        names, as many as possible from one of them, and with what a person types for others."""
        if target.kind not in MADE:
            return
        plain = [p for p in target.parameters if not p.kind.startswith("var-")]
        names = [parameter.name for parameter in plain if parameter.default is None]
        lengths = self._of_file.get(target.path, {})
        counts = {one: sum(name in names for name, _ in one.values) for one in lengths}
        shared = sorted(filter(counts.get, lengths), key=lambda one: (-counts[one], lengths[one]))
        given: dict[str, str] = {}
        for one in shared:
            given = {**one.given, **given}
        known = {name: given.get(name, given.get(name.rpartition("_")[2])) for name in names}
        typed = {name: (*self.natural.typed(target, name), None)[0] for name in names}
        if any((*known.values(), *typed.values())):
            pools = ((p.name, self.natural.inputs.pool(target, p)) for p in plain)
            first = {name: pool[0] for name, pool in pools if pool}
            values = [(name, known[name] or typed[name] or first.get(name)) for name in names]
            call = Call(target, tuple((name, value) for name, value in values if value))
            yield from [call] if len(call.values) == len(names) and self.natural.fits(call) else ()


def _arguments(call: Call) -> _Arguments:
    """Returns the arguments of a call, those that it leaves out included."""
    return {**{one.name: one.default for one in call.target.parameters}, **call.given}


def _apart(given: _Arguments, known: _Arguments) -> int:
    """Returns in how many arguments two calls of a target differ."""
    return len({name for name, _ in given.items() ^ known.items()})


def _length(call: Call) -> int:
    return sum(len(value) for _, value in call.values) + sum(map(len, call.extra))
