"""Syntax trees written down in one way: local names are numbered, literals may be left out."""

from __future__ import annotations

import ast

import pytest

from pytest_lift.assertions.spelling import (
    Speller,
    is_literal,
    local_names,
    meanings_in,
    table_columns,
)


def function(text: str) -> ast.FunctionDef:
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.FunctionDef)
    return node


def spelled(text: str, *, literals: bool = False, numbered: bool = True) -> str:
    node = function(text)
    speller = Speller({"f": "pkg.f"}, local_names(node), literals, numbered)
    return ",".join(map(speller.spell, node.body))


def test_local_names_do_not_count_and_others_do() -> None:
    one = spelled("def test():\n    x = f(1)\n    assert x == 2\n")
    assert one == spelled("def test():\n    y = f(5)\n    assert y == 9\n")
    assert one != spelled("def test():\n    x = g(1)\n    assert x == 2\n")
    assert "pkg.f" in one


def test_which_local_name_it_is_counts_where_they_are_numbered() -> None:
    ab = "def test():\n    a = f(1)\n    b = f(2)\n    assert a.x\n"
    ba = "def test():\n    a = f(1)\n    b = f(2)\n    assert b.x\n"
    assert spelled(ab) != spelled(ba)
    assert spelled(ab, numbered=False) == spelled(ba, numbered=False)


def test_literals_count_only_where_they_are_wanted() -> None:
    one, two = ("def test():\n    assert f(1)\n", "def test():\n    assert f(2)\n")
    assert spelled(one) == spelled(two)
    assert spelled(one, literals=True) != spelled(two, literals=True)


def test_literals_that_were_left_out_come_in_order() -> None:
    node = function("def test():\n    assert f(1, [2, 'x']) == -3\n")
    speller = Speller({}, frozenset())
    speller.spell(node.body[0])
    assert [ast.unparse(one) for one in speller.literals] == ["1", "[2, 'x']", "-3"]


def test_the_word_of_a_keyword_is_the_callees_own() -> None:
    text = "def test():\n    x = 1\n    f({}=x)\n"
    assert spelled(text.format("x")) != spelled(text.format("y"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", True),
        ("-1", True),
        ("1 + 2j", True),
        ("1 + x", False),
        ("[1, (2, {3})]", True),
        ("[x]", False),
        ("{'a': 1}", True),
        ("{'a': x}", False),
        ("{x: 1}", False),
        ("{**{}}", False),
        ("f()", False),
    ],
)
def test_what_a_row_of_a_table_could_hold(text: str, expected: bool) -> None:
    assert is_literal(ast.parse(text, mode="eval").body) is expected


def test_columns_are_local_and_fixtures_are_not() -> None:
    node = function(
        "@pytest.mark.parametrize('a, b', ROWS)\n@pytest.mark.skipif('c')\n@plain\n"
        "def test(a, b, rows):\n    d = 1\n"
    )
    assert table_columns(node) == ("a", "b")
    assert local_names(node) == {"a", "b", "d"}


def test_an_import_means_the_same_everywhere_and_a_definition_in_its_file() -> None:
    body = ast.parse("import os\nfrom .near import x\ndef g(): pass\n").body
    assert meanings_in(body, "tests/sub/test_a.py") == {
        "os": "os",
        "x": "tests/sub.near.x",
        "g": "tests/sub/test_a.py:g",
    }
