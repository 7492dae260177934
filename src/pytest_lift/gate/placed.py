"""Rule for the place of a new test file: that of its module, or named after a feature."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.source.bindings import imports_in
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import parse
from pytest_lift.suite.placement import new_pattern, placements
from pytest_lift.suite.suite import Suite

_SHARED = frozenset({"conftest.py", "__init__.py"})


def misplaced(
    path: str, text: str, suite: Suite, requirements: Requirements, program: Program
) -> str:
    """Returns the reason why the new file `path` is at a wrong place, with the right place; ""
    if it is fine."""
    places = placements(program.files.values(), suite)
    if path in places.values() or path in feature_files(requirements, suite, places.values()):
        return ""
    pure = PurePosixPath(path)
    if pure.name in _SHARED:
        folders = {str(PurePosixPath(p).parent) for p in (*suite.files, *places.values())}
        near = str(pure.parent) in {suite.root, *folders}
        return "" if near else f"is in a folder without tests; instead: {suite.root}/{pure.name}"
    if not suite.naming.is_test_file(path):
        home = f"{suite.root}/conftest.py"
        return f"is not a test file; instead: write fixtures in {home} and tests in {_some(places)}"
    instead = _place(text, places, program) or _some(places)
    return f"is not a place for tests in this layout; instead: write them in {instead}"


def feature_files(
    requirements: Iterable[Requirement], suite: Suite, places: Collection[str]
) -> frozenset[str]:
    """Returns the paths ``test_<feature>.py`` in the test root (or in the suite's naming pattern),
    for behaviour that spans modules.

    A feature with the name of a module has no path of its own.
    """
    taken = {PurePosixPath(place).name for place in places}
    pattern = new_pattern(suite)
    names = {pattern.replace("*", feature) for feature in _features(requirements)} - taken
    return frozenset((PurePosixPath(suite.root) / name).as_posix() for name in names)


def _features(requirements: Iterable[Requirement]) -> Iterator[str]:
    """Yields the names of scopes in snake case; consecutive parts of nested scopes are also
    joined."""
    for scope in {item.scope for item in requirements}:
        parts = [snake for part in scope if (snake := _snake(part))]
        for start in range(len(parts)):
            for end in range(start + 1, len(parts) + 1):
                yield "_".join(parts[start:end])


def _snake(name: str) -> str:
    """Converts a name to snake case: ``Payment methods``, ``PaymentMethods`` ->
    ``payment_methods``."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return re.sub(r"\W+", "_", apart).strip("_").lower()


def _place(text: str, places: Mapping[str, str], program: Program) -> str:
    """Returns the test file of the module from which the text imports most names."""
    counts: Counter[str] = Counter()
    for found in imports_in(ast.walk(parse(text))):
        whole = f"{found.module}.{found.name}"
        counts[whole if whole in program.by_module else found.source] += 1
    known = [(-n, name) for name, n in counts.items() if name in program.by_module]
    return places[program.by_module[min(known)[1]].path] if known else ""


def _some(places: Mapping[str, str]) -> str:
    return " or ".join(sorted(places.values())[:3]) or "a file that is there"
