"""Values of the check as rows of JSON and back, for the cache."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pytest_lift.check.known import KnownRequirement, KnownRequirements
from pytest_lift.check.problems import Problem
from pytest_lift.check.reading import LinkedFile, LinkedTest, MarkOn
from pytest_lift.marks import Fault, Id, Mark, Place


def row_of_file(file: LinkedFile) -> list[Any]:
    """Of a file that can be parsed."""
    marks = [
        [mark.name, mark.place, mark.ids, mark.faults, mark.unreadable, mark.row, owner]
        for mark, owner in file.marks
    ]
    return [file.tests, marks, sorted(file.bases)]


def file_of_row(path: str, text: str, row: Sequence[Any]) -> LinkedFile:
    tests, marks, bases = row
    return LinkedFile(
        path,
        text,
        tuple(
            LinkedTest(name, first, end, Place(*place), tuple(numbers), mixin)
            for name, first, end, place, numbers, mixin in tests
        ),
        tuple(
            MarkOn(
                Mark(
                    name,
                    Place(*place),
                    tuple(Id(value, Place(*where)) for value, where in ids),
                    tuple(Fault(what, Place(*where)) for what, where in faults),
                    unreadable,
                    row_only,
                ),
                owner,
            )
            for name, place, ids, faults, unreadable, row_only, owner in marks
        ),
        frozenset(bases),
    )


def row_of_known(known: KnownRequirements) -> list[Any]:
    """Of requirements without errors; their warnings are kept with them."""
    warnings = [[p.file, p.place, p.what, p.todo, p.severity] for p in known.problems]
    return [[*known.by_id.values()], warnings]


def known_of_row(row: Sequence[Any]) -> KnownRequirements:
    items, warnings = row
    return KnownRequirements(
        {item[0]: KnownRequirement(*item) for item in items},
        tuple(
            Problem("requirement-file", file, Place(*place), what, todo, severity=severity)
            for file, place, what, todo, severity in warnings
        ),
    )
