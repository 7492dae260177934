"""The context of a function without a language server: by syntax trees and imports alone.

It knows names of the module, imports, `self`, and attributes of parameters whose annotation is one
name; what needs types, it does not find.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain

from pytest_lift.context.definitions import definition_of, function_at, is_bound
from pytest_lift.context.function_context import FoundToken, FunctionContext, FunctionUse, Place
from pytest_lift.context.key_tokens import key_tokens
from pytest_lift.context.sites import ContextFiles, calls
from pytest_lift.source.bindings import Import
from pytest_lift.source.program import SourceFile
from pytest_lift.source.symbols import Symbol
from pytest_lift.source.syntax import FunctionNode, leaf

MOST_HOPS = 5
"""Re-exports and base classes that are followed, one after the other."""
Target = tuple[SourceFile, str]
"""A file and the qualified name of a definition in it; "" for the module itself."""


class NameRetriever:
    """Retriever that follows names through the program's files."""

    def __init__(self, files: ContextFiles) -> None:
        self.files = files
        self.program = files.program

    def context(self, source: SourceFile, symbol: Symbol) -> FunctionContext | None:
        """Returns the context of a function; None where the symbol is none."""
        function = function_at(source, symbol.line)
        if function is None:
            return None
        known = self._known(source, symbol, function)
        found = []
        for token in key_tokens(function):
            target = self._target(token.text.split("."), source, known)
            place = self._place(target)
            is_module = target is not None and not target[1]
            found.append(FoundToken(token, (place,) if place else (), is_module=is_module))
        uses = tuple(self._uses(source, symbol))
        return FunctionContext(source.path, symbol.name, tuple(found), uses)

    def _known(
        self, source: SourceFile, symbol: Symbol, function: FunctionNode
    ) -> dict[str, Target]:
        """Returns the parameters whose class is known."""
        args = function.args
        plain = [*args.posonlyargs, *args.args]
        known: dict[str, Target] = {}
        owner = symbol.name.rpartition(".")[0]
        if plain and owner and is_bound(source, symbol):
            known[plain[0].arg] = (source, owner)
        for arg in (*plain, *args.kwonlyargs):
            names = _class_names(arg.annotation)
            if names and (target := self._target(names, source, {})) is not None:
                known.setdefault(arg.arg, target)
        return known

    def _target(
        self, parts: list[str], source: SourceFile, known: dict[str, Target]
    ) -> Target | None:
        target = known.get(parts[0]) or self._in_module(source, parts[0])
        for part in parts[1:]:
            if target is None:
                return None
            target = self._member(target, part)
        return target

    def _in_module(self, source: SourceFile, name: str, hops: int = MOST_HOPS) -> Target | None:
        if definition_of(source, name) is not None:
            return source, name
        imported = imports_by_name(source)
        for found in imported.get(name, ()) if hops else ():
            module = self.program.by_module.get(found.origin)
            if module is not None:
                return module, ""
            if target := self._from(found, found.name, source, hops):
                return target
        stars = imported.get("*", ()) if hops else ()
        return next(filter(None, (self._from(one, name, source, hops) for one in stars)), None)

    def _from(self, found: Import, name: str, source: SourceFile, hops: int) -> Target | None:
        origin = self.program.by_module.get(found.module)
        if origin is None or origin is source:
            return None
        return self._in_module(origin, name, hops - 1)

    def _member(self, target: Target, name: str, hops: int = MOST_HOPS) -> Target | None:
        source, symbol = target
        if not symbol:
            return self._in_module(source, name)
        if definition_of(source, f"{symbol}.{name}") is not None:
            return source, f"{symbol}.{name}"
        found = definition_of(source, symbol)
        bases = found.node.bases if found and isinstance(found.node, ast.ClassDef) else []
        for base in bases if hops else ():
            above = self._target(_class_names(base), source, {}) if _class_names(base) else None
            if above is not None and above != target:
                member = self._member(above, name, hops - 1)
                if member is not None:
                    return member
        return None

    def _place(self, target: Target | None) -> Place | None:
        found = definition_of(*target) if target is not None and target[1] else None
        return Place(found.path, found.node.lineno) if found is not None else None

    def _uses(self, source: SourceFile, symbol: Symbol) -> Iterator[FunctionUse]:
        """Yields calls of anything of that name, tests first."""
        owner, _, name = symbol.name.rpartition(".")
        called = owner.rpartition(".")[2] if name == "__init__" else name
        found = []
        for path in chain(self.files.tests, self.program.files):
            for line in lines_of_calls(self.files.source(path)).get(called, ()):
                own = path == source.path and symbol.line <= line <= symbol.end_line
                if not own and (use := self.files.use(path, line)) is not None:
                    found.append(use)
        yield from sorted({*found}, key=lambda use: (not use.is_test, use.place))


@lru_cache(maxsize=1024)
def imports_by_name(source: SourceFile) -> Mapping[str, tuple[Import, ...]]:
    """Returns the imports of a file by the names that they bind."""
    found: dict[str, tuple[Import, ...]] = {}
    for one in source.imports:
        found[one.bound] = (*found.get(one.bound, ()), one)
    return found


@lru_cache(maxsize=1024)
def lines_of_calls(source: SourceFile) -> Mapping[str, tuple[int, ...]]:
    """Returns the lines on which something of a name is called."""
    found: dict[str, tuple[int, ...]] = {}
    for (line, _), node in calls(source).items():
        name = leaf(node.func)
        found[name] = (*found.get(name, ()), line)
    return found


def _class_names(node: ast.expr | None) -> list[str]:
    """Returns the parts of the one class that an annotation names: ``Leaf``, ``"Leaf"``,
    ``Optional[Leaf]`` and ``Leaf | None`` name the same."""
    match node:
        case ast.Name():
            return [node.id]
        case ast.Attribute():
            owner = _class_names(node.value)
            return [*owner, node.attr] if owner else []
        case ast.Constant(value=str() as text):
            try:
                return _class_names(ast.parse(text, mode="eval").body)
            except (SyntaxError, ValueError):
                return []
        case ast.Subscript(value=ast.Name(id="Optional" | "Type" | "type") | ast.Attribute()):
            return _class_names(node.slice)
        case ast.BinOp(op=ast.BitOr(), right=ast.Constant(value=None)):
            return _class_names(node.left)
    return []
