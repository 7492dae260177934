"""A cache by content: what is odd is ignored, what was not used is forgotten."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from pytest_lift.files.content_cache import Cache, LiftCache


def cache(root: Path, settings: object = 1) -> LiftCache:
    return LiftCache(root, "texts", settings, ("trace",))


def kept(root: Path, *contents: bytes, settings: object = 1) -> object:
    return cache(root, settings).get(*contents)[1]


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    one = cache(tmp_path)
    one.put(one.get(b"a")[0], ["row"])
    one.put(one.get(b"b")[0], 2)
    one.save()
    return tmp_path


def test_what_was_kept_is_found_by_its_content(filled: Path) -> None:
    assert (kept(filled, b"a"), kept(filled, b"b"), kept(filled, b"c")) == (["row"], 2, None)


def test_contents_do_not_run_together(filled: Path) -> None:
    one = cache(filled)
    assert one.get(b"ab", b"c")[0] != one.get(b"a", b"bc")[0]


def test_other_settings_make_other_rows(filled: Path) -> None:
    assert kept(filled, b"a", settings=2) is None


def test_what_is_not_used_is_forgotten_with_the_next_change(filled: Path) -> None:
    one = cache(filled)
    one.get(b"a")
    one.save()
    assert (kept(filled, b"a"), kept(filled, b"b")) == (["row"], None)


def test_nothing_is_written_where_nothing_changed(filled: Path) -> None:
    path = filled / ".lift/cache/texts.json"
    before = path.stat()
    one = cache(filled)
    one.get(b"a")
    one.get(b"b")
    one.save()
    after = path.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace(b"row", b"raw"),
        lambda data: data[:-3],
        lambda data: b"",
        lambda data: _sealed(b"[1]"),
        lambda data: _sealed(b"{"),
    ],
)
def test_what_is_odd_is_as_none(filled: Path, change) -> None:  # type: ignore[no-untyped-def]
    path = filled / ".lift/cache/texts.json"
    path.write_bytes(change(path.read_bytes()))
    assert kept(filled, b"a") is None


def _sealed(body: bytes) -> bytes:
    return sha256(body).hexdigest().encode() + b"\n" + body


def test_links_that_a_clone_brings_are_not_followed(filled: Path) -> None:
    (filled / ".lift").rename(filled / "elsewhere")
    (filled / ".lift").symlink_to("elsewhere")
    assert kept(filled, b"a") is None


def test_where_it_cannot_be_written_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / ".lift").write_text("no folder")
    one = cache(tmp_path)
    one.put(one.get(b"a")[0], 1)
    one.save()
    assert (tmp_path / ".lift").read_text() == "no folder"


def test_a_cache_of_another_place_makes_no_folder(tmp_path: Path) -> None:
    one = Cache(tmp_path / "none/x.json", 1, ())
    one.put(one.get(b"a")[0], 1)
    one.save()
    assert not (tmp_path / "none").exists()
