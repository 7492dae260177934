"""Lines that the search of one lift, or its judges, leave to the next, in files of `.lift/`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pytest_lift.files import untrusted
from pytest_lift.files.atomic import make_lift_folder, replace_file
from pytest_lift.text.printable import redacted

FILE = "search/kept.jsonl"
WORTHLESS = "mutants/worthless.jsonl"
"""Mutants that were judged to be worth no test."""
MOST_BYTES = 4 * 1024 * 1024
LONGEST = 8192
"""Bytes of one line."""


@dataclass
class SearchMemory:
    """What searches remember. Only agents know what a line says: here it is an object of JSON."""

    root: Path
    """`.lift/`"""
    warn: Callable[[str], None] = lambda text: None
    """Is told what could not be read or written."""
    file: str = FILE
    """Its path below `root`."""
    _kept: list[str] | None = field(default=None, init=False)

    @property
    def lines(self) -> Sequence[str]:
        """The lines that were kept last, by this lift or an earlier one."""
        return self._read if self._kept is None else self._kept

    @cached_property
    def _read(self) -> list[str]:
        path = self.root / self.file
        try:
            text = untrusted.read(path, MOST_BYTES).decode("utf-8", "replace")
        except FileNotFoundError:
            return []
        except OSError as error:
            self.warn(f"what earlier lifts left is not used: {path}: {error.strerror or error}")
            return []
        lines = text.splitlines()
        good = [line for line in lines if _is_object(line)]
        if len(good) < len(lines):
            bad = len(lines) - len(good)
            self.warn(f"{bad} of the {len(lines)} lines of {path} are no lift's and are not used")
        return good

    def keep(self, lines: Sequence[str]) -> None:
        """Replaces the lines, as many of the last ones as there is room for; what holds a secret is
        left out."""
        left, found = MOST_BYTES, list[str]()
        for line in reversed(lines):
            left -= len(line.encode()) + 1
            if left < 0:
                break
            if _is_object(line) and redacted(line) == line:
                found.append(line)
        self._kept = found[::-1]
        path = self.root / self.file
        try:
            make_lift_folder(self.root, path.parent)
            replace_file(path, "".join(f"{line}\n" for line in self._kept).encode())
        except OSError as error:
            self.warn(f"what was found is not kept: {path}: {error.strerror or error}")


def _is_object(line: str) -> bool:
    if len(line) > LONGEST or not line.startswith("{"):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
