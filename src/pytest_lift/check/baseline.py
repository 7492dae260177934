"""Problems that are known already, kept in a file: counted, not reported again.

Entries have no line numbers, so that edits above a problem do not make it new.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_lift.check.problems import ERROR, Findings, Problem
from pytest_lift.errors import UsageError
from pytest_lift.files.atomic import place_file
from pytest_lift.text.printable import redacted_data

BASELINE_FILE = ".lift-baseline.json"
"""File name, in the root of the project; used if the file exists."""
VERSION = 1
_NEVER = ("requirement-file",)
"""Rules that no baseline hides: while a requirement file is broken, little else is checked."""

Key = tuple[str, str, str, str]
_FIELDS = ("rule", "file", "test", "requirement")


def read_baseline(path: Path) -> Mapping[Key, int]:
    """Returns the number of occurrences of each known problem. Raises `UsageError` for a file that
    is not a baseline."""
    try:
        data = json.loads(path.read_text("utf-8"))
        if data["version"] != VERSION:
            raise ValueError(f"is of version {data['version']}, this program knows {VERSION}")
        counts: Counter[Key] = Counter()
        for key, entry in zip(_read_keys(data["problems"]), data["problems"], strict=True):
            counts[key] += _count(entry)
        return counts
    except OSError as error:
        what = f"baseline cannot be read: {error.strerror}"
        todo = "name another file, or create it with --write-baseline"
        raise UsageError(what, where=str(path), todo=todo) from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        todo = "delete it and write a new one (--write-baseline), or name another: --baseline FILE"
        what = f"this is not a baseline: {type(error).__name__}: {error}"
        raise UsageError(what, where=str(path), todo=todo) from None


def write_baseline(path: Path, problems: Iterable[Problem]) -> int:
    """Writes all `problems` that may be hidden, and returns their number.

    Raises `UsageError`, also where `path` is a file that is not a baseline: it would be
    overwritten.
    """
    if path.is_file():
        read_baseline(path)
    counts = Counter(_keys([problem for problem in problems if _may_be_hidden(problem)]))
    entries = [
        {**dict(zip(_FIELDS, key, strict=True)), "count": count}
        for key, count in sorted(counts.items())
    ]
    text = json.dumps({"version": VERSION, "problems": entries}, indent=1) + "\n"
    try:
        place_file(path, text.encode())
    except OSError as error:
        what = f"baseline cannot be written: {error.strerror}"
        raise UsageError(what, where=str(path), todo="name another: --baseline FILE") from None
    return sum(counts.values())


def without_known(found: Findings, known: Mapping[Key, int], *, with_base: bool) -> Findings:
    """Findings less those of the baseline, and what of it no longer occurs."""
    left = Counter(known)
    kept = []
    for problem, key in zip(found.problems, _keys(found.problems), strict=True):
        if _may_be_hidden(problem) and left[key] > 0:
            left[key] -= 1
        else:
            kept.append(problem)
    stale = [
        f"no longer occurs: {_told(key, count)}"
        for key, count in sorted(left.items())
        if count > 0 and found.whole and (with_base or key[0] != "deleted-link")
    ]
    hidden = len(found.problems) - len(kept)
    return replace(found, problems=tuple(kept), suppressed=hidden, stale=tuple(stale))


def _may_be_hidden(problem: Problem) -> bool:
    """Whether a baseline may hide a problem: no missed threshold, no broken requirement file."""
    missed = problem.fixed_severity and problem.severity == ERROR
    return problem.rule not in _NEVER and not missed


def _told(key: Key, count: int) -> str:
    rule, file, test, requirement = key
    times = f" ({count} times)" if count > 1 else ""
    return " ".join(part for part in (rule, test or file, requirement) if part) + times


def _keys(problems: Sequence[Problem]) -> list[Key]:
    return _redacted([problem.key for problem in problems])


def _read_keys(entries: Sequence[Mapping[str, Any]]) -> list[Key]:
    return _redacted([[str(entry[name]) for name in _FIELDS] for entry in entries])


def _redacted(keys: Sequence[Sequence[str]]) -> list[Key]:
    """Returns the keys of problems without secrets, because a baseline is committed."""
    return [(rule, file, test, of) for rule, file, test, of in redacted_data(keys)]


def _count(entry: Mapping[str, Any]) -> int:
    count = entry["count"]
    if type(count) is not int or count < 1:
        raise ValueError(f"{count!r} is not a count")
    return count
