"""Texts of tests with what they use of their file, and what they show before anything is run."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache

from pytest_lift.assertions.substance import is_idle
from pytest_lift.files.codec import DecodeError, decode, encode, stored_as
from pytest_lift.files.content_cache import Cache
from pytest_lift.requirements.requirement import Expectation, Requirement
from pytest_lift.source.bindings import import_bindings
from pytest_lift.source.syntax import parsed, to_bytes
from pytest_lift.suite.suite import Suite, path_of
from pytest_lift.trace.covering import Cover, covers

_WORD = re.compile(r"[^\W\d]\w*")
_DEFINED = re.compile(r"^(?:[^\W\d]\w*[ \t]*(?::[^=\n]+)?=(?!=)|@(?:pytest\.)?fixture\b)", re.M)
_FIXTURE = re.compile(r"(?:pytest\.)?fixture(?:\(\))?")
CHANGING = frozenset(
    "add append clear discard extend insert pop popitem remove reverse setdefault sort "
    "update".split()
)
"""Methods that change a list, a dictionary or a set in place."""


def surrounded(source: str, text: str) -> str:
    """Returns the test `source` behind the definitions of the names that it uses from its file
    `text`.

    Only names with one meaning throughout the file are defined: literal values, aliases of
    functions, and fixtures with a single ``return``, which are made anew for each test. A
    module-level object is left out, since other tests may have changed it.
    """
    known = _definitions(text)
    needed: set[str] = set()
    asked = [source]
    while asked:
        for word in {*_WORD.findall(asked.pop())} & known.keys() - needed:
            needed.add(word)
            asked.append(known[word])
    return "".join(f"{part}\n" for name, part in known.items() if name in needed) + source


@lru_cache(maxsize=4096)
def _definitions(text: str) -> Mapping[str, str]:
    """Returns name -> its definition, in the order of the file."""
    tree = parsed(text) if _DEFINED.search(text) else None
    if not isinstance(tree, ast.Module):
        return {}
    unsure = {name for name, times in Counter(_changed(tree)).items() if times > 1}
    taken = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    found: dict[str, str] = {}
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in taken:
                plain = _is_written_out(value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if (
                name not in taken
            ):
                plain = _is_written_out(value)
            case ast.FunctionDef(name=name):
                plain = _only_returns(node)
            case _:
                continue
        if plain and name not in unsure:
            found[name] = ast.unparse(node)
    return found


def _changed(tree: ast.Module) -> Iterator[str]:
    """Yields names, once for each binding, and twice if their value is changed in place."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name) | ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.Import() | ast.ImportFrom():
                yield from (one.bound for one in import_bindings(node))
            case (
                ast.Attribute(value=ast.Name(id=name), ctx=ast.Store() | ast.Del())
                | ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del())
            ):
                yield from (name, name)
            case ast.Attribute(value=ast.Name(id=name), attr=method) if method in CHANGING:
                yield from (name, name)


def _is_written_out(value: ast.expr) -> bool:
    if isinstance(value, ast.Name | ast.Attribute):
        return True
    try:
        ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _only_returns(node: ast.FunctionDef) -> bool:
    """Whether a function is a fixture of one expression, made for each test."""
    marks = [ast.unparse(mark) for mark in node.decorator_list]
    if len(marks) != 1 or not _FIXTURE.fullmatch(marks[0]) or ast.unparse(node.args):
        return False
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return len(body) == 1 and isinstance(body[0], ast.Return) and body[0].value is not None


PARTS = (
    *("assertions", "expectations", "files", "marks", "requirements", "source", "suite"),
    *("text", "trace"),
)
"""Packages that what is kept depends on."""


class ReadTexts:
    """Answers about the tests of one suite, by node id."""

    def __init__(
        self, suite: Suite, expected: Mapping[str, Sequence[Expectation]] | None = None
    ) -> None:
        """Creates the reader. `expected` maps requirements to what a test may rest upon beside its
        text."""
        self.suite = suite
        self.expected = expected or {}

    def source(self, node: str) -> str | None:
        """Returns the test as written; None where none stands there: it is inherited, or made by
        code."""
        test = self.suite.function(node)
        return self.suite.source(test) if test is not None else None

    def around(self, node: str) -> str:
        """Returns the whole file of a test, empty where it is not among those of the suite."""
        return self.suite.text(path_of(node))

    def is_idle(self, node: str) -> bool:
        """Whether nothing in the test can fail."""
        source = self.source(node)
        return source is not None and is_idle(source)

    def covers(
        self, requirement: Requirement, node: str, *, basis: str, quote: str = ""
    ) -> tuple[Cover, ...]:
        """Returns what `covering.covers` does."""
        expected, source = self.expected.get(requirement.id, ()), self.source(node)
        if source is not None:
            source = surrounded(source, self.around(node))
        return covers(requirement, source, expected, basis=basis, quote=quote)


class CachedTexts(ReadTexts):
    """Texts of people's tests, parsed anew only for files that changed.

    A session without `--lift` reads nearly all of them as the session before it did.
    """

    def __init__(self, suite: Suite, cache: Cache) -> None:
        """Creates the reader; `cache` has all requirements among its settings."""
        super().__init__(suite)
        self._cache = cache
        self._files: dict[str, _FileText] = {}

    def is_idle(self, node: str) -> bool:
        known = self._of(node)
        if node not in known.idle:
            known.changed, known.idle[node] = True, super().is_idle(node)
        return known.idle[node]

    def covers(
        self, requirement: Requirement, node: str, *, basis: str, quote: str = ""
    ) -> tuple[Cover, ...]:
        if basis != "person":
            return super().covers(requirement, node, basis=basis, quote=quote)
        known = self._of(node)
        shown = known.covers.setdefault(node, {})
        if requirement.id not in shown:
            known.changed = True
            shown[requirement.id] = super().covers(requirement, node, basis=basis)
        return shown[requirement.id]

    def _of(self, node: str) -> _FileText:
        path = path_of(node)
        if path not in self._files:
            self._files[path] = self._read(path)
        return self._files[path]

    def _read(self, path: str) -> _FileText:
        key, row = self._cache.get(path.encode(), to_bytes(self.suite.text(path)))
        with suppress(DecodeError):  # odd: it does not count
            return decode(_FileText, row, key=key)
        return _FileText(key)

    def save(self) -> None:
        """Stores what was computed, and what is known of files that this session did not run."""
        for path in self.suite.files:
            known = self._files[path] if path in self._files else self._read(path)
            if known.changed:
                self._cache.put(known.key, encode(known))
        self._cache.save()


@dataclass
class _FileText:
    """Text of one file, parsed as far as it was asked for."""

    key: str = field(metadata=stored_as(None))
    idle: dict[str, bool] = field(default_factory=dict)
    covers: dict[str, dict[str, tuple[Cover, ...]]] = field(default_factory=dict)
    """Node -> id of a requirement -> the points that it shows, where a mark names it."""
    changed: bool = field(default=False, metadata=stored_as(None))
