"""Where the values of a file's names and expressions come from: the program, mocks, or itself.

What is not known to be the test's own counts as the program's.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Mapping
from typing import Literal

from pytest_lift.assertions.name_resolution import QualifiedNames, leaf
from pytest_lift.source.syntax import FunctionNode, statements

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


class Sources:
    """Names, and what expressions made of them come from."""

    def __init__(self, meanings: QualifiedNames) -> None:
        self._meanings = meanings
        self._replaced: frozenset[str] = frozenset()
        self._local: dict[str, Source] = {}
        self._names: Mapping[str, Source] = {}
        self._uses: dict[int, tuple[Source, tuple[str, ...]]] = {}

    def of(self, node: ast.AST | None) -> Source:
        """Where the value of an expression comes from."""
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
                if _is_mock(called):
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
        if isinstance(node, ast.Import | ast.ImportFrom):
            return of_import(node)
        if isinstance(node, ast.Assign | ast.AnnAssign):
            return self.of(node.value)
        if id(node) not in self._uses:
            self._uses[id(node)] = _uses_of(node)
        imported, names = self._uses[id(node)]
        return max([imported, *map(self._of_name, names)], key=RANK.__getitem__)


def _uses_of(node: ast.stmt) -> tuple[Source, tuple[str, ...]]:
    """What a definition imports inside, and the names that it uses and does not bind."""
    local: set[str] = set()
    used: dict[str, None] = {}
    imported: Source = "own"
    for inner in ast.walk(node):
        match inner:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                local.add(name)
            case ast.Import() | ast.ImportFrom():
                imported = max(imported, of_import(inner), key=RANK.__getitem__)
        if isinstance(inner, ast.Name):
            used[inner.id] = None
    return imported, tuple(name for name in used if name not in local)


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
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [a.asname or a.name.partition(".")[0] for a in node.names]
        elif isinstance(node, FunctionNode | ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            names = [n.id for n in ast.walk(node)
                     if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]  # fmt: skip
        else:
            continue
        for name in names:
            found.setdefault(name, []).append(node)
    return found


def of_import(node: ast.Import | ast.ImportFrom) -> Source:
    if isinstance(node, ast.ImportFrom):
        tops = {"." if node.level else (node.module or "").partition(".")[0]}
    else:
        tops = {alias.name.partition(".")[0] for alias in node.names}
    return "own" if tops <= _OWN_MODULES else "program"


def _is_mock(called: ast.expr) -> bool:
    return leaf(called) in _MOCKS


def root_of(node: ast.AST) -> str:
    """``a`` of ``a.b[0].c()``, "" for what does not begin with a name."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
