"""Names that a program gives to its symbols beside their own: ``from wait import slow as calm``."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple

from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.symbols import Symbol

_RENAMED = re.compile(r"\sas[ \t]+([A-Za-z_]\w*)")
_ASSIGNED = re.compile(r"^([A-Za-z_]\w*)[ \t]*=[^=]", re.MULTILINE)


class NamedPlace(NamedTuple):
    """A symbol, as a second name means it."""

    path: str
    symbol: Symbol
    certain: bool
    """Whether the name can mean nothing else, unlike that of ``scan = c_scan or py_scan``."""


class SecondNames:
    """Functions and classes of modules by the names that they have beside their own.

    Names that a symbol has as its own are none. Files are searched as texts, and parsed only where
    they have a name that is asked for.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._read: dict[str, Mapping[str, list[NamedPlace]]] = {}

    @cached_property
    def _own(self) -> Mapping[str, list[tuple[str, Symbol]]]:
        """Name -> top-level symbols with it; none for a name of methods alone."""
        found: dict[str, list[tuple[str, Symbol]]] = defaultdict(list)
        for path, file in self._program.files.items():
            for symbol in file.symbols:
                found[symbol.leaf] += [(path, symbol)] if "." not in symbol.name else []
        return found

    @cached_property
    def _binding(self) -> Mapping[str, list[SourceFile]]:
        """Name -> files that may bind it."""
        found: dict[str, list[SourceFile]] = defaultdict(list)
        for file in self._program.files.values():
            if not file.error:
                text = file.text
                for name in {*_RENAMED.findall(text), *_ASSIGNED.findall(text)}:
                    found[name].append(file)
        return found

    def of(self, name: str) -> tuple[NamedPlace, ...]:
        """Returns the symbols that have `name` as a second one."""
        if name in self._own:
            return ()
        files = self._binding.get(name, ())
        return tuple(dict.fromkeys(one for file in files for one in self._in(file).get(name, ())))

    @property
    def every(self) -> Mapping[str, tuple[NamedPlace, ...]]:
        """All of them; files are parsed for it that may have one."""
        found = ((name, self.of(name)) for name in self._binding)
        return {name: places for name, places in found if places}

    def _in(self, file: SourceFile) -> Mapping[str, list[NamedPlace]]:
        if file.path not in self._read:
            found: dict[str, list[NamedPlace]] = defaultdict(list)
            for name, place in self._bound(file):
                found[name].append(place)
            self._read[file.path] = found
        return self._read[file.path]

    def _bound(self, file: SourceFile) -> Iterator[tuple[str, NamedPlace]]:
        for one in file.imports:
            source = one.origin.rpartition(".")[2]
            if one.bound != source:
                for path, symbol in self._own.get(source, ()):
                    yield one.bound, NamedPlace(path, symbol, certain=True)
        for node in file.tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                certain = isinstance(node.value, ast.Name)
                names = (inner for inner in ast.walk(node.value) if isinstance(inner, ast.Name))
                places = (place for name in names for place in self._own.get(name.id, ()))
                for path, symbol in places:
                    if path == file.path:
                        yield node.targets[0].id, NamedPlace(path, symbol, certain)


@lru_cache(maxsize=2)
def second_names(program: Program) -> SecondNames:
    """Returns the second names of a program, which are looked for once."""
    return SecondNames(program)
