"""Places of tests: the test file of a source file, found or new, and rules for new files."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, count
from pathlib import PurePosixPath

from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.source.bindings import imports_in
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import parse
from pytest_lift.suite.suite import Suite

_GENERIC = {"unit", "units", "tests", "test", "unit_tests", "unittests", "src"}
"""Folder names that say nothing about a package."""
USUAL, ANY = "test_*.py", "*.py"
"""The usual pattern for names of test files, and the one that admits every file."""


@dataclass(frozen=True)
class _Name:
    """Names that a source file may have in the name of a test file."""

    source: SourceFile
    parts: tuple[str, ...]
    """``("pkg", "sub", "mod")``."""
    tokens: tuple[str, ...]
    """The parts without leading and trailing underscores."""

    def cores(self) -> list[str]:
        """Returns names for the module: ``mod``, ``sub_mod``, ``pkg_sub_mod``, then one that tells
        even `_mod` and `mod` apart."""
        short = ["_".join(self.tokens[i:]) for i in range(len(self.tokens) - 1, -1, -1)]
        exact = ["_".join(self.parts[i:]) for i in range(len(self.parts) - 1, -1, -1)]
        return list(dict.fromkeys([*short, *exact, "__".join(self.parts)]))

    def order(self) -> tuple[int, int, str]:
        """Returns the sort key by which shallow and public modules choose first."""
        private = sum(a != b for a, b in zip(self.parts, self.tokens, strict=True))
        return len(self.parts), private, self.source.path


def test_file_for(source: SourceFile, program: Program, suite: Suite) -> str:
    """Returns the path of the test file for `source`, existing or not; no other source gets the
    same, unless pytest collects files of one name only.

    An existing test file whose name and folder mirror the module is taken; else
    ``<test root>/test_<module>.py``, with as much of the package path in front as it takes to be
    no other module's file and no second file of that name for pytest's import. A file of
    unittest's test cases gets no tests that need pytest, and one that the project's marks set
    apart as a whole, or that pytest cannot collect, gets none that would not run: they have a file
    of their own beside it.
    """
    sources = {**program.files, source.path: source}
    return placements(sources.values(), suite)[source.path]


def test_file_named(core: str, suite: Suite) -> str:
    """Returns the test file for `core` (``shapes``) in the test root, existing or not."""
    pattern = new_pattern(suite)
    if "*" not in pattern:
        return _only_file(pattern, suite)
    path = (PurePosixPath(suite.root) / pattern.replace("*", core)).as_posix()
    if path in suite.files and path not in _closed(suite):
        return path
    taken = {_import_name(other, suite) for other in (*suite.files, *suite.outside)}
    name = f"{core}_lift" if _import_name(path, suite) in taken else core
    return (PurePosixPath(suite.root) / pattern.replace("*", name)).as_posix()


def placements(sources: Iterable[SourceFile], suite: Suite) -> dict[str, str]:
    """Returns source path -> test path for all of `sources`; a test file belongs to one, unless
    pytest collects files of one name only (``python_files = tests.py``)."""
    names = sorted((_name(source) for source in sources), key=_Name.order)
    found = _existing(names, suite, _new(names, suite, set()))
    taken = {_import_name(path, suite) for path in (*suite.files, *suite.outside)}
    taken |= {name.source.module for name in names}  # pytest could not import both
    return found | _new([n for n in names if n.source.path not in found], suite, taken)


def _name(source: SourceFile) -> _Name:
    parts = tuple("main" if p == "__main__" else p for p in source.module.split("."))
    return _Name(source, parts, tuple(part.strip("_") or part for part in parts))


def _new(names: list[_Name], suite: Suite, taken: set[str]) -> dict[str, str]:
    """Returns the first name for each that is not `taken` as a module and not another's."""
    found, taken = {}, {*taken}
    homes, pattern = _homes(suite), new_pattern(suite)
    if "*" not in pattern:
        return {name.source.path: _only_file(pattern, suite) for name in names}
    for name in names:
        paths = _new_paths(name, _home(name, homes, suite), pattern)
        path = next(
            p for p in paths if _import_name(p, suite) not in taken and _is_apart(p, pattern)
        )
        found[name.source.path] = path
        taken.add(_import_name(path, suite))
    return found


