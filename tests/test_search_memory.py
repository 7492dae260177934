"""The lines that searches remember: kept in one file, and whatever else stands there is told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_lift.store import search_memory
from pytest_lift.store.search_memory import FILE, SearchMemory

LINES = ['{"a": 1}', '{"b": "é"}']


def test_what_is_kept_is_there_for_this_lift_and_the_next(tmp_path: Path) -> None:
    root = tmp_path / ".lift"
    memory = SearchMemory(root)
    assert memory.lines == []
    memory.keep(LINES)
    assert memory.lines == LINES
    assert SearchMemory(root).lines == LINES
    assert (root / ".gitignore").read_text() == "*\n"


def test_of_too_many_lines_the_last_ones_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_memory, "MOST_BYTES", 30)
    memory = SearchMemory(tmp_path / ".lift")
    memory.keep([f'{{"n": {n}}}' for n in range(10)])
    assert memory.lines == ['{"n": 7}', '{"n": 8}', '{"n": 9}']


def test_a_secret_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_API_KEY", "hunter2-hunter2-hunter2")
    memory = SearchMemory(tmp_path / ".lift")
    memory.keep([*LINES, '{"text": "hunter2-hunter2-hunter2"}'])
    assert memory.lines == LINES


def test_lines_that_no_lift_wrote_are_left_out_and_told(tmp_path: Path) -> None:
    told: list[str] = []
    path = tmp_path / ".lift" / FILE
    path.parent.mkdir(parents=True)
    path.write_bytes(b'{"a": 1}\n[1]\n\xff\n{"x": "' + b"x" * 9000 + b'"}\n{{{\n')
    assert SearchMemory(tmp_path / ".lift", told.append).lines == ['{"a": 1}']
    assert len(told) == 1
    assert "4 of the 5 lines" in told[0]


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "large"])
def test_what_is_no_plain_file_is_not_read_and_that_is_told(tmp_path: Path, kind: str) -> None:
    told: list[str] = []
    path = tmp_path / ".lift" / FILE
    path.parent.mkdir(parents=True)
    if kind == "link":
        (tmp_path / "other").write_text('{"a": 1}\n')
        path.symlink_to(tmp_path / "other")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.write_bytes(b" " * (search_memory.MOST_BYTES + 1))
    assert SearchMemory(tmp_path / ".lift", told.append).lines == []
    assert len(told) == 1


def test_where_nothing_can_be_written_that_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    (tmp_path / ".lift").symlink_to(tmp_path)
    memory = SearchMemory(tmp_path / ".lift", told.append)
    memory.keep(LINES)
    assert "not kept" in told[0]
    assert memory.lines == LINES
