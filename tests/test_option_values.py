"""Values of options: the first source that has one, converted, or refused with their place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.options import DEFAULT_BASE, Option
from pytest_lift.project.option_values import Given, ValueSources, converted, is_on

PLAIN = Option("thing", "text", "A thing.", default="usual")
MANY = Option("things", "text", "Things.", many=True, between=",")
HERE, ROOT = Path("/here"), Path("/root")


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
