"""The program under test as a value: its files, modules and symbols, read by `ast`."""

from __future__ import annotations

import ast
import keyword
import re
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Literal

from pytest_lift.source.bindings import (
    Import,
    ImportNode,
    import_bindings,
    is_import,
    listed_names,
)
from pytest_lift.source.carried import carried_folders
from pytest_lift.source.coverage_settings import CoverageSettings
from pytest_lift.source.made.tuple_classes import with_tuple_classes
from pytest_lift.source.symbols import (
    Symbol,
    hints_by_another_name,
    hints_of,
    symbols_of,
    with_hints,
)
from pytest_lift.source.syntax import collection_paused, is_for_type_checkers, statements
from pytest_lift.text.wording import some

ObstacleKind = Literal["module", "class", "function"]


@dataclass(frozen=True, eq=False)
class SourceFile:
    """One module of the program."""

    path: str
    """POSIX path relative to the project root."""
    module: str
    """Dotted import name."""
    text: str
    symbols: tuple[Symbol, ...] = ()
    error: str | None = None
    """Why it could not be parsed, or None."""

    @property
    def public(self) -> bool:
        parts = self.module.split(".")
        return all(not part.startswith("_") or part == "__main__" for part in parts)

    @property
    def importable(self) -> bool:
        """Whether an import statement can name it."""
        return all(_is_name(part) for part in self.module.split("."))

    def symbol_at(self, line: int) -> Symbol | None:
        """Returns the innermost symbol whose lines contain `line`."""
        inside = [s for s in self.symbols if s.line <= line <= s.end_line]
        return min(inside, key=lambda s: s.end_line - s.line) if inside else None

    def imported_module(self, node: ast.ImportFrom) -> str:
        """Returns the absolute name of the module that a ``from ... import`` in this file names.

        Resolved as `importlib.util.resolve_name` does; more dots than packages name the top.
        """
        if not node.level:
            return node.module or ""
        parts = self.module.split(".")
        up = node.level - self.path.endswith("__init__.py")
        kept = parts[: max(len(parts) - up, 0)]
        return ".".join([*kept, *([node.module] if node.module else [])])

    def import_bindings(self, node: ImportNode) -> Iterator[Import]:
        """Returns what a statement in this file binds, with absolute names of modules."""
        if isinstance(node, ast.ImportFrom):
            node = ast.ImportFrom(self.imported_module(node), node.names, 0)
        return import_bindings(node)

    @cached_property
    def imports(self) -> tuple[Import, ...]:
        """Imports of all statements of this file, with absolute names of modules."""
        nodes = filter(is_import, ast.walk(self.tree))
        return tuple(found for node in nodes for found in self.import_bindings(node))

    @cached_property
    def namespace_imports(self) -> tuple[Import, ...]:
        """Imports that bind a name of the module: none in functions and classes, nor those for type
        checkers alone; in a package these tell what it loads when it is first asked for."""
        executed = list(statements(self.tree.body))
        gates = [n for n in executed if isinstance(n, ast.If) and is_for_type_checkers(n.test)]
        if self.path.endswith("__init__.py"):
            gates = []
        unread = {inner for gate in gates for inner in statements(gate.body)}
        nodes = (node for node in filter(is_import, executed) if node not in unread)
        return tuple(found for node in nodes for found in self.import_bindings(node))

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed module, with all its classes as class statements; an unparsable file gives an
        empty one (see `error`)."""
        with collection_paused():
            return with_tuple_classes(ast.parse("" if self.error else self.text))

    @cached_property
    def listed(self) -> frozenset[str] | None:
        """The names that ``__all__`` lists; None where that cannot be told."""
        return listed_names(self.tree)


def _is_name(part: str) -> bool:
    return part.isidentifier() and not keyword.iskeyword(part)


MOST_NAMED = 3

TEST_RUNNERS = frozenset({"unittest", "pytest", "nose"})
"""What tests import."""
ABOVE = ".."
"""The import root of a project that is itself a package."""


@dataclass(frozen=True, eq=False)
class Program:
    """Program that the suite is meant to test."""

    names: tuple[str, ...]
    """Top-level import names."""
    paths: tuple[str, ...]
    """Their folders or files, POSIX, relative to the project root."""
    import_roots: tuple[str, ...]
    """Folders that must be on `sys.path`, relative to the project root: "" is the root itself,
    `ABOVE` the folder in which it stands, where it is itself a package."""
    files: Mapping[str, SourceFile] = field(default_factory=dict)
    """path -> file, without tests inside the package and carried libraries."""
    how: str = ""
    """How it was found, for the header."""
    coverage: CoverageSettings = field(default_factory=CoverageSettings)
    """Settings of coverage.py that the project has."""
    beside: tuple[str, ...] = ()
    """Further folders on `sys.path`, relative to the project root; modules are not named by
    them."""
    folder: str = ""
    """Name of the project root."""
    carried: tuple[str, ...] = ()
    """Folders inside of it with the libraries of others, which are not the program."""
    stubs: Mapping[str, SourceFile] = field(default_factory=dict)
    """Path of a module -> the stub file beside it (``shapes.pyi``, PEP 484), if it can be read."""

    @cached_property
    def words(self) -> frozenset[str]:
        """Words of all its sources, names and those in texts and comments."""
        texts = (file.text for file in self.files.values())
        return frozenset(word for text in texts for word in re.findall(r"[^\W\d]\w*", text))

    @property
    def search_path(self) -> tuple[str, ...]:
        """Folders to put on `sys.path`."""
        return tuple(dict.fromkeys((*self.import_roots, *self.beside)))

    def module_of(self, path: str) -> str:
        """Returns the name of the module in a file of the project, also in one that is not there
        yet."""
        return module_name(path, self.import_roots, self.folder)

    def is_inside(self, path: str) -> bool:
        """Whether it is of the program by its place, whether or not there is such a file."""
        return any(top in (".", "", path) or path.startswith(f"{top}/") for top in self.paths)

    @cached_property
    def unmeasured(self) -> frozenset[str]:
        """Files that the project's settings of coverage.py leave out, omitted ones aside."""
        return self.coverage.left_out(self._modules)

    @property
    def coverage_lines(self) -> list[str]:
        """Lines for the header about the effect of those settings."""
        return [*self.coverage.lines(self._modules)]

    @property
    def carried_lines(self) -> list[str]:
        """Line for the header about libraries that are carried along."""
        if not self.carried:
            return []
        named = some(self.carried, MOST_NAMED)
        options = " ".join(f"--lift-source={one}" for one in (*self.paths, self.carried[0]))
        return [f"libraries that the program carries are not lifted: {named} (else {options})"]

    @cached_property
    def _modules(self) -> dict[str, str]:
        return {file.path: file.module for file in self.files.values()}

    @cached_property
    def by_module(self) -> dict[str, SourceFile]:
        return {file.module: file for file in self.files.values()}

    @cached_property
    def identifiers(self) -> frozenset[str]:
        """Names a requirement can be about: public symbols, and parameters of public functions."""
        names: set[str] = set()
        for file in self.files.values():
            names.add(file.module)
            for symbol in file.symbols:
                if symbol.public:
                    names.update((symbol.leaf, symbol.name, f"{file.module}.{symbol.name}"))
                    names.update(parameter.name for parameter in symbol.parameters)
        return frozenset(names - {"self", "cls", "__init__", "__call__"})


