"""Adds checks of what calls change: what their objects show before and after."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.choosing.looks.bookkeeping import (
    ATTRIBUTE,
    Bookkeeping,
    bookkeeping_of,
)
from pytest_lift.agents.offline.choosing.looks.sameness import same_for_all, usual
from pytest_lift.agents.offline.choosing.looks.views import (
    ViewRanking,
    Views,
    given_values,
    telling_looks,
)
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.search.dullness import BEGUN_WITH
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.calls.call import RAISING, raising
from pytest_lift.calls.case import Case, Outcome, Step
from pytest_lift.calls.child.executing import AWAITED
from pytest_lift.calls.child.outcomes import EMPTY, OF_CASES

SECONDS = 8.0
MOST_VIEWS = 3
"""Most things that one test checks of an object."""
ASKING = re.compile(r"(is|are|has|have|can|was|should)_")
"""Beginning of the name of a method that answers by yes or no, and does nothing else."""
WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class _Watch:
    """A case up to the call that it is about, with the result in a variable."""

    case: Case
    call: Step
    """The call as the case has it."""
    result: str
    """Variable of the result; empty for a statement."""
    rest: tuple[Step, ...]
    """Checks after the call: of what was written to streams."""


def with_changes(chosen: Sequence[Chosen], search: ProgramSearch) -> list[Chosen]:
    """Returns the chosen cases, with checks of what their objects show where a call changes or
    makes one, and without statements that change nothing which is shown, where they are not the
    only case of their function."""
    found = _looked_at(chosen, search)
    others = {item.function for item in found if item is not None}
    return [
        looked or item
        for looked, item in zip(found, chosen, strict=True)
        if looked is not None or item.function not in others
    ]


def _looked_at(chosen: Sequence[Chosen], search: ProgramSearch) -> list[Chosen | None]:
    """Returns each case with checks of what it changes; None of a statement that changes nothing
    which is shown."""
    watches = {n: _watch(item.kept, search) for n, item in enumerate(chosen) if _acts(item.kept)}
    seen = search.prober.observe([watch.case for watch in watches.values()], SECONDS)
    views = {
        number: observed.views
        for number, watch in watches.items()
        if (observed := seen.get(watch.case.key)) is not None and len(observed.views) == 2
    }
    objects = [
        (kind, dict(after[name]))
        for number, (_, after) in views.items()
        for kind, name in _kinds(chosen[number].kept, watches[number])
        if name in after
    ]
    same, begun = same_for_all(objects), frozenset(usual(one for _, one in objects))
    found: list[Chosen | None] = list(chosen)
    books = bookkeeping_of(search.inputs.program, search.offer.folder)
    for number, watch in watches.items():
        kept = chosen[number].kept
        case: Case | None = None
        if number in views:
            before, after = ({n: dict(v) for n, v in view.items()} for view in views[number])
            subject = kept.call.name if kept.call is not None else ""
            itself = bool(subject) and after.get(watch.result) == after.get(subject)
            words = search.inputs.program.words, {*WORD.findall(watch.case.source)}
            for shown in (view for view in (before, after) if subject in view):
                shown[subject] = _known(shown[subject], words)
            kind, own = kept.seen.outcomes[0].type, after.get(watch.result, {})
            own = _known(own, words) or own
            own = {v: value for v, value in own.items() if (kind, v) not in same} or own
            own = {v: value for v, value in own.items() if (v, value) not in begun} or own
            after[watch.result] = after.get(subject, {}) if itself else own
            case = _with_checks(kept, watch, before, after, books)
        if case is not None:
            found[number] = replace(chosen[number], kept=replace(kept, case=case))
        elif watch.call.acts and all(map(_is_silent, kept.seen.outcomes)):
            found[number] = None
    return found


def _known(views: Views, words: Sequence[AbstractSet[str]]) -> dict[str, str]:
    """Returns the views without attributes whose names are none of the program's `words`: those
    that a class of another library gave the object."""
    return {
        view: value
        for view, value in views.items()
        if not (name := ATTRIBUTE.search(view)) or any(name[1] in some for some in words)
    }


def _kinds(kept: KeptCase, watch: _Watch) -> list[tuple[str, str]]:
    """Returns (type, variable) of the result, and of the object that a method is called on."""
    assert kept.call is not None
    owner = kept.case.symbol.rpartition(".")[0]
    return [(kept.seen.outcomes[0].type, watch.result), (owner, kept.call.name)]


def _is_silent(outcome: Outcome) -> bool:
    """Whether an outcome shows an object as it is, or None: it may have been like that before."""
    known = outcome.source not in (None, "None") or outcome.text is not None
    return not (known or outcome.printed or outcome.files)


def what_is_shown(kept: Sequence[KeptCase], search: ProgramSearch) -> list[object]:
    """Returns, for each case, what a test of it asserts: equal for cases that show the same."""
    final = _looked_at([Chosen(one, frozenset()) for one in kept], search)
    cases = [(item.kept if item else one).case for item, one in zip(final, kept, strict=True)]
    added = [case for case, one in zip(cases, kept, strict=True) if case.steps != one.case.steps]
    seen = search.prober.observe(added, SECONDS)
    found: list[object] = []
    for case, one in zip(cases, kept, strict=True):
        observed = seen.get(case.key)
        asserted = [step.source for step in case.steps if step.check]
        asked = [step.source for step in one.case.steps if step.check]
        if case.steps == one.case.steps:
            found.append(one.seen.outcomes)
        elif observed is None:
            found.append(object())  # nothing is known of it: it is like no other one
        else:
            looks = tuple(source for source in asserted if source not in asked)
            found.append((looks, observed.outcomes))
    return found


def _acts(kept: KeptCase) -> bool:
    """Whether a case ends in a call on an object, or makes one, without an error; but for one of a
    function that a test hands on. What has to be awaited does nothing where it is only made."""
    if kept.call is None or kept.call.target.entry or kept.call.target.asynchronous:
        return False
    if kept.call.in_block:
        return False
    outcomes = kept.seen.outcomes
    if not outcomes or any(outcome.raised for outcome in outcomes[1:]):
        return False
    if outcomes[0].wrap == AWAITED:
        return False
    return outcomes[0].raised is None or (bool(kept.call.name) and _is_meant(outcomes[0]))


def _is_meant(outcome: Outcome) -> bool:
    """Whether a function of the test raises an error of Python's own."""
    raised = outcome.raised
    return raised is not None and (raised.file, raised.module) == (OF_CASES, "builtins")


