"""Values of the check as rows of JSON and back, for the cache."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pytest_lift.check.known import KnownRequirement, KnownRequirements
from pytest_lift.check.problems import Problem
from pytest_lift.marks.docstrings import TextSpan
from pytest_lift.marks.marks import Fault, Id, Mark
from pytest_lift.suite.never_run import Stray
from pytest_lift.suite.test_file import TestFile, TestFunction

ODD = (ValueError, TypeError, KeyError, IndexError, AttributeError)
"""Raised here for a row of another shape; it is as if it were not there."""


def row_of_file(file: TestFile) -> list[Any]:
    """Row of a file that can be parsed."""
    numbers = {mark: number for number, mark in enumerate(file.marks)}
    tests, mixins, shadowed = (
        [
            [
                *(t.inner_node, t.line, t.end_line, t.place, t.docstring, t.never),
                *(numbers[mark] for mark in t.marks),
            ]
            for t in group
        ]
        for group in (file.tests, file.mixins, file.shadowed)
    )
    return [tests, [*file.marks.items()], mixins, shadowed, file.strays, sorted(file.bases)]


def file_of_row(path: str, text: str, row: Sequence[Any]) -> TestFile:
    """Raises one of `ODD`."""
    tests, marks, mixins, shadowed, strays, bases = row
    known = [(_mark_of_row(*mark), owner) for mark, owner in marks]
    found = [mark for mark, _ in known]

    def test(
        name: str, line: int, end: int, place: Any, doc: str, never: str, *of: int
    ) -> TestFunction:
        held = tuple([found[number] for number in of])
        return TestFunction(f"{path}::{name}", line, end, TextSpan(*place), doc, held, never, text)

    file = TestFile(
        path,
        text,
        tuple([test(*each) for each in tests]),
        marks=dict(known),
        mixins=tuple([test(*each) for each in mixins]),
        shadowed=tuple([test(*each) for each in shadowed]),
        strays=tuple([Stray(name, what, TextSpan(*at), base) for name, what, at, base in strays]),
        bases=frozenset(bases),
    )
    _require_sense(file)
    return file


def _mark_of_row(name: str, place: Any, ids: Any, faults: Any, *more: Any) -> Mark:
    known = tuple([Id(value, TextSpan(*where)) for value, where in ids])
    wrong = tuple([Fault(what, TextSpan(*where)) for what, where in faults])
    return Mark(name, TextSpan(*place), known, wrong, *more)


def _require_sense(file: TestFile) -> None:
    """Raises for rows of another version, or planted ones: before rules stumble over them."""
    tests = (*file.tests, *file.mixins, *file.shadowed)
    texts = [text for test in tests for text in (test.docstring, test.never)]
    texts += [text for stray in file.strays for text in (stray.name, stray.what, stray.base)]
    texts += [each.value for mark in file.marks for each in mark.ids]
    places = [each.place for group in (tests, file.strays, file.marks) for each in group]
    lines = [line for test in tests for line in (test.line, test.end_line)]
    lines += [line for place in places for line in place]
    if not {*map(type, texts)} <= {str} or not {*map(type, lines)} <= {int}:
        raise TypeError("a row holds what it cannot")


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
