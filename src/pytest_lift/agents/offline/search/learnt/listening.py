"""Follows calls whose objects show nothing by calls that have a callback listen to them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

from pytest_lift.agents.offline.arguments.known.by_name import LISTENING
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.search.showing import HEARD_KINDS
from pytest_lift.calls.call import RECORDER, Call
from pytest_lift.calls.case import Observation
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter

CALLBACK = re.compile(
    r"callback|listener|handler|observer|subscriber|^on_(next|data|message|value)"
)
"""Names of parameters for such functions."""
FUNCTIONS = frozenset({"callable", "callback"})
MOST_FOLLOWED = 12
"""Most results of one target that are listened to."""


class Listening:
    """The methods by which objects of a program are listened to."""

    def __init__(self, targets: Sequence[Target], natural: Naturalness) -> None:
        self._followed: Counter[str] = Counter()
        self._methods: dict[str, list[tuple[Target, str]]] = defaultdict(list)
        """Class -> methods to which a callback alone is given, each with its parameter."""
        for target in targets:
            if target.kind == "method" and target.owner is not None and not target.library:
                for name in listened_by(target, natural):
                    self._methods[target.owner.call].append((target, name))

    def following(
        self, call: Call, seen: Observation, is_heard: Callable[[Target], bool]
    ) -> Iterator[Call]:
        """Yields calls that listen to what a call gave, a few for each target until that
        `is_heard`."""
        if call.in_block or call.target.library:
            return
        outcome = seen.outcomes[0]
        methods = self._methods.get(outcome.type.rpartition(".")[2], ())
        target = call.target
        if outcome.raised or not methods or self._followed[target.key] >= MOST_FOLLOWED:
            return
        if target.kind in HEARD_KINDS and not is_heard(target):
            self._followed[target.key] += 1
            yield from (
                Call(method, ((name, RECORDER),), receiver=call) for method, name in methods
            )


def listened_by(target: Target, natural: Naturalness) -> Iterator[str]:
    """Yields the first parameter of a method for a function that gets what comes, where no other
    argument is needed."""
    for parameter in target.parameters:
        others = (one for one in target.parameters if one is not parameter)
        if not any(map(_is_needed, others)) and _is_callback(target, parameter, natural):
            yield parameter.name
            return


def _is_needed(parameter: Parameter) -> bool:
    return parameter.default is None and not parameter.kind.startswith("var-")


def _is_callback(target: Target, parameter: Parameter, natural: Naturalness) -> bool:
    kinds = {*natural.inputs.known_kinds(target, parameter)}
    named = CALLBACK.search(parameter.name) or LISTENING.search(target.leaf)
    return bool(named) and not FUNCTIONS.isdisjoint(kinds)
