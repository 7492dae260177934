"""Parameters that a function takes apart into names: several values are given, and no text."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pytest_lift.agents.offline.arguments.inference import Inference
from pytest_lift.agents.offline.natural.values.usual import usual
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import FunctionNode, shared_expression

LETTERS = ("a", "b", "c", "d")


@dataclass
class UnpackedParameters:
    """Knows which parameters the functions of a program unpack: ``name, address = pair``."""

    inference: Inference
    _known: dict[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """`Target.key` -> parameter -> the names that it is unpacked into."""

    def of(self, target: Target) -> Mapping[str, tuple[str, ...]]:
        """Returns the parameters that a target unpacks, with the names that they become."""
        if target.key not in self._known:
            symbol = f"{target.symbol}.__init__" if target.kind == "constructor" else target.symbol
            node = self.inference.functions.get((target.path, symbol))
            self._known[target.key] = dict(_unpacked(node)) if node is not None else {}
        return self._known[target.key]

    def variants(self, call: Call) -> Iterator[Call]:
        """Yields the call with a tuple in the place of each text that is taken apart: what a person
        types for its names, or letters, then its characters."""
        for name, value in call.values:
            names = self.of(call.target).get(name, ())
            node = shared_expression(value) if names else None
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str):
                pairs = zip(names, LETTERS, strict=False)
                items = tuple(usual(one) or letter for one, letter in pairs)
                several = (items, tuple(text)) if len(text) == len(names) else (items,)
                yield from (call.with_value(name, repr(one)) for one in several)


def _unpacked(node: FunctionNode) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields parameters that are never set, with the two to four names they are unpacked into."""
    given = {one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    names = [one for one in ast.walk(node) if isinstance(one, ast.Name)]
    given -= {one.id for one in names if isinstance(one.ctx, ast.Store)}
    for part in ast.walk(node):
        match part:
            case ast.Assign(targets=[ast.Tuple(elts=items)], value=ast.Name(id=name)):
                found = tuple(one.id for one in items if isinstance(one, ast.Name))
                if name in given and 1 < len(found) == len(items) <= len(LETTERS):
                    yield name, found
