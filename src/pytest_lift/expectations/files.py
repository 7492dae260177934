"""Stores expectations as text, and selects those that still count in a later lift."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import Any, get_args

from pytest_lift.requirements.expectation import Expectation, Relation, Ruling, Suspect
from pytest_lift.requirements.requirement import Requirements, stands_in

VERSION = 1
MOST = 100_000
"""Most expectations that are read from one file."""

_TEXTS = frozenset(field.name for field in fields(Expectation))
_NEEDED = ("requirement", "call")
_WORDS = {"relation": Relation, "ruling": Ruling, "suspect": Suspect}


def written_expectations(expectations: Iterable[Expectation]) -> str:
    """Returns the expectations as JSON; empty if there are none."""
    rows = [asdict(one) for one in expectations]
    return json.dumps({"version": VERSION, "expectations": rows}, indent=1) + "\n" if rows else ""


def read_expectations(text: str) -> tuple[Expectation, ...]:
    """Returns the expectations that `written_expectations` wrote; malformed ones are left out.
    Never raises."""
    try:
        data = json.loads(text or "{}")
    except (ValueError, RecursionError, MemoryError):
        return ()
    if not isinstance(data, dict) or data.get("version") != VERSION:
        return ()
    rows = data.get("expectations")
    found = map(_expectation, rows[:MOST] if isinstance(rows, list) else [])
    return tuple(one for one in found if one is not None)


def still_stated(
    expectations: Iterable[Expectation], requirements: Requirements
) -> tuple[Expectation, ...]:
    """Returns the expectations whose sentence is still in their requirement."""
    known = {item.id: item for item in requirements.testable}
    return tuple(
        one
        for one in expectations
        if one.requirement in known and stands_in(one.sentence, known[one.requirement])
    )


def _expectation(row: Any) -> Expectation | None:
    if not isinstance(row, dict):
        return None
    told = {name: text for name, text in row.items() if name in _TEXTS}
    if not all(isinstance(text, str) for text in told.values()):
        return None
    if not all(told.get(name) for name in _NEEDED):
        return None
    if any(name in told and told[name] not in get_args(_WORDS[name]) for name in _WORDS):
        return None
    return Expectation(**{"sentence": "", **told})
