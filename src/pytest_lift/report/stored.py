"""`Report` <-> JSON: the stored form, which other programs can read.

The schema is printed by ``pytest-lift schema report``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pytest_lift.errors import UsageError
from pytest_lift.files import untrusted
from pytest_lift.report.facts import Report
from pytest_lift.text.secrets import redacted_data

VERSION = 2
RENAMED = {"untested": "uncovered", "partial": "touched"}
"""Statuses of version 1 that were renamed."""
LARGEST = 256 * 1024 * 1024
"""Largest size of a stored report that is read, in bytes."""


def as_data(report: Report) -> dict[str, Any]:
    """Returns the report as plain mappings, lists and scalars, the version first."""
    return {"version": VERSION, **_plain(report)}


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {name: _plain(getattr(value, name)) for name in _names(value.__class__)}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


@lru_cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def from_data(data: Mapping[str, Any]) -> Report:
    """Reads data written by `as_data`. Raises ValueError for malformed data and for an unknown
    version."""
    if data.get("version") == 1:
        data = _of_version_1(data)
    if data.get("version") != VERSION:
        raise ValueError(f"it has version {data.get('version')!r}, this program reads {VERSION}")
    found: Report = _made(Report, {k: v for k, v in data.items() if k != "version"}, "")
    return found


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


def _made(kind: Any, value: Any, place: str) -> Any:
    """Converts JSON data to a value of the type `kind`; missing fields get their defaults.
    Raises ValueError if the data does not fit."""
    if is_dataclass(kind):
        return _made_of_table(kind, value, place)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _made(inner[0], value, place)
    if origin is Literal:
        fits = value in inner
    elif origin in (Union, UnionType):
        if value is None and NoneType in inner:
            return None
        (only,) = (one for one in inner if one is not NoneType)
        return _made(only, value, place)
    elif origin is tuple:
        return _made_of_list(inner, value, place)
    else:
        fits = isinstance(value, int | float if kind is float else kind)
        fits = fits and isinstance(value, bool) == (kind is bool)
    if not fits:
        raise ValueError(f"{place or 'it'} cannot be {value!r:.60}")
    return value


def _made_of_table(kind: Any, value: Any, place: str) -> Any:
    if not isinstance(value, Mapping):
        raise ValueError(f"{place or 'it'} is not an object")
    hints = _hints(kind)
    known = {name: _made(hints[name], value[name], name) for name in hints if name in value}
    try:
        return kind(**known)
    except TypeError as error:
        raise ValueError(f"{place or 'it'} lacks a key ({error})") from error


def _made_of_list(inner: tuple[Any, ...], value: Any, place: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise ValueError(f"{place} is not a list")
    if inner[-1] is Ellipsis:
        return tuple(_made(inner[0], item, place) for item in value)
    if len(inner) != len(value):
        raise ValueError(f"{place} has {len(value)} parts, not {len(inner)}")
    return tuple(_made(one, item, place) for one, item in zip(inner, value, strict=True))


@lru_cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


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
    """Returns `value` with every free text in it changed."""
    if value is None:
        return None
    origin, inner = get_origin(kind), get_args(kind)
    if kind is str or (origin is Annotated and identifiers):
        return change(value)
    if is_dataclass(value):
        made, hints = value.__class__, _hints(value.__class__)
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


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is not a number")


def read_report(path: Path) -> Report:
    """Reads a stored report. Raises UsageError if the file cannot be read or is not a report."""
    try:
        data = json.loads(untrusted.read(path, LARGEST), parse_constant=_no_number)
        if not isinstance(data, dict):
            raise ValueError("it is not an object")
        return from_data(data)
    except OSError as error:
        raise UsageError(
            f"the report cannot be read: {error.strerror}",
            where=str(path),
            todo="name a run that ended (pytest-lift restore --list), or a report.json",
        ) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"this is not a report that pytest-lift can read: {error}",
            where=str(path),
            todo="write it again: pytest --requirements FILE --lift-report=json:FILE",
        ) from error
