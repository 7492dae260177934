"""Joins tests of doubtful arguments, and those of one error of a function, into tables: a row has
the objects and arguments of a call and what it gives."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.joining.inlining import put
from pytest_lift.agents.offline.joining.odd.narrowing import narrowed
from pytest_lift.agents.offline.joining.odd.own_parts import PARTS, spelled_out
from pytest_lift.agents.offline.joining.odd.rows import (
    CONTENT,
    OBJECT,
    OddRow,
    asked,
    by_method,
    last_name,
)
from pytest_lift.agents.offline.joining.shapes import ANY_OBJECT
from pytest_lift.agents.offline.natural.objects.variables import variable_for
from pytest_lift.agents.offline.writing.grouping import PARTS as NAMES
from pytest_lift.agents.offline.writing.grouping import (
    RESERVED,
    ParametrizedRow,
    PlannedTest,
    answering,
    made_of,
)
from pytest_lift.calls.names import BUILTINS
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import leaf, parsed_expression

MOST_ROWS = 10
FEWEST, FEWEST_METHODS = 2, 3
"""Fewest tests that become a table, and of those of several methods that are worth ``getattr``."""
TEXTS = ("text", "content")
"""Names of the column of what a file holds."""
EXPECTED = "expected"
LITERAL_COLUMNS = ("value", "given", "literal")
"""Names of the column of what the objects of the rows are made of."""


def doubtful_together(
    plans: Sequence[PlannedTest], targets: Mapping[str, Target]
) -> list[PlannedTest]:
    """Returns the plans, with one table for the doubtful tests of one call, then for those of
    several methods of a class, and one each for the doubtful and the other ones of one error of a
    function, at the place of the first: a reader sees at one place what nobody would type, and
    nothing of it beside what a person would."""
    result: list[PlannedTest | None] = list(plans)
    apart = answering(targets)
    alone = {
        at: one
        for at, plan in enumerate(plans)
        if (one := asked(plan, targets)) is not None
        and not made_of((source for _, source in one.cells), apart)
    }
    left = _in_tables(alone, FEWEST, result)
    doubtful = {at: one for at, one in left.items() if one.plan.first.case.doubtful}
    general = {at: more for at, one in doubtful.items() if (more := by_method(one)) is not None}
    _in_tables(general, FEWEST_METHODS, result)
    return [plan for plan in result if plan is not None]


def _in_tables(
    found: Mapping[int, OddRow], fewest: int, result: list[PlannedTest | None]
) -> dict[int, OddRow]:
    """Puts tables in the place of tests of one group; returns those that stay alone."""
    left = dict(found)
    groups: dict[tuple[object, ...], list[int]] = {}
    for at, one in found.items():
        groups.setdefault(one.group, []).append(at)
    for places in groups.values():
        for start in range(0, len(places), MOST_ROWS):
            chunk = places[start : start + MOST_ROWS]
            table = _table([found[at] for at in chunk]) if len(chunk) >= fewest else None
            if table is not None:
                for at in chunk:
                    result[at] = None
                    del left[at]
                result[chunk[0]] = table
    return left


def _table(rows: Sequence[OddRow]) -> PlannedTest | None:
    """Returns the table of some tests; None where their objects and arguments are the same."""
    first = rows[0]
    cells = [dict(one.cells) for one in rows]
    same = {c: v for c, v in cells[0].items() if all(one[c] == v for one in cells)}
    if len(same) == len(cells[0]):
        return None
    if any(check.form == "none" or OBJECT in check.expected for check in first.checks):
        same.pop(OBJECT, None)  # what is asked is what was set, or has what is expected
    columns = {column: column for column in cells[0] if column not in same}
    content = ""
    if CONTENT in columns:
        content = columns[CONTENT] = next(name for name in TEXTS if name not in columns)
    expressions: dict[str, str] = {}
    if OBJECT in columns and (made := _one_literal(rows, columns)) is not None:
        columns[OBJECT], expressions[OBJECT], literals = made
        cells = [{**one, OBJECT: own} for one, own in zip(cells, literals, strict=True)]
    elif OBJECT in columns:
        columns[OBJECT] = _object_column(rows, columns)
    if PARTS in columns:
        columns[PARTS] = NAMES
    results = dict(_results(rows, {*columns.values()}))
    table = []
    for one, given in zip(rows, cells, strict=True):
        row = [(name, given[column]) for column, name in columns.items()]
        row += [(name, one.checks[at].expected) for at, name in results.items()]
        table.append(ParametrizedRow(tuple(row), ""))
    if len(unique := tuple(dict.fromkeys(table))) < len(rows):
        return None
    steps = []
    for at, check in enumerate(first.checks):
        form, expected = check.expression, results.get(at, check.expected)
        if PARTS in same and PARTS in expected:
            expected = spelled_out(expected, OBJECT, ast.literal_eval(same[PARTS]))
        for column, value in (*same.items(), *{**columns, **expressions}.items()):
            form = form if column == CONTENT else put(form, column, value)
            expected = put(expected, column, value) if column in expected else expected
        steps.append(replace(check, expression=form, expected=expected))
    symbol = _symbol(rows)
    members = []
    for one in rows:
        item = one.plan.first
        case = replace(item.case, symbol=symbol, idle=(), title="", keywords=())
        members.append(replace(item, case=case, checks=one.alone))
    return replace(
        first.plan,
        members=tuple(members),
        form="table",
        rows=unique,
        steps=tuple(steps),
        content=content,
    )


def _one_literal(
    rows: Sequence[OddRow], taken: Mapping[str, str]
) -> tuple[str, str, list[str]] | None:
    """Returns a column for the literal by which the objects differ, what makes an object of it, and
    the literals; None where that is not all, or the objects are used more than once."""
    used = sum(check.expression.count(OBJECT) for check in rows[0].checks)
    if used != 1 or any(OBJECT in one.expected for row in rows for one in row.checks):
        return None
    objects = [dict(one.cells)[OBJECT] for one in rows]
    texts = (*objects, *(check.expression for row in rows for check in row.checks))
    used_names = {word for text in texts for word in re.findall(r"\w+", text)} | {*taken.values()}
    name = next((one for one in LITERAL_COLUMNS if one not in used_names), "")
    found = narrowed(objects, name) if name else None
    return (name, *found) if found is not None else None


def _object_column(rows: Sequence[OddRow], taken: Mapping[str, str]) -> str:
    """Returns a name for the objects: that of their class, where there is one."""
    makers = {_maker(dict(one.cells)[OBJECT]) for one in rows}
    name = makers.pop() if len(makers) == 1 else ""
    return variable_for(name or ANY_OBJECT, {*BUILTINS, *RESERVED, *taken})


def _maker(source: str) -> str:
    node = parsed_expression(source)
    name = leaf(node.func) if isinstance(node, ast.Call) else ""
    return name if name[:1].isupper() else ""


def _results(rows: Sequence[OddRow], taken: set[str]) -> Iterator[tuple[int, str]]:
    """Yields number of a check -> column for what it expects, where that differs."""
    alone = len(rows[0].checks) == 1
    for at, check in enumerate(rows[0].checks):
        if len({one.checks[at].expected for one in rows}) > 1:
            name = EXPECTED if alone else _named(check.expression)
            while name in taken:
                name = f"{name}_"
            taken.add(name)
            yield at, name


def _named(look: str) -> str:
    """Returns a name for what a look gives: ``items`` of ``list(made)``, ``size`` of
    ``made.size``."""
    node = parsed_expression(look)
    node = (
        node.func if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else node
    )
    if isinstance(node, ast.Attribute):
        return node.attr
    return {"list": "items", "len": "length", "str": "text"}.get(look.partition("(")[0], EXPECTED)


def _symbol(rows: Sequence[OddRow]) -> str:
    """Returns what a table is about: a method of one class, or of several."""
    if rows[0].about:
        return rows[0].about
    symbols = list(dict.fromkeys(one.plan.first.case.symbol for one in rows))
    leaves = {last_name(symbol) for symbol in symbols}
    if len(symbols) == 1:
        return symbols[0]
    if len(leaves) == 1:
        return leaves.pop()
    return "_and_".join(_named(check.expression) for check in rows[0].checks)
