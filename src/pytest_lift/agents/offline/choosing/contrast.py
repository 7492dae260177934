"""Shows what an option does by the same call without it."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.choosing.options.removing import without_options
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.shared_arguments import with_named_argument
from pytest_lift.agents.offline.search.kept import Write
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation, Outcome, Step
from pytest_lift.calls.prober import Prober
from pytest_lift.source.syntax import parsed_expression

SECONDS = 4.0
LONGEST_IN_PLACE = 88
"""Most characters of a call whose object is written in its place."""
NEAR = 1e-4
"""Relative difference of numbers that nobody sees."""
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])")
MOST_INPUTS = 3
"""Most inputs on which an option is shown, where cases were chosen for it."""
LONGEST_RESULTS = 240
"""Most characters of the results that stand in one test."""


@dataclass(frozen=True)
class _Pair:
    """A chosen case and the same call without an option."""

    number: int
    name: str
    plain: Case


def contrasted(chosen: Sequence[Chosen], prober: Prober, write: Write) -> list[Chosen]:
    """Returns the cases, those that show an option first without it, where that gives something
    else, and no documented case shows it; a few for each option of a function, on other inputs."""
    pairs = _pairs(chosen, write)
    seen = prober.observe([pair.plain for pair in pairs], SECONDS)
    both: dict[int, Case] = {}
    shown: dict[tuple[str, str, str], set[str]] = {}
    for pair in pairs:
        kept = chosen[pair.number].kept
        option = (kept.case.path, kept.case.symbol, pair.name)
        before = seen.get(pair.plain.key)
        plain = shown.setdefault(option, set())
        if before is None or pair.number in both or pair.plain.key in plain:
            continue
        fails = any(one.raised for one in before.outcomes)  # in the same way whatever else is given
        if len(plain) >= (MOST_INPUTS if kept.case.effect and not fails else 1):
            continue
        if (case := _beside(kept.case, kept.seen, pair.plain, before)) is not None:
            both[pair.number] = replace(case, effect=kept.case.effect or f"{pair.name}=")
            plain.add(pair.plain.key)
    named = {number: _with_name(case, chosen[number].kept.call) for number, case in both.items()}
    again = prober.observe([*both.values(), *filter(None, named.values())], SECONDS, checked=True)
    found = list(chosen)
    for number, case in both.items():
        kept, observed, shorter = chosen[number].kept, again.get(case.key), named[number]
        if observed is None or not observed.usable or not _says(case, observed):
            continue
        same = again.get(shorter.key) if shorter is not None else None
        if shorter is not None and same is not None and same.usable:
            case = shorter if same.outcomes == observed.outcomes else case
        found[number] = replace(chosen[number], kept=replace(kept, case=case, seen=observed))
    return found


def _with_name(case: Case, call: Call | None) -> Case | None:
    """Returns a case whose calls have their longest argument by a name; None where it is short."""
    plain = call is not None and call.receiver is None and all(one.check for one in case.steps)
    steps = with_named_argument(case.steps, call.target) if call is not None and plain else ()
    return replace(case, steps=steps) if steps else None


def _pairs(chosen: Sequence[Chosen], write: Write) -> list[_Pair]:
    """Returns the calls without each of their options, first those that were chosen for one; none
    that a documented case checks."""
    documented = [item.kept.case for item in chosen if item.kept.case.origin == "documented"]
    shown = {step.source for case in documented for step in case.steps if step.check}
    pairs = []
    order = sorted(range(len(chosen)), key=lambda n: not chosen[n].kept.case.effect)
    for number in order:
        case, call = chosen[number].kept.case, chosen[number].kept.call
        if call is None or call.target.entry or call.in_block or case.placed or case.seeded:
            continue
        effect = case.effect.partition("=")[0]
        names = [effect] if effect else [one for one in call.options if one not in case.idle]
        for name in names:
            plain = write(without_options(call, [name]))
            known = plain is not None and len(plain.steps) == 1 and plain.source in shown
            if plain is not None and plain.key != case.key and not known:
                pairs.append(_Pair(number, name, plain))
    return pairs


def _beside(case: Case, seen: Observation, plain: Case, before: Observation) -> Case | None:
    """Returns a case with both calls; None where they cannot stand in one test, or show alike."""
    if not (before.usable and seen.usable) or before.outcomes == seen.outcomes:
        return None
    if not (_is_told(before.outcomes) and _is_told(seen.outcomes)):
        return None
    told = [one.outcomes[0].source or "" for one in (before, seen)]
    fails = [one.outcomes[-1].raised is not None for one in (before, seen)]
    if sum(map(len, told)) > LONGEST_RESULTS or all(fails):
        return None
    if not any(fails) and _nearly_equal(*told):
        return None
    steps = _in_one(plain, case)
    if steps is None:
        return None
    *setup, first, second = steps
    imports = tuple(sorted({*case.imports, *plain.imports}))
    ordered = (second, first) if fails[0] else (first, second)
    return replace(case, steps=(*setup, *ordered), imports=imports, subject="")


def _nearly_equal(*sources: str) -> bool:
    """Whether two results differ only in how often equal numbers stand there, or in their last
    digits."""
    numbers = [NUMBER.findall(source) for source in sources]
    words = [set(re.findall(r"[^\W\d]\w*", NUMBER.sub("", source))) for source in sources]
    pairs = [(one, other) for one in numbers[0] for other in numbers[1]]
    near = all(_is_near(one, other) for one, other in pairs)
    return bool(pairs) and near and words[0] == words[1]


def _is_near(one: str, other: str) -> bool:
    inexact = "." in one and "." in other
    return one == other or (inexact and math.isclose(float(one), float(other), rel_tol=NEAR))


def _in_one(plain: Case, case: Case) -> tuple[Step, ...] | None:
    """Returns both calls one after another; each with its own object, where that is short."""
    calls = [_in_place(one) for one in (plain, case)]
    return None if None in calls else tuple(one for one in calls if one is not None)


def _in_place(case: Case) -> Step | None:
    """Returns the only call of a case with its object written in its place, if that is all there
    is to it."""
    *setup, last = case.steps
    if not last.check or last.acts or len(setup) > 1 or any(step.check for step in setup):
        return None
    if not setup:
        return last
    (made,) = ast.parse(setup[0].source).body
    source = ast.unparse(made.value) if isinstance(made, ast.Assign) else ""
    uses = re.findall(rf"\b{case.subject}\b", last.source) if case.subject else []
    if not source or len(uses) != 1 or not last.source.startswith(f"{case.subject}."):
        return None
    inline = source + last.source.removeprefix(case.subject)
    called = isinstance(parsed_expression(source), ast.Call)
    return replace(last, source=inline) if called and len(inline) <= LONGEST_IN_PLACE else None


def _is_told(outcomes: Sequence[Outcome]) -> bool:
    """Whether a call shows one value or error that a test can assert as it is."""
    if len(outcomes) != 1:
        return False
    (one,) = outcomes
    known = one.source is not None and not (one.printed or one.files)
    return one.raised.explicit if one.raised is not None else known


def _says(case: Case, seen: Observation) -> bool:
    return len(seen.outcomes) == sum(step.check for step in case.steps)
