"""Tells the attributes by which objects keep their own books from those that their users read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from pytest_lift.agents.offline.choosing.looks.views import Views
from pytest_lift.agents.offline.examples.documents import (
    DOCUMENTS,
    GUIDES,
    docstrings,
    read_documents,
)
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import leaf

ATTRIBUTE = re.compile(r"\{\}\.(\w+)")
"""Attribute of an object in a view."""
BOOKS = re.compile(
    r"None$|[\[{(]|(?:\w+\.)?(?:deque|set|frozenset|OrderedDict|defaultdict|Counter)\("
)
"""Beginning of a value that books may have: a container, or nothing."""
TOLD = re.compile(
    r"(?<!\bself)\.([^\W\d]\w*)\b(?!\()|`+([^\W\d]\w*)`+|^\s*(?::\w+\s+)?([^\W\d]\w*)\s*(?:\([^)\n]*\))?\s*:",
    re.MULTILINE,
)
"""Attribute as documents have it: after a dot, but for that of ``self``, of which only those speak
who write the class, in backticks, or before its description."""
ITEMS = ("len({})", "list({})", "dict({})")
"""What any object with items is asked."""
COUNTS = frozenset({"size", "length", "count", "total"})
"""Names of what is the number of items where it is equal to that."""
COMPUTED = frozenset({"property", "cached_property"})


@dataclass(frozen=True, eq=False)
class Bookkeeping:
    """Attributes that nobody but their own objects reads, and that no document names."""

    program: Program
    folder: Path | None
    """The project, whose documents count."""

    def without(self, views: Views, *, answered: bool, written: bool = False) -> dict[str, str]:
        """Returns the views without such books, where a call `answered`, or the items of the
        object are seen, so that a test says something without them; beside an answer flags are
        books as well, and so are numbers and texts that the methods of the object use. Where it is
        seen what was `written` to another object, those of attributes that documents have."""
        if written:
            return {v: x for v, x in views.items() if not self._is_untold(v)}
        count = views.get("len({})")
        rest = {v: x for v, x in views.items() if not self._keeps(v, x, count, answered=answered)}
        return rest if answered or not rest.keys().isdisjoint(ITEMS) else dict(views)

    def _keeps(self, view: str, value: str, count: str | None, *, answered: bool) -> bool:
        """Whether a view is one of books; what is as much as the `count` of items is, too."""
        found = ATTRIBUTE.search(view)
        counts = found is not None and found[1] in COUNTS and value == count
        if found is None or counts or found[1] in self._read:
            return counts
        inside = view != found[0]
        flag = value in ("True", "False") or found[1] in self._used
        return (answered and flag) or inside or value == count or BOOKS.match(value) is not None

    def _is_untold(self, view: str) -> bool:
        """Whether a view is one of an attribute that no document has."""
        found = ATTRIBUTE.search(view)
        return found is not None and found[1] not in self._told

    @cached_property
    def _told(self) -> frozenset[str]:
        """Names of attributes that documents have."""
        texts = [*docstrings(self.program)]
        if self.folder is not None:
            texts += read_documents(self.folder, (*DOCUMENTS, *GUIDES))
        return frozenset(
            name for text in texts for names in TOLD.findall(text) for name in names if name
        )

    @cached_property
    def _read(self) -> frozenset[str]:
        return frozenset(self._found())

    @cached_property
    def _used(self) -> frozenset[str]:
        """Names of the attributes that methods read of their own object."""
        return frozenset(
            node.attr
            for file in self.program.files.values()
            for node in ast.walk(file.tree)
            if isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Load)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
        )

    def _found(self) -> Iterator[str]:
        """Yields the names of attributes that are read of other objects than `self`, computed, or
        given when the object is made, and those that documents have."""
        files = self.program.files.values()
        nodes = [node for file in files for node in ast.walk(file.tree)]
        called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
        for node in nodes:
            match node:
                case ast.Attribute(value=ast.Name("self" | "cls")):
                    pass
                case ast.Attribute(attr=name) if id(node) not in called:
                    yield name
                case ast.FunctionDef(name="__init__" | "__new__", args=given):
                    yield from (one.arg for one in (*given.args, *given.kwonlyargs))
                case ast.FunctionDef(name=name, decorator_list=marks) if any(
                    leaf(mark) in COMPUTED for mark in marks
                ):
                    yield name
                case ast.ClassDef(body=body):
                    fields = (one.target for one in body if isinstance(one, ast.AnnAssign))
                    yield from (one.id for one in fields if isinstance(one, ast.Name))
        yield from self._told


@lru_cache(maxsize=1)
def bookkeeping_of(program: Program, folder: Path | None) -> Bookkeeping:
    """Returns what the objects of a program keep for themselves; cached over iterations."""
    return Bookkeeping(program, folder)