def _only_file(name: str, suite: Suite) -> str:
    """Returns the file of tests that has the one name which pytest collects: in the test root, or
    below it where that one gets no new tests."""
    closed = _closed(suite)
    places = [(PurePosixPath(suite.root) / f / name).as_posix() for f in ("", "lift")]
    return next((place for place in places if place not in closed), places[0])


def _existing(names: list[_Name], suite: Suite, ideal: dict[str, str]) -> dict[str, str]:
    """Returns the best pairs of module and existing test file first, each used once."""
    found: dict[str, str] = {}
    used: set[str] = set()
    for _, _, path, source in sorted(_pairs(names, suite, ideal)):
        if source not in found and path not in used:
            found[source] = path
            used.add(path)
    return found


def _pairs(
    names: list[_Name], suite: Suite, ideal: dict[str, str]
) -> Iterator[tuple[int, int, str, str]]:
    """Yields (likeness, highest first and negative; rank of the module; test file; source file)."""
    by_core: dict[str, list[str]] = {}
    closed = _closed(suite)
    for path in sorted(filter(suite.naming.is_test_file, suite.files.keys() - closed)):
        by_core.setdefault(_core(path, suite), []).append(path)
    packages = {token for name in names for token in name.tokens[:-1]}
    for rank, name in enumerate(names):
        own = ideal[name.source.path]
        for core in {*name.cores(), _core(own, suite)}:
            for path in by_core.get(core, ()):
                text = suite.files[path].text
                score = _likeness(name, core, text, path, suite.root, packages) + 3 * (path == own)
                if score > 0:
                    yield -score, rank, path, name.source.path


def _likeness(name: _Name, core: str, text: str, path: str, root: str, packages: set[str]) -> int:
    """Returns how much a test file looks like the one of a module; 0 or less: it is another's."""
    folders = [f for f in _folders(path, root) if f not in _GENERIC]
    covered = 1 + name.cores().index(core) if core in name.cores()[: len(name.tokens)] else 1
    rest = list(name.tokens[: len(name.tokens) - covered])
    while folders and rest and folders[-1] == rest[-1]:
        folders.pop()
        rest.pop()
        covered += 1
    imported = _imports(text, name.source.module)
    if not imported and any(folder in packages - set(name.tokens) for folder in folders):
        return 0
    return 10 * imported + covered + 5 - len(folders)


def _imports(text: str, module: str) -> bool:
    parent, _, leaf = module.rpartition(".")
    whole = rf"^\s*(?:from|import)\s+{re.escape(module)}\s*(?:$|import|as|,|;|#)"
    member = rf"^\s*from\s+{re.escape(parent)}\s+import\s+[^#\n]*\b{re.escape(leaf)}\b"
    return bool(re.search(whole, text, re.M) or (parent and re.search(member, text, re.M)))


def _core(path: str, suite: Suite) -> str:
    """Returns ``tests/sub/test_mod.py`` -> ``mod``; ``mod_test.py`` -> ``mod``."""
    name = PurePosixPath(path).name
    for pattern in _plain_patterns(suite):
        head, tail = pattern.split("*")
        if _fits(name, pattern):
            return name.removeprefix(head).removesuffix(tail)
    return name.removesuffix(".py")


def _folders(path: str, root: str) -> list[str]:
    return list(PurePosixPath(path).relative_to(root).parts[:-1])


def _new_paths(name: _Name, folder: str, pattern: str) -> Iterator[str]:
    last = name.cores()[-1]
    numbered = (f"{'_'.join(name.parts)}_{number}" for number in count(2))
    for core in chain(name.cores(), (f"{last}_lift", f"lift_{last}"), numbered):
        yield (PurePosixPath(folder) / pattern.replace("*", core)).as_posix()


def _is_apart(path: str, pattern: str) -> bool:
    """Whether a name fits its pattern only: unittest finds ``testing_test.py``, too."""
    return not pattern.startswith("*") or not PurePosixPath(path).name.startswith("test")


