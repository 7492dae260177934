"""Files that change places, where the system can do that in one step and where it cannot."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from ast import literal_eval
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_lift.files import atomic
from pytest_lift.files.atomic import put, put_where_none_is, rescue, take_away

OLD, NEW, MINE = "old\n", "new\n", "mine\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "new").write_text(NEW)
    return tmp_path / "file"


def is_old(path: Path) -> bool:
    return path.read_text() == OLD


def left(place: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in place.parent.iterdir()}


@pytest.mark.parametrize("found", [OLD, MINE])
def test_what_is_expected_is_replaced_and_nothing_else(place: Path, found: str) -> None:
    place.write_text(found)
    assert put(place.with_name("new"), place, is_old) == (found == OLD)
    assert left(place) == {"file": NEW if found == OLD else MINE}


@pytest.mark.parametrize("found", [OLD, MINE])
def test_what_is_expected_is_removed_and_nothing_else(place: Path, found: str) -> None:
    place.write_text(found)
    place.with_name("new").unlink()
    assert take_away(place, place.with_name("aside"), is_old) == (found == OLD)
    assert left(place) == ({} if found == OLD else {"file": MINE})


def test_a_file_is_made_where_there_is_none(place: Path) -> None:
    assert put_where_none_is(place.with_name("new"), place)
    assert left(place) == {"file": NEW}
    place.with_name("new").write_text("other\n")
    assert not put_where_none_is(place.with_name("new"), place)
    assert left(place) == {"file": NEW}


@pytest.mark.parametrize(("aside", "kept"), [(OLD, NEW), (MINE, MINE)])
def test_after_a_crash_an_edit_comes_back(place: Path, aside: str, kept: str) -> None:
    place.write_text(NEW)
    place.with_name("aside").write_text(aside)
    place.with_name("new").unlink()
    rescue(place.with_name("aside"), place, is_old)
    assert place.read_text() == kept
    place.unlink()
    place.with_name("aside").write_text(MINE)
    rescue(place.with_name("aside"), place, is_old)
    assert left(place) == {"file": MINE}, "also of a file that was to go"


class Audited:
    """Asked before files change; hooks of the interpreter stay, so it is told to stop."""

    def __init__(self, error: OSError | None = None) -> None:
        self.error = error
        self.seen: list[tuple[object, ...]] = []
        self.asked = False
        sys.addaudithook(self)

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if not self.asked or event not in ("os.rename", "os.link"):
            return
        self.seen.append((event, *arguments))
        if self.error is not None and event == "os.link":
            raise self.error

    def __enter__(self) -> Audited:
        self.asked = True
        return self

    def __exit__(self, *_: object) -> None:
        self.asked = False


def test_an_exchange_is_audited_as_a_rename_is(place: Path) -> None:
    place.write_text(OLD)
    new = place.with_name("new")
    with Audited() as audited:
        put(new, place, is_old)
    assert audited.seen == [("os.rename", str(new), str(place), -1, -1)]


def test_a_file_that_went_meanwhile_is_an_error_that_names_it(place: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        put(place.with_name("new"), place, is_old)
    assert caught.value.filename == str(place)
    assert caught.value.strerror == os.strerror(errno.ENOENT)
    assert left(place) == {"new": NEW}


def test_a_file_system_without_links_has_the_file_all_the_same(place: Path) -> None:
    with Audited(OSError(errno.EPERM, "Operation not permitted")):
        assert put_where_none_is(place.with_name("new"), place)
    assert left(place) == {"file": NEW}


def test_another_error_of_a_link_is_one(place: Path) -> None:
    with (
        Audited(OSError(errno.ENOSPC, "No space left on device")),
        pytest.raises(OSError) as caught,
    ):
        put_where_none_is(place.with_name("new"), place)
    assert caught.value.errno == errno.ENOSPC
    assert left(place) == {"new": NEW}


class CannotExchange:
    """A C library on a system that answers every exchange with one error."""

    def __init__(self, number: int) -> None:
        def renameat2(*_: object) -> int:
            ctypes.set_errno(number)
            return -1

        self.renameat2 = renameat2


def where(library: object, action: Callable[[], object]) -> object:
    """What `action` comes to, in a child with that C library: its value, or the error's name."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        ctypes.CDLL = lambda *arguments, **keywords: library  # type: ignore[assignment, misc]
        atomic._renameat2.cache_clear()
        try:
            said = repr(action())
        except OSError as error:
            said = repr([error.errno, error.strerror, error.filename])
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        said = file.read()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return literal_eval(said)


UNABLE = [object(), CannotExchange(errno.EINVAL), CannotExchange(errno.ENOSYS)]


@pytest.mark.parametrize("library", UNABLE, ids=["no function", "EINVAL", "ENOSYS"])
def test_where_nothing_can_be_exchanged_it_is_replaced(place: Path, library: object) -> None:
    place.write_text(OLD)
    assert where(library, lambda: put(place.with_name("new"), place, lambda other: False)) is True
    assert left(place) == {"file": NEW}


@pytest.mark.parametrize("library", UNABLE, ids=["no function", "EINVAL", "ENOSYS"])
def test_an_edit_comes_back_after_a_crash_there_too(place: Path, library: object) -> None:
    place.write_text(MINE)
    assert where(library, lambda: rescue(place.with_name("new"), place, is_old)) is None
    assert left(place) == {"file": NEW}


def test_an_error_that_is_no_lack_of_the_system_is_told(place: Path) -> None:
    place.write_text(OLD)
    full = CannotExchange(errno.EIO)
    said = where(full, lambda: put(place.with_name("new"), place, is_old))
    assert said == [errno.EIO, os.strerror(errno.EIO), str(place)]
    assert left(place) == {"file": OLD, "new": NEW}
