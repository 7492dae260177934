"""What a test says of itself while it runs: marks and properties -> ids of requirements."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from pytest_lift.marks import DEFAULT_LINK_NAMES, ID_KEYWORDS

PROPERTY = "requirement"
"""How ids are called in junit.xml where nobody says otherwise."""


@dataclass(frozen=True)
class Claims:
    """Where the ids of a test stand, and under which name they are passed on."""

    markers: tuple[str, ...] = DEFAULT_LINK_NAMES.markers
    properties: tuple[str, ...] = ()
    """Names of `record_property` (or `user_properties`) whose values are ids, several between
    commas."""
    written_as: str = PROPERTY
    """Name of the property that carries the ids into junit.xml."""

    def marked(self, item: pytest.Item) -> tuple[str, ...]:
        """Ids of its marks, rows, classes and module; the closest mark first."""
        ids: dict[str, None] = {}
        for mark in item.iter_markers():
            if mark.name in self.markers:
                named = (mark.kwargs[key] for key in ID_KEYWORDS if key in mark.kwargs)
                ids.update(dict.fromkeys(_flat((*mark.args, *named))))
        return tuple(ids)

    def recorded(self, properties: Iterable[tuple[str, Any]]) -> tuple[str, ...]:
        """Ids among the properties that a test recorded."""
        found = _flat(value for name, value in properties if name in self.properties)
        ids = (one.strip() for value in found for one in value.split(","))
        return tuple(dict.fromkeys(one for one in ids if one))

    def as_text(self) -> str:
        return json.dumps([self.markers, self.properties, self.written_as])


DEFAULT = Claims()


def from_text(text: str | None) -> Claims:
    """What `as_text` wrote."""
    if not text:
        return DEFAULT
    markers, properties, written_as = json.loads(text)
    return Claims(tuple(markers), tuple(properties), written_as)


def _flat(values: Iterable[object]) -> Iterator[str]:
    for value in values:
        if isinstance(value, list | tuple | set | frozenset):
            yield from map(str, value)
        else:
            yield str(value)


_WRITTEN = pytest.StashKey[tuple[str, Any]]()


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
        self._write(item)

    def _write(self, item: pytest.Item) -> None:
        ids = ", ".join(self._claims.marked(item))
        before = item.stash.get(_WRITTEN, None)
        if not ids or (before is not None and before[1] == ids):
            return
        if before in item.user_properties:
            item.user_properties.remove(before)
        item.stash[_WRITTEN] = written = (self._claims.written_as, ids)
        item.user_properties.append(written)
