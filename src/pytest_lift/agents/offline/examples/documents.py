"""Reads what documents a program: the docstrings in its modules, and files of the project."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from pytest_lift.errors import LiftError
from pytest_lift.files.project_reads import read_confined
from pytest_lift.source.program import Program

DOCUMENTS = ("README*", "*.rst", "*.md", "docs/*.rst", "docs/*.md")
FOLDERS = ("docs/*", "doc", "doc/*", "*/docs", "*/doc")
GUIDES = tuple(f"{at}/*.{ending}" for at in FOLDERS for ending in ("rst", "md"))
"""Documents in the folders of the documentation, which a package may hold, too."""
LARGEST = 400_000
"""Most bytes of a document that are read."""


def docstrings(program: Program) -> Iterator[str]:
    """Yields the docstrings of modules and what they define."""
    for file in program.files.values():
        if file.error is None:
            yield ast.get_docstring(file.tree) or ""
            yield from (symbol.doc for symbol in file.symbols)


def read_documents(root: Path, patterns: Sequence[str]) -> Iterator[str]:
    """Yields the texts of files of a project, each once, with the line ends of Python."""
    found = (document for pattern in patterns for document in sorted(root.glob(pattern)))
    for document in dict.fromkeys(found):
        with contextlib.suppress(LiftError):
            name = document.relative_to(root).as_posix()
            text = read_confined(root, name, limit=LARGEST).decode("utf-8", "replace")
            yield re.sub(r"\r\n?", "\n", text)
