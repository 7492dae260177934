"""Qualified names that the names of a file stand for, and what calls replace or reach by a text."""

from __future__ import annotations

import ast

import pytest

from pytest_lift.assertions.name_resolution import READING, QualifiedNames, used_names

HEAD = "import os\nimport a.b as c\nfrom pkg import mod as m\nfrom . import near\n"


def meant(expression: str, head: str = HEAD) -> str:
    tree = ast.parse(f"{head}\n{expression}\n")
    last = tree.body[-1]
    assert isinstance(last, ast.Expr)
    return QualifiedNames(tree).of(last.value)


@pytest.mark.parametrize(
    ("expression", "name"),
    [
        ("os", "os"),
        ("os.path.join", "os.path.join"),
        ("c.d", "a.b.d"),
        ("m.f", "pkg.mod.f"),
        ("near", ""),
        ("unknown.name", ""),
        ("__import__('os').fork", "os.fork"),
        ("importlib.import_module('a.b')", "a.b"),
        ("import_module(name)", ""),
        ("os.getenv('HOME')", ""),
        ("os.environ['HOME']", ""),
    ],
)
def test_the_qualified_name_of_an_expression(expression: str, name: str) -> None:
    assert meant(expression) == name


def test_modules_by_their_names_in_the_interpreter() -> None:
    assert meant("sys.modules['os']._exit", "import sys\n") == "os._exit"
    assert meant("sys.modules['os']", "") == ""


def test_assignments_give_other_names() -> None:
    assert meant("leave", "import os\nleave = os._exit\n") == "os._exit"
    assert meant("leave", "import os\nleave = print\n") == ""


def test_names_known_from_around_are_hidden_by_imports() -> None:
    tree = ast.parse("import os as x")
    names = QualifiedNames(tree, {"x": "pkg.x", "y": "pkg.y"}).names
    assert names == {"x": "os", "y": "pkg.y"}


@pytest.mark.parametrize(
    ("call", "names"),
    [
        ('patch("a.b")', ["a.b"]),
        ('monkeypatch.setattr("a.b", 1)', ["a.b"]),
        ('monkeypatch.setattr(os, "fork", 1)', ["os.fork"]),
        ('mock.patch.object(m, "f")', ["pkg.mod.f"]),
        ('setattr(thing, "f", 1)', [".f"]),
        ("patch.multiple(m, f=1, g=2, **more)", ["pkg.mod.f", "pkg.mod.g"]),
        ("monkeypatch.setattr(os, name, 1)", []),
        ('monkeypatch.setenv("a.b", "1")', []),
        ("patch()", []),
    ],
)
def test_what_a_call_replaces(call: str, names: list[str]) -> None:
    tree = ast.parse(f"{HEAD}{call}")
    last = tree.body[-1]
    assert isinstance(last, ast.Expr)
    assert isinstance(last.value, ast.Call)
    assert [*QualifiedNames(tree).named(last.value)] == names


def test_what_a_call_reaches() -> None:
    tree = ast.parse("import os\ngetattr(os, 'fork')\nattrgetter('plain')\n")
    calls = [node.value for node in tree.body if isinstance(node, ast.Expr)]
    assert all(isinstance(call, ast.Call) for call in calls)
    found = [[*QualifiedNames(tree).named(call, READING)] for call in calls]  # type: ignore[arg-type]
    assert found == [["os.fork"], ["plain"]]


def test_names_that_a_test_uses() -> None:
    tree = ast.parse(
        "@pytest.mark.usefixtures('clean')\n"
        "def test_a(self, rows):\n    self.check(other.deep)\n"
        "    request.getfixturevalue('late')\n    print('text')\n"
    )
    found = used_names(tree)
    assert {"clean", "rows", "check", "other", "late", "self"} <= found
    assert found.isdisjoint({"deep", "text"})
