"""Notes both sides of the comparisons that a program makes: what an input would have to be.

The idea is input-to-state correspondence (Aschermann et al., REDQUEEN, NDSS 2019): a value that is
compared and stands in the input is replaced there by what it is compared with. Loaded by path in
the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

WATCH = "__lift_watch__"
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
OPERATIONS: dict[str, Callable[..., Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge, "is": operator.is_, "is not": operator.is_not,
    "in": lambda item, container: item in container,
    "not in": lambda item, container: item not in container,
    "isinstance": isinstance,
    "startswith": lambda text, start: text.startswith(start),
    "endswith": lambda text, end: text.endswith(end),
    "key": lambda table, key: table[key],
    "get": lambda table, key: table.get(key),
}  # fmt: skip
METHODS = {"startswith": "startswith", "endswith": "endswith", "get": "get"}
MATCHING = frozenset({"match", "fullmatch", "search"})
MOST_OF_A_PLACE = 6
"""Most different operands that are noted of one place in one case."""
MOST_ITEMS = 8
LONGEST = 120
SCALARS = (str, bytes, int, float, bool, type(None))


class Watching(ast.NodeTransformer):
    """Lets comparisons, tests of types and texts, and look-ups go through `ComparisonLog.watch`."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.line = 0
        """First line of the branching statement in whose condition the node stands, else 0."""

    def _watched(self, node: ast.expr, operation: str, *sides: ast.expr) -> ast.expr:
        line = self.line or node.lineno
        about = [ast.Constant(self.first), ast.Constant(line), ast.Constant(operation)]
        call = ast.Call(ast.Name(WATCH, ast.Load()), [*about, *sides], [])
        return ast.copy_location(call, node)

    def _branch(self, node: Any) -> ast.AST:
        outer, self.line = self.line, node.lineno
        node.test = self.visit(node.test)
        self.line = outer
        for name in ("body", "orelse"):
            part = getattr(node, name)
            setattr(node, name, [self.visit(n) for n in part] if isinstance(part, list)
                    else self.visit(part))  # fmt: skip
        return node  # type: ignore[no-any-return]

    visit_If = visit_While = visit_IfExp = _branch

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        operation = COMPARISONS[type(node.ops[0])]
        if len(node.ops) > 1:
            return node
        left, right = node.left, node.comparators[0]
        if _is_call_of(left, "len", 1) and operation in ("==", "!=", "<", "<=", ">", ">="):
            assert isinstance(left, ast.Call)
            return self._watched(node, f"len {operation}", left.args[0], right)
        return self._watched(node, operation, left, right)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if _is_call_of(node, "isinstance", 2):
            return self._watched(node, "isinstance", *node.args)
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        plain = not node.keywords and not any(isinstance(a, ast.Starred) for a in node.args)
        if not plain or not isinstance(node.func, ast.Attribute):
            return node
        if method in METHODS and len(node.args) == 1:
            return self._watched(node, METHODS[method], node.func.value, node.args[0])
        if method in MATCHING and 1 <= len(node.args) <= 2:
            return self._watched(node, f"{method}()", node.func.value, *node.args)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load) and not isinstance(node.slice, ast.Slice | ast.Tuple):
            return self._watched(node, "key", node.value, node.slice)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        return node


def _is_call_of(node: ast.expr, name: str, arguments: int) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == name
        and len(node.args) == arguments
        and not node.keywords
        and not any(isinstance(argument, ast.Starred) for argument in node.args)
    )


def watched(tree: ast.Module, first: int) -> ast.Module:
    """Returns the tree of a module whose first probe has the number `first`, with its comparisons
    watched; annotations and defaults are left alone."""
    changed = Watching(first).visit(tree)
    assert isinstance(changed, ast.Module)
    return ast.fix_missing_locations(changed)


class ComparisonLog:
    """Rows of what was compared since the last `taken`."""

    def __init__(self) -> None:
        self.rows: dict[tuple[Any, ...], None] = {}
        self.places: dict[tuple[int, int, str], int] = {}

    def taken(self) -> list[tuple[Any, ...]]:
        """Returns (first probe of the module, line, operation, left, right, items) of each
        comparison, each once; sides are sources of literals, or None."""
        rows = list(self.rows)
        self.rows.clear()
        self.places.clear()
        return rows

    def watch(self, first: int, line: int, operation: str, left: Any, *right: Any) -> Any:
        """Does what the program does, and notes the operands where they are literals."""
        if operation.startswith("len "):
            size = len(left)
            self._note(first, line, operation, left, right[0], ())
            return OPERATIONS[operation[4:]](size, right[0])
        if operation.endswith("()"):
            self._note_match(first, line, left, right)
            return getattr(left, operation[:-2])(*right)
        if operation in ("in", "not in"):
            self._note(first, line, operation, left, right[0], _items(right[0]))
        elif operation == "isinstance":
            self._note(first, line, operation, left, None, _type_names(right[0]))
        elif operation in ("key", "get"):
            if isinstance(left, dict) and type(right[0]) in SCALARS and right[0] not in left:
                self._note(first, line, "key", right[0], left, _items(left))
        else:
            self._note(first, line, operation, left, right[0], ())
        return OPERATIONS[operation](left, *right)

    def _note_match(self, first: int, line: int, left: Any, right: tuple[Any, ...]) -> None:
        if left is re and len(right) == 2:
            pattern, text = right
        elif isinstance(left, re.Pattern) and len(right) == 1:
            pattern, text = left, right[0]
        else:
            return
        pattern = pattern.pattern if isinstance(pattern, re.Pattern) else pattern
        self._note(first, line, "match", text, pattern, ())

    def _note(
        self, first: int, line: int, operation: str, left: Any, right: Any, items: tuple[str, ...]
    ) -> None:
        place = (first, line, operation)
        if self.places.get(place, 0) >= MOST_OF_A_PLACE:
            return
        sides = (_source(left), _source(right))
        if sides == (None, None) and not items:
            return
        row = (*place, *sides, items)
        if row not in self.rows:
            self.rows[row] = None
            self.places[place] = self.places.get(place, 0) + 1


def _source(value: Any) -> str | None:
    """Returns the source of a literal, None for another value or a long one."""
    if type(value) in SCALARS:
        text = repr(value)
    elif type(value) in (list, tuple, set, dict, frozenset) and len(value) <= MOST_ITEMS:
        pairs = [*value, *value.values()] if isinstance(value, dict) else value
        if not all(type(item) in SCALARS for item in pairs):
            return None
        text = repr(value)
    else:
        return None
    return text if len(text) <= LONGEST and text not in ("nan", "inf", "-inf") else None


def _items(container: Any) -> tuple[str, ...]:
    """Returns the first literal items, or keys, of a container of Python's own."""
    if not isinstance(container, dict | list | tuple | set | frozenset | Mapping):
        return ()
    found = []
    for item in container:
        text = _source(item)
        if text is not None:
            found.append(text)
        if len(found) == MOST_ITEMS:
            break
    return tuple(found)


def _type_names(classinfo: Any) -> tuple[str, ...]:
    kinds = classinfo if isinstance(classinfo, tuple) else (classinfo,)
    return tuple(kind.__name__ for kind in kinds[:MOST_ITEMS] if isinstance(kind, type))
