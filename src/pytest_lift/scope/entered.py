"""Which functions each test entered, kept with a run, so that later lifts know what names hide."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.files import untrusted
from pytest_lift.files.atomic import replace_file
from pytest_lift.files.disk import needed_for
from pytest_lift.scope.scope import Scope
from pytest_lift.source.program import Program

NAME = "entered.json"
VERSION = 1
MOST_PAIRS = 1_000_000
"""Of a test and a function: with more of them nothing is kept."""
LARGEST = 64 * 1024 * 1024
"""Bytes that are read: the file may be anybody's."""


@dataclass(frozen=True)
class Entered:
    """Test function -> (path, qualified name) of the functions that any row of it entered."""

    by_test: Mapping[str, frozenset[tuple[str, str]]] = field(default_factory=dict)

    def tests(self, scope: Scope) -> frozenset[str]:
        """The tests that entered a function of `scope`."""
        functions = {one for entered in self.by_test.values() for one in entered}
        inside = {one for one in functions if scope.has_symbol(*one)}
        return frozenset(test for test, found in self.by_test.items() if found & inside)


def entered(coverage: Coverage, program: Program) -> Entered:
    """As it was measured."""
    names = {
        (path, symbol.line): (path, symbol.name)
        for path, file in program.files.items()
        for symbol in file.symbols
        if symbol.kind != "class"
    }
    found: dict[str, set[tuple[str, str]]] = {}
    for node, entries in coverage.functions_by_test.items():
        own = found.setdefault(node.partition("[")[0], set())
        own.update(names[entry] for entry in entries if entry in names)
    return Entered({test: frozenset(functions) for test, functions in found.items()})


def keep_entered(folder: Path, measured: Entered) -> None:
    """Write it into the folder of a run, each function once. Raises StorageError."""
    if not measured.by_test or sum(map(len, measured.by_test.values())) > MOST_PAIRS:
        return
    functions = sorted({one for found in measured.by_test.values() for one in found})
    number = {one: place for place, one in enumerate(functions)}
    tests = {t: sorted(number[one] for one in f) for t, f in measured.by_test.items()}
    data = {"version": VERSION, "functions": functions, "tests": tests}
    with needed_for("what the tests entered could not be stored", folder / NAME):
        replace_file(folder / NAME, json.dumps(data).encode("utf-8", "backslashreplace"))


def known_entered(folders: Iterable[Path]) -> Entered:
    """That of the newest of these runs (the oldest first) which has any; what is damaged is passed
    over."""
    for folder in reversed(list(folders)):
        found = _read(folder / NAME)
        if found is not None:
            return found
    return Entered()


def _read(place: Path) -> Entered | None:
    try:
        data = json.loads(untrusted.read(place, LARGEST))
        if data["version"] != VERSION:
            return None
        functions = [(str(path), str(name)) for path, name in data["functions"]]
        return Entered(
            {
                str(test): frozenset(functions[number] for number in numbers)
                for test, numbers in data["tests"].items()
            }
        )
    except (OSError, ValueError, TypeError, KeyError, LookupError, AttributeError, RecursionError):
        return None
