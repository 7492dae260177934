"""Reads how the program calls its own functions and classes: arguments traced to values."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pytest_lift.calls.names import BUILTINS, Resolver, free_names
from pytest_lift.calls.targets import Target
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import FunctionNode

DEEPEST = 4
"""Most variables that are followed from an argument to its value."""
LONGEST = 120
MOST_OWNERS = 3
"""Most classes with a method of one name for which a call on an unknown object counts."""

Argument = tuple[Target, str, str]
"""(target, parameter, expression)."""


@dataclass
class _Scope:
    """Names of a function, with the expressions that they are bound to where that is plain."""

    values: dict[str, list[ast.expr]] = field(default_factory=lambda: defaultdict(list))
    items_of: dict[str, ast.expr] = field(default_factory=dict)
    """Loop variable -> what is iterated over."""
    parameters: frozenset[str] = frozenset()


class CallSites:
    """The calls in the sources of a program."""

    def __init__(self, program: Program, targets: Sequence[Target], resolver: Resolver) -> None:
        self.program = program
        self.resolver = resolver
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
        for file in self.program.files.values():
            whole = _scope_of(file.tree)
            for node in ast.walk(file.tree):
                if isinstance(node, FunctionNode):
                    yield from self._in(node, file, whole)
            yield from self._in(file.tree, file, whole)

    def _in(
        self,
        node: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef,
        file: SourceFile,
        whole: _Scope,
    ) -> Iterator[Argument]:
        scope = _scope_of(node)
        for call in _own_calls(node):
            for target in self._called(call.func):
                for name, value in _bound(target, call):
                    text = self._closed(value, scope, whole, file, DEEPEST)
                    if text is not None and len(text) <= LONGEST:
                        yield target, name, text

    def _called(self, function: ast.expr) -> list[Target]:
        if isinstance(function, ast.Name):
            return self._plain.get(function.id, [])
        if isinstance(function, ast.Attribute):
            found = self._members.get(function.attr, []) or self._plain.get(function.attr, [])
            return found if len(found) <= MOST_OWNERS else []
        return []

    def _closed(
        self, node: ast.expr, scope: _Scope, whole: _Scope, file: SourceFile, depth: int
    ) -> str | None:
        """Returns an expression without the variables of its surroundings, or None."""
        return _Closing(self, scope, whole, file, depth).closed(node)


class _Closing(ast.NodeTransformer):
    def __init__(
        self, sites: CallSites, scope: _Scope, whole: _Scope, file: SourceFile, depth: int
    ) -> None:
        self.sites, self.scope, self.whole, self.file = sites, scope, whole, file
        self.depth = depth
        self.failed = False

    def closed(self, node: ast.expr) -> str | None:
        copy = ast.parse(ast.unparse(node), mode="eval")
        text = ast.unparse(ast.fix_missing_locations(self.visit(copy)))
        return None if self.failed or len(text) > LONGEST else text

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if not isinstance(node.ctx, ast.Load):
            return node
        if node.id not in self.scope.parameters:
            if self._is_known(node.id):
                return node
            for scope in (self.scope, self.whole):
                found = self._value(scope, node.id)
                if found is not None:
                    return found
        self.failed = True
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        if not free_names(ast.unparse(node)) <= BUILTINS:
            self.failed = True
        return node

    def _is_known(self, name: str) -> bool:
        bound = name in self.scope.values or name in self.scope.items_of
        return not bound and self.sites.resolver.imports([name], self.file.path) is not None

    def _value(self, scope: _Scope, name: str) -> ast.AST | None:
        if self.depth <= 0:
            return None
        deeper = _Closing(self.sites, scope, self.whole, self.file, self.depth - 1)
        values = scope.values.get(name, [])
        if len(values) == 1:
            text = deeper.closed(values[0])
            return ast.parse(text, mode="eval").body if text is not None else None
        if name in scope.items_of:
            return self._first(scope, scope.items_of[name])
        return None

    def _first(self, scope: _Scope, items: ast.expr) -> ast.AST | None:
        """Returns the first item of a literal, as it is written or as a constant holds it."""
        if isinstance(items, ast.Name):
            values = constants_in(self.sites.program).get(items.id, [])
            items = values[0] if len(values) == 1 else items
        if isinstance(items, ast.List | ast.Tuple | ast.Set) and items.elts:
            return items.elts[0] if isinstance(items.elts[0], ast.Constant) else None
        return None


def constants_in(program: Program) -> Mapping[str, list[ast.expr]]:
    """Returns name -> values of the plain assignments at the top of any module."""
    found: dict[str, list[ast.expr]] = defaultdict(list)
    for file in program.files.values():
        for node in file.tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                found[node.targets[0].id].append(node.value)
    return found


def _scope_of(node: ast.AST) -> _Scope:
    scope = _Scope()
    if isinstance(node, FunctionNode):
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
        scope.parameters = frozenset(arg.arg for arg in every)
    for inner in _own(node):
        if isinstance(inner, ast.Assign):
            for target in inner.targets:
                if isinstance(target, ast.Name):
                    scope.values[target.id].append(inner.value)
        elif isinstance(inner, ast.For | ast.comprehension) and isinstance(inner.target, ast.Name):
            scope.items_of[inner.target.id] = inner.iter
    return scope


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """Yields what is inside a node, but not what is inside functions in it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, FunctionNode | ast.ClassDef):
            yield from _own(child)


def _own_calls(node: ast.AST) -> Iterator[ast.Call]:
    return (child for child in _own(node) if isinstance(child, ast.Call))


def _bound(target: Target, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """Yields (parameter, argument) of a call."""
    places = [p.name for p in target.parameters if p.kind in ("positional-only", "positional")]
    for name, argument in zip(places, call.args, strict=False):
        if isinstance(argument, ast.Starred):
            return
        yield name, argument
    known = {p.name for p in target.parameters}
    yield from ((k.arg, k.value) for k in call.keywords if k.arg in known and k.arg)
