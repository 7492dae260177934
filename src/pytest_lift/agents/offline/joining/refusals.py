"""Joins tests of what a function, or the attributes of a class, refuse into one table of values and
the messages beside them."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.joining.looks import OBJECT, named
from pytest_lift.agents.offline.joining.shapes import LONGEST_ROW
from pytest_lift.agents.offline.joining.skeletons import is_literal
from pytest_lift.agents.offline.printing.checks import pattern
from pytest_lift.agents.offline.writing.grouping import (
    ERROR,
    MESSAGE,
    NAME,
    OPTIONS,
    RESERVED,
    VALUE,
    ParametrizedRow,
    PlannedTest,
)
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.agents.offline.writing.oracles.outcomes import OF_NO_CLASS
from pytest_lift.calls.case import Case
from pytest_lift.calls.names import free_names
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.bindings import bound_names
from pytest_lift.source.syntax import FunctionNode

MOST_ROWS = 8
TAKEN = RESERVED | {MESSAGE, ERROR, OPTIONS}
"""Names that columns of arguments do not have."""
FEWEST, FEWEST_DOUBTFUL = 3, 2
"""Fewest tests that become a table, and of those whose arguments are doubtful."""


@dataclass(frozen=True)
class _Refusal:
    """Test of one error: what is done before it, and the call or assignment that raises it."""

    plan: PlannedTest
    setup: tuple[str, ...]
    owner: str
    """The function, or the class of the attribute that is set."""
    form: str
    """The call with ``options`` for its keywords, or ``setattr`` of what is set."""
    cells: tuple[tuple[str, str], ...]
    """What a row gives, by column."""

    @property
    def check(self) -> StepCheck:
        return self.plan.first.checks[-1]

    @property
    def group(self) -> tuple[object, ...]:
        """What tests have in common that may be rows of one table: an error of no class of its own
        stands in none beside others, where the words that tell it are in another column."""
        case, link = self.plan.first.case, self.plan.link
        raised = self.check.raised
        told = bool(self.check.match), raised is not None and raised.type in OF_NO_CLASS
        return (case.path, repr(link.requirements), self.owner, self.setup, self.form, told)


def refusals_together(
    plans: Sequence[PlannedTest], targets: Mapping[str, Target], *, doubtful: bool = False
) -> list[PlannedTest]:
    """Returns the plans, with one table for several errors of one function, or of the attributes of
    one class, at the place of the first; those of `doubtful` cases alone, or the others."""
    result: list[PlannedTest | None] = list(plans)
    groups: dict[tuple[object, ...], list[int]] = {}
    found = [_refusal(plan, targets) for plan in plans]
    for at, one in enumerate(found):
        if one is not None and one.plan.first.case.doubtful is doubtful:
            groups.setdefault(one.group, []).append(at)
    fewest = FEWEST_DOUBTFUL if doubtful else FEWEST
    for members in groups.values():
        for start in range(0, len(members), MOST_ROWS):
            chunk = members[start : start + MOST_ROWS]
            rows = [one for at in chunk if (one := found[at]) is not None]
            table = _table(rows) if len(chunk) >= fewest else None
            if table is not None:
                result[chunk[0]] = table
                for at in chunk[1:]:
                    result[at] = None
    return [plan for plan in result if plan is not None]


def _refusal(plan: PlannedTest, targets: Mapping[str, Target]) -> _Refusal | None:
    """Returns the parts of a test that may be a row; None for another test."""
    item = plan.first
    if len(plan.members) > 1 or plan.rows or item.case.origin != "searched" or item.case.placed:
        return None
    *before, last = item.checks
    if last.form != "raises" or any(check.form != "none" for check in before):
        return None
    setup = [ast.parse(check.expression) for check in before]
    if any(isinstance(line.body[0], FunctionNode | ast.ClassDef) for line in setup):
        return None
    names = {name for line in setup for name in bound_names(line)}
    lines = tuple(named(check.expression, item.case.subject, OBJECT) for check in before)
    (node,) = ast.parse(last.expression).body
    parted = _called(node, item.case, targets) or _set(node, item.case)
    if parted is None or len(before) > 1:
        return None
    owner, form, values = parted
    cells = tuple((column, ast.unparse(value)) for column, value in values.items())
    taken = {*names, *(one.id for one in ast.walk(node) if isinstance(one, ast.Name)), "pytest"}
    taken.update(*(free_names(check.expression) for check in before))
    taken |= {last.raised.type.partition(".")[0]} if last.raised is not None else set()
    clash = taken & {MESSAGE, ERROR, *values}
    long = sum(len(cell) for _, cell in cells) + len(last.match) > LONGEST_ROW
    if clash or long or not all(_is_cell(value, names) for value in values.values()):
        return None
    return _Refusal(plan, lines, owner, named(form, item.case.subject, OBJECT), cells)


_Parted = tuple[str, str, dict[str, ast.expr]]
"""(what refuses, statement with columns in the place of what is given, values by column)."""


def _called(node: ast.stmt, case: Case, targets: Mapping[str, Target]) -> _Parted | None:
    """Returns a call with its options in one column, or without options with its literals in one
    for each; None for another statement."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or any(isinstance(one, ast.Starred) for one in call.args):
        return None
    if call.keywords:
        names = [ast.Constant(one.arg) for one in call.keywords if one.arg]
        if len(names) < len(call.keywords):
            return None
        given = ast.Dict([*names], [one.value for one in call.keywords])
        bare = ast.Call(call.func, call.args, [ast.keyword(None, ast.Name(OPTIONS))])
        return case.symbol, ast.unparse(bare), {OPTIONS: given}
    target = targets.get(f"{case.path}:{case.symbol}")
    kinds = ("positional", "positional-only")
    places = [p.name for p in target.parameters if p.kind in kinds] if target else []
    values = {
        f"{name}_" if name in TAKEN else name: value
        for name, value in zip(places, call.args, strict=False)
    }
    if not values or len(values) < len(call.args):
        return None
    bare = ast.Call(call.func, [ast.Name(name) for name in values], [])
    return case.symbol, ast.unparse(bare), values


