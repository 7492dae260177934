"""The journal of a landing and the locks around it: read back as written, or refused in words."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pytest_lift.errors import LandingError, UsageError
from pytest_lift.files.atomic import replace_file, write_beside
from pytest_lift.files.locks import landing_lock, lift_lock, try_lock
from pytest_lift.store.journal import (
    JOURNAL,
    FileStep,
    Journal,
    close_journal,
    content_hash,
    open_journal,
    read_journal,
)

TEXT = b"x = 1\n"
NAME = content_hash(TEXT)
STEP = {"path": "tests/x.py", "old": None, "new": NAME, "between": None}
WRITTEN: dict[str, Any] = {
    "version": 1,
    "run": "r1",
    "test_root": "tests",
    "steps": [STEP],
    "contents": {NAME: TEXT.decode()},
}


def refused(lift_dir: Path, change: dict[str, Any]) -> LandingError:
    """The error of a journal that says all of `WRITTEN` but for the change."""
    (lift_dir / JOURNAL).write_text(json.dumps({**WRITTEN, **change}))
    with pytest.raises(LandingError) as caught:
        read_journal(lift_dir)
    return caught.value


@pytest.mark.parametrize(
    "journal",
    [
        Journal("r1", "tests", (FileStep("tests/x.py", None, NAME),), {NAME: TEXT}),
        Journal("", "a/b", (FileStep("a/b/.lift.json", NAME, None, NAME),), {NAME: TEXT}),
        Journal("r-2_b", "", (FileStep("pytest.ini", NAME, None),), {NAME: TEXT}),
        Journal("r1", "tests", (), {content_hash(b"\xff\r\n"): b"\xff\r\n"}),
    ],
    ids=["a suite", "below a folder", "the configuration file", "bytes of no text"],
)
def test_what_was_written_is_read(tmp_path: Path, journal: Journal) -> None:
    open_journal(tmp_path, journal)
    assert read_journal(tmp_path) == journal
    close_journal(tmp_path)
    close_journal(tmp_path)
    assert read_journal(tmp_path) is None
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"version": 2}, "version 2"),
        ({"run": "../r1"}, "run is no name"),
        ({"run": "r1/"}, "run is no name"),
        ({"test_root": ".git", "steps": []}, "the test root is a hidden folder"),
        ({"test_root": "a/.git", "steps": []}, "the test root is a hidden folder"),
        ({"test_root": "../tests"}, "a path leads out of the test root"),
        ({"test_root": "/tests"}, "a path leads out of the test root"),
        ({"test_root": "te\0sts"}, "a path leads out of the test root"),
        ({"contents": {NAME: "x = 2\n"}}, "a content is damaged"),
        ({"contents": {}}, "a content is missing"),
        ({"steps": [{**STEP, "old": "f" * 64}]}, "a content is missing"),
        ({"steps": [{**STEP, "between": NAME[:-1]}]}, "a content is missing"),
        ({"steps": [STEP, {**STEP, "path": "other/x.py"}]}, "a path leads out of the test root"),
        ({"steps": [{**STEP, "path": "tests/../x.py"}]}, "a path leads out of the test root"),
        ({"steps": [{**STEP, "path": "tests/\0.py"}]}, "a path leads out of the test root"),
        ({"steps": [STEP, {**STEP, "path": "tests/x.txt"}]}, "a path is no file of a suite"),
        ({"test_root": ""}, "a path is no configuration file of pytest's"),
        (
            {"test_root": "", "steps": [{**STEP, "path": "pytest.ini"}, STEP]},
            "a path is no configuration file of pytest's",
        ),
    ],
)
def test_one_thing_that_is_wrong_is_named(tmp_path: Path, change: dict[str, Any], why: str) -> None:
    error = refused(tmp_path, change)
    broken = "the journal of a landing that was cut short is broken"
    assert error.what == f"{broken}: it cannot be understood ({why})"
    assert error.where == str(tmp_path / JOURNAL)


def test_a_journal_that_cannot_be_read_is_named_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / JOURNAL).mkdir()
    with pytest.raises(LandingError, match="it cannot be read: ") as caught:
        read_journal(tmp_path)
    assert caught.value.where == str(tmp_path / JOURNAL)
    assert "None" not in caught.value.what


def test_one_lift_of_a_project_at_a_time(tmp_path: Path) -> None:
    """In a folder that is made for it; who holds it is said, and who had it before is not."""
    lift_dir = tmp_path / "deep" / ".lift"
    lift_dir.mkdir(parents=True)
    (lift_dir / "lift.lock").write_text("99999999999")
    with lift_lock(lift_dir):
        assert (lift_dir / "lift.lock").read_text() == str(os.getpid())
        with pytest.raises(UsageError) as caught:
            lift_lock(lift_dir)
        running = f"another lift of this project is running (process {os.getpid()})"
        assert caught.value.what == running
        assert caught.value.where == str(lift_dir)
        assert "wait until it has ended" in caught.value.todo
    lift_lock(lift_dir).close()


def test_the_folder_of_a_lock_is_made_and_git_ignores_it(tmp_path: Path) -> None:
    lift_lock(tmp_path / "a/b/.lift").close()
    with landing_lock(tmp_path / "c/d/.lift"):
        pass
    assert (tmp_path / "a/b/.lift/lift.lock").is_file()
    assert (tmp_path / "c/d/.lift/landing.lock").is_file()
    for lift_dir in (tmp_path / "a/b/.lift", tmp_path / "c/d/.lift"):
        assert (lift_dir / ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize(
    ("signed", "told"),
    [
        ("", ""),
        ("me", ""),
        ("0" * 30, " (process 0)"),
        (ended := "4194305", f": process {ended} has ended, but something that it started has not"),
        ("9" * 20, f": process {'9' * 20} has ended, but something that it started has not"),
        ("9" * 21, f": process {'9' * 20} has ended, but something that it started has not"),
    ],
)
def test_whoever_holds_a_lock_is_told_if_it_can_be(tmp_path: Path, signed: str, told: str) -> None:
    """4194305 is more than Linux gives; longer ones are more than the system takes at all."""
    place = tmp_path / "lift.lock"
    place.write_text(signed)
    with place.open("rb") as other:
        assert try_lock(other)
        with pytest.raises(UsageError) as caught:
            lift_lock(tmp_path)
    assert caught.value.what == f"another lift of this project is running{told}"


def test_a_lock_that_is_held_is_not_waited_for(tmp_path: Path) -> None:
    place = tmp_path / "lock"
    place.touch()
    with place.open("rb") as one, place.open("rb") as other:
        assert try_lock(one)
        assert not try_lock(other)
        one.close()
        assert try_lock(other)


def test_a_file_is_replaced_whole_with_its_mode(tmp_path: Path) -> None:
    place = tmp_path / "file"
    replace_file(place, TEXT, 0o640)
    assert place.stat().st_mode & 0o777 == 0o640
    replace_file(place, b"", 0o600)
    assert (place.read_bytes(), place.stat().st_mode & 0o777) == (b"", 0o600)
    assert [*tmp_path.iterdir()] == [place]


def test_nothing_is_left_beside_a_file_that_cannot_be_replaced(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.mkdir()
    with pytest.raises(OSError, match="file"):
        replace_file(place, TEXT)
    with pytest.raises(OSError, match="missing"):
        write_beside(tmp_path / "missing/file", TEXT)
    assert [*tmp_path.iterdir()] == [place]
