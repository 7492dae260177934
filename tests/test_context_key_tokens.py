"""Key tokens: what decides branches, by role, each name once, locals left out."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from pytest_lift.context.key_tokens import key_tokens
from pytest_lift.source.syntax import FunctionNode


def tokens(source: str) -> dict[str, str]:
    function = ast.parse(dedent(source)).body[0]
    assert isinstance(function, FunctionNode)
    return {token.text: token.role for token in key_tokens(function)}


@pytest.mark.parametrize(
    "source",
    [
        "if GOOD: pass",
        "while GOOD: pass",
        "x = 1 if GOOD else 2",
        "assert GOOD",
        "x = [y for y in z if GOOD]",
        "x = y or GOOD",
        "try: pass\n    except GOOD: pass",
        "match x:\n        case GOOD.a: pass",
        "match x:\n        case 1 if GOOD: pass",
        "match GOOD:\n        case 1: pass",
    ],
)
def test_whatever_decides_a_branch_is_a_guard(source: str) -> None:
    assert tokens(f"def f(x, z):\n    {source}\n")["GOOD"] == "guard"


def test_what_guards_are_assigned_feeds_them_over_several_steps() -> None:
    found = tokens(
        """
        def f(path):
            first = read(path)
            second = first.lines
            unrelated = other(path)
            for one in second:
                if one:
                    return unrelated
        """
    )
    assert found == {"read": "flow", "first.lines": "flow", "other": "call"}


def test_annotations_are_types_and_strings_are_read() -> None:
    found = tokens(
        'def f(a: Leaf, *b: "pkg.Node", c: Literal["x"] = "x") -> Optional["Leaf | None"]: pass'
    )
    assert found == dict.fromkeys(("Leaf", "pkg", "pkg.Node", "Literal", "Optional"), "type")


def test_returned_constants_and_raised_exceptions_are_results() -> None:
    found = tokens(
        """
        def f(a):
            if a.kind == token.DOT:
                return DOT_PRIORITY
            raise Wrong(a) from cause.first
        """
    )
    assert found == {
        "a.kind": "guard",
        "token": "guard",
        "token.DOT": "guard",
        "DOT_PRIORITY": "result",
        "Wrong": "result",
        "cause": "result",
        "cause.first": "result",
    }


def test_a_name_has_its_most_telling_role_at_one_place() -> None:
    function = ast.parse("def f(a):\n    é = go(a); go(a.b)\n    if go(a): pass\n").body[0]
    assert isinstance(function, FunctionNode)
    found = {token.text: token for token in key_tokens(function)}
    assert (found["go"].role, found["go"].line, found["go"].column) == ("guard", 3, 7)


def test_columns_are_bytes_before_the_last_part() -> None:
    function = ast.parse("def f(é):\n    if é.ü.b(1).c: pass\n").body[0]
    assert isinstance(function, FunctionNode)
    found = {token.text: token.column for token in key_tokens(function)}
    line = "    if é.ü.b(1).c: pass".encode()
    assert found == {
        "é.ü": line.index("ü".encode()),
        "é.ü.b": line.index(b"b("),
        "é.ü.b(...).c": line.index(b"c:"),
    }


def test_locals_and_names_of_every_module_are_none() -> None:
    assert tokens("def f(a):\n    b = a\n    if b and __file__: return a\n") == {}
