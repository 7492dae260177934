"""Origins of values: the program, mocks, or the test itself.

Assignments are followed without regard to their order.

What is not known to be the test's own counts as the program's.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from pytest_lift.source.bindings import (
    ImportNode,
    QualifiedNames,
    bound_names,
    import_bindings,
    is_import,
)
from pytest_lift.source.syntax import FunctionNode, leaf, statements

Source = Literal["own", "mock", "program"]
RANK: dict[Source, int] = {"own": 0, "mock": 1, "program": 2}
_OWN_MODULES = frozenset(
    "abc collections copy dataclasses datetime decimal enum fractions functools itertools json "
    "math operator random re statistics string textwrap time types typing unittest pytest _pytest "
    "__future__ numbers uuid hashlib base64 struct heapq bisect cmath".split()
)
"""Modules whose functions give what they make of their arguments."""
_OUTSIDE = frozenset({"open", "eval", "exec", "__import__", "globals", "vars", "input"})
_MOCKS = frozenset({"Mock", "MagicMock", "AsyncMock", "NonCallableMock", "PropertyMock"}
                   | {"create_autospec", "mock_open", "sentinel", "stub"})  # fmt: skip
ROUNDS = 6


_OWN_FIXTURES = frozenset({"tmp_path", "tmpdir", "monkeypatch", "mocker", "subtests"})
_PATCHES = frozenset({"patch", "object", "multiple", "spy"})


class Sources:
    """Names, and what expressions made of them come from."""

    def __init__(self, meanings: QualifiedNames) -> None:
        self._meanings = meanings
        self._replaced: frozenset[str] = frozenset()
        self._local: dict[str, Source] = {}
        self._names: Mapping[str, Source] = {}
        self._uses: dict[int, tuple[Source, tuple[str, ...]]] = {}

    def of(self, node: ast.AST | None) -> Source:
        """Returns the origin of the value of an expression."""
        match node:
            case None | ast.Constant():
                return "own"
            case ast.Name(id=name):
                return self._of_name(name)
            case ast.Attribute(value=value):
                if self._meanings.of(node) in self._replaced:
                    return "mock"
                return self.of(value)
            case ast.Call(func=called, args=args, keywords=keywords):
                if leaf(called) in _MOCKS:
                    return "mock"
                maker = self.of(called)
                return maker if maker == "mock" else self.most([called, *args, *keywords])
            case ast.Lambda(body=body):
                return self.of(body)
        parts = ast.iter_child_nodes(node)
        return self.most(p for p in parts if not isinstance(p, ast.expr_context))

    def most(self, nodes: Iterable[ast.AST]) -> Source:
        return max((self.of(node) for node in nodes), key=RANK.__getitem__, default="own")

    def _of_name(self, name: str) -> Source:
        if self._meanings.names.get(name, "") in self._replaced and name not in self._local:
            return "mock"
        if name in self._local:
            return self._local[name]
        if name in self._names:
            return self._names[name]
        known = hasattr(builtins, name) and name not in _OUTSIDE
        return "own" if known else "program"

    def _of_binding(self, node: ast.stmt) -> Source:
        if is_import(node):
            return of_import(node)
        if isinstance(node, ast.Assign | ast.AnnAssign):
            return self.of(node.value)
        if id(node) not in self._uses:
            self._uses[id(node)] = _uses_of(node)
        imported, names = self._uses[id(node)]
        return max([imported, *map(self._of_name, names)], key=RANK.__getitem__)


def _uses_of(node: ast.stmt) -> tuple[Source, tuple[str, ...]]:
    """Imports inside a definition, and names that it uses and does not bind."""
    nodes = [*ast.walk(node)]
    sources: list[Source] = ["own", *map(of_import, filter(is_import, nodes))]
    used = dict.fromkeys(inner.id for inner in nodes if isinstance(inner, ast.Name))
    local = {name for inner in nodes for name in _given_in(inner)}
    return max(sources, key=RANK.__getitem__), tuple(n for n in used if n not in local)


def _given_in(node: ast.AST) -> Iterator[str]:
    """Yields the local names that a node binds; the name of a method is not among them."""
    match node:
        case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
            yield name
        case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body):
            yield from (name for statement in body for name in bound_names(statement))


class ModuleSources(Sources):
    """The names of a test file: the program's are those whose making mentions one of these."""

    def __init__(self, tree: ast.Module) -> None:
        super().__init__(QualifiedNames(tree))
        bound = _bound(tree)
        self.names = self._names = dict.fromkeys(bound, "own")
        self.meanings = self._meanings.names
        for _ in range(ROUNDS):
            before = dict(self.names)
            for name, nodes in bound.items():
                found = (self._of_binding(node) for node in nodes)
                self.names[name] = max(found, key=RANK.__getitem__)
            if before == self.names:
                return


def _bound(tree: ast.Module) -> Mapping[str, list[ast.stmt]]:
    found: dict[str, list[ast.stmt]] = {}
    for node in statements(tree.body):
        names: Iterable[str] = ()
        if isinstance(node, ast.Assign | ast.AnnAssign):  # names of comprehensions, too
            names = [n.id for n in ast.walk(node)
                     if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]  # fmt: skip
        elif is_import(node) or isinstance(node, FunctionNode | ast.ClassDef):
            names = bound_names(node)
        for name in names:
            found.setdefault(name, []).append(node)
    return found


