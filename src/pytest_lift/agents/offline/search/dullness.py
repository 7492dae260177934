"""Tells how little a reader learns from the result of a case."""

from __future__ import annotations

import ast
from itertools import chain, repeat

from pytest_lift.calls.call import RECORDED
from pytest_lift.calls.case import Case, Observation, Outcome
from pytest_lift.source.syntax import parsed_expression

EMPTY = frozenset({"[]", "{}", "''", "()", "set()", "b''", "frozenset()", "0", "0.0"})
"""Results that mostly stand for nothing."""
NOTHING, NONE, NO, ECHO, YES = 1.5, 1.0, 0.6, 0.4, 0.2
"""Dullness of an empty result, of None, of False, of an argument given back, and of True."""
READ_BACK = 0.8
"""Dullness of an object whose attributes are nothing but the arguments that made it."""

PLAIN = {"None": NONE, "False": NO, "True": YES}


def dullness(case: Case, seen: Observation) -> float:
    """Returns 0 for a result that says something, more for one that any program may give."""
    if not seen.outcomes or any(outcome.raised for outcome in seen.outcomes):
        return 0.0
    given = _given(case)
    checked = chain((step.source for step in case.steps if step.check), repeat(""))
    pairs = zip(seen.outcomes, checked, strict=False)
    return min(_dull(outcome, source, given) for outcome, source in pairs)


def is_mute(case: Case, seen: Observation) -> bool:
    """Whether a case has a callback that was not called, and nothing else to show."""
    shown = [step.source for step in case.steps if step.check]
    if RECORDED not in shown or len(shown) != len(seen.outcomes):
        return False
    pairs = zip(shown, seen.outcomes, strict=True)
    return not any(
        outcome.telling and (look, outcome.source) != (RECORDED, "[]") for look, outcome in pairs
    )


def _dull(outcome: Outcome, checked: str, given: frozenset[str]) -> float:
    source = outcome.source
    if outcome.printed or outcome.files:
        return 0.0
    if source is None:
        values = {value for _, value in outcome.attributes if value not in EMPTY | PLAIN.keys()}
        made = checked.partition("(")[0].rpartition(".")[2] == outcome.type
        return READ_BACK if made and values and values <= given and not outcome.text else 0.0
    if source in EMPTY or _is_bare(source):
        return NOTHING
    if source in PLAIN:
        return PLAIN[source]
    return ECHO if source in given or source.strip("[]") in given else 0.0


def _is_bare(source: str) -> bool:
    """Whether a source makes an object of nothing: ``Tree()``, ``Headers({})``."""
    node = parsed_expression(source)
    if not isinstance(node, ast.Call):
        return False
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    return all(ast.unparse(one) in EMPTY for one in given)


def _given(case: Case) -> frozenset[str]:
    """Returns the literals of a case, as they are written there."""
    nodes = [node for step in case.steps for node in ast.walk(ast.parse(step.source))]
    kinds = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set)
    return frozenset(ast.unparse(node) for node in nodes if isinstance(node, kinds))
