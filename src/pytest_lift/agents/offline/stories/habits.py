"""Optional arguments that a program always gives where it makes an object of a class."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pytest_lift.agents.offline.arguments.call_sites import bound_arguments
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, leaf

USUAL = 0.75
"""Share of the calls of a constructor from which an argument in them is a usual one."""

Classes = Mapping[str, frozenset[str]]
"""Variable or attribute -> classes that it may hold."""


Functions = tuple[FunctionNode, ...]


@dataclass(frozen=True)
class _Site:
    """Call of a constructor in the sources."""

    path: str
    maker: Target
    call: ast.Call
    around: Functions
    """Functions around it, the outermost first."""


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
            if calls[maker.key] == 1:
                often -= self._constant(maker)
            found[maker.key] = frozenset(often & optional)
        return found

    def _constant(self, maker: Target) -> set[str]:
        """Returns the parameters to which the sources give constants: one call alone, with a text
        of its own, is no habit."""
        return {
            name
            for one in self._sites
            if one.maker.key == maker.key
            for name, value in bound_arguments(maker, one.call)
            if isinstance(value, ast.Constant)
        }

    def handed(self, call: Call) -> Iterator[tuple[Target, str, str]]:
        """Yields (constructor, parameter, argument) of what a function hands on to the objects that
        it makes: of ``option('--name')`` the names for ``Option(names)``."""
        for function, given, maker, name in self._handed_on.get(call.target.key, ()):
            text = call.given.get(given)
            if function.args.vararg is not None and given == function.args.vararg.arg:
                text = f"[{', '.join(call.extra)}]" if call.extra else None
            if text is not None:
                yield maker, name, text

    @cached_property
    def _in_sources(self) -> list[tuple[Target, frozenset[str]]]:
        """The constructors that the program calls, with the parameters that each call gives."""
        return [(one.maker, frozenset(_given(one))) for one in self._sites]

    @cached_property
    def _handed_on(self) -> dict[str, list[tuple[FunctionNode, str, Target, str]]]:
        """Function (its key) -> (definition, parameter, constructor, parameter that gets it)."""
        found: dict[str, list[tuple[FunctionNode, str, Target, str]]] = defaultdict(list)
        for one in self._sites:
            outer = one.around[0] if one.around else None
            named = {argument.arg for argument in _arguments(outer)} if outer is not None else set()
            for name, value in bound_arguments(one.maker, one.call):
                if outer is not None and isinstance(value, ast.Name) and value.id in named:
                    row = (outer, value.id, one.maker, name)
                    found[f"{one.path}:{outer.name}"].append(row)
        return found

    @cached_property
    def _sites(self) -> list[_Site]:
        found = []
        for path, file in self.program.files.items():
            held = _held(file.tree, self._makers)
            for node in file.tree.body:
                inner = _merged(_assigned(node, self._makers), held)
                for call, around in _calls(node, ()):
                    names = {leaf(call.func)} | inner.get(leaf(call.func), frozenset())
                    makers = (self._makers[name] for name in names if name in self._makers)
                    found += [_Site(path, maker, call, around) for maker in makers]
        return found


def _given(site: _Site) -> Iterator[str]:
    """Yields the parameters that a call gives itself: none that it hands on though it is optional
    there, too, and none with the default."""
    optional = {one.arg for function in site.around for one in _optional(function)}
    defaults = {p.name: p.default for p in site.maker.parameters}
    for name, value in bound_arguments(site.maker, site.call):
        handed = isinstance(value, ast.Name) and value.id in optional
        if not handed and ast.unparse(value) not in (defaults[name], "None"):
            yield name


def _calls(node: ast.AST, around: Functions) -> Iterator[tuple[ast.Call, Functions]]:
    """Yields the calls in a node, with the functions around them."""
    if isinstance(node, FunctionNode):
        around = (*around, node)
    if isinstance(node, ast.Call):
        yield node, around
    for part in ast.iter_child_nodes(node):
        yield from _calls(part, around)


def _arguments(function: FunctionNode) -> list[ast.arg]:
    given = function.args
    more = [given.vararg] if given.vararg is not None else []
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *more]


def _optional(function: FunctionNode) -> list[ast.arg]:
    """Returns the parameters with a default."""
    given = function.args
    plain = [*given.posonlyargs, *given.args]
    keywords = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    named = [one for one, default in keywords if default is not None]
    return [*plain[len(plain) - len(given.defaults) :], *named]


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
