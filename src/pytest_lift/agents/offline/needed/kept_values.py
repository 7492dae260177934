"""Shows in one table what the objects of a class only keep: options that become attributes, and
attributes that are set and read back."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from pytest_lift.agents.offline.joining.skeletons import is_literal
from pytest_lift.agents.offline.natural.objects.variables import variable_for
from pytest_lift.agents.offline.writing.grouping import NAME, VALUE, ParametrizedRow, PlannedTest
from pytest_lift.agents.offline.writing.links import Linker
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.told import assigned
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.names import BUILTINS, free_names
from pytest_lift.calls.prober import Prober
from pytest_lift.source.syntax import chain, leaf, parsed_expression

SECONDS = 1.0
FEWEST = 3
"""Rows that are worth a table: what objects keep says little of itself."""
TITLES = {"given": "keeps options", "set": "keeps what is set"}
"""How an object gets its values -> what its table shows, in a few words."""


@dataclass(frozen=True)
class KeptValue:
    """Value that an object made by a short call keeps by the name that it was given by."""

    case: Case = field(compare=False)
    """A case in which an object does so."""
    variable: str
    made: str
    """What makes the object without any option."""
    how: str
    """given (as an option) or set (as an attribute)."""
    name: str
    value: str

    @property
    def group(self) -> tuple[str, str, str]:
        return self.case.path, self.made, self.how

    @property
    def checks(self) -> tuple[StepCheck, ...]:
        """The lines of a test of this value alone."""
        form = "is" if self.value in ("True", "False", "None") else "equals"
        look = StepCheck(form, f"{self.variable}.{self.name}", self.value)
        if self.how == "given":
            value = ast.parse(self.value, mode="eval").body
            made = _with_option(self.made, ast.keyword(self.name, value))
            return StepCheck("none", f"{self.variable} = {made}"), look
        setting = StepCheck("none", f"{self.variable}.{self.name} = {self.value}")
        return StepCheck("none", f"{self.variable} = {self.made}"), setting, look


def values_in(item: Verified, classes: AbstractSet[str]) -> Iterator[KeptValue]:
    """Yields the options that calls of `classes` in a case set, and the attributes that are set of
    the objects that these make, where their values are plain."""
    made: dict[str, ast.Call] = {}
    for check in item.checks:
        (line,) = ast.parse(check.expression).body or [ast.Pass()]
        for node in ast.walk(line):
            if isinstance(node, ast.Call) and leaf(node.func) in classes:
                for one in node.keywords:
                    if one.arg and _is_plain(one.value):
                        yield _value(item, node, "given", one.arg, one.value)
        found = assigned(check.expression)
        call = parsed_expression(found[1]) if found is not None else None
        if found is not None and isinstance(call, ast.Call) and leaf(call.func) in classes:
            made[found[0]] = call
        match line:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id=name), attr=attr)], value=value
            ):
                if name in made and not attr.startswith("_") and _is_plain(value):
                    yield _value(item, made[name], "set", attr, value)


def _is_plain(node: ast.expr) -> bool:
    return is_literal(node) or (isinstance(node, ast.Attribute) and bool(chain(node)))


def _value(item: Verified, made: ast.Call, how: str, name: str, value: ast.expr) -> KeptValue:
    bare = ast.Call(made.func, made.args, [])
    taken = {*BUILTINS, NAME, VALUE, *free_names(ast.unparse(bare))}
    variable = variable_for(leaf(made.func), taken)
    case = replace(item.case, keywords=(), idle=(), effect="", title="", asks=False, watched=())
    case = replace(case, imports=item.imports, symbol=leaf(made.func), files={}, folder=False)
    case = replace(case, argv=None, stdin="", subject=variable, defines=0)
    return KeptValue(case, variable, ast.unparse(bare), how, name, ast.unparse(value))


def that_are_kept(
    values: Iterable[KeptValue], prober: Prober, seconds: float = SECONDS
) -> dict[KeptValue, Verified]:
    """Returns those of some values that objects keep, each with a verified case, as far as the
    seconds are enough."""
    found = list(dict.fromkeys(values))
    cases = []
    for one in found:
        steps = tuple(Step(c.expression, check=c.form != "none") for c in one.checks)
        cases.append(replace(one.case, steps=steps))
    seen = prober.observe(cases, min(SECONDS, seconds), checked=True)
    kept = {}
    for one, case in zip(found, cases, strict=True):
        observed = seen.get(case.key)
        same = observed is not None and not observed.rejected and len(observed.outcomes) == 1
        if observed is not None and same and observed.outcomes[0].source == one.value:
            kept[one] = Verified(case, one.checks, case.imports, observed.hits)
    return kept


def rows_worth_it(
    kept: dict[KeptValue, Verified], counted: AbstractSet[int], reached: AbstractSet[int]
) -> dict[KeptValue, Verified]:
    """Returns the values of tables that are long enough, without those that reach nothing of what
    is `counted` that is not `reached` by cases that keep nothing, or by rows before them."""
    groups: dict[tuple[str, str, str], dict[KeptValue, Verified]] = defaultdict(dict)
    known = set(reached)
    for one, item in kept.items():
        if not item.hits & counted <= known:
            groups[one.group][one] = item
            known |= item.hits
    rows: dict[KeptValue, Verified] = {}
    for some in groups.values():
        if len({one.name for one in some}) >= FEWEST:
            rows |= some
    return rows


def tables_of(rows: dict[KeptValue, Verified], linker: Linker) -> list[PlannedTest]:
    """Returns one test for the values that objects which are made alike keep."""
    groups: dict[tuple[str, str, str], list[KeptValue]] = defaultdict(list)
    for one in rows:
        groups[one.group].append(one)
    plans = []
    for some in groups.values():
        first = some[0]
        members = [rows[one] for one in some]
        case = replace(members[0].case, title=TITLES[first.how])
        members[0] = replace(members[0], case=case)
        link = linker.link(members[0].case, members[0].checks)
        table = tuple(
            ParametrizedRow(((NAME, repr(one.name)), (VALUE, one.value)), "") for one in some
        )
        steps = tuple(_steps(first))
        plans.append(
            PlannedTest(tuple(members), link, "table", rows=table, steps=steps, told=_told(some))
        )
    return plans


def _steps(one: KeptValue) -> Iterator[StepCheck]:
    look = StepCheck("equals", f"getattr({one.variable}, {NAME})", VALUE)
    if one.how == "given":
        option = ast.Dict([ast.Name(NAME)], [ast.Name(VALUE)])
        made = _with_option(one.made, ast.keyword(None, option))
        yield StepCheck("none", f"{one.variable} = {made}")
    else:
        yield StepCheck("none", f"{one.variable} = {one.made}")
        yield StepCheck("none", f"setattr({one.variable}, {NAME}, {VALUE})")
    yield look


def _with_option(made: str, option: ast.keyword) -> str:
    call = ast.parse(made, mode="eval").body
    assert isinstance(call, ast.Call)
    return ast.unparse(ast.Call(call.func, call.args, [option]))


def _told(rows: Sequence[KeptValue]) -> str:
    """Returns a docstring."""
    owner, first = rows[0].case.symbol, min(rows, key=lambda one: len(one.value))
    if first.how == "given":
        return f"{owner} has each option as an attribute, such as {first.value} for {first.name}."
    return f"{owner} has each attribute as it was set, such as {first.value} for {first.name}."
