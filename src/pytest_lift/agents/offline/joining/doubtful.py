"""Joins tests of doubtful arguments, and those of one error of a function, into tables: a row has
the objects and arguments of a call and what it gives."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.joining.inlining import inlined, put
from pytest_lift.agents.offline.stories.objects import variable_for
from pytest_lift.agents.offline.writing.grouping import RESERVED, ParametrizedRow, PlannedTest
from pytest_lift.agents.offline.writing.oracles import StepCheck
from pytest_lift.agents.offline.writing.readings import READINGS, is_look, is_question
from pytest_lift.agents.offline.writing.told import assigned
from pytest_lift.calls.case import Case
from pytest_lift.calls.names import BUILTINS, free_names
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import leaf, parsed_expression

MOST_ROWS = 10
LONGEST = 200
"""Most characters of a row: two or three lines."""
FORMS = frozenset({"equals", "is", "true", "false", "raises"})
OBJECT, ANY_OBJECT = "__made", "instance"
"""Column of the object that is asked: its place in a call, and its name where there are several
classes."""
CONTENT, TEXTS = "__text", ("text", "content")
"""Column of what a file holds, and its names."""
OTHER, EXPECTED = "other", "expected"
LOCAL = (ast.Lambda, ast.Await, ast.Yield, ast.NamedExpr, ast.Starred, ast.comprehension)
"""What makes an expression mean another thing outside of its test, or is hard to read there."""


@dataclass(frozen=True)
class _Asked:
    """Test that makes objects, and asserts what one call or several looks give."""

    plan: PlannedTest
    checks: tuple[StepCheck, ...]
    """What is asserted, with columns in the place of objects and arguments."""
    alone: tuple[StepCheck, ...]
    """The same without columns or variables."""
    cells: tuple[tuple[str, str], ...]
    """Objects and arguments by column."""

    @property
    def group(self) -> tuple[object, ...]:
        """What tests have in common that may be rows of one table."""
        case = self.plan.first.case
        forms = [
            (one.form, one.expression, one.match, one.raised and one.raised.type)
            for one in self.checks
        ]
        claim = repr(self.plan.link.requirements)
        return (case.path, claim, case.doubtful, *case.files, *forms)

    @property
    def length(self) -> int:
        return sum(len(cell) for _, cell in self.cells) + sum(len(c.expected) for c in self.checks)


def doubtful_together(
    plans: Sequence[PlannedTest], targets: Mapping[str, Target]
) -> list[PlannedTest]:
    """Returns the plans, with one table for the doubtful tests of one call, and one each for the
    doubtful and the other ones of one error of a function, at the place of the first: a reader sees
    at one place what nobody would type, and nothing of it beside what a person would."""
    result: list[PlannedTest | None] = list(plans)
    groups: dict[tuple[object, ...], dict[int, _Asked]] = {}
    for at, plan in enumerate(plans):
        if (one := _asked(plan, targets)) is not None:
            groups.setdefault(one.group, {})[at] = one
    for members in groups.values():
        places = [*members]
        for start in range(0, len(places), MOST_ROWS):
            chunk = places[start : start + MOST_ROWS]
            table = _table([members[at] for at in chunk]) if len(chunk) > 1 else None
            if table is not None:
                result[chunk[0]] = table
                for at in chunk[1:]:
                    result[at] = None
    return [plan for plan in result if plan is not None]


def _asked(plan: PlannedTest, targets: Mapping[str, Target]) -> _Asked | None:
    """Returns the parts of a test that may be a row; None for another test."""
    item = plan.first
    case = item.case
    if len(plan.members) > 1 or plan.rows or case.origin != "searched":
        return None
    if case.placed and not _reads_a_file(case):
        return None
    asserted = [check for check in item.checks if check.form != "none"]
    setup = item.checks[: len(item.checks) - len(asserted)]
    if case.looped or case.seeded or case.effect or any(one.form != "none" for one in setup):
        return None
    if not all(one.form in FORMS and not one.aside for one in asserted):
        return None
    if not (case.doubtful or asserted[-1].raised is not None):
        return None
    made = dict(pair for one in setup if (pair := assigned(one.expression)) is not None)
    named = (free_names(check.expected) for check in asserted)
    if len(made) < len(setup) or any(names & made.keys() for names in named):
        return None
    found = (
        _call(asserted[0], made, case.symbol, targets.get(f"{case.path}:{case.symbol}"))
        if len(asserted) == 1
        else _looks(asserted, made)
    )
    if found is None:
        return None
    checks, alone, cells = found
    if case.files:
        cells = ((CONTENT, repr(*case.files.values())), *cells)
    one = _Asked(plan, checks, alone, cells)
    odd = any(
        isinstance(node, LOCAL) for _, cell in one.cells for node in ast.walk(ast.parse(cell))
    )
    return None if odd or one.length > LONGEST else one


_Parts = tuple[tuple[StepCheck, ...], tuple[StepCheck, ...], tuple[tuple[str, str], ...]]
"""Checks with columns, checks without, and the cells."""


def _reads_a_file(case: Case) -> bool:
    """Whether all that stands around a case is one file."""
    elsewhere = case.argv is not None or case.stdin or case.home or case.alone
    return len(case.files) == 1 and not elsewhere


def _call(
    check: StepCheck, made: Mapping[str, str], symbol: str, target: Target | None
) -> _Parts | None:
    """Returns a call with its object and its arguments in columns; None where a variable stands for
    what is needed twice, and of anything but a call or a look."""
    source = inlined(check.expression, made)
    tree = parsed_expression(source) if source else None
    if tree is None:
        return None
    outer, inner = _parted(tree)
    cells: dict[str, ast.expr] = {}
    match inner:
        case ast.Call(func=called, args=args, keywords=keywords) if leaf(called) == _last(symbol):
            owner = called.value if isinstance(called, ast.Attribute) else None
            if isinstance(called, ast.Attribute) and isinstance(owner, ast.Call):
                cells[OBJECT] = owner
                called = ast.Attribute(ast.Name(OBJECT), called.attr)
            kinds = ("positional", "positional-only")
            names = [p.name for p in target.parameters if p.kind in kinds] if target else []
            if len(args) > len(names) or not all(keyword.arg for keyword in keywords):
                return None
            given = [*zip(names, args, strict=False), *((str(k.arg), k.value) for k in keywords)]
            columns = [_column(name, called) for name, _ in given]
            cells |= dict(zip(columns, (value for _, value in given), strict=True))
            positional: list[ast.expr] = [ast.Name(name) for name in columns[: len(args)]]
            named = [ast.keyword(k.arg, ast.Name(_column(str(k.arg), called))) for k in keywords]
            template: ast.expr = ast.Call(called, positional, named)
        case ast.Compare(left=ast.Call() as owner, ops=[operator], comparators=[other]):
            cells |= {OBJECT: owner, OTHER: other}
            template = ast.Compare(ast.Name(OBJECT), [operator], [ast.Name(OTHER)])
        case ast.Attribute(value=ast.Call() as owner, attr=name):
            cells[OBJECT] = owner
            template = ast.Attribute(ast.Name(OBJECT), name)
        case ast.Call(func=called) if outer and leaf(called)[:1].isupper():
            cells[OBJECT] = inner
            template = ast.Name(OBJECT)
        case _:
            return None
    form = ast.unparse(template)
    for name in outer:
        form = f"{name}({form})"
    texts = tuple((column, ast.unparse(value)) for column, value in cells.items())
    return (replace(check, expression=form),), (replace(check, expression=source),), texts


def _last(symbol: str) -> str:
    """Returns ``pop`` of ``Stack.pop``."""
    return symbol.rpartition(".")[2]


def _looks(asserted: Sequence[StepCheck], made: Mapping[str, str]) -> _Parts | None:
    """Returns several looks at one object, and questions to it, with that in a column."""
    *_, variable = made or [""]
    for check in asserted:
        names = {n.id for n in ast.walk(ast.parse(check.expression)) if isinstance(n, ast.Name)}
        looks = is_look(check.expression) or is_question(check.expression, variable)
        if not looks or names - READINGS != {variable}:
            return None
    others = {name: source for name, source in made.items() if name != variable}
    source = inlined(made.get(variable, ""), others)
    if not source or not isinstance(parsed_expression(source), ast.Call):
        return None
    pairs = [(put(check.expression, variable, OBJECT), check) for check in asserted]
    pairs.sort(key=lambda pair: pair[0])
    told = tuple(replace(check, expression=form) for form, check in pairs)
    alone = (StepCheck("none", f"{variable} = {source}"), *(check for _, check in pairs))
    return told, alone, ((OBJECT, source),)


def _parted(tree: ast.expr) -> tuple[list[str], ast.expr]:
    """Returns the functions that read a value, the inner one first, and what they read."""
    outer: list[str] = []
    while (
        isinstance(tree, ast.Call)
        and isinstance(tree.func, ast.Name)
        and tree.func.id in READINGS
        and len(tree.args) == 1
    ):
        outer.insert(0, tree.func.id)
        tree = tree.args[0]
    return outer, tree


def _column(name: str, called: ast.expr) -> str:
    taken = {*RESERVED, *free_names(ast.unparse(called))}
    return f"{name}_" if name in taken else name


def _table(rows: Sequence[_Asked]) -> PlannedTest | None:
    """Returns the table of some tests; None where their objects and arguments are the same."""
    first = rows[0]
    cells = [dict(one.cells) for one in rows]
    same = {c: v for c, v in cells[0].items() if all(one[c] == v for one in cells)}
    if len(same) == len(cells[0]):
        return None
    columns = {column: column for column in cells[0] if column not in same}
    content = ""
    if CONTENT in columns:
        content = columns[CONTENT] = next(name for name in TEXTS if name not in columns)
    if OBJECT in columns:
        columns[OBJECT] = _object_column(rows, columns)
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
        form = check.expression
        for column, value in (*same.items(), *columns.items()):
            form = form if column == CONTENT else put(form, column, value)
        steps.append(replace(check, expression=form, expected=results.get(at, check.expected)))
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


def _object_column(rows: Sequence[_Asked], taken: Mapping[str, str]) -> str:
    """Returns a name for the objects: that of their class, where there is one."""
    makers = {_maker(dict(one.cells)[OBJECT]) for one in rows}
    name = makers.pop() if len(makers) == 1 else ""
    return variable_for(name or ANY_OBJECT, {*BUILTINS, *RESERVED, *taken})


def _maker(source: str) -> str:
    node = parsed_expression(source)
    name = leaf(node.func) if isinstance(node, ast.Call) else ""
    return name if name[:1].isupper() else ""


def _results(rows: Sequence[_Asked], taken: set[str]) -> Iterator[tuple[int, str]]:
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


def _symbol(rows: Sequence[_Asked]) -> str:
    """Returns what a table is about: a method of one class, or of several."""
    symbols = list(dict.fromkeys(one.plan.first.case.symbol for one in rows))
    leaves = {_last(symbol) for symbol in symbols}
    if len(symbols) == 1:
        return symbols[0]
    if len(leaves) == 1:
        return leaves.pop()
    return "_and_".join(_named(check.expression) for check in rows[0].checks)
