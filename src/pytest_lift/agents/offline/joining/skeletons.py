"""The skeleton of a test: its code with holes where tests of one shape may differ."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.writing.grouping import FROZEN, PlannedTest
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.calls.names import free_names
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import FunctionNode, chain, leaf

JOINED = frozenset({"none", "equals", "is", "true", "false", "text", "raises", "attributes"})
"""Forms of checks that a table can have."""
LITERALS = (ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.UnaryOp)


@dataclass(frozen=True)
class Hole:
    """Place in which tests of one shape may differ."""

    kind: str
    """class, name (of a method or property), attribute (that is set), value or expected."""
    source: str
    column: str
    """Name of a column for it."""


@dataclass(frozen=True)
class Skeleton:
    """A test with its holes: `key` is what tests of one shape have in common."""

    plan: PlannedTest
    key: tuple[str, ...]
    holes: tuple[Hole, ...]
    match: str = ""
    variables: tuple[str, ...] = ()
    """What it assigns to, in the order of its lines; others of its shape may use other names."""

    @property
    def doubtful(self) -> bool:
        return self.plan.first.case.doubtful

    def values(self, kind: str) -> tuple[str, ...]:
        return tuple(hole.source for hole in self.holes if hole.kind == kind)


def skeleton_of(
    plan: PlannedTest, parameters: dict[str, list[str]], targets: dict[str, Target]
) -> Skeleton | None:
    """Returns the shape of a test of one searched case; None for another test."""
    item = plan.first
    if len(plan.members) > 1 or plan.rows or item.case.origin != "searched":
        return None
    bare = replace(item.case, alone=False, folder=False, files={})
    if bare.placed or any(c.form not in JOINED or c.files for c in item.checks):
        return None
    own = targets.get(f"{item.case.path}:{item.case.symbol}")
    names = [p.name for p in own.parameters if p.kind.startswith("positional")] if own else []
    reader = Holes({**parameters, own.leaf: names} if own is not None else parameters)
    key = [item.case.path, repr(plan.link.requirements), f"alone: {item.case.alone}"]
    key += [f"folder: {item.case.folder}, home: {item.case.home}", repr({**item.case.files})]
    for check in item.checks:
        tree = ast.parse(check.expression)
        if any(
            isinstance(node, FunctionNode | ast.ClassDef | ast.Lambda) for node in ast.walk(tree)
        ):
            return None
        key += [check.form, check.raised.type if check.raised else "", "m" if check.match else ""]
        key.append(ast.dump(_Anonymous(reader.locals).visit(reader.visit(tree))))
        key.append(",".join(name for name, _ in check.attributes))
        if reader.locals.keys() & free_names(check.expected):
            return None
        shown = [name for name, _ in check.attributes] or [_attribute(check.expression)]
        reader.holes += [
            Hole("expected", value, name or "expected")
            for name, value in zip(shown, expectations_of(check), strict=False)
        ]
    if sum(hole.kind == "expected" for hole in reader.holes) == 1:
        reader.holes = [
            replace(hole, column="expected") if hole.kind == "expected" else hole
            for hole in reader.holes
        ]
    reader.holes = [
        replace(hole, column="function") if _is_function(hole, item.case.path, targets) else hole
        for hole in reader.holes
    ]
    match = "".join(check.match for check in item.checks)
    return Skeleton(plan, tuple(key), tuple(reader.holes), match, tuple(reader.locals))


def _is_function(hole: Hole, path: str, targets: dict[str, Target]) -> bool:
    """Whether a name that begins like that of a class is one of a function."""
    target = targets.get(f"{path}:{hole.source}") if hole.kind == "class" else None
    return target is not None and target.kind == "function"


def _attribute(expression: str) -> str:
    """Returns ``kind`` of ``error.kind``, a name for what is expected of it; else ""."""
    node = ast.parse(expression).body[0]
    value = node.value if isinstance(node, ast.Expr) else None
    return value.attr if isinstance(value, ast.Attribute) else ""


def expectations_of(check: StepCheck) -> list[str]:
    """Returns the values that a check expects."""
    if check.attributes:
        return [value for _, value in check.attributes]
    return [check.expected] if check.form in ("equals", "is", "text") and check.expected else []


class Holes(ast.NodeTransformer):
    """Takes classes, names and literals out of code, in the order in which they stand there.

    With `filled`, a function from the number of a hole to an expression, it puts something in."""

    def __init__(
        self,
        parameters: dict[str, list[str]],
        filled: Callable[[int], ast.expr | None] | None = None,
    ) -> None:
        self.parameters = parameters
        self.filled = filled
        self.holes: list[Hole] = []
        self.locals: dict[str, int] = {}
        """Variable -> its number."""

    def _hole(self, kind: str, node: ast.expr, source: str, column: str) -> ast.expr:
        number = len(self.holes)
        self.holes.append(Hole(kind, source, column))
        if self.filled is None:
            return ast.Name(f"<{kind}>", ast.Load())
        return self.filled(number) or node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        if is_setting(node):
            return self._setting(node)
        for name in (n.id for n in node.targets if isinstance(n, ast.Name)):
            self.locals.setdefault(name, len(self.locals))
        node.value = self.visit(node.value)
        node.targets = [
            self.visit(n) if not isinstance(n, ast.Attribute) else n for n in node.targets
        ]
        return node

    def _setting(self, node: ast.Assign) -> ast.AST:
        """Takes the attribute and its value out of a line that sets it."""
        (target,) = node.targets
        assert isinstance(target, ast.Attribute)
        got = self._hole("attribute", ast.Constant(target.attr), repr(target.attr), "name")
        constant = isinstance(node.value, ast.Attribute) and bool(chain(node.value))
        if constant and not free_names(ast.unparse(node.value)) & self.locals.keys():
            node.value = self._hole("value", node.value, ast.unparse(node.value), "value")
        else:
            node.value = self._argument(node.value, "value")
        if self.filled is None:
            target.attr = "<name>"
        elif not isinstance(got, ast.Constant):
            setting = ast.Name("setattr", ast.Load())
            return ast.Expr(ast.Call(setting, [target.value, got, node.value], []))
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        names = self.parameters.get(leaf(node.func), [])
        if self._is_class(node.func):
            node.func = self._hole("class", node.func, ast.unparse(node.func), "cls")
        else:
            node.func = self.visit(node.func)
        for at, argument in enumerate(node.args):
            node.args[at] = self._argument(argument, names[at] if at < len(names) else "value")
        for keyword in node.keywords:
            keyword.value = self._argument(keyword.value, keyword.arg or "options")
        return node

    def _is_class(self, node: ast.expr) -> bool:
        """Whether what is called is named like a class, or one inside of another."""
        names = chain(node)
        return bool(names) and names[-1][:1].isupper() and names[0] not in self.locals

    def _argument(self, node: ast.expr, name: str) -> ast.expr:
        is_name = isinstance(node, ast.Name) and node.id not in self.locals
        if is_name or is_literal(node):
            return self._hole("value", node, ast.unparse(node), name)
        found = self.visit(node)
        assert isinstance(found, ast.expr)
        return found

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if not isinstance(node.ctx, ast.Load):
            return node
        if not isinstance(node.value, ast.Name) or node.value.id not in self.locals:
            node.value = self.visit(node.value)
            return node
        got = self._hole("name", ast.Constant(node.attr), repr(node.attr), "name")
        if self.filled is None:
            return ast.Attribute(node.value, "<name>", ast.Load())
        if isinstance(got, ast.Constant):
            return node
        return ast.Call(ast.Name("getattr", ast.Load()), [node.value, got], [])

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        node.value = self.visit(node.value)
        node.slice = self._argument(node.slice, "key")
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        node.left = self._argument(node.left, "value")
        node.comparators = [self._argument(one, "other") for one in node.comparators]
        return node


class _Anonymous(ast.NodeTransformer):
    """Writes numbers for variables."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self.numbers = numbers

    def visit_Name(self, node: ast.Name) -> ast.Name:
        number = self.numbers.get(node.id)
        return node if number is None else ast.Name(f"<{number}>", node.ctx)


def is_setting(node: ast.Assign) -> bool:
    """Whether a line sets an attribute of a variable."""
    match node.targets:
        case [ast.Attribute(value=ast.Name())]:
            return True
    return False


def is_literal(node: ast.expr) -> bool:
    """Whether an expression consists of literals alone, or of values like ``Decimal("1.1")``."""
    if isinstance(node, ast.Call):
        parts = [*node.args, *(keyword.value for keyword in node.keywords)]
        made = isinstance(node.func, ast.Name) and node.func.id in FROZEN
        return made and all(is_literal(part) for part in parts)
    inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    return isinstance(node, LITERALS) and all(is_literal(child) for child in inner)
