"""Reads how the program calls its own functions and classes: arguments traced to values."""

from __future__ import annotations

import ast
import codecs
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from pytest_lift.agents.offline.natural.values.plain_numbers import shortened
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import BUILTINS, Resolver, constants_of, free_names
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.bindings import bindings, bound_names
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import FunctionNode, leaf, written

DEEPEST = 4
"""Most variables that are followed from an argument to its value."""
LONGEST = 120
MOST_OWNERS = 3
"""Most classes with a method of one name for which a call on an unknown object counts."""

PRIVATE = re.compile(r"""(?<!\w)(['"])_+[^\W_]\w*\1""")
"""Text that a program keeps for itself, as it does what has such a name."""

OF_CALLERS = frozenset({"_getframe", "_getframemodulename", "currentframe", "globals", "locals",
                        "exc_info"})  # fmt: skip
"""Functions that tell something of who calls: in a test that is the test itself."""

Argument = tuple[Target, str, str]
"""(target, parameter, expression)."""
Bound = tuple[Target, ast.Call, dict[str, str | None]]
"""(target, call, parameter -> expression, None where it needs its surroundings)."""


@dataclass(frozen=True)
class _Scope:
    """Names of a function or module, with the expressions that they stand for where that is
    plain."""

    values: Mapping[str, ast.expr]
    items_of: Mapping[str, ast.expr]
    """Loop variable -> what is iterated over."""
    unknown: frozenset[str] = frozenset()
    """Parameters, and what is bound otherwise."""

    def binds(self, name: str) -> bool:
        return name in self.values or name in self.items_of


class CallSites:
    """The calls in the sources of a program."""

    def __init__(self, program: Program, targets: Sequence[Target], resolver: Resolver) -> None:
        self.program = program
        self.resolver = resolver
        files = program.files.values()
        self.constants = {n: value for file in files for n, value in constants_of(file).items()}
        self._targets = targets
        self._plain: dict[str, list[Target]] = defaultdict(list)
        self._members: dict[str, list[Target]] = defaultdict(list)
        for target in targets:
            if target.owner is None:
                self._plain[target.call].append(target)
            else:
                self._members[target.leaf].append(target)

    def arguments(self) -> Iterator[Argument]:
        """Yields every argument of a call in the program that can be written without its
        surroundings."""
        for target, _, given in self._all:
            yield from ((target, name, text) for name, text in given.items() if text is not None)
        yield from self._in_place_of_none()

    def _in_place_of_none(self) -> Iterator[Argument]:
        """Yields what functions take for a parameter that is None, where that has a name:
        ``Encoder`` of ``cls = cls or Encoder``."""
        functions = {path: _functions(file.tree) for path, file in self.program.files.items()}
        for target in self._targets:
            node = functions[target.path].get(target.definition)
            optional = {p.name for p in target.parameters if p.default == "None"}
            if node is None or not optional:
                continue
            file = self.program.files[target.path]
            scope, whole = _scope_of(node), _scope_of(file.tree)
            for name, value in _taken_for_none(node):
                if name in optional and any(isinstance(n, ast.Name) for n in ast.walk(value)):
                    text = _Closing(self, scope, whole, file, DEEPEST).closed(value)
                    if text is not None:
                        yield target, name, text

    def calls(self) -> Iterator[Call]:
        """Yields the calls of functions and classes that can be written so, each once."""
        found: dict[Call, None] = {}
        for target, node, given in self._all:
            plain = [p for p in target.parameters if not p.kind.startswith("var-")]
            whole = len(given) == len(node.args) + len(node.keywords)
            known = {name: text for name, text in given.items() if text is not None}
            if target.owner is not None or target.kind == "main" or not whole:
                continue
            if all(p.name in known for p in plain if p.default is None or p.name in given):
                found[Call(target, tuple(known.items()))] = None
        yield from found

    @cached_property
    def _all(self) -> list[Bound]:
        found: list[Bound] = []
        for file in self.program.files.values():
            whole = _scope_of(file.tree)
            functions = [n for n in ast.walk(file.tree) if isinstance(n, FunctionNode)]
            for node in (*functions, file.tree):
                found += self._in(node, file, whole)
        return found

    def _in(
        self,
        node: ast.Module | FunctionNode,
        file: SourceFile,
        whole: _Scope,
    ) -> Iterator[Bound]:
        scope = _scope_of(node)
        for call in (inner for inner in _own(node) if isinstance(inner, ast.Call)):
            for target in () if _names_a_codec(call) else self._called(call.func):
                closing = partial(_Closing, self, scope, whole, file, DEEPEST)
                given = {
                    name: closing().closed(value) for name, value in bound_arguments(target, call)
                }
                yield target, call, given

    def _called(self, function: ast.expr) -> list[Target]:
        if isinstance(function, ast.Name):
            return self._plain.get(function.id, [])
        if isinstance(function, ast.Attribute):
            found = self._members.get(function.attr, []) or self._plain.get(function.attr, [])
            return found if len(found) <= MOST_OWNERS else []
        return []


