"""What single sentences are read as, in full: a call, a relation, a value, and what belongs to it."""

from __future__ import annotations

import pytest

from pytest_lift.expectations.sentences import Statement, stated

READ = {
    "`grade(90)` is `'A'`.": ["grade == 'A'; as grade(90)"],
    "`grade(90) == 'A'`.": ["grade == 'A'; as grade(90)"],
    "`grade` of `90` is `'A'`.": ["grade == 'A'; of 90; beside grade"],
    "`grade` gives `'A'` for `90`.": ["grade == 'A'; of 90; beside grade"],
    '`grade` returns "A" for 90.': ["grade == 'A'; beside grade; bare"],
    '`grade` returns 3 for "ninety".': ["grade == 3; of 'ninety'; beside grade"],
    "`grade` returns `a b`.": ["grade == 'a b'; beside grade; bare"],
    "`shop.grade` returns `1`.": ["grade == 1; beside grade"],
    "`shop.grade(2)` returns `1`.": ["grade == 1; as shop.grade(2)"],
    "`grade` raises `ValueError` for `-1`.": ["grade raises ValueError; of -1; beside grade"],
    "`grade` raises `shop.PriceError` for `-1`.": [
        "grade raises shop.PriceError; of -1; beside grade"
    ],
    "`grade(-1)` throws `PriceException`.": ["grade raises PriceException; as grade(-1)"],
    "`grade(-1)` raises `PriceWarning` with the message `'too small'`.": [
        "grade raises PriceWarning; as grade(-1)"
    ],
    "`grade(-1)` raises `ValueError` for a text of `'too small'`.": [
        "grade raises ValueError; as grade(-1)"
    ],
    "`grade(1)` is `2` and `grade(2)` is `3`.": [
        "grade == 2; as grade(1)",
        "grade == 3; as grade(2)",
    ],
    "`grade(1)` is `2`, `grade(2)` is `3`.": [
        "grade == 2; as grade(1)",
        "grade == 3; as grade(2); after grade",
    ],
    "`grade(1)` is `2`; `grade(2)` is `3`.": [
        "grade == 2; as grade(1)",
        "grade == 3; as grade(2); after grade",
    ],
    "`grade(1)` is at most `5`.": ["grade <= 5; as grade(1)"],
    "`grade(1)` is up to 5.": ["grade <= 5; as grade(1)"],
    "`grade(1)` is no more than `5`.": ["grade <= 5; as grade(1)"],
    "`grade(1)` is not more than `5`.": ["grade <= 5; as grade(1)"],
    "`grade(1)` is no less than `5`.": ["grade >= 5; as grade(1)"],
    "`grade(1)` is not less than 5.": ["grade >= 5; as grade(1)"],
    "`grade(1)` is no fewer than `5`.": ["grade >= 5; as grade(1)"],
    "`grade(1)` is less than or equal to `5`.": ["grade <= 5; as grade(1)"],
    "`grade(1)` is greater than or equal to `5`.": ["grade >= 5; as grade(1)"],
    "`grade(1)` is at least `5`.": ["grade >= 5; as grade(1)"],
    "`grade(1)` is less than `5`.": ["grade < 5; as grade(1)"],
    "`grade(1)` is fewer than `5`.": ["grade < 5; as grade(1)"],
    "`grade(1)` is smaller than `5`.": ["grade < 5; as grade(1)"],
    "`grade(1)` is lower than `5`.": ["grade < 5; as grade(1)"],
    "`grade(1)` is below `5`.": ["grade < 5; as grade(1)"],
    "`grade(1)` is under `5`.": ["grade < 5; as grade(1)"],
    "`grade(1)` is more than `5`.": ["grade > 5; as grade(1)"],
    "`grade(1)` is greater than `5`.": ["grade > 5; as grade(1)"],
    "`grade(1)` is larger than `5`.": ["grade > 5; as grade(1)"],
    "`grade(1)` is higher than `5`.": ["grade > 5; as grade(1)"],
    "`grade(1)` is above `5`.": ["grade > 5; as grade(1)"],
    "`grade(1)` is over `5`.": ["grade > 5; as grade(1)"],
    "`grade(1)` exceeds `5`.": ["grade > 5; as grade(1)"],
    "`grade(1)` is `5` too.": ["grade == 5; as grade(1)"],
    "`grade(1)` is `5` when `strict` is set.": ["grade|strict == 5; as grade(1); beside strict"],
    "`grade(1)` is `5` with `strict`.": ["grade|strict == 5; as grade(1); beside strict"],
    "`grade(1)` is `5` with `strict=True`.": ["grade == 5; as grade(1); with strict=True"],
    "`grade(1)` is `5` without `strict`.": ["grade|strict == 5; as grade(1); without strict"],
    "`grade(1)` is `5` without `strict=True`.": ["grade == 5; as grade(1); without strict"],
    "`grade(1)` is `5` unless `strict=True`.": ["grade == 5; as grade(1); without strict"],
    "With `strict=True` `grade(1)` is `5`.": ["grade == 5; as grade(1); with strict=True"],
    "With `strict=True`, `grade(1)` is `5`.": ["grade == 5; as grade(1); with strict=True"],
    "Without `strict=True`, `grade(1)` is `5`.": ["grade == 5; as grade(1); without strict"],
    "When `strict` is set, `grade(1)` is `5`.": [
        "grade|strict == 5; as grade(1); beside strict; after strict"
    ],
    "Numbers are counted: `grade(1)` is `5`.": ["grade == 5; as grade(1)"],
    "For example: `grade(1)` is `5`.": ["grade == 5; as grade(1)"],
    "So, for example, `grade(1)` is `5`.": ["grade == 5; as grade(1)"],
    "The result of `grade(1)` is `5`.": ["grade == 5; as grade(1)"],
    "The value of `grade` is `5` for `1`.": ["grade == 5; of 1; beside grade"],
    "of `grade` is `5` for `1`.": ["grade == 5; of 1; beside grade"],
    "`grade(1)` will then always be exactly `5`.": ["grade == 5; as grade(1)"],
    "`grade(1)` -> `5`.": ["grade == 5; as grade(1)"],
    "`grade(1)` => `5`.": ["grade == 5; as grade(1)"],
    "`grade` turns `1` into `5`.": ["grade == 5; of 1; beside grade"],
    "`grade` maps `1` to `5`.": ["grade == 5; of 1; beside grade"],
    "`grade` encodes `1` as `5`.": ["grade == 5; of 1; beside grade"],
    "`1` becomes `5`.": ["- == 5; of 1"],
    "`grade(1)` is `5`, `mark` is `6`.": [
        "grade == 5; as grade(1)",
        "mark == 6; beside mark; after grade",
    ],
    "`grade` and `mark` of `1` give `5`.": ["mark|grade == 5; of 1; beside grade, mark"],
    "`grade` of `1`, with `mark`, gives `5`.": [
        "grade|mark == 5; of 1; beside grade, mark; after mark, grade"
    ],
    "`grade()` is `5`.": ["grade == 5; as grade()"],
    "`grade(n)` is `5`.": ["grade == 5; as grade(n)"],
    "`grade(n, 2)` is `5`.": ["grade == 5; as grade(n, 2)"],
    "`Shop().grade(1)` is `5`.": ["grade == 5; as Shop().grade(1)"],
    "`tree.at(4).x` is `5`.": ["x == 5; as tree.at(4).x"],
    "`Bits('0xf').u` is `5`.": ["u == 5; as Bits('0xf').u"],
    "`grade(len)` is `5`.": ["grade == 5; as grade(len)"],
    "`grade(*x)` is `5`.": ["grade == 5; as grade(*x)"],
    "`grade(1)` is the text `'5'`.": ["grade == '5'; as grade(1)"],
    '`grade(1)` returns the string "5".': ["grade == '5'; as grade(1); bare"],
    "`grade(1)` is `{'a': 1}`.": ["grade == {'a': 1}; as grade(1)"],
    "`grade` is `5` for `x=1`.": ["grade == 5; with x=1; beside grade"],
    "`grade` is `5` for `x=1` and `2`.": ["grade == 5; of 2; with x=1; beside grade"],
    "`grade` of `1` is `2` with `x=1`; of `3` is `4`.": [
        "grade == 2; of 1; with x=1; beside grade",
        "- == 4; of 3; after grade",
    ],
    "`grade` with `len` is `5` for `1`.": ["len|grade == 5; of 1; beside grade"],
    "Without `len`, `grade` of `1` is `5`.": ["grade|len == 5; of 1; beside grade; after len"],
    "`grade` of `0 1` is `5`.": ["grade == 5; of '0 1'; beside grade"],
    "`int` of `'a'` raises `ValueError`.": ["int raises ValueError; of 'a'"],
    "`grade(1)` is `True`.": ["grade == True; as grade(1)"],
    "`grade(1)` gives 5 as well.": ["grade == 5; as grade(1)"],
    "`grade(1)` gives 5 in turn.": ["grade == 5; as grade(1)"],
    "`grade(1)` gives 5 by default.": ["grade == 5; as grade(1)"],
    "`grade(1)` gives 5 at once.": ["grade == 5; as grade(1)"],
    "`mark(1)` and the price is `5` and `grade(2)` is `3`.": ["grade|mark == 3; as grade(2)"],
    "Twice `mark(1)` is `5` and `grade(2)` is `3`.": ["grade|mark == 3; as grade(2)"],
    "`mark(1)` and `cut(1)` is `5` and `grade(2)` is `3`.": ["grade|cut|mark == 3; as grade(2)"],
    "`len` of `mark(1)` is `5` and `grade(2)` is `3`.": ["grade|mark|len == 3; as grade(2)"],
    "`mark(1)` is `a + b`, `grade(2)` is `3`.": ["grade|mark == 3; as grade(2); after mark"],
    "As it is, `grade(1)` is `5`.": ["grade == 5; as grade(1)"],
}
"""Sentence -> what it states: functions, relation and value, and what else is told."""
SILENT = (
    "`grade(90) == x`.",
    "`grade(90) == [1, ..., 3]`.",
    "`grade(-1)` raises `ValueError` saying `'too small'` for `'x'`.",
    "`grade(-1)` gives `ValueError`.",
    "The result of `grade(-1)` is `ValueError`, or `1`.",
    "`grade(1)` raises `ValueError` and `TypeError`.",
    "`grade(1)` is `2` or `3`.",
    "`grade(1)` is `2` nor `3`.",
    "`grade` of `1` is `2` and of `3` is `4`.",
    '`grade(1)` is above "five".',
    "`grade(1)` is not `5`.",
    "`grade(1)` is never `5`.",
    "`grade(1)` is, by no means, `5`.",
    "`grade(1)` is not a good `5`.",
    "`grade(1)` is or may be `5`.",
    "`grade(1)` is usually `5`.",
    "`grade(1)` is not by any measure ever `5`.",
    "`grade(1)` is usually by any such measure `5`.",
    "`grade(1)` is about `5`.",
    "`grade(1)` used to be `5`.",
    "`grade(1)` is `5` no longer.",
    "`grade(1)` is `5` hardly.",
    "`grade(1)` is `5` euros.",
    "`grade(1)` is `5` or more.",
    "`grade(1)` is `5` when it rains.",
    "`grade(1)` is `5` for texts.",
    "`grade(1)` is `5` and so on.",
    "When `strict` is set by the user, `grade(1)` is `5`.",
    "When `open()` was called, `grade(1)` is `5`.",
    "After `close()`, `grade(1)` is `5`.",
    "In strict mode, `grade(1)` is `5`.",
    "In strict mode: `grade(1)` is `5`.",
    "Strict mode: `grade(1)` is `5`.",
    "And if it rains, `grade(1)` is `5`.",
    "But when, `grade(1)` is `5`.",
    "As such, `grade(1)` is `5`.",
    "As a rule, `grade(1)` is `5`.",
    "At most `grade(1)` is `5`.",
    "Twice `grade(1)` is `5`.",
    "The length of `grade(1)` is `5`.",
    "The number of errors of `grade` is `5` for `1`.",
    "`grade(1)` prints `5`.",
    "`grade(1)` and the price is `5`.",
    "`grade(1)` = `5`.",
    "`grade` goes from `1` to `5`.",
    "`grade` knows `1` as `5`.",
    "`1`, `2` and `3` become `5`.",
    "`1` and `2`: `grade` gives `5`.",
    "`5` is `grade(1)`.",
    "`5` is what `grade` gives for `1`.",
    "`5` is given by `grade` for `1`.",
    "`grade(1)` is `5` as is `mark(1)`.",
    "`mark` reads: `grade` of `1` gives `5`.",
    "`grade(1) + 1` is `5`.",
    "`grade(1)` and `mark(2)` is `5`.",
    "`grade(1)` is the text `5`.",
    "`grade(1)` is `None`, or `5`.",
    "`grade(1)` is `[0, ..., 3]`.",
    "`grade(1)` is `a + b`.",
    "Is `grade(1)` `5`?",
    "Nobody says that `grade(1)` is `5`.",
    "`grade(1)` might be `5`.",
    "Unlike `mark`, `grade(1)` is `5`.",
    "`grade(1)` can be `5`.",
    "`len` of `grade(1)` is `5`.",
    "The default of `grade(1)` is `5`.",
    "`grade(1)` defaults to `5`.",
    "`grade(1)` is between `5` and `6`.",
    "`grade(1)` rounds to 5.",
    "`grade(1)` stays 5 once.",
    "`grade` of `ValueError` is `5`.",
    "`grade(1)` gives `5` for `ValueError`.",
)
"""They state nothing: they deny or doubt it, say in prose when it holds, or speak of another thing."""


def told(one: Statement) -> str:
    """Its parts in words, those that are empty left out."""
    parts = {
        "as": one.source,
        "of": ", ".join(sorted(one.inputs)),
        "with": ", ".join(f"{name}={value}" for name, value in one.options),
        "without": ", ".join(sorted(one.absent)),
        "beside": ", ".join(sorted(one.names)),
        "after": ", ".join(one.about),
    }
    said = [f"{word} {text}" for word, text in parts.items() if text]
    head = f"{'|'.join(one.functions) or '-'} {one.operator} {one.value}"
    return "; ".join([head, *said, *(["bare"] if one.is_bare else [])])


@pytest.mark.parametrize("sentence", READ)
def test_what_a_sentence_states(sentence: str) -> None:
    found = stated(sentence)
    assert [told(one) for one in found] == READ[sentence]
    assert {one.sentence for one in found} == {sentence}


@pytest.mark.parametrize("sentence", SILENT)
def test_what_states_nothing(sentence: str) -> None:
    assert stated(sentence) == ()
