"""Arguments become what the program compared them with."""

from __future__ import annotations

import ast
import operator
import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_lift.agents.offline.search.comparisons.guidance import Guidance, rows_near
from pytest_lift.agents.offline.search.comparisons.replacing import replaced
from pytest_lift.calls.call import Call, expression
from pytest_lift.calls.noted.operands import Operands
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter

TARGET = Target("m.py", "f", "function", "f", ("from m import f",), (Parameter("a", "positional"),))


def answers(value: str, *rows: Operands) -> set[str]:
    guidance = Guidance({"Box": ["Box(1)"]}.get, random.Random(1))  # type: ignore[arg-type]
    call = Call(TARGET, (("a", value),))
    return {one.given["a"] for one in guidance.solutions(call, rows)}


@pytest.mark.parametrize(
    ("value", "row", "wanted"),
    [
        ("1", ("==", "1", "7"), {"7", "8", "6"}),
        ("1", ("==", "7", "1"), {"7", "8", "6"}),
        ("'x'", ("==", "'x'", "'red'"), {"'red'"}),
        ("'one x'", ("==", "'x'", "'red'"), {"'one red'"}),
        ("' RED'", ("==", "'red'", "'blue'"), {"'blue'"}),
        ("'12'", ("<", "12", "31"), {"'31'", "'32'", "'30'"}),
        ("[1, 2]", ("len <", "[1, 2]", "4"), {"[1, 2, 1, 2]", "[1, 2, 1, 2, 1]", "[1, 2, 1]"}),
        ("''", ("len >", "''", "2"), {"'aa'", "'aaa'", "'a'"}),
        ("b'ab'", ("len not in", "b'ab'", "[4, 6]", ("4", "6")), {"b'abab'", "b'ababab'"}),
        ("'x'", ("startswith", "'x'", "'ab'"), {"'abx'", "'ab'"}),
        ("'x'", ("endswith", "'x'", "('a', 'b')"), {"'xa'", "'xb'", "'a'", "'b'"}),
        (
            "{'k': 1}",
            ("key", "'q'", "{'k': 1}", ("'k'",)),
            {"{'k': 1, 'q': 1}", "{'k': 1, 'q': {'a': 1}}", "{'k': 1, 'q': ['a']}"},
        ),
        ("'q'", ("key", "'q'", None, ("'k'",)), {"'k'"}),
        ("1", ("in", "1", "[4]", ("4",)), {"4"}),
        ("[4]", ("in", "1", "[4]", ("4",)), {"[4, 1]"}),
        ("'ab'", ("in", "'-'", "'ab'"), {"'ab-'", "'-ab'"}),
        ("'a b'", ("in", "'c'", "'a b'"), {"'a b c'", "'c a b'"}),
        ("'a b'", ("startswith", "'a b'", "'no'"), {"'no a b'", "'no'"}),
        ("1", ("isinstance", "1", None, ("Box",)), {"Box(1)"}),
        ("1", ("derived", "1", None, ("int",)), {"True", "HTTPStatus.OK"}),
        ("'GET'", ("derived", "'GET'", None, ("str",)), {"HTTPMethod.GET"}),
        (
            "{'a': 1}",
            ("derived", "{'a': 1}", None, ("dict",)),
            {"OrderedDict({'a': 1})", "Counter()"},
        ),
        ("b'a'", ("startswith", "b'a'", "b'x'"), {"b'xa'"}),
        ("'a = 1 = 2'", ("==", "'='", "'{'"), {"'a = 1 { 2'", "'a { 1 = 2'"}),
        ("'a'", ("==", "''", "'}'"), {"'a}'"}),
        ("'yes'", ("truth", "'yes'", None), {"''"}),
        ("[]", ("truth", "[]", None), {"[1]"}),
        ("'x'", ("int", "'x'", None), {"'7'", "'0'", "'-3'"}),
        ("3", ("==", "5", "6"), {"4", "2"}),
        ("3600", ("<", "1", "24"), {"3623", "86400", "3577", "150"}),
        ("'3'", ("==", "5", "6"), set()),
        ("-3", ("==", "-3", "6"), {"6", "7", "5"}),
        ("True", ("==", "1", "2"), set()),
        ("'[1]'", ("==", "91", "0xfeff"), {"'\\ufeff1]'"}),
        ("'a'", ("<", "97", "0xd800"), set()),
    ],
)
def test_the_operand_is_replaced_where_it_stands(
    value: str, row: tuple[str, str | None, str | None], wanted: set[str]
) -> None:
    assert answers(value, Operands(0, 1, *row)) == wanted


