"""Parameters without annotation: what calls pass for them, and a text in which they have types."""

from __future__ import annotations

import ast

import pytest

from pytest_lift.context.untyped import (
    FoundClass,
    passed_arguments,
    untyped_parameters,
    with_annotations,
)
from pytest_lift.source.program import SourceFile
from pytest_lift.source.syntax import FunctionNode


def function(source: str) -> FunctionNode:
    node = ast.parse(source).body[0]
    assert isinstance(node, FunctionNode)
    return node


def test_what_has_no_annotation_is_untyped_but_for_the_bound_first_one() -> None:
    node = function("def f(self, a, b: int, /, c=1, *args, d, e: str, **more): pass")
    assert [*untyped_parameters(node, bound=True)] == ["a", "c", "d"]
    assert [*untyped_parameters(node, bound=False)] == ["self", "a", "c", "d"]


@pytest.mark.parametrize(
    ("call", "passed"),
    [
        ("f(x, y.z)", [("a", "x,", False), ("b", "z)", False)]),
        ("f(Leaf(1), b=c[0])", [("a", ")", False), ("a", "Leaf(", True), ("b", "])", False)]),
        ("f(x or y)", [("a", "y)", False)]),
        ("f(1, 'text')", []),
        ("f(*x, b=y)", [("b", "y)", False)]),
        ("f(x, y, z, **more)", [("a", "x,", False), ("b", "y,", False)]),
    ],
)
def test_the_place_of_what_is_passed_tells_its_type(
    call: str, passed: list[tuple[str, str, bool]]
) -> None:
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    found = [
        *passed_arguments(node, function("def f(a, b, *, c: int = 1): pass"), "p", bound=False)
    ]
    assert [(one.parameter, one.called) for one in found] == [(p, c) for p, _, c in passed]
    for one, (_, text, _) in zip(found, passed, strict=True):
        assert call[one.column :].replace(" ", "").startswith(text)


def test_annotations_and_imports_are_written_without_moving_a_line() -> None:
    text = "def f(é, b=None, *, c):\n    return é.x, b.y, c.z"
    source = SourceFile("pkg/mod.py", "pkg.mod", text)
    node = function(text)
    types = {
        "é": [FoundClass("pkg.mod", "Here")],
        "b": [FoundClass("pkg.tree", "Node.Inner"), FoundClass("pkg.tree", "Leaf")],
    }
    changed = with_annotations(source, untyped_parameters(node, bound=False), types)
    assert changed is not None
    assert changed.text == (
        'def f(é: "Here", b: "_lift_pkg_tree_Leaf | _lift_pkg_tree_Node.Inner"=None, *, c):\n'
        "    return é.x, b.y, c.z\n"
        "from pkg.tree import Leaf as _lift_pkg_tree_Leaf\n"
        "from pkg.tree import Node as _lift_pkg_tree_Node\n"
    )
    before, after = text.splitlines()[0].encode(), changed.text.splitlines()[0].encode()
    assert changed.column(1, before.index(b"c)")) == after.index(b"c)")
    assert changed.column(2, 11) == 11


def test_without_types_nothing_is_written() -> None:
    source = SourceFile("mod.py", "mod", "def f(a): pass\n")
    parameters = untyped_parameters(function(source.text), bound=False)
    assert with_annotations(source, parameters, {"b": [FoundClass("m", "C")]}) is None
