"""Projects inside a monorepo, each with packaging settings of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pytest_lift.errors import UsageError
from pytest_lift.project.declared import may_be_the_program, read_toml

DEEPEST = 3
"""Levels of folders that are searched."""


def members(root: Path) -> list[str]:
    """Returns the folders of the projects below `root`, POSIX, relative to it."""
    return [folder.relative_to(root).as_posix() for folder in _below(root, DEEPEST)]


def member_of(root: Path, here: Path) -> str | None:
    """Returns the project below `root` that contains the folder `here`."""
    for folder in (here, *here.parents):
        if folder == root or not folder.is_relative_to(root):
            return None
        if is_project(folder):
            return folder.relative_to(root).as_posix()
    return None


def _below(folder: Path, levels: int) -> Iterator[Path]:
    try:
        children = sorted(path for path in folder.iterdir() if path.is_dir())
    except OSError:
        return
    for child in children:
        if child.is_symlink() or not may_be_the_program(child.name):
            continue
        if is_project(child):
            yield child
        elif levels > 1 and not (child / "__init__.py").exists():
            yield from _below(child, levels - 1)


def is_project(folder: Path) -> bool:
    """Whether a folder has packaging settings; those of a linter or of pytest do not count."""
    if (folder / "setup.py").is_file():
        return True
    try:
        data = read_toml(folder / "pyproject.toml") if (folder / "pyproject.toml").is_file() else {}
        tool = data.get("tool")
        if "project" in data or (isinstance(tool, dict) and "poetry" in tool):
            return True
        cfg = folder / "setup.cfg"
        return cfg.is_file() and "[metadata]" in cfg.read_text("utf-8", "replace")
    except (UsageError, OSError):
        return False
