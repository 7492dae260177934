"""Makes an object once that several parts of a call need: events of one environment, nodes of one
tree."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from pytest_lift.agents.offline.arguments.call_sites import bound_arguments
from pytest_lift.agents.offline.natural.fitting.fitness import CALLED
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import shared_expression

Name = Callable[[Target, Call], str]
"""Returns a variable for an object of a class that a story does not have yet."""


def with_shared(call: Call, makers: Mapping[str, Target], variable: Name) -> Iterator[Call]:
    """Yields the call with one object in the place of all that are made of one of the classes
    `makers` (constructors by how they are called), the most frequent class first: the object that
    the call is on, one that a line before it has made, or one made before everything else. Another
    object is made of at least one of them: two baskets that are merged are two."""
    nested = [text for text in _texts(call) if text.count("(") > 1]
    root, on_it = _root(call)
    if not nested or (root is not call and root.before):
        return
    called = (name for text in _texts(call) for name in CALLED.findall(text))
    counts = Counter(name for name in called if name in makers)
    if not counts:
        return
    there = {
        line.target.call: line.bound for line in call.before if line.bound and not line.subject
    }
    inside = frozenset[str]().union(*map(_inside, nested))
    for name, times in counts.most_common():
        maker = makers[name]
        if name not in inside:
            continue
        if name in there:
            yield _after_lines(call, name, there[name])
        elif root is not call and root.target.call == name and on_it:
            yield from [_with(call, name, on_it)] if not _names(root, name) else ()
        elif times > 1 and (made := _first(call, maker)) is not None:
            bound = variable(maker, call)
            yield _first_made(_with(call, name, bound), made.but(bound=bound))


def _root(call: Call) -> tuple[Call, str]:
    """Returns the call with which a chain begins, and the variable that holds what it gives."""
    name = ""
    while call.receiver is not None:
        name, call = call.name, call.receiver
    return call, name


def _names(call: Call, name: str) -> bool:
    return any(name in CALLED.findall(text) for text in call.sources)


@lru_cache(maxsize=4096)
def _inside(text: str) -> frozenset[str]:
    """Returns what is called in an argument to make another object of it."""
    tree = shared_expression(text)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)] if tree else []
    given = [one for node in calls for one in (*node.args, *(k.value for k in node.keywords))]
    parts = {id(part): part for one in given for part in ast.walk(one)}
    return frozenset(ast.unparse(p.func) for p in parts.values() if isinstance(p, ast.Call))


def _after_lines(call: Call, name: str, variable: str) -> Call:
    """Returns a call with what a line before it has made in the place of objects of a class."""
    alone = _with(call.but(receiver=None, before=()), name, variable)
    return alone.but(receiver=call.receiver, before=call.before)


def unshared(call: Call) -> Call:
    """Returns a call with an object of its own in each place of the one that is made before it, as
    an argument has to be written; the call itself where there are other lines before it."""
    match call.before:
        case (Call(bound=name, subject="", before=(), receiver=None) as made,) if name:
            node = shared_expression(made.text)
            if node is not None and call.receiver is None:
                return _with_each(call.but(before=()), _Unsharing(name, node))
    return call


def _texts(call: Call) -> Iterator[str]:
    """Yields the arguments of a call, of those before it, and of those that make its object."""
    for part in call.chain:
        yield from (text for text in part.sources if "(" in text)


def _first(call: Call, maker: Target) -> Call | None:
    """Returns the call of a class in the arguments that is made of fewest others."""
    found = [
        node
        for text in _texts(call)
        if (tree := shared_expression(text)) is not None
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == maker.call
    ]
    if not found:
        return None
    node = min(found, key=lambda one: len(ast.unparse(one)))
    given = tuple((name, ast.unparse(one)) for name, one in bound_arguments(maker, node))
    alone = not any(isinstance(one, ast.Name) for one in ast.walk(node) if one is not node.func)
    return Call(maker, given) if alone else None


def _with(call: Call, name: str, variable: str) -> Call:
    """Returns a call with a variable in the place of each object of a class."""
    return _with_each(call, _Sharing(name, variable))


def _with_each(call: Call, change: ast.NodeTransformer) -> Call:
    """Returns a call with a change of each argument in it."""

    def other(text: str) -> str:
        if shared_expression(text) is None:
            return text
        return ast.unparse(change.visit(ast.parse(text, mode="eval")))

    return call.but(
        values=tuple((one, other(text)) for one, text in call.values),
        extra=tuple(map(other, call.extra)),
        receiver=_with_each(call.receiver, change) if call.receiver is not None else None,
        before=tuple(_with_each(line, change) for line in call.before),
    )


def _first_made(call: Call, made: Call) -> Call:
    """Returns a call with an object made before all else."""
    if call.receiver is None:
        return call.but(before=(made, *call.before))
    return call.but(receiver=_first_made(call.receiver, made))


class _Sharing(ast.NodeTransformer):
    """Writes a variable for each object that is made of a class."""

    def __init__(self, name: str, variable: str) -> None:
        self.name = name
        self.variable = variable

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if ast.unparse(node.func) == self.name:
            return ast.Name(self.variable, ast.Load())
        self.generic_visit(node)
        return node


class _Unsharing(ast.NodeTransformer):
    """Writes an expression for each place of a variable."""

    def __init__(self, variable: str, value: ast.expr) -> None:
        self.variable = variable
        self.value = value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.value if node.id == self.variable else node
