"""Values of options: the first source that has one, converted, or refused with their place."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.marks.marks import LinkNames
from pytest_lift.options import DEFAULT_BASE, Option
from pytest_lift.project.option_values import (
    Given,
    StaticConfig,
    ValueSources,
    converted,
    is_on,
    read_static_config,
)

PLAIN = Option("thing", "text", "A thing.", default="usual")
MANY = Option("things", "text", "Things.", many=True, between=",")
HERE, ROOT = Path("/here"), Path("/root")

LINES = "lift_requirements =\n    a.yml\n    b/c.yml\nlift_marker = verifies\nlift_property =\n    covers\n"


def given(
    option: Option, typed: Any = None, environ: Mapping[str, str] = {}, ini: Any = None
) -> Given:
    sources = ValueSources(lambda o: typed, environ, lambda o: ini, ROOT / "tox.ini", HERE, ROOT)
    return sources.given(option)


def told(found: Given) -> tuple[tuple[str, ...], str, Path]:
    return found.texts, found.where, found.base


def test_the_first_source_that_has_it_wins() -> None:
    environ = {"LIFT_THING": "variable"}
    assert told(given(PLAIN, "typed", environ, "ini")) == (("typed",), "--lift-thing", HERE)
    assert told(given(PLAIN, None, environ, "ini")) == (("variable",), "LIFT_THING", HERE)
    assert told(given(PLAIN, None, {}, "ini")) == (("ini",), "/root/tox.ini: lift_thing", ROOT)
    assert told(given(PLAIN)) == (("usual",), "--lift-thing", HERE)


def test_an_empty_value_is_none() -> None:
    assert given(PLAIN, "", {"LIFT_THING": ""}, []).text == "usual"


def test_several_values() -> None:
    assert given(MANY, ["a", "b"]).texts == ("a", "b")
    assert given(MANY, None, {"LIFT_THINGS": "a,,b"}).texts == ("a", "b")
    assert given(PLAIN, None, {"LIFT_THING": "a,b"}).texts == ("a,b",)
    assert given(MANY).texts == ()


def value(kind: str, *texts: str, base: Path = HERE, **more: Any) -> Any:
    return converted(Given(Option("x", kind, "X.", **more), texts, "--lift-x", base))


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("text", "a", "a"),
        ("name", " a ", "a"),
        ("name", "  ", None),
        ("flag", "1", True),
        ("flag", "No", False),
        ("negated flag", "off", True),
        ("negated flag", "x", False),
        ("base", "main", "main"),
        ("base", "Yes", DEFAULT_BASE),
        ("base", "false", None),
        ("number", "0.5", 0.5),
        ("number", "0", 0.0),
        ("percent", "100", 100.0),
        ("whole", "0", 0),
        ("count", "1", 1),
        ("tokens", "2048", 2048),
        ("memory", "256", 256),
        ("path", "a/b", HERE / "a/b"),
        ("variable", "TOKEN", "TOKEN"),
    ],
)
def test_a_text_is_converted_by_its_kind(kind: str, text: str, expected: object) -> None:
    assert value(kind, text) == expected


@pytest.mark.parametrize(
    ("kind", "text", "what"),
    [
        ("number", "-1", "not a number from 0 upwards"),
        ("number", "nan", "not a number"),
        ("number", "inf", "not a number"),
        ("number", "x", "not a number"),
        ("percent", "100.1", "not a percentage"),
        ("whole", "1.5", "not a whole number"),
        ("whole", "-1", "not a whole number"),
        ("count", "0", "0 leaves nothing"),
        ("tokens", "2047", "too few for a request"),
        ("memory", "255", "too few for pytest"),
        ("existing", "none", "does not exist"),
        ("variable", "OPENAI_API_KEY", "the key of the model"),
    ],
)
def test_what_is_refused_has_its_place(kind: str, text: str, what: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=what) as error:
        value(kind, text, base=tmp_path)
    assert error.value.where == "--lift-x"


def test_only_choices_are_taken_where_there_are_some() -> None:
    assert value("text", "a", choices=("a", "b")) == "a"
    with pytest.raises(UsageError, match="'c' is none of a, b"):
        value("text", "c", choices=("a", "b"))


def test_places_of_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert value("folder", ".", base=tmp_path) == tmp_path
    assert value("existing", "file", base=tmp_path) == tmp_path / "file"
    assert value("file", "new/deep", base=tmp_path) == tmp_path / "new/deep"
    with pytest.raises(UsageError, match="is not a folder"):
        value("folder", "file", base=tmp_path)
    for text in (".", "file/below"):
        with pytest.raises(UsageError, match="cannot be a file"):
            value("file", text, base=tmp_path)


def test_without_a_text_a_flag_is_off_and_the_rest_nothing() -> None:
    assert value("text") is None
    assert value("text", many=True) == ()
    flag = Given(Option("x", "flag", "X.", alone="on"), (), "--lift-x", HERE)
    assert converted(flag) is (False if flag.option.flag else None)
    assert converted(replace(flag, option=flag.option._replace(kind="name", many=True), texts=(" ", "a"))) == ("a",)  # fmt: skip


@pytest.mark.parametrize(("text", "on"), [("0", False), ("OFF", False), ("", True), ("1", True)])
def test_what_is_on(text: str, on: bool) -> None:
    assert is_on(text) is on


def read(root: Path, files: dict[str, str], *, cwd: str = ".", **environ: str) -> StaticConfig:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return read_static_config(root / cwd, environ=environ)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytest.ini", f"[pytest]\n{LINES}"),
        (".pytest.ini", f"[pytest]\n{LINES}"),
        ("tox.ini", f"[tox]\n[pytest]\n{LINES}"),
        ("setup.cfg", f"[metadata]\nname = x\n[tool:pytest]\n{LINES}"),
        (
            "pyproject.toml",
            '[tool.pytest.ini_options]\nlift_requirements = ["a.yml", "b/c.yml"]\n'
            'lift_marker = ["verifies"]\nlift_property = "covers"\n',
        ),
        (
            "pyproject.toml",
            '[tool.pytest]\nlift_requirements = ["a.yml", "b/c.yml"]\n'
            'lift_marker = ["verifies"]\nlift_property = ["covers"]\n',
        ),
        (
            "pytest.toml",
            '[pytest]\nlift_requirements = ["a.yml", "b/c.yml"]\n'
            'lift_marker = ["verifies"]\nlift_property = ["covers"]\n',
        ),
    ],
)
def test_every_file_that_pytest_reads(tmp_path: Path, name: str, text: str) -> None:
    found = read(tmp_path, {name: text})
    assert (found.root, found.ini) == (tmp_path, tmp_path / name)
    assert found.requirements == (tmp_path / "a.yml", tmp_path / "b/c.yml")
    assert found.naming.links == LinkNames(("req", "verifies"), ("covers",))


FILES = {
    "pytest.ini": "[pytest]\nlift_requirements = 1.yml\npython_files = check_*.py\n",
    ".pytest.ini": "[pytest]\nlift_requirements = 2.yml\n",
    "pyproject.toml": '[tool.pytest.ini_options]\nlift_requirements = ["3.yml"]\n',
    "tox.ini": "[pytest]\nlift_requirements = 4.yml\n",
    "setup.cfg": "[tool:pytest]\nlift_requirements = 5.yml\n",
}


@pytest.mark.parametrize("missing", range(len(FILES)))
def test_the_order_is_pytest_s_own(pytester: pytest.Pytester, missing: int) -> None:
    """With the first files away, the next one counts, for pytest as for us."""
    files = dict([*FILES.items()][missing:])
    found = read(pytester.path, files)
    assert found.ini == pytester.parseconfig().inipath
    assert [path.name for path in found.requirements] == [f"{missing + 1}.yml"]


@pytest.mark.parametrize(
    "files",
    [
        {"pytest.ini": ""},
        {"pyproject.toml": "[project]\nname = 'x'\n", "tox.ini": "[pytest]\n"},
        {"pyproject.toml": "[project]\nname = 'pytest-x'\n"},
        {"pyproject.toml": "[tool.pytest.ini_options]\n"},
        {"tox.ini": "[tox]\n", "setup.cfg": "[tool:pytest]\n"},
    ],
)
def test_the_root_is_pytest_s_own(pytester: pytest.Pytester, files: dict[str, str]) -> None:
    (pytester.path / "deep/er").mkdir(parents=True)
    found = read(pytester.path, files, cwd="deep/er")
    assert found.root == pytester.parseconfig(str(pytester.path / "deep/er")).rootpath


def test_without_a_section_the_nearest_sign_of_a_project_is_the_root(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a/b").mkdir(parents=True)
    assert read_static_config(tmp_path / "a/b", environ={}).root == tmp_path


def test_naming_is_read_as_pytest_does(pytester: pytest.Pytester) -> None:
    ini = "[pytest]\npython_files = check_*.py 'a b_*.py'\npython_functions = check\n"
    found = read(pytester.path, {"pytest.ini": ini + "python_classes =\n    Check\n    Verify\n"})
    config = pytester.parseconfig()
    assert list(found.naming.files) == config.getini("python_files")
    assert list(found.naming.functions) == config.getini("python_functions")
    assert list(found.naming.classes) == config.getini("python_classes")


def test_environment_before_ini_and_command_line_before_both(tmp_path: Path) -> None:
    ini = {"pytest.ini": f"[pytest]\n{LINES}", "deep/x": ""}
    environ = {
        "LIFT_REQUIREMENTS": f"x.yml{os.pathsep}y.yml",
        "LIFT_MARKER": "m",
        "LIFT_PROPERTY": f"p{os.pathsep}q",
    }
    found = read(tmp_path, ini, cwd="deep", **environ)
    assert found.requirements == (tmp_path / "deep/x.yml", tmp_path / "deep/y.yml")
    assert found.naming.links == LinkNames(("req", "m"), ("p", "q"))
    typed = read_static_config(tmp_path / "deep", requirements=["../z.yml"], environ=environ)
    assert typed.requirements == (tmp_path / "z.yml",)
    assert read(tmp_path, {}, cwd="deep").requirements[0] == tmp_path / "a.yml"


@pytest.mark.parametrize(
    ("ini", "folders", "expected"),
    [
        ("", ["tests", "test"], ("tests",)),
        ("", ["test"], ("test",)),
        ("", [], (".",)),
        ("testpaths = spec more/*\n", ["tests"], ("spec", "more/*")),
        ("testpaths = spec\nlift_tests = mine\n", [], ("mine",)),
        ("testpaths = .\n", ["tests"], (".",)),
    ],
)
def test_where_the_tests_are(
    tmp_path: Path, ini: str, folders: list[str], expected: tuple[str, ...]
) -> None:
    for name in folders:
        (tmp_path / name).mkdir()
    assert read(tmp_path, {"pytest.ini": f"[pytest]\n{ini}"}).tests == expected


def test_what_is_a_test_of_the_project(tmp_path: Path) -> None:
    found = read(tmp_path, {"pytest.ini": "[pytest]\ntestpaths = tests pkg/*/tests\n"})
    inside = ["tests/test_a.py", "tests/deep/a_test.py", "pkg/one/tests/test_b.py"]
    outside = ["tests/helper.py", "src/test_a.py", "pkg/tests/test_b.py", "tests/test_a.pyc"]
    outside += ["tests/.old/test_a.py", "tests/build/lib/test_a.py"]
    assert [path for path in (*inside, *outside) if found.is_test_path(path)] == inside


@pytest.mark.parametrize(
    ("name", "text"),
    [("pyproject.toml", "[tool.pytest\n"), ("pytest.ini", "no section\n"), ("tox.ini", "[a\nb\n")],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(UsageError, match="cannot be read") as caught:
        read(tmp_path, {name: text})
    assert caught.value.where == str(tmp_path / name)


def test_tests_outside_of_the_project_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not below the project"):
        read(tmp_path / "p", {"pytest.ini": "[pytest]\nlift_tests = ../elsewhere\n"})
