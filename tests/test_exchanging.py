"""Files that change places, where the system can do that in one step and where it cannot."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from pytest_lift.exchanging import put, put_where_none_is, rescue, take_away

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


def test_where_the_system_cannot_the_file_is_replaced(place: Path) -> None:
    """As on a system whose C library has no such function."""
    place.write_text(OLD)
    code = f"""
        import ctypes
        from pathlib import Path
        ctypes.CDLL = lambda *arguments, **keywords: object()
        from pytest_lift.exchanging import put
        place = Path({str(place)!r})
        assert put(place.with_name("new"), place, lambda other: False)
    """
    subprocess.run([sys.executable, "-c", dedent(code)], check=True)
    assert left(place) == {"file": NEW}