class _Closing(ast.NodeTransformer):
    """Replaces the variables of an expression's surroundings by what they stand for, and what
    stands there for its many digits by a number that a person types."""

    def __init__(
        self, sites: CallSites, scope: _Scope, whole: _Scope, file: SourceFile, depth: int
    ) -> None:
        self.sites, self.scope, self.whole, self.file = sites, scope, whole, file
        self.depth = depth
        self.failed = False

    def closed(self, node: ast.expr) -> str | None:
        """Returns the expression without variables; None where one of them is not plain."""
        copy = ast.parse(ast.unparse(node), mode="eval")
        text = written(self.visit(copy))
        unknown = text is None or self.failed or len(text) > LONGEST
        return None if unknown or text is None or PRIVATE.search(text) else text

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if not isinstance(node.ctx, ast.Load):
            return node
        if node.id not in self.scope.unknown:
            if self._is_known(node.id):
                return node
            for scope in (self.scope, self.whole):
                found = self._value(scope, node.id)
                if found is not None:
                    return found
        self.failed = True
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if leaf(node.func) in OF_CALLERS:
            self.failed = True
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if not isinstance(node.value, float):  # a whole number may be a flag, a mask or a port
            return node
        return ast.copy_location(ast.Constant(shortened(node.value)), node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        if not free_names(ast.unparse(node)) <= BUILTINS:
            self.failed = True
        return node

    def _is_known(self, name: str) -> bool:
        bound = self.scope.binds(name)
        return not bound and self.sites.resolver.imports([name], self.file.path) is not None

    def _value(self, scope: _Scope, name: str) -> ast.AST | None:
        if self.depth <= 0:
            return None
        if name in scope.values:
            deeper = _Closing(self.sites, scope, self.whole, self.file, self.depth - 1)
            text = deeper.closed(scope.values[name])
            return ast.parse(text, mode="eval").body if text is not None else None
        return self._first(scope.items_of[name]) if name in scope.items_of else None

    def _first(self, items: ast.expr) -> ast.AST | None:
        """Returns the first item of a literal, as it is written or as a constant holds it."""
        if isinstance(items, ast.Name):
            items = self.sites.constants.get(items.id, items)
        first = next(iter(literal_items(items)), None)
        return ast.parse(first, mode="eval").body if first is not None else None


def _functions(tree: ast.Module) -> dict[str, FunctionNode]:
    """Returns the functions of a module and the methods of its classes by name; what makes the
    objects of a class by that of the class."""
    found = {node.name: node for node in tree.body if isinstance(node, FunctionNode)}
    for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        for node in owner.body:
            if isinstance(node, FunctionNode):
                found[f"{owner.name}.{node.name}".removesuffix(".__init__")] = node
    return found


def _taken_for_none(node: FunctionNode) -> Iterator[tuple[str, ast.expr]]:
    """Yields (parameter, expression) where that takes its place if it is None, or false."""
    for inner in ast.walk(node):
        match inner:
            case ast.If(test=test, body=[ast.Assign(targets=[ast.Name(name)], value=value)]):
                if _asks_for_none(test, name):
                    yield name, value
            case ast.BoolOp(ast.Or(), [ast.Name(name), value]):
                yield name, value
            case ast.IfExp(test=test, body=value, orelse=ast.Name(name)):
                if _asks_for_none(test, name):
                    yield name, value


def _asks_for_none(test: ast.expr, name: str) -> bool:
    """Whether a condition is ``name is None`` or ``not name``."""
    match test:
        case ast.Compare(ast.Name(asked), [ast.Is()], [ast.Constant(None)]):
            return asked == name
        case ast.UnaryOp(ast.Not(), ast.Name(asked)):
            return asked == name
    return False


def literal_items(value: ast.expr) -> list[str]:
    """Returns the literals of a list, tuple or set, or the keys of a dict, as source."""
    items = value.keys if isinstance(value, ast.Dict) else getattr(value, "elts", [])
    return [ast.unparse(item) for item in items if isinstance(item, ast.Constant)]


def _names_a_codec(call: ast.Call) -> bool:
    """Whether a call is one like ``text.encode("utf-8")``, of a text or of bytes."""
    first = call.args[0] if call.args and isinstance(call.func, ast.Attribute) else None
    name = first.value if isinstance(first, ast.Constant) else None
    if leaf(call.func) not in ("encode", "decode") or not isinstance(name, str):
        return False
    try:
        return bool(codecs.lookup(name))
    except (LookupError, ValueError):
        return False


def _scope_of(node: ast.Module | FunctionNode) -> _Scope:
    loops = (n for n in _own(node) if isinstance(n, ast.For | ast.comprehension))
    items = {n.target.id: n.iter for n in loops if isinstance(n.target, ast.Name)}
    if isinstance(node, ast.Module):
        return _Scope(bindings(node.body).once, items)
    once = bindings(node.body).once
    unknown = {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
    imported = {one.asname or one.name for one in ast.walk(node) if isinstance(one, ast.alias)}
    bound = {name for statement in node.body for name in bound_names(statement)}
    unknown |= bound - once.keys() - items.keys() - imported
    return _Scope(once, items, frozenset(unknown))


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """Yields what is inside a node, but not what is inside functions in it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, FunctionNode | ast.ClassDef):
            yield from _own(child)


def bound_arguments(target: Target, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """Yields (parameter, argument) of a call."""
    places = [p.name for p in target.parameters if p.kind in ("positional-only", "positional")]
    for name, argument in zip(places, call.args, strict=False):
        if isinstance(argument, ast.Starred):
            return
        yield name, argument
    known = {p.name for p in target.parameters}
    yield from ((k.arg, k.value) for k in call.keywords if k.arg in known and k.arg)
