"""Optional arguments that a program always gives where it makes an object of a class."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from pytest_lift.agents.offline.arguments.call_sites import bound_arguments
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets import Target
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, leaf

USUAL = 0.75
"""Share of the calls of a constructor from which an argument in them is a usual one."""

Classes = Mapping[str, frozenset[str]]
"""Variable or attribute -> classes that it may hold."""


class Habits:
    """The calls of constructors in the sources and the documentation of a program."""

    def __init__(self, program: Program, targets: Sequence[Target]) -> None:
        self.program = program
        self._makers = {t.call: t for t in targets if t.kind == "constructor" and not t.members}
        self._documented: dict[str, Call] = {}

    def note(self, call: Call) -> None:
        """Adds a call of a constructor that the documentation shows."""
        self._documented[call.text] = call
        self.__dict__.pop("_usual", None)

    def usual(self, maker: Target) -> frozenset[str]:
        """Returns the optional parameters without which an object is seldom made."""
        return self._usual.get(maker.key, frozenset())

    @cached_property
    def _usual(self) -> dict[str, frozenset[str]]:
        calls: Counter[str] = Counter()
        given: dict[str, Counter[str]] = defaultdict(Counter)
        documented = ((c.target, frozenset(c.given)) for c in self._documented.values())
        for target, names in (*self._in_sources, *documented):
            calls[target.key] += 1
            given[target.key].update(names)
        found = {}
        for maker in self._makers.values():
            optional = {p.name for p in maker.parameters if p.default is not None}
            least = USUAL * calls[maker.key]
            often = {name for name, count in given[maker.key].items() if count >= least}
            found[maker.key] = frozenset(often & optional)
        return found

    @cached_property
    def _in_sources(self) -> list[tuple[Target, frozenset[str]]]:
        """The constructors that the program calls, with the parameters that each call gives."""
        found = []
        for file in self.program.files.values():
            held = _held(file.tree, self._makers)
            for node in file.tree.body:
                inner = _merged(_assigned(node, self._makers), held)
                for call, optional in _calls(node, frozenset()):
                    names = {leaf(call.func)} | inner.get(leaf(call.func), frozenset())
                    for maker in (self._makers[name] for name in names if name in self._makers):
                        found.append((maker, frozenset(_given(maker, call, optional))))
        return found


def _given(maker: Target, call: ast.Call, optional: frozenset[str]) -> Iterator[str]:
    """Yields the parameters that a call gives itself: none that it hands on though it is optional
    there, too, and none with the default."""
    defaults = {p.name: p.default for p in maker.parameters}
    for name, value in bound_arguments(maker, call):
        handed = isinstance(value, ast.Name) and value.id in optional
        if not handed and ast.unparse(value) not in (defaults[name], "None"):
            yield name


def _calls(node: ast.AST, optional: frozenset[str]) -> Iterator[tuple[ast.Call, frozenset[str]]]:
    """Yields the calls in a node, with the optional parameters of the functions around them."""
    if isinstance(node, FunctionNode):
        arguments = node.args
        plain = [*arguments.posonlyargs, *arguments.args]
        with_default = plain[len(plain) - len(arguments.defaults) :]
        keywords = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        with_default += [one for one, default in keywords if default is not None]
        optional = optional | {one.arg for one in with_default}
    if isinstance(node, ast.Call):
        yield node, optional
    for part in ast.iter_child_nodes(node):
        yield from _calls(part, optional)


def _held(tree: ast.Module, makers: Mapping[str, Target]) -> dict[str, frozenset[str]]:
    """Returns the attributes of classes that hold other classes: ``context_class = Context``."""
    found: dict[str, frozenset[str]] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            for statement in node.body:
                if isinstance(statement, ast.Assign | ast.AnnAssign):
                    found = _merged(_assigned(statement, makers), found)
    return found


def _assigned(node: ast.AST, makers: Mapping[str, Target]) -> dict[str, frozenset[str]]:
    """Returns the variables in a node that may hold a class itself: ``cls = Option``."""
    found: dict[str, frozenset[str]] = {}
    for one in ast.walk(node):
        if not isinstance(one, ast.Assign | ast.AnnAssign) or one.value is None:
            continue
        targets = one.targets if isinstance(one, ast.Assign) else [one.target]
        named = frozenset(name for name in _values(one.value) if name in makers)
        if named:
            found = _merged({leaf(target): named for target in targets}, found)
    return found


def _values(node: ast.expr) -> Iterator[str]:
    """Yields the names that an expression may have the value of."""
    match node:
        case ast.Name(id=name):
            yield name
        case ast.BoolOp(values=parts):
            yield from (name for part in parts for name in _values(part))
        case ast.IfExp(body=body, orelse=other):
            yield from (*_values(body), *_values(other))
        case ast.Call(func=function, args=[_, value]) if leaf(function) == "cast":
            yield from _values(value)


def _merged(one: Classes, other: Classes) -> dict[str, frozenset[str]]:
    names = one.keys() | other.keys()
    return {n: one.get(n, frozenset()) | other.get(n, frozenset()) for n in names if n}
