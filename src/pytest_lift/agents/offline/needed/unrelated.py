"""Takes looks at what earlier calls did from tests of a call that gives nothing."""

from __future__ import annotations

import ast
import math
import time
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from pytest_lift.agents.offline.joining.merits.echoes import is_echo
from pytest_lift.agents.offline.joining.merits.hollow import waited_for
from pytest_lift.agents.offline.needed.rerun import as_case, with_lines
from pytest_lift.agents.offline.search.dullness import BEGUN_WITH
from pytest_lift.agents.offline.writing.oracles.checks import Verified, without_unused
from pytest_lift.calls.case import Observation, Outcome
from pytest_lift.calls.prober import Prober
from pytest_lift.source.syntax import leaf, parsed_expression

SECONDS = 1.0


def without_unrelated_looks(
    items: Sequence[Verified],
    prober: Prober,
    whole: AbstractSet[str] = frozenset(),
    until: float = math.inf,
) -> list[Verified]:
    """Returns the cases; searched ones of a call that gives nothing, or back what it was given,
    without what is asserted besides where that is the same without the call. Those with one of the
    keys `whole` stay as they are; nothing is run after `until` (`time.monotonic()`)."""
    calls = {n: at for n, item in enumerate(items) if (at := _empty_call(item, whole)) >= 0}
    pairs = {n: (as_case(items[n]), as_case(_without(items[n], at))) for n, at in calls.items()}
    seconds = max(0.0, min(SECONDS, until - time.monotonic()))
    cases = [case for pair in pairs.values() for case in pair]
    seen = prober.observe(cases, seconds) if cases else {}
    found = list(items)
    for number, (before, after) in pairs.items():
        place = _asserted(items[number]).index(calls[number])
        with_it, without_it = (_outcomes(seen.get(case.key)) for case in (before, after))
        if without_it and [*with_it[:place], *with_it[place + 1 :]] == without_it:
            found[number] = _alone(items[number], calls[number])
    return found


def _outcomes(seen: Observation | None) -> list[Outcome]:
    return [*seen.outcomes] if seen is not None and not seen.rejected else []


def _asserted(item: Verified) -> list[int]:
    """Returns the numbers of the checks that assert something."""
    return [at for at, check in enumerate(item.checks) if check.form != "none"]


def _without(item: Verified, at: int) -> Verified:
    return with_lines(item, [*item.checks[:at], *item.checks[at + 1 :]])


def _alone(item: Verified, at: int) -> Verified:
    """Returns a case with one of its assertions, and what is done before that."""
    before = [check for check in item.checks[:at] if check.form == "none"]
    return with_lines(item, without_unused([*before, item.checks[at]]))


def _empty_call(item: Verified, whole: AbstractSet[str]) -> int:
    """Returns the number of the check by which a case with others asserts that its call gives
    nothing, or what it was given; -1 where it does not."""
    case, name = item.case, item.case.symbol.rpartition(".")[2]
    asserted = _asserted(item)
    if case.origin != "searched" or case.looped or case.command or case.key in whole:
        return -1
    own = [at for at in asserted if _calls(item.checks[at].expression, name)]
    if len(own) != 1 or len(asserted) < 2:
        return -1
    empty = item.checks[own[0]].expected in BEGUN_WITH
    return own[0] if empty or is_echo(_alone(item, own[0])) else -1


def _calls(source: str, name: str) -> bool:
    """Whether an expression is a call of a function or method of that name."""
    node = parsed_expression(source)
    call = waited_for(node) if node is not None else None
    return isinstance(call, ast.Call) and leaf(call.func) == name