@pytest.mark.parametrize("operation", ["in", "key"])
def test_the_first_of_many_items_is_always_among_those_that_are_tried(operation: str) -> None:
    items = tuple(map(repr, ("amp", *(f"{prefix}amp" for prefix in "abcdefghijklmnopqrst"))))
    found = answers("'x'", Operands(0, 1, operation, "'x'", None, items))
    assert "'amp'" in found
    assert 4 <= len(found) <= 8


COMPARED = {
    "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge, "==": operator.eq,
    "!=": operator.ne,
}  # fmt: skip
NUMBERS = st.integers(-500, 500)


@given(st.sampled_from(list(COMPARED)), NUMBERS, NUMBERS, NUMBERS, st.booleans())
def test_a_number_that_others_follow_is_moved_until_the_comparison_turns(
    operation: str, number: int, away: int, other: int, on_the_left: bool
) -> None:
    """One side is the number and so much more, the other one stays."""

    def holds(given: int) -> bool:
        sides = (given + away, other) if on_the_left else (other, given + away)
        return bool(COMPARED[operation](*sides))

    side = str(number + away)
    left, right = (side, str(other)) if on_the_left else (str(other), side)
    assume(number not in (number + away, other))
    found = answers(str(number), Operands(0, 1, operation, left, right))
    assert any(holds(ast.literal_eval(text)) != holds(number) for text in found)


def test_a_pattern_gives_a_text_that_matches() -> None:
    found = answers("'x'", Operands(0, 1, "match", "'x'", r"'[a-c]{2}-\\d'"))
    assert found
    assert all(ast.literal_eval(text)[2] == "-" for text in found)


def test_a_pattern_that_is_looked_for_comes_behind_the_text_too() -> None:
    found = answers("'red'", Operands(0, 1, "find", "'red'", "'&#1;'"))
    assert found == {"'&#1;'", "'red&#1;'"}


def test_one_place_after_another_is_answered() -> None:
    guidance = Guidance(lambda _: (), random.Random(1))
    rows = [Operands(0, 1, "==", "1", "7"), Operands(0, 2, "==", "1", "'a'")]
    first = [c.given["a"] for c in guidance.solutions(Call(TARGET, (("a", "1"),)), rows)]
    assert first[:2] == ["7", "'a'"]


def test_a_look_up_that_failed_is_answered_with_several_keys_at_once() -> None:
    guidance = Guidance(lambda _: (), random.Random(1))
    keys = tuple(f"'k{n}'" for n in range(20))
    rows = [Operands(0, 1, "key", "'x'", None, keys), Operands(0, 2, "==", "'x'", "'y'")]
    found = [c.given["a"] for c in guidance.solutions(Call(TARGET, (("a", "'x'"),)), rows)]
    assert len(set(found[:8]) & {*keys}) == 8
    assert found[8] == "'y'"


def test_a_key_that_was_lacking_has_first_what_the_program_has_under_it() -> None:
    known = {"mode": ["'fast'", "open()", "{'speed': 3}"]}
    guidance = Guidance(lambda _: (), random.Random(1), lambda key: known.get(key, []))
    call = Call(TARGET, (("a", "{}"),))
    found = [*guidance.solutions(call, [Operands(0, 1, "key", "'mode'", "{}")])]
    assert [one.given["a"] for one in found][:3] == [
        "{'mode': 'fast'}",
        "{'mode': {'speed': 3}}",
        "{'mode': 1}",
    ]
    assert guidance.nearer == found  # another key may be lacking then


def test_another_name_of_an_attribute_is_a_key_beside_the_word_or_in_its_place() -> None:
    row = Operands(0, 1, "name", "'min'", None, ("'max'",))
    tables = map(ast.literal_eval, answers("{'a': {'min': 3}}", row))
    assert {tuple(table["a"]) for table in tables} == {("min", "max"), ("max",)}


def test_receivers_earlier_calls_and_command_lines_are_changed_too() -> None:
    box = Target("m.py", "Box", "constructor", "Box", (), (Parameter("size", "positional"),))
    add = Target("m.py", "Box.add", "method", "Box", (), (Parameter("a", "positional"),), box)
    line = Call(add, (("a", "'x'"),), subject="box")
    call = Call(add, (("a", "2"),), ("'x'",), Call(box, (("size", "'x'"),)), "box", (line,))
    found = list(replaced(call, "x", ast.Constant("red")))
    assert [one.extra for one in found].count(("'red'",)) == 1
    assert {expression(one.receiver) for one in found if one.receiver} == {"Box('x')", "Box('red')"}
    assert {expression(one.before[0]) for one in found} == {"box.add('x')", "box.add('red')"}
    command = Call(TARGET, argv=("x", "x"), stdin="a x", files={"f": "x y"})
    changed = list(replaced(command, "x", ast.Constant("red")))
    assert {c.argv[0] for c in changed} == {"x"}  # the name of the program
    assert [(c.argv[1], c.stdin, c.files["f"]) for c in changed] == [
        ("red", "a x", "x y"),
        ("x", "a red", "x y"),
        ("x", "a x", "red y"),
    ]


