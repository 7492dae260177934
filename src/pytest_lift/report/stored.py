"""`Report` <-> JSON: the stored form, which other programs can read.

The schema is printed by ``pytest-lift schema report``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from itertools import repeat
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pytest_lift.errors import UsageError
from pytest_lift.files import untrusted
from pytest_lift.files.codec import decode, encode, loads, type_hints
from pytest_lift.report.facts import Report
from pytest_lift.text.printable import redacted_data

VERSION = 2
RENAMED = {"untested": "uncovered", "partial": "touched"}
"""Statuses of version 1 that were renamed."""
LARGEST = 256 * 1024 * 1024
"""Largest size of a stored report that is read, in bytes."""


def as_data(report: Report) -> dict[str, Any]:
    """Returns the report as plain mappings, lists and scalars, the version first."""
    return {"version": VERSION, **encode(report)}


def from_data(data: Mapping[str, Any]) -> Report:
    """Reads data written by `as_data`. Raises ValueError for malformed data and for an unknown
    version."""
    if data.get("version") == 1:
        data = _of_version_1(data)
    if data.get("version") != VERSION:
        raise ValueError(f"it has version {data.get('version')!r}, this program knows {VERSION}")
    return decode(Report, data)


def _of_version_1(data: Mapping[str, Any]) -> dict[str, Any]:
    """Renames statuses of version 1; malformed data is not changed."""

    def renamed(row: Any) -> Any:
        if not isinstance(row, Mapping) or not isinstance(row.get("status"), str):
            return row
        changed: dict[str, Any] = {"status": RENAMED.get(row["status"], row["status"])}
        if isinstance(row.get("history"), list):
            changed["history"] = [renamed(one) for one in row["history"]]
        return {**row, **changed}

    rows = data.get("requirements")
    known = [renamed(row) for row in rows] if isinstance(rows, list) else rows
    return {**data, "version": VERSION, "requirements": known}


def without_secrets(report: Report) -> Report:
    """Returns the report without the secrets in its texts, to be rendered in any format.

    Fixed terms (statuses, outcomes, ...) and identifiers stay, even if a secret is equal to one.
    """
    return with_texts(report, redacted_data, identifiers=False)


def with_texts(
    report: Report, change: Callable[[list[str]], list[str]], *, identifiers: bool = True
) -> Report:
    """Returns `report` with its free texts changed. `change` is called once, with each distinct
    text; `identifiers` says whether identifiers are changed, too."""
    texts: dict[str, str] = {}
    _mapped(Report, report, lambda text: texts.setdefault(text, text), identifiers)
    new = dict(zip(texts, change(list(texts)), strict=True))
    if new == texts:
        return report
    found: Report = _mapped(Report, report, new.__getitem__, identifiers)
    return found


def _mapped(kind: Any, value: Any, change: Callable[[str], str], identifiers: bool) -> Any:
    if value is None:
        return None
    origin, inner = get_origin(kind), get_args(kind)
    if kind is str or (origin is Annotated and identifiers):
        return change(value)
    if is_dataclass(value):
        made, hints = value.__class__, type_hints(value.__class__)
        found = {
            name: _mapped(hints[name], getattr(value, name), change, identifiers) for name in hints
        }
        return made(**found)
    if origin in (Union, UnionType):
        only = next(one for one in inner if one is not NoneType)
        return _mapped(only, value, change, identifiers)
    if origin is tuple:
        kinds = repeat(inner[0]) if inner[-1] is Ellipsis else inner
        pairs = zip(kinds, value, strict=False)
        return tuple(_mapped(one, item, change, identifiers) for one, item in pairs)
    return value


def as_text(report: Report) -> str:
    data = as_data(report)
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def read_report(path: Path) -> Report:
    """Reads a stored report. Raises UsageError if the file cannot be read or is not a report."""
    try:
        data = loads(untrusted.read(path, LARGEST))
        if not isinstance(data, dict):
            raise ValueError("it is not an object")
        return from_data(data)
    except OSError as error:
        raise UsageError(
            f"the report cannot be read: {error.strerror}",
            where=str(path),
            todo="name a run that ended (pytest-lift restore --list), or a report.json",
        ) from error
    except ValueError as error:
        raise UsageError(
            f"this is not a report that pytest-lift can read: {error}",
            where=str(path),
            todo="write it again: pytest --requirements FILE --lift-report=json:FILE",
        ) from error
