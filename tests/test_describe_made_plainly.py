"""Objects whose `repr` is no expression are told by what makes an equal one."""

from __future__ import annotations

import itertools
import logging
import re
import string
from collections import Counter, UserDict, defaultdict, deque
from collections.abc import Callable
from typing import ClassVar, NamedTuple

import pytest

from pytest_lift.calls.child.describing.describe import describe
from pytest_lift.calls.child.describing.expressions import source_of
from pytest_lift.calls.child.describing.names import Makers, UsedNames

HERE = frozenset({__name__})


class Span:
    """Is made of one argument that is no attribute, or by its class methods."""

    def __init__(self, bounds: list[int], includes_last: bool = False) -> None:
        self.first, self.last = bounds
        self.includes_last = includes_last

    @classmethod
    def open(cls, first_bound: int, last_bound: int) -> Span:
        return cls([first_bound, last_bound])

    @classmethod
    def closed(cls, first_bound: int, last_bound: int, **options: object) -> Span:
        return cls([first_bound, last_bound], True, **options)  # type: ignore[arg-type]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Span) and vars(self) == vars(other)

    def __str__(self) -> str:
        return f"{self.first} to {self.last}"


class Tag:
    """Has one option that is its default, and one that is not."""

    def __init__(self, name: str, size: int = 1, *, colour: str = "red") -> None:
        self.name, self.size, self.colour = name, size, colour

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tag) and vars(self) == vars(other)


class Same(Tag):
    """Has a text that tells more than its attributes do."""

    made = 0

    def __init__(self, name: str) -> None:
        super().__init__(name)
        type(self).made += 1
        self._number = self.made

    def __eq__(self, other: object) -> bool:
        return True

    def __str__(self) -> str:
        return f"number {self._number}"


class Plain:
    def __init__(self, name: str) -> None:
        self.name = name


@pytest.mark.parametrize(
    ("value", "source"),
    [
        (Span([1, 3], True), "Span.closed(1, 3)"),
        (Tag("a", 2), "Tag('a', size=2)"),
        ([Tag("a", colour="blue")], "[Tag('a', colour='blue')]"),
    ],
    ids=["by a class method", "without its default", "in a container"],
)
def test_an_object_is_told_by_what_makes_an_equal_one(value: object, source: str) -> None:
    found = describe(value, HERE)
    assert found["source"] == source
    assert eval(source) == value


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["Span.closed(1, 3)"], False),
        (["span = Span.closed(1, 3)", "span"], False),
        (["span = Span.closed(0, 3)", "span.after(1)"], True),
        (["Span([1, 3], True)"], True),
    ],
    ids=["by that call", "by a line with it", "by another call", "by its class"],
)
def test_an_object_is_not_compared_with_what_has_made_it(lines: list[str], told: bool) -> None:
    found = describe(Span([1, 3], True), HERE, "", lines)
    assert ("source" in found) is told
    assert told or found["attributes"][:2] == [("first", "1"), ("last", "3")]


class Shy(Tag):
    """Can be compared where it has its usual size alone, whatever it is compared with."""

    def __eq__(self, other: object) -> bool:
        if self.size != 1:
            raise TypeError("cannot be compared")
        return True

    def __init__(self, name: str) -> None:
        super().__init__(name)


def shy() -> Shy:
    found = Shy("a")
    found.size = 2
    return found


@pytest.mark.parametrize(
    "value", [Same("a"), Plain("a"), shy()], ids=["another text", "no equality", "one way"]
)
def test_what_is_made_once_more_is_as_equal_as_can_be_seen(value: object) -> None:
    assert "source" not in describe(value, HERE)


class Many:
    """Is made by the last of its class methods alone, of which a derived class has most anew."""

    def __init__(self, bounds: list[int]) -> None:
        self.first, self.last = bounds

    @classmethod
    def a(cls, last: int) -> Many:
        return cls([last, 0])

    b = c = d = a

    @classmethod
    def e(cls, first: int, last: int) -> Many:
        return cls([first, last])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Many) and vars(self) == vars(other)


class More(Many):
    @classmethod
    def a(cls, last: int) -> Many:
        return cls([0, last])

    b = c = d = a


def test_class_methods_that_are_defined_anew_are_tried_once() -> None:
    assert describe(More([1, 3]), HERE)["source"] == "More.e(1, 3)"


@pytest.mark.parametrize(
    ("makers", "told"),
    [(Makers.NONE, [None, None]), (Makers.CLASSES, [None, "Tag('a')"]),
     (Makers.METHODS, ["Span.closed(1, 3)", "Tag('a')"])],
)  # fmt: skip
def test_only_what_may_be_called_is_tried(makers: Makers, told: list[str | None]) -> None:
    values = (Span([1, 3], True), Tag("a"))
    assert [describe(one, HERE, makers=makers).get("source") for one in values] == told


