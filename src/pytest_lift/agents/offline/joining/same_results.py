"""Tells which cases show the same: of one function, or by the same lines."""

from __future__ import annotations

import ast

from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.source.syntax import parsed_expression


def what_is_shown(item: Verified) -> tuple[object, ...]:
    """Returns what a case shows of its function: its results, or the statement that raises."""
    return tuple(
        (check.raised.type, check.raised.file, check.raised.line)
        if check.raised is not None
        else (
            _asked(check),
            check.form,
            check.expected,
            check.attributes,
            check.printed,
            check.said,
        )
        for check in item.checks
        if check.form != "none"
    )


def _asked(check: StepCheck) -> str:
    """Returns what is looked at, the same for all calls."""
    node = parsed_expression(check.expression)
    return node.attr if isinstance(node, ast.Attribute) else type(node).__name__


def lines_alike(item: Verified) -> tuple[object, ...]:
    """Returns what a case does and asserts, the same for cases that only have other texts in it:
    what is expected of them tells no text from another."""
    return (
        item.case.path,
        *(
            (
                check.form,
                _without_texts(check.expression),
                check.expected,
                check.attributes,
                check.raised and (check.raised.type, check.raised.line),
                check.printed,
                check.said,
                check.files,
            )
            for check in item.checks
        ),
    )


def _without_texts(source: str) -> str:
    """Returns a statement with nothing in its texts."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            node.value = type(node.value)()
    return ast.unparse(tree)
