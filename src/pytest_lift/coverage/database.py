"""coverage.py's database of one run: which test takes which branch, function and line.

It comes from the run and is read as an untrusted file.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from pytest_lift.coverage.coverage import (
    JSON_FILE,
    Arc,
    Branch,
    Coverage,
    Entry,
    FileCoverage,
    Line,
    Lines,
    as_number,
    inside,
    read_files,
)
from pytest_lift.errors import LiftError
from pytest_lift.files import untrusted
from pytest_lift.run.result import TestResult
from pytest_lift.source.program import Program, SourceFile

if TYPE_CHECKING:
    from coverage.parser import PythonParser

DATA_FILE = "coverage.db"
PHASES = frozenset({"setup", "run", "teardown"})
TABLES = frozenset({"file", "context", "arc"})
"""Tables that are queried."""
LARGEST_DATA = 1024 * 1024 * 1024
DATA_SECONDS = 120.0
"""Most bytes of the database that are read, and most time that its queries may take."""
LONGEST_VALUE = 16 * 1024 * 1024
CALL = "run"
"""coverage.py's name of the call phase; lines that fixtures execute matter to other tests, too."""
Fact = TypeVar("Fact")
Shared = dict[frozenset[Fact], frozenset[Fact]]


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


def as_name(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is no name")
    return value


def open_data(path: Path) -> sqlite3.Connection:
    """Opens the database in memory.

    Its file is read once as bytes, so that no link, no journal beside it and no later change
    affects SQLite; views and triggers are refused. Raises OSError, sqlite3.Error.
    """
    data = untrusted.read(path, LARGEST_DATA)
    until = time.monotonic() + DATA_SECONDS
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.deserialize(data)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
        connection.set_progress_handler(lambda: time.monotonic() > until, 1_000_000)
        query = "SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', 'index')"
        if strange := connection.execute(query).fetchone():
            raise sqlite3.DatabaseError(f"it has a {strange[0]!s:.40}")
        query = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE %'"
        if missing := TABLES - {str(name) for (name,) in connection.execute(query)}:
            raise sqlite3.DatabaseError(f"it has no table {', '.join(sorted(missing))}")
    except BaseException:
        connection.close()
        raise
    return connection


def read_contexts(data: sqlite3.Connection) -> dict[int, tuple[str, str]]:
    """Returns context number -> (pytest node id, phase), for contexts of tests only."""
    found = data.execute("SELECT id, context FROM context").fetchall()
    contexts = {as_number(number): as_name(name) for number, name in found}
    static = _static_context(contexts.values())
    told = {}
    for number, name in contexts.items():
        node, _, phase = name.removeprefix(static).rpartition("|")
        if node and phase in PHASES:
            told[number] = node, phase
    return told


def read_paths(data: sqlite3.Connection, copy: Path) -> list[tuple[int, str]]:
    """Returns (number of a file, its path relative to `copy`); `copy` is a resolved path."""
    rows = data.execute("SELECT id, path FROM file").fetchall()
    return [(as_number(number), inside(as_name(path), copy)) for number, path in rows]


def _static_context(names: Iterable[str]) -> str:
    """Returns the prefix, with its bar, that ``[run] context`` of the project adds to contexts."""
    plain = [name for name in names if name and name.rpartition("|")[2] not in PHASES]
    return f"{plain[0]}|" if len(plain) == 1 else ""


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
