"""Where the program under test is found, in the layouts that people have."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_lift.discovery import find_program
from pytest_lift.errors import UsageError


def project(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


@pytest.mark.parametrize(
    ("files", "names", "paths", "roots", "how"),
    [
        pytest.param(
            {"pyproject.toml": '[project]\nname = "My-Thing"\n', "src/my_thing/__init__.py": ""},
            ("my_thing",), ("src/my_thing",), ("src",), "pyproject.toml", id="src"),
        pytest.param(
            {"pyproject.toml": '[project]\nname = "thing"\n', "thing/__init__.py": ""},
            ("thing",), ("thing",), ("",), "pyproject.toml", id="flat"),
        pytest.param(
            {"pyproject.toml": '[project]\nname = "thing"\n', "thing.py": ""},
            ("thing",), ("thing.py",), ("",), "pyproject.toml", id="module"),
        pytest.param(
            {"pyproject.toml": '[tool.poetry]\nname = "x"\n'
             'packages = [{include = "thing", from = "lib"}]\n', "lib/thing/__init__.py": ""},
            ("thing",), ("lib/thing",), ("lib",), "pyproject.toml", id="poetry"),
        pytest.param(
            {"setup.cfg": "[metadata]\nname = thing\n", "thing/__init__.py": ""},
            ("thing",), ("thing",), ("",), "setup.cfg", id="setup.cfg"),
        pytest.param(
            {"x.egg-info/top_level.txt": "thing\n", "thing/__init__.py": "", "setup.py": ""},
            ("thing",), ("thing",), ("",), "egg-info", id="sdist"),
        pytest.param(
            {"thing.py": "", "test_thing.py": "", "conftest.py": "", "setup.py": ""},
            ("thing",), ("thing.py",), ("",), "layout", id="loose module"),
        pytest.param(
            {"src/ns/part/__init__.py": "", "pyproject.toml": '[project]\nname = "ns.part"\n'},
            ("ns",), ("src/ns/part",), ("src",), "pyproject.toml", id="namespace package"),
    ],
)  # fmt: skip
def test_the_layouts_people_have(
    tmp_path: Path,
    files: dict[str, str],
    names: tuple[str, ...],
    paths: tuple[str, ...],
    roots: tuple[str, ...],
    how: str,
) -> None:
    program = find_program(project(tmp_path, files))
    assert (program.names, program.paths) == (names, paths)
    assert (program.import_roots, program.how) == (roots, how)


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
