"""Tells what calls change: cases on named objects, with checks of what the objects show after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.search.search import KeptCase, ProgramSearch
from pytest_lift.agents.offline.search.selection import Chosen
from pytest_lift.calls.case import Case, Observation, Step

SECONDS = 8.0
MOST_VIEWS = 4
"""Most things that one test checks of an object."""
LONG = 60
"""Characters of a value from which its length is checked in its place."""
USUAL = frozenset({"None", "False", "[]", "{}", "''", "0", "()", "set()", "0.0"})
"""Values that say little of an object."""

Views = Mapping[str, str]
"""Expression with ``{}`` for the variable -> source of its value."""


@dataclass(frozen=True)
class _Watch:
    """A case with its last value in a variable, to see what that and the subject show."""

    case: Case
    result: str
    """Variable of the result; empty for a statement."""


def told(chosen: Sequence[Chosen], search: ProgramSearch) -> list[Chosen]:
    """Returns the chosen cases, with checks of what their objects show where a call changes or
    makes one. What nothing can be checked of is left out."""
    watches = {n: _watch(item.kept, search) for n, item in enumerate(chosen) if _acts(item.kept)}
    seen = search.prober.observe([w.case for w in watches.values()], SECONDS)
    found = []
    for number, item in enumerate(chosen):
        watch = watches.get(number)
        observed = seen.get(watch.case.key) if watch is not None else None
        case = item.kept.case
        if watch is not None and observed is not None:
            case = _with_views(item.kept, watch, observed)
        found.append(replace(item, kept=replace(item.kept, case=case)))
    return found


def _acts(kept: KeptCase) -> bool:
    """Whether a case ends in a call on an object, or makes one, without an error."""
    ended = any(outcome.raised for outcome in kept.seen.outcomes) or not kept.seen.outcomes
    called = kept.call is not None and kept.call.target.kind != "main"
    return called and not ended and not kept.call.target.asynchronous  # type: ignore[union-attr]


def _watch(kept: KeptCase, search: ProgramSearch) -> _Watch:
    case, call = kept.case, kept.call
    assert call is not None
    if call.target.kind == "statement":
        steps, result = list(case.steps[:-1]), ""
        last = steps.pop()
    else:
        at = next(n for n, step in enumerate(case.steps) if step.check)
        steps, last = list(case.steps[:at]), case.steps[at]
        kind = kept.seen.outcomes[0].type.rpartition(".")[2]
        result = search.variable(kind)
        if result == call.name:
            result = f"new_{result}"
        last = Step(f"{result} = {last.source}")
    watched = tuple(name for name in (call.name, result) if name)
    return _Watch(replace(case, steps=(*steps, last), watched=watched, subject=call.name), result)


def _with_views(kept: KeptCase, watch: _Watch, observed: Observation) -> Case:
    """Returns the case with checks of what changed, or of what was made."""
    case, call = kept.case, kept.call
    assert call is not None
    if len(observed.views) != 2:
        return case
    before, after = observed.views
    checks: list[Step] = []
    if call.name:
        old, new = dict(before.get(call.name, ())), dict(after.get(call.name, ()))
        changed = {view: value for view, value in new.items() if old.get(view) != value}
        checks += _checks(call.name, changed, MOST_VIEWS)
    outcome = kept.seen.outcomes[0]
    of_result = dict(after.get(watch.result, ()))
    made = outcome.source is None and bool(of_result) and call.target.kind != "statement"
    if made and of_result != dict(after.get(call.name, ())):
        telling = {view: v for view, v in of_result.items() if v not in USUAL} or of_result
        checks += _checks(watch.result, telling, MOST_VIEWS - len(checks))
        steps = watch.case.steps
    elif call.target.kind == "statement":
        steps = watch.case.steps
    elif checks and (outcome.source in (None, "None") or made):
        steps = (*watch.case.steps[:-1], Step(case.steps[len(watch.case.steps) - 1].source))
    elif checks:
        return replace(case, steps=(*case.steps, *checks))
    else:
        return case
    return replace(case, steps=(*steps, *checks))


def _checks(name: str, views: Views, most: int) -> list[Step]:
    """Returns checks of the most telling views; what another view says already is left out."""
    views = dict(views)
    items = next((view for view in ("dict({})", "list({})") if view in views), "")
    if items and len(views[items]) <= LONG:
        views.pop("len({})", None)
    elif items:
        views.pop(items)
    if len(views) > 1:
        views.pop("str({})", None)
        views.pop("bool({})", None)
    ordered = sorted(views.items(), key=lambda pair: (pair[1] in USUAL, len(pair[1]) > LONG))
    return [Step(view.format(name), check=True) for view, _ in ordered[: max(most, 1)]]
