"""What a parameter is chosen among, and what stands in the place of one that is not given."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from pytest_lift.source.program import Program
from pytest_lift.source.syntax import leaf

MOST_CHOICES = 12
"""Most texts of a table of which one is chosen."""
TABLES = (ast.Dict, ast.Set, ast.List, ast.Tuple)


def tables_of(program: Program) -> dict[str, list[str]]:
    """Returns the texts, as source, by which the items of tables are found that stand in modules
    and classes: name -> texts; none of two tables of one name, nor of one with something else."""
    found: dict[str, list[str]] = {}
    twice: set[str] = set()
    for file in program.files.values():
        classes = (node.body for node in file.tree.body if isinstance(node, ast.ClassDef))
        for body in (file.tree.body, *classes):
            for name, texts in _tables(body):
                twice |= {name} & found.keys()
                found[name] = texts
    return {name: texts for name, texts in found.items() if name not in twice}


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


def chosen_from(parent: ast.AST, child: ast.AST) -> str:
    """Returns the name of the table in which a variable finds something: ``T[x]``, ``x in T``,
    ``T.get(x)``; "" where it finds nothing."""
    match parent:
        case ast.Subscript(value=table, slice=key) if key is child:
            return leaf(table)
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[table]):
            return leaf(table) if left is child else ""
        case ast.Call(func=ast.Attribute(attr="get", value=table), args=[key, *_]):
            return leaf(table) if key is child else ""
    return ""


def told_by_default(node: ast.AST, name: str) -> Iterator[str]:
    """Yields the texts, as source, that stand in the place of a variable that is the constant which
    is its default: ``"left" if align == DEFAULT else align``."""
    for part in ast.walk(node):
        match part:
            case ast.IfExp(
                test=ast.Compare(left=ast.Name(id=found), comparators=[ast.Name(id=constant)]),
                body=ast.Constant(value=str() as text),
                orelse=ast.Name(id=same),
            ) if found == same == name and constant.isupper():
                yield repr(text)


def fallbacks(node: ast.AST, name: str) -> Iterator[object]:
    """Yields the constants that stand in the place of a variable that is None or empty: of
    ``if x is None: x = 1``, ``x or 1`` and ``1 if x is None else x``."""
    for part in ast.walk(node):
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
            return found == name and isinstance(none, ast.Constant) and none.value is None
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=found)):
            return found == name
    return False


def _constant(node: ast.expr) -> Iterator[object]:
    if isinstance(node, ast.Constant) and node.value is not None:
        yield node.value
