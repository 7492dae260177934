"""Resolves free names of source to the import lines that provide them."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pytest_lift.source.program import Program, SourceFile

BUILTINS = frozenset(dir(builtins))
STANDARD = {
    "ABC": "from abc import ABC",
    "BytesIO": "from io import BytesIO",
    "Counter": "from collections import Counter",
    "Decimal": "from decimal import Decimal",
    "Enum": "from enum import Enum",
    "Fraction": "from fractions import Fraction",
    "OrderedDict": "from collections import OrderedDict",
    "Path": "from pathlib import Path",
    "SimpleNamespace": "from types import SimpleNamespace",
    "StringIO": "from io import StringIO",
    "UUID": "from uuid import UUID",
    "asyncio": "import asyncio",
    "collections": "import collections",
    "count": "from itertools import count",
    "cycle": "from itertools import cycle",
    "date": "from datetime import date",
    "datetime": "import datetime",
    "defaultdict": "from collections import defaultdict",
    "deque": "from collections import deque",
    "io": "import io",
    "islice": "from itertools import islice",
    "itemgetter": "from operator import itemgetter",
    "itertools": "import itertools",
    "math": "import math",
    "namedtuple": "from collections import namedtuple",
    "operator": "import operator",
    "re": "import re",
    "timedelta": "from datetime import timedelta",
}
"""Names of the standard library that a test may use although the program does not import them."""


@dataclass(frozen=True)
class Export:
    """Public module and name from which a symbol of the program can be imported."""

    module: str
    name: str

    @property
    def line(self) -> str:
        return f"from {self.module} import {self.name}"


@lru_cache(maxsize=65536)
def free_names(source: str) -> frozenset[str]:
    """Returns the names that `source` reads but does not bind; empty if it cannot be parsed."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return frozenset()
    loaded = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    return frozenset(loaded - bound_names(tree))


def bound_names(tree: ast.AST) -> set[str]:
    """Returns every name that is bound anywhere inside `tree`."""
    return set(_bound(tree))


def _bound(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (a.asname or a.name.partition(".")[0] for a in node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name


class Resolver:
    """Resolves names, as used in a file of the program, to import lines."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._lines: dict[tuple[str, str], str | None] = {}
        self._imports: dict[str, dict[str, tuple[str, str]]] = {}

    @cached_property
    def exports(self) -> dict[tuple[str, str], Export]:
        """(defining file, top-level name) -> public place to import it from."""
        found: dict[tuple[str, str], Export] = {}
        for file in self.program.files.values():
            if file.public:
                for name in [*top_level_names(file), *constants_of(file)]:
                    found[file.path, name] = Export(file.module, name)
        for file in sorted(self.program.files.values(), key=lambda f: f.module.count(".")):
            if file.public:
                for module, name, bound in imported_names(file):
                    origin = self.program.by_module.get(module)
                    if origin is not None and not bound.startswith("_"):
                        found.setdefault((origin.path, name), Export(file.module, bound))
        return found

    @cached_property
    def _unique(self) -> dict[str, Export]:
        seen: dict[str, list[Export]] = {}
        for (_, name), export in self.exports.items():
            seen.setdefault(name, []).append(export)
        return {name: places[0] for name, places in seen.items() if len(places) == 1}

    def export(self, path: str, name: str) -> Export | None:
        """Returns the public import of a top-level name of `path`; None for a private name."""
        return None if name.startswith("_") else self.exports.get((path, name))

    def by_class(self, module: str, name: str) -> str | None:
        """Returns the import line of a class that a child reported as (module, qualified name)."""
        top = name.partition(".")[0]
        file = self.program.by_module.get(module)
        if file is None:
            return f"from {module} import {top}" if top else f"import {module}"
        export = self.export(file.path, top)
        return export.line if export and export.name == top else None

    def imports(self, names: Iterable[str], path: str) -> tuple[str, ...] | None:
        """Returns import lines for `names` as used in the source file `path`; None if one is
        unknown."""
        lines = []
        for name in sorted(set(names)):
            if (name, path) not in self._lines:
                self._lines[name, path] = self._line(name, path)
            line = self._lines[name, path]
            if line is None:
                return None
            if line:
                lines.append(line)
        return tuple(sorted(set(lines)))

    def _line(self, name: str, path: str) -> str | None:
        export = self.exports.get((path, name))
        if export is not None and export.name == name and not name.startswith("_"):
            return export.line
        if name in BUILTINS:
            return ""
        file = self.program.files.get(path)
        if file is not None and name in self._own(file):
            return self._through(file, name)
        if name in STANDARD:
            return STANDARD[name]
        unique = self._unique.get(name)
        return unique.line if unique else None

    def _own(self, file: SourceFile) -> dict[str, tuple[str, str]]:
        if file.path not in self._imports:
            self._imports[file.path] = _own_imports(file)
        return self._imports[file.path]

    def _through(self, file: SourceFile, name: str) -> str | None:
        """Returns the import line that `file` itself uses, made absolute."""
        module, original = self._own(file)[name]
        origin = self.program.by_module.get(module)
        if origin is not None and original:
            export = self.export(origin.path, original)
            if export is not None and export.name == name:
                return export.line
            return STANDARD.get(name)
        if module.partition(".")[0] == "__future__":
            return None
        if not original:
            top = module.partition(".")[0]
            return f"import {module} as {name}" if name != top else f"import {module}"
        return f"from {module} import {original}" + (f" as {name}" if name != original else "")


def top_level_names(file: SourceFile) -> list[str]:
    """Returns the classes and functions that the module itself defines."""
    return [s.name for s in file.symbols if "." not in s.name]


def constants_of(file: SourceFile) -> list[str]:
    """Returns the public names in capitals that the module itself assigns."""
    targets = (
        target
        for node in file.tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    )
    names = (target.id for target in targets if isinstance(target, ast.Name))
    return [name for name in names if name.isupper() and not name.startswith("_")]


def imported_names(file: SourceFile) -> Iterator[tuple[str, str, str]]:
    """Yields (absolute module, name there, name here) of all `from` imports."""
    for node in ast.walk(file.tree):
        if isinstance(node, ast.ImportFrom):
            module = file.imported_module(node)
            for alias in node.names:
                if alias.name != "*":
                    yield module, alias.name, alias.asname or alias.name


def _own_imports(file: SourceFile) -> dict[str, tuple[str, str]]:
    """Returns name here -> (absolute module, name there or "" for a module import)."""
    found: dict[str, tuple[str, str]] = {}
    for module, name, here in imported_names(file):
        found[here] = (module, name)
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                here = alias.asname or alias.name.partition(".")[0]
                found.setdefault(here, (alias.name, ""))
    return found
