"""Asks functions that tell whether something holds for values of many kinds, where the search has
found one answer alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.arguments.hints.forms import is_literal
from pytest_lift.agents.offline.choosing.conditions import answer_of
from pytest_lift.agents.offline.choosing.looks.bounds import bounds_of
from pytest_lift.agents.offline.natural.fitting.fitness import named_parameter
from pytest_lift.agents.offline.search.drafts import Drafts
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call
from pytest_lift.calls.prober import Prober
from pytest_lift.source.symbols import TELLS_NOTHING
from pytest_lift.source.syntax import shared_expression

SECONDS = 1.0
MOST_FUNCTIONS = 30
"""Most functions that are asked."""
MOST_BOUNDS = 9
"""Most numbers that one is asked for, of those with which it compares its argument."""
KINDS = (
    "int", "len", "ValueError('hello')", "'hello'", "''", "' '", "'A'", "'1'", "b'hello'", "1", "0",
    "2.5", "True", "None", "[]", "[1, 2, 3]", "{'a': 1}", "(1, 2)", "{1, 2}", "iter([1, 2])",
    "lambda value: value", "property()", "int.real", "str.upper",
)  # fmt: skip
"""A plain value of each kind that functions tell apart."""


def of_other_kinds(
    cases: Sequence[KeptCase], prober: Prober, drafts: Drafts, seconds: float = SECONDS
) -> list[KeptCase]:
    """Returns cases with the answer that is lacking, of functions of one argument."""
    told: dict[tuple[str, str], dict[str, KeptCase]] = defaultdict(dict)
    for one in sorted(cases, key=lambda one: one.case.cost):
        if answer := answer_of(one):
            told[one.case.path, one.case.symbol].setdefault(answer, one)
    alone = [next(iter(found.items())) for found in told.values() if len(found) == 1]
    tried = [
        (answer, other) for answer, one in alone[:MOST_FUNCTIONS] for other in _others(one, drafts)
    ]
    seen = prober.observe([one.case for _, one in tried], min(seconds, SECONDS), checked=True)
    found = []
    for answer, one in tried:
        observed = seen.get(one.case.key)
        if observed is None or not observed.usable or one.call is None:
            continue
        other = replace(one, seen=observed, goals=frozenset())
        if answer_of(other) not in ("", answer):
            found.append(replace(other, case=drafts.priced(one.call, one.case)))
    return found


def _others(one: KeptCase, drafts: Drafts) -> Iterator[KeptCase]:
    """Yields a case with a number at which its function may change its answer, then a value of each
    kind, in the place of its only argument, where that fits."""
    call = one.call
    if call is None or len(call.values) != 1 or call.before or call.extra or call.receiver:
        return
    if call.target.leaf.startswith("__"):
        return
    [(name, _)] = call.values
    function = drafts.natural.inputs.inference.functions.get((call.target.path, call.target.symbol))
    bounds = bounds_of(function, name) if function is not None else []
    for value in (*map(str, bounds[:MOST_BOUNDS]), *KINDS):
        other = call.with_value(name, value)
        if _fits(other, name, value, drafts) and (case := drafts.unpriced(other)) is not None:
            yield replace(one, case=case, call=other)


def _fits(call: Call, name: str, value: str, drafts: Drafts) -> bool:
    """Whether an argument is one that its parameter takes; where a hint tells which these are, that
    can be told of literals alone."""
    parameter = named_parameter(call.target, name)
    hint = (parameter.annotation if parameter is not None else None) or "object"
    node = shared_expression(value)
    told = hint in TELLS_NOTHING or (node is not None and is_literal(node))
    return told and drafts.natural.fits(call)
