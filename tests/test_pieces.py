"""The pieces of a sentence, by kind, with the words before each."""

from __future__ import annotations

import pytest

from pytest_lift.expectations.pieces import Clause, Piece, leaf, names_function, parts_of, setting

READ: dict[str, list[list[str]]] = {
    "`f(1) == 2` and `f(1) == x`, `f(1) == [...]`; `f(...)` - `shop.f(1)` is 3 \u2014 so.": [
        [
            "<call f(1) as f(1)> | is <literal 2> | and <call f(1) as f(1)> | is <other x> | ",
            "<call f(1) as f(1)> | is <other [...]> | ",
        ],
        ["<other f(...)> | "],
        ["<call f(1) as shop.f(1)> | is <literal 3 bare> | so"],
    ],
    "The `x.y` of `shop.ParseError`, `MyException`, `BadWarning`, `ValueError`, `a.KeyError` or `Errors`.": [
        [
            "<name y> | of <error shop.ParseError> | ",
            "<error MyException> | ",
            "<error BadWarning> | ",
            "<error ValueError> | ",
            "<error a.KeyError> | or <name Errors> | ",
        ]
    ],
    "It is `x=1`, `x = 'a'`, `x=[`, ``y=2`` and `--flag`.": [
        [
            "it is <option x=1> | ",
            "<option x='a'> | ",
            "<option x='['> | ",
            "<option y=2> | and <other --flag> | ",
        ]
    ],
    "Given \"two\" or 'three', -4 or 1.5 it is the text `5` and the string of `6`.": [
        [
            "given <literal 'two' bare> | or <literal 'three' bare> | ",
            "<literal -4 bare> | or <literal 1.5 bare> | it is <literal 5 textual> | and the string of <literal 6 textual> | ",
        ]
    ],
    "`-1`, `[1, 2]`, `(1,)`, `None`, `a + b`, `not a`, `0 1`, `shop`, `Shop().x`, `tree.at(4).x`, `f`.": [
        [
            "<literal -1> | ",
            "<literal [1, 2]> | ",
            "<literal (1,)> | ",
            "<literal None> | ",
            "<other a + b> | ",
            "<other not a> | ",
            "<literal '0 1' bare> | ",
            "<name shop> | ",
            "<other Shop().x> | ",
            "<call at(4).x as tree.at(4).x> | ",
            "<name f> | ",
        ]
    ],
    "When it\u2019s done: nothing.": [["when it s done", "nothing"]],
    "`len(x)` is `max(1, 2)`.": [["<call len(x) as len(x)> | is <call max(1, 2) as max(1, 2)> | "]],
}
"""Sentence -> its parts (between semicolons and dashes) -> their clauses."""


def told(piece: Piece) -> str:
    source = f" as {piece.source}" if piece.source else ""
    marks = " bare" * piece.bare + " textual" * piece.textual
    return f"{' '.join(piece.before)} <{piece.role} {piece.text}{source}{marks}>".strip()


def said(clause: Clause) -> str:
    return " | ".join([*map(told, clause.pieces), " ".join(clause.words)])


@pytest.mark.parametrize("sentence", READ)
def test_each_piece_is_what_it_is(sentence: str) -> None:
    assert [[said(clause) for clause in part] for part in parts_of(sentence)] == READ[sentence]


def test_names_of_functions_and_settings() -> None:
    assert leaf("a.b.f") == "f"
    assert leaf("a.f(1)") == "f"
    assert leaf("f") == "f"
    assert setting("x=a=b") == ("x", "a=b")
    (clause,) = parts_of("`f(1)` `f` `x=1` `2` `E.ValueError` `a + b`")[0]
    assert [names_function(piece) for piece in clause.pieces] == [True, True, *[False] * 4]
