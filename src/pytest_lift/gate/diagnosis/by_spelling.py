"""Attributes and keywords that nothing has, one slip away from one that the program has.

Where no type is known, a server is silent. A word that stands nowhere else, in no text of the
program or of the tests and in nothing of the standard library, is no name of anything.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib import import_module
from types import ModuleType

from pytest_lift.gate.diagnosis.closeness import the_close_one
from pytest_lift.gate.diagnosis.diagnostic import Diagnostic
from pytest_lift.gate.diagnosis.importables import Importables
from pytest_lift.source.bindings import imports_in
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import chain, walked

SHORTEST = 5
"""Letters of the shortest word that is judged."""
_WORD = re.compile(r"[^\W\d]\w*")
_COMMON_MODULES = (
    *("pytest", "unittest.mock", "asyncio", "argparse", "ast", "csv", "datetime", "decimal"),
    *("fractions", "io", "json", "logging", "pathlib", "pickle", "queue", "random", "re", "shutil"),
    *("socket", "sqlite3", "string", "subprocess", "tempfile", "threading", "time", "uuid"),
    *("xml.etree.ElementTree", "zipfile", "http.client", "urllib.request", "email.message"),
)
_KNOWN_TOPS = frozenset({"pytest", "_pytest", "unittest", "pluggy", "builtins"})


@dataclass(frozen=True, eq=False)
class Spelling:
    """Words of one test file."""

    text: str
    tree: ast.Module
    importables: Importables

    def diagnostics(self) -> Iterator[Diagnostic]:
        for node in walked(self.tree):
            if isinstance(node, ast.Attribute) and self._is_unknown(node.attr, node):
                close = self.close_attribute(node.attr)
                end = node.end_col_offset or 0
                start = end - len(node.attr.encode())
                line = node.end_lineno or node.lineno
                if close is not None and isinstance(node.ctx, ast.Load):
                    why = f"nothing has an attribute {node.attr!r}; is it {close!r}?"
                    yield Diagnostic(line, start, end, "unknown-attribute", node.attr, why)
            elif isinstance(node, ast.ImportFrom):
                yield from self._imported(node)
            elif isinstance(node, ast.Call):
                for word in node.keywords:
                    if word.arg and self._is_unknown(word.arg, node.func):
                        yield from self._keyword(word, word.arg)

    def _imported(self, node: ast.ImportFrom) -> Iterator[Diagnostic]:
        """Yields names that a module may make when asked, and nothing speaks of."""
        known = self.importables.modules.get("" if node.level else node.module or "")
        for alias in node.names if known is not None and known.is_open else ():
            name = alias.name
            if name in _words(self.importables.program) or name in self._words_of_tests:
                continue
            close = the_close_one(name, known.names) if known is not None else None
            if close is not None:
                why = f"nothing has the name {name!r}; is it {close!r}?"
                end = alias.col_offset + len(name.encode())
                yield Diagnostic(alias.lineno, alias.col_offset, end, "unknown-import", name, why)

    def close_attribute(self, name: str) -> str | None:
        """Returns the one attribute that a name is a slip of."""
        return the_close_one(name, self._known_attributes, 1)

    @cached_property
    def _known_attributes(self) -> frozenset[str]:
        own = {n.attr for n in walked(self.tree) if isinstance(n, ast.Attribute)}
        return _attributes(self.importables.program) | own | common_words()

    def close_keyword(self, name: str) -> str | None:
        """Returns the one parameter of the program that a keyword is a slip of."""
        return the_close_one(name, _parameters(self.importables.program), 1)

    def _keyword(self, word: ast.keyword, name: str) -> Iterator[Diagnostic]:
        close = self.close_keyword(name)
        if close is not None:
            end = word.col_offset + len(name.encode())
            why = f"nothing has a parameter {name!r}; is it {close!r}?"
            yield Diagnostic(word.lineno, word.col_offset, end, "unknown-keyword", name, why)

    def _is_unknown(self, name: str, node: ast.expr) -> bool:
        if len(name) < SHORTEST or name.startswith("__") or self._counts[name] > 1:
            return False
        if name in _words(self.importables.program) or name in self._words_of_tests:
            return False
        root = chain(node)[:1]
        if root and self._origins.get(root[0], "") in self._foreign | {"pytest"}:
            return False
        return name not in library_words()

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(_WORD.findall(self.text))

    @cached_property
    def _words_of_tests(self) -> frozenset[str]:
        files = self.importables.suite.files.values()
        texts = [file.text for file in files if file.text != self.text]
        return frozenset(word for text in texts for word in _WORD.findall(text))

    @cached_property
    def _origins(self) -> dict[str, str]:
        return {one.bound: one.top for one in imports_in(walked(self.tree))}

    @cached_property
    def _foreign(self) -> frozenset[str]:
        """Top-level modules that are imported and are neither the program's nor the standard
        library's."""
        known = _KNOWN_TOPS | {*self.importables.program.names} | sys.stdlib_module_names
        return frozenset(top for top in self._origins.values() if top and top not in known)


@lru_cache(maxsize=4)
def _words(program: Program) -> frozenset[str]:
    return frozenset(word for f in program.files.values() for word in _WORD.findall(f.text))


@lru_cache(maxsize=4)
def _attributes(program: Program) -> frozenset[str]:
    found = {s.leaf for file in program.files.values() for s in file.symbols}
    for file in program.files.values():
        found |= {n.attr for n in ast.walk(file.tree) if isinstance(n, ast.Attribute)}
    return frozenset(found)


@lru_cache(maxsize=4)
def _parameters(program: Program) -> frozenset[str]:
    symbols = (s for file in program.files.values() for s in file.symbols)
    return frozenset(parameter.name for symbol in symbols for parameter in symbol.parameters)


@cache
def common_words() -> frozenset[str]:
    """Returns the attributes of what tests have most often: built-in types and test cases."""
    from unittest import TestCase

    kinds = (str, bytes, int, float, list, dict, set, tuple, BaseException, TestCase)
    return frozenset(name for kind in kinds for name in dir(kind) if not name.startswith("_"))


@cache
def library_words() -> frozenset[str]:
    """Returns the names in the modules of the standard library and of pytest that are loaded here,
    and in their classes; those that tests use most are loaded."""
    for name in _COMMON_MODULES:
        with suppress(ImportError):  # some builds of Python lack some
            import_module(name)
    found: set[str] = set(common_words())
    for name, module in [*sys.modules.items()]:
        top = name.partition(".")[0]
        if not isinstance(module, ModuleType) or top not in _KNOWN_TOPS | sys.stdlib_module_names:
            continue
        for inner, value in [*vars(module).items()]:
            found.add(inner)
            if isinstance(value, type):
                found.update(dir(value))
    return frozenset(found)
