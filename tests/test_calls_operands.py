"""Comparisons of a program are noted while it does what it always does."""

from __future__ import annotations

import ast
import os
import re
import time
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.child.noting.operands import WATCH, ComparisonLog, watched
from pytest_lift.calls.noted.operands import Operands as Row
from pytest_lift.calls.noted.operands import read_operands
from pytest_lift.calls.prober import Prober

SORTED_OUT = '''
import re

TABLE = {"red": 1, "blue": 2}


def told(value, limit: int = 3 if 1 < 2 else 4):
    """Returns what is said of a value."""
    if value == 7:
        return "seven"
    elif isinstance(value, (str, bytes)):
        if len(value) > 5:
            return "long"
        if value.startswith("ab"):
            return "start"
        if re.match(r"x\\d+", value):
            return "match"
        return TABLE.get(value, 0) or TABLE.get(value)
    return [one for one in (1, 2, 3) if one in [value] or 0 <= one < 2]
'''


def run(source: str, call: str) -> tuple[Any, list[tuple[Any, ...]]]:
    operands = ComparisonLog()
    space: dict[str, Any] = {WATCH: operands.watch}
    exec(compile(watched(ast.parse(source), 10), "<program>", "exec"), space)
    operands.taken()
    return eval(call, space), operands.taken()


def plain(source: str, call: str) -> Any:
    space: dict[str, Any] = {}
    exec(source, space)
    return eval(call, space)


@given(st.one_of(st.integers(-9, 9), st.text("abx1red", max_size=7), st.none()))
def test_a_watched_program_does_the_same(value: object) -> None:
    call = f"told({value!r})"
    assert run(SORTED_OUT, call)[0] == plain(SORTED_OUT, call)


def test_what_raises_raises_the_same() -> None:
    for source in ("x = {}['a']", "x = 1 < 'a'", "x = 'a'.startswith(1)", "x = len(1) > 2"):
        errors = []
        for change in (False, True):
            tree = watched(ast.parse(source), 0) if change else ast.parse(source)
            with pytest.raises((KeyError, TypeError)) as error:
                exec(compile(tree, "<program>", "exec"), {WATCH: ComparisonLog().watch})
            errors.append((error.type, str(error.value)))
        assert errors[0] == errors[1]


@pytest.mark.parametrize(
    ("value", "row"),
    [
        ("3", (10, 9, "==", "3", "7", ())),
        ("3", (10, 11, "isinstance", "3", "None", ("str", "bytes"))),
        ("'red'", (10, 12, "len >", "'red'", "5", ())),
        ("'red'", (10, 14, "startswith", "'red'", "'ab'", ())),
        ("'red'", (10, 16, "match", "'red'", "'x\\\\d+'", ())),
        ("3", (10, 19, "in", "1", "[3]", ("3",))),
    ],
)
def test_both_sides_are_noted(value: str, row: tuple[Any, ...]) -> None:
    assert row in run(SORTED_OUT, f"told({value})")[1]


def test_a_length_is_noted_with_those_among_which_it_is_looked_for() -> None:
    result, rows = run("def f(d):\n    return len(d) not in [2, 4]\n", "f('abc')")
    assert result
    assert rows == [(10, 2, "len not in", "'abc'", "[2, 4]", ("2", "4"))]


def test_a_key_that_is_not_there_is_noted_with_those_that_are() -> None:
    _, rows = run("def f(d, k):\n    return d[k]\n", "f({'a': 1}, 'a')")
    assert rows == []
    with pytest.raises(KeyError):
        run("def f(d, k):\n    return d[k]\n", "f({'a': 1}, 'b')")
    operands = ComparisonLog()
    with pytest.raises(KeyError):
        operands.watch(0, 2, "key", {"a": 1}, "b")
    assert operands.taken() == [(0, 2, "key", "'b'", "{'a': 1}", ("'a'",))]
    assert operands.taken() == []


def test_a_compared_type_is_noted_as_one_that_a_value_is_of_or_is_not() -> None:
    source = """
def told(value):
    if type(value) is not str:
        return "no text" if type(value) in (int, float) else "else"
    return "text"
"""
    assert run(source, "told('a')") == ("text", [(10, 3, "derived", "'a'", "None", ("str",))])
    said, rows = run(source, "told(2)")
    assert said == "no text"
    assert rows == [
        (10, 3, "isinstance", "2", "None", ("str",)),
        (10, 4, "derived", "2", "None", ("int", "float")),
    ]
    assert list(read_operands(rows)) == [Row(*row) for row in rows]


