"""Coverage of one run as values: figures, which its JSON report gives, branches and lines."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import or_
from pathlib import Path
from typing import Any

from pytest_lift.errors import LiftError
from pytest_lift.files import untrusted
from pytest_lift.source.program import Program

Branch = tuple[str, int, int]
"""(file relative to the project root, from line, to line); a negative `to` leaves the function."""
Entry = tuple[str, int]
"""(file relative to the project root, first line of a function, decorators included)."""
Arc = tuple[int, int]
Line = tuple[str, int]
"""(file relative to the project root, line number)."""
NOBODY: frozenset[str] = frozenset()

JSON_FILE = "coverage.json"


@dataclass(frozen=True)
class FileCoverage:
    """Figures of one source file in coverage.py's report."""

    path: str
    executed: frozenset[int]
    missing: frozenset[int]
    excluded: frozenset[int]
    executed_branches: frozenset[tuple[int, int]]
    missing_branches: frozenset[tuple[int, int]]
    partial: int = 0
    """Exits that ``# pragma: no branch`` counts as taken though they were not."""

    @property
    def statements(self) -> int:
        return len(self.executed) + len(self.missing)

    @property
    def covered_branches(self) -> int:
        return len(self.executed_branches) + self.partial

    @property
    def branches(self) -> int:
        return self.covered_branches + len(self.missing_branches)


@dataclass(frozen=True)
class Coverage:
    """Figures of one run over the whole program, as coverage.py counts them.

    `by_test` is empty when contexts were switched off. Tests that took the same branches share one
    set object. Percentages are not rounded; with nothing to cover they are 100.0, as in
    coverage.py.
    """

    files: Mapping[str, FileCoverage] = field(default_factory=dict)
    by_test: Mapping[str, frozenset[Branch]] = field(default_factory=dict)
    """pytest node id (parameters included) -> branches it took in any phase; a test that executed
    nothing of the program is absent."""
    functions_by_test: Mapping[str, frozenset[Entry]] = field(default_factory=dict)
    """pytest node id -> (file, first line with decorators) of the functions it entered."""

    @cached_property
    def statements(self) -> int:
        return sum(file.statements for file in self.files.values())

    @cached_property
    def covered_statements(self) -> int:
        return sum(len(file.executed) for file in self.files.values())

    @cached_property
    def branches(self) -> int:
        return sum(file.branches for file in self.files.values())

    @cached_property
    def covered_branches(self) -> int:
        return sum(file.covered_branches for file in self.files.values())

    @property
    def line_percent(self) -> float:
        return _percent(self.covered_statements, self.statements)

    @property
    def branch_percent(self) -> float:
        return _percent(self.covered_branches, self.branches)

    @property
    def combined(self) -> float:
        """Coverage of lines and branches together: coverage.py's total."""
        covered = self.covered_statements + self.covered_branches
        return _percent(covered, self.statements + self.branches)

    def covered(self) -> frozenset[Branch]:
        """Returns every branch that was taken, by any test or import."""
        return frozenset(
            (file.path, *arc) for file in self.files.values() for arc in file.executed_branches
        )


@dataclass(frozen=True)
class Lines:
    """Lines executed by each test; empty if contexts were switched off."""

    tests: tuple[str, ...] = ()
    """pytest node ids."""
    executed: Mapping[Line, int] = field(default_factory=dict)
    """Line -> bit set: bit n if the call of `tests[n]` executes it."""
    shared: frozenset[Line] = frozenset()
    """Lines that are executed outside of calls, too: at import, or by fixtures."""
    missing: frozenset[Line] = frozenset()
    """Lines of statements that are never executed."""
    reached: Mapping[Line, int] = field(default_factory=dict)
    """Line -> bit set: bit n if `tests[n]` executes it in setup, call or teardown."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Node id -> seconds of its call, for every test of the run; empty if unknown."""

    def reaching(self, places: Iterable[Line]) -> frozenset[str]:
        """Returns the tests that execute one of these lines in any phase."""
        return self._nodes(_united(self.reached, places))

    def passing_by(self, file: str, lines: Collection[int], around: range) -> frozenset[str]:
        """Returns tests whose call executes a line of `around` but none of `lines`.

        Returns nobody if it is not known which tests execute `lines`.
        """
        places = [(file, line) for line in lines]
        reaching = _united(self.executed, places)
        unknown = not reaching and self.missing.isdisjoint(places)
        if not places or unknown or not self.shared.isdisjoint(places):
            return NOBODY
        left = _united(self.executed, ((file, line) for line in around)) & ~reaching
        return self._nodes(left)

    def _nodes(self, bits: int) -> frozenset[str]:
        return frozenset(node for n, node in enumerate(self.tests) if bits >> n & 1)


def _united(bits: Mapping[Line, int], places: Iterable[Line]) -> int:
    return reduce(or_, (bits.get(place, 0) for place in places), 0)


def _percent(covered: int, total: int) -> float:
    return 100.0 * covered / total if total else 100.0


def read_files(path: Path, program: Program, copy: Path) -> dict[str, FileCoverage]:
    """Returns the files of `program` in a JSON report of coverage.py; raises `LiftError`."""
    try:
        found = json.loads(untrusted.read(path))["files"]
        if not any(row["executed_lines"] or "executed_branches" in row for row in found.values()):
            return {}  # where nothing ran, `[paths]` of the project can drop the branches
        rows = [(inside(name, copy), row) for name, row in found.items()]
        wanted = program.files.keys() - program.unmeasured
        files = {name: _file(name, row) for name, row in rows if name in wanted}
    except FileNotFoundError as error:
        raise _nothing_measured(path, program) from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise LiftError(
            f"coverage.py's report cannot be read ({type(error).__name__}: {error})",
            where=str(path),
            todo="run again; branch measurement and coverage 7.6 or newer are needed",
        ) from error
    return files


def _nothing_measured(path: Path, program: Program) -> LiftError:
    names = ", ".join(program.names) or "the program"
    return LiftError(
        f"no coverage data was collected for {names}",
        where=str(path),
        todo="check that the tests import it from the project (not an installed copy), that the "
        "session did not end early, and that `omit` of coverage does not exclude it",
    )


def _file(path: str, row: Mapping[str, Any]) -> FileCoverage:
    executed, excluded = _arcs(row["executed_branches"]), row["excluded_lines"]
    covered = as_number(row["summary"]["covered_branches"])
    return FileCoverage(
        path,
        # Before coverage 7.7, the executed lines contained the first line of an excluded block.
        frozenset(map(as_number, row["executed_lines"])) - frozenset(map(as_number, excluded)),
        frozenset(map(as_number, row["missing_lines"])),
        frozenset(map(as_number, excluded)),
        executed,
        _arcs(row["missing_branches"]),
        covered - len(executed),
    )


def _arcs(rows: Iterable[list[int]]) -> frozenset[Arc]:
    return frozenset((as_number(start), as_number(end)) for start, end in rows)


def as_number(value: object) -> int:
    """Returns a line number or a count; raises TypeError for anything else."""
    if type(value) is not int or abs(value) > 1 << 31:
        raise TypeError(f"{value!r:.40} is no line number or count")
    return value


def inside(name: str, copy: Path) -> str:
    """Returns a path relative to `copy` if it is below it, else unchanged."""
    path = Path(name.replace("\\", "/"))
    return (path.relative_to(copy) if path.is_relative_to(copy) else path).as_posix()
