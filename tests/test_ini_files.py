"""pytest's settings read without pytest: which file counts, and its values as lines or words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.project.ini_files import (
    Added,
    IniFile,
    find_ini_file,
    lines_for,
    project_folder,
    read_ini_file,
)

SRC: Added = {"pythonpath": ("src",)}
MARKS: Added = {"markers": ("req(id, ...): what it verifies", "emergent(why): what it pins")}


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


def edited(tmp_path: Path, name: str, text: str | None, added: Added) -> str:
    """The new text; what was there is still there, in its order."""
    place = tmp_path / name
    if text is not None:
        place.write_bytes(text.encode())
    after = lines_for(tmp_path, place if text is not None else None, added).after
    rest = iter(after)
    assert all(character in rest for character in text or "")
    place.write_bytes(after.encode())
    return after


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("pytest.ini", "", "[pytest]\npythonpath = src\n"),
        ("pytest.ini", "# mine\n[pytest]", "# mine\n[pytest]\npythonpath = src\n"),
        (
            "pytest.ini",
            "[pytest]\r\naddopts = -q\r\n",
            "[pytest]\r\npythonpath = src\r\naddopts = -q\r\n",
        ),
        (
            "pytest.ini",
            "[pytest]\npythonpath = a\naddopts = -q\n",
            "[pytest]\npythonpath = a\n    src\naddopts = -q\n",
        ),
        (
            "tox.ini",
            "[tox]\nx = 1\n[pytest]\npythonpath =\n  a\n  b\n\n[other]\npythonpath = c\n",
            "[tox]\nx = 1\n[pytest]\npythonpath =\n  a\n  b\n    src\n\n[other]\npythonpath = c\n",
        ),
        (
            "setup.cfg",
            "[metadata]\nname = x\n[tool:pytest]\naddopts=-q",
            "[metadata]\nname = x\n[tool:pytest]\npythonpath = src\naddopts=-q",
        ),
        (
            "pyproject.toml",
            '[project]\nname = "x"',
            '[project]\nname = "x"\n\n[tool.pytest.ini_options]\npythonpath = ["src"]\n',
        ),
        (
            "pyproject.toml",
            '[tool.pytest.ini_options]  # mine\naddopts = "-q"\n[tool.x]\npythonpath = ["y"]\n',
            '[tool.pytest.ini_options]  # mine\npythonpath = ["src"]\naddopts = "-q"\n'
            '[tool.x]\npythonpath = ["y"]\n',
        ),
        (
            "pyproject.toml",
            '[tool.pytest.ini_options]\npythonpath = [\n    "a",  # x]\n]\n',
            '[tool.pytest.ini_options]\npythonpath = [\n    "src",\n    "a",  # x]\n]\n',
        ),
        (
            "pyproject.toml",
            "[ tool . pytest . ini_options ]\npythonpath = []\n",
            '[ tool . pytest . ini_options ]\npythonpath = ["src"]\n',
        ),
        (
            "pyproject.toml",
            '[tool.pytest.ini_options]\npythonpath = "a b"\n',
            '[tool.pytest.ini_options]\npythonpath = "src a b"\n',
        ),
        (
            "pyproject.toml",
            '[tool.pytest]\npythonpath = ["a"]\n',
            '[tool.pytest]\npythonpath = ["src", "a"]\n',
        ),
        ("pytest.toml", "", '[pytest]\npythonpath = ["src"]\n'),
    ],
)
def test_a_folder_on_the_path(tmp_path: Path, name: str, before: str, after: str) -> None:
    assert edited(tmp_path, name, before, SRC) == after


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytest.ini", "[pytest]\nmarkers =\n    slow: takes long\n\n    x: y\naddopts = -q\n"),
        ("setup.cfg", "[tool:pytest]\nmarkers = slow: takes long\n\tx: y\n[a]\nb = c\n"),
        (
            "pyproject.toml",
            '[tool.pytest.ini_options]\nmarkers = ["slow: takes long", "x: y"]\n',
        ),
        (
            "pyproject.toml",
            '[tool.pytest.ini_options]\nmarkers = """\nslow: takes long\nx: y"""\n',
        ),
        (
            "pyproject.toml",
            '[tool.pytest.ini_options]\nmarkers = "slow: takes long\\nx: y"\n',
        ),
    ],
)
def test_marks_beside_those_that_are_there(tmp_path: Path, name: str, text: str) -> None:
    edited(tmp_path, name, text, MARKS)
    known = read_ini_file(tmp_path / name).lines("markers")
    assert sorted(known) == sorted(["slow: takes long", "x: y", *MARKS["markers"]])


def test_both_in_a_project_without_a_file(tmp_path: Path) -> None:
    after = edited(tmp_path, "pytest.ini", None, {**SRC, **MARKS})
    assert after.startswith("[pytest]\nmarkers =\n    req(id, ...): what it verifies\n")
    assert read_ini_file(tmp_path / "pytest.ini").words("pythonpath") == ["src"]


def test_a_pyproject_without_settings_is_where_they_go(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    edit = lines_for(tmp_path, None, SRC)
    assert (edit.name, edit.before, edit.section) == (
        "pyproject.toml",
        "",
        "[tool.pytest.ini_options]",
    )
    assert edit.lines == ('pythonpath = ["src"]',)


def test_what_is_told_holds_what_is_there_already(tmp_path: Path) -> None:
    """For who pastes it in the place of the line that is there."""
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = a\n")
    edit = lines_for(tmp_path, tmp_path / "pytest.ini", SRC)
    assert edit.lines == ("pythonpath =", "    a", "    src")


def test_folders_with_spaces(tmp_path: Path) -> None:
    added = {"pythonpath": ("my src",)}
    edited(tmp_path, "pytest.ini", "[pytest]\npythonpath = a\n", added)
    assert read_ini_file(tmp_path / "pytest.ini").words("pythonpath") == ["a", "my src"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", '[tool]\npytest.ini_options.addopts = "-q"\n'),
        (
            "pyproject.toml",
            'x = """\n[tool.pytest.ini_options]\n"""\n[tool.pytest]\nini_options.addopts = "-q"\n',
        ),
        ("pyproject.toml", "[tool.pytest.ini_options]\npythonpath = 'a''\n"),
        ("other.ini", "[pytest]\n"),
    ],
)
def test_what_cannot_be_done_for_sure_is_left_to_the_user(
    tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UsageError, match=r".|\n"):
        lines_for(tmp_path, tmp_path / name, SRC)


def test_a_file_outside_the_project_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    with pytest.raises(UsageError, match="not in the project's own"):
        lines_for(tmp_path / "inner", tmp_path / "pytest.ini", SRC)
