"""Says what a table of edge cases shows: row by row where that is short, else of all rows."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from pytest_lift.agents.offline.docstrings.layout import fits, lines_of
from pytest_lift.agents.offline.joining.odd.edge_rows import (
    GIVING,
    NOTHING,
    RAISING,
    SIGNS,
    EdgeRow,
)
from pytest_lift.agents.offline.writing.facts.comparisons import comparison
from pytest_lift.agents.offline.writing.sentences import error_words
from pytest_lift.agents.offline.writing.values import listed, value_words
from pytest_lift.source.syntax import parsed_expression

TOLD = {
    GIVING: "each call gives what is expected in its row",
    RAISING: "each call raises the error of its row with its message",
    NOTHING: "each call gives None",
}
MOST_NAMED, MOST_LINES, MOST_EXAMPLE = 3, 4, 3
"""Most functions that a docstring names, most lines of one that tells each row, and of one that
tells one of them."""
PLURAL = {"gives": "give", "is": "are", "raises": "raise"}


def told_of(rows: Sequence[EdgeRow], symbol: str) -> str:
    """Returns the docstring of a table that is called after a `symbol`: what each call gives where
    that is short, or what all of them give."""
    calls: dict[str, list[str]] = {}
    stated: list[str] = []
    for row in rows:
        form = row.check.form
        if said := comparison(row.call, form) if form in SIGNS else "":
            stated.append(said)
            continue
        call = f"str({row.call})" if form == "text" else row.call
        calls.setdefault(_end(row), []).append(call)
    general = f"Edge cases{_named(rows)}: {_of_all(rows, symbol)}."
    if "" in calls:
        return general
    facts = [
        f"{listed(some)} {end if len(some) == 1 else _of_several(end)}"
        for end, some in calls.items()
    ]
    facts += stated
    apart = any(len(some) > 1 or ": " in end for end, some in calls.items())
    text = f"Edge cases: {'; '.join(facts) if apart else listed(facts)}."
    if fits(text) and len(lines_of(text)) <= MOST_LINES:
        return text
    same = [f"Edge cases{_named(rows)}: each call {end}." for end in calls]
    if len(same) == 1 and not stated and fits(same[0]):
        return same[0]
    pairs = [(call, end) for end, some in calls.items() for call in some]
    if not pairs:
        return general
    text = f"Edge cases: {_example(pairs)}, and each other call {_of_others(symbol)}."
    return text if len(lines_of(text)) <= MOST_EXAMPLE and fits(text) else general


def _example(pairs: Sequence[tuple[str, str]]) -> str:
    """Returns ``first('a') gives 1`` of the shortest row, of those first in which something comes
    out."""
    little = {"gives None", "gives True", "gives False", "gives an empty text"}
    call, end = min(pairs, key=lambda pair: (pair[1] in little, len(" ".join(pair))))
    return f"{call} {end}"


def _of_others(symbol: str) -> str:
    """Returns what is true of all rows beside one that is told."""
    return TOLD[symbol].removeprefix("each call ")


def _of_all(rows: Sequence[EdgeRow], symbol: str) -> str:
    """Returns what is true of all rows, with the errors where these are few."""
    kinds = list(dict.fromkeys(row.check.raised.type for row in rows if row.check.raised))
    if not 0 < len(kinds) <= MOST_NAMED:
        return TOLD[symbol]
    either = " or ".join([", ".join(kinds[:-1]), kinds[-1]] if kinds[1:] else kinds)
    return f"each call raises the {either} of its row with its message"


def _end(row: EdgeRow) -> str:
    """Returns ``gives None`` or ``raises ValueError: no number``, what is asserted of a row; ""
    for what has no words."""
    check = row.check
    if check.raised is not None:
        return error_words(check)
    called = isinstance(parsed_expression(row.call), ast.Call) or check.form == "text"
    said = SIGNS.get(check.form) or value_words(check.expected)
    return f"{'gives' if called else 'is'} {said}" if said else ""


def _of_several(end: str) -> str:
    """Returns what is said of one call as it is said of several."""
    verb, _, rest = end.partition(" ")
    return f"{PLURAL[verb]} {rest}"


def _named(rows: Sequence[EdgeRow]) -> str:
    """Returns `` of first and last``, what is called, where that is short."""
    names = list(dict.fromkeys(row.item.case.symbol for row in rows))
    return f" of {listed(names)}" if len(names) <= MOST_NAMED else ""
