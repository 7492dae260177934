"""Whatever stands where a report is expected: nothing is followed, nothing hangs, all is capped."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_lift.files import untrusted

SECRET = b"the content of another file"


def link(place: Path, secret: Path) -> None:
    place.symlink_to(secret)


def hard_link(place: Path, secret: Path) -> None:
    os.link(secret, place)


def pipe(place: Path, secret: Path) -> None:
    os.mkfifo(place)


def folder(place: Path, secret: Path) -> None:
    place.mkdir()
    (place / "inner").symlink_to(secret)


def device(place: Path, secret: Path) -> None:
    place.symlink_to("/dev/zero")


def hole(place: Path, secret: Path) -> None:
    with place.open("wb") as file:
        file.truncate(2**40)


KINDS = [link, hard_link, pipe, folder, device, hole]
Kind = Callable[[Path, Path], None]


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    place = tmp_path / "secret.txt"
    place.write_bytes(SECRET)
    return place


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_of_its_own_is_not_read(tmp_path: Path, secret: Path, kind: Kind) -> None:
    kind(tmp_path / "report", secret)
    began = time.monotonic()
    with pytest.raises(OSError):
        untrusted.read(tmp_path / "report")
    if kind is not hole:  # a regular file: a record is read as far as it goes
        assert list(untrusted.lines(tmp_path / "report", 1000, 100)) == []
    assert time.monotonic() - began < 2


def test_a_folder_that_became_a_link_is_not_entered(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/report").write_bytes(SECRET)
    (tmp_path / "link").symlink_to("real")
    assert untrusted.read(tmp_path / "real/report") == SECRET
    with pytest.raises(OSError):
        untrusted.read(tmp_path / "link/report")


def test_sizes_are_capped(tmp_path: Path) -> None:
    place = tmp_path / "report"
    place.write_bytes(b"12345")
    assert untrusted.read(place, 5) == b"12345"
    with pytest.raises(OSError, match="larger than 4"):
        untrusted.read(place, 4)
    place.write_bytes(b"one\ntwo\n" + b"x" * 50)
    assert list(untrusted.lines(place, 30, 10)) == [b"one\n", b"two\n", b"x" * 10, b"x" * 10, b"xx"]


@pytest.mark.parametrize("kind", KINDS)
def test_what_stands_in_the_way_is_replaced(tmp_path: Path, secret: Path, kind: Kind) -> None:
    kind(tmp_path / "job", secret)
    untrusted.write(tmp_path / "job", b"ours")
    assert untrusted.read(tmp_path / "job") == b"ours"
    assert secret.read_bytes() == SECRET


def test_a_folder_without_rights_can_be_removed(tmp_path: Path) -> None:
    inner = tmp_path / "home/a/b"
    inner.mkdir(parents=True)
    (inner / "file").write_text("x")
    for place in (inner, inner.parent, tmp_path / "home"):
        place.chmod(0)
    untrusted.remove(tmp_path / "home")
    assert not (tmp_path / "home").exists()


def test_of_a_folder_only_plain_files_are_taken(tmp_path: Path, secret: Path) -> None:
    left = tmp_path / "left"
    (left / "sub").mkdir(parents=True)
    (left / "sub/good.xml").write_bytes(b"good")
    for number, kind in enumerate(KINDS):
        kind(left / f"bad{number}", secret)
    (left / "loop").symlink_to(left)
    taken: dict[str, bytes] = {}
    skipped = untrusted.copy_folder(left, lambda name: True, taken.__setitem__, limit=100)
    assert taken == {"sub/good.xml": b"good"}
    assert {"bad0", "bad1", "bad2", "bad5", "bad3/inner"} <= set(skipped)


def test_a_flood_of_files_ends(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"{number:02d}").write_bytes(b"x")
    taken: dict[str, bytes] = {}
    skipped = untrusted.copy_folder(tmp_path, lambda name: True, taken.__setitem__, most=10)
    assert len(taken) == 10
    assert len(skipped) == 10
