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
from types import FunctionType, ModuleType

from pytest_lift.gate.diagnosis.closeness import the_close_one
from pytest_lift.gate.diagnosis.diagnostic import Diagnostic
from pytest_lift.gate.diagnosis.importables import Importables
from pytest_lift.source.bindings import imports_in
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, chain, leaf, texts, walked

SHORTEST = 4
"""Letters of the shortest word that is judged; one more in files with libraries of others."""
_WORD = re.compile(r"[^\W\d]\w*")
_COMMON_MODULES = (
    *("pytest", "unittest.mock", "asyncio", "argparse", "ast", "csv", "datetime", "decimal"),
    *("fractions", "io", "json", "logging", "pathlib", "pickle", "queue", "random", "re", "shutil"),
    *("socket", "sqlite3", "string", "subprocess", "tempfile", "threading", "time", "uuid"),
    *("xml.etree.ElementTree", "zipfile", "http.client", "urllib.request", "email.message"),
)
PYTEST_KEYWORDS = frozenset(
    {"match", "check", "raises", "ids", "indirect", "scope", "argnames", "argvalues", "params"}
    | {"autouse", "name", "marks", "id", "rel", "abs", "nan_ok", "reason", "expected", "func"}
    | {"allow_module_level", "exc_type", "minversion", "modname", "expected_exception"}
    | {"expected_warning", "returncode", "msg", "values", "condition"}
)
"""Parameters of what tests take from pytest."""
OWN_MARKS = ("parametrize", "skip", "skipif", "xfail", "usefixtures")
_KNOWN_TOPS = frozenset({"pytest", "_pytest", "unittest", "pluggy", "builtins"})


@dataclass(frozen=True, eq=False)
class Spelling:
    """Words of one test file."""

    text: str
    tree: ast.Module
    importables: Importables

    def diagnostics(self) -> Iterator[Diagnostic]:
        return (one for one, _ in self.slips())

    def slips(self) -> Iterator[tuple[Diagnostic, str]]:
        """Yields words that nothing has, each with the one that it is a slip of."""
        for node in walked(self.tree):
            if isinstance(node, ast.Attribute) and self._is_unknown(node.attr, node):
                close = self._close_attribute(node.attr, leaf(node.value))
                end = node.end_col_offset or 0
                start = end - len(node.attr.encode())
                line = node.end_lineno or node.lineno
                if close is not None and isinstance(node.ctx, ast.Load):
                    why = f"nothing has an attribute {node.attr!r}; is it {close!r}?"
                    where = line, start, end
                    yield Diagnostic(*where, "unknown-attribute", node.attr, why), close
            elif isinstance(node, ast.ImportFrom):
                yield from self._imported(node)
            elif isinstance(node, ast.Call):
                yield from self._keywords(node)

    def _imported(self, node: ast.ImportFrom) -> Iterator[tuple[Diagnostic, str]]:
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
                where = alias.lineno, alias.col_offset, end
                yield Diagnostic(*where, "unknown-import", name, why), close

    def _keywords(self, node: ast.Call) -> Iterator[tuple[Diagnostic, str]]:
        names = chain(node.func)
        of_pytest = names[:1] == ["pytest"] and (names[1:2] != ["mark"] or names[2] in OWN_MARKS)
        for word in node.keywords:
            if not word.arg:
                continue
            close = None
            if of_pytest and word.arg not in PYTEST_KEYWORDS:
                close = the_close_one(word.arg, PYTEST_KEYWORDS, 1)
            elif self._is_unknown(word.arg, node.func):
                close = the_close_one(word.arg, self._known_keywords, 1)
            if close is not None:
                end = word.col_offset + len(word.arg.encode())
                why = f"nothing has a parameter {word.arg!r}; is it {close!r}?"
                where = word.lineno, word.col_offset, end
                yield Diagnostic(*where, "unknown-keyword", word.arg, why), close

    def _close_attribute(self, name: str, owner: str) -> str | None:
        """Returns the one attribute that a name is a slip of: of `self`, what the file sets or
        defines comes first."""
        if name.startswith("__"):
            return the_close_one(name, special_words(), 1)
        own = the_close_one(name, self._of_self, 1) if owner == "self" else None
        return own or the_close_one(name, self._known_attributes, 1)

    @cached_property
    def _of_self(self) -> frozenset[str]:
        found = set[str]()
        for node in walked(self.tree):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                found |= {node.attr} if leaf(node.value) == "self" else set()
            elif isinstance(node, ast.ClassDef):
                found |= {inner.name for inner in node.body if isinstance(inner, FunctionNode)}
        return frozenset(found)

    @cached_property
    def _known_attributes(self) -> frozenset[str]:
        own = {n.attr for n in walked(self.tree) if isinstance(n, ast.Attribute)}
        return _attributes(self.importables.program) | own | common_words()

    @cached_property
    def _known_keywords(self) -> frozenset[str]:
        """Parameters of the program, and keywords that the file uses more than once."""
        used = Counter(n.arg for n in walked(self.tree) if isinstance(n, ast.keyword) and n.arg)
        own = {name for name, count in used.items() if count > 1}
        return _parameters(self.importables.program) | own

    def _is_unknown(self, name: str, node: ast.expr) -> bool:
        is_private = name.startswith("__") and not name.endswith("__")
        if len(name) < SHORTEST or is_private or self._counts[name] > 1:
            return False
        if name in _words(self.importables.program) or name in self._words_of_tests:
            return False
        root = "".join(chain(node)[:1])
        top = self._origins.get(root, "")
        if top in self._foreign | {"pytest"}:
            return False
        is_ours = root == "self" or top in self.importables.program.names
        if len(name) == SHORTEST and self._foreign and not is_ours:
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
    files = program.files.values()
    found = {p.name for file in files for s in file.symbols for p in s.parameters}
    for file in files:
        for node in walked(file.tree):
            if isinstance(node, FunctionNode) and node.args.kwarg is not None:
                found |= {*_taken(node, node.args.kwarg.arg)}
    return frozenset(found)


def _taken(function: FunctionNode, name: str) -> Iterator[str]:
    """Yields the keywords that a function takes from its ``**name`` by text."""
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner)), args=[first, *_]) if (
                owner == name
            ):
                yield from texts([first])
            case ast.Subscript(value=ast.Name(id=owner), slice=key) if owner == name:
                yield from texts([key])
            case ast.Compare(left=left, comparators=[ast.Name(id=owner)]) if owner == name:
                yield from texts([left])


@cache
def common_words() -> frozenset[str]:
    """Returns the attributes of what tests have most often: built-in types and test cases."""
    from unittest import TestCase

    kinds = (str, bytes, int, float, list, dict, set, tuple, BaseException, TestCase)
    return frozenset(name for kind in kinds for name in dir(kind) if not name.startswith("_"))


@cache
def special_words() -> frozenset[str]:
    """Returns the names with two underscores around them that most things have."""
    kinds = (type, FunctionType, ModuleType, BaseException, int, str, list, dict)
    return frozenset(name for kind in kinds for name in dir(kind) if name.startswith("__"))


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
