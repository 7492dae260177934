"""Joins tests of odd input of one file into tables of calls: edge cases, apart from what a person
would type."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pytest_lift.agents.offline.joining.merits.hollow import is_nothing
from pytest_lift.agents.offline.joining.odd.edge_docstrings import told_of
from pytest_lift.agents.offline.joining.odd.edge_rows import (
    GIVING,
    NOTHING,
    RAISING,
    EdgeRow,
    edge_rows,
)
from pytest_lift.agents.offline.joining.odd.tables import EXPECTED
from pytest_lift.agents.offline.writing.grouping import (
    CALL,
    ERROR,
    MESSAGE,
    PlannedTest,
    is_simple,
)
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.source.program import Program
from pytest_lift.suite.placement import placements
from pytest_lift.suite.suite import Suite

FEWEST, MOST = 2, 20
"""Fewest calls that become a table, and most of one."""


def with_edges(items: Sequence[Verified], classes: AbstractSet[str]) -> list[Verified]:
    """Returns the cases, the searched ones as doubtful that show no more than that nothing comes
    out, as of objects of these `classes` with which nothing was done: where something begins or
    ends is an edge, however plain the call is. What can be a row beside others is none."""
    empty = [one.case.origin == "searched" and is_nothing(one, classes) for one in items]
    rows = {
        (one.case.path, one.case.symbol)
        for one, nothing in zip(items, empty, strict=True)
        if one.case.origin == "searched" and is_simple(one) and not (nothing or one.case.doubtful)
    }
    return [
        replace(one, case=replace(one.case, doubtful=True))
        if nothing and not (is_simple(one) and (one.case.path, one.case.symbol) in rows)
        else one
        for one, nothing in zip(items, empty, strict=True)
    ]


def edge_cases_apart(
    plans: Sequence[PlannedTest], begun: AbstractSet[tuple[str, str]] = frozenset()
) -> tuple[list[PlannedTest], list[PlannedTest]]:
    """Returns the plans that are no edge cases, and tables of the calls of those that are: of
    doubtful ones that make objects and make one call, or look at what they made.

    Tables may have one row of what is `begun`: the suite has a table of that name for that file.
    """
    groups: dict[tuple[Hashable, ...], dict[int, list[EdgeRow]]] = {}
    for at, plan in enumerate(plans):
        if rows := edge_rows(plan):
            groups.setdefault(rows[0].group, {})[at] = rows
    moved: set[int] = set()
    tables: list[PlannedTest] = []
    for found in groups.values():
        rows = [row for own in found.values() for row in own]
        path = rows[0].item.case.path
        known = {symbol for place, symbol in begun if place == path}
        symbols = {GIVING if row.symbol == NOTHING else row.symbol for row in rows}
        if len(found) >= FEWEST or known & symbols:
            moved.update(found)
            for symbol, own in _by_symbol(rows, known).items():
                tables += [_table(plans[min(found)], some, symbol) for some in _parts(own)]
    return [plan for at, plan in enumerate(plans) if at not in moved], tables


def _by_symbol(rows: Sequence[EdgeRow], known: AbstractSet[str]) -> dict[str, list[EdgeRow]]:
    """Returns rows by what their tables are called after: those that give None apart, where there
    are enough of them and of the others, or where such tables are `known`."""
    parts: dict[str, list[EdgeRow]] = {}
    for row in rows:
        parts.setdefault(row.symbol, []).append(row)
    if all(len(own) >= FEWEST or symbol in known for symbol, own in parts.items()):
        return parts
    return {next((symbol for symbol in parts if symbol != NOTHING), GIVING): [*rows]}


def _parts(rows: Sequence[EdgeRow]) -> Iterator[list[EdgeRow]]:
    """Yields rows in parts of about one size, none of which is too long for a table."""
    unique = list({row.row.arguments: row for row in rows}.values())
    count = -(-len(unique) // MOST)
    size = -(-len(unique) // count)
    for start in range(0, len(unique), size):
        yield unique[start : start + size]


def _table(first: PlannedTest, rows: Sequence[EdgeRow], symbol: str) -> PlannedTest:
    """Returns the test of some calls of one group."""
    check = rows[0].check
    step = StepCheck("equals", f"{CALL}()", EXPECTED)
    shown = [row.row for row in rows]
    if symbol == NOTHING:
        step = StepCheck("is", f"{CALL}()", "None")
        shown = [replace(row, arguments=row.arguments[:1]) for row in shown]
    if check.raised is not None:
        raised = replace(check.raised, type=ERROR)
        step = StepCheck("raises", f"{CALL}()", raised=raised, match="{}", blank=MESSAGE)
    members = []
    for row in rows:
        case = replace(row.item.case, symbol=symbol, idle=(), title="", keywords=())
        members.append(replace(row.item, case=case, checks=(row.check,)))
    _, sign, reason = first.link.emergent.partition(";")
    emergent = f"observed behaviour of edge cases{sign}{reason}" if first.link.emergent else ""
    return replace(
        first,
        link=replace(first.link, emergent=emergent),
        members=tuple(members),
        form="table",
        rows=tuple(shown),
        steps=(step,),
        told=told_of(rows, symbol),
    )


def begun_tables(suite: Suite, program: Program) -> frozenset[tuple[str, str]]:
    """Returns path of a file -> what tables of edge cases its tests have, as pairs."""
    places = placements(program.files.values(), suite)
    named = {
        (place, test.name.removeprefix("test_"))
        for place, file in suite.files.items()
        for test in file.tests
    }
    tables = ((path, symbol) for path in places for symbol in (GIVING, RAISING, NOTHING))
    return frozenset((path, symbol) for path, symbol in tables if (places[path], symbol) in named)
