"""Where the program under test is found, in the layouts that people have."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.project.discovery import find_program

A, B = "__init__.py", "mod.py"


def project(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


def test_what_the_user_says_wins(tmp_path: Path) -> None:
    root = project(
        tmp_path,
        {"pyproject.toml": '[project]\nname = "one"\n', "one/__init__.py": "", "two.py": ""},
    )
    assert find_program(root).names == ("one",)
    assert find_program(root, coverage=["two"]).names == ("two",)
    assert find_program(root, source=["two.py"], coverage=["one"]).names == ("two",)
    assert find_program(root, source=[str(root / "one")]).paths == ("one",)


def test_tests_inside_the_package_are_no_part_of_the_program(tmp_path: Path) -> None:
    root = project(
        tmp_path,
        {f"thing/{name}": "" for name in ("__init__.py", "a.py", "tests/test_a.py", "conftest.py")},
    )
    assert list(find_program(root).files) == ["thing/__init__.py", "thing/a.py"]


def test_nothing_found_lists_what_was_tried(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        find_program(project(tmp_path, {"tests/test_a.py": "", "setup.py": ""}))
    text = str(caught.value)
    for place in ("pyproject.toml", "setup.cfg", "egg-info", "layout", "--lift-source"):
        assert place in text


def test_a_wrong_source_is_not_silently_replaced(tmp_path: Path) -> None:
    root = project(tmp_path, {"thing.py": ""})
    with pytest.raises(UsageError, match="--lift-source: nosuch"):
        find_program(root, source=["nosuch"])


def test_broken_pyproject_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^pyproject.toml: "):
        find_program(project(tmp_path, {"pyproject.toml": "[project\n", "a.py": ""}))


def test_symbols_carry_what_others_need(tmp_path: Path) -> None:
    text = (
        "class A:\n"
        "    @property\n"
        "    def size(self) -> int:\n"
        '        """How much."""\n'
        "        return 1\n\n"
        "def run(a, /, b: int = 2, *rest, key=None, **more): ...\n"
    )
    file = find_program(project(tmp_path, {"thing.py": text})).files["thing.py"]
    size, run = (next(s for s in file.symbols if s.name == n) for n in ("A.size", "run"))
    assert (size.kind, size.line, size.end_line, size.doc) == ("method", 2, 5, "How much.")
    assert [(p.name, p.kind, p.default, p.annotation) for p in run.parameters] == [
        ("a", "positional-only", None, None),
        ("b", "positional", "2", "int"),
        ("rest", "var-positional", None, None),
        ("key", "keyword", "None", None),
        ("more", "var-keyword", None, None),
    ]
    assert file.symbol_at(4) is size


MONOREPO = {
    "packages/a/pyproject.toml": '[project]\nname="a"\n',
    "packages/a/src/a/__init__.py": "",
    "packages/b/setup.py": "from setuptools import setup\nsetup(name='b')\n",
    "packages/b/b/__init__.py": "",
    "release.py": "",
}


def test_a_monorepo_from_one_of_its_projects(tmp_path: Path) -> None:
    root = project(tmp_path, MONOREPO)
    program = find_program(root, here=root / "packages/a/src")
    assert (program.names, program.paths) == (("a",), ("packages/a/src/a",))
    assert program.import_roots == ("packages/a/src", "packages/b")  # it may import its neighbour
    assert program.how == "pyproject.toml of packages/a"
    assert find_program(root, here=root / "packages/a", source=["release.py"]).names == ("release",)


def test_a_monorepo_from_its_root(tmp_path: Path) -> None:
    root = project(tmp_path, MONOREPO)
    with pytest.raises(UsageError, match="several projects are here") as caught:
        find_program(root)
    assert "packages/a, packages/b" in caught.value.what
    assert caught.value.todo == "lift one of them: cd packages/a && pytest --lift"
    program = find_program(project(tmp_path, {"tests/test_all.py": ""}))
    assert (program.names, program.paths) == (("a", "b"), ("packages/a/src/a", "packages/b/b"))


def test_a_project_with_others_inside_is_itself(tmp_path: Path) -> None:
    own = {"pyproject.toml": '[project]\nname="main"\n', "src/main/__init__.py": ""}
    assert find_program(project(tmp_path, MONOREPO | own)).names == ("main",)
    nested = {"pyproject.toml": "", "examples/x/pyproject.toml": '[project]\nname="x"\n'}
    root = project(tmp_path / "two", {**nested, "main.py": ""})
    assert find_program(root).names == ("main",)  # examples are no projects of a monorepo


def test_notebooks_alone_get_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        find_program(project(tmp_path, {"notebooks/report.ipynb": "{}"}))
    assert "move functions of the notebooks into a .py file" in caught.value.todo


def test_places_that_are_not_there_are_passed_over(tmp_path: Path) -> None:
    said = '[project]\nname="thing"\n[tool.setuptools]\npackages=["gone", "../out"]\n'
    broken = {"setup.py": "setup(packages=[", "setup.cfg": "[[", "pyproject.toml": said}
    assert find_program(project(tmp_path, {**broken, "thing.py": ""})).names == ("thing",)


@pytest.mark.parametrize(
    ("head", "coding"),
    [
        ("# -*- coding: latin-1 -*-\n", "latin-1"),
        ("#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n", "cp1252"),
        ("\ufeff", "utf-8"),
        ("", "utf-8"),
    ],
)
def test_a_module_is_read_in_its_own_coding(tmp_path: Path, head: str, coding: str) -> None:
    text = f'{head}def name():\n    """Sagt: schön."""\n'
    (tmp_path / "thing.py").write_bytes(text.encode(coding))
    file = find_program(tmp_path).files["thing.py"]
    assert (file.error, [symbol.doc for symbol in file.symbols]) == (None, ["Sagt: schön."])


@pytest.mark.parametrize("text", [b"# coding: nowhere\n", b"x = '\xe9'\n"])
def test_a_module_in_no_coding_is_said(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "thing.py").write_bytes(text)
    (tmp_path / "other.py").write_bytes(b"def name(): ...\n")
    assert find_program(tmp_path, source=("thing.py", "other.py")).files["thing.py"].error


@pytest.mark.parametrize(
    ("setting", "names", "roots"),
    [
        ("code", ("mod", "shop"), ("code",)),
        ("code .", ("mod", "shop", "top"), ("code", "")),
        (". tests/helpers", ("top",), ("",)),
        ("../elsewhere", ("top",), ("",)),
    ],
)
def test_folders_that_pytest_puts_on_the_path_have_the_program(
    tmp_path: Path, setting: str, names: tuple[str, ...], roots: tuple[str, ...]
) -> None:
    files = {
        "pytest.ini": f"[pytest]\npythonpath = {setting}\n",
        "code/shop/core.py": "",
        "code/mod.py": "",
        "top.py": "",
        "tests/helpers/making.py": "",
    }
    program = find_program(project(tmp_path, files))
    assert (tuple(sorted(program.names)), program.import_roots) == (names, roots)


def test_modules_that_import_each_other_by_a_dot_are_a_package(tmp_path: Path) -> None:
    folder = tmp_path / "checkers"
    folder.mkdir()
    (folder / "piece.py").write_text("def move(): return 1\n", "utf-8")
    (folder / "board.py").write_text("def draw(): return 2\n", "utf-8")
    assert find_program(tmp_path).import_roots == ("checkers",)
    (folder / "board.py").write_text("from .piece import move\n", "utf-8")
    found = find_program(tmp_path)
    assert found.import_roots == ("",)
    assert found.files["checkers/board.py"].module == "checkers.board"


@pytest.mark.parametrize("line", ["from .piece import move", "from game.piece import move"])
def test_the_project_itself_may_be_a_package(tmp_path: Path, line: str) -> None:
    root = tmp_path / "game"
    (root / "rules").mkdir(parents=True)
    (root / "piece.py").write_text("def move(): return 1\n", "utf-8")
    (root / "board.py").write_text("def draw(): return 2\n", "utf-8")
    assert find_program(root).import_roots == ("",)
    (root / "board.py").write_text(line, "utf-8")
    found = find_program(root)
    assert (found.names, found.import_roots) == (("game",), ("..",))
    assert found.files["board.py"].module == "game.board"
    assert found.module_of("tests/test_a.py") == "game.tests.test_a"
    (root / "game").mkdir()
    assert find_program(root).import_roots == ("",)


@pytest.mark.parametrize(
    ("files", "names"),
    [
        ({"run.py": "from shop.cart import add\n", "shop/cart.py": ""}, ("run", "shop")),
        ({"run.py": "", "shop/cart.py": "def add(): pass\n"}, ("run",)),
        ({"run.py": "", "shop/a.py": "from .b import add\n", "shop/b.py": ""}, ("run", "shop")),
        ({"run.py": "", "shop/a.py": "import rules.b\n", "rules/b.py": ""}, ("run", "rules")),
        ({"shop/cart/add.py": "def add(): pass\n"}, ("shop",)),
        ({"run.py": "import docs.b\n", "docs/b.py": ""}, ("run",)),
    ],
)
def test_folders_beside_scripts_are_packages_where_they_are_imported_from(
    tmp_path: Path, files: dict[str, str], names: tuple[str, ...]
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text or "def one(): pass\n", "utf-8")
    assert find_program(tmp_path).names == names


CARRIES = {
    "thing/__init__.py": "from thing._vendor import six\n",
    "thing/a.py": "from .vendor.lexicon import Lexicon\n",
    "thing/_vendor/__init__.py": "",
    "thing/_vendor/six.py": "def moved(): pass\n",
    "thing/vendor/__init__.py": "",
    "thing/vendor/lexicon/__init__.py": "from .words import Lexicon\n",
    "thing/vendor/lexicon/words.py": "from ..yaml import load\nclass Lexicon: pass\n",
    "thing/vendor/yaml.py": "def load(): pass\n",
}


def test_carried_libraries_are_not_the_program(tmp_path: Path) -> None:
    found = find_program(project(tmp_path, CARRIES))
    assert list(found.files) == ["thing/__init__.py", "thing/a.py"]
    assert found.carried == ("thing/_vendor", "thing/vendor")
    (line,) = found.carried_lines
    assert "thing/_vendor, thing/vendor" in line
    assert "--lift-source=thing --lift-source=thing/_vendor" in line


def test_a_carried_library_that_is_named_is_the_program(tmp_path: Path) -> None:
    root = project(tmp_path, CARRIES)
    both = find_program(root, source=["thing", "thing/vendor/lexicon"])
    assert "thing/vendor/lexicon/words.py" in both.files
    assert "thing/vendor/yaml.py" not in both.files
    assert find_program(root, source=["thing/vendor"]).carried == ()


@pytest.mark.parametrize(
    "files",
    [
        {"vendor/models.py": "from thing.db import Model\n"},
        {"vendor/models.py": "from ..db import Model\n"},
        {"vendor/models.py": "", "vendor/views.py": "from .models import Vendor\n"},
        {"vendor/__init__.py": "class Vendor: pass\n"},
    ],
)
def test_vendors_of_a_shop_are_the_program(tmp_path: Path, files: dict[str, str]) -> None:
    own = {"thing/__init__.py": "", "thing/db.py": "class Model: pass\n"}
    named = {f"thing/{name}": text for name, text in files.items()}
    found = find_program(project(tmp_path, {"thing/vendor/__init__.py": "", **own, **named}))
    assert found.files.keys() >= named.keys()
    assert not found.carried
