"""Variables that documents take for granted: objects of the class that they are about."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from pytest_lift.agents.offline.examples.told.set_ups import SetUp
from pytest_lift.agents.offline.examples.told.statements import (
    ToldStatement,
    read_statement,
    unbound,
)
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import texts


def assumed_objects(
    statements: Iterable[ToldStatement],
    owner: str,
    matcher: Matcher,
    known: Iterable[str],
    documented: Sequence[SetUp] = (),
) -> Iterator[ToldStatement]:
    """Yields ``emitter = Emitter()`` for a variable that the statements of a document read and do
    not bind, and of which they use members of a class: of the `owner` of the docstring, else of the
    only class of the program that has them all. It is made and filled as the set-up `documented`
    elsewhere that has most of the texts which the statements name, unless they fill it themselves;
    without such a set-up it has to need no arguments."""
    told = list(statements)
    for name in sorted(unbound(told) - {*known} - matcher.names):
        members = frozenset(_members(name, told))
        classes = _classes(members, owner, matcher) if members else []
        makers = [one for one in classes if not one.needs_arguments] or classes
        if len(makers) != 1:
            continue
        fitting = [one for one in documented if _fits(one, makers[0], members)]
        words = frozenset(texts(part for one in told for part in ast.walk(one.node)))
        if fitting:
            best = max(fitting, key=lambda one: (len(one.words & words), one.name == name))
            nodes = best.statements(name)
        elif not makers[0].needs_arguments:
            nodes = ast.parse(f"{name} = {makers[0].call}()").body
        else:
            continue
        yield from (read_statement(node, frozenset({name})) for node in nodes)


def _fits(one: SetUp, maker: Target, members: frozenset[str]) -> bool:
    """Whether a set-up makes an object of a class and gives it what statements do not give it that
    use some of its members."""
    told_more = bool(one.filling) or maker.needs_arguments
    return one.maker == maker.call and told_more and one.methods.isdisjoint(members)


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
