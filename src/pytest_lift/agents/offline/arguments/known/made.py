"""Expressions that make objects of the program's classes, the plainest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from pytest_lift.agents.offline.natural.kinds import maker_of
from pytest_lift.calls.cost import cost_of

MOST_OBJECTS = 12
"""Most expressions for objects of one class."""
MOST_KNOWN = 4000
"""Expressions of which it is known what they give."""
FIRST = 2
"""Expressions of a class that stand for it where any object may be given."""
EVERY_CLASS = "*"
"""Name that stands for the first objects of all classes."""


class MadeObjects(Mapping[str, Sequence[str]]):
    """Class name -> expressions that make an instance; knows for which classes it was asked."""

    def __init__(self) -> None:
        self.seldom: frozenset[str] = frozenset()
        """Names of classes whose objects are given only where one is asked for."""
        self.asked: set[str] = set()
        """Names that were looked up since somebody emptied it."""
        self._made: dict[str, list[str]] = {}
        self._costs: dict[str, float] = {}
        """Expression -> how far it is from what a user would write."""
        self._makers: dict[str, str] = {}
        """Function -> first class of which it makes an instance."""
        self._classes: dict[str, set[str]] = {}
        self._first: list[str] | None = None

    def __getitem__(self, name: str) -> Sequence[str]:
        self.asked.add(name)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)

    @property
    def first(self) -> Sequence[str]:
        """The first objects of each class, where that is none of the seldom ones."""
        self.asked.add(EVERY_CLASS)
        if self._first is None:
            pools = [pool for name, pool in self._made.items() if name not in self.seldom]
            self._first = [text for pool in pools for text in pool[:FIRST]]
        return self._first

    def made_by(self, function: str) -> str:
        """Returns the class of which a function makes an instance; "" where that is not known."""
        return self._makers.get(function, "") if function else ""

    def note_class(self, expression: str, name: str) -> None:
        """Notes the class of what an expression gives, whichever it is."""
        if len(self._classes) < MOST_KNOWN:
            self._classes.setdefault(expression, set()).add(name)

    def classes_of(self, expression: str) -> AbstractSet[str]:
        """Returns the classes of which an expression was seen to make an object."""
        return self._classes.get(expression, frozenset())

    def add(self, known: Mapping[str, Sequence[str]]) -> None:
        """Adds classes with all their objects."""
        self._made.update((name, list(pool)) for name, pool in known.items())
        for name, pool in known.items():
            for expression in pool:
                self._makers.setdefault(maker_of(expression), name)
        self._first = None

    def note(self, name: str, expression: str, odd: float) -> frozenset[str]:
        """Adds an expression with what is `odd` about it; returns the names for which there is
        something else now."""
        pool = self._made.setdefault(name, [])
        if expression in pool:
            return frozenset()
        before = pool[:]
        self._makers.setdefault(maker_of(expression), name)
        self._classes.setdefault(expression, set()).add(name)
        self._costs[expression] = odd + cost_of(expression)
        pool.append(expression)
        pool.sort(key=lambda made: self._costs.get(made, 0.0))
        del pool[MOST_OBJECTS:]
        return self._changed(name, before, pool)

    def forget(self, name: str) -> frozenset[str]:
        """Leaves out a class; returns the names for which there is something else now."""
        return self._changed(name, self._made.pop(name, []), [])

    def _changed(self, name: str, before: Sequence[str], now: Sequence[str]) -> frozenset[str]:
        if before == now:
            return frozenset()
        if before[:FIRST] == now[:FIRST]:
            return frozenset({name})
        self._first = None
        return frozenset({name, EVERY_CLASS})
