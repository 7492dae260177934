"""Values of the check as rows of JSON and back, for the cache."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pytest_lift.check.known import KnownRequirement, KnownRequirements
from pytest_lift.check.problems import Problem
from pytest_lift.check.reading import LinkedFile, LinkedTest, MarkOn, Stray
from pytest_lift.marks.docstrings import TextSpan
from pytest_lift.marks.marks import Fault, Id, Mark


def row_of_file(file: LinkedFile) -> list[Any]:
    """Of a file that can be parsed."""
    marks = [
        [m.name, m.place, m.ids, m.faults, m.unreadable, m.row, m.in_docstring, owner]
        for m, owner in file.marks
    ]
    return [file.tests, marks, sorted(file.bases), file.strays, file.shadowed]


ODD = (ValueError, TypeError, KeyError, IndexError, AttributeError)
"""What a row of another shape raises here; it is as if it were not there."""


def file_of_row(path: str, text: str, row: Sequence[Any]) -> LinkedFile:
    """Raises one of `ODD`."""
    tests, marks, bases, strays, shadowed = row
    file = LinkedFile(
        path,
        text,
        tuple(map(_test_of_row, tests)),
        tuple(
            MarkOn(
                Mark(
                    name,
                    TextSpan(*place),
                    tuple(Id(value, TextSpan(*where)) for value, where in ids),
                    tuple(Fault(what, TextSpan(*where)) for what, where in faults),
                    unreadable,
                    row_only,
                    in_docstring,
                ),
                owner,
            )
            for name, place, ids, faults, unreadable, row_only, in_docstring, owner in marks
        ),
        frozenset(bases),
        strays=tuple(
            Stray(name, what, TextSpan(*place), base) for name, what, place, base in strays
        ),
        shadowed=tuple(map(_test_of_row, shadowed)),
    )
    _require_sense(file)
    return file


def _test_of_row(row: Sequence[Any]) -> LinkedTest:
    name, first, end, place, numbers, mixin, never = row
    return LinkedTest(name, first, end, TextSpan(*place), tuple(numbers), mixin, never)


def _require_sense(file: LinkedFile) -> None:
    """Of another version, or planted: what would be told as a traceback much later."""
    both = (*file.tests, *file.shadowed)
    texts = [test.name for test in both]
    texts += [test.never for test in both]
    texts += [text for stray in file.strays for text in (stray.name, stray.what, stray.base)]
    texts += [each.value for mark, _ in file.marks for each in mark.ids]
    lines = [line for test in both for line in (test.first_line, test.end_line, *test.place)]
    lines += [line for stray in file.strays for line in stray.place]
    lines += [line for mark, _ in file.marks for line in mark.place]
    numbers = [number for test in both for number in test.marks]
    if not {*map(type, texts)} <= {str} or not {*map(type, lines + numbers)} <= {int}:
        raise TypeError("a row holds what it cannot")
    if numbers and not 0 <= min(numbers) <= max(numbers) < len(file.marks):
        raise IndexError("a row names a mark that it lacks")


def row_of_known(known: KnownRequirements) -> list[Any]:
    """Of requirements without errors; their warnings are kept with them."""
    warnings = [[p.file, p.place, p.what, p.todo, p.severity] for p in known.problems]
    return [[*known.by_id.values()], warnings]


def known_of_row(row: Sequence[Any]) -> KnownRequirements:
    """Raises one of `ODD`."""
    items, warnings = row
    kinds = [str, str, str, int, str, str]
    if any([*map(type, item)] != kinds for item in items):
        raise TypeError("a row holds what it cannot")
    return KnownRequirements(
        {item[0]: KnownRequirement(*item) for item in items},
        tuple(
            Problem("requirement-file", file, TextSpan(*place), what, todo, severity=severity)
            for file, place, what, todo, severity in warnings
        ),
    )
