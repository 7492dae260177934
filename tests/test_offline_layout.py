"""Generated source reads as a formatter would write it."""

from __future__ import annotations

import ast

import pytest

from pytest_lift.offline.layout import block, requoted, squeezed, statement, tidy


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("'a'", '"a"'),
        ("'say \"hi\"'", "'say \"hi\"'"),
        ("f('it\\'s')", 'f("it\'s")'),
        ("{'a':1}", '{"a": 1}'),
    ],
)
def test_strings_have_double_quotes_where_that_costs_nothing(source: str, expected: str) -> None:
    assert tidy(source) == expected


def test_a_lone_string_is_no_docstring() -> None:
    assert tidy(repr("a\nb")) == '"a\\nb"'


def test_requoting_keeps_the_value() -> None:
    for value in ("'", '"', "\\'", "a'b\"c", "\n", "", "''", "é\u2028"):
        assert ast.literal_eval(requoted(repr(value))) == value


def test_long_calls_are_split_at_their_brackets() -> None:
    arguments = ", ".join(f"argument_{n}={n}" for n in range(8))
    lines = statement("result = ", f"function({arguments})")
    assert lines[0] == "    result = function("
    assert lines[-1] == "    )"
    assert all(len(line) <= 88 for line in lines)


def test_long_texts_are_split_after_line_ends() -> None:
    text = "first line that is quite long\n" * 4
    lines = statement("expected = ", repr(text))
    assert len(lines) == 6
    assert ast.literal_eval("\n".join(lines).partition("=")[2].strip()) == text


def test_definitions_have_blank_lines_around() -> None:
    lines = squeezed(block("class A:\n    def f(self):\n        return 1\nassert A().f() == 1"))
    assert lines == [
        "",
        "    class A:",
        "        def f(self):",
        "            return 1",
        "",
        "    assert A().f() == 1",
    ]
