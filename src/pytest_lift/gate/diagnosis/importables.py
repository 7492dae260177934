"""What tests can import: modules of the program and beside the tests, installed ones, and names."""

from __future__ import annotations

import ast
import builtins
import importlib.util
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from pytest_lift.source.bindings import bound_names, is_import
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import (
    FunctionNode,
    leaf,
    parse_readable,
    statements,
    texts,
    walked,
)
from pytest_lift.suite.suite import Suite

BUILTINS = frozenset(
    {*dir(builtins), "__file__", "__name__", "__doc__", "__path__", "__builtins__"}
)
MOST_STARS = 3
"""Modules in a row that import all names of the next."""
_OPEN = frozenset({"__getattr__", "globals", "setattr", "exec"})
"""Names by which a module gets others that its text does not bind."""


@dataclass(frozen=True)
class Module:
    """One module that a test can import, by its text."""

    name: str
    path: str
    names: frozenset[str]
    """Bound in its text, and its submodules."""
    is_open: bool
    """Whether there may be more names in it."""
    defined: frozenset[str]
    """Functions and classes of its own, no imports and no variables."""
    assigned: frozenset[str] = frozenset()
    """Variables of its own."""
    foreign: frozenset[str] = frozenset()
    """Names that it imports from elsewhere than the program."""
    public: frozenset[str] | None = None
    """Names in its ``__all__``, None where it has none that can be read."""
    stars: tuple[str, ...] = ()
    """Modules from which it imports all names."""


@dataclass(frozen=True, eq=False)
class Importables:
    """Modules and names that test files of one suite can import."""

    program: Program
    suite: Suite
    root: Path

    @cached_property
    def modules(self) -> Mapping[str, Module]:
        """Modules of the program, and those beside the tests, by name."""
        found = {}
        trees = {
            file.module: (file.path, file.tree)
            for file in self.program.files.values()
            if file.module
        }
        for path, file in self.suite.files.items():
            for name in self._names_of(path):
                trees.setdefault(name, (path, parse_readable(file.text)))
        inside: dict[str, set[str]] = {}
        tops = {name.partition(".")[0] for name in trees}
        for name in trees:
            outer, _, leaf = name.rpartition(".")
            inside.setdefault(outer, set()).add(leaf)
        for name, (path, tree) in trees.items():
            found[name] = _module(name, path, tree, inside.get(name, set()), tops)
        for _ in range(MOST_STARS):
            found = {name: _with_stars(module, found) for name, module in found.items()}
        return found

    @cached_property
    def helpers(self) -> frozenset[str]:
        """Names of modules beside the tests."""
        own = {file.module for file in self.program.files.values()}
        return frozenset(self.modules.keys() - own)

    @cached_property
    def homes(self) -> Mapping[str, tuple[str, ...]]:
        """Name -> modules of the program that bind it themselves, variables included."""
        return self._by_name(lambda module: module.defined | module.assigned)

    @cached_property
    def bases(self) -> Mapping[str, frozenset[str]]:
        """Class of the program -> its bases, by their last names."""
        found: dict[str, set[str]] = {}
        for file in self.program.files.values():
            for node in walked(file.tree):
                if isinstance(node, ast.ClassDef):
                    found.setdefault(node.name, set()).update(map(leaf, node.bases))
        return {name: frozenset(bases) for name, bases in found.items()}

    def is_through_a_root(self, module: str) -> bool:
        """Whether a name begins with the folder of the packages (``src``), which is no package."""
        roots = {root for root in self.program.import_roots if root.isidentifier()}
        top, _, rest = module.partition(".")
        return top in roots and bool(rest) and not (self.root / top / "__init__.py").exists()

    def exists(self, module: str) -> bool:
        """Whether there is such a module, as far as can be told without importing one."""
        if module in self.modules:
            return True
        if self.is_through_a_root(module):
            return False
        if module.startswith("."):
            return False
        top, _, rest = module.partition(".")
        folders = [self.root / root for root in ("", *self.program.search_path)]
        places = [folder / top for folder in folders if _stands(folder / top)]
        if not places:
            if top in sys.stdlib_module_names or not rest:
                return is_installed(top)
            places = [*_installed_places(top)]
        return any(_stands(place.joinpath(*filter(None, rest.split(".")))) for place in places)

    def in_folder(self, package: str) -> Iterator[str]:
        """Yields the modules in a package of the project, those too that nobody has read."""
        for top in {"", *self.program.search_path}:
            folder = self.root.joinpath(top, *package.split("."))
            for place in folder.glob("*.py") if package else ():
                yield f"{package}.{place.stem}"

    def stands(self, place: str) -> bool:
        """Whether a module or a package has this path, without its ending."""
        files = (f"{place}.py", f"{place}/__init__.py")
        known = any(one in self.suite.files or one in self.program.files for one in files)
        return known or _stands(self.root / place)

    def depth_of(self, path: str) -> int:
        """Returns how many packages a test file stands in."""
        parts = path.split("/")[:-1]
        top = len(parts)
        while top and self._is_package("/".join(parts[:top])):
            top -= 1
        return len(parts) - top

    def _is_package(self, folder: str) -> bool:
        path = f"{folder}/__init__.py"
        known = path in self.suite.files or path in self.program.files
        return known or (self.root / path).is_file()

    def _by_name(self, names_of: object) -> dict[str, tuple[str, ...]]:
        assert callable(names_of)
        found: dict[str, list[str]] = {}
        for module in self.modules.values():
            if module.name not in self.helpers:
                for name in names_of(module):
                    found.setdefault(name, []).append(module.name)
        return {name: tuple(modules) for name, modules in found.items()}

    def _names_of(self, path: str) -> Iterator[str]:
        """Yields the names by which pytest lets other test files import one."""
        parts = path.removesuffix(".py").split("/")
        if parts[-1] in ("conftest", "__main__"):
            return
        top = len(parts) - 1 - self.depth_of(path)
        name = ".".join(part for part in parts[top:] if part != "__init__")
        if name:
            yield name


