"""coverage.py's database of one run -> which test executes which line while it is called."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.coverage.database import DATA_FILE, as_number, open_data, read_contexts, read_paths
from pytest_lift.run.result import TestResult

CALL = "run"
"""pytest-cov's name of the phase; what fixtures execute can matter to tests that share them."""
NOBODY: frozenset[str] = frozenset()
Line = tuple[str, int]
"""(file relative to the project root, number)."""


@dataclass(frozen=True)
class Lines:
    """Which test executes which line; empty where contexts were switched off."""

    tests: tuple[str, ...] = ()
    """pytest node ids."""
    executed: Mapping[Line, int] = field(default_factory=dict)
    """Bit n: the call of `tests[n]` executes it."""
    shared: frozenset[Line] = frozenset()
    """Lines that are executed elsewhere, too: at import, or while fixtures are set up."""
    missing: frozenset[Line] = frozenset()
    """Lines of statements that nothing executes."""
    reached: Mapping[Line, int] = field(default_factory=dict)
    """Bit n: `tests[n]` executes it, while it is set up, called or torn down."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Node -> how long its call took, of every test of the run; empty where that is not told."""

    def reaching(self, places: Iterable[Line]) -> frozenset[str]:
        """Tests that execute one of these lines in whatever phase."""
        found = 0
        for place in places:
            found |= self.reached.get(place, 0)
        return frozenset(node for n, node in enumerate(self.tests) if found >> n & 1)

    def passing_by(self, file: str, lines: Collection[int], around: range) -> frozenset[str]:
        """Tests whose call executes something `around` these lines and none of them; nobody where
        what executes them is not known."""
        places = [(file, line) for line in lines]
        reaching = self._executing(places)
        unknown = not reaching and self.missing.isdisjoint(places)
        if not places or unknown or not self.shared.isdisjoint(places):
            return NOBODY
        left = self._executing([(file, line) for line in around]) & ~reaching
        return frozenset(node for n, node in enumerate(self.tests) if left >> n & 1)

    def _executing(self, places: Collection[Line]) -> int:
        found = 0
        for place in places:
            found |= self.executed.get(place, 0)
        return found


def read_lines(
    reports: Path,
    coverage: Coverage,
    copy: Path,
    results: Mapping[str, TestResult] = MappingProxyType({}),
) -> Lines:
    """Read ``coverage.db`` of the run of `copy` that `coverage` and `results` are the results of.

    Nothing is known where it cannot be read: whoever asks has more to do then, that is all.
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
