"""Plainer objects in the place of others: of the same class, of another one that a parameter takes,
and of the class itself for what is had by a detour."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_lift.agents.offline.natural.fitting.fitness import named_parameter
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.calls.call import Call
from pytest_lift.calls.cost import cost_of
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import leaf, shared_expression, written_with

MOST_PLAINER = 2
"""Most objects that are tried in the place of another one."""


@dataclass(frozen=True)
class PlainerObjects:
    """Proposes objects by what is known of the classes of a program."""

    natural: Naturalness

    def within(self, value: str) -> Iterator[str]:
        """Yields an argument with a plainer object of the same class in the place of one in it."""
        node = shared_expression(value) if "(" in value else None
        objects = self.natural.inputs.objects
        for part in ast.walk(node) if node is not None else ():
            if node is None or not isinstance(part, ast.Call):
                continue
            made = next((name for name in _makers(part) if name in objects), "")
            made = made or objects.made_by(leaf(part.func))
            longest = cost_of(ast.unparse(part)) if made else 0.0
            known = (*self._bare(made), *objects.get(made, ()))
            plainer = [text for text in dict.fromkeys(known) if cost_of(text) < longest]
            for text in plainer[:MOST_PLAINER]:
                other = shared_expression(text)
                new = written_with(node, part, other) if other is not None else None
                yield from [new] if new is not None else ()

    def for_parameter(self, target: Target, name: str, value: str) -> list[str]:
        """Returns the plainest objects of the classes that a parameter takes, for one that costs
        more, or for a value that does not fit."""
        parameter = named_parameter(target, name)
        misfit = self.natural.misfit(Call(target, ((name, value),)))
        if parameter is None or not (misfit or "(" in value):
            return []
        inputs = self.natural.inputs
        hint = parameter.annotation or inputs.inferred(target, parameter)
        known = [*inputs.annotations.values(hint)]
        classes = {*inputs.annotations.names(hint)} & inputs.classes
        if not inputs.inferred(target, parameter):
            classes |= {one for one, many in inputs.fitting(target, parameter) if not many}
            classes |= {*inputs.known_kinds(target, parameter)} & inputs.classes
        for one in sorted(classes):
            known += inputs.objects.get(one, ())
            for below in (one, *inputs.annotations.declared.derived(one)):
                known += self._bare(below)
        fitting = [one for one in dict.fromkeys(known) if "(" in one]
        fitting = [one for one in fitting if self.natural.fitness.fits(target, name, one)]
        most = float("inf") if misfit else cost_of(value)
        return sorted((one for one in fitting if cost_of(one) < most), key=cost_of)[:MOST_PLAINER]

    def in_use(self, call: Call) -> Iterator[Call]:
        """Yields a call on an object that its class makes of nothing, for one that is had
        otherwise."""
        owner, made = call.target.owner, call.receiver
        if owner is None or owner.kind != "constructor" or made is None or call.subject:
            return  # what a method gave is had from that alone
        if made.target.key == owner.key:
            return
        if any(True for _ in self._bare(owner.call)):
            yield call.but(receiver=Call(owner))

    def _bare(self, name: str) -> Iterator[str]:
        """Yields what makes an object of a class of nothing, where that needs nothing."""
        maker = self.natural.makers.get(name)
        if maker is not None and maker.kind == "constructor":
            needed = (one for one in maker.parameters if one.default is None)
            if all(one.kind.startswith("var-") for one in needed):
                yield f"{name}()"


def _makers(call: ast.Call) -> Iterator[str]:
    """Yields names of the classes that may make what a call gives: ``A`` for ``A()``, ``A.of()``
    and ``asyncio.run(A.of())``."""
    function = call.func
    if ast.unparse(function) == "asyncio.run" and call.args and isinstance(call.args[0], ast.Call):
        yield from _makers(call.args[0])
    yield leaf(function)
    if isinstance(function, ast.Attribute):
        yield leaf(function.value)
