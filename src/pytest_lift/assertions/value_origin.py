"""Where the values inside one test come from: the program, mocks that the test made, or itself.

Assignments are followed without regard to their order.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pytest_lift.assertions.name_resolution import QualifiedNames, leaf
from pytest_lift.assertions.sources import (
    RANK,
    ROUNDS,
    ModuleSources,
    Source,
    Sources,
    of_import,
    root_of,
)
from pytest_lift.source.syntax import FunctionNode

_OWN_FIXTURES = frozenset({"tmp_path", "tmpdir", "monkeypatch", "mocker", "subtests"})
_PATCHES = frozenset({"patch", "object", "multiple", "spy"})


class Provenance(Sources):
    """One test: what its expressions are made of."""

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
                for alias in node.names:
                    bound = alias.asname or alias.name.partition(".")[0]
                    self._give(ast.Name(bound, ast.Store()), of_import(node))
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._give(target, self.of(value))
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
                self._give(target, self.of(node.value))
            case ast.NamedExpr(target=target, value=value):
                self._give(target, self.of(value))
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                self._give(target, self.of(value))
            case ast.comprehension(target=target, iter=value):
                self._give(target, self.of(value))
            case ast.withitem(context_expr=value, optional_vars=target) if target is not None:
                call = value if isinstance(value, ast.Call) else None
                patched = call is not None and leaf(call.func) in _PATCHES
                self._give(target, "mock" if patched else self._of_context(value))
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._define(node)
            case ast.ExceptHandler(name=str(name)):
                self._give(ast.Name(name, ast.Store()), "program")
            case ast.Call(func=called, args=args, keywords=keywords):
                self._touch(called, [*args, *(word.value for word in keywords)])

    def _of_context(self, value: ast.expr) -> Source:
        """What a `with pytest.raises(...)` or `redirect_stdout(...)` gives, its block decides."""
        return "program" if isinstance(value, ast.Call) else self.of(value)

    def _define(self, node: FunctionNode | ast.ClassDef) -> None:
        """Inner functions are what they use; what they are called with is not known."""
        if isinstance(node, FunctionNode):
            for argument in ast.walk(node.args):
                if isinstance(argument, ast.arg) and argument.arg not in self._local:
                    self._local[argument.arg] = "program"
        self._give(ast.Name(node.name, ast.Store()), self._of_binding(node))

    def _touch(self, called: ast.expr, args: list[ast.expr]) -> None:
        """A call may change what it is given, and what it is called on."""
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
    """``@patch("a.b")`` adds an argument unless it is told what to put there."""
    told = any(word.arg in ("new", None) for word in call.keywords)
    return not told and len(call.args) < (3 if leaf(call.func) == "object" else 2)


def _changed(inner: FunctionNode) -> Iterator[str]:
    """Names whose objects an inner function changes in place."""
    for node in ast.walk(inner):
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
            yield root_of(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield root_of(node.func)