@dataclass(frozen=True)
class Obstacle:
    """A module that cannot be imported, a class not built, or a function whose every call fails."""

    kind: ObstacleKind
    path: str
    symbol: str
    """Qualified name inside the file; empty for a module."""
    reason: str
    """The exception or the limit that was met most often."""
    remedy: str
    calls: int = 0
    """Calls that were tried; 0 for a module."""


def read_program(
    root: Path,
    paths: tuple[str, ...],
    import_roots: tuple[str, ...],
    how: str,
    coverage: CoverageSettings | None = None,
) -> Program:
    """Reads every module under `paths` (relative to `root`); files that are tests are left out, and
    carried libraries that `paths` do not name."""
    files: dict[str, SourceFile] = {}
    for path in sorted({p for top in paths for p in _python_files(root, top)}):
        files[path] = _read_source(root, path, import_roots)
    files = {path: file for path, file in files.items() if not _holds_tests(file)}
    stubs = {path: stub for path in files if (stub := _stub(root / path)) is not None}
    files |= _hinted(files, stubs)
    carried = carried_folders(
        {path: file.module for path, file in files.items()},
        paths,
        lambda path: (one.source for one in files[path].imports),
        lambda path: bool(files[path].symbols),
    )
    others = tuple(f"{folder}/" for folder in carried)
    lifted = tuple(f"{path}/" for path in paths if path.startswith(others))
    files = {p: f for p, f in files.items() if p.startswith(lifted) or not p.startswith(others)}
    named = [path for path in paths if path not in import_roots]
    loose = tuple(f"{path}/" for path in paths if path in import_roots)
    named += [path for path in files if path.startswith(loose)]
    modules = (module_name(path, import_roots, root.name) for path in named)
    names = tuple(dict.fromkeys(module.split(".")[0] for module in modules))
    coverage = coverage or CoverageSettings()
    found = Program(names, paths, import_roots, files, how, coverage, folder=root.name)
    return replace(found, carried=carried, stubs=stubs)


