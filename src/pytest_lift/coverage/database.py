"""coverage.py's database of one run, read as an untrusted file."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path

from pytest_lift.files import untrusted

DATA_FILE = "coverage.db"
PHASES = frozenset({"setup", "run", "teardown"})
TABLES = frozenset({"file", "context", "arc"})
"""Tables that are queried; the file comes from the run and may hold anything."""
LARGEST_DATA = 1024 * 1024 * 1024
DATA_SECONDS = 120.0
"""Most bytes of the database that are read, and most time that its queries may take."""
LONGEST_VALUE = 16 * 1024 * 1024


def as_number(value: object) -> int:
    """Returns a line number or a count; raises TypeError for anything else."""
    if type(value) is not int or abs(value) > 1 << 31:
        raise TypeError(f"{value!r:.40} is no line number or count")
    return value


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


def inside(name: str, copy: Path) -> str:
    """Returns a path relative to `copy` if it is below it, else unchanged."""
    path = Path(name.replace("\\", "/"))
    return (path.relative_to(copy) if path.is_relative_to(copy) else path).as_posix()


def _static_context(names: Iterable[str]) -> str:
    """Returns the prefix, with its bar, that ``[run] context`` of the project adds to contexts."""
    plain = [name for name in names if name and name.rpartition("|")[2] not in PHASES]
    return f"{plain[0]}|" if len(plain) == 1 else ""
