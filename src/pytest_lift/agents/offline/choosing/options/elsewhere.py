"""Finds inputs on which an option may make a difference, for a call in which it makes none."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from pytest_lift.agents.offline.choosing.options.features import with_features
from pytest_lift.agents.offline.choosing.options.removing import without_options
from pytest_lift.agents.offline.choosing.options.words import with_words, words_at
from pytest_lift.agents.offline.search.options.effects import (
    Measurement,
    known_data,
    option_values,
    with_option,
)
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.calls.call import Call, as_line
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter

MOST_PAIRS = 240
"""Most pairs of calls without and with one option."""
MOST_CALLS, MOST_OBJECTS = 30, 8
"""Most inputs of one kind that are tried: known calls, and objects that were made otherwise."""
FURTHER = 3
"""Inputs further that are tried with one value before the next value is tried."""
REQUIRED = ("positional", "positional-only")


class Elsewhere:
    """Takes an option to what the search and the documentation know for its function, and for
    others with the same parameters."""

    def __init__(self, search: ProgramSearch) -> None:
        self.search = search

    def pairs(self, call: Call, name: str) -> list[Measurement]:
        """Returns calls without and with an option that a call sets, the nearest ones first."""
        if call.target.entry:
            return list(islice(self._lines(call, name), MOST_PAIRS))
        if (found := holder(call, name)) is None:
            return []
        owner, parameter, given = found
        ranked: list[tuple[int, Measurement]] = []
        inputs = self.search.inputs
        for far, base in enumerate(dict.fromkeys(self._inputs(call, name))):
            for nth, value in enumerate(option_values(owner, parameter, inputs, base, given)):
                changed = with_option(base, owner, name, value)
                if changed is not None:
                    ranked.append((far + FURTHER * nth, (base, changed)))
        ranked.sort(key=lambda pair: pair[0])
        return [pair for _, pair in ranked[:MOST_PAIRS]]

    def _lines(self, call: Call, place: str) -> Iterator[Measurement]:
        """Yields command lines that are known, and the same with an option."""
        words = words_at(call, place)
        for line in self.search.progress[call.target.key].calls:
            if line.argv and words[0] not in line.argv:
                yield line, with_words(line, words, call)

    def _inputs(self, call: Call, name: str) -> Iterator[Call]:
        """Yields calls without the option: this one, known ones, and this one with other data and
        objects."""
        bare = without_options(call, [name])
        yield bare
        plain = without_options(bare, bare.options)
        yield plain
        known = self.search.progress[call.target.key].calls
        fitting = (one for one in known if not (one.in_block or one.argv))
        for one in islice(fitting, MOST_CALLS):
            yield without_options(one, one.options)
        yield from self._with_features(plain)
        yield from islice(self._of_others(plain), MOST_CALLS)
        yield from self._on_objects(plain)
        if name not in call.given:
            yield from self._looked_at(bare)
        for parameter in call.target.parameters:
            if parameter.default is None and parameter.kind in REQUIRED:
                data = known_data(call.target, parameter, self.search.inputs)
                yield from (bare.with_value(parameter.name, value) for value in data)

    def _with_features(self, call: Call) -> Iterator[Call]:
        """Yields the call with other values of the same kinds for each required argument."""
        for parameter in call.target.parameters:
            if parameter.default is None and parameter.name in call.given:
                for value in with_features(call.given[parameter.name]):
                    yield call.with_value(parameter.name, value)

    def _of_others(self, call: Call) -> Iterator[Call]:
        """Yields the call with the arguments of known calls of other functions that have required
        parameters of the same names."""
        own = {p.name for p in call.target.parameters if p.default is None} & call.given.keys()
        for target in self.search.targets:
            shared = own & {p.name for p in target.parameters}
            if not shared or target == call.target:
                continue
            for other in self.search.progress[target.key].calls[:MOST_CALLS]:
                given = {name: value for name, value in other.given.items() if name in shared}
                if given and not other.names:
                    yield call.but(values=tuple({**call.given, **given}.items()))

    def _on_objects(self, call: Call) -> Iterator[Call]:
        """Yields the call on objects that were made otherwise, or that earlier calls filled."""
        owner = call.target.owner
        if owner is None or call.receiver is None or call.before or call.in_block:
            return
        objects = self.search.objects
        for made in objects.made_by[owner.key][:MOST_OBJECTS]:
            yield call.but(receiver=made)
        for last in objects.states[owner.key][:MOST_OBJECTS]:
            lines = (*last.before, as_line(last))
            yield call.but(receiver=last.receiver, name=last.name, before=lines)

    def _looked_at(self, call: Call) -> Iterator[Call]:
        """Yields calls without arguments of other methods in the place of the call, and after it:
        they may show what an option of the object does."""
        owner = call.target.owner
        if owner is None or call.receiver is None or not call.name or call.in_block:
            return
        others = (
            one
            for one in self.search.targets
            if one != call.target and one.owner == owner and one.kind in ("method", "property")
        )
        plain = (one for one in others if all(p.default is not None for p in one.parameters))
        for target in islice(plain, MOST_CALLS):
            for lines in (call.before, (*call.before, as_line(call))):
                if lines:
                    yield Call(
                        target, target.given, receiver=call.receiver, name=call.name, before=lines
                    )


def holder(call: Call, name: str) -> tuple[Target, Parameter, str] | None:
    """Returns what has an option that a call, or the one that makes its object, sets; the option,
    and its value."""
    for part in filter(None, (call, call.receiver)):
        for parameter in part.target.parameters:
            optional = parameter.name == name and parameter.default is not None
            if optional and name in part.given:
                return part.target, parameter, part.given[name]
    return None
