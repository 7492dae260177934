"""A scope from names as a person types them: a path, a module, a symbol, a requirement."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from pytest_lift.errors import UsageError
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.scope.scope import STATEMENT, Scope, ScopePlace, whole
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import from_bytes
from pytest_lift.suite.collection import is_foreign
from pytest_lift.suite.suite import Suite
from pytest_lift.suite.test_file import parse_test_file
from pytest_lift.trace.grounding import Grounding

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
                ScopePlace(one.path, one.symbol.name, one.symbol.line, one.symbol.end_line)
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
    """Adds the requirements that name any place of `scope`, and the names to show to users."""
    grounding = Grounding(program)
    lines = {(place.path, place.line) for place in scope.places}
    concerned = {
        item.id
        for item in requirements.testable
        for one in grounding.subjects(item)
        if one.is_function and (one.entry in lines or scope.has_line(*one.entry))
    }
    told = tuple(dict.fromkeys(names)) or tuple(_told(place, program) for place in scope.places)
    unique = tuple(dict.fromkeys(scope.places))
    return Scope(told, unique, scope.requirements | concerned)


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
            yield from _symbols(file, symbol.replace("::", ".")) if symbol else [whole(file)]
            return
        inside = [f for p, f in program.files.items() if p.startswith(f"{path}/") or path == "."]
        if inside and full.is_dir() and not symbol:
            yield from map(whole, inside)
            return


def _symbols(file: SourceFile, name: str) -> Iterator[ScopePlace]:
    for symbol in file.symbols:
        if symbol.name == name:
            yield ScopePlace(file.path, symbol.name, symbol.line, symbol.end_line)


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
                yield ScopePlace(file.path, symbol.name, symbol.line, symbol.end_line)


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
