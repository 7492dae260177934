"""Reads a test as a row of a table: the objects and arguments of what it asks, and what that
gives."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.joining.inlining import inlined, put
from pytest_lift.agents.offline.joining.odd.own_parts import PARTS, parts_named
from pytest_lift.agents.offline.writing.grouping import NAME, RESERVED, VALUE, PlannedTest
from pytest_lift.agents.offline.writing.links import ClaimedLink
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.readings import READINGS, is_look, is_question, walks
from pytest_lift.agents.offline.writing.told import assigned
from pytest_lift.calls.case import Case
from pytest_lift.calls.names import free_names
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import leaf, parsed_expression

LONGEST = 200
"""Most characters of a row: two or three lines."""
FORMS = frozenset({"equals", "is", "true", "false", "raises"})
OBJECT = "__made"
"""Column of the object that is asked: its place in a call."""
CONTENT = "__text"
"""Column of what a file holds."""
OTHER = "other"
METHOD, ARGUMENT = "method", "argument"
"""Columns of a table of several methods of a class."""
LOCAL = (ast.Lambda, ast.Await, ast.Yield, ast.NamedExpr, ast.Starred, ast.comprehension)
"""What makes an expression mean another thing outside of its test, or is hard to read there."""


@dataclass(frozen=True)
class OddRow:
    """Test that makes objects, and asserts what one call or several looks give."""

    plan: PlannedTest
    checks: tuple[StepCheck, ...]
    """What is done and asserted, with columns in the place of objects and arguments."""
    alone: tuple[StepCheck, ...]
    """The same without columns or variables."""
    cells: tuple[tuple[str, str], ...]
    """Objects and arguments by column."""
    about: str = ""
    """What several tests are about that have this in common; "" for what they call."""

    @property
    def group(self) -> tuple[object, ...]:
        """What tests have in common that may be rows of one table."""
        case = self.plan.first.case
        forms = [
            (
                one.form,
                one.expression,
                one.expected if OBJECT in one.expected else "",
                one.match,
                one.raised and one.raised.type,
            )
            for one in self.checks
        ]
        claim = repr(self.plan.link.requirements)
        return (case.path, claim, case.doubtful, self.about, *case.files, *forms)

    @property
    def length(self) -> int:
        return sum(len(cell) for _, cell in self.cells) + sum(len(c.expected) for c in self.checks)


def asked(plan: PlannedTest, targets: Mapping[str, Target]) -> OddRow | None:
    """Returns the parts of a test that may be a row; None for another test."""
    item = plan.first
    case = item.case
    if len(plan.members) > 1 or plan.rows or case.origin != "searched":
        return None
    if case.placed and not _reads_a_file(case):
        return None
    asserted = item.asserted
    setup = item.checks[: len(item.checks) - len(asserted)]
    if case.looped or case.seeded or case.effect or any(one.form != "none" for one in setup):
        return None
    forms = FORMS | {"text"} if setup and _set(setup[-1]) else FORMS
    if not all(one.form in forms and not one.aside for one in asserted):
        return None
    if not (case.doubtful or asserted[-1].raised is not None):
        return None
    found = _parts_of(item, setup, asserted, targets)
    if found is None:
        return None
    if case.files:
        cells = ((CONTENT, repr(*case.files.values())), *found.cells)
        found = replace(found, cells=cells)
    trees = [ast.parse(cell) for _, cell in found.cells]
    odd = any(isinstance(node, LOCAL) for tree in trees for node in ast.walk(tree))
    return None if odd or found.length > LONGEST else replace(found, plan=plan)


def by_method(one: OddRow) -> OddRow | None:
    """Returns a row of a table of several methods of its class that get one argument each; None
    where no such method is called."""
    outer, inner = _parted(ast.parse(one.checks[0].expression, mode="eval").body)
    match inner:
        case ast.Call(
            func=ast.Attribute(value=owner, attr=name), args=[ast.Name(id=column)], keywords=[]
        ) if len(one.checks) == 1 and column in dict(one.cells) and column != OBJECT:
            called = ast.Call(ast.Name("getattr"), [owner, ast.Name(METHOD)], [])
            form = _within(ast.Call(called, [ast.Name(ARGUMENT)], []), outer)
            cells = [(ARGUMENT if key == column else key, cell) for key, cell in one.cells]
            at = next(n for n, (key, _) in enumerate(cells) if key == ARGUMENT)
            cells.insert(at, (METHOD, repr(name)))
            about = f"{one.plan.first.case.symbol.rpartition('.')[0]}.methods"
            told = (replace(one.checks[0], expression=form),)
            return replace(one, checks=told, cells=tuple(cells), about=about)
    return None


def _parts_of(
    item: Verified,
    setup: Sequence[StepCheck],
    asserted: Sequence[StepCheck],
    targets: Mapping[str, Target],
) -> OddRow | None:
    """Returns what a test does and asserts, by what makes its objects; an attribute may be set
    before it looks at one."""
    case, plan = item.case, PlannedTest((item,), ClaimedLink(), "steps")
    given = _set(setup[-1]) if setup else None
    lines = setup[:-1] if given else setup
    made = dict(pair for one in lines if (pair := assigned(one.expression)) is not None)
    if len(made) < len(lines):
        return None
    *_, variable = made or [""]
    named = [parts_named(one.expected or "0", variable, OBJECT) for one in asserted]
    parts = {one[1] for one in named if one is not None}
    if len(parts) == 1 and None not in named and not given:
        forms = [form for form, _ in filter(None, named)]
        told = zip(asserted, forms, strict=True)
        asserted = [replace(check, expected=form) for check, form in told]
    if any(free_names(check.expected) & made.keys() for check in asserted):
        return None
    if given:
        if given[0] != variable or free_names(given[2]) & made.keys():
            return None
        found = _looks(asserted, made)
    elif len(asserted) == 1:
        found = _call(asserted[0], made, case.symbol, targets.get(f"{case.path}:{case.symbol}"))
    else:
        found = _looks(asserted, made)
    if found is None:
        return None
    checks, alone, cells = found
    if parts and OBJECT not in dict(cells):
        return None
    if parts:
        return OddRow(plan, checks, item.checks, (*cells, (PARTS, repr(*parts))))
    if given:
        line = StepCheck("none", f"setattr({OBJECT}, {NAME}, {VALUE})")
        cells = (*cells, (NAME, repr(given[1])), (VALUE, given[2]))
        about = f"{case.symbol.rpartition('.')[0]}.attributes"
        return OddRow(plan, (line, *checks), item.checks, cells, about)
    return OddRow(plan, checks, alone, cells)


def _set(check: StepCheck) -> tuple[str, str, str] | None:
    """Returns variable, attribute and value of a line that sets one; None for another line."""
    match ast.parse(check.expression).body:
        case [ast.Assign(targets=[ast.Attribute(value=ast.Name(id=made), attr=name)], value=value)]:
            return made, name, ast.unparse(value)
    return None


def _within(node: ast.expr, outer: Sequence[str]) -> str:
    """Returns an expression inside of the functions that read it, the inner one first."""
    form = ast.unparse(node)
    for name in outer:
        form = f"{name}({form})"
    return form


_Parts = tuple[tuple[StepCheck, ...], tuple[StepCheck, ...], tuple[tuple[str, str], ...]]
"""Checks with columns, checks without, and the cells."""


def _reads_a_file(case: Case) -> bool:
    """Whether all that stands around a case is one file."""
    elsewhere = case.argv is not None or case.stdin or case.home or case.alone or case.awake
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
    name = last_name(symbol)
    cells: dict[str, ast.expr] = {}
    match inner:
        case ast.Call(func=called, args=args, keywords=keywords) if leaf(called) == name:
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
        case ast.Attribute(value=ast.Call() as owner, attr=read):
            cells[OBJECT] = owner
            template = ast.Attribute(ast.Name(OBJECT), read)
        case ast.Call(func=called) if outer and leaf(called)[:1].isupper():
            cells[OBJECT] = inner
            template = ast.Name(OBJECT)
        case _:
            return None
    form = _within(template, outer)
    texts = tuple((column, ast.unparse(value)) for column, value in cells.items())
    return (replace(check, expression=form),), (replace(check, expression=source),), texts


def last_name(symbol: str) -> str:
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
    if not any(walks(check.expression) for check in asserted[:-1]):
        pairs.sort(key=lambda pair: (walks(pair[0]), pair[0]))
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
