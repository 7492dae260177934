"""Classes that are only there to be derived from: a person tests what they do on those below."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pytest_lift.agents.offline.arguments.flow.definitions import Class
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target

ABSTRACT = re.compile(r"^_*(Abstract|Base)(?=[A-Z]|$)|(Base|Mixin|ABC)\d*$")
"""Names of classes that are there to be derived from."""
BASE = 0.7
"""Oddness of an object of such a class, and of a call on it."""
MAKING = frozenset({"constructor", "static"})
CLASS = re.compile(r"\b[A-Z]\w+(?=\()")
"""Names of classes of which an expression makes objects."""


@dataclass
class BaseClasses:
    """Knows the classes of which neither documents nor the program make objects, but of those
    below them; and those whose names say so, or that leave methods to these."""

    inputs: Inputs
    makers: Mapping[str, Target]
    """Name of a class -> what makes it."""
    _known: dict[str, bool] = field(default_factory=dict)

    def forget(self) -> None:
        """Forgets its judgements: more is known of what documents make."""
        self._known.clear()
        self.__dict__.pop("_shown", None)

    def oddness(self, call: Call) -> float:
        """Returns the cost of a call for the base classes that it, what makes its object, and its
        arguments use."""
        classes = [class_of(part.target) for part in call.chain if part.target.kind in MAKING]
        values = (value for part in call.chain for _, value in part.values if "(" in value)
        classes += [name for value in values for name in CLASS.findall(value)]
        return BASE * sum(map(self.is_base, classes))

    def is_base(self, name: str) -> bool:
        """Whether a class is only there to be derived from; cached."""
        if name not in self._known:
            below = [one.name for one in self._below.get(name, ()) if one.name in self.makers]
            declared = self.inputs.annotations.declared
            abstract = ABSTRACT.search(name) is not None or declared.is_unfinished(name)
            unshown = name not in self._shown and not self._shown.isdisjoint(below)
            self._known[name] = bool(below) and (abstract or unshown)
        return self._known[name]

    @cached_property
    def _shown(self) -> set[str]:
        """Names of the classes of which documents or the program's code make objects, and on which
        they call."""
        keys = {key for pool in (self.inputs.documented, self.inputs.used) for key, _ in pool}
        symbols = (key.rpartition(":")[2].split(".") for key in keys)
        return {name for parts in symbols for name in parts if name in self.makers}

    @cached_property
    def _below(self) -> Mapping[str, Sequence[Class]]:
        return self.inputs.flow.definitions.below


def class_of(target: Target) -> str:
    """Returns the name of the class that a call makes, or of which it calls a method."""
    owner, _, name = target.symbol.rpartition(".")
    return name if target.kind == "constructor" else owner.rpartition(".")[2]
