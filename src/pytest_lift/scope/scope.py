"""The part of a program that one lift is about: places, requirements, and the tests for them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace

from pytest_lift.coverage.coverage import Coverage, FileCoverage
from pytest_lift.files.codec import stored_as
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.suite.suite import Suite
from pytest_lift.trace.trace import Trace

MOST_NAMED = 4
STATEMENT = "*"
"""Symbol of a place that is a statement of the module itself."""


@dataclass(frozen=True)
class ScopePlace:
    """A symbol of the program with its lines, or a whole file."""

    path: str = field(metadata=stored_as("file"))
    symbol: str
    """Qualified name inside the file; empty for the whole file; `STATEMENT` for a module-level
    statement."""
    line: int
    end_line: int

    def has_line(self, path: str, line: int) -> bool:
        return path == self.path and self.line <= line <= self.end_line

    def has_symbol(self, path: str, symbol: str) -> bool:
        """Whether the place contains `symbol`; a class contains its methods."""
        if path != self.path:
            return False
        return not self.symbol or symbol == self.symbol or symbol.startswith(f"{self.symbol}.")


def whole(file: SourceFile) -> ScopePlace:
    return ScopePlace(file.path, "", 1, max(file.text.count("\n") + 1, 1))


@dataclass(frozen=True)
class Scope:
    """The part of a program to which a lift is limited: for search, measuring, prompts and
    reports."""

    names: tuple[str, ...]
    """Names of the places as shown to users."""
    places: tuple[ScopePlace, ...] = ()
    requirements: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()
    """Tests of the original suite that do not concern the scope; they are not run."""
    tests: int = 0
    """Number of tests of the original suite that concern the scope."""
    since: str = ""
    """Commit since which the scope changed; empty if the scope was given by names."""
    elsewhere: tuple[str, ...] = ()
    """Tests outside the test root that concern the scope: files or node ids."""

    def __str__(self) -> str:
        more = len(self.names) - MOST_NAMED
        named = ", ".join(self.names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        return f"changed since {self.since}: {named or 'nothing'}" if self.since else named

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to lift."""
        return not self.places and not self.requirements

    @property
    def told(self) -> str:
        """Description with requirements and number of tests, for the header."""
        ids = sorted(self.requirements)
        parts = [f"requirements {_some(ids)}"] if ids else []
        parts.append(f"{self.tests} of {self.tests + len(self.apart)} tests concern it")
        return f"scope: {self} ({'; '.join(parts)})"

    def has_line(self, path: str, line: int) -> bool:
        return any(place.has_line(path, line) for place in self.places)

    def has_symbol(self, path: str, symbol: str) -> bool:
        return any(place.has_symbol(path, symbol) for place in self.places)

    def has_all_of(self, path: str) -> bool:
        return any(place.path == path and not place.symbol for place in self.places)

    def symbols(self, path: str) -> set[str]:
        return {place.symbol for place in self.places if place.path == path and place.symbol}

    @property
    def files(self) -> frozenset[str]:
        return frozenset(place.path for place in self.places)

    def located(self, program: Program) -> Scope:
        """Returns the scope with the current line numbers of its symbols in `program`; removed
        symbols are left out."""
        found = tuple(again for place in self.places if (again := _located(place, program)))
        return replace(self, places=found)

    def coverage(self, coverage: Coverage) -> Coverage:
        """Returns the coverage of the lines in the scope only."""
        files = {
            path: file if self.has_all_of(path) else _part(file, self.has_line)
            for path, file in coverage.files.items()
            if path in self.files
        }
        return replace(coverage, files=files)

    def trace(self, trace: Trace) -> Trace:
        """Returns the trace of the requirements in the scope only."""
        every = {item.requirement.id for item in trace.requirements}
        kept = [item for item in trace.requirements if item.requirement.id in self.requirements]
        elsewhere = trace.elsewhere | (every - self.requirements)
        return replace(trace, requirements=tuple(kept), elsewhere=elsewhere)

    def of(self, requirements: Requirements) -> Requirements:
        kept = tuple(item for item in requirements if item.id in self.requirements)
        return Requirements(kept, requirements.warnings)

    def selection(self, suite: Suite) -> tuple[str, ...]:
        """Returns the files and node ids of `suite` to run, including tests that were added
        later."""
        chosen: list[str] = list(self.elsewhere)
        for path, file in suite.files.items():
            kept = [test.node for test in file.tests if test.node not in self.apart]
            if kept and len(kept) == len(file.tests):
                chosen.append(path)
            else:
                chosen += kept
            if file.error is not None and suite.naming.is_test_file(path):
                chosen.append(path)
        return tuple(chosen)


def _located(place: ScopePlace, program: Program) -> ScopePlace | None:
    file = program.files.get(place.path)
    if file is None:
        return None
    if not place.symbol:
        return whole(file)
    if place.symbol == STATEMENT:
        return place
    symbols = [symbol for symbol in file.symbols if symbol.name == place.symbol]
    if not symbols:
        return None
    return replace(place, line=symbols[-1].line, end_line=symbols[-1].end_line)


def _part(file: FileCoverage, inside: Callable[[str, int], bool]) -> FileCoverage:
    def lines(found: Iterable[int]) -> frozenset[int]:
        return frozenset(line for line in found if inside(file.path, line))

    def branches(found: Iterable[tuple[int, int]]) -> frozenset[tuple[int, int]]:
        return frozenset(arc for arc in found if inside(file.path, arc[0]))

    return FileCoverage(
        file.path,
        lines(file.executed),
        lines(file.missing),
        lines(file.excluded),
        branches(file.executed_branches),
        branches(file.missing_branches),
    )


def _some(names: Collection[str]) -> str:
    shown = ", ".join(list(names)[:MOST_NAMED])
    return shown + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")
