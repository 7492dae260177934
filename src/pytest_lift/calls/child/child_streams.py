"""Standard streams, command line and working directory of one case.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PRINTED = 2000


class Stream(io.StringIO):
    """Standard stream that can still be read after the program closed it."""

    shut = False

    def close(self) -> None:
        self.shut = True


@contextlib.contextmanager
def surroundings(case: dict[str, Any], home: str) -> Iterator[Stream]:
    """Provides standard streams, command line and working directory for one case."""
    before = sys.stdin, sys.stdout, sys.stderr, sys.argv
    printed = Stream()
    sys.stdin, sys.stdout, sys.stderr = Stream(case["stdin"]), printed, Stream()
    place = os.getcwd() if case["argv"] is not None else ""
    if case["argv"] is not None:
        sys.argv = list(case["argv"])
        os.chdir(home)
        for name in os.listdir(home):
            Path(home, name).unlink()
        for name, text in case["files"].items():
            Path(home, name).write_text(text, encoding="utf-8")
    try:
        yield printed
    finally:
        sys.stdin, sys.stdout, sys.stderr, sys.argv = before
        if place:
            os.chdir(place)


def written(folder: Path, before: dict[str, str]) -> list[tuple[str, str]]:
    """Returns the text files in the working directory that are new or changed."""
    found = []
    for path in sorted(folder.iterdir()):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            text = path.read_text(encoding="utf-8") if path.is_file() else None
            if text and len(text) <= PRINTED and before.get(path.name) != text:
                found.append((path.name, text))
    return found
