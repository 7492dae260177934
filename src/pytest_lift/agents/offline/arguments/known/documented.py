"""What the docstrings of a program tell of the parameters of its functions."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property

from pytest_lift.agents.offline.arguments.classes import documented_types
from pytest_lift.agents.offline.arguments.descriptions import (
    accepted_words,
    described,
    described_property,
)
from pytest_lift.agents.offline.natural.kinds import kinds_named
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.program import Program
from pytest_lift.source.special_methods import STATEMENTS
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import FunctionNode

DOCUMENTED_METHOD = re.compile(r"`{1,2}\.?(\w+)\(\)`{1,2}\s+(?:\w+\s+)?methods?")


class DocumentedParameters:
    """Reads the docstrings of a program for the parameters that they are about."""

    def __init__(
        self,
        program: Program,
        functions: Mapping[tuple[str, str], FunctionNode],
        classes: AbstractSet[str],
        bases: Callable[[str], Iterable[str]],
    ) -> None:
        """`functions` are the program's by file and name, `classes` the names of its classes;
        `bases` tells those above one."""
        self.program = program
        self.functions = functions
        self.classes = classes
        self.bases = bases
        self._texts: dict[str, str] = {}
        self._kinds: dict[tuple[str, str], list[str]] = {}

    def text(self, target: Target) -> str:
        """Returns the docstrings of a target, of its class, and of what makes its objects;
        cached."""
        if target.key not in self._texts:
            wanted = {target.symbol, target.symbol.rpartition(".")[0], f"{target.symbol}.__init__"}
            symbols = self.program.files[target.path].symbols
            found = (symbol.doc for symbol in symbols if symbol.name in wanted)
            self._texts[target.key] = "\n".join(found)
        return self._texts[target.key]

    def kinds(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns the kinds of values that a docstring names for a parameter; cached."""
        key = (target.key, parameter.name)
        if key not in self._kinds:
            told = [*documented_types(self.text(target), parameter.name)]
            kinds = [kind for text in told for kind in kinds_named(text)]
            if not told and not parameter.annotation:
                kinds = [*described(self.text(target), parameter.name).kinds]
                kinds = kinds or self._kinds_of_property(target, parameter)
            self._kinds[key] = kinds
        return self._kinds[key]

    def _kinds_of_property(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns the kinds and classes that a docstring tells of the property that is set, or that
        has the name of a parameter with which its object is made: that of the class, or else of the
        nearest one above it that tells any."""
        for doc in self._docs_of_property(target, parameter):
            told = re.findall(r"\w+", accepted_words(doc))
            kinds = [*described_property(doc).kinds, *(one for one in told if one in self.classes)]
            if kinds:
                return kinds
        return []

    def values(self, target: Target, parameter: Parameter) -> tuple[str, ...]:
        """Returns the values that docstrings name for a parameter, or for its property."""
        text = self.text(target)
        told = [described(text, parameter.name).values] if text else []
        docs = self._docs_of_property(target, parameter) if not parameter.annotation else ()
        return next(filter(None, (*told, *(described_property(doc).values for doc in docs))), ())

    def _docs_of_property(self, target: Target, parameter: Parameter) -> Iterator[str]:
        for owner, name in self.attributes(target, parameter):
            doc = self._docs.get((target.path, owner, name)) or self._docs.get(("", owner, name))
            yield from [doc] if doc else []

    def attributes(self, target: Target, parameter: Parameter) -> Iterator[tuple[str, str]]:
        """Yields (class, attribute) of what is set, or has the name of a parameter with which an
        object is made: of its class, then of those above it."""
        if target.kind == "constructor":
            owner, name = target.symbol, parameter.name
        elif target.kind == "statement" and target.leaf not in STATEMENTS:
            owner, _, name = target.symbol.rpartition(".")
        else:
            return
        yield owner, name
        yield from ((base, name) for base in self.bases(owner))

    @cached_property
    def _docs(self) -> dict[tuple[str, str, str], str]:
        """(path, class, member) -> docstring; the path is "" for the first class of a name."""
        found: dict[tuple[str, str, str], str] = {}
        for path, file in self.program.files.items():
            for symbol in file.symbols:
                owner, _, name = symbol.name.rpartition(".")
                if owner and symbol.doc:
                    found.setdefault((path, owner, name), symbol.doc)
                    found.setdefault(("", owner, name), symbol.doc)
        return found

    def is_called(self, target: Target, name: str) -> bool:
        """Whether a docstring says that a parameter is called, or is a function."""
        node = self.functions.get((target.path, target.definition))
        doc = (ast.get_docstring(node) or "") if node else ""
        near = rf"[*`]{re.escape(name)}(\(\w*\))?[*`]+[^.]{{0,60}}\b(function|callable|called)\b"
        return re.search(near, doc) is not None

    @cached_property
    def ducks(self) -> list[str]:
        """Objects with the methods that docstrings mention as ```name()`` method``."""
        names: dict[str, None] = {}
        for file in self.program.files.values():
            for symbol in file.symbols:
                names.update(dict.fromkeys(DOCUMENTED_METHOD.findall(symbol.doc)))
        known = {s.leaf for f in self.program.files.values() for s in f.symbols}
        wanted = [n for n in names if n not in known and not n.startswith("__")]
        return [
            f"SimpleNamespace({name}=lambda: {{'a': 1}})" for name in wanted if name.isidentifier()
        ]