def _watch(kept: KeptCase, search: ProgramSearch) -> _Watch:
    case, call = kept.case, kept.call
    assert call is not None
    at = next(n for n, step in enumerate(case.steps) if step.check)
    step, result = case.steps[at], ""
    rest = case.steps[at + 1 :]
    last = replace(step, check=False)
    raised = kept.seen.outcomes[0].raised
    if raised is not None:
        last = Step(raising(raised.type, step.source))
        case = replace(case, imports=(*case.imports, f"import {RAISING}"))
    elif step.acts:
        rest = ()  # only a look at the object, which the views are in the place of
    else:
        result = search.objects.variable(kept.seen.outcomes[0].type.rpartition(".")[2])
        result = f"new_{result}" if result == call.name else result
        last = Step(f"{result} = {step.source}")
    watched = tuple(name for name in (call.name, result) if name)
    case = replace(case, steps=(*case.steps[:at], last), watched=watched)
    return _Watch(case, step, result, rest)


def _is_written(kept: KeptCase, watch: _Watch) -> bool:
    """Whether a case shows what its call wrote to another object."""
    told = kept.seen.outcomes[1:]
    return any(
        step.aside and outcome.source not in (None, "None", *EMPTY)
        for step, outcome in zip(watch.rest, told, strict=False)
    )


def _with_checks(
    kept: KeptCase,
    watch: _Watch,
    before: Mapping[str, Views],
    after: Mapping[str, Views],
    books: Bookkeeping,
) -> Case | None:
    """Returns the case with checks of what changed, or of what was made; None of a statement that
    changes nothing."""
    assert kept.call is not None
    subject, outcome = kept.call.name, kept.seen.outcomes[0]
    old, new = before.get(subject, {}), after.get(subject, {})
    changed = {view: value for view, value in new.items() if old.get(view) != value}
    first = ViewRanking(kept.case.keywords, given_values(watch.case))
    answered = not watch.call.acts and outcome.source not in (None, "None")
    if answered:
        changed = {v: value for v, value in changed.items() if value not in first.given}
    asks = ASKING.match(kept.call.target.leaf) is not None
    says = answered and (asks or outcome.source not in {*BEGUN_WITH, "True"})
    changed = books.without(changed, answered=says, written=_is_written(kept, watch))
    checks = telling_looks(subject, changed, MOST_VIEWS, first)
    itself = (outcome.source or "").partition("(")[0] == kept.call.target.call
    itself = itself and kept.call.target.kind == "constructor"
    made = after.get(watch.result, {}) if outcome.source is None or itself else {}
    *setup, last = watch.case.steps
    if made and made != new:
        telling = {view: value for view, value in made.items() if value not in BEGUN_WITH} or made
        if kept.call.target.kind == "method" and outcome.type == kept.case.symbol.partition(".")[0]:
            given = {view: value for view, value in telling.items() if value in first.given}
            telling = given or telling  # what was set, not what all of these objects begin with
        checks += telling_looks(watch.result, telling, MOST_VIEWS - len(checks), first)
        return replace(kept.case, steps=(*setup, last, *watch.rest, *checks))
    if not checks and watch.call.acts and not watch.rest:
        return None
    if not checks:
        return replace(kept.case, asks=bool(subject) and old == new)
    told = outcome.source not in (None, "None") or watch.call.acts or outcome.raised is not None
    steps = (*setup, replace(watch.call, check=told), *watch.rest, *checks)
    return replace(kept.case, steps=steps)
