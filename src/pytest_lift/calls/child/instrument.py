"""Inserts probes into syntax trees, and into modules of the program as they are imported.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import ast
import importlib.machinery
import importlib.util
import marshal
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

HITS = "__lift_hits__"
FALSY = "__lift_falsy__"
TRUTHY = "__lift_truthy__"
BARE = frozenset(
    {
        *(ast.Constant, ast.Name, ast.alias, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom),
        *(ast.Pass, ast.Break, ast.Continue),
        *ast.expr_context.__subclasses__(),
        *ast.operator.__subclasses__(),
        *ast.unaryop.__subclasses__(),
        *ast.cmpop.__subclasses__(),
        *ast.boolop.__subclasses__(),
    }
)
"""Kinds of nodes in which no probe can stand."""
SIMPLE = ast.Expr | ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return | ast.Import
"""Statements in which none stands, the usual ones of them."""
HOLDING = ("body", "handlers", "orelse", "finalbody", "cases")
"""Fields with statements, and with what holds some."""


READING = "co_code"
"""What a program names that compares the code of functions."""


@dataclass(frozen=True)
class ProbePoint:
    """Place in the program that a run may reach."""

    kind: str
    """enter, then, else, loop, exit, except, case, after, ternary or condition."""
    line: int
    """First line of the branching statement."""
    to: int
    """First line of the block; for an implicit block, minus the first line of the other side."""


class _Instrument(ast.NodeTransformer):
    def __init__(self, first: int, *, compared: bool = False) -> None:
        self.first = first
        self.compared = compared
        """Whether the program reads the code of functions, to tell those that do nothing."""
        self.probes: list[ProbePoint] = []

    def _new(self, kind: str, line: int, to: int = 0) -> int:
        self.probes.append(ProbePoint(kind, line, to))
        return self.first + len(self.probes) - 1

    def _mark(
        self, block: list[ast.stmt], kind: str, node: ast.AST, at: int = 0, other: int = 0
    ) -> None:
        """Inserts a probe before `block[at]`, with the source position of that statement."""
        line = getattr(node, "lineno", 0)
        there = block[at] if at < len(block) else None
        number = self._new(kind, line, there.lineno if there else -other)
        target = ast.Subscript(ast.Name(HITS, ast.Load()), ast.Constant(number), ast.Store())
        statement = ast.copy_location(ast.Assign([target], ast.Constant(1)), there or node)
        block.insert(at, ast.fix_missing_locations(statement))

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Visits what is in a node, as its base does, but nothing in which no probe can stand."""
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                value[:] = [self._visited(item) for item in value]
            elif isinstance(value, ast.AST) and type(value) not in BARE:
                setattr(node, name, self.visit(value))
        return node

    def _visited(self, item: Any) -> Any:
        return self.visit(item) if isinstance(item, ast.AST) and type(item) not in BARE else item

    def mark_what_follows(self, tree: ast.Module) -> None:
        """Inserts a probe after every `try` and `with`, since an error inside may end the block
        early."""
        for block in [block for node in _holding(tree) for block in _blocks(node)]:
            for at in range(len(block) - 1, 0, -1):
                if isinstance(block[at - 1], ast.Try | ast.With | ast.AsyncWith):
                    self._mark(block, "after", block[at - 1], at)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self.generic_visit(node)
        documented = ast.get_docstring(node, clean=False) is not None
        if self.compared and all(isinstance(one, ast.Pass) for one in node.body[documented:]):
            return node
        self._mark(node.body, "enter", node, 1 if documented else 0)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        self._mark(node.body, "then", node)
        self._mark(node.orelse, "else", node, other=node.body[0].lineno)
        return node

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> ast.AST:
        self.generic_visit(node)
        self._mark(node.body, "loop", node)
        endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant)
        if not endless:
            self._mark(node.orelse, "exit", node, other=node.body[0].lineno)
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        return self._loop(node)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> ast.AST:
        return self._loop(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        return self._loop(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        self.generic_visit(node)
        self._mark(node.body, "except", node)
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        self.generic_visit(node)
        self._mark(node.body, "case", node.body[0])
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        node.body = self._passing(node.body, node)
        node.orelse = self._passing(node.orelse, node)
        return node

    def _passing(self, value: ast.expr, node: ast.expr) -> ast.expr:
        number = self._new("ternary", node.lineno, value.lineno)
        setter = ast.Attribute(ast.Name(HITS, ast.Load()), "__setitem__", ast.Load())
        call = ast.Call(setter, [ast.Constant(number), ast.Constant(1)], [])
        ast.fix_missing_locations(ast.copy_location(call, value))
        return ast.copy_location(ast.BoolOp(ast.Or(), [call, value]), value)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        name = FALSY if isinstance(node.op, ast.And) else TRUTHY
        node.values = [self._deciding(name, value, node) for value in node.values]
        return node

    def _deciding(self, name: str, value: ast.expr, node: ast.expr) -> ast.expr:
        number = self._new("condition", value.lineno, value.lineno)
        call = ast.Call(ast.Name(name, ast.Load()), [ast.Constant(number)], [])
        ast.fix_missing_locations(ast.copy_location(call, value))
        call.args.append(value)
        return call


def _holding(tree: ast.Module) -> Iterator[ast.AST]:
    """Yields what holds statements, the outer ones first."""
    waiting: deque[ast.AST] = deque([tree])
    while waiting:
        node = waiting.popleft()
        yield node
        for name in HOLDING:
            inner = getattr(node, name, None)
            if isinstance(inner, list):
                waiting += [one for one in inner if not isinstance(one, SIMPLE)]


def _blocks(node: ast.AST) -> list[list[ast.stmt]]:
    fields = (getattr(node, name, None) for name in ("body", "orelse", "finalbody"))
    return [block for block in fields if isinstance(block, list)]


def instrument(text: str, first: int = 0) -> tuple[ast.Module, list[ProbePoint]]:
    """Parses `text` and inserts probes numbered from `first`."""
    tree = ast.parse(text)
    worker = _Instrument(first, compared=READING in text)
    worker.mark_what_follows(tree)
    changed = worker.visit(tree)
    assert isinstance(changed, ast.Module)
    return changed, worker.probes


def with_probes(text: str, first: int) -> ast.Module:
    """Returns the tree of `text` with probes numbered from `first`."""
    return instrument(text, first)[0]


def raise_lines(tree: ast.Module) -> frozenset[int]:
    """Returns the lines of the `raise` statements that name an exception."""
    found: set[int] = set()
    for node in _holding(tree):
        if isinstance(node, ast.Raise) and node.exc is not None:
            found.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return frozenset(found)


class Finder:
    """Import finder for the program's modules, whose loader inserts probes."""

    def __init__(
        self,
        modules: dict[str, tuple[str, int]],
        bindings: dict[str, Any],
        change: Callable[[str, int], ast.Module],
        given: dict[str, bytes],
    ) -> None:
        self.modules = modules
        self.bindings = bindings
        self.change = change
        """Makes the tree of a module with probes, of its text and the number of its first one."""
        self.given = given
        """Module -> its code with probes as `marshal` writes it, where that was made before."""
        self.codes: dict[str, CodeType] = {}
        """Module -> its code with probes; `runpy` asks for that of a script each time."""
        self.executed: list[str] = []
        """Modules of the program in the order in which they were imported."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name not in self.modules:
            return None
        file, first = self.modules[name]
        loader = Loader(name, file)
        loader.finder, loader.first = self, first
        package = [str(Path(file).parent)] if file.endswith("__init__.py") else None
        return importlib.util.spec_from_file_location(
            name, file, loader=loader, submodule_search_locations=package
        )


class Loader(importlib.machinery.SourceFileLoader):
    finder: Finder
    first: int

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        if fullname in self.finder.codes:
            return self.finder.codes[fullname]
        if made := self.finder.given.pop(fullname, b""):
            code = marshal.loads(made)
        else:
            text = importlib.util.decode_source(self.get_data(path))
            tree = self.finder.change(text, self.first)
            code = compile(tree, path, "exec", dont_inherit=True, optimize=0)
        assert isinstance(code, CodeType)
        self.finder.codes[fullname] = code
        return code

    def exec_module(self, module: ModuleType) -> None:
        self.finder.executed.append(module.__name__)
        module.__dict__.update(self.finder.bindings)
        super().exec_module(module)