def _module(name: str, path: str, tree: ast.Module, inside: set[str], tops: set[str]) -> Module:
    names, defined, is_open, stars = set(inside), set[str](), False, list[str]()
    foreign, assigned = set[str](), set[str]()
    for node in statements(tree.body):
        bound = set(bound_names(node))
        if is_import(node):
            found = [*SourceFile(path, name, "").import_bindings(node)]
            stars += [one.module for one in found if one.bound == "*"]
            bound = {one.bound for one in found}
            foreign |= {one.bound for one in found if one.top not in tops}
        elif isinstance(node, FunctionNode | ast.ClassDef):
            defined.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            assigned |= bound
        names |= bound
    for part in ast.walk(tree):
        if isinstance(part, ast.Name) and part.id in _OPEN:
            is_open = True
        elif isinstance(part, ast.Global):
            names |= {*part.names}
    is_open = is_open or "__getattr__" in defined
    own = frozenset(defined), frozenset(assigned), frozenset(foreign), _public(tree), tuple(stars)
    return Module(name, path, frozenset(names), is_open, *own)


def _public(tree: ast.Module) -> frozenset[str] | None:
    """Returns the names of an ``__all__`` that is one literal."""
    found = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and any(isinstance(one, ast.Name) and one.id == "__all__" for one in node.targets)
    ]
    if len(found) != 1 or not isinstance(found[0], ast.List | ast.Tuple):
        return None
    return frozenset(texts(found[0].elts))


def _with_stars(module: Module, known: Mapping[str, Module]) -> Module:
    """Returns a module with the names that it takes from others as a whole."""
    names, is_open = set(module.names), module.is_open
    for source in module.stars:
        if source in known:
            public, given = known[source].public, known[source].names - known[source].foreign
            plain = {name for name in given if not name.startswith("_")}
            names |= plain if public is None else public
        else:
            is_open = True
    return replace(module, names=frozenset(names), is_open=is_open)


@cache
def is_installed(top: str) -> bool:
    """Whether a top-level module of that name can be imported; it is not."""
    if top in sys.stdlib_module_names:
        return True
    try:
        return importlib.util.find_spec(top) is not None
    except (ImportError, ValueError, AttributeError):
        return top in sys.modules


def _installed_places(top: str) -> Iterator[Path]:
    try:
        spec = importlib.util.find_spec(top) if top.isidentifier() else None
    except (ImportError, ValueError, AttributeError):
        return
    yield from map(Path, (spec.submodule_search_locations or ()) if spec else ())


def _stands(place: Path) -> bool:
    """Whether a package or a module in any form, compiled or not, stands at a place."""
    return place.is_dir() or any(
        one.suffix != ".dist-info" for one in place.parent.glob(f"{place.name}.*")
    )
