"""Sorts import lines of many tests into one block; conflicting imports stay in their test."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterable, Sequence

from pytest_lift.calls.names import imported_names
from pytest_lift.source.bindings import import_bindings
from pytest_lift.source.program import Program
from pytest_lift.suite.splice import from_import

Binding = tuple[str, str, str]
"""(module or "", name, bound as)."""


def binding(line: str) -> Binding:
    """Returns what a single import line binds."""
    node = ast.parse(line).body[0]
    assert isinstance(node, ast.Import | ast.ImportFrom)
    return next(import_bindings(node))


def import_line(item: Binding) -> str:
    """Returns the line that imports it."""
    module, name, bound = item
    renamed = f" as {bound}" if bound not in (name, name.partition(".")[0]) else ""
    return f"from {module} import {name}{renamed}" if module else f"import {name}{renamed}"


def is_plain(line: str) -> bool:
    """Whether a line is like ``import io``, without another name for it."""
    return line.startswith("import ") and " as " not in line


class ImportPlan:
    """Decides which import lines stand at the top of a file and which in a test."""

    def __init__(
        self, wanted: Sequence[Sequence[str]], program: Program, present: Iterable[Binding] = ()
    ) -> None:
        self.program = program
        self.present = {bound: (module, name) for module, name, bound in present}
        self._chosen: dict[str, str] = {}
        self._origins: dict[tuple[str, str], tuple[str, str]] = {}
        uses = Counter(line for lines in wanted for line in lines)
        for line, _ in sorted(uses.items(), key=lambda item: (-item[1], len(item[0]), item[0])):
            self._chosen.setdefault(binding(line)[2], line)

    def top(self) -> list[str]:
        """Returns lines for the top of the file that are not there yet."""
        return sorted(line for bound, line in self._chosen.items() if bound not in self.present)

    def local(self, lines: Sequence[str]) -> list[str]:
        """Returns the lines of a test whose names mean something else at the top of the file."""
        found = []
        for line in lines:
            module, name, bound = binding(line)
            shared = self.present.get(bound) or binding(self._chosen[bound])[:2]
            if self._origin(module, name) != self._origin(*shared):
                found.append(line)
        return found

    def _origin(self, module: str, name: str) -> tuple[str, str]:
        """Follows re-exports inside the program to the place that defines the name."""
        for _ in range(6):
            file = self.program.by_module.get(module)
            if file is None or any(s.name == name for s in file.symbols):
                break
            step = next(((m, n) for m, n, here in imported_names(file) if here == name), None)
            if step is None:
                break
            module, name = step
        return module, name


def import_block(lines: Iterable[str]) -> str:
    """Returns lines sorted as isort does: standard library, pytest and others, the program."""
    sections: dict[str, list[str]] = {"standard": [], "other": [], "own": []}
    members: dict[str, set[str]] = {}
    for line in sorted(lines, key=str.lower):
        node = ast.parse(line).body[0]
        if isinstance(node, ast.ImportFrom):
            name = line.partition(" import ")[2]
            members.setdefault(node.module or "", set()).add(name)
        elif isinstance(node, ast.Import):
            sections[_section(node.names[0].name)].append(line)
    for module in sorted(members, key=str.lower):
        names = sorted(members[module], key=_member_order)
        sections[_section(module)].append(from_import(module, names))
    return "\n\n".join("\n".join(part) for part in sections.values() if part)


def _section(module: str) -> str:
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names:
        return "standard"
    return "other" if top == "pytest" else "own"


def _member_order(name: str) -> tuple[int, str]:
    constant = name.isupper() and len(name) > 1
    return (0 if constant else 1 if name[:1].isupper() else 2, name)
