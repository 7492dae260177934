"""Values become expressions that are equal to them, or nothing."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import functools
import inspect
import ipaddress
import math
import re
import time
import types
from collections import Counter, OrderedDict, namedtuple
from collections.abc import Iterator
from decimal import Decimal
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pytest_lift.calls.child.describing.describe import describe, drained, shortened
from pytest_lift.calls.child.describing.expressions import Unprintable, has_inexact, source_of
from pytest_lift.calls.child.describing.names import UsedNames
from pytest_lift.calls.child.describing.views import Viewer

Point = namedtuple("Point", "x y")


class Late(namedtuple("Early", "name")):
    """Has a field that is no argument, as what is found out when it is asked for."""

    _fields = ("name", "length")

    def __iter__(self) -> Iterator[object]:
        yield from (*super().__iter__(), 3)


HERE = frozenset({__name__})


class Colour(enum.Enum):
    RED = 1


class Nowhere(datetime.tzinfo):
    def utcoffset(self, moment: datetime.datetime | None) -> None:
        return None


class Plain:
    def __init__(self) -> None:
        self.size = 3
        self._secret = 4


@pytest.mark.parametrize(
    "value",
    [
        None,
        (1,),
        (),
        {"a": [1, 2.5, b"x"]},
        {3, 1, 2},
        set(),
        frozenset({1}),
        float("inf"),
        Decimal("1.10"),
        datetime.date(2024, 2, 29),
        OrderedDict([("b", 1)]),
        Counter("aab"),
        Point(1, 2),
        Colour.RED,
    ],
)
def test_the_expression_gives_an_equal_value_of_the_same_type(value: object) -> None:
    source = source_of(value, UsedNames(), HERE)
    again = eval(source, {**globals(), "datetime": datetime})
    assert again == value
    assert type(again) is type(value)


class Page(str):
    """A text that knows more, and has a form of its own."""

    title = "a"

    def __repr__(self) -> str:
        return f"<page of {len(self)} letters>"

    __str__ = __repr__


class Row(list[Page]):
    def __repr__(self) -> str:
        return "<row>"


class Table(dict[str, Row]):
    def __repr__(self) -> str:
        return "<table>"

    def __iter__(self) -> Iterator[str]:
        return iter(("other",))


class Loose(str):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


def bounds() -> object:
    """A tuple of classes that nobody can import, as their function makes them."""
    corner = namedtuple("corner", "x y")
    return namedtuple("area", "first last")(corner(1, 2), Point(3, 4))


def say(word, times=1):  # type: ignore[no-untyped-def]
    pass


@pytest.mark.parametrize(
    ("value", "look", "source"),
    [
        (inspect.signature(say), "str({})", "'(word, times=1)'"),
        (re.match(r"(?P<year>\d+)", "2024"), "{}.groupdict()", "{'year': '2024'}"),
        (re.match("a(b)", "abc"), "{}.groups()", "('b',)"),
        (re.match("ab", "abc"), "{}.group()", "'ab'"),
        ({"a": 1}.items(), "list({})", "[('a', 1)]"),
        (types.MappingProxyType({"a": 1}), "dict({})", "{'a': 1}"),
        (datetime.time(1, tzinfo=Nowhere()), "{}.isoformat()", "'01:00:00'"),
    ],
)
def test_objects_of_the_standard_library_are_told_by_what_they_hold(
    value: object, look: str, source: str
) -> None:
    held, wrap = drained(value)
    assert (wrap, describe(held, HERE, wrap)["source"]) == (look, source)


@pytest.mark.parametrize(
    ("value", "source"),
    [
        (ipaddress.ip_address("10.0.0.1"), "IPv4Address('10.0.0.1')"),
        ([HTTPStatus.OK], "[HTTPStatus.OK]"),
        (slice(1, 2), "slice(1, 2, None)"),
        (OrderedDict, "OrderedDict"),
        (datetime.date, "datetime.date"),
        (
            datetime.time(1, tzinfo=datetime.timezone(datetime.timedelta(hours=1))),
            "datetime.time(1, 0, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))",
        ),
    ],
)
def test_objects_of_the_standard_library_are_told_by_their_spelling(
    value: object, source: str
) -> None:
    names = UsedNames()
    assert source_of(value, names, HERE) == source
    assert ("builtins", "slice") not in names


def test_an_absolute_path_and_a_private_class_of_a_library_are_not_spelt() -> None:
    for value in (Path("/there"), inspect.signature(say).parameters["word"].kind):
        with pytest.raises(Unprintable):
            source_of(value, UsedNames(), HERE)


@pytest.mark.parametrize(
    ("value", "source"),
    [
        (bounds(), "((1, 2), Point(x=3, y=4))"),
        (urlsplit("https://example.org/a"), "('https', 'example.org', '/a', '', '')"),
        (Page("b"), "'b'"),
        (Late("abc"), "('abc',)"),
        (Row([Page("b"), Page("c")]), "['b', 'c']"),
        (Table(a=Row()), "{'a': []}"),
    ],
)
def test_objects_that_are_equal_to_plain_values_are_told_as_such(
    value: object, source: str
) -> None:
    assert source_of(value, UsedNames(), HERE) == source
    assert value == eval(source)


def test_an_object_with_another_equality_is_no_plain_value() -> None:
    with pytest.raises(Unprintable):
        source_of(Loose("a"), UsedNames(), frozenset({"other"}))


@pytest.mark.parametrize("value", [math.nan, [math.nan], object(), Plain(), 10**70])
def test_what_has_no_equal_expression_is_refused(value: object) -> None:
    with pytest.raises(Unprintable):
        source_of(value, UsedNames(), HERE)


class Bounds:
    """Container that counts where its items begin."""

    def __init__(self, items: set[int], counts: dict[int, int]) -> None:
        self.items = items
        self.counts = counts

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[int]:
        return iter(self.items)


class Plan:
    """No container, with the same attributes."""

    def __init__(self) -> None:
        self.items, self.counts = {3}, {3: 1}


def test_tables_of_what_a_container_holds_are_not_told_beside_it() -> None:
    viewer = Viewer(HERE)
    bounds = Bounds({3, 5}, {3: 1, 5: 2})
    assert describe(bounds, HERE)["attributes"] == [("items", "{3, 5}")]
    assert "{}.counts" not in dict(viewer.views_of(bounds))
    other = Bounds({3: 1}, {3: 1})  # type: ignore[arg-type]
    assert [name for name, _ in describe(other, HERE)["attributes"]] == ["items", "counts"]
    assert [name for name, _ in describe(Plan(), HERE)["attributes"]] == ["items", "counts"]
    assert "{}.counts" in dict(viewer.views_of(Plan()))


class Day:
    """Keeps what it is made of for itself."""

    def __init__(self, year: int, month: int) -> None:
        self._parts = year, month

    @property
    def century(self) -> int:
        return self._parts[0] // 100

    @property
    def month(self) -> int:
        return self._parts[1]

    @property
    def year(self) -> int:
        return self._parts[0]


def test_properties_by_which_an_object_is_made_come_first() -> None:
    views = [name for name, _ in Viewer(HERE).views_of(Day(2024, 2))]
    assert views == ["{}.month", "{}.year", "{}.century"]


def test_objects_of_the_program_are_told_by_their_public_attributes() -> None:
    record = describe(Plain(), HERE)
    assert record["attributes"] == [("size", "3")]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0.1 + 0.2, "pytest.approx(0.3)"),
        (1.380649e-23 / 3, "pytest.approx(4.60216333e-24)"),
        ([1.380649e-23 / 3, 9.1093837e-31], "pytest.approx([4.60216333e-24, 9.1093837e-31])"),
        ([1e-23 / 3, 1e-7], "pytest.approx([0.0, 1e-07])"),
        ([0.1 + 0.2, 10**400], f"pytest.approx([0.3, 1{'0' * 400}])"),
        ([1e-15 / 3, 1e-7], "pytest.approx([3.33333333e-16, 1e-07])"),
        (1e-21, "1e-21"),
        (20015998308.916, "20015998308.916"),
        (20015998308916 / 7000, "pytest.approx(2859428329.845)"),
        (0.1 + 1e8 / 3, "pytest.approx(33333333.433)"),
        (complex(1, 1.2246467991473532e-16), "pytest.approx((1+0j))"),
        (2 + 1j, "(2+1j)"),
        ([1.0, 6.123233995736766e-17], "pytest.approx([1.0, 0.0])"),
        ((1, 0.1 + 0.2), "pytest.approx((1, 0.3))"),
        ((0.1 + 0.2,), "pytest.approx((0.3,))"),
        ([Point(0.1 + 0.2, 1)], "[Point(x=pytest.approx(0.3), y=1)]"),
        ([("a", 0.1 + 0.2), ("b", 1)], "[('a', pytest.approx(0.3)), ('b', 1)]"),
        ({"a": [0.1 + 0.2]}, "{'a': pytest.approx([0.3])}"),
        ([{"a": 1.5}], "[{'a': 1.5}]"),
        ({Colour.RED: 0.1 + 0.2}, "{Colour.RED: pytest.approx(0.3)}"),
        (
            {(1, datetime.date(2020, 1, 1)): 0.1 + 0.2},
            "{(1, datetime.date(2020, 1, 1)): pytest.approx(0.3)}",
        ),
        ({math.inf: 0.1 + 0.2}, '{float("inf"): pytest.approx(0.3)}'),
        ({(1, "a"): 0.1 + 0.2, 2.5: 1}, "pytest.approx({(1, 'a'): 0.3, 2.5: 1})"),
    ],
)
def test_accidents_of_rounding_are_not_told(value: object, told: str) -> None:
    record = describe(value, HERE)
    assert record["source"] == told
    assert value == eval(
        told, {"pytest": pytest, "datetime": datetime, "Colour": Colour, "Point": Point}
    )


@dataclasses.dataclass
class Fit:
    slope: float
    pairs: tuple[object, ...]


def test_objects_that_hold_accidents_of_rounding_are_told_by_their_attributes() -> None:
    record = describe(Fit(0.1 + 0.2, ((1.5, 1e-17 / 3), 2)), HERE)
    assert "source" not in record
    assert record["attributes"] == [
        ("slope", "pytest.approx(0.3)"),
        ("pairs", "(pytest.approx((1.5, 0.0)), 2)"),
    ]
    assert describe(Fit(0.3, (1.5,)), HERE)["source"] == "Fit(slope=0.3, pairs=(1.5,))"


@pytest.mark.parametrize("part", [math.inf, math.nan, 1e308])
def test_a_complex_number_is_told_where_both_parts_are_finite(part: float) -> None:
    record = describe([complex(part, 1e308 / 3)], HERE)
    assert ("source" in record) == math.isfinite(part)
    assert describe(complex(part, 1), HERE).get("source") == (
        "(1e+308+1j)" if math.isfinite(part) else None
    )


def test_a_week_of_a_year_is_compared_with_a_tuple() -> None:
    """Its class is not to be had from `datetime`, whatever its text says."""
    week = datetime.date(2020, 1, 3).isocalendar()
    assert source_of(week, UsedNames(), HERE) == "(2020, 1, 5)"
    assert week == (2020, 1, 5)


def test_a_list_that_holds_itself_many_times_is_walked_through_once() -> None:
    ring: list[object] = []
    ring += [ring] * 40
    started = time.process_time()
    assert "source" not in describe(ring, HERE)
    assert time.process_time() - started < 5


def test_long_lists_are_not_searched_for_numbers() -> None:
    rows = [[0.1 + 0.2]] * 61
    assert not has_inexact(rows, set())
    assert has_inexact(rows[:60], set())
    assert "source" not in describe(rows, HERE)


class Growing(dict[str, object]):
    """Makes what it is asked for, as maps with attributes for keys do."""

    def __getattr__(self, name: str) -> object:
        return self.setdefault(name, Growing())


def test_what_is_asked_for_nothing_stays_as_it_is() -> None:
    growing = Growing(a=1)
    assert drained(growing) == (growing, "")
    describe(growing, HERE)
    assert growing == {"a": 1}


class Jar(dict):
    """A dict of the program."""


class Pairs(Jar):
    def __iter__(self) -> Iterator[object]:
        return iter(self.items())


def test_the_keys_of_a_mapping_are_shown_as_a_person_asks_for_them() -> None:
    held = {"a": object()}
    viewer = Viewer(HERE)
    assert ("list({})", "['a']") in viewer.views_of(Jar(held))
    assert ("list(dict({}))", "['a']") in viewer.views_of(Pairs(held))


class Shell:
    def __init__(self, names: dict[str, object]) -> None:
        self.names = names


def test_the_names_of_what_runs_a_test_are_not_shown() -> None:
    viewer = Viewer(HERE)
    assert viewer.views_of(Shell(globals())) == []
    assert viewer.views_of(Shell({"__doc__": "a"})) == [("{}.names", "{'__doc__': 'a'}")]


class _Counted:
    """What a decorator puts in the place of a function."""

    def __init__(self, wrapped: object) -> None:
        self.__wrapped__ = wrapped
        self.calls = 0

    def __call__(self) -> object:
        self.calls += 1
        return self.__wrapped__


class Shared(_Counted):
    """The same, of a class that others use by its name."""


@pytest.mark.parametrize("value", [_Counted(len), _Counted("no function"), functools.cache(len)])
def test_what_a_decorator_puts_in_the_place_of_a_function_is_one(value: object) -> None:
    assert describe(value, HERE)["type"] == "function"


def test_an_object_of_a_public_class_is_no_function() -> None:
    record = describe(Shared(len), HERE)
    assert record["type"] == "Shared"
    assert ("calls", "0") in record["attributes"]


class Touchy:
    """Raises whatever is asked of it, but for what it shows."""

    __slots__ = ()

    def __getattr__(self, name: str) -> object:
        raise TypeError(f"no {name}")

    def __eq__(self, other: object) -> bool:
        raise TypeError("not to be compared")

    def __getstate__(self) -> object:
        raise TypeError("not to be copied")

    def __str__(self) -> str:
        return "no particular thing"


def test_what_an_object_raises_when_it_is_described_is_not_what_a_case_does() -> None:
    record = describe(Touchy(), HERE)
    assert (record["type"], record["text"]) == ("Touchy", "no particular thing")


@pytest.mark.parametrize(
    ("value", "read", "shown", "wrap"),
    [
        ([(1, 2, "word")] * 40, "", [(1, 2, "word")] * 5, "{}[:5]"),
        ([(1, 2, "word")] * 40, "list", [(1, 2, "word")] * 5, "list({})[:5]"),
        ([(1, 2)] * 40, "", [(1, 2)] * 40, ""),  # it is not that long
        (["a" * 200] * 3, "", ["a" * 200] * 3, ""),  # it has few items
        ([Growing()] * 200, "", [Growing()] * 200, ""),  # objects are looked into
        ([(1, 2, "word")] * 5, "islice", [(1, 2, "word")] * 5, "islice"),
    ],
)
def test_a_long_list_is_told_by_its_first_items(
    value: list[object], read: str, shown: list[object], wrap: str
) -> None:
    assert shortened(value, read) == (shown, wrap)
