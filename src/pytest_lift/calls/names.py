"""Resolves free names of source to the import lines that provide them."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pytest_lift.calls.collectors import readers_of
from pytest_lift.calls.definitions import LocalDefinitions
from pytest_lift.calls.targets.mains import MAIN_NAMES
from pytest_lift.source.bindings import (
    Import,
    all_bound_names,
    bindings,
    bound_names,
)
from pytest_lift.source.made.factories import instances_of
from pytest_lift.source.program import Program, SourceFile

BUILTINS = frozenset(dir(builtins))
MOST_PASSED_ON = 6
"""Most modules behind each other that pass a name on."""
STANDARD = {
    "ABC": "from abc import ABC",
    "Any": "from typing import Any",
    "BytesIO": "from io import BytesIO",
    "Counter": "from collections import Counter",
    "Decimal": "from decimal import Decimal",
    "Enum": "from enum import Enum",
    "Event": "from threading import Event",
    "Fraction": "from fractions import Fraction",
    "HTTPMethod": "from http import HTTPMethod",
    "HTTPStatus": "from http import HTTPStatus",
    "Lock": "from threading import Lock",
    "Literal": "from typing import Literal",
    "Namespace": "from argparse import Namespace",
    "ModuleType": "from types import ModuleType",
    "NewType": "from typing import NewType",
    "Optional": "from typing import Optional",
    "OrderedDict": "from collections import OrderedDict",
    "Path": "from pathlib import Path",
    "Queue": "from queue import Queue",
    "Random": "from random import Random",
    "SimpleNamespace": "from types import SimpleNamespace",
    "StringIO": "from io import StringIO",
    "UUID": "from uuid import UUID",
    "Union": "from typing import Union",
    "ast": "import ast",
    "asyncio": "import asyncio",
    "collections": "import collections",
    "count": "from itertools import count",
    "cycle": "from itertools import cycle",
    "date": "from datetime import date",
    "datetime": "import datetime",
    "defaultdict": "from collections import defaultdict",
    "deque": "from collections import deque",
    "inspect": "import inspect",
    "io": "import io",
    "islice": "from itertools import islice",
    "itemgetter": "from operator import itemgetter",
    "itertools": "import itertools",
    "logging": "import logging",
    "math": "import math",
    "namedtuple": "from collections import namedtuple",
    "nullcontext": "from contextlib import nullcontext",
    "operator": "import operator",
    "pytest": "import pytest",
    "re": "import re",
    "suppress": "from contextlib import suppress",
    "sqlite3": "import sqlite3",
    "time": "from datetime import time",
    "timedelta": "from datetime import timedelta",
    "timezone": "from datetime import timezone",
}
"""Names of the standard library that a test may use although the program does not import them."""
PYTHON_2 = frozenset({"StringIO", "cStringIO", "Queue", "__builtin__"})
"""Modules that there are no more: a program that still names them has others for them."""
LIBRARIES = {"np": ("numpy", "import numpy as np"), "pd": ("pandas", "import pandas as pd")}
"""Name that everybody knows a library by -> its module, and the line that imports it."""
NAMELESS = re.compile(
    r"(?:b?'(?:[^'\\\n]|\\.)*'|\b(?:True|False|None)\b|\b\d[\d.]*\b|[\s\[\](){},:.+-])*+"
)
"""Literals and containers of them: most arguments are such, and to parse them is dear. What was
matched is not tried again: a row of decimal numbers has too many readings."""


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
    if NAMELESS.fullmatch(source):
        return frozenset()
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return frozenset()
    loaded = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    return frozenset(loaded.difference(all_bound_names(tree)))


class Resolver:
    """Resolves names, as used in a file of the program, to import lines."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.definitions = LocalDefinitions()
        """What tests define themselves."""
        self.altered: dict[str, frozenset[str]] = {}
        """`Target.key` -> parameters whose argument is changed in place, as far as it was seen."""
        self._lines: dict[tuple[str, str], str | None] = {}
        self._imports: dict[str, dict[str, Import]] = {}
        self._passed_on: dict[str, dict[str, Import]] = {}
        self._bound: dict[str, set[str]] = {}
        self._together: dict[tuple[frozenset[str], str], tuple[str, ...] | None] = {}

    @cached_property
    def readers(self) -> dict[str, str]:
        """Class -> its method that gives back what was written to an object of it."""
        return readers_of(self.program)

    @cached_property
    def exports(self) -> dict[tuple[str, str], Export]:
        """(defining file, top-level name) -> public place to import it from."""
        found: dict[tuple[str, str], Export] = {}
        for file in self.program.files.values():
            if file.public and file.importable:
                values = (*constants_of(file), *instances_of(file).values())
                for name in (*top_level_names(file), *values):
                    found[file.path, name] = Export(file.module, name)
        for file in sorted(self.program.files.values(), key=lambda f: f.module.count(".")):
            offers = file.public and file.importable
            for one in self._reexported(file).values() if offers else ():
                place = self._definition(one)
                if place is not None and not one.bound.startswith("_"):
                    found.setdefault(place, Export(file.module, one.bound))
        for file in self._of_programs({*found}):
            for name in top_level_names(file):
                found.setdefault((file.path, name), Export(file.module, name))
        return found

    def _of_programs(self, exported: AbstractSet[tuple[str, str]]) -> Iterator[SourceFile]:
        """Yields private modules of which packages offer nothing but what starts a program: its
        parts can be tested from there alone."""
        offered: dict[str, set[str]] = {}
        for path, name in exported:
            offered.setdefault(path, set()).add(name)
        for file in self.program.files.values():
            names = offered.get(file.path, set())
            if not file.public and file.importable and names and names <= MAIN_NAMES:
                yield file

    def _reexported(self, file: SourceFile) -> Mapping[str, Import]:
        """Returns name -> its import, of what a file imports by name, also by ``*``."""
        if file.path not in self._passed_on:
            self._passed_on[file.path] = {}  # modules may import each other
            found = self._passed_on[file.path]
            for one in file.namespace_imports:
                origin = self.program.by_module.get(one.module)
                if one.module and one.name != "*":
                    found[one.bound] = one
                elif one.module and origin is not None:
                    names = [*top_level_names(origin), *self._reexported(origin)]
                    for name in starred(origin, names):
                        found.setdefault(
                            name, Import(one.module, name, name, f"{one.module}.{name}")
                        )
        return self._passed_on[file.path]

    def reexported(self, file: SourceFile) -> dict[str, tuple[str, str]]:
        """Returns name -> (defining file, name) of what a file imports by name of the program."""
        found = {name: self._definition(one) for name, one in self._reexported(file).items()}
        return {name: place for name, place in found.items() if place is not None}

    def _definition(self, one: Import) -> tuple[str, str] | None:
        """Returns (defining file, name) of an imported name, through modules that import it from
        others; None for what is not the program's."""
        seen = {one}
        while (file := self.program.by_module.get(one.module)) is not None:
            further = self._reexported(file).get(one.name)
            if further is None or further in seen or one.name in top_level_names(file):
                return file.path, one.name
            seen.add(further)
            one = further
        return None

    @cached_property
    def _unique(self) -> dict[str, Export]:
        seen: dict[str, list[Export]] = {}
        for (_, name), export in self.exports.items():
            seen.setdefault(name, []).append(export)
        return {name: places[0] for name, places in seen.items() if len(places) == 1}

    @cached_property
    def _imported(self) -> frozenset[str]:
        """Top-level modules that the program imports."""
        return frozenset(one.top for file in self.program.files.values() for one in file.imports)

    def export(self, path: str, name: str) -> Export | None:
        """Returns the public import of a top-level name of `path`; None for a private name."""
        return None if name.startswith("_") else self.exports.get((path, name))

    def by_class(self, module: str, name: str) -> str | None:
        """Returns the import line of a class that a child reported as (module, qualified name)."""
        top = name.partition(".")[0]
        file = self.program.by_module.get(module)
        if file is None:
            module = self._public(module, top)
            return f"from {module} import {top}" if top else f"import {module}"
        export = self.export(file.path, top)
        if export is not None:
            return export.line if export.name == top else None
        passed_on = file.public and top in self._reexported(file)
        return f"from {module} import {top}" if passed_on else None

    def _public(self, module: str, name: str) -> str:
        """Returns where users find a class of a private module of others that the program hands on:
        ``queue`` for ``_queue``."""
        if not any(part.startswith("_") for part in module.split(".")):
            return module
        handing = (
            file.module
            for file in self.program.files.values()
            for one in file.namespace_imports
            if file.public and (one.module, one.name, one.bound) == (module, name, name)
        )
        return next(handing, module)

    def imports(self, names: Iterable[str], path: str) -> tuple[str, ...] | None:
        """Returns import lines for `names` as used in the source file `path`; None if one is
        unknown."""
        key = frozenset(names), path
        if key not in self._together:
            self._together[key] = self._import_lines(*key)
        return self._together[key]

    def documented_imports(self, names: Iterable[str], path: str) -> tuple[str, ...] | None:
        """Returns import lines for `names` as documentation uses them; None if one is unknown. The
        program's own package, and whatever has a name in it, need no import there."""
        lines: set[str] = set()
        rest: set[str] = set()
        for name in names:
            line = self.imports([name], path)
            if line is None and (more := self._offered(name, path)):
                lines.add(more)
            else:
                rest.add(name)
        known = self.imports(rest, path)
        return None if known is None else tuple(sorted(lines | {*known}))

    def _offered(self, name: str, path: str) -> str:
        """Returns the line that imports a name which a package of the program has, or the module at
        `path`: from there, or whence it has the name where it does not list it as its own; "" where
        none has it."""
        if name in self.program.names and name in self.program.by_module:
            return f"import {name}"
        tops = [self.program.by_module.get(one) for one in self.program.names]
        for file in (*tops, self.program.files.get(path)):
            if file is not None and file.public and name in self._names_in(file.module):
                others = (one for one in file.namespace_imports if one.bound == name)
                line = next((one.line for one in others if self._is_of_others(one)), "")
                if line and name not in (file.listed or ()):
                    return line
                return f"from {file.module} import {name}"
        return ""

    def _is_of_others(self, one: Import) -> bool:
        """Whether an import is from another package than those of the program."""
        return bool(one.top) and one.top not in self.program.names

    def _names_in(self, module: str) -> AbstractSet[str]:
        """Returns the public names that a module of the program binds, also by ``*``."""
        if module not in self._bound:
            self._bound[module] = set()  # modules may import each other
            file = self.program.by_module[module]
            own = {name for name in bound_names(file.tree) if not name.startswith("_")}
            for one in file.namespace_imports:
                if one.name == "*" and one.module in self.program.by_module:
                    own |= {
                        *starred(self.program.by_module[one.module], self._names_in(one.module))
                    }
            self._bound[module] |= own
        return self._bound[module]

    def _import_lines(self, names: frozenset[str], path: str) -> tuple[str, ...] | None:
        lines = []
        for name in sorted(names):
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
        own = self._own(file).get(name) if file is not None else None
        if file is not None and own is not None and not (name in STANDARD and own.top in PYTHON_2):
            return self._through(file, name)
        if name in STANDARD:
            return STANDARD[name]
        if name in LIBRARIES and LIBRARIES[name][0] in self._imported:
            return LIBRARIES[name][1]
        unique = self._unique.get(name)
        return unique.line if unique else None

    def _own(self, file: SourceFile) -> dict[str, Import]:
        if file.path not in self._imports:
            self._imports[file.path] = _own_imports(file)
        return self._imports[file.path]

    def _through(self, file: SourceFile, name: str) -> str | None:
        """Returns the import line that `file` itself uses, made absolute."""
        found = self._own(file)[name]
        if place := self._definition(found):
            export = self.export(*place)
            if export is not None and export.name == name:
                return export.line
            return STANDARD.get(name)
        return None if found.top == "__future__" else found.line


