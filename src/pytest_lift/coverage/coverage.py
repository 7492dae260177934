"""Reads coverage.py's data of one run as `Coverage`: figures, branches and functions by test."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pytest_lift.coverage.database import (
    DATA_FILE,
    as_number,
    inside,
    open_data,
    read_contexts,
    read_paths,
)
from pytest_lift.errors import LiftError
from pytest_lift.files import untrusted
from pytest_lift.source.program import Program, SourceFile

if TYPE_CHECKING:
    from coverage.parser import PythonParser

Branch = tuple[str, int, int]
"""(file relative to the project root, from line, to line); a negative `to` leaves the function."""
Entry = tuple[str, int]
"""(file relative to the project root, first line of a function, decorators included)."""
Arc = tuple[int, int]
Fact = TypeVar("Fact")
Shared = dict[frozenset[Fact], frozenset[Fact]]

JSON_FILE = "coverage.json"


@dataclass(frozen=True)
class FileCoverage:
    """Figures of one source file in coverage.py's report."""

    path: str
    executed: frozenset[int]
    missing: frozenset[int]
    excluded: frozenset[int]
    executed_branches: frozenset[tuple[int, int]]
    missing_branches: frozenset[tuple[int, int]]
    partial: int = 0
    """Exits that ``# pragma: no branch`` counts as taken though they were not."""

    @property
    def statements(self) -> int:
        return len(self.executed) + len(self.missing)

    @property
    def covered_branches(self) -> int:
        return len(self.executed_branches) + self.partial

    @property
    def branches(self) -> int:
        return self.covered_branches + len(self.missing_branches)


@dataclass(frozen=True)
class Coverage:
    """Figures of one run over the whole program, as coverage.py counts them.

    `by_test` is empty when contexts were switched off. Tests that took the same branches share one
    set object. Percentages are not rounded; with nothing to cover they are 100.0, as in
    coverage.py.
    """

    files: Mapping[str, FileCoverage] = field(default_factory=dict)
    by_test: Mapping[str, frozenset[Branch]] = field(default_factory=dict)
    """pytest node id (parameters included) -> branches it took in any phase; a test that executed
    nothing of the program is absent."""
    functions_by_test: Mapping[str, frozenset[Entry]] = field(default_factory=dict)
    """pytest node id -> (file, first line with decorators) of the functions it entered."""

    @cached_property
    def statements(self) -> int:
        return sum(file.statements for file in self.files.values())

    @cached_property
    def covered_statements(self) -> int:
        return sum(len(file.executed) for file in self.files.values())

    @cached_property
    def branches(self) -> int:
        return sum(file.branches for file in self.files.values())

    @cached_property
    def covered_branches(self) -> int:
        return sum(file.covered_branches for file in self.files.values())

    @property
    def line_percent(self) -> float:
        return _percent(self.covered_statements, self.statements)

    @property
    def branch_percent(self) -> float:
        return _percent(self.covered_branches, self.branches)

    @property
    def combined(self) -> float:
        """Coverage of lines and branches together: coverage.py's total."""
        covered = self.covered_statements + self.covered_branches
        return _percent(covered, self.statements + self.branches)

    def covered(self) -> frozenset[Branch]:
        """Returns every branch that was taken, by any test or import."""
        return frozenset(
            (file.path, *arc) for file in self.files.values() for arc in file.executed_branches
        )


def read_coverage(reports: Path, program: Program, copy: Path) -> Coverage:
    """Reads ``coverage.json`` and ``coverage.db`` of a run of `copy`.

    Only files of `program` count; files unknown to coverage.py are absent (see `uncovered.py`).
    Raises `LiftError` when a file is missing or cannot be read.
    """
    copy = copy.resolve()  # coverage.py records resolved paths
    files = read_files(reports / JSON_FILE, program, copy)
    try:
        with closing(open_data(reports / DATA_FILE)) as data:
            return _Reader(data, program, copy, files).coverage()
    except (OSError, sqlite3.Error, TypeError, ValueError, OverflowError) as error:
        raise LiftError(
            f"coverage.py's data cannot be read: {error}",
            where=str(reports / DATA_FILE),
            todo="run again; if it persists, check `coverage --version` (7.6 or newer is needed)",
        ) from error


def _percent(covered: int, total: int) -> float:
    return 100.0 * covered / total if total else 100.0


def read_files(path: Path, program: Program, copy: Path) -> dict[str, FileCoverage]:
    """Returns the files of `program` in a JSON report of coverage.py; raises `LiftError`."""
    try:
        found = json.loads(untrusted.read(path))["files"]
        if not any(row["executed_lines"] or "executed_branches" in row for row in found.values()):
            return {}  # where nothing ran, `[paths]` of the project can drop the branches
        rows = [(inside(name, copy), row) for name, row in found.items()]
        wanted = program.files.keys() - program.unmeasured
        files = {name: _file(name, row) for name, row in rows if name in wanted}
    except FileNotFoundError as error:
        raise _nothing_measured(path, program) from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise LiftError(
            f"coverage.py's report cannot be read ({type(error).__name__}: {error})",
            where=str(path),
            todo="run again; branch measurement and coverage 7.6 or newer are needed",
        ) from error
    return files


def _nothing_measured(path: Path, program: Program) -> LiftError:
    names = ", ".join(program.names) or "the program"
    return LiftError(
        f"no coverage data was collected for {names}",
        where=str(path),
        todo="check that the tests import it from the project (not an installed copy), that the "
        "session did not end early, and that `omit` of coverage does not exclude it",
    )


