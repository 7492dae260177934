"""What a parameter is chosen among, and what stands in the place of one that is not given."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, chain, is_none, leaf, parts_of

MOST_CHOICES = 12
"""Most texts of a table of which one is chosen."""
TABLES = (ast.Dict, ast.Set, ast.List, ast.Tuple)


class Tables:
    """The tables of texts that stand in a program's modules and classes."""

    def __init__(self, program: Program) -> None:
        bodies = [file.tree.body for file in program.files.values()]
        classes = [node.body for body in bodies for node in body if isinstance(node, ast.ClassDef)]
        self.of_modules = _only(pair for body in bodies for pair in _tables(body))
        self.of_classes = _only(pair for body in classes for pair in _tables(body))

    def chosen(self, function: ast.AST, parent: ast.AST, child: ast.AST) -> Sequence[str]:
        """Returns the texts, as source, of the table in which a function finds a variable, where
        it has no variable of its own by the name of the table."""
        table = table_of(parent, child)
        return self.texts(function, table) if table is not None else ()

    def texts(self, function: ast.AST, table: ast.expr) -> Sequence[str]:
        """Returns the texts, as source, of a table in which a function finds something."""
        name = leaf(table)
        if not (name in self.of_modules or name in self.of_classes):
            return ()
        first = chain(table)[:1]
        own = isinstance(table, ast.Attribute) and first in (["self"], ["cls"])
        if not own and first and first[0] in variables(function):
            return ()
        modules = {} if own else self.of_modules
        classes = self.of_classes if isinstance(table, ast.Attribute) else {}
        found = [pool[name] for pool in (modules, classes) if name in pool]
        return found[0] if len(found) == 1 else ()


def _only(pairs: Iterable[tuple[str, list[str]]]) -> dict[str, list[str]]:
    """Returns name -> texts of the tables of which there is one of that name."""
    found: dict[str, list[list[str]]] = defaultdict(list)
    for name, texts in pairs:
        found[name].append(texts)
    return {name: pools[0] for name, pools in found.items() if len(pools) == 1}


def variables(function: ast.AST) -> set[str]:
    """Returns the names of a function's parameters and variables, and of those inside of it."""
    parts = parts_of(function)
    stored = {
        one.id for one in parts if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    }
    return stored | {one.arg for one in parts if isinstance(one, ast.arg)}


def _tables(body: Iterable[ast.stmt]) -> Iterator[tuple[str, list[str]]]:
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                pass
            case _:
                continue
        if isinstance(value, ast.Call) and leaf(value.func) in ("frozenset", "set", "dict"):
            value = value.args[0] if value.args else value
        items = value.keys if isinstance(value, ast.Dict) else getattr(value, "elts", [])
        plain = [one.value for one in items if isinstance(one, ast.Constant)]
        texts = [one for one in plain if isinstance(one, str)]
        whole = len(plain) == len(items) and 2 * len(texts) > len(plain)  # some may be numbers
        if isinstance(value, TABLES) and texts and whole:
            yield name, [repr(text) for text in texts[:MOST_CHOICES]]


def table_of(parent: ast.AST, child: ast.AST) -> ast.expr | None:
    """Returns the table in which a variable finds something: ``T[x]``, ``x in T``, ``T.get(x)``;
    None where it finds nothing."""
    match parent:
        case ast.Subscript(value=table, slice=key) if key is child:
            return table
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[table]):
            return table if left is child else None
        case ast.Call(func=ast.Attribute(attr="get", value=table), args=[key, *_]):
            return table if key is child else None
    return None


def told_by_default(function: ast.AST, name: str) -> Iterator[str]:
    """Yields the texts, as source, that stand in the place of a parameter that is the constant
    which is its default: ``"left" if align == DEFAULT else align``."""
    default = _default_of(function, name)
    if not isinstance(default, ast.Name):
        return
    for part in parts_of(function):
        match part:
            case ast.IfExp(
                test=ast.Compare(
                    left=ast.Name(id=found),
                    ops=[ast.Eq() | ast.Is()],
                    comparators=[ast.Name(id=constant)],
                ),
                body=ast.Constant(value=str() as text),
                orelse=ast.Name(id=same),
            ) if found == same == name and constant == default.id:
                yield repr(text)


def _default_of(function: ast.AST, name: str) -> ast.expr | None:
    if not isinstance(function, FunctionNode):
        return None
    given = function.args
    placed = reversed([*given.posonlyargs, *given.args])
    pairs = [
        *zip(placed, reversed(given.defaults), strict=False),
        *zip(given.kwonlyargs, given.kw_defaults, strict=True),
    ]
    return next((default for one, default in pairs if one.arg == name), None)


def fallbacks(node: ast.AST, name: str) -> Iterator[object]:
    """Yields the constants that stand in the place of a variable that is None or empty: of
    ``if x is None: x = 1``, ``x or 1`` and ``1 if x is None else x``."""
    for part in parts_of(node):
        match part:
            case ast.If(test=test, body=[ast.Assign(targets=[ast.Name(id=found)], value=value)]):
                if found == name and _is_missing(test, name):
                    yield from _constant(value)
            case ast.BoolOp(op=ast.Or(), values=[ast.Name(id=found), value]) if found == name:
                yield from _constant(value)
            case ast.IfExp(test=test, body=value, orelse=ast.Name(id=found)) if found == name:
                yield from _constant(value) if _is_missing(test, name) else ()
            case ast.IfExp(test=test, body=ast.Name(id=found), orelse=value) if found == name:
                yield from () if _is_missing(test, name) else _constant(value)


def _is_missing(test: ast.expr, name: str) -> bool:
    """Whether a condition holds where a variable is None or empty."""
    match test:
        case ast.Compare(left=ast.Name(id=found), ops=[ast.Is()], comparators=[none]):
            return found == name and is_none(none)
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=found)):
            return found == name
    return False


def _constant(node: ast.expr) -> Iterator[object]:
    if isinstance(node, ast.Constant) and node.value is not None:
        yield node.value
