"""Checks are written as Python that says what was observed."""

from __future__ import annotations

import ast

import pytest

from pytest_lift.agents.offline.printing.checks import DRAIN, check_lines, names_in
from pytest_lift.agents.offline.printing.functions import (
    _statements,
    _without_idle_reads,
    _without_repeated_asserts,
)
from pytest_lift.agents.offline.printing.headers import docstring, marks
from pytest_lift.agents.offline.printing.ranges import with_ranges
from pytest_lift.agents.offline.writing.links import ClaimedLink
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.calls.child.isolation.surroundings import GONE, THERE


@pytest.mark.parametrize(
    ("expression", "line"),
    [
        ("tree - other", "    assert (tree - other).size == 2"),
        ("tree.pop(1)", "    assert tree.pop(1).size == 2"),
        ("tree[1]", "    assert tree[1].size == 2"),
        ("[tree, [1]]", "    assert [tree, [1]].size == 2"),
    ],
)
def test_an_attribute_is_that_of_the_whole_expression(expression: str, line: str) -> None:
    check = StepCheck("attributes", expression, attributes=(("size", "2"),))
    assert check_lines(check) == [line]


def test_what_is_long_is_made_before_it_is_compared() -> None:
    arguments = ", ".join(f"'{n}' * {n}" for n in range(7))
    assert check_lines(StepCheck("is", f"tree.has_any({arguments})", "True")) == [
        f"    result = tree.has_any({arguments})".replace("'", '"'),
        "    assert result is True",
    ]
    assert check_lines(StepCheck("is", "tree.has(1)", "True")) == ["    assert tree.has(1) is True"]


def test_what_a_long_call_gives_is_made_before_something_is_looked_for_in_it() -> None:
    call = f"compose({['first part', 'second part', 'third part', 'fourth part']!r}, start=999)"
    lines = check_lines(StepCheck("true", f"'999' in {call}"))
    assert lines[-1] == '    assert "999" in result'
    assert all(len(line) <= 88 for line in lines)


def test_what_is_called_first_is_made_first() -> None:
    first, second = (f"tickets.next('a {n} and rather long name for a ticket')" for n in "12")
    lines = check_lines(StepCheck("true", f"{first} < {second}"))
    exec("\n".join(["if True:", *lines]), {"tickets": _Tickets()})
    assert lines[0].startswith("    result = ")
    lines = check_lines(StepCheck("true", f"tickets.given < {first.replace('rather', 'r' * 30)}"))
    exec("\n".join(["if True:", *lines]), {"tickets": _Tickets()})


@pytest.mark.parametrize(
    ("source", "written"),
    [
        (str([*range(1, 30)]), "list(range(1, 30))"),
        (str([28, 29, *range(1, 8), 1, 2]), "[28, 29, *range(1, 8), 1, 2]"),
        ("[1, 2, 3, 4, 5]", "[1, 2, 3, 4, 5]"),
        ("[1, 2, 3, 4, 5, 'a']", "[1, 2, 3, 4, 5, 'a']"),
        ("[1, 2, 3, 5, 6, 7]", "[1, 2, 3, 5, 6, 7]"),
        ("[False, True, 2, 3, 4, 5]", "[False, True, 2, 3, 4, 5]"),
        ("(1, 2, 3, 4, 5, 6)", "(1, 2, 3, 4, 5, 6)"),
    ],
)
def test_numbers_that_follow_one_another_are_a_range(source: str, written: str) -> None:
    assert with_ranges(source) == written
    assert eval(written) == eval(source)


def test_an_expected_list_is_written_so() -> None:
    lines = check_lines(StepCheck("equals", "days(month)", str([*range(1, 30)])))
    assert lines == ["    assert days(month) == list(range(1, 30))"]
    own = StepCheck("equals", "range.days()", str([*range(1, 8)]))
    assert check_lines(own) == ["    assert range.days() == [1, 2, 3, 4, 5, 6, 7]"]
    other = StepCheck("equals", "list.days()", str([*range(1, 8)]))
    assert check_lines(other) == ["    assert list.days() == [1, 2, 3, 4, 5, 6, 7]"]


def test_what_differs_is_asked_by_its_own_method() -> None:
    assert check_lines(StepCheck("false", "a != b")) == ["    assert not a != b"]
    assert check_lines(StepCheck("false", "a == b")) == ["    assert a != b"]


class _Tickets:
    given = 0

    def next(self, name: str) -> int:
        self.given += 1
        return self.given


