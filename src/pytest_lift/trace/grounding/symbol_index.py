"""The symbols of a program by what they are called, decide on and hand on, and what they call."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import lru_cache

from pytest_lift.source.program import Program
from pytest_lift.trace.grounding.bm25 import BagIndex
from pytest_lift.trace.grounding.documents import documents
from pytest_lift.trace.grounding.second_names import second_names

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
        for name, places in second_names(program).every.items():
            keys = ((one.path, one.symbol.name) for one in places)
            self.by_name[name] += [self.by_key[key] for key in keys if key in self.by_key]
        self._index_names()

    def _index_names(self) -> None:
        self.deciders: dict[str, list[int]] = defaultdict(list)
        self.passers: dict[str, list[int]] = defaultdict(list)
        self.raisers: dict[str, list[int]] = defaultdict(list)
        for number, one in enumerate(self.documents):
            for name in one.decides | {name for name in one.calls if name not in self.by_name}:
                self.deciders[name].append(number)
            for name in one.passes:
                self.passers[name].append(number)
            for name in one.raises:
                self.raisers[name].append(number)

    def meant(self, name: str, before: Collection[str] = ()) -> list[int]:
        """Returns the symbols of a name: those in a module that is called as one of the words
        `before` it, if there are any."""
        found = self.by_name.get(name, [])
        inside = [n for n in found if any(n in self.by_module.get(word, ()) for word in before)]
        return inside or found

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


@lru_cache(maxsize=2)
def symbol_index(program: Program) -> SymbolIndex:
    """Returns the index of a program, which is built once as long as the program is the same."""
    return SymbolIndex(program)
