"""A result that any program may give is dull; one that shows content is not."""

from __future__ import annotations

import pytest

from pytest_lift.agents.offline.search.dullness import FRESH, dullness, is_crash
from pytest_lift.calls.case import Case, Observation, Outcome, Raised, Step
from pytest_lift.calls.targets.target import Target


def dull(source: str, *outcomes: Outcome) -> float:
    return dullness(Case("m.py", "f", (Step(source, check=True),)), Observation(outcomes))


@pytest.mark.parametrize(
    ("duller", "result", "clearer"),
    [
        ("f(2)", "[]", "[4]"),
        ("f('a')", "'a'", "'b'"),
        ("f([1])", "[1]", "[2, 1]"),
        ("f(-1)", "[-1]", "[2]"),
        ("f(str, range(3))", "[0, 1, 2]", "[0, 2]"),
        ("f([1, 2])", "(1, 2)", "(2, 1)"),
        ("f((1, 2))", "[1, 2]", "[2, 1]"),
        ("f(3)", "None", "9"),
        ("f('a')", "('a',)", "('a', 'b')"),
        ("f(3)", "[[0.0, 0.0], [0.0]]", "[[0.0, 1.0], [0.0]]"),
        ("f(3)", "pytest.approx([float('nan')], nan_ok=True)", "pytest.approx([1.5])"),
        ("f(str, 'ab')", "{'a': ['a'], 'b': ['b']}", "{'a': ['a', 'A'], 'b': ['b']}"),
        ("f(3)", "False", "True"),
        ("f(3)", "Tree()", "Tree([3])"),
        ("f(3)", "(4, bytearray(b''))", "(5, bytearray(b'a'))"),
        ("f(3)", "Headers({})", "Headers({'a': 1})"),
        ("f(3)", "9.876e-17", "98.76"),
        ("f(3)", "Size(0.1000000000000001)", "Size(0.125)"),
        ("f(3)", "pytest.approx(0.123456789)", "0.1234"),
        ("f(3)", "[1, 12345678901]", "[1, 10000000000]"),
        ("f(3)", "'1.6000000000000002e-23 Yb'", "'1.6 Yb'"),
    ],
)
def test_some_results_show_less_than_others(duller: str, result: str, clearer: str) -> None:
    assert dull(duller, Outcome(source=result)) > dull(duller, Outcome(source=clearer))


@pytest.mark.parametrize(
    ("lines", "fresh"),
    [
        ("table = Table()\ntable.rows", True),
        ("table = Table(Style())\nlen(table.rows)", True),
        ("Table().rows()", True),
        ("table = Table()\ntable.add()\ntable.rows", False),
        ("table = Table('a')\ntable.rows", False),
        ("table = Table(PLAIN)\ntable.rows", False),
        ("Table()", False),
        ("random()", False),
    ],
)
def test_what_an_object_begins_with_says_little(lines: str, fresh: bool) -> None:
    *setup, last = lines.split("\n")
    steps = (*(Step(line) for line in setup), Step(last, check=True))
    seen = Observation((Outcome(source="'plain'"),))
    assert (dullness(Case("m.py", "f", steps), seen) == FRESH) is fresh


def test_an_object_that_has_what_it_was_given_shows_little() -> None:
    back = Outcome(type="Close", attributes=(("code", "1000"), ("reason", "None")))
    changed = Outcome(type="Close", attributes=(("code", "1000"), ("text", "'closed'")))
    assert dull("Close(1000)", back) > dull("Close(1000)", changed) == 0
    assert dull("Close(1000)", Outcome(type="Close")) == 0
    bare = Outcome(type="Close", attributes=(("code", "None"), ("waiting", "[]")))
    assert dull("Close()", bare) > dull("Close(1000)", back)
    assert dull("closed()", bare) == 0  # what a function makes of it may be news


def test_an_object_that_a_block_leaves_as_it_was_shows_nothing_of_it() -> None:
    block = Step("with Box('a') as box:\n    result = box.find('b')")
    case = Case("m.py", "Box.find", (block, Step("result", check=True), Step("box", check=True)))

    def shown(box: str) -> float:
        return dullness(case, Observation((Outcome(source="[]"), Outcome(source=box))))

    assert (
        shown("BoxOfWood('a')") == dull("box.find('b')", Outcome(source="[]")) > shown("Box('c')")
    )


def test_an_error_and_what_is_written_show_something() -> None:
    raised = Raised("ValueError", "builtins", "no", "m.py", 3, explicit=True)
    assert dull("f(1)", Outcome(raised=raised)) == 0
    assert dull("f(1)", Outcome(source="None"), Outcome(source="'written'")) == 0


def test_a_result_of_which_no_test_is_written_is_worse_than_any_other() -> None:
    long, short = (repr(["a word or two"] * count) for count in (40, 4))
    assert dull("f(1)", Outcome(source=long)) > 3 + dull("f(1)", Outcome(source="[]"))
    assert dull("f(1)", Outcome(source=short)) == 0
    shown = Case("m.py", "f", (Step("f(1)", check=True),), origin="documented")
    assert dullness(shown, Observation((Outcome(source=long),))) == 0


def test_a_command_that_fails_without_a_word_crashed() -> None:
    command = Target("m.py", "run", "command", "run", (), ())
    silent = Observation((Outcome(source="1"), Outcome(source="''")))
    told = Observation((Outcome(source="1"), Outcome(source="'no such file'")))
    assert is_crash(command, silent)
    assert not is_crash(command, told)
    assert not is_crash(Target("m.py", "f", "function", "f", (), ()), silent)
