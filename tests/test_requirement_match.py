"""When the expected value of a test counts as the requirement's own."""

from __future__ import annotations

import pytest

from pytest_lift.expectations.requirement_match import agreement, quotes
from pytest_lift.requirements.requirement import Expectation, Requirement


def requirement(**given: object) -> Requirement:
    values: dict[str, object] = {
        "id": "R-1", "title": "t", "description": "", "acceptance": (), "scope": (),
        "file": "r.yml", "line": 1,
    }  # fmt: skip
    return Requirement(**{**values, **given})  # type: ignore[arg-type]


SORTED = requirement(
    examples=(">>> dumps({'b': 1, 'a': 2}, sort_keys=True)\n'{\"a\": 2, \"b\": 1}'",)
)
REFUSED = requirement(
    examples=(
        ">>> loads('[1,')\nTraceback (most recent call last):\n  ...\nval.JSONDecodeError: x",
    )
)
PROSE = requirement(description="With `allow_nan` the function `dumps` writes `NaN` as it is.")
LENGTH = requirement(
    description="`encode` gives at `least` so many; `1` gives '4q2V', it's the least."
)


@pytest.mark.parametrize(
    ("stated", "test", "basis"),
    [
        (SORTED, "assert dumps({'b': 1, 'a': 2}, sort_keys=True) == '{\"a\": 2, \"b\": 1}'", "example"),
        (SORTED, 'r = json.dumps({"b": 1, "a": 2}, sort_keys=True)\n    assert r == \'{"a": 2, "b": 1}\'', "example"),
        (SORTED, "assert dumps({'b': 1, 'a': 2}) == '{\"b\": 1, \"a\": 2}'", None),
        (SORTED, "assert len(dumps({'b': 1, 'a': 2}, sort_keys=True)) == 16", None),
        (SORTED, "assert loads('{\"a\": 2, \"b\": 1}') == {'b': 1, 'a': 2}", None),
        (REFUSED, "with pytest.raises(JSONDecodeError):\n        loads('[1,')", "example"),
        (REFUSED, "with pytest.raises(JSONDecodeError):\n        loads('[')", None),
        (REFUSED, "with pytest.raises(TypeError):\n        loads('[1,')", None),
        (PROSE, "assert dumps(float('nan'), allow_nan=True) == 'NaN'", None),  # of which value?
        (PROSE, "assert dumps(float('nan')) == 'NaN'", None),
        (PROSE, "assert dumps(None, allow_nan=True) == 'null'", None),
        (PROSE, "assert loads('NaN', allow_nan=True) == 'NaN'", None),
        (LENGTH, "assert h.encode(1) == '4q2V'", "quoted value"),
        (LENGTH, "assert h.encode(1, least=9) == '4q2V'", None),
        (LENGTH, "assert h.encode(1) == 'other'", None),
        (LENGTH, "assert h.decode('4q2V') == (1,)", None),
        (LENGTH, "least = 9\n    assert len(h.encode(1, least)) >= least", None),
        (LENGTH, "assert h.encode(1) == 'the'", None),
    ],
)  # fmt: skip
def test_agreement(stated: Requirement, test: str, basis: str | None) -> None:
    assert agreement(stated, f"def test_it():\n    {test}\n") == basis


def test_rows_of_parametrize_are_expectations() -> None:
    source = (
        "@pytest.mark.parametrize(('value', 'expected'), [(1, '1'), pytest.param([2], '[2]')])\n"
        "def test_it(value, expected):\n    assert dumps(value) == expected\n"
    )
    assert agreement(requirement(examples=(">>> dumps([2])\n'[2]'",)), source) == "example"
    assert agreement(requirement(examples=(">>> dumps([3])\n'[3]'",)), source) is None


@pytest.mark.parametrize("source", ["def test(:\n", "", "\x00", "def f():\n" + "(" * 500])
def test_what_cannot_be_parsed_agrees_with_nothing(source: str) -> None:
    assert agreement(SORTED, source) is None


RELATION = requirement(examples=(">>> import val\n>>> val.loads(val.dumps([1])) == [1]\nTrue",))
PRINTED = requirement(examples=('>>> import val\n>>> print(val.dumps("a\\nb"))\n"a\\nb"',))


@pytest.mark.parametrize(
    ("stated", "test", "basis"),
    [
        (RELATION, "assert loads(dumps([1])) == [1]", "example"),
        (RELATION, "assert loads(dumps([2])) == [2]", None),
        (RELATION, "assert dumps([1]) == '[1]'", None),
        (PRINTED, 'assert dumps("a\\nb") == \'"a\\\\nb"\'', "example"),
        (PRINTED, 'text = \'"a\\\\nb"\'\n    assert dumps("a\\nb") == text', "example"),
        (PRINTED, 'assert dumps("a\\nb") == "other"', None),
    ],
)
def test_relations_and_printed_values(stated: Requirement, test: str, basis: str | None) -> None:
    assert agreement(stated, f"def test_it():\n    {test}\n") == basis


ABOUT = Requirement("R-9", "t", "`grade(90)` is `'A'`. `grade(10)` is\n  `'D'`.", ("`grade(50)` is `'C'`.",), (), "r.yml", 1)  # fmt: skip


def of_grade(points: int, letter: str) -> str:
    return f"def test_it():\n    assert grade({points}) == '{letter}'\n"


def test_what_a_test_rests_upon_is_told() -> None:
    told = Expectation("R-9", "so", "grade(70)", "equals", "'B'")
    assert agreement(ABOUT, of_grade(90, "A")) == "quoted value"
    assert agreement(ABOUT, of_grade(70, "B")) is None
    assert agreement(ABOUT, of_grade(70, "B"), [told]) == "expectation"
    assert agreement(ABOUT, of_grade(71, "B"), [told]) is None
    assert agreement(ABOUT, of_grade(90, "A"), [told]) == "quoted value"
    shown = Requirement("R-8", "t", "x", (">>> grade(60)\n'C'",), (), "r.yml", 1)
    assert agreement(shown, of_grade(60, "C")) == "example"


@pytest.mark.parametrize(
    ("text", "points", "letter", "stated"),
    [
        ("`grade(90)` is `'A'`.", 90, "A", True),
        ("`grade(90)` is `'A'`.", 10, "D", False),
        ("`grade(50)` is `'C'`.", 50, "C", True),
        ("`grade(50)`   is\n`'C'`.", 50, "C", True),
        ("`grade(50)` is `'C'`.", 50, "D", False),
        ("`grade(50)` is `'C'`, always.", 50, "C", False),
        ("It is so. `grade(90)` is `'A'`.", 90, "A", True),
    ],
)
def test_a_sentence_quotes_a_test_where_the_requirement_has_it(
    text: str, points: int, letter: str, stated: bool
) -> None:
    assert quotes(ABOUT, text, of_grade(points, letter)) is stated
