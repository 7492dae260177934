"""What import statements bind, which names code binds, and what they stand for."""

from __future__ import annotations

import ast

import pytest

from pytest_lift.calls.names import free_names
from pytest_lift.source.bindings import (
    READING,
    Import,
    QualifiedNames,
    all_bound_names,
    bindings,
    bound_names,
    import_bindings,
    imports_in,
    used_names,
)
from pytest_lift.source.program import SourceFile


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


def test_many_decimal_numbers_beside_a_name_are_read_at_once() -> None:
    assert free_names(f"[{'3.78, ' * 60}Point(1.5)]") == {"Point"}