def test_names_of_the_environment_are_none_to_look_for() -> None:
    operands = ComparisonLog()
    assert operands.watch(0, 1, "in", "LIFT_NO_SUCH_NAME", os.environ) is False
    assert operands.taken() == [(0, 1, "in", "'LIFT_NO_SUCH_NAME'", None, ())]


def test_names_of_the_probes_are_none_to_look_for() -> None:
    operands = ComparisonLog()
    assert operands.watch(0, 1, "in", "nothing", ["__lift_hits__", "print"]) is False
    assert operands.taken()[0][-1] == ("'print'",)


def test_times_of_a_clock_are_not_noted() -> None:
    operands = ComparisonLog()
    now = int(time.time()) + 0.987654  # a clock may show fewer decimals by chance
    for moment in (now + 600.125, int(now), time.time_ns(), time.monotonic() + 10.0625001):
        operands.watch(0, 1, "==", moment, None)
    assert {left for _, _, _, left, *_ in operands.taken()} == {None}
    operands.watch(0, 1, "<", 2.5, 600)
    operands.watch(0, 2, "<", -5000.333333, 10**6)
    assert [(left, right) for *_, left, right, _ in operands.taken()] == [
        ("2.5", "600"), ("-5000.333333", "1000000"),
    ]  # fmt: skip


def test_very_long_numbers_are_compared_and_not_noted() -> None:
    """No number of a clock is that large, and Python does not write those with many digits."""
    operands = ComparisonLog()
    for exponent in (400, 5000):
        assert operands.watch(0, 1, "<", 1, 10**exponent)
        assert not operands.watch(0, 1, "in", 1, [10**exponent])
    operands.watch(0, 2, "<", 1, 10**100)
    assert [right for *_, right, _ in operands.taken()] == [None, None, repr(10**100)]


def test_few_operands_of_a_place_are_noted() -> None:
    operands = ComparisonLog()
    for number in range(100):
        assert operands.watch(0, 1, "<", number, 1000)
    assert len(operands.taken()) == 6


def test_other_values_and_long_ones_are_not_noted() -> None:
    operands = ComparisonLog()
    operands.watch(0, 1, "==", object(), float("nan"))
    operands.watch(0, 1, "==", "a" * 500, [object()])
    assert operands.taken() == []


def test_a_child_tells_what_was_compared(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"said.py": SORTED_OUT})
    prober = Prober(tmp_path, program, best_jail())
    line = ("from said import told",)
    cases = [Case("said.py", "told", (Step(f"told({v})", check=True),), line) for v in ("1", "'a'")]
    found = prober.operands(cases, 20.0)
    assert set(found) == {case.key for case in cases}
    assert Row(0, 8, "==", "1", "7") in found[cases[0].key]
    assert Row(0, 13, "startswith", "'a'", "'ab'") in found[cases[1].key]
    assert {row.site for rows in found.values() for row in rows} == {0}


def test_a_failing_look_up_is_told_where_the_program_has_it(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"said.py": "def pick(d, k):\n    return d[k]\n"})
    prober = Prober(tmp_path, program, best_jail())
    step = Step("pick({'a': 1}, 'b')", check=True)
    prober.operands([Case("said.py", "pick", (step,), ("from said import pick",))], 20.0)
    (why,) = prober.failures["said.py:pick"]
    assert why == "KeyError: 'b' (said.py:2)"


