"""Symbols of the program that a requirement's text names, and whether a test executes them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache

from pytest_lift.coverage.coverage import Coverage, Entry
from pytest_lift.expectations.requirement_match import code_spans
from pytest_lift.requirements.requirement import Requirement
from pytest_lift.source.program import Program

_WORD = re.compile(r"[A-Za-z_]\w*")
_CALLED = re.compile(r"([A-Za-z_]\w*)\s*\(")
SHORTEST = 3
"""Letters of a name that is taken for one."""


@lru_cache(maxsize=4096)
def quoted_names(text: str) -> frozenset[str]:
    """Returns every name in the code spans of `text`."""
    return frozenset(word for span in code_spans(text) for word in _WORD.findall(span))


class Grounding:
    """The symbols of one program by name, and which of them each test entered."""

    def __init__(self, program: Program, coverage: Coverage | None) -> None:
        self._entries = _entries(program)
        self._unseen = _unseen(program, coverage)
        self._entered = _entered(coverage) if coverage is not None else {}
        self.measured = bool(self._entered)
        """Whether it is known which test executes what."""

    def named(self, requirement: Requirement) -> tuple[str, ...]:
        """Returns names of functions and classes of the program, in order: those in backticks, and
        what the examples call."""
        names = quoted_names(requirement.text)
        for example in requirement.examples:
            names |= frozenset(_CALLED.findall(example))
        return tuple(sorted(name for name in names if name in self._entries))

    def places(self, names: Iterable[str]) -> frozenset[Entry]:
        """Returns the functions that count as any of `names`."""
        return frozenset().union(*(self._entries.get(name, frozenset()) for name in names))

    def executed(self, test: str, names: Iterable[str]) -> tuple[str, ...] | None:
        """Returns those of `names` that any row of the test entered; None where nothing was
        measured.

        A class is entered with any of its methods; of functions of one name any counts.
        """
        if not self.measured:
            return None
        entered = self._entered.get(test, frozenset())
        return tuple(name for name in names if not entered.isdisjoint(self._entries[name]))

    def sees(self, names: Iterable[str]) -> bool:
        """Whether using any of `names` is always seen: not so of classes whose making runs no line
        of theirs, of decorated functions (a cache may answer for them), and where coverage was
        not measured."""
        return self._unseen.isdisjoint(names)


_TRANSPARENT = frozenset({"staticmethod", "classmethod", "property", "abstractmethod", "override"})
"""Decorators under which a function runs whenever it is used."""


def _unseen(program: Program, coverage: Coverage | None) -> frozenset[str]:
    """Returns names of functions and classes that a test can use without entering a function of
    theirs."""
    found: set[str] = set()
    for path, file in program.files.items():
        measured = coverage is not None and path in coverage.files
        made = {
            symbol.name.rpartition(".")[0]
            for symbol in file.symbols
            if symbol.leaf in ("__init__", "__new__")
        }
        for symbol in file.symbols:
            decorators = {text.partition("(")[0].rpartition(".")[2] for text in symbol.decorators}
            seen = symbol.name in made if symbol.kind == "class" else decorators <= _TRANSPARENT
            if not (measured and seen):
                found.add(symbol.leaf)
    return frozenset(found)


def _entries(program: Program) -> Mapping[str, frozenset[Entry]]:
    """Returns name -> the functions that count as it."""
    found: dict[str, set[Entry]] = defaultdict(set)
    for path, file in program.files.items():
        for symbol in file.symbols:
            if symbol.kind == "class":
                continue
            owner = symbol.name.rpartition(".")[0].rpartition(".")[2]
            for name in (symbol.leaf, owner):
                if len(name) >= SHORTEST:
                    found[name].add((path, symbol.line))
    return {name: frozenset(entries) for name, entries in found.items()}


def _entered(coverage: Coverage) -> dict[str, frozenset[Entry]]:
    """Returns test function -> what its rows entered."""
    found: dict[str, frozenset[Entry]] = {}
    for node, entries in coverage.functions_by_test.items():
        function = node.partition("[")[0]
        found[function] = found[function] | entries if function in found else entries
    return found
