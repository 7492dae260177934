"""The journal of a landing: read back as written, or refused in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_lift.errors import LandingError
from pytest_lift.files.atomic import replace_file, write_beside
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
