"""Tries the options of a function on data where setting them makes a visible difference."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.search.dullness import dullness
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.targets import Target
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import leaf

MOST_TRIALS = 700
MOST_VALUES = 6

Measurement = tuple[Call, Call]
"""The call without and with an option."""


def option_trials(
    target: Target, bases: Sequence[Call], inputs: Inputs, rng: random.Random, shown: set[str]
) -> list[Measurement]:
    """Returns pairs of calls that differ in one option that is not among the goals `shown`."""
    options = [o for o in _options(target) if f"option {o[0].key} {o[1].name}" not in shown]
    if not options or target.entry:
        return []
    data = [*_bare(bases), *_data_calls(target, bases, inputs)]
    pairs = []
    for base in dict.fromkeys(data):
        for owner, parameter in options:
            for value in _values(owner, parameter, inputs):
                changed = _set(base, owner, parameter.name, value)
                if changed is not None and _added(base, changed)[1]:
                    pairs.append((base, changed))
    if len(pairs) > MOST_TRIALS:
        pairs = rng.sample(pairs, MOST_TRIALS)
    return pairs


def _options(target: Target) -> Iterator[tuple[Target, Parameter]]:
    holders = [target, *([target.owner] if target.owner and target.kind != "static" else [])]
    for holder in holders:
        for parameter in holder.parameters:
            named = not parameter.kind.startswith("var-") and not parameter.name.startswith("_")
            if parameter.default is not None and named:
                yield holder, parameter


def _bare(bases: Sequence[Call]) -> list[Call]:
    """Returns the calls with required arguments only."""
    found = []
    for base in bases:
        for name in base.options:
            base = base.without(name)
        found.append(base)
    return found


def _data_calls(target: Target, bases: Sequence[Call], inputs: Inputs) -> list[Call]:
    """Returns the first call with each value from the pool of its first required parameter."""
    required = [p for p in target.parameters if p.default is None and p.kind == "positional"]
    if not bases or not required:
        return []
    base = _bare(bases[:1])[0]
    return [base.with_value(required[0].name, v) for v in inputs.pool(target, required[0])[:70]]


def _values(owner: Target, parameter: Parameter, inputs: Inputs) -> list[str]:
    pool = [v for v in inputs.pool(owner, parameter) if v != parameter.default]
    if parameter.default == "None":
        pool = [v for v in pool if v != "None"]
    return pool[:MOST_VALUES]


def _set(base: Call, owner: Target, name: str, value: str) -> Call | None:
    if base.target is owner or base.target == owner:
        return base.with_value(name, value)
    if base.receiver is None or base.receiver.target != owner:
        return None
    return replace(base, receiver=base.receiver.with_value(name, value))


def effects(
    measurements: Sequence[Measurement],
    written: Mapping[Call, Case | None],
    seen: Mapping[str, Observation],
    priced: Callable[[Call, Case], Case],
) -> Iterator[tuple[str, Call, Case, Observation]]:
    """Yields for every option the cheapest call in which it changes what is returned or written;
    `priced` returns a case with its cost.

    That an object has what its constructor was given is no effect: calls on the object show it.
    """
    best: dict[str, tuple[float, Call, Case, Observation]] = {}
    for base, changed in measurements:
        before, after = written[base], written[changed]
        if before is None or after is None or changed.target.kind == "constructor":
            continue
        old, new = seen.get(before.key), seen.get(after.key)
        if old is None or new is None or not new.usable or old.outcomes == new.outcomes:
            continue
        if any(o.raised for o in new.outcomes):
            continue
        goal, after = goal_of(base, changed), priced(changed, after)
        cost = after.cost + (0.5 if any(o.raised for o in old.outcomes) else 0)
        cost += dullness(after, new)
        if goal not in best or cost < best[goal][0]:
            shown = replace(after, effect=_setting(base, changed))
            best[goal] = (cost, changed, shown, new)
    for goal, (_, call, case, observed) in best.items():
        yield goal, call, case, observed


def goals_of(case: Case, targets: Mapping[str, Target]) -> set[str]:
    """Returns, as goals, the options that a documented example already shows."""
    target = targets.get(f"{case.path}:{case.symbol}")
    if target is None:
        return set()
    given = {*case.keywords, *_by_position(case, target)}
    return {f"option {o.key} {p.name}" for o, p in _options(target) if p.name in given}


def _by_position(case: Case, target: Target) -> Iterator[str]:
    """Yields the parameters that calls in a case give by their position."""
    places = [p.name for p in target.parameters if p.kind in ("positional", "positional-only")]
    for step in case.steps:
        for node in ast.walk(ast.parse(step.source)):
            if isinstance(node, ast.Call) and leaf(node.func) == target.leaf:
                yield from places[: len(node.args)]


def goal_of(base: Call, changed: Call) -> str:
    """Returns the name of the option in which two calls differ."""
    owner, name, _ = _added(base, changed)
    return f"option {owner.key} {name}"


def _setting(base: Call, changed: Call) -> str:
    _, name, value = _added(base, changed)
    return f"{name}={value}"


def _added(base: Call, changed: Call) -> tuple[Target, str, str]:
    """Returns the target whose option was set, the option's name and its value; empty ones where
    the calls differ in none, but for the order of their arguments."""
    for new, old in ((changed, base), (changed.receiver, base.receiver)):
        if new is not None and old is not None and (added := set(new.values) - set(old.values)):
            return (new.target, *min(added))
    return changed.target, "", ""


def setting(call: Call, name: str) -> str:
    """Returns ``indent=2`` of a call that sets the option, or whose object does; else ""."""
    given = next((part.given[name] for part in call.chain if name in part.given), "")
    return f"{name}={given}" if given else ""
