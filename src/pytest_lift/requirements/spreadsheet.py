"""CSV files -> requirements: exports of trackers and spreadsheets, one requirement per row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from pytest_lift.errors import UsageError
from pytest_lift.requirements.columns import NAMES, Columns, Scoped, TableRow
from pytest_lift.requirements.yaml_tree import decoded, shown

DELIMITERS = (",", ";", "\t")


def read_rows(path: Path, problems: list[UsageError], warnings: list[str]) -> Scoped:
    """Yields the requirements of the file, whose first row names the columns.

    Raises `UsageError` where the file cannot be read, or is no table of requirements.
    """
    file, text = shown(path), decoded(path)
    found = _headed(file, text)
    if found is None:
        todo = (
            f"name the columns in the first row: {', '.join(names[0] for names in NAMES.values())}"
        )
        what = "no column for ids, or none for what the requirements say"
        raise UsageError(what, where=f"{file}:1", todo=todo)
    columns, rows = found
    warnings += [columns.warning] if columns.warning else []
    for row in rows:
        if len(row.cells) > len(columns.header.cells):
            what = "more cells than columns: the last ones are lost; put quotes around such texts"
            warnings.append(f"{file}:{row.line}: {what}")
        if table := columns.requirement(row, problems):
            yield (), table


def _headed(file: str, text: str) -> tuple[Columns, Iterator[TableRow]] | None:
    """Returns the columns by the delimiter that makes the most of the header, and the rows below
    it."""
    found = {delimiter: _columns(file, text, delimiter) for delimiter in DELIMITERS}
    known = {delimiter: columns for delimiter, columns in found.items() if columns}
    if not known:
        return None
    best = max(known, key=lambda delimiter: len(known[delimiter].places))
    rows = _rows(file, text, best, strict=True)
    return known[best], (row for row in rows if row.line > known[best].header.line)


def _columns(file: str, text: str, delimiter: str) -> Columns | None:
    """Quotes that end at another delimiter are no fault yet: it may not be this one."""
    rows = _rows(file, text, delimiter, strict=False)
    header = next((row for row in rows if not _is_hint(row)), None)
    return Columns.of(file, header) if header else None


def _is_hint(row: TableRow) -> bool:
    """Whether a row is ``sep=;`` above the header, as spreadsheets write and read it, or an empty
    line."""
    return not any(row.cells) or row.cells[0].lower().startswith("sep=")


def _rows(file: str, text: str, delimiter: str, *, strict: bool) -> Iterator[TableRow]:
    """Yields every row with the line on which it begins; empty lines are none."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=strict)
    line = 1
    try:
        for cells in reader:
            if cells:
                yield TableRow(line, tuple(cell.replace("\r\n", "\n") for cell in cells))
            line = reader.line_num + 1
    except csv.Error as error:
        todo = 'double the quotes inside a cell (""), and close every quote'
        raise UsageError(f"not valid CSV: {error}", where=f"{file}:{line}", todo=todo) from None
