"""pytest's settings read without pytest: which file counts, and its values as lines or words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.project.ini_files import IniFile, find_ini_file, project_folder, read_ini_file


def write(root: Path, **files: str) -> None:
    for name, text in files.items():
        (root / name.replace("__", ".")).write_text(text, "utf-8")


def chosen(root: Path) -> tuple[str, dict[str, Any]] | None:
    folder, found = find_ini_file(root)
    assert folder == root
    return (found.path.name, dict(found.values)) if found else None


ALL = {
    "pytest__toml": "[pytest]\naddopts = ['toml']\n",
    "pytest__ini": "",
    "pyproject__toml": "[tool.pytest.ini_options]\naddopts = 'pyproject'\n",
    "tox__ini": "[pytest]\naddopts = tox\n",
    "setup__cfg": "[tool:pytest]\naddopts = cfg\n",
}


def test_files_count_in_their_order(tmp_path: Path) -> None:
    write(tmp_path, **ALL)
    found = []
    for name in ALL:
        found.append(chosen(tmp_path))
        (tmp_path / name.replace("__", ".")).unlink()
    assert found == [
        ("pytest.toml", {"addopts": ["toml"]}),
        ("pytest.ini", {}),
        ("pyproject.toml", {"addopts": "pyproject"}),
        ("tox.ini", {"addopts": "tox"}),
        ("setup.cfg", {"addopts": "cfg"}),
    ]


def test_files_without_a_section_do_not_count(tmp_path: Path) -> None:
    write(tmp_path, pyproject__toml="[tool.black]\n#pytest\n", tox__ini="[tox]\n",
          setup__cfg="[pytest]\naddopts = x\n")  # fmt: skip
    assert chosen(tmp_path) is None


def test_a_native_table_comes_before_the_old_one(tmp_path: Path) -> None:
    write(tmp_path, pyproject__toml="[tool.pytest]\nminversion = '9'\n"
          "[tool.pytest.ini_options]\naddopts = 'x'\n")  # fmt: skip
    assert chosen(tmp_path) == ("pyproject.toml", {"minversion": "9"})


def test_the_search_goes_upwards(tmp_path: Path) -> None:
    write(tmp_path, pytest__ini="[pytest]\n")
    inner = tmp_path / "a/b"
    inner.mkdir(parents=True)
    folder, found = find_ini_file(inner)
    assert (folder, found and found.path) == (tmp_path, tmp_path / "pytest.ini")


def test_without_settings_a_sign_marks_the_project(tmp_path: Path) -> None:
    inner = tmp_path / "a/b"
    inner.mkdir(parents=True)
    write(tmp_path / "a", setup__py="")
    assert find_ini_file(inner) == (tmp_path / "a", None)
    assert project_folder([inner]) is None


@pytest.mark.parametrize(
    ("name", "text"),
    [("pytest.ini", "no section\n"), ("pytest.toml", "pytest = [\n"), ("tox.ini", "[a]\n[a]\n")],
)
def test_a_broken_file_is_named(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UsageError, match="cannot be read") as told:
        find_ini_file(tmp_path)
    assert told.value.where == str(tmp_path / name)


def test_a_file_of_any_name_is_read_by_its_suffix(tmp_path: Path) -> None:
    (tmp_path / "own.cfg").write_text("[pytest]\naddopts = a\n")
    (tmp_path / "own.toml").write_text("[pytest]\naddopts = 'b'\n")
    assert read_ini_file(tmp_path / "own.cfg").values == {"addopts": "a"}
    assert read_ini_file(tmp_path / "own.toml").values == {"addopts": "b"}
    (tmp_path / "setup.cfg").write_text("[pytest]\naddopts = a\n")
    assert read_ini_file(tmp_path / "setup.cfg").values == {}


@pytest.mark.parametrize(
    ("value", "lines", "words"),
    [
        (None, [], []),
        ("a 'b c'\n\n  d ", ["a 'b c'", "d"], ["a", "b c", "d"]),
        (["a b", 3], ["a b", "3"], ["a b", "3"]),
    ],
)
def test_values_as_lines_and_words(value: object, lines: list[str], words: list[str]) -> None:
    file = IniFile(Path("pytest.ini"), {} if value is None else {"x": value})
    assert (file.lines("x"), file.words("x")) == (lines, words)


def test_a_quote_that_does_not_end_is_told() -> None:
    with pytest.raises(UsageError, match="addopts: No closing quotation"):
        IniFile(Path("pytest.ini"), {"addopts": "'a"}).words("addopts")
