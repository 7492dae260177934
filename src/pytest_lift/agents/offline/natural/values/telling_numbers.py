"""Numbers on which what is done to them shows: several for a maximum, a fraction for rounding."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Literal

from pytest_lift.calls.call import Call
from pytest_lift.source.syntax import shared_expression

SHOWING: tuple[tuple[re.Pattern[str], Literal["several", "fraction", "zero"], str], ...] = (
    (
        re.compile(
            r"^(nan)?(min|max|mean|median|sum|prod|std|var|average|ptp|sort|cumsum|cumprod|diff|"
            r"arg(min|max|sort)|percentile|quantile)$|^(sorted|ediff1d|searchsorted)$"
        ),
        "several",
        "[1, 2, 3]",
    ),
    (re.compile(r"^(__)?(round|floor|ceil|trunc|fix|rint|around)(__)?$"), "fraction", "2.7"),
    (re.compile(r"^(flat)?nonzero$|^count_nonzero$"), "zero", "[0, 1, 2]"),
)
"""Name of a function -> what has to be among its numbers, and numbers that have it."""
FRACTIONS = "[1.2, 2.7]"
LIMIT = re.compile(r"(^|_)(min|max|limit|low|high|lower|upper|least|most|bound|start|stop|end)")
INCLUDED = re.compile(r"incl|excl|strict|closed|open_|_open|equal")
"""Names of parameters for limits, and for whether a limit is among what is allowed."""
FEWEST_PARTS, PARTS = 2, ("1", "2", "3", "4", "5", "6")
"""Fewest numbers of which objects are made that are values themselves, and numbers that differ."""
NEUTRAL = frozenset({"0", "0.0", "1", "1.0"})
"""Defaults of such numbers."""
ALIKE = 0.6
"""Oddness of numbers on which a function of such a name changes nothing."""


def oddness(call: Call) -> float:
    """Returns the cost of numbers on which what a call does to them is not seen."""
    return ALIKE if next(variants(call), None) is not None else 0.0


def variants(call: Call) -> Iterator[Call]:
    """Yields the call with other numbers, in its first argument or in that of its object, where
    what it does to them is not seen; with a limit where it tells whether that is included, and on
    an object with numbers that differ where it has none of its own."""
    yield from _at_limits(call)
    if call.receiver is not None and (receiver := _of_numbers(call.receiver)) is not None:
        yield call.but(receiver=receiver)
    for _, wanted, numbers in (row for row in SHOWING if row[0].search(call.target.leaf)):
        for part in (call.receiver, call):
            name, value = next(iter(part.values), ("", "")) if part is not None else ("", "")
            items = _numbers(value)
            if part is None or not items or _has(wanted, items, value):
                continue
            new = FRACTIONS if wanted == "fraction" and value[:1] in "[(" else numbers
            other = part.with_value(name, new)
            yield other if part is call else call.but(receiver=other)
            return


def _at_limits(call: Call) -> Iterator[Call]:
    """Yields the call with a limit of its own, or of its object, in the place of its first other
    number, where an option tells whether the limit is included: beyond it nothing shows that."""
    given = [*(call.receiver.values if call.receiver is not None else ()), *call.values]
    limits = [value for name, value in given if LIMIT.search(name) and _is_number(value)]
    telling = any(INCLUDED.search(name) and value in ("True", "False") for name, value in given)
    others = [
        (name, value) for name, value in call.values if _is_number(value) and not LIMIT.search(name)
    ]
    if telling and others and others[0][1] not in limits:
        yield from (call.with_value(others[0][0], limit) for limit in dict.fromkeys(limits))


def _of_numbers(made: Call) -> Call | None:
    """Returns what makes an object of several numbers, as a vector, with different ones, where some
    of them are left to defaults: of nothing but zeros little is seen."""
    taken = {one.name: one.default or "" for one in made.target.parameters}
    several = FEWEST_PARTS <= len(taken) <= len(PARTS) and NEUTRAL.issuperset(taken.values())
    if made.target.kind != "constructor" or not several or len(made.values) == len(taken):
        return None
    parts = [
        (name, part if default.isdigit() else f"{part}.0")
        for part, (name, default) in zip(PARTS, taken.items(), strict=False)
    ]
    return made.but(values=tuple(parts))


def _is_number(value: str) -> bool:
    return value[:1] not in "[(" and bool(_numbers(value))


def _has(wanted: str, items: list[int | float], value: str) -> bool:
    if wanted == "several":
        return value[:1] in "[(" and len({*items}) > 1
    if wanted == "fraction":
        return any(item != int(item) for item in items)
    return 0 in items


def _numbers(value: str) -> list[int | float]:
    """Returns the finite numbers of an argument that is one, or a list or tuple of such; none of
    all else."""
    node = shared_expression(value) if value else None
    if node is None:
        return []
    try:
        read = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return []
    items = list(read) if isinstance(read, list | tuple) else [read]
    plain = all(type(one) in (int, float) and abs(one) < float("inf") for one in items)
    return items if plain else []
