"""Links that a test states while it runs: marks, fields, properties -> ids of requirements."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from pytest_lift.marks.fields import (
    EMERGENT,
    REQ,
    Field,
    fields_of,
    may_have_fields,
    without_fields,
)
from pytest_lift.marks.marks import DEFAULT_LINK_NAMES, ID_KEYWORDS, LinkNames

PROPERTY = "requirement"
"""Default name of the property with the ids in junit.xml."""


@dataclass(frozen=True)
class Claims:
    """Marks and properties with the ids of a test, and the name under which ids are exported."""

    names: LinkNames = DEFAULT_LINK_NAMES
    written_as: str = PROPERTY
    """Name of the property that carries the ids into junit.xml."""

    def marked(self, item: pytest.Item) -> tuple[str, ...]:
        """Returns ids of marks and fields of the test, its rows, classes, module; closest first."""
        return self._ids_of(_known(item))

    def _ids_of(self, known: _Known) -> tuple[str, ...]:
        if known.ids is None or known.ids[0] is not self.names:
            known.ids = (self.names, tuple(self._ids_in(known.said)))
        return known.ids[1]

    def _ids_in(self, found: tuple[pytest.Mark | Field, ...]) -> dict[str, None]:
        ids: dict[str, None] = {}
        for said in found:
            if isinstance(said, Field):
                ids.update(dict.fromkeys(said.values if said.name == REQ else ()))
            elif said.name in self.names.markers:
                named = (said.kwargs[key] for key in ID_KEYWORDS if key in said.kwargs)
                ids.update(dict.fromkeys(_ids((*said.args, *named))))
        return ids

    def recorded(self, properties: Iterable[tuple[str, Any]]) -> tuple[str, ...]:
        """Returns ids among the properties that a test recorded."""
        found = _flat(value for name, value in properties if name in self.names.properties)
        ids = (one.strip() for value in found for one in value.split(","))
        return tuple(dict.fromkeys(one for one in ids if one))

    def as_text(self) -> str:
        return json.dumps([self.names.markers, self.names.properties, self.written_as])


def emergent(item: pytest.Item) -> str | None:
    """Returns why no requirement asks for it, as its closest mark or field says, or None."""
    for said in _known(item).said:
        if said.name == EMERGENT:
            if isinstance(said, Field):
                return " ".join(said.values)
            return str(said.args[0] if said.args else said.kwargs.get("reason", ""))
    return None


def intent(item: pytest.Item) -> str:
    """Its docstring without the fields."""
    doc = getattr(getattr(item, "obj", None), "__doc__", None)
    return without_fields(doc) if isinstance(doc, str) else ""


DEFAULT = Claims()


def from_text(text: str | None) -> Claims:
    """Reads what `as_text` wrote."""
    if not text:
        return DEFAULT
    markers, properties, written_as = json.loads(text)
    return Claims(LinkNames(tuple(markers), tuple(properties)), written_as)


def _ids(values: Iterable[object]) -> Iterator[str]:
    """Yields ids of a mark. An argument that is no text is none: ``req(1.10)`` would be 1.1.

    It is passed on as an id that no file can know, and so it is reported.
    """
    for value in values:
        inner = value if isinstance(value, list | tuple | set | frozenset) else (value,)
        for one in inner:
            yield one if isinstance(one, str) and one.strip() else _no_id(one)


def _no_id(value: object) -> str:
    """Returns the text for an object that is no id: its type if the text may differ by run."""
    if isinstance(value, str):
        return f"{value!r} (empty)"
    kind = f"{type(value).__name__} instead of a string"
    return f"{value!r} ({kind})" if isinstance(value, _PLAIN) else kind


def _flat(values: Iterable[object]) -> Iterator[str]:
    for value in values:
        if isinstance(value, list | tuple | set | frozenset):
            yield from map(str, value)
        else:
            yield str(value)


@dataclass(slots=True)
class _Known:
    """Links of a test, valid while its number of marks stays."""

    marks: int
    said: tuple[pytest.Mark | Field, ...]
    """Links of the test, then of its classes from the inside out, then of its module."""
    ids: tuple[LinkNames, tuple[str, ...]] | None = None
    """Names of marks, and the ids in these."""
    written: tuple[str, Any] | None = None
    """Name of the property that carries them."""
    is_written: bool = False
    """Whether `written` is up to date."""


_KNOWN = pytest.StashKey[_Known]()
_AT_SETUP = pytest.StashKey[int]()


def _known(node: _Node) -> _Known:
    """Returns the links of a test, read again only if marks were added or removed; those of a class
    or a module are read once for all of its tests."""
    marks = _how_many_marks(node)
    before = node.stash.get(_KNOWN, None)
    if before is not None and before.marks == marks:
        return before
    around: Any = node.parent
    said: tuple[pytest.Mark | Field, ...]
    if isinstance(node, pytest.Item) and not isinstance(node, pytest.Function):
        said = tuple(node.iter_markers())  # a doctest, say: what its module says is of functions
    else:
        said = (*_own(node), *(_known(around).said if around is not None else ()))
    known = node.stash[_KNOWN] = _Known(marks, said, written=before.written if before else None)
    return known


def _how_many_marks(node: _Node) -> int:
    """Returns the number of marks of an item and of all that contains it.

    Asked several times for every test, so nothing is created here.
    """
    many, around = len(node.own_markers), node.parent
    while around is not None:
        many, around = many + len(around.own_markers), around.parent
    return many


def changed_since_setup(item: pytest.Item) -> bool:
    """Whether the test, or a fixture of it, has given it a mark since its body began."""
    before = item.stash.get(_AT_SETUP, None)
    return before is not None and before != _how_many_marks(item)


def _own(node: _Node) -> Iterator[pytest.Mark | Field]:
    """Yields links on a test, a class or a module itself."""
    yield from node.own_markers
    if isinstance(node, _DOCUMENTED):
        for doc in _docstrings(node):
            if isinstance(doc, str) and may_have_fields(doc):
                yield from fields_of(doc)


_Node = pytest.Item | pytest.Collector
_DOCUMENTED = (pytest.Function, pytest.Class, pytest.Module)


def _docstrings(node: pytest.Function | pytest.Class | pytest.Module) -> list[object]:
    """Its own; of a class those that it inherits, too, as with marks."""
    if isinstance(node, pytest.Class):
        return [vars(one).get("__doc__") for one in node.obj.__mro__]
    return [node.obj.__doc__]


_PLAIN = (int, float, complex, bytes, type(None))


class PropertyWriter:
    """Puts the ids of each test into its `user_properties`, and so into junit.xml.

    All in one property: of several with one name sphinx-test-reports keeps the last, and StrictDoc
    refuses the file. To be registered where tests are collected, xdist's workers included:
    properties travel on the reports.
    """

    def __init__(self, claims: Claims) -> None:
        self._claims = claims

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            self._write(item)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> None:
        """Fixtures may have added marks."""
        item.stash[_AT_SETUP] = self._write(item).marks

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        """Reads marks that the test itself added."""
        self._write(item)

    def _write(self, item: pytest.Item) -> _Known:
        known = _known(item)
        if known.is_written:
            return known
        known.is_written, before = True, known.written
        if ids := self._claims.marked(item):
            known.written = (self._claims.written_as, ", ".join(ids))
        if known.written != before:
            if before is not None and before in item.user_properties:
                item.user_properties.remove(before)
            if known.written is not None:
                item.user_properties.append(known.written)
        return known
