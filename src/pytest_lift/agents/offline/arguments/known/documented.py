"""What the docstrings of a program tell of the parameters of its functions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
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
    ) -> None:
        """`functions` are the program's by file and name, `classes` the names of its classes."""
        self.program = program
        self.functions = functions
        self.classes = classes
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
                kinds = kinds or [*self._kinds_of_property(target, parameter)]
            self._kinds[key] = kinds
        return self._kinds[key]

    def _kinds_of_property(self, target: Target, parameter: Parameter) -> Iterator[str]:
        """Yields the kinds and classes that a docstring tells of the property that is set, or that
        has the name of a parameter with which its object is made."""
        owner = target.symbol if target.kind == "constructor" else ""
        name = f"{owner}.{parameter.name}" if owner else target.symbol
        if not owner and target.kind != "statement":
            return
        symbols = self.program.files[target.path].symbols
        doc = next((one.doc for one in symbols if one.name == name and one.doc), "")
        yield from described_property(doc).kinds
        yield from (
            word for word in re.findall(r"\w+", accepted_words(doc)) if word in self.classes
        )

    def is_called(self, target: Target, name: str) -> bool:
        """Whether a docstring says that a parameter is called, or is a function."""
        node = self.functions.get((target.path, target.symbol))
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