@pytest.mark.parametrize(
    "check",
    [
        StepCheck("true", f"result != Thing('a', {'b' * 80!r})"),
        StepCheck("equals", f"result.same('a', {'b' * 80!r})", "True"),
        StepCheck("equals", f"expected.joined('a', {'b' * 40!r})", repr("a" + "b" * 40)),
        StepCheck("text", f"result.first(expected, {'b' * 80!r})", "'a'"),
        StepCheck("is", f"result.same('a', {'b' * 80!r})", "True"),
        StepCheck("attributes", f"result.other('a', {'b' * 80!r})", attributes=(("x", "1"), ("y", "2"))),
    ],
)  # fmt: skip
def test_a_variable_of_the_test_is_not_overwritten(check: StepCheck) -> None:
    lines = check_lines(check)
    assert not any(line.startswith(("    result =", "    expected =")) for line in lines)
    ast.parse("\n".join(["if True:", *lines]))
    beside = StepCheck("is", f"thing.same('a', {'b' * 80!r})", "True")
    assert check_lines(beside)[0].startswith("    result = ")
    lines = check_lines(beside, names_in([StepCheck("none", "result = 1")]))
    assert lines[0].startswith("    assert thing.same(")


@pytest.mark.parametrize("late", [True, False])
def test_what_was_printed_before_is_read_first(late: bool) -> None:
    check = StepCheck("printed", "bell.ring()", printed="ding\n", late=late)
    lines = ["    bell.ring()", '    assert capsys.readouterr().out == "ding\\n"']
    assert check_lines(check) == (["    capsys.readouterr()"] if late else []) + lines


def test_what_was_asserted_already_is_not_repeated() -> None:
    made, size, step = "    it = f()", "    assert it.size == 2", "    assert next(it) == 1"
    lines = [made, size, size, "", size, step, step, size, "    it.grow()", size]
    kept = [made, size, "", step, step, size, "    it.grow()", size]
    assert _without_repeated_asserts(lines) == kept
    said, shown = "    assert str(it) == '2'", "    assert repr(it) == 'It(2)'"
    assert _without_repeated_asserts([made, said, shown, said]) == [made, said, shown]


def test_a_value_that_a_variable_has_is_not_given_again() -> None:
    value, check = ["    expected = {", "        'a': 1", "    }"], "    assert f == expected"
    other = "    expected = 2"
    lines = [*value, check, *value, check, "    assert g == expected", other, check, *value, check]
    kept = [*value, check, "    assert g == expected", other, check, *value, check]
    assert _without_repeated_asserts(lines) == kept
    done = [*value, check, "    f.grow()", *value, check]
    assert _without_repeated_asserts(done) == done


def test_streams_that_are_empty_are_not_emptied() -> None:
    ring, read, empty = "    bell.ring()", '    assert capsys.readouterr().out == "ding"', DRAIN
    both = ["    captured = capsys.readouterr()", '    assert "ding" in captured.out']
    assert _without_idle_reads([ring, read, "", empty, ring, read]) == [ring, read, "", ring, read]
    assert _without_idle_reads([ring, *both, empty, ring]) == [ring, *both, ring]
    needed = [empty, ring, read, ring, empty, ring]
    assert _without_idle_reads(needed) == needed


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        (["    assert f(", "        'a',", "    ) is True"], 1),
        (["    x = f()", "    assert x == ["], 2),
        (["    with f():", "        g()"], 2),
    ],
)
def test_a_statement_of_several_lines_is_one(lines: list[str], count: int) -> None:
    assert _statements(lines) == count


def test_a_long_reason_stands_in_two_lines() -> None:
    reason = (
        f"observed behaviour of {'Interpreter.visit_' * 3}; no requirement is known to state it"
    )
    lines = marks(ClaimedLink(emergent=reason))
    assert max(map(len, lines)) <= 88
    (mark,) = ast.parse("\n".join([*lines, "def f(): ..."])).body[0].decorator_list  # type: ignore[attr-defined]
    assert ast.literal_eval(mark.args[0]) == reason


def test_a_docstring_with_a_backslash_is_raw() -> None:
    assert docstring(r"strip('\n') gives an empty text.") == [
        r'    r"""strip(' + r"'\n'" + r') gives an empty text."""'
    ]


def test_of_files_that_nobody_reads_it_is_asserted_that_they_are_there() -> None:
    check = StepCheck("printed", "save()", files=(("a.db", THERE), ("b.db", GONE)))
    assert check_lines(check)[1:] == [
        '    assert (tmp_path / "a.db").exists()',
        '    assert not (tmp_path / "b.db").exists()',
    ]
