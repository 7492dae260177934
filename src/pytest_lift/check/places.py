"""Paths of the project as different readers of the findings know them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


def from_folder(root: Path, cwd: Path) -> Callable[[str], str]:
    """As an editor or a terminal finds them from the working directory."""
    return lambda file: file if root == cwd else os.path.relpath(root / file, cwd)


def from_repository(root: Path) -> Callable[[str], str]:
    """As the host of the repository knows them: from its top folder."""
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), root)
    prefix = "" if top == root else f"{root.relative_to(top).as_posix()}/"
    return lambda file: file if file.startswith("/") else prefix + file


def valid(text: str) -> str:
    """Bytes that are no text stand as surrogates, which no output may hold."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
