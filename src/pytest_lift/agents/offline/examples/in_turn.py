"""Puts examples together that depend on each other by what the program keeps for itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import groupby

from pytest_lift.agents.offline.examples.sessions import Item, Session
from pytest_lift.calls.names import BUILTINS
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import chain

MOST_LINES = 20
"""Source lines of examples that are one test."""


def in_turn(session: Session, program: Program) -> Iterator[list[Item]]:
    """Yields the examples of each block in which the program is told something, such as
    ``activate("fr")``, before something is shown: with what they need of those above, and to the
    end of the block, where it may be taken back."""
    items = session.items
    variables = {name for one in items if not (one.imports or one.defines) for name in one.binds}
    for _, numbers in groupby(range(len(items)), lambda number: items[number].block):
        block = [number for number in numbers if not items[number].imports]
        read = {name for n in block for name in items[n].reads - items[n].binds}
        acting = [n for n in block if _acts(items[n], session, program, variables, read)]
        shown = [number for number in block if items[number].expects]
        if not (acting and shown and acting[0] < shown[-1]):
            continue
        own = [n for n in block if n <= shown[-1] or n in acting]
        found = [items[number] for number in (*_needed(items, own), *own)]
        if sum(one.source.count("\n") + 1 for one in found) <= MOST_LINES:
            yield found


def _acts(
    item: Item, session: Session, program: Program, variables: set[str], read: set[str]
) -> bool:
    """Whether an example calls something of the program for nothing that is shown: what it gives
    is not read, and it is told of no variable."""
    if item.expects or item.imports or item.defines or (item.reads - item.binds) & variables:
        return False
    match item.tree.body:
        case [ast.Expr(value=ast.Call() as call)]:
            pass
        case [ast.Assign(targets=[ast.Name(name)], value=ast.Call() as call)] if name not in read:
            pass
        case _:
            return False
    name = (chain(call.func) or [""])[0]
    if name not in session.imported:
        return bool(name) and name not in BUILTINS
    found = session.imported[name]
    return found.origin.partition(".")[0] in {one.partition(".")[0] for one in program.by_module}


def _needed(items: Sequence[Item], block: Sequence[int]) -> list[int]:
    """Returns the numbers of the examples above a block that bind what it needs."""
    names = {name for number in block for name in items[number].reads}
    names -= {name for number in block for name in items[number].binds}
    found: list[int] = []
    for number in range(block[0] - 1, -1, -1):
        item = items[number]
        if item.binds & names and not (item.imports or item.expects):
            found.insert(0, number)
            names = (names - item.binds) | item.reads
    return found
