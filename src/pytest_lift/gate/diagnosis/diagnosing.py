"""Diagnoses a test file that is not saved: by its tree, and by language server where one is."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pytest_lift.context.server import LanguageServer
from pytest_lift.gate.diagnosis import completions
from pytest_lift.gate.diagnosis.by_files import beside_diagnostics, file_diagnostics
from pytest_lift.gate.diagnosis.by_names import NameFaults, coroutines
from pytest_lift.gate.diagnosis.by_server import reported
from pytest_lift.gate.diagnosis.by_spelling import Spelling
from pytest_lift.gate.diagnosis.by_structure import Structure
from pytest_lift.gate.diagnosis.diagnostic import Diagnostic
from pytest_lift.gate.diagnosis.fixtures import KnownFixtures
from pytest_lift.gate.diagnosis.importables import Importables
from pytest_lift.gate.diagnosis.meant import Meant
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import UNREADABLE, chain, parse
from pytest_lift.suite.suite import Suite


@dataclass(frozen=True, eq=False)
class Diagnoser:
    """What is known of the files around a test: the program, the suite, and a server to ask."""

    program: Program
    suite: Suite
    root: Path
    server: LanguageServer | None = None

    @cached_property
    def importables(self) -> Importables:
        return Importables(self.program, self.suite, self.root)

    @cached_property
    def fixtures(self) -> KnownFixtures:
        return KnownFixtures(self.suite, self.root)

    @property
    def asks(self) -> LanguageServer | None:
        """The server, while it answers."""
        return self.server if self.server is not None and not self.server.trouble else None

    @cached_property
    def has_own_rules(self) -> bool:
        """Whether settings of the project for ty may silence the server about its tests."""
        if (self.root / "ty.toml").is_file():
            return True
        try:
            told = tomllib.loads((self.root / "pyproject.toml").read_text("utf-8"))
        except (OSError, ValueError):
            return False
        tool = told.get("tool", {})
        own = tool.get("ty", {}) if isinstance(tool, dict) else {}
        return isinstance(own, dict) and bool({"overrides", "rules", "src"} & own.keys())

    def diagnose(self, path: str, text: str) -> tuple[Diagnostic, ...]:
        """Returns what keeps the tests of a text from running, by line."""
        try:
            tree = parse(text)
        except UNREADABLE as error:
            return (_unreadable(error),)
        found = {*self._by_tree(path, text, tree), *self._by_names(path, text, tree)}
        return tuple(sorted(found))

    def _by_tree(self, path: str, text: str, tree: ast.Module) -> Iterable[Diagnostic]:
        known = self.fixtures.visible(path, tree)
        awaited = coroutines(tree, self.importables)
        structure = Structure(path, text, tree, self.suite.naming, known, awaited)
        files = [*file_diagnostics(tree, self.root), *beside_diagnostics(path, tree, self.root)]
        return [*structure.diagnostics(), *files]

    def _by_names(self, path: str, text: str, tree: ast.Module) -> list[Diagnostic]:
        names = NameFaults(path, text, tree, self.importables)
        server = self.asks
        said = reported(server, path, text) if server is not None else None
        misplaced = [*names.misplaced()]
        meant = Meant(text, tree, self.suite.naming, self.importables)
        found = [one for one in said or () if meant.passes(one)]
        if said is None or self.has_own_rules:
            found += _untold([one for one in names.diagnostics() if meant.passes(one)], found)
        else:
            found += _untold([one for one in names.undefined() if meant.passes(one)], found)
        slips = Spelling(text, tree, self.importables).diagnostics()
        found += _untold([one for one in slips if meant.passes(one)], found)
        lines = {one.line for one in misplaced}
        return [
            *misplaced,
            *(one for one in found if not (one.rule == "import-not-found" and one.line in lines)),
        ]

    def members(self, path: str, text: str, line: int, column: int, name: str) -> list[str]:
        """Returns the members of what stands before the attribute `name`; none without a server,
        but for modules of the project."""
        if self.asks is not None:
            return completions.members(self.asks, path, text, line, column, name)
        for node in ast.walk(parse(text)):
            if isinstance(node, ast.Attribute) and node.attr == name and node.end_lineno == line:
                bound = NameFaults(path, text, parse(text), self.importables).modules
                module = bound.get(".".join(chain(node.value)))
                if module is not None:
                    return sorted(module.names)
        return []

    def module_members(self, module: str) -> list[str]:
        """Returns the names of an installed module; none without a server."""
        return completions.module_members(self.asks, module) if self.asks is not None else []

    def parameters(self, path: str, text: str, one: Diagnostic) -> list[str]:
        """Returns the parameters of the function that a call with a wrong keyword is of."""
        if self.asks is None:
            return []
        return completions.parameters(self.asks, path, text, one)


def _untold(more: Iterable[Diagnostic], told: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Returns the diagnostics of `more` about places of which nothing is told."""
    places = {(one.line, at) for one in told for at in (one.column, one.end)}
    return [one for one in more if not places & {(one.line, one.column), (one.line, one.end)}]


def _unreadable(error: BaseException) -> Diagnostic:
    if not isinstance(error, SyntaxError):
        return Diagnostic(1, 0, 0, "invalid-syntax", "", f"cannot be read: {error}")
    line, column = max(error.lineno or 1, 1), max((error.offset or 1) - 1, 0)
    return Diagnostic(line, column, column, "invalid-syntax", "", f"syntax error: {error.msg}")
