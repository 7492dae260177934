"""Passes stand-ins to what cannot be called otherwise; makes values that have what they met."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.arguments.classes import ClassMatcher
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.known.by_name import kinds_by_name
from pytest_lift.agents.offline.arguments.libraries import LIBRARIES, Libraries
from pytest_lift.agents.offline.arguments.uses import LETTERS
from pytest_lift.agents.offline.natural.kinds import KINDS
from pytest_lift.calls.call import STAND_IN, Call
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.noted.meetings import Meeting
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter

VARIANTS = 3
"""Values that are made for one parameter."""
LONGEST, LONG_ITEM = 200, 50
"""Characters of a value, and of an item beside which there is no other."""
MOST_PARTS = 6
MANGLED = re.compile(r"\b_([A-Za-z]\w*?)__\w+")
"""Attribute that a class keeps for itself, as the interpreter spells it: objects of that class
alone have it."""
TELLING = 2
"""Fewest attributes by which an object of a library is known."""
BUILTIN = {"str": dir(str), "list": dir(list), "dict": dir(dict)}
LITTLE = frozenset({"index", "text", "truth", "length", "context"})
"""Kinds of uses that hardly tell what a value is."""


@dataclass(frozen=True)
class StandIns:
    """Runs of targets with stand-ins, none of which is a test."""

    prober: Prober
    resolver: Resolver
    inputs: Inputs

    def learn(self, targets: Sequence[Target], seconds: float) -> list[Target]:
        """Adds values for parameters of `targets` and of what makes their objects; returns those
        that got any."""
        calls = [call for target in targets for call in calls_with_stand_ins(target)]
        cases = [case for call in calls if (case := as_case(call, self.resolver)) is not None]
        met: dict[str, Meeting] = {}
        for found in self.prober.meetings(cases, seconds).values():
            for name, meeting in found.items():
                met.setdefault(name, Meeting()).join(meeting)
        doubles = Doubles(self.inputs.objects, self.inputs.matcher, self.inputs.libraries)
        learnt = {}
        for concerned in dict.fromkeys(one for target in targets for one in _makers(target)):
            for parameter in concerned.parameters:
                meeting = met.get(_label(concerned, parameter), Meeting())
                if values := doubles.values(parameter.name, meeting):
                    self.inputs.note_met(concerned, parameter, values)
                    learnt[concerned.key] = concerned
        return list(learnt.values())


def _makers(target: Target) -> Iterator[Target]:
    if target.owner is not None:
        yield target.owner
    yield target


def _label(target: Target, parameter: Parameter) -> str:
    return f"{target.key} {parameter.name}"


def calls_with_stand_ins(target: Target) -> Iterator[Call]:
    """Yields calls with a stand-in for every parameter that nothing else is said of: one that
    agrees to every question, and one that does not."""
    for agrees in (True, False):
        yield _on_receiver(target, agrees)


def _on_receiver(target: Target, agrees: bool) -> Call:
    """Returns a call on an object, which may itself be what a method of another one returns."""
    call = _with_stand_ins(target, agrees)
    if target.owner is None or target.kind == "static":
        return call
    return replace(call, receiver=_on_receiver(target.owner, agrees), name="subject")


def _with_stand_ins(target: Target, agrees: bool) -> Call:
    values = [
        (parameter.name, f"{STAND_IN}({_label(target, parameter)!r}, {agrees})")
        for parameter in target.parameters
        if not parameter.kind.startswith("var-")
        if parameter.default is None and parameter.annotation is None
    ]
    return Call(target, tuple(values))


class Doubles:
    """Makes values by what stand-ins met."""

    def __init__(
        self, objects: Mapping[str, Sequence[str]], matcher: ClassMatcher, libraries: Libraries
    ) -> None:
        self.objects = objects
        """Class -> expressions that make an instance."""
        self.matcher = matcher
        self.libraries = libraries

    def values(self, name: str, met: Meeting) -> list[str]:
        """Returns values for a parameter, the plainest first."""
        if met.kinds <= LITTLE:
            return []
        found = [self._value(name, met, choice, {}) for choice in range(VARIANTS)]
        fitting = (one for one in dict.fromkeys(found) if len(one) <= LONGEST)
        return [one for one in fitting if not MANGLED.search(one)]

    def _value(self, name: str, met: Meeting, choice: int, above: Mapping[str, Meeting]) -> str:
        """Returns a value for what has a name; `above` are the objects around it by their names."""
        if not met.kinds and name in above:
            return "[]" if above[name].item is not None else "None"
        above = {**above, name: met}
        if met.names:
            return self._of_attributes(met, choice, above)
        if met.keys:
            pairs = [
                f"{key!r}: {self._value(key, m, choice, above)}" for key, m in met.keys.items()
            ]
            return f"{{{', '.join(pairs[:MOST_PARTS])}}}"
        if "called" in met.kinds:
            return self._function(name, met, choice, above)
        if met.item is not None or met.kinds & {"iterated", "indexed"}:
            return self._list(name, met.item or Meeting(), choice, above)
        return self._plain(name, met, choice)

    def _list(self, name: str, item: Meeting, choice: int, above: Mapping[str, Meeting]) -> str:
        if choice == VARIANTS - 1:
            return "[]"
        single = name[:-1] if name.endswith("s") else "item"
        items = [self._value(single, item, choice + more, above) for more in (0, 1)]
        return f"[{', '.join(dict.fromkeys(items[: 1 if len(items[0]) > LONG_ITEM else 2]))}]"

    def _of_attributes(self, met: Meeting, choice: int, above: Mapping[str, Meeting]) -> str:
        owners = [found[1] for name in met.names if (found := MANGLED.fullmatch(name))]
        for kind in (*owners, *self.matcher.having(met.names)):
            if made := self.objects.get(kind):
                return made[choice % len(made)]
        for kind, names in BUILTIN.items():
            if met.names <= {*names}:
                return _chosen(KINDS[kind], choice)
        if len(met.names) >= TELLING:
            for library in LIBRARIES:
                if met.names <= library.attributes and self.libraries.is_known(library):
                    return _chosen(library.values, choice)
        parts = [
            f"{name}={self._value(name, m, choice, above)}" for name, m in met.attributes.items()
        ]
        return f"SimpleNamespace({', '.join(parts[:MOST_PARTS])})"

    def _function(self, name: str, met: Meeting, choice: int, above: Mapping[str, Meeting]) -> str:
        given = ", ".join(LETTERS[: met.arguments]) if met.arguments != 1 else "value"
        known = met.result is not None and met.result.kinds
        if met.result is not None and (known or not given):
            result = self._value(name, met.result, choice, above)
        else:
            result = "value" if met.arguments == 1 else "None"
        return f"lambda {given}: {result}" if given else f"lambda: {result}"

    def _plain(self, name: str, met: Meeting, choice: int) -> str:
        pool = [*met.constants]
        kinds = [*kinds_by_name(name)]
        if "truth" in met.kinds and kinds[:1] == ["str"]:
            pool += [*KINDS["str"][:1], "''"]
        elif "truth" in met.kinds:
            pool += ["True", "False"]
        if met.kinds & {"number", "order", "int", "float"}:
            pool += KINDS["int"][:VARIANTS]
        if not pool and met.kinds & {"text", "str"}:
            pool += KINDS["str"]
        if not pool and "length" in met.kinds:
            pool += KINDS["list"]
        if not pool:
            pool += next((KINDS[kind] for kind in kinds if KINDS.get(kind)), ("1", "2", "3"))
        return _chosen(pool, choice)


def _chosen(pool: Sequence[str], choice: int) -> str:
    pool = list(dict.fromkeys(pool))
    return pool[choice % len(pool)]
