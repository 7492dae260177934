"""A project in git, and its files, to be copied."""

from __future__ import annotations

from pathlib import Path

TEST = "def test_a():\n    assert 1\n"


def write(root: Path, path: str, text: str) -> Path:
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    return place


def files(root: Path) -> set[str]:
    return {
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_symlink() or path.is_file()
    }
