"""Tells what a program offers to its users from what is internal, though it can be imported."""

from __future__ import annotations

import ast
import re
from functools import cached_property
from pathlib import Path

from pytest_lift.agents.offline.examples.documents import DOCUMENTS, GUIDES, read_documents
from pytest_lift.calls.names import Resolver
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import leaf

MOST_UNTOLD = 0.5
"""Share of a program's functions and classes that its documentation does not name, above which it
does not tell what is offered."""
HISTORY = re.compile(r"change|histor|release|news", re.IGNORECASE)
"""Names of documents that tell of the past, and of what is inside."""
INTERNAL = re.compile(r"_|(?:internals?|private|tests?|vendor(?:ed)?|compat)$")
"""Names of packages that are not for users."""
DEEPEST = 2
"""Names to a package that may offer something beside its root."""
Place = tuple[str, str]
"""File that defines a name, and the name."""


class Offer:
    """The names that the packages of a program list in ``__all__`` or import at their root, and
    those that a public package inside of them lists; of those that have nothing there, what the
    documentation in the project's `folder` names, where that is most of it."""

    def __init__(self, program: Program, resolver: Resolver, folder: Path | None = None) -> None:
        self.program = program
        self.resolver = resolver
        self.folder = folder
        self._internal: dict[Place, bool] = {}

    def is_internal(self, path: str, symbol: str) -> bool:
        """Whether a symbol is offered nowhere, while its package offers others; cached."""
        place = (path, symbol.partition(".")[0])
        if place not in self._internal:
            self._internal[place] = self._find(*place)
        return self._internal[place]

    def _find(self, path: str, name: str) -> bool:
        file = self.program.files[path]
        if not any(symbol.name == name for symbol in file.symbols):
            return False  # a class that documents define, and tests as well
        root = self.program.by_module.get(file.module.partition(".")[0])
        if root is None or root.path not in self._offering:
            return bool(self._told) and self._told.isdisjoint((name, file.module))
        if root.path == path:
            listed = _listed(root)
            return listed is not None and name not in listed
        return (path, name) not in self._names and not self._is_module(file, root, name)

    def _is_module(self, file: SourceFile, root: SourceFile, name: str) -> bool:
        """Whether a module is offered as a whole, or lists what it offers."""
        listed = _listed(file)
        if listed is not None:
            return name in listed
        above = file.module.split(".")[1:2]
        return bool(above) and above[0] in self._bound_in(root)

    @cached_property
    def _told(self) -> frozenset[str]:
        """Names of modules, and of what is in them, that the documentation has; none where it has
        few of them."""
        if self.folder is None:
            return frozenset()
        found = (path for one in (*DOCUMENTS, *GUIDES) for path in self.folder.glob(one))
        present = [path for path in found if not HISTORY.search(path.name)]
        names = [path.relative_to(self.folder).as_posix() for path in present]
        text = "\n".join(read_documents(self.folder, names))
        words = frozenset(re.findall(r"\w+(?:\.\w+)*", text))
        words |= {part for word in words for part in word.split(".")}
        files = self.program.files.values()
        symbols = ((file.module, symbol) for file in files for symbol in file.symbols)
        public = [(module, s.name) for module, s in symbols if s.public and "." not in s.name]
        untold = sum(words.isdisjoint(names) for names in public)
        return words if untold <= MOST_UNTOLD * len(public) else frozenset()

    @cached_property
    def _offering(self) -> frozenset[str]:
        """Files of packages and modules at the root that offer something."""
        found = set()
        for name in self.program.names:
            root = self.program.by_module.get(name)
            if root is not None and (_listed(root) or self._bound_in(root)):
                found.add(root.path)
        return frozenset(found)

    @cached_property
    def _names(self) -> frozenset[Place]:
        """Places of the names that the roots offer, and public packages inside of them."""
        found: set[Place] = set()
        for path in self._offering:
            found |= self._places(self.program.files[path])
        for file in self.program.files.values():
            if _is_public_package(file) and _listed(file):
                found |= self._places(file)
        return frozenset(found)

    def _places(self, root: SourceFile) -> set[Place]:
        listed = _listed(root)
        reexported = self.resolver.reexported(root)
        return {
            place
            for name, place in reexported.items()
            if (name in listed if listed is not None else not name.startswith("_"))
        }

    def _bound_in(self, root: SourceFile) -> set[str]:
        """Returns the public names of the program that a root binds by importing them."""
        bound = {one.bound for one in root.imports if self._is_own(one.module, one.name)}
        return {name for name in bound if not name.startswith("_")}

    def _is_own(self, module: str, name: str) -> bool:
        known = self.program.by_module
        return module in known or f"{module}.{name}" in known


def _is_public_package(file: SourceFile) -> bool:
    """Whether a file makes a folder right in a package another one, and no name says that it is
    internal."""
    inside = file.module.split(".")
    package = file.path.endswith("__init__.py") and len(inside) <= DEEPEST
    return package and not any(INTERNAL.match(name) for name in inside)


def _listed(file: SourceFile) -> frozenset[str] | None:
    """Returns the names in an ``__all__`` of texts and of ``function.__name__``; None where there
    is none."""
    found: set[str] = set()
    known = False
    for node in file.tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if not any(isinstance(one, ast.Name) and one.id == "__all__" for one in targets):
            continue
        known = True
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                found.add(part.value)
            elif isinstance(part, ast.Attribute) and part.attr == "__name__":
                found.add(leaf(part.value))
    return frozenset(found) if known else None