def _file(path: str, row: Mapping[str, Any]) -> FileCoverage:
    executed, excluded = _arcs(row["executed_branches"]), row["excluded_lines"]
    covered = as_number(row["summary"]["covered_branches"])
    return FileCoverage(
        path,
        # Before coverage 7.7, the executed lines contained the first line of an excluded block.
        frozenset(map(as_number, row["executed_lines"])) - frozenset(map(as_number, excluded)),
        frozenset(map(as_number, row["missing_lines"])),
        frozenset(map(as_number, excluded)),
        executed,
        _arcs(row["missing_branches"]),
        covered - len(executed),
    )


def _arcs(rows: Iterable[list[int]]) -> frozenset[Arc]:
    return frozenset((as_number(start), as_number(end)) for start, end in rows)


class _Reader:
    """The join of contexts and arcs in coverage.db to the facts of each test, done by SQLite.

    A fact is a possible branch or the entry of a function; its index in `self._facts` is its
    number.
    """

    def __init__(
        self,
        data: sqlite3.Connection,
        program: Program,
        copy: Path,
        files: Mapping[str, FileCoverage],
    ) -> None:
        self._data = data
        self._program = program
        self._files = files
        self._names = [(number, name) for number, name in read_paths(data, copy) if name in files]
        self._facts: list[Branch | Entry] = []

    def coverage(self) -> Coverage:
        tests = self._number_tests()
        if not tests:
            return Coverage(self._files)
        self._number_facts()
        found = self._facts_of(len(tests))
        branches: Shared[Branch] = {}
        entries: Shared[Entry] = {}
        by_test, functions = {}, {}
        for test, facts in zip(tests, found, strict=True):
            taken = frozenset(fact for fact in facts if len(fact) == 3)
            entered = frozenset(fact for fact in facts if len(fact) == 2)
            by_test[test] = branches.setdefault(taken, taken)
            functions[test] = entries.setdefault(entered, entered)
            facts.clear()
        return Coverage(self._files, by_test, functions)

    def _number_tests(self) -> list[str]:
        """Numbers the tests and stores each test's contexts (one a phase) under its number."""
        numbers: dict[str, int] = {}
        rows = [
            (number, numbers.setdefault(node, len(numbers)))
            for number, (node, _) in read_contexts(self._data).items()
        ]
        self._data.execute("CREATE TEMP TABLE test (context_id INTEGER PRIMARY KEY, test INTEGER)")
        self._data.executemany("INSERT INTO test VALUES (?, ?)", rows)
        return list(numbers)

    def _number_facts(self) -> None:
        """Fills the table `wanted`: which arc in the data stands for which fact."""
        self._data.execute(
            "CREATE TEMP TABLE wanted (file_id INTEGER, fromno INTEGER, tono INTEGER,"
            " fact INTEGER, PRIMARY KEY (file_id, fromno, tono)) WITHOUT ROWID"
        )
        for number, name in self._names:
            query = "SELECT DISTINCT fromno, tono FROM arc WHERE file_id = ?"
            found = self._data.execute(query, (number,)).fetchall()
            arcs = [(as_number(start), as_number(end)) for start, end in found]
            numbers: dict[Branch | Entry, int] = {}
            rows = [
                (number, *arc, len(self._facts) + numbers.setdefault(fact, len(numbers)))
                for arc, fact in self._meanings(name, arcs)
            ]
            self._data.executemany("INSERT OR IGNORE INTO wanted VALUES (?, ?, ?, ?)", rows)
            self._facts += numbers

    def _meanings(self, name: str, arcs: list[Arc]) -> Iterator[tuple[Arc, Branch | Entry]]:
        source, known = self._program.files[name], self._files[name]
        possible = known.executed_branches | known.missing_branches
        for arc, branch in _translated(source, arcs):
            if branch in possible:
                yield arc, (name, *branch)
        lines = {s.line: s for s in source.symbols if s.kind != "class"}
        for start, end in arcs:
            symbol = lines.get(-start)
            # The module's own entry starts from -1, too, and its first statement may be a function.
            if symbol and (start != -1 or end != 1 or symbol.end_line == 1):
                yield (start, end), (name, symbol.line)

    def _facts_of(self, tests: int) -> list[set[Branch | Entry]]:
        found: list[set[Branch | Entry]] = [set() for _ in range(tests)]
        rows = self._data.execute(
            "SELECT test.test, wanted.fact FROM arc"
            " CROSS JOIN test USING (context_id)"
            " CROSS JOIN wanted USING (file_id, fromno, tono)"
        )
        for test, fact in rows:
            found[test].add(self._facts[fact])
        return found


def _translated(source: SourceFile, arcs: list[Arc]) -> Iterator[tuple[Arc, Arc]]:
    """Yields each arc as it was traced, together with each arc that coverage.py reports for it.

    The two differ in statements of several lines and at the end of `with` blocks.
    """
    parser = _parser(source)
    if parser is None:
        yield from ((arc, arc) for arc in arcs)
        return
    for arc in arcs:
        for meaning in parser.translate_arcs([arc]):
            yield arc, meaning


@lru_cache(maxsize=1024)
def _parser(source: SourceFile) -> PythonParser | None:
    """Returns the parser of a source, cached over runs; None if coverage.py cannot parse it."""
    from coverage.exceptions import CoverageException  # slow to import, and not always needed
    from coverage.parser import PythonParser

    parser = PythonParser(text=source.text, filename=source.path)
    try:
        parser.parse_source()
        parser.arcs()
    except CoverageException:
        return None
    return parser
