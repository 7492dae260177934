"""What is written as a test, or marked as one, and never runs, as far as the text alone tells."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from pytest_lift.source.syntax import FunctionNode, blocks, leaf, statements
from pytest_lift.suite.test_file import Definition

_Block = Sequence[ast.stmt]
_UNCOLLECTED = "a class that pytest does not collect"


class NeverRun:
    """One module: which of its tests can never run, and why."""

    def __init__(self, tree: ast.Module) -> None:
        self._module = _of_module(tree.body)
        self._dead: dict[int, int] = {}
        """`id` of a definition -> the line of the condition that keeps it from being made."""
        self._shadowed: dict[int, int] = {}
        """`id` of a definition -> the line of the later one that takes its place."""
        self._read(tree.body)

    def why(self, found: Definition) -> str:
        """Empty where nothing keeps the test from running."""
        nodes: tuple[FunctionNode | ast.ClassDef, ...] = (found.function, *found.classes)
        for node in nodes:
            if line := self._dead.get(id(node)):
                return f"the condition in line {line} is never true"
            if line := self._shadowed.get(id(node)):
                return f"{node.name} is defined again in line {line}"
        for node in nodes:
            for reason in map(_skipping, node.decorator_list):
                if reason:
                    return reason
        for cls in found.classes:
            if reason := _of_body(cls.body):
                return reason
        return self._module

    def is_shadowed(self, found: Definition) -> bool:
        """Whether another definition of its name takes its place."""
        return any(id(node) in self._shadowed for node in (found.function, *found.classes))

    def _read(self, body: _Block, dead: int = 0) -> None:
        made: dict[str, FunctionNode | ast.ClassDef] = {}
        for node in body:
            if isinstance(node, FunctionNode | ast.ClassDef):
                if dead:
                    self._dead[id(node)] = dead
                if node.name in made:
                    self._shadowed[id(made[node.name])] = node.lineno
                made[node.name] = node
            if isinstance(node, ast.ClassDef):
                self._read(node.body, dead)
            for block in blocks(node):
                self._read(block, dead or _condition(node, block))


def _condition(node: ast.stmt, block: _Block) -> int:
    """The line of a condition that never lets `block` run; 0 where it may."""
    if not isinstance(node, ast.If | ast.While):
        return 0
    test = node.test
    if isinstance(test, ast.Constant):
        never = node.orelse if test.value else node.body
    elif leaf(test) == "TYPE_CHECKING" and not isinstance(test, ast.Call):
        never = node.body
    else:
        return 0
    return node.lineno if block is never else 0


def _of_module(body: _Block) -> str:
    for node in body:
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="skip") as called)) if (
                leaf(called.value) == "pytest"
            ):
                return f"the module is skipped in line {node.lineno}"
    return _of_body(body)


def _of_body(body: _Block) -> str:
    """What `pytestmark` and `__test__` of a module or class say, at their last assignment."""
    last = {
        target.id: node.value
        for node in body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    test = last.get("__test__")
    if isinstance(test, ast.Constant) and not test.value:
        return f"__test__ is {test.value!r} in line {test.lineno}"
    marks = last.get("pytestmark")
    several = marks.elts if isinstance(marks, ast.List | ast.Tuple) else [marks] if marks else []
    return next((reason for reason in map(_skipping, several) if reason), "")


def _skipping(mark: ast.expr) -> str:
    """Why a test with this decorator never runs."""
    name, line = leaf(mark), mark.lineno
    call = mark if isinstance(mark, ast.Call) else None
    if name == "skip":
        return f"it is skipped in line {line}"
    if call is None or not call.args:
        return ""
    if name in ("skipif", "skipIf") and _is_constant(call.args[0], true=True):
        return f"it is skipped in line {line}"
    if name == "skipUnless" and _is_constant(call.args[0], true=False):
        return f"it is skipped in line {line}"
    if name == "parametrize" and len(call.args) > 1 and _is_empty(call.args[1]):
        return f"its table in line {line} has no rows"
    return ""


def _is_constant(node: ast.expr, *, true: bool) -> bool:
    """A text is a condition, which is worked out when the test runs."""
    if not isinstance(node, ast.Constant) or isinstance(node.value, str):
        return False
    return bool(node.value) == true


def _is_empty(node: ast.expr) -> bool:
    return isinstance(node, ast.List | ast.Tuple) and not node.elts


def uncollected(
    tree: ast.Module, tests: Iterable[Definition], mixins: Iterable[Definition]
) -> Iterator[tuple[FunctionNode | ast.ClassDef, str, str]]:
    """Functions and classes of a test file that pytest takes for no test: a mark on one never
    counts. Each with what it is, and with the class from which others may inherit it."""
    known = {id(node) for found in tests for node in (found.function, *found.classes)}
    inherited = {id(found.function) for found in mixins}
    for node in statements(tree.body):
        if isinstance(node, ast.ClassDef):
            if id(node) not in known:
                yield node, _UNCOLLECTED, node.name
            for method in statements(node.body):
                if isinstance(method, FunctionNode) and id(method) not in known:
                    handed_on = id(method) in inherited
                    what = f"of {_UNCOLLECTED}" if handed_on else _what(method)
                    yield method, what, node.name if handed_on else ""
        elif isinstance(node, FunctionNode) and id(node) not in known:
            yield node, _what(node), ""


def _what(node: FunctionNode) -> str:
    fixture = any(leaf(decorator) == "fixture" for decorator in node.decorator_list)
    return "a fixture" if fixture else "a function that is no test"
