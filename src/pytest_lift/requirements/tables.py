"""Tables of requirements -> fields: exports of trackers as CSV, and pages of Markdown.

The headings above a table of a page are its scope; of a page, tables without ids are prose.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_lift.errors import UsageError
from pytest_lift.requirements.columns import NAMES, Columns, Scoped, TableRow
from pytest_lift.requirements.yaml_tree import decoded, shown

if TYPE_CHECKING:
    from markdown_it.token import Token

_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_PIPE = re.compile(r"(?<!\\)\|")
DELIMITERS = (",", ";", "\t")


@dataclass(frozen=True)
class _Grid:
    """Table with its header and rows, and the text of every cell without code ticks."""

    scope: tuple[str, ...]
    rows: tuple[tuple[TableRow, TableRow], ...]
    """(cells as they read, cells without ticks), the header first."""


def read_tables(path: Path, problems: list[UsageError], warnings: list[str]) -> Scoped:
    """Yields the requirements of all tables that have an id column; other tables are prose. Raises
    `UsageError` where the file cannot be read."""
    file, text = shown(path), decoded(path)
    lines = re.split(r"\r\n?|\n", text)
    for grid in _grids(text):
        _, header = grid.rows[0]
        columns = Columns.of(file, header)
        if columns is None:
            continue
        warnings += [columns.warning] if columns.warning else []
        for marked, bare in grid.rows[1:]:
            if _has_more_cells(lines[marked.line - 1], header):
                what = "more cells than columns: the last ones are lost; write \\| for |"
                warnings.append(f"{file}:{marked.line}: {what}")
            cells = _chosen(columns, marked, bare)
            if table := columns.requirement(TableRow(marked.line, cells), problems):
                yield grid.scope, table


def _chosen(columns: Columns, marked: TableRow, bare: TableRow) -> tuple[str, ...]:
    """Returns the texts of the cells: prose keeps its code ticks, which tell names of the program;
    ids and examples are code."""
    prose = {
        at
        for name in ("title", "description", "acceptance", "scenario")
        for at in columns.places.get(name, ())
    }
    pairs = enumerate(zip(marked.cells, bare.cells, strict=True))
    return tuple(with_ticks if at in prose else without for at, (with_ticks, without) in pairs)


def _has_more_cells(line: str, header: TableRow) -> bool:
    inner = line.strip().lstrip(">").strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return len(_PIPE.findall(inner)) + 1 > len(header.cells)


def _grids(text: str) -> Iterator[_Grid]:
    """Yields the tables of a page as CommonMark sees it: none in code, none in comments."""
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    headings: dict[int, str] = {}
    rows: list[tuple[int, list[Token]]] = []
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            rank = int(token.tag[1:])
            headings = {above: name for above, name in headings.items() if above < rank}
            headings[rank] = _written(tokens[at + 1].children or (), "").replace("\n", " ").strip()
        elif token.type == "table_open":
            rows = []
        elif token.type == "tr_open":
            rows.append(((token.map or [0])[0] + 1, []))
        elif token.type in ("th_open", "td_open"):
            rows[-1][1].append(tokens[at + 1])
        elif token.type == "table_close":
            scope = tuple(name for _, name in sorted(headings.items()) if name)
            yield _Grid(scope, tuple(_pair(line, cells) for line, cells in rows))


def _pair(line: int, cells: list[Token]) -> tuple[TableRow, TableRow]:
    children = [cell.children or () for cell in cells]
    marked = tuple(_written(parts, "`") for parts in children)
    return TableRow(line, marked), TableRow(line, tuple(_written(parts, "") for parts in children))


def _written(children: Sequence[Token], tick: str) -> str:
    """Returns a cell's text: no emphasis or links, ``<br>`` a new line, code between `tick`."""
    parts = []
    for child in children:
        if child.type == "code_inline":
            parts.append(f"{tick}{child.content}{tick}")
        elif child.type in ("softbreak", "hardbreak") or _BREAK.fullmatch(child.content):
            parts.append("\n")
        else:
            parts.append(child.content)
    return "".join(parts)


def read_rows(path: Path, problems: list[UsageError], warnings: list[str]) -> Scoped:
    """Yields the requirements of the file, whose first row names the columns. Raises `UsageError`
    where the file cannot be read, or is no table of requirements."""
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
    """Returns the columns by the delimiter that fits the header best, and the rows below it."""
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
    """Whether a row is empty, or ``sep=;`` above the header, as spreadsheets write it."""
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