class Counted(Tag):
    """Counts its objects, in its class and in a list."""

    made = 0
    names: ClassVar[list[str]] = []

    def __init__(self, name: str) -> None:
        super().__init__(name)
        if name == "b":
            type(self).made += 1
        if name == "c":
            self.names.append(name)


@pytest.mark.parametrize("name", ["a", "b", "c"])
def test_what_changes_a_class_makes_no_equal_object(name: str) -> None:
    value = Counted(name)
    before = Counted.made, [*Counted.names]
    assert describe(value, HERE).get("source") == ("Counted('a')" if name == "a" else None)
    assert (Counted.made, Counted.names) == before


class Place(NamedTuple):
    rooms: dict[str, list[str]]


class Noting(Tag):
    """Does something more when it is made."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.note()

    def note(self) -> None:
        """Notes that it is made."""


TABLE: defaultdict[str, list[str]] = defaultdict(list)
QUEUE: deque[str] = deque(maxlen=3)
COUNTER: Counter[str] = Counter()
PLACE = Place({"a": []})
USERS: UserDict[str, str] = UserDict()
WORDS = string.Formatter()
NUMBERS = itertools.count()
__kept: list[str] = []
LONG = dict.fromkeys(range(1000), "")
MATCH, LOGGER = re.compile(r"\w+").match, logging.getLogger(__name__)


def keep(name: str) -> None:
    __kept.append(name)


def counting() -> Callable[[], int]:
    number = 0

    def count() -> int:
        nonlocal number
        number += 1
        return number

    return count


NEXT = counting()


class InTable(Noting):
    def note(self) -> None:
        TABLE[self.name].append(self.name)


class InQueue(Noting):
    def note(self) -> None:
        QUEUE.append(self.name)


class InCounter(Noting):
    def note(self) -> None:
        COUNTER[self.name] += 1


class Nested(Noting):
    def note(self) -> None:
        PLACE.rooms[self.name].append(self.name)


class OfLibrary(Noting):
    def note(self) -> None:
        USERS[self.name] = self.name * len(USERS)


class Private(Noting):
    def note(self) -> None:
        keep(self.name)


class OnFunction(Noting):
    def note(self) -> None:
        keep.__dict__[self.name] = len(keep.__dict__)


class Slotted:
    """Has what it holds in slots, of which one may be empty."""

    __slots__ = ("last", "size")

    def __init__(self) -> None:
        self.size = 1

    def __repr__(self) -> str:
        return f"Slotted({self.size}, {getattr(self, 'last', '')!r})"


SLOTTED = Slotted()


class InSlots(Noting):
    def note(self) -> None:
        SLOTTED.size, SLOTTED.last = 2 * SLOTTED.size, self.name


class Importing(Noting):
    def note(self) -> None:
        import test_describe_made_plainly as here

        here.TABLE[self.name].append(self.name)


class Numbered(Noting):
    def note(self) -> None:
        next(NUMBERS)


class InCell(Noting):
    def note(self) -> None:
        NEXT()


class InLong(Noting):
    def note(self) -> None:
        LONG[len(self.name)] = self.name * 2


class Looking(Noting):
    def note(self) -> None:
        tries = 0

        def matches() -> bool:
            nonlocal tries
            tries += 1
            return MATCH(self.name) is not None

        if matches() and PLACE.rooms and SLOTTED.size and self.name not in QUEUE:
            LOGGER.debug(WORDS.format("{}: {}", self.name, tries))


STATE = (TABLE, QUEUE, COUNTER, PLACE, USERS, NUMBERS, __kept, LONG, keep.__dict__, SLOTTED)


@pytest.mark.parametrize(
    "kind",
    [
        InTable,
        InQueue,
        InCounter,
        Nested,
        OfLibrary,
        Private,
        OnFunction,
        InSlots,
        Importing,
        Numbered,
        InCell,
        InLong,
    ],
)
def test_what_changes_something_that_it_reaches_makes_no_equal_object(kind: type[Noting]) -> None:
    """Nor does what reaches something of which that cannot be seen; nothing stays changed."""
    value, number = kind("a"), NEXT()
    before = repr(STATE)
    found = describe(value, HERE)
    assert "source" not in found
    assert found["attributes"][0] == ("name", "'a'")
    assert (repr(STATE), NEXT()) == (before, number + 1)


def test_what_looks_at_tables_only_makes_an_equal_object() -> None:
    assert describe(Looking("a"), HERE)["source"] == "Looking('a')"


def test_what_code_reaches_is_looked_at_once_for_all_objects_in_a_value() -> None:
    names = UsedNames()
    assert source_of([Tag("a"), Tag("b")], names, HERE) == "[Tag('a'), Tag('b')]"
    (one,) = names.reached.values()
    assert one.is_whole
