"""Judges arguments by those that the program was seen to pass: are they of the same kind?"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping, Set
from dataclasses import dataclass, field

from pytest_lift.agents.offline.arguments.hints.forms import is_literal, literal_kind
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.kinds import KINDS, is_numeric
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import shared_expression

LIKE = {
    "list": ("list", "tuple", "iterable", "any"), "tuple": ("list", "tuple", "iterable", "any"),
    "set": ("set", "iterable", "any"), "dict": ("dict", "any"), "int": ("int", "float", "any"),
    "float": ("int", "float", "any"), "str": ("str", "encoding", "hashable", "any"),
}  # fmt: skip
"""Kind of a literal -> kinds of values in whose place it may stand."""
FUNCTIONS = frozenset({"callable", "callback", "predicate", "any"})


@dataclass
class Likeness:
    """Compares arguments with what the program was seen to pass to parameters without a hint."""

    inputs: Inputs
    makers: Mapping[str, Target]
    """Name of a class or function -> target."""
    _items: dict[tuple[str, str], Set[str]] = field(default_factory=dict)

    def forget(self) -> None:
        """Forgets what it worked out: more was seen."""
        self._items.clear()

    def allows(self, target: Target, parameter: Parameter, value: str) -> bool:
        """Whether the program was seen to pass arguments of that kind, or none at all; objects of
        the program are none of those where it passes values of Python's own types alone."""
        key = (target.key, parameter.name)
        passed = self.inputs.passed_kinds.get(key)
        node = shared_expression(value) if passed else None
        if node is None or not passed:
            return True
        if is_literal(node) or isinstance(node, ast.BinOp):
            kind = literal_kind(node) or ("float" if is_numeric(value) else "number")
            known = {*self.inputs.usage(target, parameter).seen, *passed}
            like = kind == "NoneType" or not known.isdisjoint(LIKE.get(kind, (kind, "any")))
            return like and self._holds_such(key, node)
        if isinstance(node, ast.Name):
            return self._may_be_named(node.id, passed)
        maker = self.makers.get(ast.unparse(node.func)) if isinstance(node, ast.Call) else None
        made = maker is not None and maker.kind == "constructor"
        return not made or not passed.isdisjoint({*self.inputs.classes, "any", "type"})

    def is_of_told_class(self, target: Target, parameter: Parameter, value: str) -> bool:
        """Whether nothing tells the class of an argument, or this is no object of another class of
        the program than those which a docstring, a name, or what registers the function tells,
        and no literal but None where objects alone are taken."""
        made = shared_expression(value)
        if made is not None and is_literal(made):
            return value == "None" or not self._takes_objects_alone(target, parameter)
        name = ast.unparse(made.func) if isinstance(made, ast.Call) else ""
        if name not in self.inputs.classes:
            return True
        told = self.inputs.sure(target, parameter)
        return not told or name in told

    def _takes_objects_alone(self, target: Target, parameter: Parameter) -> bool:
        """Whether a class is told, its objects have all that the code reads of the parameter, and
        no kind of literals is known for this. The name of a conversion says too little."""
        told = self.inputs.sure(target, parameter)
        if not told or self.inputs.matcher.is_guessed(target.leaf):
            return False
        read = self.inputs.usage(target, parameter).met
        having = any(self.inputs.matcher.attributes[name].issuperset(read) for name in told)
        return having and KINDS.keys().isdisjoint(self.inputs.known_kinds(target, parameter))

    def _may_be_named(self, name: str, passed: Set[str]) -> bool:
        """Whether a name is one of a class where classes are passed, and of no class or function
        where neither is."""
        made = self.makers.get(name)
        known = getattr(builtins, name, None)
        if isinstance(known, type) or (made is not None and made.kind == "constructor"):
            return not passed.isdisjoint({"type", *FUNCTIONS})
        if callable(known) or made is not None:
            return not passed.isdisjoint(FUNCTIONS)
        return True

    def _holds_such(self, key: tuple[str, str], node: ast.expr) -> bool:
        """Whether the items of a container are of a kind that was seen in such containers."""
        if not isinstance(node, ast.List | ast.Tuple | ast.Set):
            return True
        if key not in self._items:
            seen = map(shared_expression, self.inputs.passed.get(key, ()))
            held = (one for one in seen if isinstance(one, ast.List | ast.Tuple | ast.Set))
            found = (_kind(item) for one in held for item in one.elts)
            self._items[key] = frozenset(filter(None, found))
        known = self._items[key]
        kinds = {_kind(item) for item in node.elts}
        return not known or all(not kind or _is_like(kind, known) for kind in kinds)


def _is_like(kind: str, known: Set[str]) -> bool:
    objects = {one for one in known if one[:1].isupper()}
    return bool(objects) if kind[:1].isupper() else not known.isdisjoint(LIKE.get(kind, (kind,)))


def _kind(node: ast.expr) -> str:
    """Returns the type of a literal, or the name of a class that is called; "" of all else."""
    if isinstance(node, ast.Call):
        return ast.unparse(node.func).rpartition(".")[2]
    return literal_kind(node)
