"""Hints of methods by those of the methods of the same name in related classes."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pytest_lift.calls.targets.target import Target
from pytest_lift.source.ancestry import above
from pytest_lift.source.program import Program
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import FunctionNode, leaf

OF_CLASSES = ("method", "static")
"""Kinds of targets that stand in a class."""


class RelatedHints:
    """Knows the hints of methods by the classes above those that they are in."""

    def __init__(self, program: Program) -> None:
        files = (file for file in program.files.values() if file.error is None)
        nodes = [one for file in files for one in file.tree.body if isinstance(one, ast.ClassDef)]
        self._bases = {one.name: [leaf(base) for base in one.bases] for one in nodes}
        self._hints: dict[tuple[str, str, str], set[str]] = defaultdict(set)
        """(class, method, parameter) -> hints in that class, and in those that are derived."""
        for node in nodes:
            for method, parameter, hint in _hinted(node):
                for one in self._line(node.name):
                    self._hints[one, method, parameter].add(hint)

    def filled(self, targets: Sequence[Target]) -> list[Target]:
        """Returns the targets, parameters of methods that have no hint with that of the nearest
        class above theirs in which, with all that are derived from it, one hint stands for a method
        and a parameter of these names."""
        return [self._filled(one) if one.kind in OF_CLASSES else one for one in targets]

    def _filled(self, target: Target) -> Target:
        owner, _, method = target.symbol.rpartition(".")
        if owner not in self._bases or all(one.annotation for one in target.parameters):
            return target
        line = [*self._line(owner)]

        def hinted(one: Parameter) -> Parameter:
            found = (self._hints.get((name, method, one.name), ()) for name in line)
            hints = next(filter(None, found), ())
            return replace(one, annotation=min(hints)) if len(hints) == 1 else one

        parameters = tuple(one if one.annotation else hinted(one) for one in target.parameters)
        return target if parameters == target.parameters else replace(target, parameters=parameters)

    def _line(self, name: str) -> Iterator[str]:
        """Yields a class of the program and those of the program above it."""
        yield name
        yield from (one for one in above(name, self._bases) if one in self._bases)


def _hinted(node: ast.ClassDef) -> Iterator[tuple[str, str, str]]:
    """Yields method, parameter and hint of a class, but for special methods."""
    for part in node.body:
        if isinstance(part, FunctionNode) and not part.name.startswith("__"):
            for one in (*part.args.posonlyargs, *part.args.args, *part.args.kwonlyargs):
                if one.annotation is not None:
                    yield part.name, one.arg, ast.unparse(one.annotation)
