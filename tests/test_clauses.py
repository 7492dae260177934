"""What the words around a value say of it."""

from __future__ import annotations

import pytest

from pytest_lift.expectations import clauses
from pytest_lift.expectations.pieces import Piece, parts_of

BEFORE = {
    "is_of_something": (
        ["the number of", "number of", "length of", "a b of"],
        ["of", "the result of", "the value of", "a of b", "of the"],
    ),
    "is_denied": (
        ["not", "is not", "is not a good", "never", "no", "not a b"],
        ["is not by any means", "", "x not a b c"],
    ),
    "is_unsure": (
        ["or", "either", "is about", "usually", "is or may be", "from a b", "default of"],
        ["less than or equal to", "from a b c", ""],
    ),
    "is_left_out": (
        ["without", "without the", "unless", "except", "no"],
        ["without the a", "with", ""],
    ),
    "is_asserted": (
        [
            "",
            "so",
            "the result of",
            "for example",
            "hence the",
            "so then and thus hence for example instance the a call result of that here now eg",
        ],
        ["twice", "the length of"],
    ),
    "is_direct": (
        [
            "is",
            "will then always be",
            "gives back",
            "raises",
            "",
            "is at most",
            "which is",
            "exactly",
        ],
        ["and the price is", "prints"],
    ),
}
"""Words right before a piece of which it is said, and such of which it is not."""
OF_CLAUSES = {
    "is_only_values": (
        [
            "`1`",
            "and `1`",
            "`1` and `2`",
            "`1` and `2` or `3`",
            "or `a + b`",
            "`ValueError` or `1`",
        ],
        ["`1` or `f`", "`f`", "`f(1)`", "and", "`1` too", "with `1`", ""],
    ),
    "tells_options": (
        [
            "with `x=1`",
            "and also `x=1` is set",
            "when the option `x` is given",
            "`x`",
            "`x` then",
            "",
        ],
        ["in strict mode", "`1` counts"],
    ),
    "is_heading": (
        ["In strict mode", "Strict mode", "`f` in strict mode"],
        [
            "For example",
            "It is so",
            "Numbers must do",
            "with `x=1`",
            "so",
            "For lists `f` works",
            "With `x`, and so",
        ],
    ),
    "is_open_condition": (
        [
            "when it rains",
            "when `f(1)` is called",
            "and if it rains",
            "but when",
            "after `x`",
            "even if `x` rains",
            "if",
            "for a list",
            "so when the `x` option is used too much",
            "even then if `x` rains",
            "with `f(1)`",
        ],
        [
            "if `x` is set",
            "with `x=1`",
            "for example",
            "as such",
            "as a rule",
            "it rains when",
            "it `x` when",
            "it when rains",
            "as it is `x`",
            "once more `x` counts",
            "at once",
            "in other words `x`",
            "without `x=1`",
            "unless `x`",
            "given `x=1`",
        ],
    ),
    "has_open_condition": (
        [
            "`f(1)` is `5` when it rains",
            "`f(1)` is `5` when given",
            "`f(1)` is `5` for texts",
            "for lists `f(1)` is `5`",
            "when it rains `f(1)` is `5`",
            "when `g(1)` `f(1)` is `5`",
            "`f(1)` is first `5`",
            "`f(1)` is `5` on the",
            "under `f(1)` is `5`",
            "`f` is written first as `5`",
            "`f` is written as `5` first",
        ],
        [
            "`f(1)` is `5` with `x`",
            "`f(1)` is `5` by default",
            "for `x` `f(1)` is `5`",
            "with the option `x` `f(1)` is `5`",
            "when `x` is set `f(1)` is `5`",
            "`f` is written as `5`",
            "`f` spells `1` as `5`",
            "`f(1)` is `5`",
            "`f(1)` is `5` too",
            "`f(1)` is `5` if",
            "in `f(1)` is `5`",
            "the input `f(1)` is `5`",
        ],
    ),
}
"""The same of clauses."""
RESULTS = {
    "`f(1)` is `2` and `g(1)` is `3`": [1, 3],
    "`f(1)` is `2` `3`": [],
    "`2` is `f(1)`": [],
    "`f(1)` is `2` and `3`": [],
    "`f(1)` is `2` nor `3`": [],
    "`f(1)` raises `E`": [],
    "`f(1)` raises `ValueError`": [1],
    "`f(1)` is `ValueError`": [],
    "raises for `1` `ValueError`": [],
    "`f(1)` is `2` as is `3`": [1, 2],
    "`f(1)` is `2` or more": [],
    "`f(1)` is `2` and more": [1],
    "`f(1)` is `2` dollars": [],
    "`f(1)` is the text `2`": [],
    "`f(1)` is the text `'2'`": [1],
    '`f(1)` is the text "2"': [1],
    '`f(1)` is below two "x"': [],
    "`f(1)` is below 3": [1],
    "`f` turns `1` into `2`": [2],
    "`1` into `2` turned": [],
    "turned `1` from `2` to `3`": [2],
    "`f(1)` without `x` is `2`": [2],
    "`f(1)` except `x=1` is `2`": [2],
    "without `1` it is `2`": [1],
    "`f(1)` no more than `2`": [1],
    "no more `f(1)` is `2`": [],
    "`f(1)` is `2` no more": [],
    "`f(1)` is `2` not": [],
    "`f(1)` used to give `2`": [],
    "`f(1)` is `2`, not": [1],
    "`f` gives at most by and by a b `2`": [],
    "`f(1)` with no `x=1` is `2`": [2],
    "`f(1)` with no `3` is `2`": [],
    "`f(1)` is `2` and never `3`": [1],
    "`f(1)` is `2` when never": [],
    "`f(1)` is `2` or": [],
    "`f(1)` is `2` gives `3`": [2],
    "`f(1)` rather is `2`": [],
    "`f(1)` either is `2`": [],
    "`f(1)` is other than `2`": [],
    "`f` but is `2`": [],
    "`f` but it always is `2`": [1],
    "is `f(1)` gives `2` and `x`": [1],
    "no longer `f(1)` is `2`": [],
    "read `f` as `2`": [1],
}
"""Clause -> the places of the pieces that are results."""


@pytest.mark.parametrize("name", BEFORE)
def test_what_words_say_of_the_piece_behind_them(name: str) -> None:
    says, silent = BEFORE[name]
    said = [text for text in [*says, *silent] if _of_piece(name, text)]
    assert said == says


def _of_piece(name: str, text: str) -> bool:
    return bool(getattr(clauses, name)(Piece("literal", "5", tuple(text.split()))))


@pytest.mark.parametrize("name", OF_CLAUSES)
def test_what_a_clause_is(name: str) -> None:
    says, silent = OF_CLAUSES[name]
    assert [text for text in [*says, *silent] if _of_clause(name, text)] == says


def _of_clause(name: str, text: str) -> bool:
    return bool(getattr(clauses, name)(parts_of(text)[0][0]))


@pytest.mark.parametrize("text", RESULTS)
def test_which_pieces_are_results(text: str) -> None:
    assert clauses.results(parts_of(text)[0][0]) == RESULTS[text]
