"""Objects whose `repr` is no expression are told by what makes an equal one."""

from __future__ import annotations

from typing import ClassVar

import pytest

from pytest_lift.calls.child.describing.describe import describe
from pytest_lift.calls.child.describing.names import Makers

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