def module_name(path: str, import_roots: tuple[str, ...], folder: str) -> str:
    """Returns ``pkg.mod`` for ``src/pkg/mod.py``, ``pkg`` for its folder and ``__init__.py``; where
    the project root is a package, its name `folder` comes first."""
    fitting = [r for r in import_roots if r and path.startswith(f"{r}/")]
    inside = path[len(max(fitting, key=len)) + 1 :] if fitting else path
    parts = inside.removesuffix(".py").split("/")
    if not fitting and ABOVE in import_roots and "" not in import_roots:
        parts.insert(0, folder)
    if len(parts) > 1 and parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts)


def _python_files(root: Path, top: str) -> Iterator[str]:
    start = root / top
    if start.is_file():
        yield top
        return
    for path in start.rglob("*.py"):
        inside = path.relative_to(start)
        if not _is_test(inside) and path.is_file():
            yield path.relative_to(root).as_posix()


def _is_test(inside: Path) -> bool:
    folders = inside.parts[:-1]
    if any(part in {"tests", "test", "testing_data", "__pycache__"} for part in folders):
        return True
    if any(part.startswith(".") for part in folders):
        return True
    name = inside.name
    return name == "conftest.py" or (name.startswith("test_") and len(folders) > 0)


def _holds_tests(file: SourceFile) -> bool:
    """Whether a module of a package is called ``tests`` and runs with a test runner; other modules
    of this name are of the program."""
    *package, name = file.path.split("/")
    named = bool(package) and name in ("tests.py", "test.py")
    return named and any(one.top in TEST_RUNNERS for one in file.imports)


def _read_source(root: Path, path: str, import_roots: tuple[str, ...]) -> SourceFile:
    module = module_name(path, import_roots, root.name)
    try:
        data = (root / path).read_bytes()
    except OSError as error:
        return SourceFile(path, module, "", error=f"it cannot be read: {error.strerror}")
    return parsed_source(path, module, data)


def _hinted(
    files: Mapping[str, SourceFile], stubs: Mapping[str, SourceFile]
) -> dict[str, SourceFile]:
    """Returns the files of which stubs tell, with the hints of these."""
    hints = {path: hints_of(stub.symbols) for path, stub in stubs.items()}
    by_module = {file.module: path for path, file in files.items()}
    for path in stubs:
        for one in files[path].namespace_imports:
            if (other := by_module.get(one.module, path)) != path:
                told = hints_by_another_name(hints[path], one.bound, one.name)
                hints[other] = told | hints.get(other, {})
    return {p: replace(files[p], symbols=with_hints(files[p].symbols, h)) for p, h in hints.items()}


def _stub(path: Path) -> SourceFile | None:
    try:
        stub = parsed_source(path.name, "", path.with_suffix(".pyi").read_bytes())
    except OSError:
        return None
    return None if stub.error else stub


def parsed_source(path: str, module: str, data: bytes) -> SourceFile:
    """Returns a file of this content; what cannot be parsed has an `error`."""
    try:
        text = decoded(data)
        with collection_paused():
            tree = ast.parse(text)
        read = with_tuple_classes(tree)
    except (UnicodeDecodeError, LookupError, SyntaxError, ValueError, RecursionError) as error:
        return SourceFile(path, module, data.decode("utf-8", "replace"), error=str(error))
    return SourceFile(path, module, text, symbols_of(read))


def decoded(data: bytes) -> str:
    """Returns the text of a module, read by its coding line or byte order mark as Python does (PEP
    263). Raises SyntaxError for a coding that there is not, UnicodeDecodeError."""
    coding, _ = tokenize.detect_encoding(BytesIO(data).readline)
    return data.decode(coding)