@pytest.mark.parametrize(
    ("have", "want", "wanted"),
    [
        ("os", "sys", ["import sys.path\nf([1])"]),
        ("os.p", "sys.", []),
        ("]", ")", []),
        ("import", "1", []),
    ],
)
def test_python_stays_such_and_keeps_its_words(have: str, want: str, wanted: list[str]) -> None:
    code = "import os.path\nf([1])"
    node = Call(TARGET, (("a", f"ast.parse({code!r})"),))
    file = Call(TARGET, files={"input.py": code})
    answer = ast.Constant(want)
    assert [one.given["a"] for one in replaced(node, have, answer)] == [
        f"ast.parse({one!r})" for one in wanted
    ]
    assert [one.files["input.py"] for one in replaced(file, have, answer)] == wanted


def test_an_option_that_is_left_to_its_default_is_changed_too() -> None:
    options = [Parameter(name, "keyword", "'x'") for name in ("colour", "_cache", "unit")]
    target = Target("m.py", "f", "function", "f", (), (*TARGET.parameters, *options))
    call = Call(target, (("a", "1"), ("unit", "'m'")))
    changed = list(replaced(call, "x", ast.Constant("red")))
    assert [one.given for one in changed] == [{"a": "1", "colour": "'red'", "unit": "'m'"}]
    command = Target("m.py", "main", "main", "main", (), tuple(options))
    assert not list(replaced(Call(command), "x", ast.Constant("red")))


def test_comparisons_at_uncovered_sides_come_first() -> None:
    rows = [Operands(0, line, "==", "1", "2") for line in (1, 2, 3)]
    assert [row.line for row in rows_near(rows, {(0, 3): 2, (0, 2): 1}, 2)] == [3, 2]


def test_what_decides_a_branch_some_lines_below_comes_before_the_rest() -> None:
    rows = [Operands(0, line, "match", "'a'", "'b'") for line in (1, 2, 30, 32, 40)]
    assert [row.line for row in rows_near(rows, {(0, 33): 1}, 3)] == [32, 30, 1]


def test_what_is_looked_up_by_a_name_comes_first_and_no_place_more_than_twice() -> None:
    often = [Operands(0, 3, "startswith", repr(str(n)), "'a'") for n in range(9)]
    rows = [*often, Operands(0, 3, "==", "1", "2"), Operands(0, 90, "name", "'b'", None, ("'c'",))]
    found = [row.operation for row in rows_near(rows, {(0, 3): 1}, 5)]
    assert found == ["name", "startswith", "startswith", "==", "startswith"]


def test_few_comparisons_elsewhere_are_answered() -> None:
    rows = [Operands(0, line, "==", "1", "2") for line in range(40)]
    found = [row.line for row in rows_near(rows, {(0, 39): 1, (0, 38): 1}, 30)]
    assert found == [38, 39, 37, 36, 35, 34, *range(8)]


LITERALS = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-99, 99), st.text(max_size=4), st.binary(max_size=3)
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner),
        st.dictionaries(st.text(max_size=2), inner, max_size=2),
    ),
    max_leaves=4,
)
OPERATIONS = [
    "==",
    "<",
    "in",
    "not in",
    "is",
    "len <",
    "startswith",
    "endswith",
    "isinstance",
    "key",
    "match",
]


@given(LITERALS, LITERALS, LITERALS, st.sampled_from(OPERATIONS))
def test_whatever_is_compared_the_answers_are_calls(
    value: object, left: object, right: object, operation: str
) -> None:
    row = Operands(
        0,
        1,
        operation,
        repr(left),
        repr(right),
        ("'k'",) if operation != "isinstance" else ("Box",),
    )
    for changed in answers(repr(value), row) | answers(repr(left), row) | answers(repr(right), row):
        ast.parse(changed, mode="eval")


def test_an_unknown_side_is_never_put_in() -> None:
    assert answers("[4]", Operands(0, 1, "in", None, "[4]", ("4",))) == set()
    assert answers("{4}", Operands(0, 1, "in", None, "{4}", ("4",))) == set()
    assert answers("{'k': 1}", Operands(0, 1, "key", None, "{'k': 1}", ("'k'",))) == set()