def starred(file: SourceFile, names: Iterable[str]) -> list[str]:
    """Returns those of the names of a module that a star import binds."""
    listed = file.listed
    return [name for name in names if listed is None or name in listed]


def top_level_names(file: SourceFile) -> list[str]:
    """Returns the classes and functions that the module itself defines when it is imported."""
    scripts = [node for node in file.tree.body if isinstance(node, ast.If) and _is_script(node)]
    lines = {line for node in scripts for line in range(node.lineno, (node.end_lineno or 0) + 1)}
    return [s.name for s in file.symbols if "." not in s.name and s.line not in lines]


def _is_script(node: ast.If) -> bool:
    """Whether a statement is ``if __name__ == "__main__":``, and nothing else."""
    names = {one.id for one in ast.walk(node.test) if isinstance(one, ast.Name)}
    return "__name__" in names and not node.orelse


def constants_of(file: SourceFile) -> dict[str, ast.expr]:
    """Returns the public names in capitals that the module itself assigns once -> values."""
    once = bindings(file.tree.body).once
    return {n: value for n, value in once.items() if n.isupper() and not n.startswith("_")}


def imported_names(file: SourceFile) -> Iterator[Import]:
    """Yields the names that `from` imports bind, with absolute names of modules."""
    return (found for found in file.imports if found.module and found.name != "*")


def defined_in(found: Import, program: Program) -> tuple[str, str]:
    """Returns the module that defines what an import binds, and its name there, behind modules of
    the program that pass it on."""
    for _ in range(MOST_PASSED_ON):
        file = program.by_module.get(found.module)
        if file is None or any(s.name == found.name for s in file.symbols):
            break
        step = next((one for one in imported_names(file) if one.bound == found.name), None)
        step = step or _starred_in(file, found, program)
        if step is None:
            break
        found = step
    return found.module, found.name


def _starred_in(file: SourceFile, found: Import, program: Program) -> Import | None:
    """Returns a name as the last module has it from which a file imports all that there is."""
    for one in reversed(file.imports):
        other = program.by_module.get(one.module) if one.name == "*" else None
        if other is not None and starred(other, {found.name} & {*bound_names(other.tree)}):
            return found._replace(module=one.module, origin=f"{one.module}.{found.name}")
    return None


def _own_imports(file: SourceFile) -> dict[str, Import]:
    """Returns name here -> its import: a `from` import if there is one, the last of them."""
    found = {one.bound: one for one in imported_names(file)}
    for one in file.imports:
        found.setdefault(one.bound, one)
    return found
