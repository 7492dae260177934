"""Statements under other names: which names are fixed, what replaces them, and the new text."""

from __future__ import annotations

import ast
from itertools import islice

import pytest

from pytest_lift.suite.renaming import fixed_names, other_names, read_names, renamed
from pytest_lift.suite.test_file import DEFAULT_NAMING


def statement(text: str) -> ast.stmt:
    return ast.parse(text).body[0]


def test_names_that_are_read() -> None:
    text = "@pytest.mark.usefixtures('clean')\ndef test_a(rows):\n    x = f(y.z, 'text')\n"
    assert read_names(statement(text)) == {"pytest", "clean", "rows", "x", "f", "y"}


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("import a.b", {"a"}),
        ("import a", set()),
        ("import a.b as c", set()),
        ("from a import *", {"*"}),
        ("from a import b", set()),
        ("X = [y for y in z]", set()),
        ("def f(a):\n    b = 1\n    return a + c", {"a", "b"}),
        ("def test_a(rows):\n    b = rows", {"b"}),
        ("@pytest.fixture\ndef rows(other):\n    return other", set()),
        ("@given(x=1)\ndef test_a(x, y): pass", {"x"}),
        ("@pytest.mark.parametrize('a, b', [])\ndef test_a(a, b): pass", {"a", "b"}),
        ("@pytest.mark.parametrize(argnames='a', argvalues=[])\ndef test_a(a): pass", {"a"}),
        ("def f():\n    global g\n    import os\n    g = lambda k: k", {"g", "os", "k"}),
        ("def f():\n    try: pass\n    except E as e: pass", {"e"}),
        ("class A:\n    class B: pass\n    x = 1", {"B", "x"}),
    ],
)
def test_names_that_cannot_simply_be_changed(text: str, fixed: set[str]) -> None:
    assert fixed_names(statement(text)) == fixed


@pytest.mark.parametrize(
    ("text", "name", "first"),
    [
        ("from a._b import c", "c", ["b_c", "c_2"]),
        ("from . import c", "c", ["c_2", "c_3"]),
        ("import a.b as c", "c", ["c_module", "c_2"]),
        ("def test_a(): pass", "test_a", ["test_a_2", "test_a_3"]),
        ("def test_exits(): pass", "test_exits", ["test_exits_case_2", "test_exits_case_3"]),
        ("def helper(): pass", "helper", ["helper_2", "helper_3"]),
        ("class Thing: pass", "Thing", ["Thing_2", "Thing_3"]),
    ],
)
def test_names_in_the_place_of_one_that_is_taken(text: str, name: str, first: list[str]) -> None:
    assert [*islice(other_names(name, statement(text), DEFAULT_NAMING), 2)] == first


@pytest.mark.parametrize(
    ("text", "renames", "after"),
    [
        ("import a as b", {"b": "c"}, "import a as c"),
        ("from a import b", {"b": "c"}, "from a import b as c"),
        ("x = f( x )  # x", {"x": "y"}, "y = f( y )  # x"),
        ("x = 'x'", {"z": "y"}, "x = 'x'"),
        ("def f(a, *, b=1): return a  # f", {"f": "g", "a": "z"}, "def g(z, *, b=1): return z  # f"),
        ("class A:\n    def f(self): return f()\n", {"f": "g", "A": "B"},
         "class B:\n    def f(self): return g()\n"),
        ("async def f(): await f()", {"f": "gg"}, "async def gg(): await gg()"),
        ("@usefixtures('rows')\ndef t(): g('rows')", {"rows": "more"},
         "@usefixtures('more')\ndef t(): g('rows')"),
        ("é = f('é', x)", {"x": "yy"}, "é = f('é', yy)"),
        ("x = a.x", {"x": "y"}, "y = a.x"),
    ],
)  # fmt: skip
def test_only_the_names_change(text: str, renames: dict[str, str], after: str) -> None:
    assert renamed(statement(text), text, renames) == after


def test_what_is_not_simple_is_printed_anew() -> None:
    text = "def  f( ): return  f"
    assert renamed(statement(text), text, {"f": "g"}) == "def g():\n    return g"