def _homes(suite: Suite) -> dict[str, list[str]]:
    """Folders with tests -> their names below the test root that say something."""
    homes = {str(PurePosixPath(p).parent) for p in suite.files if suite.naming.is_test_file(p)}
    named = {home: _folders(f"{home}/x", suite.root) for home in homes}
    return {home: [f for f in found if f not in _GENERIC] for home, found in named.items()}


def _home(name: _Name, homes: dict[str, list[str]], suite: Suite) -> str:
    """Returns the deepest folder of tests that mirrors the module's package, else the root."""
    package = list(name.tokens if name.source.path.endswith("__init__.py") else name.tokens[:-1])
    fitting = [
        (-len(folders), home)
        for home, folders in homes.items()
        if folders and package[-len(folders) :] == folders
    ]
    return min(fitting)[1] if fitting else suite.root


def new_pattern(suite: Suite) -> str:
    """Returns the pattern of file names that the suite uses most: ``test_*.py`` unless it says
    otherwise. A name without ``*`` is the only one that pytest collects.

    If all tests are unittest's, one that none of them has: pytest collects ``*_test.py``, and
    ``python -m unittest discover`` ignores it.
    """
    plain = _plain_patterns(suite)
    if not plain:
        return _fitting_pattern(suite)
    cases, ours = _for_unittest(suite), suite.files_fully_owned()
    if cases and all(p in cases or p in ours for p, file in suite.files.items() if file.tests):
        names = [PurePosixPath(path).name for path in cases]
        free = [p for p in plain if not any(_fits(name, p) for name in names)]
        if free:
            return free[0]
    names = [PurePosixPath(path).name for path in suite.files]
    counts = [sum(_fits(name, pattern) for name in names) for pattern in plain]
    return plain[counts.index(max(counts))]


def _fitting_pattern(suite: Suite) -> str:
    """Returns a pattern with one ``*``, or a plain name, that a setting of other patterns admits:
    with several ``*``, with other signs, or with folders. A name that a module beside the test root
    has is none, where there is another one: pytest could not import both."""
    names = (re.sub(r"\[!?(.).*?\]", r"\1", p.rpartition("/")[2]) for p in suite.naming.files)
    derived = (name.replace("?", "1").replace("*", "\0", 1).replace("*", "") for name in names)
    usual = ("test_*.py", "*_test.py")
    taken = {_import_name(path, suite) for path in suite.outside}
    admitted: list[tuple[bool, str]] = []
    for pattern in (*usual, *(name.replace("\0", "*") for name in derived)):
        path = (PurePosixPath(suite.root) / pattern.replace("*", "lift")).as_posix()
        if suite.naming.is_test_file(path):
            admitted.append((_import_name(path, suite) in taken, pattern))
    return min(admitted, key=lambda one: one[0])[1] if admitted else usual[0]


def _closed(suite: Suite) -> frozenset[str]:
    """Returns files that get no new tests."""
    apart = {path for path, file in suite.files.items() if suite.is_deselected(file.text)}
    return _for_unittest(suite) | apart | suite.uncollected


def _for_unittest(suite: Suite) -> frozenset[str]:
    """Returns the user's files with test cases of unittest alone."""
    return frozenset(path for path, file in suite.files.items() if suite.is_for_unittest(file.text))


def _plain_patterns(suite: Suite) -> list[str]:
    """Returns the patterns with one ``*`` and no other sign; the usual name for ``*.py``, which
    admits it, unless test files have others."""
    plain = [p for p in suite.naming.files if p.count("*") == 1 and not set(p) & set("?[/")]
    names = [PurePosixPath(path).name for path, file in suite.files.items() if file.tests]
    usual = not names or any(_fits(name, USUAL) for name in names)
    return list(dict.fromkeys(USUAL if p == ANY and usual else p for p in plain))


def _fits(name: str, pattern: str) -> bool:
    head, tail = pattern.split("*")
    return name.startswith(head) and name.endswith(tail)


def _import_name(path: str, suite: Suite) -> str:
    """Returns the module name under which pytest's default import mode imports a test file."""
    pure = PurePosixPath(path)
    parts = [pure.stem]
    for folder in pure.parents:
        if (folder / "__init__.py").as_posix() not in suite.files:
            break
        parts.insert(0, folder.name)
    return ".".join(parts)


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
