"""Reads from coverage.py's database of one run which test executes which line during its call."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from pathlib import Path
from types import MappingProxyType

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.coverage.database import DATA_FILE, as_number, open_data, read_contexts, read_paths
from pytest_lift.run.result import TestResult

CALL = "run"
"""coverage.py's name of the call phase; lines that fixtures execute matter to other tests, too."""
NOBODY: frozenset[str] = frozenset()
Line = tuple[str, int]
"""(file relative to the project root, line number)."""


@dataclass(frozen=True)
class Lines:
    """Lines executed by each test; empty if contexts were switched off."""

    tests: tuple[str, ...] = ()
    """pytest node ids."""
    executed: Mapping[Line, int] = field(default_factory=dict)
    """Line -> bit set: bit n if the call of `tests[n]` executes it."""
    shared: frozenset[Line] = frozenset()
    """Lines that are executed outside of calls, too: at import, or by fixtures."""
    missing: frozenset[Line] = frozenset()
    """Lines of statements that are never executed."""
    reached: Mapping[Line, int] = field(default_factory=dict)
    """Line -> bit set: bit n if `tests[n]` executes it in setup, call or teardown."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Node id -> seconds of its call, for every test of the run; empty if unknown."""

    def reaching(self, places: Iterable[Line]) -> frozenset[str]:
        """Returns the tests that execute one of these lines in any phase."""
        return self._nodes(_united(self.reached, places))

    def passing_by(self, file: str, lines: Collection[int], around: range) -> frozenset[str]:
        """Returns tests whose call executes a line of `around` but none of `lines`.

        Returns nobody if it is not known which tests execute `lines`.
        """
        places = [(file, line) for line in lines]
        reaching = _united(self.executed, places)
        unknown = not reaching and self.missing.isdisjoint(places)
        if not places or unknown or not self.shared.isdisjoint(places):
            return NOBODY
        left = _united(self.executed, ((file, line) for line in around)) & ~reaching
        return self._nodes(left)

    def _nodes(self, bits: int) -> frozenset[str]:
        return frozenset(node for n, node in enumerate(self.tests) if bits >> n & 1)


def _united(bits: Mapping[Line, int], places: Iterable[Line]) -> int:
    return reduce(or_, (bits.get(place, 0) for place in places), 0)


def read_lines(
    reports: Path,
    coverage: Coverage,
    copy: Path,
    results: Mapping[str, TestResult] = MappingProxyType({}),
) -> Lines:
    """Reads ``coverage.db`` of the run of `copy` that gave `coverage` and `results`.

    Returns empty `Lines` if the file cannot be read: that costs callers only extra work.
    """
    try:
        with closing(open_data(reports / DATA_FILE)) as data:
            found = _lines(data, coverage, copy.resolve())
    except (OSError, sqlite3.Error, TypeError, ValueError, OverflowError):
        return Lines()
    return replace(found, seconds={node: row.seconds for node, row in results.items()})


def _lines(data: sqlite3.Connection, coverage: Coverage, copy: Path) -> Lines:
    paths = {number: path for number, path in read_paths(data, copy) if path in coverage.files}
    contexts = read_contexts(data)
    numbers: dict[str, int] = {}
    for node, _ in contexts.values():
        numbers.setdefault(node, len(numbers))
    called = {
        context: 1 << numbers[node] for context, (node, phase) in contexts.items() if phase == CALL
    }
    of_test = {context: 1 << numbers[node] for context, (node, _) in contexts.items()}
    executed: dict[Line, int] = {}
    reached: dict[Line, int] = {}
    shared: set[Line] = set()
    # An arc leads to each line that is executed; negative ones leave a function.
    for number, path in paths.items():
        query = "SELECT DISTINCT context_id, tono FROM arc WHERE file_id = ? AND tono > 0"
        for context, line in data.execute(query, (number,)):
            place = path, as_number(line)
            if anyway := of_test.get(context):
                reached[place] = reached.get(place, 0) | anyway
            if bit := called.get(context):
                executed[place] = executed.get(place, 0) | bit
            else:
                shared.add(place)
    missing = {(path, line) for path, file in coverage.files.items() for line in file.missing}
    return Lines(tuple(numbers), executed, frozenset(shared), frozenset(missing), reached)
