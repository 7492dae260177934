"""The requirements that tests may name, with exemptions, and the nearest to an id that is none."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pytest_lift.check.problems import START, WARNING, Problem, Slip
from pytest_lift.errors import UsageError
from pytest_lift.marks.fields import TextSpan

if TYPE_CHECKING:
    from pytest_lift.requirements.requirement import Requirement

_SIMILAR = 0.6
"""From this ratio on, an id is named as what may be meant."""
_CERTAIN = 0.8
"""From this ratio on, the only such id may be written in its place."""
_MOST = 200
"""So many unknown ids are looked up; where there are more, the file is the wrong one."""


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


class NearestIds:
    """Looks up unknown ids among `known` ones."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = tuple(known)
        self._found: dict[str, tuple[str, Slip]] = {}

    def of(self, unknown: str) -> tuple[str, Slip]:
        """Returns (the nearest id or "", how the unknown id differs from it if no other id can be
        meant)."""
        if unknown not in self._found:
            if len(self._found) >= _MOST:
                return "", ""
            self._found[unknown] = self._look_up(unknown)
        return self._found[unknown]

    def _look_up(self, unknown: str) -> tuple[str, Slip]:
        found, slip = self._certain(unknown)
        if len(found) == 1:
            return found[0], slip
        from difflib import get_close_matches

        close = get_close_matches(unknown.casefold(), self._by_folded, n=1, cutoff=_SIMILAR)
        return (self._by_folded[close[0]] if close else ""), ""

    def _certain(self, unknown: str) -> tuple[list[str], Slip]:
        """Returns the ids that have the same numbers: ENC-11 is no slip for ENC-1, but EMC-11 is
        for ENC-11.

        In a known family only case and leading zeros can be a slip: beside ENC-1 and DEC-11, ENC-11
        may be either, or a requirement that is yet to be written.
        """
        same = self._by_numbers.get(_numbers(unknown), ())
        if _family(unknown) in self._families:
            return [known for known in same if _family(known) == _family(unknown)], "spelling"
        from difflib import SequenceMatcher

        matcher = SequenceMatcher(b=unknown.casefold())
        found = []
        for identity in same:
            matcher.set_seq1(identity.casefold())
            if matcher.real_quick_ratio() >= _CERTAIN and matcher.ratio() >= _CERTAIN:
                found.append(identity)
        return found, "letters"

    @cached_property
    def _families(self) -> frozenset[str]:
        return frozenset(map(_family, self._known))

    @cached_property
    def _by_folded(self) -> dict[str, str]:
        return {identity.casefold(): identity for identity in self._known}

    @cached_property
    def _by_numbers(self) -> dict[tuple[int, ...], list[str]]:
        found: dict[tuple[int, ...], list[str]] = {}
        for identity in self._known:
            found.setdefault(_numbers(identity), []).append(identity)
        return found


def _numbers(identity: str) -> tuple[int, ...]:
    return tuple(int(digits) for digits in re.findall(r"[0-9]+", identity))


def _family(identity: str) -> str:
    """Returns the common part of ids that differ in their numbers, in case or in white space."""
    return re.sub(r"[0-9]+", "#", "".join(identity.split()).casefold())
