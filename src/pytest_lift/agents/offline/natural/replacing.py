"""Keeps the kinds of arguments where calls are made simpler: a list stays one."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_lift.agents.offline.arguments.fitting_inputs import EMPTY
from pytest_lift.agents.offline.arguments.hints.forms import literal_kind
from pytest_lift.agents.offline.arguments.known.parameter_kinds import SCALARS
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.search.surroundings.needs import CLOSING
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import shared_expression

NUMBERS = frozenset({"bool", "int", "float", "complex"})
SEQUENCES = frozenset({"list", "tuple", "set"})
ALIKE = (NUMBERS, SEQUENCES)
"""Kinds of literals of which one may take the place of another."""
NOTHING = "NoneType"


@dataclass(frozen=True)
class Replacing:
    """Judges whether a call may take the place of another one that reaches the same."""

    natural: Naturalness

    def may_replace(self, call: Call, other: Call) -> bool:
        """Whether `other` fits, or `call` does not, either, and no argument becomes one of another
        kind of literal, but of one that its parameter is known to take, for one that it is not,
        or one that the documentation has, or that a person would type, or of the kind that
        the documentation always shows; what has to be closed stays in its block."""
        fits = self.natural.fits(other) or not self.natural.fits(call)
        if call.entered and not other.entered and self._holds(call):
            return False
        return fits and all(self._keeps(*changed) for changed in _changed(call, other))

    def _holds(self, call: Call) -> bool:
        """Whether the object of a call holds something that is to be closed, as by a block."""
        owner = call.target.owner
        members = self.natural.inputs.matcher.attributes.get(owner.leaf if owner else "", ())
        return not set(CLOSING).isdisjoint(members)

    def _keeps(self, target: Target, name: str, old: str, new: str) -> bool:
        if self.natural.is_known(target, name, new) or new in self.natural.typed(target, name):
            return True
        before, after = _kind(old), _kind(new)
        shown = {_kind(one) for one in self.natural.inputs.documented.get((target.key, name), ())}
        if shown == {after} and after in SCALARS:
            return True
        parameter = next((one for one in target.parameters if one.name == name), None)
        if before == "bool" != after and parameter is not None:
            return "bool" not in self.natural.inputs.known_kinds(target, parameter)
        if old.startswith("lambda") and parameter is not None:
            known = self.natural.inputs.known_kinds(target, parameter)
            return "predicate" not in known or new.startswith("lambda")
        like = any({before, after} <= kinds for kinds in ALIKE)
        if not (before and after) or before == after or like or NOTHING in (before, after):
            return True
        if (before, after) == ("bytes", "str") and parameter is not None:
            known = self.natural.inputs.known_kinds(target, parameter)
            return not known or not {"str", "any"}.isdisjoint(known)
        if self.natural.misfit(Call(target, ((name, old),))):
            return True  # a test of what is refused: any wrong kind will do
        if parameter is not None and self._may_be_anything(target, parameter, old):
            return after in SCALARS
        return parameter is None or self._takes(target, parameter, after, before)

    def _may_be_anything(self, target: Target, parameter: Parameter, old: str) -> bool:
        """Whether a number or a letter does in the place of an argument: where nothing tells of
        what kind it is, and it is stored or given back, or has nothing in it."""
        inputs = self.natural.inputs
        empty = old in EMPTY and inputs.is_unseen(target, parameter)
        return empty or inputs.is_opaque(target, parameter)

    def _takes(self, target: Target, parameter: Parameter, kind: str, other: str) -> bool:
        """Whether a parameter is known to take one kind of literals, and not the other one."""
        known = {*self.natural.inputs.known_kinds(target, parameter)}
        return bool(known & _like(kind)) and not known & _like(other)


def _changed(call: Call, other: Call) -> list[tuple[Target, str, str, str]]:
    """Returns (target, parameter, argument, new argument) of what differs between two calls."""
    known = {(p.target.key, name): value for p in call.chain for name, value in p.values}
    pairs = ((p.target, name, value) for p in other.chain for name, value in p.values)
    return [
        (target, name, known[target.key, name], value)
        for target, name, value in pairs
        if known.get((target.key, name), value) != value
    ]


def _like(kind: str) -> frozenset[str]:
    found = next((kinds for kinds in ALIKE if kind in kinds), frozenset({kind}))
    return found | {"iterable"} if kind in SEQUENCES else found


def _kind(source: str) -> str:
    node = shared_expression(source)
    return literal_kind(node) if node is not None else ""
