"""`scope/changed.py`: what of a program, its tests and requirements changed since a commit."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import Project

from pytest_lift.errors import UsageError
from pytest_lift.options import DEFAULT_BASE
from pytest_lift.requirements.reader import load
from pytest_lift.scope.changed import Changed, changed_places, gone_names, what_changed
from pytest_lift.scope.reaching import Reaching
from pytest_lift.scope.scope import Scope
from pytest_lift.source.program import Program, read_program
from pytest_lift.suite.suite import read_suite

BEFORE = '''
"""A module."""
import os

LIMIT = 100


def plain(number):
    """Doc."""
    return number


class Box:
    """Doc."""

    size = 1

    def add(self, one):
        return one

    @property
    def name(self):
        return "a"

    @name.setter
    def name(self, value):
        pass

try:
    import fast
except ImportError:
    def slow():
        return 1
'''


@pytest.mark.parametrize(
    ("old", "new", "places"),
    [
        ("return number", "return  number  # the same", []),
        ('"""Doc."""\n    return', '"""Another."""\n    return', []),
        ('    """Doc."""\n    return', "    return", []),
        ('    """Doc."""\n\n    size', "    size", []),
        ("import os\n", "import os\nimport sys\n", []),
        ("return number", "return -number", ["plain"]),
        ("plain(number)", "plain(number=1)", ["plain"]),
        ("def plain", "@cached\ndef plain", ["plain"]),
        ("def plain", "def plane", ["plane"]),
        ("size = 1", "size = 2", ["Box"]),
        ("class Box", "class Box(dict)", ["Box"]),
        ("return one", "return [one]", ["Box.add"]),
        ("        pass", "        self.x = 1", ["Box.name", "Box.name"]),
        ("return 1", "return 2", ["slow"]),
        ("LIMIT = 100", "LIMIT = 10", ["*"]),
        ("LIMIT = 100", "LIMIT = 100\nMORE = 1", ["*"]),
        ("return number", "return (", [""]),
    ],
)
def test_what_says_something_else(old: str, new: str, places: list[str]) -> None:
    assert old in BEFORE
    found = changed_places("a.py", BEFORE, BEFORE.replace(old, new, 1))
    assert [place.symbol for place in found] == places


def test_lines_are_those_of_the_new_version() -> None:
    (place,) = changed_places("a.py", BEFORE, "# one more\n@cached\n" + BEFORE.lstrip("\n"))[:1]
    assert place.symbol == ""
    (place,) = changed_places("a.py", BEFORE, "\n" + BEFORE.replace("number\n", "number + 1\n"))
    assert (place.line, place.end_line) == (9, 11)
    (place,) = changed_places("a.py", None, "def new():\n    pass\n")
    assert (place.symbol, place.line) == ("", 1)


def test_what_is_gone() -> None:
    now = BEFORE.replace("def plain", "def plane").replace("LIMIT", "MOST").replace("add", "put")
    assert gone_names(BEFORE, now) == ("Box.add", "LIMIT", "plain")


FILES = {
    "src/shop/__init__.py": "",
    "src/shop/prices.py": """
        def net(amount):
            return amount

        def total(amounts):
            return sum(map(net, amounts))

        def old(amount):
            return amount
        """,
    "src/shop/words.py": "def shout(text):\n    return text.upper()\n",
    "tests/conftest.py": "",
    "tests/helping.py": "def help():\n    return 1\n",
    "tests/test_shop.py": """
        from helping import help
        from shop.prices import net, old, total
        from shop.words import shout

        def test_net():
            assert net(1) == 1

        def test_total():
            assert total([1, 2]) == 3

        def test_old():
            assert old(1) == 1

        def test_shout():
            assert shout("a") == "A"

        def test_helped():
            assert help() == 1
        """,
    "reqs.yml": """
        shop:
          - {id: S-1, title: totals, description: "`total` adds up", acceptance: adds}
          - {id: S-2, title: shouting, description: "`shout` is loud", acceptance: loud}
        """,
}


@pytest.fixture
def shop(tmp_path: Path) -> Project:
    project = Project(tmp_path / "shop").write(
        {name: textwrap.dedent(text).lstrip("\n") for name, text in FILES.items()}
    )
    project.git("init", "-q", "-b", "main")
    project.git("add", "-A")
    project.git("commit", "-qm", "first")
    return project


def changed(project: Project, base: str = DEFAULT_BASE) -> tuple[Changed, Scope, set[str]]:
    """What changed, the scope of it, and the tests that are run for it."""
    root = project.root
    program = read_program(root, ("src/shop",), ("src",), "told")
    requirements, suite = load([root / "reqs.yml"]), read_suite(root, "tests")
    found = what_changed(root, base, program, suite, requirements, [root / "reqs.yml"])
    scope = found.scope(program, requirements)
    reaching = Reaching(program, suite)
    tests = reaching.tests(scope, suite)
    tests |= reaching.tests(Scope((), found.tests), suite, found.gone)
    return found, scope, {node.rpartition("::test_")[2] for node in tests}


def edit(project: Project, name: str, old: str, new: str) -> None:
    text = project.read(name)
    assert old in text
    (project.root / name).write_text(text.replace(old, new, 1), "utf-8")


@pytest.mark.parametrize(
    ("edits", "symbols", "ids", "tests"),
    [
        ([], [], set(), set()),
        ([("src/shop/prices.py", "sum(", "1 * sum(")], ["total"], {"S-1"}, {"total"}),
        ([("src/shop/prices.py", "return amount", "return 1 * amount")], ["net"], set(),
         {"net", "total"}),
        ([("src/shop/words.py", "def shout", "# louder\ndef shout")], [], set(), set()),
        ([("src/shop/prices.py", "def old(", "def older(")], ["older"], set(), {"old"}),
        ([("tests/test_shop.py", "== 3", "== 3 + 0")], [], set(), {"total"}),
        ([("tests/helping.py", "return 1", "return 2 - 1")], [], set(), {"helped"}),
        ([("reqs.yml", "is loud", "is very loud")], [], {"S-2"}, set()),
    ],
)  # fmt: skip
def test_since_the_last_commit(
    shop: Project,
    edits: Sequence[tuple[str, str, str]],
    symbols: list[str],
    ids: set[str],
    tests: set[str],
) -> None:
    for one in edits:
        edit(shop, *one)
    _, scope, run = changed(shop)
    assert [place.symbol for place in scope.places] == symbols
    assert (set(scope.requirements), run) == (ids, tests)
    assert scope.is_empty == (not symbols and not ids)
    assert str(scope).startswith("changed since HEAD (")


@pytest.mark.parametrize(
    ("head", "coding"), [("# coding: latin-1\n", "latin-1"), ("\ufeff", "utf-8"), ("", "utf-8")]
)
def test_files_are_compared_in_their_own_coding(shop: Project, head: str, coding: str) -> None:
    """What changed in one function is no change of the whole file."""
    source = 'def price():\n    return "1 \u00a3"\n\n\ndef other():\n    return "\u00e9"\n'
    test = "def test_{}():\n    assert '\u00e9'\n"
    both = f"{test.format('one')}\n\n{test.format('two')}"
    places = shop.root / "src/shop/coded.py", shop.root / "tests/test_coded.py"
    for number in "12":
        for place, text in zip(places, (source.replace("1", number), both), strict=True):
            place.write_bytes(f"{head}{text}".encode(coding))
        if number == "1":
            shop.git("add", "-A")
            shop.git("commit", "-qm", "coded")
    places[1].write_bytes(f"{head}{both.replace('assert', 'assert 1 and', 1)}".encode(coding))
    found, scope, _ = changed(shop)
    assert [place.symbol for place in scope.places] == ["price"]
    assert [place.symbol for place in found.tests] == ["test_one"]


def test_new_files_and_files_that_are_gone(shop: Project) -> None:
    shop.write({"src/shop/new.py": "def fresh():\n    return 1\n"})
    (shop.root / "src/shop/words.py").unlink()
    found, scope, tests = changed(shop)
    assert [(place.path, place.symbol) for place in scope.places] == [("src/shop/new.py", "")]
    assert found.gone == (("src/shop/words.py", "shout"),)
    assert tests == {"shout"}


@pytest.mark.parametrize(
    ("top", "path", "inside"),
    [
        *((".", "a.py", True), ("", "pkg/a.py", True), ("pkg", "pkg/sub/a.py", True)),
        *(("pkg", "pkgs/a.py", False), ("mod.py", "mod.py", True), ("mod.py", "other.py", False)),
    ],
)
def test_a_file_that_is_gone_was_of_the_program_by_its_place(
    top: str, path: str, inside: bool
) -> None:
    assert Program(("x",), (top,), ("",)).is_inside(path) == inside


def test_settings_of_pytest_concern_every_test(shop: Project) -> None:
    shop.write({"conftest.py": "", "tests/sub/conftest.py": ""})
    assert changed(shop)[0].settings == ("conftest.py",)


def test_a_branch_is_compared_with_where_it_left_the_default_one(shop: Project) -> None:
    shop.git("checkout", "-qb", "feature")
    edit(shop, "src/shop/prices.py", "sum(", "1 * sum(")
    shop.git("commit", "-qam", "mine")
    edit(shop, "src/shop/words.py", "upper", "title")
    shop.git("stash")
    shop.git("checkout", "-q", "main")
    edit(shop, "src/shop/prices.py", "def old(", "def older(")
    shop.git("commit", "-qam", "theirs")
    shop.git("checkout", "-q", "feature")
    shop.git("stash", "pop")
    _, scope, _ = changed(shop)
    assert [place.symbol for place in scope.places] == ["total", "shout"]
    assert scope.since.startswith("main (")
    assert [p.symbol for p in changed(shop, "main")[1].places] == ["total", "shout"]
    assert [p.symbol for p in changed(shop, "HEAD")[1].places] == ["shout"]


@pytest.mark.parametrize(("base", "told"), [("nowhere", "git knows no 'nowhere'")])
def test_a_base_that_nobody_knows(shop: Project, base: str, told: str) -> None:
    with pytest.raises(UsageError, match=told) as error:
        changed(shop, base)
    assert error.value.where == "--lift-changed=nowhere"


def test_a_path_behind_the_option_is_no_base(shop: Project) -> None:
    """`--lift-changed src` reads like a place; it takes it for a commit."""
    with pytest.raises(UsageError, match="git knows no 'src'") as error:
        changed(shop, "src")
    assert error.value.todo.endswith(": src --lift-changed")


def test_outside_of_a_repository(tmp_path: Path) -> None:
    project = Project(tmp_path / "shop").write(
        {name: textwrap.dedent(text).lstrip("\n") for name, text in FILES.items()}
    )
    with pytest.raises(UsageError, match=r"not a git repository|no commit yet") as error:
        changed(project)
    assert "--lift-changed" in error.value.todo
