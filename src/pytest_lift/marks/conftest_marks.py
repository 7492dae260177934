"""Marks that conftest files register, read from their text: nothing of a project is run."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from pytest_lift.errors import LiftError
from pytest_lift.files.project_reads import read_confined
from pytest_lift.source.syntax import from_bytes, parse

LARGEST = 1024 * 1024
"""Bytes of a conftest file that is read."""


def marker_lines(root: Path, tests: Iterable[str]) -> tuple[str, ...]:
    """Returns marks that conftest files register which pytest loads before it collects the folders
    `tests` (relative to `root`): those in them and above.

    A line that is not written out is passed over.
    """
    folders = {PurePosixPath("."): None}
    for place in tests:
        folders |= dict.fromkeys([PurePosixPath(place), *PurePosixPath(place).parents])
    lines: list[str] = []
    for folder in folders:
        path = (folder / "conftest.py").as_posix()
        if (root / path).is_file():
            try:
                text = from_bytes(read_confined(root, path, limit=LARGEST))
            except LiftError:
                continue
            lines += lines_in(text)
    return tuple(dict.fromkeys(lines))


def lines_in(text: str) -> Iterator[str]:
    """Yields the lines of one file: ``config.addinivalue_line("markers", "slow: takes long")``."""
    if "addinivalue_line" not in text:
        return
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            told = [*node.args, *(word.value for word in node.keywords)]
            values = [one.value for one in told if isinstance(one, ast.Constant)]
            if node.func.attr == "addinivalue_line" and len(values) == 2 == len(told):
                name, line = values
                if name == "markers" and isinstance(line, str):
                    yield line
