"""The context of a function by language server: definition and type of each key token, and uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pytest_lift.context.definitions import (
    class_on,
    definition_at,
    definition_of,
    function_at,
    is_bound,
)
from pytest_lift.context.function_context import FoundToken, FunctionContext, FunctionUse, Place
from pytest_lift.context.key_tokens import KeyToken, key_tokens
from pytest_lift.context.server import LanguageServer, Location, Method, Query, hover_type
from pytest_lift.context.sites import ContextFiles, calls, import_lines, name_in_definition
from pytest_lift.context.untyped import (
    MOST_SITES,
    FoundClass,
    PassedArgument,
    passed_arguments,
    untyped_parameters,
    with_annotations,
)
from pytest_lift.source.program import SourceFile
from pytest_lift.source.symbols import Symbol
from pytest_lift.source.syntax import FunctionNode, split_lines

MODULE = "<module '"
"""Beginning of the type of a module, which has no definition where it is no name of its own."""
LONGEST_SEARCH = 2.0
"""Seconds that looking for the uses of a function may take: a common name of a large program stands
everywhere."""
BOTH: tuple[Method, ...] = ("definition", "hover")


class ServerRetriever:
    """Retriever that asks a language server about the files of one project."""

    def __init__(self, server: LanguageServer, files: ContextFiles) -> None:
        self.server = server
        self.files = files

    def context(
        self, source: SourceFile, symbol: Symbol, *, uses: bool = True
    ) -> FunctionContext | None:
        """Returns the context of a function; None where the symbol is none or the server fails.

        A `source` that is not the file that the program has by its path is shown to the server in
        the place of that file.
        """
        function = function_at(source, symbol.line)
        if function is None:
            return None
        if self._is_unsaved(source):
            self.server.show(source.path, source.text)
        try:
            return self._context(source, symbol, function, uses)
        finally:
            if self._is_unsaved(source):
                self.server.hide(source.path)

    def _context(
        self, source: SourceFile, symbol: Symbol, function: FunctionNode, uses: bool
    ) -> FunctionContext | None:
        tokens = key_tokens(function)
        answers = self.server.ask(_queries(source.path, tokens))
        found = [*self._found(tokens, answers)]
        parameters = untyped_parameters(function, bound=is_bound(source, symbol))
        unknown = [one.token for one in found if not one.resolved]
        unknown = [one for one in unknown if one.text.partition(".")[0] in parameters]
        sites: list[Location] = []
        if uses or unknown:
            named = Query("references", source.path, *self._name_of(source, symbol, function))
            references = self.server.ask_briefly(named, LONGEST_SEARCH)
            sites = [one for one in self.server.locations(references) if one.path is not None]
        if unknown and sites:
            typed = self._typed_by_callers(source, symbol, function, unknown, sites)
            found = [typed.get(one.token, one) for one in found]
        if self.server.trouble:
            return None
        used = tuple(self._uses(source, symbol, sites))
        return FunctionContext(source.path, symbol.name, tuple(found), used, self.server.name)

    def _name_of(
        self, source: SourceFile, symbol: Symbol, function: FunctionNode
    ) -> tuple[int, int]:
        """Returns where the name stands by which others use a function: for `__init__`, the
        class's."""
        owner, _, name = symbol.name.rpartition(".")
        if name == "__init__" and (around := class_on(source, owner)) is not None:
            return name_in_definition(around, source)
        return name_in_definition(function, source)

    def _found(self, tokens: Sequence[KeyToken], answers: Sequence[Any]) -> Iterator[FoundToken]:
        pairs = zip(answers[::2], answers[1::2], strict=True)
        for token, (definition, hover) in zip(tokens, pairs, strict=True):
            locations = self.server.locations(definition)
            inside = [place for one in locations for place in self._inside(one, token.leaf)]
            places = dict.fromkeys(place for place in inside if place.line)
            outside = bool(locations) and not inside
            kind = hover_type(hover)
            is_module = (bool(inside) or kind.startswith(MODULE)) and not places
            yield FoundToken(token, tuple(places), kind, outside, is_module)

    def _inside(self, location: Location, name: str) -> Iterator[Place]:
        """Yields the place in the program that a location stands for, line 0 for a module; none
        where it is outside. A place in a stub stands for that in the module beside it."""
        path = location.path or ""
        is_stub = path.endswith(".pyi")
        file = self.files.program.files.get(path[:-1] if is_stub else path)
        if file is None:
            return
        line = location.line
        if is_stub:
            stub = self.files.source(path)
            known = definition_at(stub, line, name)
            meant = definition_of(file, known.symbol) if known is not None else None
            line = meant.node.lineno if meant is not None else 0
        elif location.is_module or line in import_lines(file):
            line = 0
        yield Place(file.path, line)

    def _uses(
        self, source: SourceFile, symbol: Symbol, sites: Sequence[Location]
    ) -> list[FunctionUse]:
        """Returns the places outside of the function itself, tests first."""
        found: dict[FunctionUse, None] = {}
        for one in sites:
            own = one.path == source.path and symbol.line <= one.line <= symbol.end_line
            if not own and (use := self.files.use(one.path or "", one.line)) is not None:
                found[use] = None
        return sorted(found, key=lambda use: (not use.is_test, use.place))

    def _typed_by_callers(
        self,
        source: SourceFile,
        symbol: Symbol,
        function: FunctionNode,
        unknown: Sequence[KeyToken],
        sites: Sequence[Location],
    ) -> dict[KeyToken, FoundToken]:
        """Returns tokens that are found where parameters without annotation have the types that
        callers pass, in a text that only the server sees."""
        parameters = untyped_parameters(function, bound=is_bound(source, symbol))
        types = self._types(source, symbol, function, sites)
        changed = with_annotations(source, parameters, types)
        if changed is None:
            return {}
        moved = [replace(one, column=changed.column(one.line, one.column)) for one in unknown]
        self.server.show(source.path, changed.text)
        try:
            answers = self.server.ask(_queries(source.path, moved))
        finally:
            if self._is_unsaved(source):
                self.server.show(source.path, source.text)
            else:
                self.server.hide(source.path)
        again = zip(unknown, self._found(moved, answers), strict=True)
        return {
            token: replace(one, token=token, inferred=True) for token, one in again if one.resolved
        }

    def _types(
        self,
        source: SourceFile,
        symbol: Symbol,
        function: FunctionNode,
        sites: Sequence[Location],
    ) -> dict[str, list[FoundClass]]:
        """Returns parameter -> classes of the program that callers pass for it."""
        passed = [*self._passed(source, symbol, function, sites)]
        asked: list[Query] = [
            Query("definition" if one.called else "typeDefinition", one.path, one.line, one.column)
            for one in passed
        ]
        types: dict[str, list[FoundClass]] = {}
        for one, answer in zip(passed, self.server.ask(asked), strict=True):
            for location in self.server.locations(answer):
                if (known := self._class(location)) is not None:
                    types.setdefault(one.parameter, []).append(known)
        return types

    def _passed(
        self, source: SourceFile, symbol: Symbol, function: FunctionNode, sites: Sequence[Location]
    ) -> Iterator[PassedArgument]:
        bound = is_bound(source, symbol)
        for site in sites[:MOST_SITES]:
            file = self.files.source(site.path or "")
            lines = split_lines(file.text)
            if not file.error and site.line <= len(lines):
                column = self.server.column(lines[site.line - 1], site.column)
                call = calls(file).get((site.line, column))
                if call is not None:
                    yield from passed_arguments(call, function, file.path, bound=bound)

    def _class(self, location: Location) -> FoundClass | None:
        file = self.files.program.files.get(location.path or "")
        around = file.symbol_at(location.line) if file is not None else None
        if file is None or around is None or around.kind != "class":
            return None
        return FoundClass(file.module, around.name)

    def _is_unsaved(self, source: SourceFile) -> bool:
        return self.files.program.files.get(source.path) is not source


def _queries(path: str, tokens: Sequence[KeyToken]) -> list[Query]:
    """Returns the questions about tokens: definition and hover of each, in turn."""
    return [Query(how, path, one.line, one.column) for one in tokens for how in BOTH]
