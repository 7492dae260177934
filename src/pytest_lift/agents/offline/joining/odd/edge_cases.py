"""Joins tests of odd input of one file into tables of calls: edge cases, apart from what a person
would type."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.docstrings.layout import fits, lines_of
from pytest_lift.agents.offline.joining.hollow import is_nothing
from pytest_lift.agents.offline.joining.inlining import inlined
from pytest_lift.agents.offline.joining.odd.tables import EXPECTED
from pytest_lift.agents.offline.printing.checks import pattern
from pytest_lift.agents.offline.writing.facts.comparisons import comparison
from pytest_lift.agents.offline.writing.grouping import (
    CALL,
    ERROR,
    MESSAGE,
    ParametrizedRow,
    PlannedTest,
    is_simple,
)
from pytest_lift.agents.offline.writing.links import ClaimedLink
from pytest_lift.agents.offline.writing.oracles import StepCheck, Verified
from pytest_lift.agents.offline.writing.readings import is_look
from pytest_lift.agents.offline.writing.sentences import error_words
from pytest_lift.agents.offline.writing.told import assigned
from pytest_lift.agents.offline.writing.values import listed, value_words
from pytest_lift.calls.case import Case
from pytest_lift.calls.names import free_names
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import parsed_expression
from pytest_lift.suite.placement import placements
from pytest_lift.suite.suite import Suite

FEWEST, MOST = 2, 20
"""Fewest calls that become a table, and most of one."""
LONGEST = 160
"""Most characters of a call and what it gives: two lines or three."""
GIVING, RAISING = "edge_cases", "edge_cases_that_raise"
"""What the tables are called after."""
TOLD = {
    GIVING: "each call gives what is expected in its row",
    RAISING: "each call raises the error of its row with its message",
}
MOST_NAMED, MOST_LINES = 3, 4
"""Most functions that a docstring names, and most lines of one that tells each row."""
PLURAL = {"gives": "give", "is": "are", "raises": "raise"}
SIGNS = {"true": "True", "false": "False"}
"""What is expected of a check that states a fact, by its form."""
FORMS = frozenset({"equals", "is", "text", "raises", *SIGNS})
"""Forms of checks that a row can have."""
UNFIT = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
"""What has another meaning, or none, in a function without a name."""


@dataclass(frozen=True)
class _Row:
    """Call of a doubtful test, and what it gives."""

    link: ClaimedLink
    item: Verified
    call: str
    check: StepCheck

    @property
    def group(self) -> tuple[Hashable, ...]:
        """What calls of one table have in common."""
        case, raised = self.item.case, self.check.raised is not None
        around = (case.folder, *case.files.items(), case.home, case.alone, case.awake)
        return (case.path, self.link.requirements, raised, *around)

    @property
    def symbol(self) -> str:
        """What its table is called after."""
        return GIVING if self.check.raised is None else RAISING

    @property
    def row(self) -> ParametrizedRow:
        return row_of(self.call, self.check, self.item.case.symbol)


def row_of(call: str, check: StepCheck, name: str) -> ParametrizedRow:
    """Returns the row of a call and what it gives, or the text of that, or the error that it
    raises."""
    made = (CALL, f"lambda: str({call})" if check.form == "text" else f"lambda: {call}")
    if check.raised is None:
        result = (EXPECTED, SIGNS.get(check.form, check.expected))
        return ParametrizedRow((made, result), "", name)
    error = (ERROR, check.raised.type)
    message = (MESSAGE, pattern(check.match) if check.match else "None")
    return ParametrizedRow((made, error, message), "", name)


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
    groups: dict[tuple[Hashable, ...], dict[int, list[_Row]]] = {}
    for at, plan in enumerate(plans):
        if rows := _rows(plan):
            groups.setdefault(rows[0].group, {})[at] = rows
    moved: set[int] = set()
    tables: list[PlannedTest] = []
    for found in groups.values():
        rows = [row for own in found.values() for row in own]
        first = rows[0]
        if len(found) >= FEWEST or (first.item.case.path, first.symbol) in begun:
            moved.update(found)
            tables += [_table(plans[min(found)], some) for some in _parts(rows)]
    return [plan for at, plan in enumerate(plans) if at not in moved], tables


def _parts(rows: Sequence[_Row]) -> Iterator[list[_Row]]:
    """Yields rows in parts of about one size, none of which is too long for a table."""
    unique = list({row.row.arguments: row for row in rows}.values())
    count = -(-len(unique) // MOST)
    size = -(-len(unique) // count)
    for start in range(0, len(unique), size):
        yield unique[start : start + size]


def _rows(plan: PlannedTest) -> list[_Row]:
    """Returns the calls of a doubtful test; none of one that is no edge case, or does more."""
    found = [[_Row(plan.link, item, *one) for one in _calls(item)] for item in plan.members]
    rows = [row for own in found for row in own]
    return rows if all(found) and len({row.group for row in rows}) == 1 else []


def _calls(item: Verified) -> list[tuple[str, StepCheck]]:
    """Returns the calls of a case as expressions, with what is asserted of them."""
    case = item.case
    if not case.doubtful or not _is_plain(case):
        return []
    asserted = [check for check in item.checks if check.form != "none"]
    setup = item.checks[: len(item.checks) - len(asserted)]
    made = dict(pair for one in setup if (pair := assigned(one.expression)) is not None)
    if len(made) < len(setup) or any(one.form != "none" for one in setup):
        return []
    if len(asserted) > 1 and not all(is_look(one.expression) for one in asserted):
        return []  # what comes later may depend on what came before
    calls = [(_inlined(one.expression, made), one) for one in asserted]
    return calls if all(call and _fits(call, check, made) for call, check in calls) else []


def _is_plain(case: Case) -> bool:
    """Whether a searched case stands for itself: no command line, no loop, no seed."""
    elsewhere = case.argv is not None or case.command or case.stdin or case.looped or case.seeded
    return case.origin == "searched" and not elsewhere and not case.effect


def _inlined(source: str, made: Mapping[str, str]) -> str:
    """Returns an expression with what its variables were given in their places; "" where one is
    used twice, or where a line for another one may have changed what it is of."""
    needed = free_names(source)
    for name in reversed([*made]):
        needed |= free_names(made[name]) if name in needed else set()
    if any(free_names(made[name]) & made.keys() for name in made.keys() - needed):
        return ""
    return inlined(source, {name: made[name] for name in made if name in needed})


def _fits(call: str, check: StepCheck, made: Mapping[str, str]) -> bool:
    """Whether a call and what it gives may stand in a row."""
    if check.form not in FORMS or check.aside or free_names(check.expected) & made.keys():
        return False
    tree = parsed_expression(call)
    if tree is None or any(isinstance(node, UNFIT) for node in ast.walk(tree)):
        return False
    return len(call) + len(check.expected) + len(check.match) <= LONGEST


def _table(first: PlannedTest, rows: Sequence[_Row]) -> PlannedTest:
    """Returns the test of some calls of one group."""
    check = rows[0].check
    step = StepCheck("equals", f"{CALL}()", EXPECTED)
    if check.raised is not None:
        raised = replace(check.raised, type=ERROR)
        step = StepCheck("raises", f"{CALL}()", raised=raised, match="{}", blank=MESSAGE)
    symbol = rows[0].symbol
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
        rows=tuple(row.row for row in rows),
        steps=(step,),
        told=_told(rows),
    )


def _told(rows: Sequence[_Row]) -> str:
    """Returns the docstring of a table: what each call gives where that is short, or what all of
    them give."""
    calls: dict[str, list[str]] = {}
    stated: list[str] = []
    for row in rows:
        form = row.check.form
        if said := comparison(row.call, form) if form in SIGNS else "":
            stated.append(said)
            continue
        call = f"str({row.call})" if form == "text" else row.call
        calls.setdefault(_end(row), []).append(call)
    general = f"Edge cases{_named(rows)}: {_of_all(rows)}."
    if "" in calls:
        return general
    facts = [
        f"{listed(some)} {end if len(some) == 1 else _of_several(end)}"
        for end, some in calls.items()
    ]
    facts += stated
    apart = any(len(some) > 1 or ": " in end for end, some in calls.items())
    text = f"Edge cases: {'; '.join(facts) if apart else listed(facts)}."
    if fits(text) and len(lines_of(text)) <= MOST_LINES:
        return text
    same = [f"Edge cases{_named(rows)}: each call {end}." for end in calls]
    return same[0] if len(same) == 1 and not stated and fits(same[0]) else general


def _of_all(rows: Sequence[_Row]) -> str:
    """Returns what is true of all rows, with the errors where these are few."""
    kinds = list(dict.fromkeys(row.check.raised.type for row in rows if row.check.raised))
    if not 0 < len(kinds) <= MOST_NAMED:
        return TOLD[rows[0].symbol]
    either = " or ".join([", ".join(kinds[:-1]), kinds[-1]] if kinds[1:] else kinds)
    return f"each call raises the {either} of its row with its message"


def _end(row: _Row) -> str:
    """Returns ``gives None`` or ``raises ValueError: no number``, what is asserted of a row; ""
    for what has no words."""
    check = row.check
    if check.raised is not None:
        return error_words(check)
    called = isinstance(parsed_expression(row.call), ast.Call) or check.form == "text"
    said = SIGNS.get(check.form) or value_words(check.expected)
    return f"{'gives' if called else 'is'} {said}" if said else ""


def _of_several(end: str) -> str:
    """Returns what is said of one call as it is said of several."""
    verb, _, rest = end.partition(" ")
    return f"{PLURAL[verb]} {rest}"


def _named(rows: Sequence[_Row]) -> str:
    """Returns `` of first and last``, what is called, where that is short."""
    names = list(dict.fromkeys(row.item.case.symbol for row in rows))
    return f" of {listed(names)}" if len(names) <= MOST_NAMED else ""


def begun_tables(suite: Suite, program: Program) -> frozenset[tuple[str, str]]:
    """Returns path of a file -> what tables of edge cases its tests have, as pairs."""
    places = placements(program.files.values(), suite)
    named = {
        (place, test.name.removeprefix("test_"))
        for place, file in suite.files.items()
        for test in file.tests
    }
    tables = ((path, symbol) for path in places for symbol in (GIVING, RAISING))
    return frozenset((path, symbol) for path, symbol in tables if (places[path], symbol) in named)
