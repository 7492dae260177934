"""What sentences state of calls, and which tests assert just that."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_lift.expectations.requirement_match import agrees
from pytest_lift.expectations.sentences import stated, statements
from pytest_lift.requirements.requirement import Requirement


def asserts(sentence: str, body: str) -> bool:
    source = "def test_it():\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    asked = Requirement("R-1", "t", sentence, (), (), "r.yml", 1)
    return any(agrees(one, source) for one in statements(asked))


GRADE = "`grade(90)` is `'A'`."
TITLE = "`title('abc')` gives `'Abc'`, not `'ABC'`."
BELOW = "`load('x')` is below `10`."
REFUSED = "`to(0)` raises `ValueError`."
LISTED = "For `4`, `to` returns `'IV'`; for `9` it returns `'IX'`."
JOINED = "`join` of `'a'` and `'b'` with `sep='-'` gives `'a-b'`."
STRICT = "With `strict` `load('a')` gives `'b'`."
UNLESS = "Unless `strict` is given, `load('a')` gives `'b'`."
EITHER = "`load('a')` gives `'b'` or `'c'`."
CHILD = "A child pays `'free'`, says `fare`."
DEFAULT = "`fare` takes `8080` by default."


@pytest.mark.parametrize(
    ("sentence", "body", "agreed"),
    [
        (GRADE, "assert grade(90) == 'A'", True),
        (GRADE, "assert 'A' == school.grade(90)", True),
        (GRADE, "result = grade(90)\nassert result == 'A'", True),
        (GRADE, "result = grade(90)\nassert result == 'A'\nresult = grade(10)\nassert result == 'D'", True),
        (GRADE, "result = grade(10)\nassert result == 'A'\nresult = grade(90)\nassert result == 'D'", False),
        (GRADE, "points, wanted = 90, 'A'\nassert grade(points) == wanted", True),
        (GRADE, "a, b = 90, 10\na, b = b, a\nassert grade(a) == 'A'", False),
        (GRADE, "points = 90\nwanted = 'A'\nassert grade(points) == wanted", True),
        (GRADE, "self.assertEqual(grade(90), 'A')", True),
        (GRADE, "self.assertNotEqual(grade(90), 'A')", False),
        (GRADE, "assert grade(90) != 'A'", False),
        (GRADE, "assert grade(90) in ('A', 'B')", False),
        (GRADE, "assert grade(91) == 'A'", False),
        (GRADE, "assert grade(90, curve=True) == 'A'", False),
        (GRADE, "assert other(90) == 'A'", False),
        (GRADE, "grade(90)\nassert 'A' == 'A'", False),
        (GRADE, "assert other(grade(90)) == 'A'", False),
        (GRADE, "assert not grade(90) == 'A'", False),
        ("`grade(90)` is `True`.", "assert grade(90)", True),
        ("`grade(90)` is `True`.", "assert grade(90) is True", True),
        ("`grade(90) == 'A'`", "assert grade(90) == 'A'", True),
        (TITLE, "assert title('abc') == 'Abc'", True),
        (TITLE, "assert title('abc') == 'ABC'", False),
        ("For `'abc'`, `title` does not return `'ABC'`.", "assert title('abc') == 'ABC'", False),
        ("For `'abc'`, `title` returns `'Abc'`.", "assert title('abc') == 'Abc'", True),
        (BELOW, "assert load('x') < 10", True),
        (BELOW, "assert 10 > load('x')", True),
        (BELOW, "assert load('x') == 10", False),
        (BELOW, "assert load('x') <= 10", False),
        ("`load('x')` is at most `10`.", "assert load('x') <= 10", True),
        ("`load('x')` is at least 10.", "self.assertGreaterEqual(load('x'), 10)", True),
        (REFUSED, "with pytest.raises(ValueError):\n    to(0)", True),
        (REFUSED, "with pytest.raises(ValueError, match='zero'):\n    result = to(0)", True),
        (REFUSED, "with self.assertRaises(ValueError):\n    to(0)", True),
        (REFUSED, "with pytest.raises(ValueError):\n    to(-1)", False),
        (REFUSED, "with pytest.raises(Exception):\n    to(0)", False),
        (REFUSED, "with pytest.raises(TypeError):\n    to(0)", False),
        (REFUSED, "pytest.raises(ValueError, to, 0)", True),
        (REFUSED, "self.assertRaises(ValueError, roman.to, 1)", False),
        ("`Bits('0xf').u` is `15`.", "bits = Bits('0xf')\nassert bits.u == 15", True),
        ("`Bits('0xf').u` is `15`.", "bits = Bits('0xf0')\nassert bits.u == 15", False),
        ("`'ox'` becomes `'oxen'`, and `'sheep'` stays `'sheep'`, says `plural`.", "assert engine().plural('ox') == 'oxen'", True),
        ("`plural('ox')` is `'oxen'`.", "assert engine('it').plural('ox') == 'oxen'", False),
        ("`to(0)` never raises `ValueError`.", "with pytest.raises(ValueError):\n    to(0)", False),
        ("`to` raises `ValueError` for `0`.", "with pytest.raises(ValueError):\n    to(0)", True),
        ("Negative numbers raise `ValueError` in `to`.", "with pytest.raises(ValueError):\n    to(-1)", False),
        (LISTED, "assert to(4) == 'IV'", True),
        (LISTED, "assert to(9) == 'IX'", True),
        (LISTED, "assert to(4) == 'IX'", False),
        (LISTED, "assert to(4, 'x') == 'IV'", False),
        (JOINED, "assert join(['a', 'b'], sep='-') == 'a-b'", True),
        (JOINED, "assert join('a', 'b', sep='-') == 'a-b'", True),
        (JOINED, "assert join(['a', 'b'], sep='+') == 'a-b'", False),
        (JOINED, "assert join(['a', 'b']) == 'a-b'", False),
        (JOINED, "assert join(['a', 'b', 'c'], sep='-') == 'a-b'", False),
        (STRICT, "assert load('a', strict=True) == 'b'", True),
        (STRICT, "assert load('a') == 'b'", False),
        (UNLESS, "assert load('a') == 'b'", True),
        (UNLESS, "assert load('a', strict=True) == 'b'", False),
        ("When the list is empty, `load('a')` gives `'b'`.", "assert load('a') == 'b'", False),
        ("`load('a')` gives `'b'` on Fridays.", "assert load('a') == 'b'", False),
        ("Lists are read in parts: `load('a')` gives `'b'`.", "assert load('a') == 'b'", True),
        ("Lists are read in order, so `load('a')` gives `'b'`.", "assert load('a') == 'b'", True),
        ("For example `load('a')` gives `'b'`.", "assert load('a') == 'b'", True),
        (EITHER, "assert load('a') == 'b'", False),
        (EITHER, "assert load('a') == 'c'", False),
        (CHILD, "assert fare(1, 'adult') == 'free'", False),
        (DEFAULT, "fare(1)\nassert 8080 == 8080", False),
        (DEFAULT, "assert fare() == 8080", False),
    ],
)  # fmt: skip
def test_function_arguments_relation_and_value_have_to_agree(
    sentence: str, body: str, agreed: bool
) -> None:
    assert asserts(sentence, body) is agreed


def test_a_call_is_meant_that_an_earlier_sentence_names() -> None:
    asked = Requirement(
        "R-1", "Numerals", "`to` writes them, `back` reads them.", ("`to` is fast. `4` gives 'IV'.",),
        (), "r.yml", 1,
    )  # fmt: skip
    source = "def test_it():\n    assert {}(4) == 'IV'\n"
    assert any(agrees(one, source.format("to")) for one in statements(asked))
    assert not any(agrees(one, source.format("other")) for one in statements(asked))


@pytest.mark.parametrize(
    ("description", "acceptance", "said"),
    [
        ("`f(1)` is `2`.", (), ["f(1)"]),
        (">>> f(1)\n2\n`f(1)` is `2`.", (), []),
        ("", ("`f(1)`\nis `2`.", "x"), ["f(1)"]),
        ("", ("In strict mode:", "`f(1)` is `2`."), []),
        ("", ("It must do:", "`f(1)` is `2`."), ["f(1)"]),
        ("", ("In strict mode:\n- `f(1)` is `2`.",), []),
        ("", ("In strict mode:\n`f(1)`\nis `2`.", "x"), []),
        ("", ("It must do:\n- `f(1)` is `2`.",), ["f(1)"]),
        ("", ("In strict mode:\n`f(1)` is `2`.\n\nIt must do:\n`g(1)` is `3`.",), ["g(1)"]),
        ("", ("In strict mode:", "- `f(1)` is `2`. `h(1)` is `4`.", "`g(1)` is `3`."), []),
        ("", ("In strict mode:", "`f(1)` is `2`.", "It must do:", "`g(1)` is `3`."), ["g(1)"]),
    ],
)
def test_below_a_heading_a_sentence_holds_only_there(
    description: str, acceptance: tuple[str, ...], said: list[str]
) -> None:
    asked = Requirement("R-1", "t", description, acceptance, (), "r.yml", 1)
    assert [one.source for one in statements(asked)] == said


def test_rows_are_asserted_one_by_one() -> None:
    source = (
        "@pytest.mark.parametrize(('points', 'wanted'), [(90, 'A'), (10, 'D')])\n"
        "def test_it(points, wanted):\n    assert grade(points) == wanted\n"
    )
    assert any(agrees(one, source) for one in stated(GRADE))
    assert not any(agrees(one, source) for one in stated("`grade(90)` is `'D'`."))


@pytest.mark.parametrize(
    ("sentence", "calls"),
    [
        (GRADE, ["grade(90)"]),
        ("With `sep='-'`, `join('a', 'b')` gives `'a-b'`.", ["join('a', 'b', sep='-')"]),
        ("`school.grade(90)` is `'A'`.", ["school.grade(90)"]),
        ("`grade(points)` is `'A'`.", [""]),
        (UNLESS, [""]),
    ],
)
def test_what_is_written_out_can_be_called(sentence: str, calls: list[str]) -> None:
    assert [one.written_call for one in stated(sentence)] == calls


@pytest.mark.parametrize("inner", ["1+" * 900 + "1", "-" * 900 + "1", "g(" * 120 + ")" * 120])
def test_what_is_nested_too_deeply_states_nothing(inner: str) -> None:
    assert not any(one.is_written for one in stated(f"`f({inner})` is `2`"))
    source = f"def test_it():\n    assert f({inner}) == 2\n"
    assert not any(agrees(one, source) for one in stated("`f(1)` is `2`"))
    assert stated("`f(1)` is `2` and " * 300) == ()


@given(st.text(alphabet="`'\"f(1x), is.not;<=-\N{RIGHTWARDS ARROW}\n", max_size=60))
@example("`f(`` is `'a'`")
@example("`\x00` is `1`")
def test_any_text_can_be_read(text: str) -> None:
    for one in stated(text):
        assert one.sentence == text
        assert not agrees(one, "def test_it(:")


def test_what_stands_in_a_function_that_nobody_calls_is_not_asserted() -> None:
    inner = "def inner():\n    assert grade(90) == 'A'"
    assert not asserts(GRADE, inner)
    assert asserts(GRADE, f"{inner}\ninner()")
    assert asserts(GRADE, f"{inner}\nrun(inner)")
    method = "class T:\n    def test_it(self):\n        assert grade(90) == 'A'\n"
    asked = Requirement("R-1", "t", GRADE, (), (), "r.yml", 1)
    assert any(agrees(one, method) for one in statements(asked))


@pytest.mark.parametrize(
    ("stated", "raised", "same"),
    [
        ("a.ParseError", "a.ParseError", True),
        ("a.ParseError", "b.ParseError", False),
        ("a.ParseError", "ParseError", True),
        ("ParseError", "b.ParseError", True),
        ("ParseError", "NoParseError", False),
        ("a.ParseError", "x.a.ParseError", True),
        ("a.ParseError", "ba.ParseError", False),
    ],
)
def test_an_error_of_another_module_is_another_error(stated: str, raised: str, same: bool) -> None:
    said = f"`load('x')` raises `{stated}`."
    assert asserts(said, f"with pytest.raises({raised}):\n    load('x')") is same
    assert asserts(said, f"pytest.raises({raised}, load, 'x')") is same
    prose = f"`load` raises `{stated}` for `'x'`."
    assert asserts(prose, f"with pytest.raises({raised}):\n    load('x')") is same


@pytest.mark.parametrize(
    ("sentence", "body", "agreed"),
    [
        ("`half(3)` is `1.5`.", "assert half(3) == 5", False),
        ("`half(3)` is `1.5`.", "assert half(3) == 1.5", True),
        ("`load(1)` raises `b.ParseError`.", "with raises(ParseError):\n    load(1)", True),
        ("`load(1)` raises `b.ParseError`.", "with raises(a.ParseError):\n    load(1)", False),
        ("`Fraction.of(1)` is `2`.", "assert Fraction.of(1) == 2", True),
        ("`Fraction.of(1)` is `2`.", "assert Decimal.of(1) == 2", False),
        ("`Fraction.of(1)` is `2`.", "assert of(1) == 2", False),
        ("`Fraction.of(1)` is `2`.", "from m.Fraction import of\nassert of(1) == 2", True),
        ("`Fraction.of(1)` is `2`.", "from Fraction import to, of\nassert of(1) == 2", True),
        ("`fractions.of(1)` is `2`.", "assert of(1) == 2", True),
        ("`fractions.of(1)` is `2`.", "assert other.of(1) == 2", False),
        ("`a.Fraction.of(1)` is `2`.", "assert a.Fraction.of(1) == 2", True),
        ("`F.of(1)` is `2`.", "assert of(1) == 2", False),
        ("`rows(1)` gives `[2]`.", "assert list(rows(1)) == [2]", True),
        ("`rows(1)` gives `[2]`.", "assert sorted(list(rows(1))) == [2]", False),
        ("`rows` of `1` gives `[2]`.", "assert list(rows(1)) == [2]", True),
        ("`rows` of `1` gives `[2]`.", "assert list(rows(1), 1) == [2]", False),
        ("`rows` of `1` gives `[2]`.", "assert list() == [2]", False),
        ("`grade` with `scale` of `1` gives `2`.", "assert grade(1, scale=1) == 2", True),
        ("`grade` of `1` with `scale=5` gives `2`.", "assert grade(1, scale=5) == 2", True),
        ("`grade` of `1` with `scale=5` gives `2`.", "assert grade(1, scale=4) == 2", False),
        ("`grade` of `1` with `scale=5` gives `2`.", "assert grade(1) == 2", False),
        ("`grade` of `1` gives `2`.", "assert grade(1, scale=5) == 2", False),
        ("`grade` of `1` gives `2`.", "assert grade(1, 3) == 2", False),
        ("`grade` of `1` gives `2`.", "assert grade(*x, 1) == 2", False),
        ("`grade` of `1` gives `2`.", "assert grade(1, **x) == 2", False),
        ("`grade` of `1` gives `2`.", "assert grade(x=1) == 2", False),
        ("`grade` of `1` gives `2`.", "assert shop.grade(1) == 2", True),
        ("`grade` of `1` gives `2`.", "assert shop().grade(1) == 2", True),
        ("`grade` of `1` gives `2`.", "assert shop(3).grade(1) == 2", False),
        ("`grade` of `1` gives `2`.", "assert shop.a.grade(1) == 2", False),
        ("`join` of `'a'` and `'b'` gives `'ab'`.", "assert join(['a', 'b']) == 'ab'", True),
        ("`join` of `'a'` and `'b'` gives `'ab'`.", "assert join(('a', 'b')) == 'ab'", True),
        ("`join` of `'a'` and `'b'` gives `'ab'`.", "assert join('a', 'b') == 'ab'", True),
        ("`join` of `'a'` gives `'ab'`.", "assert join(['a']) == 'ab'", False),
        ("`join` of `'a'` and `'b'` gives `'ab'`.", "assert join(['a', 'b'], 1) == 'ab'", False),
        ("`join` of `'a'` and `'b'` gives `'ab'`.", "assert join(['a', 'b', 'c']) == 'ab'", False),
        ("`Shop().price(1)` is `2`.", "assert Shop().price(1) == 2", True),
        ("`Shop().price(1)` is `2`.", "assert Shop(3).price(1) == 2", False),
        ("`Shop().price(1)` is `2`.", "assert price(1) == 2", False),
        ("`price(1, k=2)` is `2`.", "assert price(1, k=2) == 2", True),
        ("`price(1, k=2)` is `2`.", "assert price(1, k=3) == 2", False),
        ("`price(1, k=2)` is `2`.", "assert price(1) == 2", False),
        ("`price(1, k=2)` is `2`.", "assert price(1, k=2, z=1) == 2", False),
        ("`price(1, k=2)` is `2` with `z=3`.", "assert price(1, k=2, z=3) == 2", True),
        ("`price(1, k=2)` is `2` with `z=3`.", "assert price(1, k=2) == 2", False),
        ("`price(1)` is `2` with `z=3`.", "assert price(*x, z=3) == 2", False),
        ("`price(1)` is `2` with `z`.", "assert price(1, z=3) == 2", True),
        ("`price(1)` is `2` without `z`.", "assert price(1, z=3) == 2", False),
        ("`price(1)` is `2` without `z`.", "assert price(1) == 2", True),
        ("`x` is there. Of `1` it gives `2`.", "assert x(1) == 2", True),
        ("`x` is there. Of `1` it gives `2`.", "assert y(1) == 2", False),
        ("`x` is there. Of `1` it gives `2`.", "assert y(x(1)) == 2", False),
        ("`price(1) == 2`", "self.assertEqual(price(1), 2)", True),
        ("`len` of `price(1)` is `2`.", "assert price(1) == 2", False),
        ("`price(1)` is less than or equal to `5`.", "assert price(1) <= 5", True),
        ("`price(1)` is less than or equal to `5`.", "assert 5 >= price(1)", True),
        ("`price(1)` is less than or equal to `5`.", "assert price(1) < 5", False),
    ],
)  # fmt: skip
def test_what_else_has_to_agree(sentence: str, body: str, agreed: bool) -> None:
    assert asserts(sentence, body) is agreed
