"""Objects whose equality says nothing of their class are told by their text."""

from __future__ import annotations

import abc
import warnings

import pytest

from pytest_lift.calls.child.describing.collected import looked_into
from pytest_lift.calls.child.describing.describe import describe
from pytest_lift.calls.child.describing.equality import _derived, hides_class
from pytest_lift.calls.child.describing.expressions import source_of
from pytest_lift.calls.child.describing.names import UsedNames
from pytest_lift.calls.child.describing.views import Viewer

HERE = frozenset({__name__})


class Size:
    unit, factor = "b", 1

    def __init__(self, value: float) -> None:
        self.size = value * self.factor

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Size) and self.size == other.size

    def __hash__(self) -> int:
        return hash(self.size)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.size / self.factor})"

    def __str__(self) -> str:
        return f"{self.size / self.factor} {self.unit}"


class Kilo(Size):
    unit, factor = "kb", 1000


class Mega(Size):
    unit, factor = "Mb", 1000_000


class Length(Size):
    """Looks at the class, too."""

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.size == other.size

    __hash__ = Size.__hash__


class Inch(Length):
    unit = "in"


class Foot(Length):
    unit = "ft"


def test_a_text_tells_the_unit_that_an_equality_does_not_see() -> None:
    record = describe(Kilo(5), HERE)
    assert Kilo(5) == Mega(0.005)
    assert "source" not in record
    assert not record.get("attributes")
    assert record["text"] == "5.0 kb"
    viewer = Viewer(HERE)
    assert viewer.views_of(Kilo(5)) == [("str({})", "'5.0 kb'")]
    assert ("{}.size", "5.0") in viewer.views_of(Inch(5.0))


def test_so_do_the_texts_of_what_is_in_a_list() -> None:
    shown, look, _ = looked_into([Kilo(5), Mega(1)], "", HERE)
    assert (shown, look) == (["5.0 kb", "1.0 Mb"], "[str(item) for item in {}]")


@pytest.mark.parametrize("value", [Inch(5.0), Size(5.0)], ids=["own-equality", "base"])
def test_an_equality_that_sees_the_class_is_asserted(value: Size) -> None:
    assert describe(value, HERE)["source"] == repr(value)


def test_an_argument_of_such_a_class_is_an_expression() -> None:
    assert source_of(Kilo(5), UsedNames(), HERE) == "Kilo(5.0)"


def test_a_class_of_which_there_are_no_objects_is_passed_over() -> None:
    class Weight(Size):
        __eq__, __hash__ = Size.__eq__, Size.__hash__

    class Mid(Weight, abc.ABC):
        @abc.abstractmethod
        def name(self) -> str: ...

    class Heavy(Weight):
        unit = "kg"

    class Light(Weight):
        unit = "g"

    assert {Mid, Light} < {*Weight.__subclasses__()}
    assert hides_class(Heavy(5), HERE)


def test_what_ends_with_an_object_does_not_happen_while_it_is_looked_at() -> None:
    ended: list[str] = []

    class Open(Size):
        __eq__, __hash__ = Size.__eq__, Size.__hash__

    class First(Open):
        def __del__(self) -> None:
            ended.append(type(self).__name__)

    class Second(Open):
        unit = "s"

    first, second = First(1), Second(1)
    assert not hides_class(first, HERE)
    assert not hides_class(second, HERE)
    assert ended == []


def test_only_a_text_that_makes_an_object_is_evaluated() -> None:
    class Text(Size):
        __eq__, __hash__ = Size.__eq__, Size.__hash__

        def __repr__(self) -> str:
            return "[__import__('warnings').warn('evaluated')]"

    class First(Text):
        unit = "a"

    class Second(Text):
        unit = "b"

    assert Second.__eq__ is First.__eq__
    with warnings.catch_warnings(record=True) as seen:
        assert not hides_class(First(1), HERE)
    assert seen == []


def test_an_object_is_compared_with_those_of_other_classes_once() -> None:
    asked: list[str] = []

    class Many(Size):
        __eq__, __hash__ = Size.__eq__, Size.__hash__

        def __str__(self) -> str:
            asked.append(type(self).__name__)
            return asked[-1]

    kinds = [type(f"Kind{number}", (Many,), {}) for number in range(50)]
    assert describe(kinds[0](1), HERE)["text"] == "Kind0"
    assert asked == ["Kind0", "Kind1", "Kind0"]


def test_each_derived_class_is_found_once() -> None:
    class Top:
        pass

    class Left(Top):
        pass

    class Right(Top):
        pass

    class Both(Left, Right):
        pass

    assert [*_derived(Top)] == [Left, Right, Both]
