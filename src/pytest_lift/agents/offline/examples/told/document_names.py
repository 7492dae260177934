"""Names that documents use: what imports them, and which of them are the program's."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from functools import cached_property

from pytest_lift.agents.offline.examples.shown_blocks import ShownBlocks
from pytest_lift.calls.names import Resolver
from pytest_lift.source.bindings import imports_in, is_future
from pytest_lift.source.program import Program

LEFT_OUT = frozenset({"os", "sys", "json", "re", "datetime", "random", "time", "logging", "typing",
                      "pytest"})  # fmt: skip
"""Modules whose import documents leave out."""


class DocumentNames:
    """Names that the documents of a program may use."""

    def __init__(
        self, program: Program, resolver: Resolver, documents: Iterable[ShownBlocks]
    ) -> None:
        self.program = program
        self.resolver = resolver
        self.elsewhere = self._from_elsewhere(documents)
        """Name -> import line, of what documents and the program import from other packages."""

    @cached_property
    def modules(self) -> frozenset[str]:
        """The modules that a test may import: pytest, those of the program, and those that it
        imports."""
        own = (one.top for file in self.program.files.values() for one in file.namespace_imports)
        return frozenset({"pytest", *own, *self.program.names, *sys.stdlib_module_names})

    def imports_of(self, names: AbstractSet[str], path: str) -> AbstractSet[str] | None:
        """Returns the import lines of names of a file; None where one is unknown."""
        lines = {f"import {name}" for name in names & LEFT_OUT}
        rest = names - LEFT_OUT
        for name in rest & self.elsewhere.keys():
            if self.resolver.documented_imports({name}, path) is None:
                lines.add(self.elsewhere[name])
                rest -= {name}
        more = self.resolver.documented_imports(rest, path)
        return None if more is None else {*more, *lines}

    def own_names(self, imports: Iterable[str]) -> frozenset[str]:
        """Returns the names that import lines have from the program."""
        nodes = [node for line in imports for node in ast.parse(line).body]
        return frozenset(one.bound for one in imports_in(nodes) if one.top in self.program.names)

    def imported(self, nodes: Iterable[ast.stmt]) -> Iterator[tuple[str, str]]:
        """Yields (name, import line) of what import statements bind."""
        for found in imports_in(node for node in nodes if not is_future(node)):
            if found.name != "*" and found.top in self.modules:
                yield found.bound, found.line

    def _from_elsewhere(self, documents: Iterable[ShownBlocks]) -> dict[str, str]:
        """Returns the names that are imported from other packages, each in one way alone: what a
        reader of one document knows from another one."""
        nodes = (n for document in documents for block in document.blocks for n in block.statements)
        found = [*imports_in(node for node in nodes if not is_future(node))]
        found += [o for file in self.program.files.values() for o in file.namespace_imports]
        ways: dict[str, set[str]] = {}
        for one in found:
            if one.name != "*" and one.top in self.modules and one.top not in self.program.names:
                ways.setdefault(one.bound, set()).add(one.line)
        return {name: line for name, (line, *more) in ways.items() if not more}
