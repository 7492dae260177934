"""Joins tests that look at the same object, or that ask equal ones: attributes and answers without
arguments in one test, results of one method in another."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pytest_lift.agents.offline.joining.skeletons import is_literal
from pytest_lift.agents.offline.natural.objects.variables import variable_for
from pytest_lift.agents.offline.writing.grouping import MOST_ASSERTS, PlannedTest
from pytest_lift.agents.offline.writing.legibility import illegibility
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.readings import is_look, is_question, walks
from pytest_lift.agents.offline.writing.told import VALUED, assigned
from pytest_lift.calls.names import BUILTINS, free_names
from pytest_lift.source.syntax import leaf, parsed_expression

MOST_LOOKS = 8
FEWEST_LEGIBLE = 3
"""Looks that a reader can check, beside which those that nobody can are left out."""
ASKING = frozenset({"is", "has", "can", "get"})
"""First words of methods that are asked together, like attributes."""
OBJECT = "made"
"""Name for the object in the set-ups that are compared."""
LONGEST_MADE = 30
"""Characters of what makes an object, to be written once for each assertion."""


def looked_at_together(
    plans: Sequence[PlannedTest], whole: AbstractSet[str] = frozenset()
) -> list[PlannedTest]:
    """Returns the plans, with one test for those that only read attributes of the same object, or
    ask it what needs no arguments and changes nothing; of a new object that is asked by methods,
    one for each subject of these.

    Of many looks those go that nobody can check, but for those that alone reach something, and
    those of cases with one of the keys `whole`.
    """
    reached = Counter(hit for plan in plans for item in plan.members for hit in item.hits)
    result: list[PlannedTest | None] = list(plans)
    parted = [_with_object(plan) or plan for plan in plans]
    groups: dict[tuple[str, ...], list[int]] = {}
    for at, plan in enumerate(parted):
        key = _key(plan)
        if key is not None:
            groups.setdefault(key, []).append(at)
    for members in groups.values():
        for start in range(0, len(members), MOST_LOOKS):
            chunk = members[start : start + MOST_LOOKS]
            if len(chunk) > 1:
                kept = [plans[at].first.case.key in whole for at in chunk]
                told = _legible([parted[at] for at in chunk], kept, reached)
                result[chunk[0]] = _joined(told)
                for at in chunk[1:]:
                    result[at] = None
    return [plan for plan in result if plan is not None]


def asked_together(plans: Sequence[PlannedTest]) -> list[PlannedTest]:
    """Returns the plans, with one test for up to four that ask equal new objects the same question
    with other arguments, or compare new objects of one class: each assertion makes its own."""
    result: list[PlannedTest | None] = list(plans)
    groups: dict[tuple[str, ...], list[int]] = {}
    for at, plan in enumerate(plans):
        made = _asked(plan)
        if made is not None:
            case = plan.first.case
            options = ",".join(sorted(case.keywords))
            link = repr(plan.link.requirements)
            owner = case.symbol.rpartition(".")[0]
            same = (owner,) if _tests_equality(plan) else (case.symbol, options, made)
            groups.setdefault((case.path, link, str(case.doubtful), *same), []).append(at)
    for members in groups.values():
        for start in range(0, len(members), MOST_ASSERTS):
            chunk = members[start : start + MOST_ASSERTS]
            if len(chunk) > 1:
                items = tuple(_in_place(plans[at].first) for at in chunk)
                result[chunk[0]] = replace(plans[chunk[0]], members=items, form="asserts")
                for at in chunk[1:]:
                    result[at] = None
    return [plan for plan in result if plan is not None]


def _asked(plan: PlannedTest) -> str | None:
    """Returns what makes the object, of a test that makes one in a short line and asserts what one
    call on it gives."""
    item = plan.first
    if plan.form != "steps" or len(plan.members) > 1 or plan.rows or item.case.effect:
        return None
    if item.case.origin != "searched" or item.case.placed or len(item.checks) != 2:
        return None
    setup, asked = item.checks
    found = assigned(setup.expression) if setup.form == "none" else None
    if found is None:
        return None
    made = found[1]
    called = isinstance(parsed_expression(asked.expression), ast.Call)
    tells = (called and asked.form in ("equals", "is")) or _tests_equality(plan)
    if len(made) > LONGEST_MADE or not tells:
        return None
    uses = re.findall(rf"\b{item.case.subject}\b", asked.expression)
    on_it = re.match(rf"{item.case.subject}\.|{item.case.subject} [!=]= ", asked.expression)
    apart = item.case.subject not in free_names(asked.expected)
    return made if on_it and len(uses) == 1 and apart and "\n" not in asked.expected else None


def _tests_equality(plan: PlannedTest) -> bool:
    """Whether a test asserts that an object equals another one, or differs from it."""
    return plan.first.case.symbol.rpartition(".")[2] in ("__eq__", "__ne__")


def _in_place(item: Verified) -> Verified:
    """Returns the case with the object written where it is asked."""
    setup, asked = item.checks
    _, made = assigned(setup.expression) or ("", "")
    expression = made + asked.expression.removeprefix(item.case.subject)
    case = replace(item.case, subject="")
    return replace(item, case=case, checks=(replace(asked, expression=expression),))


def _with_object(plan: PlannedTest) -> PlannedTest | None:
    """Returns a test that reads an attribute of what one call makes, with that in a variable; None
    for another test."""
    item = plan.first
    if len(plan.members) > 1 or plan.rows or len(item.checks) != 1 or item.case.subject:
        return None
    (check,) = item.checks
    match parsed_expression(check.expression):
        case ast.Attribute(value=ast.Call() as maker):
            used = {one.id for one in ast.walk(ast.parse(check.expected or "0"))
                    if isinstance(one, ast.Name)}  # fmt: skip
            name = variable_for(leaf(maker.func), {*BUILTINS, *used, *_bound(item)})
            made = StepCheck("none", f"{name} = {ast.unparse(maker)}")
            look = f"{name}.{check.expression.rpartition('.')[2]}"
            case = replace(item.case, subject=name, effect="")
            checks = (made, replace(check, expression=look))
            return replace(plan, members=(replace(item, case=case, checks=checks),), form="steps")
    return None


def _bound(item: Verified) -> set[str]:
    return {line.rpartition(" ")[2] for line in item.imports}


def _key(plan: PlannedTest) -> tuple[str, ...] | None:
    """Returns what tests of one object share: their set-up, whatever they call the object; None for
    another test."""
    item = plan.first
    if plan.form not in ("steps", "asserts") or len(plan.members) > 1 or plan.rows:
        return None
    *setup, last = item.checks
    subject = item.case.subject
    asks = is_question(last.expression, subject) or _is_looked_up(last.expression, subject)
    asks = item.case.asks and asks
    looks = is_look(last.expression) or asks
    reads = last.form in VALUED and looks and not item.case.effect
    if item.case.origin != "searched" or item.case.placed or not reads or not setup:
        return None
    if any(check.form != "none" for check in setup) or not item.case.subject:
        return None
    options = ",".join(sorted(item.case.keywords))
    lines = [named(check.expression, item.case.subject, OBJECT) for check in setup]
    asked = is_question(last.expression, subject) and len(setup) == 1
    topic = _topic(last.expression) if asked else ""
    return (item.case.path, repr(plan.link.requirements), options, topic, *lines)


def _topic(question: str) -> str:
    """Returns what a method without arguments asks for: ``name`` of ``date.month_name()``; "" of
    one that asks whether something holds, or for what is an attribute elsewhere."""
    words = question.rpartition(".")[2].removesuffix("()").strip("_").split("_")
    return "" if words[0] in ASKING and words[1:] else words[-1]


def _is_looked_up(source: str, subject: str) -> bool:
    """Whether an expression reads an item of a variable, or asks if it has one."""
    match parsed_expression(source):
        case (
            ast.Subscript(value=ast.Name(id=name), slice=given)
            | ast.Compare(left=given, ops=[ast.In()], comparators=[ast.Name(id=name)])
        ):
            return name == subject and is_literal(given)
    return False


def named(source: str, old: str, new: str) -> str:
    """Returns code with another name for one of its variables."""
    if old == new or old not in source:
        return source
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == old:
            node.id = new
    return ast.unparse(tree)


def _joined(plans: Sequence[PlannedTest]) -> PlannedTest:
    items = [plan.first for plan in plans]
    first = items[0]
    last = sorted(
        (_look(item, first.case.subject) for item in items), key=lambda look: walks(look.expression)
    )
    looks = {look.expression: look for look in last}.values()
    symbols = {item.case.symbol for item in items}
    owner = first.case.symbol.rpartition(".")[0] or first.case.symbol
    asked = is_question(last[0].expression, first.case.subject) and _topic(last[0].expression)
    symbol = first.case.symbol if len(symbols) == 1 or asked else owner
    odd = any(item.case.doubtful for item in items)
    item = Verified(
        replace(first.case, symbol=symbol, title="", effect="", idle=(), doubtful=odd),
        (*first.checks[:-1], *looks),
        tuple(sorted({line for item in items for line in item.imports})),
        frozenset().union(*(item.hits for item in items)),
    )
    return replace(plans[0], members=(item,), form="steps")


def _legible(
    plans: Sequence[PlannedTest], kept: Sequence[bool], reached: Counter[int]
) -> list[PlannedTest]:
    """Returns the tests whose numbers a reader can check, and those that are `kept` or alone reach
    something of what is `reached`; all where these are too few to tell what they have in common."""
    hard = [illegibility(plan.first.checks[-1].expected) > 0 for plan in plans]
    subject = plans[0].first.case.subject
    looks = {
        _look(p.first, subject).expression for p, odd in zip(plans, hard, strict=True) if not odd
    }
    if len(looks) < FEWEST_LEGIBLE:
        return list(plans)
    told = []
    for number, plan in enumerate(plans):
        hits = plan.first.hits
        if hard[number] and not kept[number] and all(reached[hit] > 1 for hit in hits):
            reached.subtract(hits)
        else:
            told.append(plan)
    return told


def _look(item: Verified, subject: str) -> StepCheck:
    """Returns the last check of a test with the object called by another name."""
    last, own = item.checks[-1], item.case.subject
    expression, expected = named(last.expression, own, subject), named(last.expected, own, subject)
    return replace(last, expression=expression, expected=expected)
