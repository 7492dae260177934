"""Operands that are objects made of nothing, where known objects of their class hold something:
``Distance() + Distance()`` shows nothing that ``Distance(m=1) + Distance(m=2)`` would not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_lift.agents.offline.arguments.call_sites import bound_arguments
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.operands.hiding import SIDES, differing, operation_of
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import shared_expression

COMPARING = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})
TELLING = frozenset({"bool", "str", "repr", "neg", "abs", "float", "int"})
"""Operations of one operand that tell what it holds."""
BARE, MOST_HELD = 0.6, 3
"""Oddness of an object made of nothing, and most known ones that are tried in its place."""


@dataclass(frozen=True)
class BareOperands:
    """Knows objects that hold something."""

    inputs: Inputs

    def oddness(self, call: Call) -> float:
        """Returns the cost of operands of the last call that are made of nothing."""
        owner = _class_of(call)
        if owner is None or not (bare := _bare(call, owner)) or not self._held(owner):
            return 0.0
        return BARE * bare

    def variants(self, call: Call) -> Iterator[Call]:
        """Yields the call with operands that hold something."""
        owner = _class_of(call)
        if owner is None or not _bare(call, owner):
            return
        for text in self._held(owner):
            filled = _with_held(call, owner, text)
            yield from [filled] if filled is not None else ()

    def _held(self, owner: Target) -> list[str]:
        """Returns what makes objects of a class of something; where nothing is known that does,
        with its first keyword that it does without, and reads of all that it is given."""
        known = self.inputs.objects.get(owner.call, ())
        held = [one for one in known if one.startswith(f"{owner.call}(")]
        held = [one for one in held if one != f"{owner.call}()"][:MOST_HELD]
        if held:
            return held
        read = (one for one in owner.parameters if one.kind == "keyword" and one.default == "...")
        values = ((one.name, self.inputs.pool(owner, one)[:1]) for one in read)
        return [f"{owner.call}({name}={value})" for name, some in values for value in some][:1]


def _class_of(call: Call) -> Target | None:
    """Returns the class of the object of an operation; None of what is none, or of an object that
    calls before it filled."""
    owner, made = call.target.owner, call.receiver
    if owner is None or made is None or owner.kind != "constructor" or made.target != owner:
        return None
    return owner if operation_of(call) in SIDES | COMPARING | TELLING and not call.before else None


def _bare(call: Call, owner: Target) -> int:
    """Returns how many operands are objects of the class made of nothing."""
    sides = (call.receiver.text if call.receiver is not None else "", *call.sources)
    return sides.count(f"{owner.call}()")


def _with_held(call: Call, owner: Target, text: str) -> Call | None:
    """Returns an operation with what makes an object of something in the place of what makes one of
    nothing, another one on each side; None where that is no call of the class, or one whose
    arguments have no names: ``Bag(1, 2)`` for ``*items``."""
    node, bare = shared_expression(text), f"{owner.call}()"
    if not isinstance(node, ast.Call) or call.receiver is None:
        return None
    receiver = call.receiver
    if receiver.text == bare:
        values = ((name, ast.unparse(value)) for name, value in bound_arguments(owner, node))
        receiver = Call(owner, tuple(values))
    if receiver.text == bare:
        return None
    other = next(differing(text), text) if receiver.text == text else text
    sides = tuple((name, other if value == bare else value) for name, value in call.values)
    return call.but(receiver=receiver, values=sides)
