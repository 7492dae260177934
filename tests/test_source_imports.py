"""What import statements bind: dots are resolved, aliases are followed."""

from __future__ import annotations

import ast

import pytest

from pytest_lift.source.imports import Import, import_bindings, imports_in
from pytest_lift.source.program import SourceFile


def imported(line: str) -> Import:
    (found,) = imports_in(ast.parse(line).body)
    return found


@pytest.mark.parametrize(
    ("line", "found", "top"),
    [
        ("import a", ("", "a", "a", "a"), "a"),
        ("import a.b", ("", "a.b", "a", "a"), "a"),
        ("import a.b as c", ("", "a.b", "c", "a.b"), "a"),
        ("import a.b as a", ("", "a.b", "a", "a.b"), "a"),
        ("from a.b import c", ("a.b", "c", "c", "a.b.c"), "a"),
        ("from a import b as c", ("a", "b", "c", "a.b"), "a"),
        ("from a import *", ("a", "*", "*", "a.*"), "a"),
        ("from . import b", (".", "b", "b", ".b"), ""),
        ("from ..a import b as c", ("..a", "b", "c", "..a.b"), ""),
    ],
)
def test_one_import(line: str, found: tuple[str, ...], top: str) -> None:
    assert imported(line) == found
    assert imported(line).top == top
    assert imported(line).line == line


def test_dots_are_resolved_in_a_file_of_the_program() -> None:
    file = SourceFile("pkg/sub/mod.py", "pkg.sub.mod", "from ..other import x as y\nimport re\n")
    assert [*file.imports] == [
        Import("pkg.other", "x", "y", "pkg.other.x"),
        Import("", "re", "re", "re"),
    ]
    (node,) = ast.parse("from . import z").body
    assert isinstance(node, ast.ImportFrom)
    assert [*file.import_bindings(node)] == [Import("pkg.sub", "z", "z", "pkg.sub.z")]
    assert [*import_bindings(node)] == [Import(".", "z", "z", ".z")]
