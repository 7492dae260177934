"""Requirement files of every format -> `Requirements`, by the loader that knows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from pytest_lift.requirements.reader import Reader, together
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.requirements.tables import Scoped

_WRITE_ROWS = "name a file with a table that has columns for id and description, or a doorstop tree"


def load(paths: Sequence[Path]) -> Requirements:
    """Read and merge the files and folders `paths`; one that is given twice is read once.

    A folder is a tree of doorstop documents, ``.md`` and ``.csv`` are tables, and anything else is
    YAML. Raises `UsageError` as `requirements.load_requirements` does: all problems in one, an id
    that two files give (of whatever format) with both places.
    """
    reader = Reader()
    for path in dict.fromkeys(paths):
        if read := _foreign(path, reader):
            reader.gather(path, _taking(read, reader), todo=_WRITE_ROWS)
        else:
            reader.read(path)
    if reader.problems:
        raise together(reader.problems)
    return Requirements(tuple(reader.items.values()), tuple(reader.warnings))


def load_one(path: Path) -> Requirements:
    """Read one file or folder; see `load`."""
    return load([path])


def _foreign(path: Path, reader: Reader) -> Callable[[Path], Scoped] | None:
    """What reads `path` where it is not one of our own YAML files.

    A reader is imported when it is needed: most projects have one format.
    """
    suffix = path.suffix.lower()
    if suffix in (".md", ".markdown"):
        from pytest_lift.requirements.markdown import read_tables

        return lambda path: read_tables(path, reader.problems, reader.warnings)
    if suffix in (".csv", ".tsv"):
        from pytest_lift.requirements.spreadsheet import read_rows

        return lambda path: read_rows(path, reader.problems, reader.warnings)
    from pytest_lift.requirements.doorstop import is_document, read_items

    return (lambda path: read_items(path, reader.problems)) if is_document(path) else None


def _taking(read: Callable[[Path], Scoped], reader: Reader) -> Callable[[Path], None]:
    def take(path: Path) -> None:
        for scope, table in read(path):
            reader.item(table, scope)

    return take
