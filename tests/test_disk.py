"""What the disk refuses: each reason names its place and its remedy."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from pytest_lift.files.disk import REMEDIES, StorageError, ensure_room, needed_for, storage_error


@pytest.mark.parametrize("code", sorted(REMEDIES))
def test_every_refusal_has_a_remedy_of_its_own(code: int) -> None:
    error = storage_error(OSError(code, os.strerror(code)), "nothing works", "/there")
    assert (error.what, error.where) == (f"nothing works: {os.strerror(code)}", "/there")
    assert error.todo == f"{REMEDIES[code]}, then start again"


def test_the_place_is_the_file_where_the_system_names_one(tmp_path: Path) -> None:
    missing = tmp_path / "missing/file"
    with pytest.raises(StorageError) as caught, needed_for("it cannot be read", ""):
        missing.read_text()
    assert caught.value.where == str(missing)
    assert "removed or replaced it" in caught.value.todo


def test_a_place_that_is_not_named_is_guessed() -> None:
    assert storage_error(OSError(errno.ENOSPC, "full"), "no").where


def test_room_is_tried_and_nothing_is_left(tmp_path: Path) -> None:
    ensure_room(tmp_path, "no room")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(StorageError, match="no room"):
        ensure_room(tmp_path / "missing", "no room")
