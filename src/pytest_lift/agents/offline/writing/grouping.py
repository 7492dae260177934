"""Plans tests from verified cases: which cases share a test function, as rows or assertions."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from pytest_lift.agents.offline.writing.facts.items import without_reading
from pytest_lift.agents.offline.writing.links import ClaimedLink
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.names import free_names
from pytest_lift.calls.targets.target import Target

MOST_ASSERTS = 4
MOST_LINES = 28
"""Most source lines of examples of one requirement that go into one test."""
IMMUTABLE = (ast.Constant, ast.Tuple, ast.UnaryOp, ast.BinOp, ast.JoinedStr, ast.FormattedValue)
FROZEN = frozenset({"float", "Decimal", "Fraction", "date", "timedelta", "frozenset", "range"})

COMPARING = frozenset({"__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__", "__contains__"})
"""Special methods by which objects compare."""
TOLD_BY = frozenset({"true", "false"})
"""Forms of the checks of what holds, and of what does not."""
RESERVED = frozenset({"request", "expected", "list", "islice", *dir(builtins)})
MESSAGE, ERROR, OPTIONS = "message", "error", "options"
"""Columns of what a table of errors expects in each row, and of keywords that a row gives."""
NAME, VALUE = "name", "value"
"""Columns of a table of attributes."""
PARTS = "parts"
"""Column of the attributes that a result consists of."""


@dataclass(frozen=True)
class ParametrizedRow:
    """Row of a parametrized test: argument expressions by column, and the expected value."""

    arguments: tuple[tuple[str, str], ...]
    expected: str


@dataclass(frozen=True)
class PlannedTest:
    """Plan of one test function."""

    members: tuple[Verified, ...]
    link: ClaimedLink
    form: str
    """rows, asserts, raises, steps, table (of tests of one shape), or scenario (all that one text
    shows)."""
    template: str = ""
    """For rows: the call with column names in place of the arguments."""
    rows: tuple[ParametrizedRow, ...] = ()
    steps: tuple[StepCheck, ...] = ()
    """For a table: the checks of one test with column names in place of what varies."""
    told: str = ""
    """Docstring of a test whose members do not tell what it shows."""
    content: str = ""
    """For a table: the column with what the file holds that a test writes first; "" where all hold
    the same."""

    @property
    def first(self) -> Verified:
        return self.members[0]

    @property
    def refuses(self) -> bool:
        """Whether it is a table of errors whose rows have messages, or options, of their own."""
        last = self.steps[-1] if self.form == "table" and self.steps else None
        if last is None or last.raised is None:
            return False
        given = any(column == OPTIONS for row in self.rows for column, _ in row.arguments)
        own = last.raised.type == ERROR or last.blank == MESSAGE
        return own or (given and f"**{OPTIONS}" in last.expression)

    @property
    def check(self) -> StepCheck:
        return next(c for c in self.first.checks if c.form != "none")


def made_of(cells: Iterable[str], makers: AbstractSet[str]) -> bool:
    """Whether one of some expressions is an object that one of the makers gives; no class is."""
    return any(
        not makers.isdisjoint(free_names(one)) and not (one in makers and one[:1].isupper())
        for one in cells
    )


def answering(targets: Mapping[str, Target]) -> frozenset[str]:
    """Returns what may give objects that answer themselves which attributes they have, by its name:
    their classes, and the functions of a program with such classes. pytest asks what stands in a
    row for its ``__name__``, and may change it by that."""
    asked = (one.owner for one in targets.values() if one.leaf == "__getattr__")
    makers = {owner.call for owner in asked if owner is not None}
    functions = (one.call for one in targets.values() if one.kind == "function")
    return frozenset(makers.union(functions) if makers else ())


def plan_tests(
    verified: Sequence[tuple[Verified, ClaimedLink]], targets: dict[str, Target]
) -> list[PlannedTest]:
    """Groups cases that are rows of one table, or plain asserts about one behaviour; doubtful ones
    apart from those that a person would type."""
    groups: dict[tuple[str, ...], list[tuple[Verified, ClaimedLink]]] = {}
    for index, (item, link) in enumerate(verified):
        key = _group_key(item, link) or ("steps", str(index))
        groups.setdefault(key, []).append((item, link))
    plans: list[PlannedTest] = []
    for key, pairs in groups.items():
        members = [item for item, _ in pairs]
        make = _stated if key[0] == "stated" else _plans
        plans += make(key[0], members, pairs[0][1], targets)
    return plans


def _stated(
    form: str, members: list[Verified], link: ClaimedLink, targets: dict[str, Target]
) -> list[PlannedTest]:
    """Plans the examples of one requirement or docstring: one table if all fit, else a scenario."""
    simple = all(is_simple(member) for member in members)
    errors = {_error(member.checks[0]) for member in members}
    options = {tuple(sorted(member.case.keywords)) for member in members}
    calls = {_receiver(member.checks[0].expression) for member in members} if simple else set()
    alike = len(errors) == len(options) == len(calls) == 1 < len(members)
    table = _table(members, targets) if alike else None
    if table is not None and not table[3]:
        return [PlannedTest(tuple(members), link, "rows", table[0], tuple(table[1]))]
    return [PlannedTest(tuple(chunk), link, "scenario") for chunk in _chunks(members)]


def _chunks(members: list[Verified]) -> list[list[Verified]]:
    """Splits the members where a test would get too long to read."""
    chunks: list[list[Verified]] = [[]]
    length = 0
    for member in members:
        lines = member.case.source.count("\n") + 1
        if chunks[-1] and length + lines > MOST_LINES:
            chunks.append([])
            length = 0
        chunks[-1].append(member)
        length += lines
    return chunks


def _group_key(item: Verified, link: ClaimedLink) -> tuple[str, ...] | None:
    """Returns a key shared by cases that may share a test; None for a case that stands alone."""
    case = item.case
    if compares(item):
        claim = ",".join(link.requirements)
        return ("calls", case.path, case.symbol, claim, str(case.doubtful))
    if case.stateful:
        return None
    if case.origin == "requirement" and not case.placed:
        return ("stated", case.path, case.symbol, case.requirement)
    if case.origin == "documented" and not case.placed:
        claim = ",".join(link.requirements)
        place = (case.session, str(case.part), case.title)
        return ("stated", case.path, case.symbol, *place, claim)
    if not is_simple(item):
        return None
    check = item.checks[0]
    if check.raised and case.doubtful:
        return None  # all errors of such input stand in one table, with their messages
    form = "raises" if check.raised else "calls"
    keywords = ",".join(sorted({*case.keywords, *case.idle}))
    claim = ",".join(link.requirements)
    kind = (claim, _error(check), _receiver(check.expression), case.origin, str(case.doubtful))
    return (form, case.path, case.symbol, keywords, *kind)


def compares(item: Verified) -> bool:
    """Whether a searched case is one line in which two objects compare, and needs nothing around
    it."""
    case, (check, *others) = item.case, item.checks
    if others or case.origin != "searched" or case.stateful or case.placed or case.looped:
        return False
    return case.symbol.rpartition(".")[2] in COMPARING and check.form in TOLD_BY


def is_simple(item: Verified) -> bool:
    """Whether a case has one expression and one expectation, which fit into a row of a table."""
    form = item.checks[0].form if len(item.checks) == 1 else ""
    case = item.case
    return form in ("equals", "is", "raises", "says") and not (case.placed or case.looped)


def _error(check: StepCheck) -> str:
    return f"{check.form}:{check.raised.type}:{check.match}" if check.raised else ""


def _receiver(expression: str) -> str:
    node = ast.parse(expression, mode="eval").body
    node = without_reading(node) or node
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""


def _plans(
    form: str, members: list[Verified], link: ClaimedLink, targets: dict[str, Target]
) -> list[PlannedTest]:
    if form == "steps":
        return [PlannedTest((member,), link, "steps") for member in members]
    calls = {_receiver(member.checks[0].expression) for member in members}
    table = _table(members, targets) if len(members) > 1 == len(calls) else None
    if table is not None:
        template, rows, kept, rest = table
        found = [PlannedTest(tuple(kept), link, "rows", template, tuple(rows))]
        return found + (_plans(form, rest, link, targets) if rest else [])
    size = 1 if form == "raises" else MOST_ASSERTS
    chunks = [members[i : i + size] for i in range(0, len(members), size)]
    kind = "raises" if form == "raises" else "asserts"
    return [PlannedTest(tuple(chunk), link, kind) for chunk in chunks]


def _table(
    members: list[Verified], targets: dict[str, Target]
) -> tuple[str, list[ParametrizedRow], list[Verified], list[Verified]] | None:
    """Returns template, rows, the members they stand for, and the members that do not fit."""
    target = targets.get(f"{members[0].case.path}:{members[0].case.symbol}")
    if target is None:
        return None
    parsed = [(member, _columns(member, target)) for member in members]
    shapes: dict[tuple[str, ...], int] = {}
    for _, columns in parsed:
        if columns is not None:
            shape = tuple(name for name, _ in columns)
            shapes[shape] = shapes.get(shape, 0) + 1
    shape = max(shapes, key=lambda s: shapes[s], default=())
    if not shape or shapes[shape] < 2:
        return None
    fitting = [(m, c) for m, c in parsed if c is not None and tuple(n for n, _ in c) == shape]
    kept = [member for member, _ in fitting]
    varying = _varying([columns for _, columns in fitting])
    called = {name for member in kept for name in _names(member.checks[0].expression)}
    if not varying or varying & RESERVED or varying & called:
        return None
    template = _template(kept[0], target, varying)
    rows = [
        ParametrizedRow(
            tuple((n, v) for n, v in columns if n in varying), member.checks[0].expected
        )
        for member, columns in fitting
    ]
    return template, rows, kept, [m for m in members if m not in kept]


def _columns(member: Verified, target: Target) -> tuple[tuple[str, str], ...] | None:
    """Returns argument expressions by parameter name; None unless all of them are immutable."""
    outer = ast.parse(member.checks[0].expression, mode="eval").body
    node = without_reading(outer) or outer
    if not isinstance(node, ast.Call):
        return None
    places = [p.name for p in target.parameters if p.kind in ("positional", "positional-only")]
    if len(node.args) > len(places):
        return None
    pairs = list(zip(places, node.args, strict=False))
    pairs += [(k.arg, k.value) for k in node.keywords if k.arg]
    if not all(_immutable(value) for _, value in pairs):
        return None
    return tuple((name, ast.unparse(value)) for name, value in pairs)


def _names(expression: str) -> set[str]:
    """Returns the names in an expression: a column must have another one."""
    nodes = ast.walk(ast.parse(expression, mode="eval"))
    return {node.id for node in nodes if isinstance(node, ast.Name)}


def _immutable(node: ast.expr) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in FROZEN and all(_immutable(arg) for arg in node.args)
    inner = (child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))
    return isinstance(node, IMMUTABLE) and all(_immutable(child) for child in inner)


def _varying(columns: Sequence[tuple[tuple[str, str], ...]]) -> set[str]:
    seen: dict[str, set[str]] = {}
    for row in columns:
        for name, value in row:
            seen.setdefault(name, set()).add(value)
    return {name for name, values in seen.items() if len(values) > 1}


def _template(member: Verified, target: Target, varying: set[str]) -> str:
    tree = ast.parse(member.checks[0].expression, mode="eval")
    node = without_reading(tree.body) or tree.body
    assert isinstance(node, ast.Call)
    places = [p.name for p in target.parameters if p.kind in ("positional", "positional-only")]
    node.args = [
        ast.Name(name, ast.Load()) if name in varying else value
        for name, value in zip(places, node.args, strict=False)
    ]
    for keyword in node.keywords:
        if keyword.arg in varying:
            keyword.value = ast.Name(str(keyword.arg), ast.Load())
    return ast.unparse(tree)
