"""The requirements that tests may name: ids, places and exemptions, and mistakes in their files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pytest_lift.check.problems import START, WARNING, Problem
from pytest_lift.errors import UsageError
from pytest_lift.marks.fields import TextSpan

if TYPE_CHECKING:
    from pytest_lift.requirements.requirement import Requirement


class KnownRequirement(NamedTuple):
    """Facts about a requirement that the check needs."""

    id: str
    title: str
    file: str
    """POSIX path, relative to the project root."""
    line: int
    exempt: str = ""
    """`non_goal`, `untestable`, `waived`, or nothing."""
    reason: str = ""


@dataclass(frozen=True)
class KnownRequirements:
    """All requirements of a project, by id."""

    by_id: Mapping[str, KnownRequirement] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    """Mistakes in the files; with an error among them, `by_id` is empty."""

    @property
    def readable(self) -> bool:
        return all(problem.severity == WARNING for problem in self.problems)

    @property
    def testable(self) -> list[KnownRequirement]:
        return [item for item in self.by_id.values() if not item.exempt]


def read_known(paths: Sequence[Path], root: Path, cwd: Path) -> KnownRequirements:
    """Reads the requirement files `paths`.

    Raises `UsageError` for a file that is not there or cannot be opened; a mistake inside becomes
    one of the `problems`.
    """
    from pytest_lift.requirements.reader import load

    try:
        loaded = load(paths)
    except UsageError as error:
        singles = error.problems or (error,)
        problems = tuple(_file_problem(single, root, cwd) for single in singles)
        return KnownRequirements(problems=problems)
    shown = {file: _relative(file, root, cwd) for file in {item.file for item in loaded}}
    items = {
        item.id: KnownRequirement(
            item.id, item.title, shown[item.file], item.line, *next(_exemption(item), ("", ""))
        )
        for item in loaded
    }
    return KnownRequirements(items, tuple(_warnings(loaded.warnings, root, cwd)))


def _exemption(item: Requirement) -> Iterator[tuple[str, str]]:
    for name in ("non_goal", "untestable", "waived") if item.exempt else ():
        if reason := getattr(item, name):
            yield name, reason


def _file_problem(error: UsageError, root: Path, cwd: Path) -> Problem:
    file, place = _split(error.where)
    if place is None:
        raise error
    return Problem("requirement-file", _relative(file, root, cwd), place, error.what, error.todo)


def _warnings(warnings: Iterable[str], root: Path, cwd: Path) -> Iterator[Problem]:
    for text in warnings:
        where, _, what = text.partition(": ")
        file, place = _split(where)
        yield Problem(
            "requirement-file",
            _relative(file, root, cwd),
            place or START,
            what,
            severity=WARNING,
        )


def _split(where: str) -> tuple[str, TextSpan | None]:
    """Returns path and place of ``file:line:column`` or ``file:line``; without a line None."""
    parts = where.rsplit(":", 2)
    numbers = [int(part) for part in parts[1:] if part.isdecimal()]
    if not numbers:
        return where, None
    line, column = (*numbers, 1)[:2]
    return ":".join(parts[: len(parts) - len(numbers)]), TextSpan(line, column, line, column)


def _relative(file: str, root: Path, cwd: Path) -> str:
    """Returns the path relative to the root; a file outside it keeps its absolute path."""
    full = Path(os.path.normpath(cwd / file))
    return (full.relative_to(root) if full.is_relative_to(root) else full).as_posix()
