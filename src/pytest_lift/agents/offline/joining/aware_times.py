"""Asserts how times with a zone read: equal ones are the same moment, in whatever zone."""

from __future__ import annotations

import ast
import datetime
from collections.abc import Sequence
from dataclasses import replace

from pytest_lift.agents.offline.writing.constructors import OF_DATETIME
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified, as_operand
from pytest_lift.source.syntax import parsed_expression

CLASSES = {
    "datetime": datetime.datetime,
    "time": datetime.time,
    "timedelta": datetime.timedelta,
    "timezone": datetime.timezone,
}


def with_zones_asserted(items: Sequence[Verified]) -> list[Verified]:
    """Returns the cases, those with ``parse(text).isoformat() == '2024-02-29T12:30:00+00:00'`` that
    asserted an equal time: that holds in another zone, too; those of requirements as they are."""
    return [
        item
        if item.case.origin == "requirement"
        else replace(item, checks=tuple(map(_as_text, item.checks)))
        for item in items
    ]


def _as_text(check: StepCheck) -> StepCheck:
    """Returns the check of a time with a zone as one of what it reads as; any other as it is."""
    node = parsed_expression(OF_DATETIME.sub(r"\1", check.expected))
    if check.form != "equals" or not isinstance(node, ast.Call):
        return check
    try:
        moment = _made(node)
    except (ValueError, TypeError, OverflowError):
        return check
    if not isinstance(moment, datetime.datetime | datetime.time) or moment.tzinfo is None:
        return check
    expression = f"{as_operand(check.expression)}.isoformat()"
    return replace(check, expression=expression, expected=repr(moment.isoformat()))


def _made(node: ast.expr) -> object:
    """Returns the value of an expression of nothing but numbers, times, durations and zones.

    Raises ValueError, TypeError or OverflowError for any other one.
    """
    match node:
        case ast.Constant(value=int(number)):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
            return -number
        case ast.Attribute(value=ast.Name(id="timezone"), attr="utc"):
            return datetime.UTC
        case ast.Call(func=ast.Name(id=name)) if name in CLASSES:
            given = {one.arg: _made(one.value) for one in node.keywords if one.arg is not None}
            return CLASSES[name](*map(_made, node.args), **given)
    raise ValueError(ast.unparse(node))
