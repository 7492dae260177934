"""Tries the options of a function on data where setting them makes a visible difference."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from math import inf
from typing import NamedTuple

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.search.dullness import dullness
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation, Outcome
from pytest_lift.calls.running.children import Batch
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import leaf, parsed_expression

MOST_TRIALS = 700
MOST_VALUES = 6
MOST_DATA = 70
"""Most values of one parameter that options are tried on."""
MOST_PARTS = 4
"""Most parts of the other arguments that are tried as the value of an option."""
LONGEST_PART = 20
"""Most characters of a text that is tried as a part of another one."""
FAILS = 0.5
"""Cost of an option that is shown by an error, or without which there is one."""

COMPARED_BY_IDENTITY = frozenset({"True", "False", "None"})

Measurement = tuple[Call, Call]
"""The call without and with an option."""


class Measuring(NamedTuple):
    """Calls without and with options that a child is running."""

    pairs: Sequence[Measurement]
    written: Mapping[Call, Case | None]
    batch: Batch


class Effect(NamedTuple):
    """Option that changes what is returned or written, as a goal, and the call that shows it."""

    goal: str
    call: Call
    case: Case


def option_trials(
    target: Target, bases: Sequence[Call], inputs: Inputs, rng: random.Random, shown: set[str]
) -> list[Measurement]:
    """Returns pairs of calls that differ in one option that is not among the goals `shown`."""
    options = [o for o in _options(target) if f"option {o[0].key} {o[1].name}" not in shown]
    if not options or target.entry:
        return []
    data = [*_bare(bases), *_data_calls(target, bases, inputs)]
    pairs: list[Measurement] = []
    for owner, parameter in options:
        own = []
        for base in dict.fromkeys(data):
            for value in option_values(owner, parameter, inputs, base):
                changed = with_option(base, owner, parameter.name, value)
                if changed is not None and _added(base, changed)[1]:
                    own.append((base, changed))
        most = max(MOST_TRIALS // len(options), 1)
        if len(own) > most:
            named = [pair for pair in own if _is_named(parameter.name, pair[0])][:most]
            own = [*named, *rng.sample(own, most - len(named))]
        pairs += own
    return pairs


def _is_named(option: str, call: Call) -> bool:
    """Whether an argument of a call names an option: an object with a method of that name."""
    return any(re.search(rf"\b{option}\b", value) for name, value in call.values if name != option)


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
    """Returns the first call with what is known for its first required parameter."""
    required = [p for p in target.parameters if p.default is None and p.kind == "positional"]
    if not bases or not required:
        return []
    base = _bare(bases[:1])[0]
    return [base.with_value(required[0].name, v) for v in known_data(target, required[0], inputs)]


def known_data(target: Target, parameter: Parameter, inputs: Inputs) -> list[str]:
    """Returns values for a parameter: texts of all features of the formats that it reads, and what
    is drawn for it."""
    texts = inputs.typed_texts(target, parameter.name)
    pool = inputs.pool(target, parameter)[:MOST_DATA]
    return list(dict.fromkeys([*texts[:MOST_DATA], *pool]))


def option_values(
    owner: Target, parameter: Parameter, inputs: Inputs, base: Call, given: str = ""
) -> list[str]:
    """Returns values for an option: the one that is `given`, parts of the other arguments of a call
    that it is set in, and what is drawn for it."""
    pool = [v for v in inputs.pool(owner, parameter) if v != parameter.default]
    if parameter.default == "None":
        pool = [v for v in pool if v != "None"]
    others = [value for part in _parts_of(base) for name, value in part.values]
    known = tuple(filter(None, [given, *pool[:MOST_VALUES]]))
    related = islice(_related(others, *_kinds(known)), MOST_PARTS)
    found = dict.fromkeys([*known[: bool(given)], *related, *pool[:MOST_VALUES]])
    return [value for value in found if value != parameter.default]


def _parts_of(call: Call) -> Iterator[Call]:
    """Yields a call, and the one that makes its object."""
    yield call
    if call.receiver is not None:
        yield call.receiver


@lru_cache(maxsize=1024)
def _kinds(known: Sequence[str]) -> tuple[frozenset[str], frozenset[type]]:
    """Returns the kinds of expressions that an option is known to take, ``Path`` for lists of
    lists, and the types of those that are constants."""
    nodes = [parsed_expression(one) for one in known]
    calls = {leaf(one.func) for one in nodes if isinstance(one, ast.Call)}
    lists = [one for one in nodes if isinstance(one, ast.List | ast.Tuple) and one.elts]
    nested = any(isinstance(one.elts[0], ast.List | ast.Tuple) for one in lists)
    kinds = frozenset({*(type(one).__name__ for one in nodes), *calls, *["Path"] * nested})
    return kinds, frozenset(type(one.value) for one in nodes if isinstance(one, ast.Constant))


def _related(
    others: Sequence[str], kinds: AbstractSet[str], constants: AbstractSet[type]
) -> Iterator[str]:
    """Yields keys and items that stand in other arguments, as what an option is known to take: a
    text, a number, a list or set of them, or a list of lists."""
    parts = list(dict.fromkeys(part for other in others for part in _parts(other)))
    if "Path" in kinds and len(parts) > 1:
        yield f"[[{parts[0]}, {parts[1]}]]"
    for part in parts:
        if {"List", "Tuple", "list", "tuple"} & kinds:
            yield f"[{part}]"
        elif {"Set", "set", "frozenset"} & kinds:
            yield f"{{{part}}}"
        elif type(ast.literal_eval(part)) in constants:
            yield part


@lru_cache(maxsize=1024)
def _parts(source: str) -> Sequence[str]:
    """Returns the short texts and the numbers in an argument, keys first."""
    node = parsed_expression(source)
    if node is None:
        return ()
    found = []
    inner = [one for one in ast.walk(node) if isinstance(one, ast.Dict)]
    keys = [key for one in inner for key in one.keys if key is not None]
    for one in (*keys, *ast.walk(node)):
        value = one.value if isinstance(one, ast.Constant) else None
        short = isinstance(value, str) and 0 < len(value) <= LONGEST_PART
        if short or (isinstance(value, int) and not isinstance(value, bool)):
            found.append(repr(value))
    return found


def with_option(base: Call, owner: Target, name: str, value: str) -> Call | None:
    """Returns a call with an option of its target, or of what makes its object."""
    if base.target is owner or base.target == owner:
        return base.with_value(name, value)
    if base.receiver is None or base.receiver.target != owner:
        return None
    return base.but(receiver=base.receiver.with_value(name, value))


def effects(
    measurements: Sequence[Measurement],
    written: Mapping[Call, Case | None],
    seen: Mapping[str, Observation],
    priced: Callable[[Call, Case], Case],
) -> Iterator[Effect]:
    """Yields for every option the cheapest call in which it changes what is returned or written;
    `priced` returns a case with its cost.

    That an object has what its constructor was given is no effect: calls on the object show it.
    """
    best: dict[str, tuple[float, Effect]] = {}
    for base, changed in measurements:
        before, after = written[base], written[changed]
        if before is None or after is None or changed.target.kind == "constructor":
            continue
        old, new = seen.get(before.key), seen.get(after.key)
        if old is None or new is None or not is_shown((base, changed), old, new):
            continue
        goal, after = goal_of(base, changed), priced(changed, after)
        cost, most = after.cost + failing_cost(old, new), best[goal][0] if goal in best else inf
        if cost < most and (cost := cost + dullness(after, new)) < most:
            best[goal] = cost, Effect(goal, changed, replace(after, effect=_setting(base, changed)))
    yield from (effect for _, effect in best.values())


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


def is_shown(pair: Measurement, old: Observation, new: Observation) -> bool:
    """Whether an option changes what comes out; an error shows only what a switch does."""
    if not new.usable or _equal(old.outcomes, new.outcomes):
        return False
    return not new.fails or (_is_switch(*pair) and old.usable and not old.fails)


def _equal(old: Sequence[Outcome], new: Sequence[Outcome]) -> bool:
    """Whether assertions of what came out with an option hold without it, too: 1 == 1.0."""
    if len(old) != len(new):
        return False
    return all(
        one == other
        or (
            replace(one, type=other.type, source=other.source) == other
            and _compare_equal(one.source, other.source)
        )
        for one, other in zip(old, new, strict=True)
    )


def _compare_equal(one: str | None, other: str | None) -> bool:
    """Whether two literals are equal; truth values are compared by identity in tests."""
    if one in COMPARED_BY_IDENTITY or other in COMPARED_BY_IDENTITY:
        return False
    try:
        return bool(ast.literal_eval(one or "") == ast.literal_eval(other or ""))
    except (SyntaxError, ValueError):
        return False


def failing_cost(old: Observation, new: Observation) -> float:
    """Returns the cost of showing an option by an error, with it or without it."""
    return FAILS if old.fails or new.fails else 0.0


def _is_switch(base: Call, changed: Call) -> bool:
    """Whether two calls differ in a switch: that the program refuses something with it is what it
    is for, while another value may be a wrong one."""
    return _added(base, changed)[2] in ("True", "False")


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
