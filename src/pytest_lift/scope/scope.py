"""The part of a program that one lift is about: from names as a person types them, as a value."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path

from pytest_lift.coverage.coverage import Coverage, Entry, FileCoverage
from pytest_lift.errors import UsageError
from pytest_lift.files.codec import stored_as
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.symbols import Symbol
from pytest_lift.source.syntax import from_bytes
from pytest_lift.suite.collection import is_foreign
from pytest_lift.suite.suite import Suite
from pytest_lift.suite.test_file import parse_test_file
from pytest_lift.text.wording import some
from pytest_lift.trace.grounding.homes import parts
from pytest_lift.trace.grounding.subjects import Grounding
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


def place_of(path: str, symbol: Symbol) -> ScopePlace:
    return ScopePlace(path, symbol.name, symbol.line, symbol.end_line)


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
        named = some(self.names, MOST_NAMED)
        return f"changed since {self.since}: {named or 'nothing'}" if self.since else named

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to lift."""
        return not self.places and not self.requirements

    @property
    def told(self) -> str:
        """Description with requirements and number of tests, for the header."""
        ids = sorted(self.requirements)
        parts = [f"requirements {some(ids, MOST_NAMED)}"] if ids else []
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


MOST_CANDIDATES = 3
OPTION = "--lift-only"


def scope_of(
    names: Sequence[str],
    program: Program,
    requirements: Requirements,
    bases: Sequence[Path],
    root: Path,
) -> Scope:
    """Returns the scope of all `names`, with the requirements that name a part of it.

    Paths are relative to one of `bases`. Raises UsageError for an unknown name.
    """
    grounding = Grounding(program)
    places: list[ScopePlace] = []
    ids: set[str] = set()
    for name in dict.fromkeys(names):
        if name in requirements:
            item = requirements.by_id[name]
            _require_testable(item)
            ids.add(item.id)
            places += [
                place_of(one.path, one.symbol)
                for one in grounding.subjects(item)
                if one.is_function
            ]
            continue
        found = [*_by_path(name, program, bases, root)] or [*_by_import_name(name, program)]
        if not found:
            raise _unknown(name, program, requirements)
        places += found
    return completed(Scope((), tuple(places), frozenset(ids)), program, requirements, names)


def completed(
    scope: Scope, program: Program, requirements: Requirements, names: Sequence[str] = ()
) -> Scope:
    """Adds the requirements that name any place of `scope`, and the names to show to users.

    Those that name no function, but only exceptions and other classes without code, are
    concerned where they live.
    """
    grounding = Grounding(program)
    lines = {(place.path, place.line) for place in scope.places}
    concerned = {
        item.id
        for item in requirements.testable
        for entry in _entries(item, grounding, requirements, program)
        if entry in lines or scope.has_line(*entry)
    }
    told = tuple(dict.fromkeys(names)) or tuple(_told(place, program) for place in scope.places)
    unique = tuple(dict.fromkeys(scope.places))
    return Scope(told, unique, scope.requirements | concerned)


def _entries(
    item: Requirement, grounding: Grounding, requirements: Requirements, program: Program
) -> Iterator[Entry]:
    """Yields the functions that a requirement is about."""
    subjects = grounding.subjects(item)
    named = [one.entry for one in subjects if one.is_function]
    yield from named
    if not subjects or named:
        return
    for path, names in parts(requirements, program)[item.id].items():
        for symbol in program.files[path].symbols:
            if symbol.kind != "class" and symbol.name in names:
                yield path, symbol.line


def _told(place: ScopePlace, program: Program) -> str:
    module = program.files[place.path].module
    if place.symbol == STATEMENT:
        return f"{module}, line {place.line}"
    return f"{module}.{place.symbol}" if place.symbol else module


def _require_testable(item: Requirement) -> None:
    if item.exempt is not None:
        raise UsageError(
            f"{item.id} is exempt from testing: {item.exempt}",
            where=OPTION,
            todo=f"name another, or change {item.file}:{item.line}",
        )


def _by_path(
    name: str, program: Program, bases: Iterable[Path], root: Path
) -> Iterator[ScopePlace]:
    """Yields the places of a file, of ``file.py::Class::method`` or of a folder."""
    text, _, symbol = name.partition("::")
    for base in bases:
        full = (base / text).resolve()
        if not full.is_relative_to(root.resolve()):
            continue
        path = full.relative_to(root.resolve()).as_posix()
        if path in program.files:
            file = program.files[path]
            wanted = symbol.replace("::", ".")
            found = (place_of(path, one) for one in file.symbols if one.name == wanted)
            yield from found if symbol else [whole(file)]
            return
        inside = [f for p, f in program.files.items() if p.startswith(f"{path}/") or path == "."]
        if inside and full.is_dir() and not symbol:
            yield from map(whole, inside)
            return


def _by_import_name(name: str, program: Program) -> Iterator[ScopePlace]:
    """Yields the places of a module, a package with its modules, ``module.symbol``, or a symbol
    in any module."""
    modules = [
        file
        for file in program.files.values()
        if file.module == name or file.module.startswith(f"{name}.")
    ]
    if modules:
        yield from map(whole, modules)
        return
    for file in program.files.values():
        short = file.module.rpartition(".")[2]
        for symbol in file.symbols:
            known = (symbol.name, f"{file.module}.{symbol.name}", f"{short}.{symbol.name}")
            if name in known:
                yield place_of(file.path, symbol)


def _unknown(name: str, program: Program, requirements: Requirements) -> UsageError:
    known: dict[str, str] = {item.id: item.id for item in requirements.testable}
    for file in program.files.values():
        known |= {file.module: file.module, file.path: file.path}
        for symbol in file.symbols:
            full = f"{file.module}.{symbol.name}"
            known |= {symbol.leaf: full, symbol.name: full, full: full}
    folded = {text.casefold(): meant for text, meant in known.items()}
    close = get_close_matches(name.casefold(), folded, n=2 * MOST_CANDIDATES, cutoff=0.6)
    meant = list(dict.fromkeys(folded[text] for text in close))[:MOST_CANDIDATES]
    return UsageError(
        f"{name!r} is neither a path, module or symbol of the program nor a requirement",
        where=OPTION,
        todo=f"do you mean {' or '.join(meant)}?"
        if meant
        else "name a file, a module, a function or class, or the id of a requirement",
    )


def with_tests_elsewhere(suite: Suite, root: Path, places: Sequence[str]) -> Suite:
    """Returns `suite` with the test files in `places`, the paths that pytest collects by
    default. The result is for reading only and must not be written."""
    found = dict(suite.files)
    for path in _python_files(root, places):
        name = path.rpartition("/")[2]
        if path in found or not (suite.naming.is_test_file(path) or name == "conftest.py"):
            continue
        try:
            text = from_bytes((root / path).read_bytes())
        except OSError:
            continue
        found[path] = parse_test_file(path, text, suite.naming)
    return replace(suite, files=found)


def _python_files(root: Path, places: Sequence[str]) -> Iterator[str]:
    for place in places:
        for folder, folders, names in os.walk(root / place):
            folders[:] = sorted(name for name in folders if not is_foreign(name))
            for name in sorted(names):
                if name.endswith(".py"):
                    yield (Path(folder) / name).relative_to(root).as_posix()
