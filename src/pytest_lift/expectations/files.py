"""Stores expectations as text, and selects those that still count in a later lift."""

from __future__ import annotations

import json
from collections.abc import Iterable

from pytest_lift.files.codec import decode_each, encode, loads
from pytest_lift.requirements.requirement import Expectation, Requirements, stands_in

VERSION = 1
MOST = 100_000
"""Most expectations that are read from one file."""


def written_expectations(expectations: Iterable[Expectation]) -> str:
    """Returns the expectations as JSON; empty if there are none."""
    rows = [encode(one) for one in expectations]
    return json.dumps({"version": VERSION, "expectations": rows}, indent=1) + "\n" if rows else ""


def read_expectations(text: str) -> tuple[Expectation, ...]:
    """Returns the expectations that `written_expectations` wrote; malformed ones are left out.
    Never raises."""
    try:
        data = loads(text or "{}")
    except (ValueError, MemoryError):
        return ()
    if not isinstance(data, dict) or data.get("version") != VERSION:
        return ()
    rows = data.get("expectations")
    told = rows[:MOST] if isinstance(rows, list) else []
    found = decode_each(
        Expectation, [{"sentence": "", **row} for row in told if isinstance(row, dict)]
    )
    return tuple(one for one in found if one.requirement and one.call)


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