def of_import(node: ImportNode) -> Source:
    tops = {found.top for found in import_bindings(node)}
    return "own" if tops <= _OWN_MODULES else "program"


def root_of(node: ast.AST) -> str:
    """Returns ``a`` of ``a.b[0].c()``, "" for an expression that does not begin with a name."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


class Provenance(Sources):
    """Origins of the values of one test."""

    def __init__(self, module: ModuleSources, function: FunctionNode) -> None:
        super().__init__(QualifiedNames(function, module.meanings))
        self._names = module.names
        nodes = list(ast.walk(function))
        calls = (node for node in nodes if isinstance(node, ast.Call))
        self._replaced = frozenset(name for c in calls for name in self._meanings.named(c))
        self._local = dict(self._arguments(function))
        for node in nodes:  # whoever calls an inner function decides what it changes
            if isinstance(node, ast.Nonlocal | ast.Global):
                self._local |= dict.fromkeys(node.names, "program")
            elif isinstance(node, FunctionNode) and node is not function:
                self._local |= dict.fromkeys(_changed(node), "program")
        for _ in range(ROUNDS):
            before = dict(self._local)
            for node in nodes:
                self._follow(node)
            if self._local == before:
                break

    def _arguments(self, function: FunctionNode) -> Iterator[tuple[str, Source]]:
        """Rows of tables are what their decorators say; a patch hands over a mock."""
        rows: dict[str, Source] = {}
        patches = 0
        for decorator in function.decorator_list:
            call = decorator if isinstance(decorator, ast.Call) else None
            if call and leaf(call.func) == "parametrize" and len(call.args) > 1:
                names = ast.unparse(call.args[0])
                rows |= {name.strip(" '\"[]()"): self.of(call.args[1]) for name in names.split(",")}
            elif call and leaf(call.func) in _PATCHES and _hands_over(call):
                patches += 1
        arguments = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
        mocks = [name for name in arguments if name not in ("self", "cls")][:patches]
        for name in [*arguments, *(a.arg for a in function.args.kwonlyargs)]:
            if name in rows:
                yield name, rows[name]
            elif name in mocks:
                yield name, "mock"
            else:
                yield name, "own" if name in _OWN_FIXTURES else "program"

    def _follow(self, node: ast.AST) -> None:
        match node:
            case ast.Import() | ast.ImportFrom():
                for found in import_bindings(node):
                    self._give(ast.Name(found.bound, ast.Store()), of_import(node))
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._give(target, self.of(value))
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
                self._give(target, self.of(node.value))
            case (
                ast.NamedExpr(target=target, value=value)
                | ast.For(target=target, iter=value)
                | ast.AsyncFor(target=target, iter=value)
                | ast.comprehension(target=target, iter=value)
            ):
                self._give(target, self.of(value))
            case ast.withitem(context_expr=value, optional_vars=target) if target is not None:
                call = value if isinstance(value, ast.Call) else None
                if call is None:
                    self._give(target, self.of(value))
                else:  # pytest.raises(...), redirect_stdout(...): the block decides the value
                    self._give(target, "mock" if leaf(call.func) in _PATCHES else "program")
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._define(node)
            case ast.ExceptHandler(name=str(name)):
                self._give(ast.Name(name, ast.Store()), "program")
            case ast.Call(func=called, args=args, keywords=keywords):
                self._touch(called, [*args, *(word.value for word in keywords)])

    def _define(self, node: FunctionNode | ast.ClassDef) -> None:
        """Records an inner function: its origin is that of what it uses, and its arguments may come
        from the program."""
        if isinstance(node, FunctionNode):
            for argument in ast.walk(node.args):
                if isinstance(argument, ast.arg) and argument.arg not in self._local:
                    self._local[argument.arg] = "program"
        self._give(ast.Name(node.name, ast.Store()), self._of_binding(node))

    def _touch(self, called: ast.expr, args: list[ast.expr]) -> None:
        """Records that a call may change its arguments and the object that it is called on."""
        maker = self.of(called)
        if maker == "mock":
            return
        if maker == "program" or self.most(args) == "program":
            for node in [*args, called]:
                if (root := root_of(node)) in self._local:
                    self._local[root] = "program"

    def _give(self, target: ast.expr, source: Source) -> None:
        match target:
            case ast.Name(id=name):
                self._raise(name, source)
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                for item in elts:
                    self._give(item, source)
            case ast.Starred(value=value):
                self._give(value, source)
            case ast.Attribute() | ast.Subscript():
                root = root_of(target)
                if root in self._local and self._local[root] != "mock":
                    self._raise(root, source)

    def _raise(self, name: str, source: Source) -> None:
        known = self._local.get(name, "own")
        self._local[name] = source if RANK[source] > RANK[known] else known


def _hands_over(call: ast.Call) -> bool:
    """Whether ``@patch("a.b")`` adds an argument: it does unless it is given the replacement."""
    told = any(word.arg in ("new", None) for word in call.keywords)
    return not told and len(call.args) < (3 if leaf(call.func) == "object" else 2)


def _changed(inner: FunctionNode) -> Iterator[str]:
    """Yields names whose objects an inner function changes in place."""
    for node in ast.walk(inner):
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
            yield root_of(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield root_of(node.func)
