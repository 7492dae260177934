"""Asserts what documented objects made of their arguments, not that they equal their like."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.calls.case import Case, Observation, Outcome, Step
from pytest_lift.calls.prober import Prober
from pytest_lift.source.syntax import leaf, parsed_expression

SECONDS = 2.0


def with_parts_asserted(chosen: Sequence[Chosen], prober: Prober) -> list[Chosen]:
    """Returns the cases; documented objects that one argument makes are told by the attribute of
    its name (``C(None).x`` for ``C(None) == C(x='')``), and by their representation where they are
    written as they are made."""
    drafts = {
        number: case
        for number, item in enumerate(chosen)
        if item.kept.case.origin == "documented"
        and (case := _with_parts(item.kept.case, item.kept.seen)) is not None
    }
    seen = prober.observe(list(drafts.values()), SECONDS)
    found = list(chosen)
    for number, case in drafts.items():
        kept, observed = chosen[number].kept, seen.get(case.key)
        if observed is not None and _shows(kept.case, kept.seen, case, observed):
            kept = replace(kept, case=case, seen=observed)
            found[number] = replace(chosen[number], kept=kept)
    return found


def _with_parts(case: Case, seen: Observation) -> Case | None:
    """Returns a case with other checks of objects that their class makes; None without such."""
    outcomes = iter(seen.outcomes)
    steps = []
    for step in case.steps:
        outcome = next(outcomes, None) if step.check else None
        other = _read(step.source, outcome) if outcome is not None else ""
        steps.append(Step(other, check=True) if other else step)
    return replace(case, steps=tuple(steps)) if tuple(steps) != case.steps else None


def _read(source: str, outcome: Outcome) -> str:
    """Returns what is asserted of an object that a step makes; "" where that is another thing."""
    made, told = parsed_expression(source), _told(outcome)
    if told is None or not isinstance(made, ast.Call) or leaf(made.func) != leaf(told.func):
        return ""
    if len(told.keywords) == 1:
        return f"{source}.{told.keywords[0].arg}"
    return f"repr({source})" if ast.dump(made) == ast.dump(told) else ""


def _told(outcome: Outcome) -> ast.Call | None:
    """Returns the call that is equal to an object, where it names each argument."""
    node = parsed_expression(outcome.source) if outcome.source and not outcome.wrap else None
    if not isinstance(node, ast.Call) or node.args or not node.keywords:
        return None
    return node if all(keyword.arg for keyword in node.keywords) else None


def _shows(before: Case, old: Observation, case: Case, new: Observation) -> bool:
    """Whether the new checks of a case show what the old ones did."""
    if new.rejected or len(new.outcomes) != len(old.outcomes):
        return False
    checked = [
        (first, second)
        for first, second in zip(before.steps, case.steps, strict=True)
        if first.check
    ]
    for (first, second), one, other in zip(checked, old.outcomes, new.outcomes, strict=False):
        told = _told(one)
        if first == second or told is None:
            continue
        value = ast.unparse(told.keywords[0].value) if len(told.keywords) == 1 else repr(one.shown)
        if other.source is None or other.source != value:
            return False
    return True
