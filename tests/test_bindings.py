"""What import statements bind, and which names a piece of code binds."""

from __future__ import annotations

import ast

import pytest

from pytest_lift.calls.names import free_names
from pytest_lift.source.bindings import all_bound_names, bindings, bound_names


@pytest.mark.parametrize(
    ("code", "own", "inner"),
    [
        ("x = y = 1", "x y", ""),
        ("x.a = y[0] = z", "", ""),
        ("a, (b, *c) = z", "a b c", ""),
        ("a: int = 1", "a", ""),
        ("a += 1", "a", ""),
        ("del a", "a", ""),
        ("import a.b, c.d as e", "a e", ""),
        ("from a import *", "*", ""),
        ("for a in z:\n    b = 1\nelse:\n    c = 1", "a b c", ""),
        ("with z as a, y as (b, c):\n    pass", "a b c", ""),
        ("try:\n    pass\nexcept E as a:\n    pass", "a", ""),
        ("match z:\n    case [a, *b] | {'k': c, **d}:\n        pass\n    case E() as e: ...", "a b d c e", ""),
        ("f(a := 1)", "a", ""),
        ("[(b := a) for a in z if (c := a)]", "b c", "a"),
        ("f = lambda a: (b := a)", "f", "a b"),
        ("def f(a, *b, c=1, **d):\n    e = 1", "f", "a b c d e"),
        ("class C:\n    a = 1\n    def f(self): ...", "C", "a f self"),
        ("if z:\n    async def f(): a = 1", "f", "a"),
    ],
)  # fmt: skip
def test_names_that_code_binds(code: str, own: str, inner: str) -> None:
    (node,) = ast.parse(code).body
    assert sorted(bound_names(node)) == sorted(own.split())
    assert sorted(all_bound_names(node)) == sorted([*own.split(), *inner.split()])


def test_names_come_in_the_order_of_the_text() -> None:
    code = "if z:\n    b = 1\n    for a in z:\n        d = 1\nelse:\n    c = 1"
    assert [*bound_names(ast.parse(code))] == ["b", "a", "d", "c"]


def test_only_a_name_that_nothing_else_binds_is_bound_once() -> None:
    code = "a = 1\nb = 2\nc = 3\nif [b for b in z]:\n    pass\nprint(c := 4)\n"
    found = bindings(ast.parse(code).body)
    assert found.once.keys() == {"a", "b"}
    assert found.unclear.keys() == {"c"}
    assert found.last.keys() == {"a", "b"}


def test_what_a_pattern_captures_is_not_free() -> None:
    assert free_names("match f():\n    case [a, *b] | {'k': a, **b}:\n        a, b") == {"f"}
