"""The file that says which tests the tool wrote: read, and written again."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

OWNERSHIP_FILE = ".lift.json"
"""File name, in the test root."""
_KNOWN = (1, 2)
"""Versions that are read; in 1, hashes are of texts, in 2 of syntax trees (`meaning`)."""
_DIGEST, _KEY = re.compile(r"[0-9a-f]{16}"), re.compile(r"[0-9a-f]{8}")


@dataclass(frozen=True)
class Ownership:
    """Content of `OWNERSHIP_FILE`."""

    tests: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    refused: frozenset[str] = frozenset()
    """Hashes of checks that a person refused in a review: they are not proposed again."""
    refused_links: frozenset[str] = frozenset()
    """Keys of links that a person refused (`pytest-lift link`): they are not suggested again."""
    problem: str | None = None
    """Reason why it could not be used, wholly or in part."""


@lru_cache(maxsize=64)
def parse_ownership(text: str) -> Ownership:
    """Reads the ownership file; whatever cannot be understood is the user's. Never raises."""
    if not text.strip():
        return Ownership(problem="is empty" if text else None)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        return Ownership(problem=f"is not JSON ({error})")
    if not isinstance(data, dict) or type(data.get("version")) is not int:
        return Ownership(problem="names no version")
    if data["version"] not in _KNOWN:
        known = " and ".join(map(str, _KNOWN))
        return Ownership(problem=f"is of version {data['version']}, this program knows {known}")
    tests, files = _digests(data.get("tests", {})), _digests(data.get("files", {}))
    refused = frozenset(_refused(data.get("refused", []), _DIGEST))
    links = frozenset(_refused(data.get("refused_links", []), _KEY))
    whole = tests == data.get("tests", {}) and files == data.get("files", {})
    whole = whole and sorted(refused) == data.get("refused", [])
    whole = whole and sorted(links) == data.get("refused_links", [])
    problem = None if whole else "has entries that are no hashes"
    return Ownership(tests, files, refused, links, problem)


def ownership_text(
    tests: Mapping[str, str],
    files: Mapping[str, str],
    refused: Collection[str] = (),
    refused_links: Collection[str] = (),
) -> str | None:
    """Returns the text of the ownership file; None if no file is needed."""
    if not tests and not files and not refused and not refused_links:
        return None
    data: dict[str, object] = {"version": _KNOWN[-1], "files": dict(files), "tests": dict(tests)}
    if refused:
        data["refused"] = sorted(refused)
    if refused_links:
        data["refused_links"] = sorted(refused_links)
    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _refused(data: Any, form: re.Pattern[str]) -> Iterator[str]:
    for value in data if isinstance(data, list) else ():
        if isinstance(value, str) and form.fullmatch(value):
            yield value


def _digests(data: Any) -> dict[str, str]:
    if not isinstance(data, dict):
        return {}
    return {k: v for k, v in data.items() if isinstance(v, str) and _DIGEST.fullmatch(v)}
