"""Makes texts of Python smaller, and nodes of such texts, as a person would write what is left."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from itertools import islice

from pytest_lift.agents.offline.arguments.trees.nodes import node_of, python, stays_python, text_of
from pytest_lift.source.syntax import written, written_with

BLOCKS = frozenset({"body"})
"""Lists of which one part has to stay."""
LEFT_OUT = frozenset(
    "orelse finalbody handlers decorator_list keywords args elts values bases items names ifs "
    "targets generators cases defaults keys".split()
)
"""Lists of which any part may be left out."""
TYPES = frozenset({"annotation", "returns"})
"""Expressions that are left out, as no name stands for a type."""
PLAIN = ast.Name("a", ast.Load())
"""What stands in the place of an expression."""
MOST = 80
"""Most smaller texts of one."""

Change = Callable[[ast.AST], None]


def smaller_node(source: str) -> Iterator[str]:
    """Yields sources of nodes of the same class whose text is smaller; nothing for what is no
    source of a node."""
    kind, found = type(node_of(source)), text_of(source)
    if kind is type(None) or found is None:
        return
    tree, place = found
    for text in smaller_code(str(place.value)):
        new = written_with(tree, place, ast.Constant(text), source)
        if new is not None and type(node_of(new)) is kind:
            yield new


def smaller_code(text: str) -> Iterator[str]:
    """Yields the text with one thing less, the largest first: a statement, a branch, an argument;
    or with a name in the place of an expression."""
    tree = python(text)
    found = {_changed(tree, *one) for one in _changes(tree)} if tree else ()
    shorter = sorted((one for one in found if 0 < len(one) < len(text)), key=lambda t: (len(t), t))
    yield from islice((one for one in shorter if stays_python(text, one)), MOST)


def _changed(tree: ast.AST, number: int, change: Change) -> str:
    """Returns the text of a tree with a change to the node of this number; "" where it cannot be
    written."""
    other = copy.deepcopy(tree)
    change([*ast.walk(other)][number])
    return written(other) or ""


def _changes(tree: ast.AST) -> Iterator[tuple[int, Change]]:
    for number, node in enumerate(ast.walk(tree)):
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                least = 1 if name in BLOCKS or name == "targets" else 0
                if len(value) > least and name in LEFT_OUT | BLOCKS:
                    yield from ((number, _without(name, at)) for at in range(len(value)))
                yield from ((number, _opened(name, at)) for at in range(len(value)))
                if name in BLOCKS and len(value) == 1 and isinstance(node, ast.stmt):
                    yield number, _idle(name)
            elif not isinstance(value, ast.expr) or isinstance(node, ast.Expr | ast.Raise):
                continue  # a name alone says nothing
            elif name in TYPES and not isinstance(node, ast.AnnAssign):
                yield number, _without_type(name)
            elif not isinstance(value, ast.Name | ast.Constant):
                yield number, _plain(name)


def _without(name: str, at: int) -> Change:
    def change(node: ast.AST) -> None:
        del getattr(node, name)[at]
        if name == "keys" and isinstance(node, ast.Dict):
            del node.values[at]

    return change


def _opened(name: str, at: int) -> Change:
    """Puts the statements inside of one, or a name, in its place."""

    def change(node: ast.AST) -> None:
        parts = getattr(node, name)
        part = parts[at]
        inner = getattr(part, "body", None)
        if isinstance(part, ast.stmt) and isinstance(inner, list):
            parts[at : at + 1] = inner
        elif isinstance(part, ast.expr):
            parts[at] = PLAIN

    return change


def _idle(name: str) -> Change:
    """Puts `pass` in the place of the only statement of a block."""
    return lambda node: setattr(node, name, [ast.Pass()])


def _without_type(name: str) -> Change:
    return lambda node: setattr(node, name, None)


def _plain(name: str) -> Change:
    return lambda node: setattr(node, name, PLAIN)
