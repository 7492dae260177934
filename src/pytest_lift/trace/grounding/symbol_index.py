"""The symbols of a program by what they are called, decide on and hand on, and what they call."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache

from pytest_lift.source.program import Program, SourceFile
from pytest_lift.trace.grounding.bm25 import BagIndex
from pytest_lift.trace.grounding.documents import Document, documents

MOST_MEANT = 4
"""Most symbols of one name that a call is taken to mean."""
DEEPEST = 6
"""Most calls from a symbol that is named to one that is reached."""


class SymbolIndex:
    """The documents of a program, known by their numbers, and what they have to do with each
    other."""

    def __init__(self, program: Program) -> None:
        files = [file for file in program.files.values() if not file.error]
        self.documents = [one for file in files for one in documents(file)]
        self.promised = BagIndex([one.promised for one in self.documents])
        self.done = BagIndex([one.done for one in self.documents])
        self.by_name: dict[str, list[int]] = defaultdict(list)
        self.members: dict[tuple[str, str], list[int]] = defaultdict(list)
        """(path, qualified name of a class) -> what is defined in it."""
        self.by_key: dict[tuple[str, str], int] = {}
        self.by_module: dict[str, list[int]] = defaultdict(list)
        """Last part of a module's name -> what is in it."""
        for number, one in enumerate(self.documents):
            self.by_name[one.symbol.leaf].append(number)
            self.members[one.path, one.symbol.name.rpartition(".")[0]].append(number)
            self.by_key[one.key] = number
            self.by_module[program.files[one.path].module.rpartition(".")[2]].append(number)
        for name, number in [*self._renamed(files)]:
            if number not in self.by_name[name]:
                self.by_name[name].append(number)
        self._index_names()

    def _index_names(self) -> None:
        self.deciders: dict[str, list[int]] = defaultdict(list)
        self.passers: dict[str, list[int]] = defaultdict(list)
        self.raised: set[str] = set()
        for number, one in enumerate(self.documents):
            for name in one.decides | {name for name in one.calls if name not in self.by_name}:
                self.deciders[name].append(number)
            for name in one.passes:
                self.passers[name].append(number)
            self.raised |= one.raises

    def _renamed(self, files: Iterable[SourceFile]) -> Iterator[tuple[str, int]]:
        """Yields (name, symbol) of symbols that have a second name: by an import, or by an
        assignment such as ``scan = c_scan or py_scan``."""
        for file in files:
            for one in file.imports:
                source = one.origin.rpartition(".")[2]
                if one.bound != source:
                    yield from ((one.bound, number) for number in self.by_name.get(source, ()))
            for node in file.tree.body:
                if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                    name = node.targets[0].id
                    if name not in self.by_name:
                        yield from ((name, number) for number in self._meant(node.value, file.path))

    def _meant(self, value: ast.expr, path: str) -> Iterator[int]:
        names = (node.id for node in ast.walk(value) if isinstance(node, ast.Name))
        numbers = (number for name in names for number in self.by_name.get(name, ()))
        return (number for number in numbers if self.documents[number].path == path)

    def constructor(self, number: int) -> int | None:
        """Returns the ``__init__`` of a class."""
        one = self.documents[number]
        return self.by_key.get((one.path, f"{one.symbol.name}.__init__"))

    def _callees(self, number: int) -> set[int]:
        one = self.documents[number]
        known = (self.by_name.get(name, ()) for name in one.uses)
        found = {each for meant in known if len(meant) <= MOST_MEANT for each in meant}
        if one.symbol.kind == "class":
            found.update(self.members.get(one.key, ()))
        found |= {made for each in found if (made := self.constructor(each)) is not None}
        return found

    def reached(self, starts: Iterable[int]) -> set[int]:
        """Returns what these symbols may call, by names alone, and what that calls; themselves
        included."""
        found = set(starts)
        level = found
        for _ in range(DEEPEST):
            level = {each for number in level for each in self._callees(number)} - found
            if not level:
                break
            found |= level
        return found

    def is_kind(self, name: str, *kinds: str) -> bool:
        """Whether any symbol of that name is of one of these kinds."""
        return any(self.documents[n].symbol.kind in kinds for n in self.by_name.get(name, ()))

    def document(self, path: str, name: str) -> Document | None:
        number = self.by_key.get((path, name))
        return None if number is None else self.documents[number]


@lru_cache(maxsize=2)
def symbol_index(program: Program) -> SymbolIndex:
    """Returns the index of a program, which is built once as long as the program is the same."""
    return SymbolIndex(program)
