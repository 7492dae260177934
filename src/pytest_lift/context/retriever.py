"""The retriever of a project: by language server where there is one that works, else by names."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from pytest_lift.context.by_names import NameRetriever
from pytest_lift.context.function_context import FunctionContext
from pytest_lift.context.launch import Launch
from pytest_lift.context.retrieval import ServerRetriever
from pytest_lift.context.server import Canary, Change, LanguageServer, Query
from pytest_lift.context.sites import ContextFiles
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.symbols import Symbol

LONGEST = 30.0
CANARY = "pytest_lift_canary.py"
OF_ONE_FILE, MOST_IMPORTS = 2, 10
"""Symbols of one file, and of all, that a server is tried on."""
INSTALL = "pip install 'pytest-lift[lsp]' has definitions found by type"


class Retriever:
    """Finder of contexts, with a memory for one state of the project."""

    def __init__(self, launch: Launch | None, longest: float = LONGEST) -> None:
        """Takes the server to ask, if any, and the seconds that it may take in all between two
        looks at the project; then names have to do."""
        self.launch = launch
        self.longest = longest
        self.server: LanguageServer | None = None
        self._files: ContextFiles | None = None
        self._texts: tuple[dict[str, str], dict[str, str]] = ({}, {})
        self._known: dict[tuple[str, str, int], tuple[FunctionContext | None, bool]] = {}
        self._spent = 0.0
        self._told = False

    @property
    def files(self) -> ContextFiles:
        """Files of the state that was last read."""
        assert self._files is not None
        return self._files

    @property
    def has_types(self) -> bool:
        """Whether a language server answers, as far as is known."""
        return self.server is not None and not self.server.trouble

    def read(self, root: Path, program: Program, tests: Mapping[str, str] | None = None) -> None:
        """Looks at the files below `root` as they are now; `tests` are the texts of its test files
        by path.

        Contexts are found anew where the program changed; uses in tests that came later are not
        looked for.
        """
        self._spent = 0.0
        texts = {path: file.text for path, file in program.files.items()}, dict(tests or {})
        before, self._texts = self._texts, texts
        if texts[0] != before[0] or self._files is None:
            self._known = {}
            self._files = ContextFiles(root, program, tuple(texts[1]))
        if self.server is not None:
            self.server.files_changed(_changes(before[0] | before[1], texts[0] | texts[1]))
        elif self.launch is not None:
            canary = _canary(program)
            self.server = LanguageServer(self.launch, root, program.search_path, canary)

    def has_read(self, program: Program) -> bool:
        """Whether the files that were read are those of a program."""
        return self._files is not None and self._files.program is program

    def context(
        self, source: SourceFile, symbol: Symbol, *, uses: bool = True
    ) -> FunctionContext | None:
        """Returns the context of a function, with its uses if they are wanted; None for a symbol
        that is none."""
        key = (source.path, symbol.name, symbol.line)
        known, with_uses = self._known.get(key, (None, False))
        if key in self._known and with_uses >= uses:
            return known
        found = self._found(source, symbol, uses=uses)
        self._known[key] = found, uses
        return found

    def unsaved_context(self, source: SourceFile, symbol: Symbol) -> FunctionContext | None:
        """Returns the context of a function in a text that is not the file's; nothing of it is
        remembered."""
        return self._found(source, symbol, uses=True)

    def _found(self, source: SourceFile, symbol: Symbol, *, uses: bool) -> FunctionContext | None:
        if self.server is not None and self.has_types and self._spent < self.longest:
            started = time.monotonic()
            found = ServerRetriever(self.server, self.files).context(source, symbol, uses=uses)
            self._spent += time.monotonic() - started
            if found is not None:
                return found
        return NameRetriever(self.files).context(source, symbol)

    def take_trouble(self) -> str:
        """Returns once why contexts are found by names only; empty afterwards, and where not."""
        trouble = self.server.trouble if self.server is not None else ""
        if not trouble or self._told:
            return ""
        self._told = True
        return f"the language server is not used any more, names have to do: {trouble}"

    def close(self) -> None:
        if self.server is not None:
            self.server.close()


def _changes(before: dict[str, str], after: dict[str, str]) -> dict[str, Change]:
    changes: dict[str, Change] = dict.fromkeys(before.keys() - after.keys(), "deleted")
    changes.update((path, "created") for path in after.keys() - before.keys())
    common = before.keys() & after.keys()
    changes.update((path, "changed") for path in common if before[path] != after[path])
    return changes


def _canary(program: Program) -> Canary | None:
    """Returns a text that imports some functions and classes of the program by their modules,
    public ones first: a stub need not have the others."""
    found = [
        (not symbol.public, file, symbol.name)
        for file in program.files.values()
        for symbol in [one for one in file.symbols if "." not in one.name][:OF_ONE_FILE]
        if file.importable and not file.error
    ]
    chosen = sorted(found, key=lambda one: one[0])[:MOST_IMPORTS]
    lines = [f"from {file.module} import {name}" for _, file, name in chosen]
    queries = [
        Query("definition", CANARY, number, len(line.encode()) - len(name.encode()))
        for number, (line, (_, _, name)) in enumerate(zip(lines, chosen, strict=True), 1)
    ]
    expected = frozenset(file.path for _, file, _ in chosen)
    text = "".join(f"{line}\n" for line in lines)
    return Canary(CANARY, text, tuple(queries), expected) if chosen else None
