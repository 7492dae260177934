"""Follows values from the calls in a program to the parameters of its functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile

from pytest_lift.agents.offline.arguments.flow.definitions import Class, Definitions, Function
from pytest_lift.agents.offline.arguments.flow.expressions import Evaluator
from pytest_lift.agents.offline.arguments.flow.known_types import KnownTypes, Place
from pytest_lift.agents.offline.arguments.flow.program_blocks import ProgramBlock, own_nodes
from pytest_lift.agents.offline.arguments.flow.value_types import (
    ANYTHING,
    MAPPINGS,
    NONE,
    NOTHING,
    UNKNOWN,
    Types,
    annotation,
    generic,
    items_of,
    joined,
    part_of,
    plain,
    told,
)
from pytest_lift.source.enumerations import ENUMERATIONS
from pytest_lift.source.exits import returned
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, leaf

MOST_PASSES = 6
"""Most times that all statements are looked at."""
MOST_STATEMENTS = 20_000
"""Assignments of a program that are looked at, and as many calls."""
ADDING = frozenset({"append", "add", "appendleft", "insert"})
TELLING = ("passed", "wanted")
"""What tells the types of a parameter: what is passed to it, else what functions want to which it
is handed on."""
CLASS_METHODS = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
"""Methods that get their class without a decorator."""


@dataclass(frozen=True, eq=False)
class Assignment:
    """Values that get into a place."""

    place: ast.expr | Place
    value: ast.expr | None
    block: ProgramBlock
    way: str = "is"
    """What of the value it gets: all (``is``), an ``item``, what a ``with`` gives, or it holds the
    value itself (``holds``)."""


Called = tuple[ast.Call, ProgramBlock]


class TypeFlow:
    """Types of parameters, by the arguments of all calls in the program.

    A simple form of type inference: variables, attributes of classes and results of functions are
    followed, whatever the order of statements, until nothing new is found.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.definitions = Definitions(program)
        self.known = KnownTypes()
        self.evaluator = Evaluator(self.definitions, self.known)

    def annotation(self, path: str, symbol: str, parameter: str) -> str:
        """Returns the annotation of a parameter of a function, or of what makes the objects of a
        class; "" where the program does not pass anything to it, or unknown things, too."""
        return annotation(self.types(path, symbol, parameter))

    def kinds(self, path: str, symbol: str, parameter: str) -> list[str]:
        """Returns the names of the types that the program passes to a parameter, as far as they
        are known."""
        known = self.types(path, symbol, parameter) - {UNKNOWN, NONE}
        return sorted({one.name for one in known})

    def types(self, path: str, symbol: str, parameter: str) -> Types:
        """Returns the types that the program passes to a parameter, with UNKNOWN among them where
        some are not known."""
        function = self.definitions.functions.get((path, symbol))
        if function is None:
            owner = self.definitions.classes.get(symbol.rpartition(".")[2])
            function = self.definitions.method(owner.name, "__init__") if owner else None
        if function is None:
            return NOTHING
        places = ((kind, function.path, function.symbol, parameter) for kind in TELLING)
        return next((self._solved.of(one) for one in places if one in self._solved), NOTHING)

    @cached_property
    def _solved(self) -> KnownTypes:
        blocks = [*self._blocks()]
        inside = (one for block in blocks for one in _assignments(block))
        assignments = [*self._note_attributes(), *inside][:MOST_STATEMENTS]
        calls = [(call, block) for block in blocks for call in _calls(block)][:MOST_STATEMENTS]
        for block in blocks:
            self._note_hints(block)
        work: list[Assignment | Called] = [*assignments, *calls]
        self._follow(work)
        for block in blocks:  # what nobody passes anything to may be anything
            for name in block.parameters:
                place = self._variable(block, name)
                if place not in self.known:
                    self.known.add(place, ANYTHING)
        self._follow(work)
        for call, block in calls:
            self._note_wanted(call, block)
        return self.known

    def _follow(self, work: Sequence[Assignment | Called]) -> None:
        """Looks at all statements, and again at those that read something of which more is known,
        until nothing is new."""
        for _ in range(MOST_PASSES):
            changed, self.known.changed = self.known.changed, set()
            for number, one in enumerate(work):
                if not self.known.is_new_to(number, changed):
                    continue
                with self.known.read_by(number):
                    if isinstance(one, Assignment):
                        self._assign(one)
                    else:
                        for place, types in self._handed(*one):
                            self.known.add(place, types)
            if not self.known.changed:
                return

    def _blocks(self) -> Iterator[ProgramBlock]:
        """Yields the modules and functions of the program."""
        found: dict[tuple[str, str], ProgramBlock] = {}
        for path, file in self.program.files.items():
            found[path, ""] = ProgramBlock(path, "", file.tree)
        for (path, symbol), one in self.definitions.functions.items():
            outer = found.get((path, symbol.rpartition(".<locals>.")[0]), found[path, ""])
            owner = one.owner if one.is_bound else ""
            found[path, symbol] = ProgramBlock(path, symbol, one.node, owner, outer)
        yield from found.values()

    def _note_hints(self, block: ProgramBlock) -> None:
        """Notes the hints of parameters and of the attributes of classes."""
        if not isinstance(block.node, ast.Module):
            arguments = block.node.args
            for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
                if one.annotation is not None:
                    self.known.tell(
                        self._variable(block, one.arg), told(ast.unparse(one.annotation))
                    )
            if block.owner and block.parameters:
                made = plain(block.owner)
                first = self._variable(block, _placed(block.node)[0])
                of_class = _takes_class(block.node)
                self.known.tell(first, generic("type", made) if of_class else made)

    def _note_attributes(self) -> Iterator[Assignment]:
        """Notes the hints of attributes in the bodies of classes, and yields those that are
        assigned there; members of enumerations are objects of their class."""
        for name, one in self.definitions.classes.items():
            bases = {base for above in self.definitions.above(name) for base in above.bases}
            block = ProgramBlock(one.path, "", self.program.files[one.path].tree)
            for node in one.node.body:
                match node:
                    case ast.AnnAssign(target=ast.Name(id=attribute), annotation=hint):
                        self.known.tell(("attribute", name, attribute), told(ast.unparse(hint)))
                    case ast.Assign(targets=[ast.Name(id=attribute)], value=value):
                        if ENUMERATIONS.isdisjoint(bases):
                            yield Assignment(("attribute", name, attribute), value, block)
                        else:
                            self.known.tell(("attribute", name, attribute), plain(name))

    @staticmethod
    def _variable(block: ProgramBlock, name: str) -> Place:
        return ("variable", block.path, block.symbol, name)

    def _assign(self, one: Assignment) -> None:
        types = self.evaluator.of(one.value, one.block)
        if one.way == "item":
            types = items_of(types)
        elif one.way == "entered":
            types = self._entered(types)
        elif one.way == "holds":
            types = generic("list", types) if types else NOTHING
        if isinstance(one.place, tuple):
            self.known.add(one.place, types)
        else:
            self._store(one.place, types, one.block)

    def _entered(self, types: Types) -> Types:
        """Returns what ``with`` gives of a context manager."""
        found = []
        for one in types:
            method = self.definitions.method(one.name, "__enter__")
            if method is not None:
                found.append(self.evaluator.result(method))
                continue
            made = one.name in ("Iterator", "Generator", "ContextManager") and one.arguments
            found.append(one.arguments[0] if made else ANYTHING)
        return joined(found)

    def _store(self, target: ast.expr, types: Types, block: ProgramBlock) -> None:
        match target:
            case ast.Name(id=name):
                place = block.place(name)
                if place is not None:
                    self.known.add(place, types)
            case ast.Attribute(value=value, attr=name):
                for owner in self.evaluator.of(value, block):
                    if owner.name in self.definitions.classes:
                        self.known.add(("attribute", owner.name, name), types)
            case ast.Subscript(value=held, slice=key):
                if any(one.name in MAPPINGS for one in self.evaluator.of(held, block)):
                    kept = generic("dict", self.evaluator.of(key, block), types)
                    self._store(held, kept, block)
            case ast.Tuple(elts=items) | ast.List(elts=items):
                for at, item in enumerate(items):
                    if isinstance(item, ast.Starred):
                        self._store(item.value, generic("list", items_of(types)), block)
                        return
                    self._store(item, part_of(types, at), block)

    def _handed(self, call: ast.Call, block: ProgramBlock) -> Iterator[tuple[Place, Types]]:
        """Yields (parameter, types of its argument) for what a call hands to functions of the
        program."""
        called = self._called(call, block)
        given = [*self._given(call, block)] if called else []
        for function, first in called:
            placed = given[first:]
            names, arguments = function.names, function.node.args
            found = [*zip(names, placed, strict=False)]
            if arguments.vararg is not None and len(placed) > len(names):
                rest = generic("tuple", *placed[len(names) :])
                found.append((arguments.vararg.arg, rest))
            known = {*names, *(one.arg for one in arguments.kwonlyargs)}
            found += [
                (word.arg, self.evaluator.of(word.value, block))
                for word in call.keywords
                if word.arg in known and word.arg
            ]
            for name, types in found:
                if name not in _hinted(function.node):
                    for kind in ("passed", "variable"):  # functions assign to parameters, too
                        yield (kind, function.path, function.symbol, name), types

    def _called(self, call: ast.Call, block: ProgramBlock) -> list[tuple[Function, int]]:
        """Returns the functions that a call may be of, what makes an object for its class, and the
        number of the first argument that is given to a parameter."""
        made = (
            self.definitions.method(one.name, "__init__") if isinstance(one, Class) else one
            for one in self.evaluator.called(call.func, block)
        )
        return [
            (one, int(self._is_unbound(call.func, one, block))) for one in made if one is not None
        ]

    def _note_wanted(self, call: ast.Call, block: ProgramBlock) -> None:
        """Notes the hints of the functions that parameters are handed on to as they are."""
        plain_ones = takewhile(lambda one: not isinstance(one, ast.Starred), call.args)
        given = [_name(one) for one in plain_ones]
        named = {word.arg: _name(word.value) for word in call.keywords if word.arg}
        own = frozenset(block.parameters).intersection([*given, *named.values()])
        for function, first in self._called(call, block) if own else ():
            for name, handed in (*zip(function.names, given[first:], strict=False), *named.items()):
                place = self._variable(block, handed)
                wanted = self.known.of(("variable", function.path, function.symbol, name), NOTHING)
                told = handed in own and name in _hinted(function.node)
                if told and self.known.of(place) == ANYTHING:
                    self.known.add(("wanted", *place[1:]), wanted)

    def _given(self, call: ast.Call, block: ProgramBlock) -> Iterator[Types]:
        """Yields the types of the arguments of a call that are given by place, as far as stars
        leave them open."""
        for one in call.args:
            types = self.evaluator.of(one.value if isinstance(one, ast.Starred) else one, block)
            if not isinstance(one, ast.Starred):
                yield types
                continue
            tuples = [known.arguments for known in types if known.name == "tuple"]
            if not tuples or len(tuples) < len(types) or len({*map(len, tuples)}) > 1:
                return
            yield from (joined(several) for several in zip(*tuples, strict=True))

    def _is_unbound(self, called: ast.expr, function: Function, block: ProgramBlock) -> bool:
        """Whether a method is called on its class, with the object as its first argument."""
        if not function.is_bound or not isinstance(called, ast.Attribute):
            return False
        if not function.decorators.isdisjoint({"classmethod"}) or function.node.name == "__init__":
            return False
        owners = self.evaluator.of(called.value, block)
        return bool(owners) and all(one.name == "type" for one in owners)


