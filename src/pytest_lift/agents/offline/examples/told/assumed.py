"""Variables that documents take for granted: objects of the class that they are about."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from pytest_lift.agents.offline.examples.told.statements import (
    ToldStatement,
    read_statement,
    unbound,
)
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.targets.target import Target


def assumed_objects(
    statements: Iterable[ToldStatement], owner: str, matcher: Matcher, known: Iterable[str]
) -> Iterator[ToldStatement]:
    """Yields ``emitter = Emitter()`` for a variable that the statements of a document read and do
    not bind, and of which they use members of a class: of the `owner` of the docstring, else of the
    only class of the program that has them all. It has to need no arguments."""
    told = list(statements)
    for name in sorted(unbound(told) - {*known} - matcher.names):
        members = frozenset(_members(name, told))
        makers = [one for one in _classes(members, owner, matcher) if not _needs(one)]
        if members and len(makers) == 1:
            node = ast.parse(f"{name} = {makers[0].call}()").body[0]
            yield read_statement(node, frozenset({name}))


def _members(name: str, statements: Iterable[ToldStatement]) -> Iterator[str]:
    """Yields the attributes of a variable that statements use."""
    for one in statements:
        for node in ast.walk(one.node) if name in one.reads else ():
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                yield from [node.attr] if node.value.id == name else []


def _classes(members: frozenset[str], owner: str, matcher: Matcher) -> list[Target]:
    """Returns the classes that have all of the members that are methods or properties of any."""
    having = [{one.call for one in matcher.members[name]} for name in members & {*matcher.members}]
    if owner in matcher.classes and having:
        return [matcher.classes[owner]]
    shared = set.intersection(*having) if having and not owner else set()
    return [target for name, target in matcher.classes.items() if name in shared]


def _needs(maker: Target) -> bool:
    """Whether a class cannot be made without arguments."""
    return any(one.default is None and "var" not in one.kind for one in maker.parameters)
