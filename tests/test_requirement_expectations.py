"""Expectations as text: read again as they were, malformed ones left out, and which still count."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.expectations.requirement_match import agreement
from pytest_lift.requirements.requirement import (
    Expectation,
    Requirement,
    Requirements,
    read_expectations,
    still_stated,
    written_expectations,
)

ONE = Expectation("R-1", "Halves go up.", "rounded(2.5)", expected="3")
WORDS = st.text(max_size=20)
EXPECTATIONS = st.builds(
    Expectation,
    requirement=st.text(min_size=1),
    sentence=WORDS,
    call=st.text(min_size=1),
    relation=st.sampled_from(["equals", "raises", "holds"]),
    expected=WORDS,
    setup=WORDS,
    ruling=st.sampled_from(["", "stands", "withdrawn"]),
    suspect=st.sampled_from(["", "program", "requirement", "unclear"]),
    why=WORDS,
)
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
)


@given(st.lists(EXPECTATIONS, max_size=4))
def test_what_was_written_is_read(expectations: list[Expectation]) -> None:
    assert read_expectations(written_expectations(expectations)) == tuple(expectations)


@given(st.data())
def test_what_cannot_be_understood_is_left_out(data: st.DataObject) -> None:
    rows = json.loads(written_expectations([ONE, replace(ONE, call="g()")]))
    place = data.draw(st.sampled_from([*ONE.__dataclass_fields__, "other"]))
    rows["expectations"][1][place] = data.draw(ODD)
    found = read_expectations(json.dumps(rows))
    assert found[0] == ONE
    assert len(found) <= 2
    for one in found:
        assert isinstance(one.key, str)
    read_expectations(json.dumps(data.draw(ODD)))
    read_expectations(data.draw(st.text()))


@pytest.mark.parametrize("text", ["", "[" * 100_000, '{"version": 2, "expectations": []}', "{}"])
def test_no_text_is_an_error(text: str) -> None:
    assert read_expectations(text) == ()


def requirement(text: str, **given: object) -> Requirement:
    values = {"acceptance": ("a",), "scope": (), "file": "r.yml", "line": 1, **given}
    return Requirement("R-1", "rounding", text, **values)  # type: ignore[arg-type]


def test_only_what_the_requirement_still_says_counts() -> None:
    said = Requirements((requirement("As it is:\nHalves  go up."),))
    assert still_stated([ONE], said) == (ONE,)
    assert still_stated([ONE], Requirements((requirement("Halves go down."),))) == ()
    assert still_stated([ONE], Requirements((requirement("Halves go up.", waived="x"),))) == ()
    assert still_stated([replace(ONE, requirement="R-2")], said) == ()


STACK = Expectation("R-1", "s", "s.pop()", expected="1", setup="s = Stack()\ns.push(1)")
RAISES = Expectation("R-1", "s", "val.loads('[')", "raises", "val.DecodeError")
HOLDS = Expectation("R-1", "s", "loads('1') == 1", "holds")
TRUE = Expectation("R-1", "s", "valid('a')", expected="True")


@pytest.mark.parametrize(
    ("expected", "test", "agrees"),
    [
        (ONE, "assert rounded(2.5) == 3", True),
        (ONE, "assert val.rounded( 2.5 ) == 3", True),
        (ONE, "assert 3 == rounded(2.5)", True),
        (ONE, "given = 2.5\n    found = rounded(given)\n    assert found == 3", True),
        (ONE, "assert rounded(2.5) == pytest.approx(3)", True),
        (ONE, "assert rounded(2.5) == 2", False),
        (ONE, "assert rounded(3.5) == 3", False),
        (ONE, "assert rounded(2.5) != 3", False),
        (ONE, "assert rounded(2.5)", False),
        (STACK, "a = Stack()\n    a.push(1)\n    assert a.pop() == 1", True),
        (STACK, "a = Stack()\n    assert a.pop() == 1", False),
        (RAISES, "with pytest.raises(DecodeError):\n        loads('[')", True),
        (RAISES, "with pytest.raises(ValueError):\n        loads('[')", False),
        (RAISES, "with pytest.raises(DecodeError):\n        loads(']')", False),
        (HOLDS, "assert loads('1') == 1", True),
        (TRUE, "assert valid('a')", True),
        (TRUE, "assert valid('a') is True", True),
        (TRUE, "assert not valid('a')", False),
        (replace(TRUE, expected="False"), "assert not valid('a')", True),
        (replace(ONE, call="steps(2)", expected="[1, 2]"), "assert list(steps(2)) == [1, 2]", True),
    ],
)  # fmt: skip
def test_a_test_that_asserts_what_was_expected(
    expected: Expectation, test: str, agrees: bool
) -> None:
    source = f"def test_it():\n    {test}\n"
    basis = agreement(requirement("x"), source, [expected])
    assert basis == ("expectation" if agrees else None)


def test_rows_of_parametrize_are_put_in() -> None:
    source = (
        "@pytest.mark.parametrize('number, rounded_to', [(1.5, 2), pytest.param(2.5, 3)])\n"
        "@pytest.mark.parametrize('sign', [1])\n"
        "def test_it(number, rounded_to, sign):\n    assert rounded(number) == rounded_to\n"
    )
    assert agreement(requirement("x"), source, [ONE]) == "expectation"
    assert agreement(requirement("x"), source, [replace(ONE, expected="2")]) is None


def test_an_example_comes_before_an_expectation() -> None:
    stated = requirement("x", examples=(">>> rounded(2.5)\n3",))
    assert agreement(stated, "def test_it():\n    assert rounded(2.5) == 3\n", [ONE]) == "example"


def test_names_that_stand_for_many_names_take_no_time() -> None:
    lines = [f"    a{n} = [{', '.join([f'a{n + 1}'] * 9)}]" for n in range(12)]
    source = "def test_it():\n" + "\n".join(lines) + "\n    assert f(a0) == 1\n"
    assert agreement(requirement("x"), source, [ONE]) is None