def _placed(node: FunctionNode) -> list[str]:
    return [one.arg for one in (*node.args.posonlyargs, *node.args.args)] or [""]


def _takes_class(node: FunctionNode) -> bool:
    """Whether the first parameter of a method is its class."""
    return node.name in CLASS_METHODS or "classmethod" in map(leaf, node.decorator_list)


@lru_cache(maxsize=65536)
def _hinted(node: FunctionNode) -> frozenset[str]:
    given = (one for one in ast.walk(node.args) if isinstance(one, ast.arg))
    return frozenset(one.arg for one in given if one.annotation is not None)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _calls(block: ProgramBlock) -> Iterator[ast.Call]:
    return (one for one in own_nodes(block.node) if isinstance(one, ast.Call))


def _assignments(block: ProgramBlock) -> Iterator[Assignment]:
    """Yields what gets into variables and attributes in a block, and out of a function."""
    result = ("result", block.path, block.symbol)
    if not isinstance(block.node, ast.Module):
        yield from (Assignment(result, value, block) for value in returned(block.node))
    for node in own_nodes(block.node):
        match node:
            case ast.Assign(targets=targets, value=value):
                yield from (Assignment(one, value, block) for one in targets)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                yield Assignment(target, value, block)
            case ast.AugAssign(target=target, value=value):
                yield Assignment(target, value, block)
            case ast.Yield(value=value):
                yield Assignment(result, value, block)
            case ast.YieldFrom(value=value):
                yield Assignment(result, value, block, "item")
            case ast.NamedExpr(target=target, value=value):
                yield Assignment(target, value, block)
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                yield Assignment(target, value, block, "item")
            case ast.comprehension(target=target, iter=value):
                yield Assignment(target, value, block, "item")
            case ast.withitem(context_expr=value, optional_vars=target) if target is not None:
                yield Assignment(target, value, block, "entered")
            case ast.Call(func=ast.Attribute(value=held, attr=name), args=[*_, value]):
                if name in ADDING:
                    yield Assignment(held, value, block, "holds")