def _set(node: ast.stmt, case: Case) -> _Parted | None:
    """Returns how an attribute is set; None for another statement."""
    match node:
        case ast.Assign(
            targets=[ast.Attribute(value=ast.Name(id=subject), attr=name)], value=value
        ):
            owner = case.symbol.rpartition(".")[0]
            form = f"setattr({subject}, {NAME}, {VALUE})"
            return owner, form, {NAME: ast.Constant(name), VALUE: value}
    return None


def _is_cell(node: ast.expr, local: AbstractSet[str]) -> bool:
    """Whether a row may give a value: a literal, or what the file imports."""
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    if isinstance(root, ast.Name):
        return root.id not in local
    if isinstance(node, ast.Dict):
        return all(key is not None for key in node.keys) and all(
            _is_cell(one, local) for one in (*node.keys, *node.values) if one is not None
        )
    return is_literal(node)


def _table(rows: Sequence[_Refusal]) -> PlannedTest | None:
    """Returns the table of some tests; None where two rows are the same, and where nothing but
    their messages tells the errors from any other, which is said in each test then."""
    first = rows[0]
    item, same = first.plan.first, _same(rows)
    kinds = {one.check.raised.type for one in rows if one.check.raised is not None}
    messages = {one.check.match for one in rows}
    table = []
    for one in rows:
        assert one.check.raised is not None
        cells = [(column, value) for column, value in one.cells if column not in same]
        cells += [(ERROR, one.check.raised.type)] if len(kinds) > 1 else []
        cells += [(MESSAGE, pattern(one.check.match))] if len(messages) > 1 else []
        table.append(ParametrizedRow(tuple(cells), ""))
    assert first.check.raised is not None
    untold = bool(kinds & OF_NO_CLASS) and len(messages) > 1
    if untold or len(unique := tuple(dict.fromkeys(table))) < len(table):
        return None
    raised = replace(first.check.raised, type=ERROR) if len(kinds) > 1 else first.check.raised
    match, blank = ("{}", MESSAGE) if len(messages) > 1 else (first.check.match, "")
    form = named(_with_values(first.form, same), OBJECT, item.case.subject)
    last = replace(first.check, expression=form, raised=raised, match=match, blank=blank)
    told = replace(first.check, match="" if blank else match)
    case = replace(item.case, symbol=first.owner, effect="", idle=(), title="", keywords=())
    member = replace(item, case=case, checks=(*item.checks[:-1], told))
    members = (member, *(one.plan.first for one in rows[1:]))
    steps = (*item.checks[:-1], last)
    return replace(first.plan, members=members, form="table", rows=unique, steps=steps)


def _same(rows: Sequence[_Refusal]) -> dict[str, str]:
    """Returns the columns in which all rows have the same, with what that is."""
    first, *others = (dict(one.cells) for one in rows)
    return {
        column: value
        for column, value in first.items()
        if column != OPTIONS and all(one[column] == value for one in others)
    }


def _with_values(form: str, values: Mapping[str, str]) -> str:
    """Returns a statement with values in the place of columns; one that sets a known attribute as
    a person writes it."""
    (node,) = ast.parse(form).body
    call = node.value if isinstance(node, ast.Expr) else None
    assert isinstance(call, ast.Call)
    call.args = [
        ast.parse(values[one.id], mode="eval").body
        if isinstance(one, ast.Name) and one.id in values
        else one
        for one in call.args
    ]
    match call:
        case ast.Call(
            func=ast.Name("setattr"), args=[subject, ast.Constant(value=str(name)), value]
        ):
            return f"{ast.unparse(subject)}.{name} = {ast.unparse(value)}"
    return ast.unparse(node)
