"""Locks around lifts and landings: one at a time, with a word on who holds them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.files.locks import landing_lock, lift_lock, try_lock


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
        assert caught.value.todo == "wait until it has ended, or end it with Ctrl-C"
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