@pytest.mark.parametrize(
    "row",
    [
        [1, 2, "==", "print(1)", "2", []],
        [1, 2, "==", 3, "2", []],
        ["1", 2, "==", "3", "2", []],
        [1, 2, "isinstance", "3", None, ["a b"]],
        [1, 2, "in", "3", None, ["f()"]],
        [1, 2, "==", "'" + "a" * 400 + "'", None, []],
        [1, 2],
    ],
)
def test_what_is_not_a_literal_is_refused(row: list[Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        read_operands([row])


def test_the_pattern_of_a_compiled_expression_is_noted() -> None:
    operands = ComparisonLog()
    assert operands.watch(0, 1, "fullmatch()", re.compile("a+"), "aa")
    assert operands.taken() == [(0, 1, "match", "'aa'", "'a+'", ())]


def test_the_flags_of_a_pattern_stand_in_it_and_it_may_be_long() -> None:
    operands = ComparisonLog()
    text = " | ".join(f"word{n}" for n in range(200))
    assert operands.watch(0, 1, "match()", re.compile(text, re.VERBOSE | re.I), "WORD7")
    (row,) = operands.taken()
    assert row[2:] == ("match", "'WORD7'", repr(f"(?ix){text}"), ())
    assert read_operands([row])[0].right == row[4]
    with pytest.raises(TypeError):
        read_operands([(*row[:2], "==", *row[3:])])


@pytest.mark.parametrize(
    ("source", "row"),
    [
        ("re.compile('b+').match('xab', 2)", ("match", "'b'", "'b+'")),
        ("re.compile('a+').sub('', 'xa')", ("find", "'xa'", "'a+'")),
        ("re.split('-', 'a-b')", ("find", "'a-b'", "'-'")),
        ("re.subn('-', '', 'a-b')", ("find", "'a-b'", "'-'")),
        ("'x{}'.startswith('{', 1)", ("startswith", "'{}'", "'{'")),
        ("1 if [] else 2", None),
        ("1 if text else 2", ("truth", "'a'", "None")),
        ("1 if not text or number else 2", ("truth", "0", "None")),
        ("1 < number <= 9", ("<", "1", "0")),
        ("'1' < text <= 'z'", ("<=", "'a'", "'z'")),
        ("int('5')", ("int", "'5'", "None")),
        ("int(5.0)", None),
    ],
)
def test_more_kinds_of_tests_are_noted(source: str, row: tuple[Any, ...] | None) -> None:
    names = {"re": re, "text": "a", "number": 0}
    operands = ComparisonLog()
    tree = ast.fix_missing_locations(watched(ast.parse(f"result = {source}"), 0))
    space: dict[str, Any] = {**names, WATCH: operands.watch}
    exec(compile(tree, "<program>", "exec"), space)
    found = [one[2:5] for one in operands.taken()]
    assert found == [] if row is None else row in found
    result = eval(source, names)
    assert (space["result"] == result) or type(result) is re.Match


def test_members_that_an_enumeration_lacks_and_cases_are_noted() -> None:
    source = "def f(kind, name):\n    return kind[name]\n"
    operands = ComparisonLog()
    with pytest.raises(KeyError):
        operands.watch(0, 2, "key", Enum("Colour", "RED BLUE"), "red")
    assert operands.taken()[0][2:] == ("key", "'red'", None, ("'RED'", "'BLUE'"))
    assert run(source, "f({'a': 1}, 'a')") == (1, [])
    source = """
def f(word):
    match word:
        case "go" | "stop":
            return 1
        case [_, *_]:
            return 2
    return 3
"""
    for value, result in (("'go'", 1), ("[1]", 2), ("5", 3)):
        found, rows = run(source, f"f({value})")
        assert found == result
        assert rows == [(10, 3, "in", value, "None", ("'go'", "'stop'"))]


HANDLERS = """
class Checker:
    def _check_min(self): return "min"
    def _check_max(self): return "max"
    def _check_type_of(self): return "type"
    def yes_option(self): return 1
    def no_option(self): return 0

    def check(self, rule):
        return getattr(self, f"_check_{rule}", None)

    def asked(self, word):
        return hasattr(self, word + "_option")

    def fixed(self):
        return getattr(self, "check")
"""


def test_names_of_a_class_are_listed_once_for_a_name() -> None:
    listed = []

    class Listing(type):
        def __dir__(cls) -> list[str]:
            listed.append(cls.__name__)
            return ["is_red", "is_blue"]

    class Colour(metaclass=Listing):
        is_red = is_blue = True

    operands = ComparisonLog()
    for times in (1, 2):
        for word in ("red", "blue", "red", "grey", "grey"):
            operands.watch(0, 1, "hasattr", Colour(), f"is_{word}")
        assert len(operands.taken()) == 1
        assert len(listed) == 3 * times


def test_words_in_names_of_attributes_that_are_looked_for_are_noted() -> None:
    found, rows = run(HANDLERS, "Checker().check('length')")
    assert (found, rows) == (
        None,
        [(10, 10, "name", "'length'", "None", ("'max'", "'min'", "'type_of'"))],
    )
    _, rows = run(HANDLERS, "Checker().check('min')()")
    assert rows == [(10, 10, "name", "'min'", "None", ("'max'", "'type_of'"))]
    found, rows = run(HANDLERS, "Checker().asked('maybe')")
    assert (found, rows) == (False, [(10, 13, "name", "'maybe'", "None", ("'no'", "'yes'"))])
    assert run(HANDLERS, "Checker().fixed()")[1] == []
