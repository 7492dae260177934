"""Derives expectations from requirement sentences that write out a call and its result.

``grade(90)`` is ``'A'`` counts as much as a doctest: it is tried, a test that asserts it verifies
the requirement, and a different result contradicts the text. No model reads the texts.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from dataclasses import replace

from pytest_lift.agents.contract import Brief
from pytest_lift.calls.case import Case
from pytest_lift.expectations.sentences import Statement, statements
from pytest_lift.requirements.requirement import Expectation, Requirement
from pytest_lift.source.syntax import leaf, parsed, unparsed
from pytest_lift.trace.trace import Trace

RULED = "the sentence writes out the call and its result"


def expect(brief: Brief) -> tuple[Expectation, ...]:
    """Returns all expectations, also of written-out sentences; differing ones get a ruling."""
    known = {one.key: one for one in brief.expectations}
    for item in brief.requirements.testable:
        for one in written_out(item):
            known.setdefault(one.key, one)
    if brief.try_expectations is None:
        return tuple(known.values())
    tried = brief.try_expectations(list(known.values()))
    return tuple(
        replace(one, ruling="stands", suspect="unclear", why=RULED)
        if tried[key].outcome == "differs" and not one.ruling
        else one
        for key, one in known.items()
    )


def written_out(item: Requirement) -> Iterator[Expectation]:
    """Yields the expectations of statements that name a call with all of its arguments.

    Statements that need more than the name of the function are left out.
    """
    for said in statements(item):
        if call := said.written_call:
            yield from _expectation(item.id, said, call)


def _expectation(requirement: str, said: Statement, call: str) -> Iterator[Expectation]:
    if (said.names | said.titled) - {said.called} or said.is_bare or not _can_be_tried(said):
        return  # the text lacks something that is needed to make the call, or to compare its result
    match said.operator:
        case "==" if _is_fraction(said.value):
            near = f"abs({call} - {said.value}) < 1e-9"
            yield Expectation(requirement, said.sentence, near, "holds")
        case "==":
            yield Expectation(requirement, said.sentence, call, "equals", said.value)
        case "raises":
            kind = said.value.rpartition(".")[2]
            yield Expectation(requirement, said.sentence, call, "raises", kind)
        case operator:
            yield Expectation(
                requirement, said.sentence, f"{call} {operator} {said.value}", "holds"
            )


def _can_be_tried(said: Statement) -> bool:
    """Whether a call can be tried as it is written.

    Not a method of a class without an object, output instead of a result, a warning, or a
    placeholder that is the name of a builtin (``words(list)``).
    """
    tree = getattr(parsed(said.source, "eval"), "body", None)
    if not isinstance(tree, ast.Call) or said.called in ("print", "input"):
        return isinstance(tree, ast.Attribute)
    owner = tree.func.value if isinstance(tree.func, ast.Attribute) else None
    if owner is not None and leaf(owner)[:1].isupper():
        return False
    given = [*tree.args, *(word.value for word in tree.keywords)]
    names = {n.id for value in given for n in ast.walk(value) if isinstance(n, ast.Name)}
    warned = said.operator == "raises" and said.value.endswith("Warning")
    return not warned and not any(hasattr(builtins, name) for name in names)


def _is_fraction(value: str) -> bool:
    node = getattr(parsed(value, "eval"), "body", None)
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(node, ast.Constant) and isinstance(node.value, float)


def undisputed(cases: Iterable[Case], trace: Trace | None) -> list[Case]:
    """Returns the cases that assert nothing about a contradicted call; a person has to decide it
    first."""
    items = trace.requirements if trace is not None else ()
    calls = {_normal(one.call) for item in items for one in item.contradictions}
    return [
        case
        for case in cases
        if not any(step.check and _normal(step.source) in calls for step in case.steps)
    ]


def _normal(source: str) -> str:
    tree = parsed(source.strip(), "eval")
    return unparsed(tree) if tree is not None else source


def session_text(item: Requirement) -> str:
    """Returns the written-out statements as doctests, from which the offline search makes tests."""
    lines = []
    for one in written_out(item):
        if one.relation == "equals" and one.expected != "None":
            lines.append(f">>> {one.call}\n{one.expected}")
        elif one.relation == "raises" and parsed(one.expected, "eval") is not None:
            lines.append(
                f">>> {one.call}\nTraceback (most recent call last):\n    ...\n{one.expected}"
            )
        elif one.relation == "holds":
            lines.append(f">>> {one.call}\nTrue")
    return "\n\n".join(lines)
