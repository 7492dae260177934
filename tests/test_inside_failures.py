"""Exceptions as plain facts: where they were raised, by which frames, cut to size."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_lift.run.inside.failures import (
    FRAME_LIMIT,
    MESSAGE_LIMIT,
    TEXT_LIMIT,
    describe,
    head,
    is_conftest_failure,
    plain_text,
    tail,
)

ROOT = Path(__file__).parent
HERE = Path(__file__).name


class Odd(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


class ConftestImportFailure(Exception):
    """Named like pytest's own, which it does not export."""

    path = ROOT / "sub/conftest.py"


def deep(error: Exception, levels: int = 0) -> None:
    if levels:
        deep(error, levels - 1)
    raise error


def raised(error: Exception, levels: int = 0) -> Exception:
    try:
        deep(error, levels)
    except Exception as caught:
        return caught
    raise AssertionError("nothing was raised")


def test_type_message_and_place() -> None:
    found = describe(raised(ValueError("x")), "call", ROOT, "text")
    line = deep.__code__.co_firstlineno + 3
    assert (found["phase"], found["type"], found["message"]) == ("call", "ValueError", "x")
    assert (found["file"], found["line"], found["traceback"]) == (HERE, line, "text")
    assert [frame[2] for frame in found["frames"]] == ["raised", "deep"]
    assert found["conftest"] == ""


def test_a_class_of_a_module_has_its_name_and_a_text_that_fails_is_told() -> None:
    found = describe(raised(Odd()), "call", ROOT, "")
    assert found["type"] == f"{__name__}.Odd"
    assert found["message"] == "<RuntimeError while printing the Odd>"


def test_a_place_outside_of_the_root_is_whole() -> None:
    assert describe(raised(ValueError()), "call", ROOT / "x", "")["file"] == __file__


def test_frames_begin_with_the_file_of_the_test() -> None:
    error = raised(ValueError())
    assert len(describe(error, "call", ROOT, "", start=__file__)["frames"]) == 2
    assert len(describe(error, "call", ROOT, "", start="elsewhere")["frames"]) == 2


def test_the_last_frames_are_kept() -> None:
    found = describe(raised(ValueError(), FRAME_LIMIT), "call", ROOT, "")
    assert len(found["frames"]) == FRAME_LIMIT
    assert {frame[2] for frame in found["frames"]} == {"deep"}


def test_frames_of_the_machinery_are_left_out() -> None:
    def within(name: str) -> list[str]:
        space: dict[str, object] = {"__name__": name}
        exec(compile("def call(f, e): f(e)", "m.py", "exec"), space)
        try:
            space["call"](deep, ValueError())  # type: ignore[operator]
        except ValueError as error:
            return [frame[2] for frame in describe(error, "call", ROOT, "")["frames"]]
        raise AssertionError("nothing was raised")

    assert within("_pytest.python") == ["within", "deep"]
    assert within("_pytests") == ["within", "call", "deep"]


def test_a_syntax_error_is_where_the_file_says() -> None:
    error = SyntaxError("bad", (str(ROOT / "sub/a.py"), 7, 1, "x"))
    found = describe(error, "collect", ROOT, "")
    assert (found["file"], found["line"]) == ("sub/a.py", 7)


def test_an_error_that_was_never_raised_has_no_place() -> None:
    found = describe(ValueError("x"), "call", ROOT, "")
    assert (found["file"], found["line"], found["frames"]) == ("", 0, [])


def test_what_pytest_wraps_is_told() -> None:
    wrapping = pytest.Collector.CollectError("around")
    wrapping.__cause__ = raised(KeyError("k"))
    assert describe(wrapping, "collect", ROOT, "")["type"] == "KeyError"
    assert "KeyError" in plain_text(wrapping)
    alone = describe(pytest.Collector.CollectError("alone"), "collect", ROOT, "")
    assert alone["message"] == "alone"


def test_a_conftest_that_fails_is_named() -> None:
    error = ConftestImportFailure("around")
    error.__cause__ = raised(ImportError("gone"))
    found = describe(error, "collect", ROOT, "")
    assert is_conftest_failure(error)
    assert (found["type"], found["conftest"]) == ("ImportError", "sub/conftest.py")


def test_texts_are_cut_and_can_be_encoded() -> None:
    assert (head("abc", 3), head("abcd", 3)) == ("abc", "abc ...")
    assert (tail("abc", 3), tail("abcd", 3)) == ("abc", "... bcd")
    assert head("\ud800", 9) == "\\ud800"
    found = describe(ValueError("m" * 9999), "call", ROOT, "t" * 99_999)
    assert len(found["message"]) == MESSAGE_LIMIT + 4
    assert len(found["traceback"]) == TEXT_LIMIT + 4
