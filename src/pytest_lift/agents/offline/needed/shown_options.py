"""Shows of a documented object the options that it was given, not what all such objects have."""

from __future__ import annotations

import ast
import math
import time
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pytest_lift.agents.offline.joining.skeletons import is_literal
from pytest_lift.agents.offline.needed.rerun import as_case, with_lines
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.told import VALUED, assigned
from pytest_lift.calls.prober import Prober
from pytest_lift.source.syntax import leaf, parsed_expression

SECONDS = 1.0
MOST = 4
"""Most options that a test shows."""
SINGLE = ("True", "False", "None")


def with_options_shown(
    items: Sequence[Verified],
    prober: Prober,
    classes: AbstractSet[str],
    whole: AbstractSet[str] = frozenset(),
    until: float = math.inf,
) -> list[Verified]:
    """Returns the cases; documented ones that only look at an object of one of the `classes` look
    at the options that it was given, where these are its attributes. Those with one of the keys
    `whole` stay as they are; nothing is run after `until` (`time.monotonic()`)."""
    drafts = {
        number: draft
        for number, item in enumerate(items)
        if item.case.key not in whole and (draft := _draft(item, classes)) is not None
    }
    cases = {n: as_case(one) for n, one in drafts.items()}
    seconds = max(0.0, min(SECONDS, until - time.monotonic()))
    seen = prober.observe([*cases.values()], seconds, checked=True) if cases else {}
    found = list(items)
    for number, draft in drafts.items():
        observed = seen.get(cases[number].key)
        looks = [check for check in draft.checks if check.form != "none"]
        if observed is None or observed.rejected or len(observed.outcomes) != len(looks):
            continue
        pairs = zip(looks, observed.outcomes, strict=True)
        if all(one.source == look.expected for look, one in pairs):
            found[number] = replace(draft, hits=observed.hits)
    return found


def _draft(item: Verified, classes: AbstractSet[str]) -> Verified | None:
    """Returns a case with looks at the options of its object in the place of others that were
    added; None for a case with looks that the document states, and where that is not so."""
    if item.case.origin != "documented" or not item.checks:
        return None
    first, *looks = item.checks
    made = assigned(first.expression) if first.form == "none" else None
    call = parsed_expression(made[1]) if made is not None else None
    if made is None or not isinstance(call, ast.Call):
        return None
    if any(_is_stated(look, item, made[0]) for look in looks):
        return None
    options = [one for one in call.keywords if one.arg and is_literal(one.value)]
    known = {name for look in looks for name in _attributes(look, made[0])}
    if leaf(call.func) not in classes or not options or "" in known:
        return None
    if known & {one.arg for one in options}:
        return None
    return with_lines(item, (first, *(_look(made[0], one) for one in options[:MOST])))


def _is_stated(look: StepCheck, item: Verified, name: str) -> bool:
    """Whether the document has a look itself: only the object is looked at without that."""
    return any(
        step.check
        and step.source == look.expression
        and (step.want is not None or step.source != name)
        for step in item.case.steps
    )


def _attributes(check: StepCheck, name: str) -> Iterator[str]:
    """Yields the attributes of a variable that a check looks at; "" for a check of something
    else."""
    if check.form == "attributes" and check.expression == name:
        yield from (attribute for attribute, _ in check.attributes)
        return
    match parsed_expression(check.expression):
        case ast.Attribute(ast.Name(of), attribute) if of == name and check.form in VALUED:
            yield attribute
        case _:
            yield ""


def _look(name: str, option: ast.keyword) -> StepCheck:
    value = ast.unparse(option.value)
    return StepCheck("is" if value in SINGLE else "equals", f"{name}.{option.arg}", value)
