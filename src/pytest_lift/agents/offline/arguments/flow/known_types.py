"""Types that are known of variables, attributes and results so far, and who has read them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from pytest_lift.agents.offline.arguments.flow.value_types import ANYTHING, NOTHING, Types, joined

Place = tuple[str, ...]
"""What holds values: ("variable", path, function, name), ("passed", path, function, parameter),
("wanted", path, function, parameter), ("attribute", class, name) or ("result", path, function)."""


class KnownTypes:
    """Place -> types, which only become more."""

    def __init__(self) -> None:
        self.changed: set[Place] = set()
        """Places of which more is known since somebody emptied it."""
        self._types: dict[Place, Types] = {}
        self._reading: set[Place] = set()
        self._readers: dict[Hashable, frozenset[Place]] = {}

    def of(self, place: Place, unknown: Types = NOTHING) -> Types:
        """Returns what is known of a place."""
        self._reading.add(place)
        return self._types.get(place, unknown)

    def __contains__(self, place: Place) -> bool:
        self._reading.add(place)
        return place in self._types

    def tell(self, place: Place, types: Types) -> None:
        """Sets what a place holds, as a hint tells it."""
        self._types[place] = types

    def add(self, place: Place, types: Types) -> None:
        """Adds types that get into a place; of one that may hold anything there is no more to
        know."""
        before = self._types.get(place, NOTHING)
        if types <= before or before == ANYTHING:
            return
        now = joined((before, types))
        if now != before:
            self._types[place] = now
            self.changed.add(place)

    @contextmanager
    def read_by(self, reader: Hashable) -> Iterator[None]:
        """Notes what is read inside of it as read by a statement."""
        self._reading = set()
        yield
        self._readers[reader] = frozenset(self._reading)

    def is_new_to(self, reader: Hashable, changed: set[Place]) -> bool:
        """Whether a statement has not been looked at, or more is known of something that it
        reads."""
        read = self._readers.get(reader)
        return read is None or not (read.isdisjoint(changed) and read.isdisjoint(self.changed))
