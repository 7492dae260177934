"""Annotations are evaluated to values of what they name."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.classes import ClassMatcher
from pytest_lift.agents.offline.arguments.hints.annotated import Annotations
from pytest_lift.agents.offline.arguments.hints.declared import Declarations
from pytest_lift.agents.offline.arguments.known.made import MadeObjects

SHAPES = {
    "shapes.py": """
        from abc import ABC, abstractmethod
        from enum import Enum
        from typing import Protocol, TypedDict

        Names = list[str]
        T = TypeVar("T")
        Cards = TypeVar("Cards", bound="Card")
        Possibly: TypeAlias = _Missing | T
        _Makes = Callable[..., "Card"]
        _Many = Union[T, Sequence[T]]


        class _Missing:
            pass


        class Color(Enum):
            RED = 1
            BLUE = 2


        class Style(TypedDict):
            color: Color
            width: int


        class Bold(Style):
            weight: float


        class Priced(Protocol):
            price: int

            def cheaper(self, percent: int) -> int: ...


        class Table(Protocol):
            def keys(self) -> list[str]: ...

            def __getitem__(self, key: str) -> int: ...


        class Shape(ABC):
            @abstractmethod
            def area(self) -> float: ...

            @property
            @abstractmethod
            def corners(self) -> int: ...


        class Square(Shape):
            corners = 4

            def area(self):
                return 1.0


        class Round(Shape):
            def corners(self):
                return 0


        class Card:
            pass
    """
}


@pytest.fixture(scope="module")
def annotations(tmp_path_factory: pytest.TempPathFactory) -> Annotations:
    program = write_program(tmp_path_factory.mktemp("shapes"), SHAPES)
    objects = {"Card": ["Card()", "Card().turn()"], "Square": ["Square()"]}
    return Annotations(program, objects, ClassMatcher(program))


@pytest.mark.parametrize(
    ("annotation", "values"),
    [
        ("Color", ["Color.RED", "Color.BLUE"]),
        ("Optional[Card]", ["Card()", "Card().turn()", "None"]),
        ("'Card | None'", ["Card()", "None", "Card().turn()"]),
        ("list[Card]", ["[Card(), Card().turn()]", "[Card()]", "[Card().turn()]", "[]"]),
        ("Shape", ["Square()"]),
        ("type[Shape]", ["Square"]),
        ("Type[Exception]", ["ValueError", "KeyError"]),
        ("Generator[Card, None, None]", ["(item for item in [Card(), Card().turn()])",
                                         "(item for item in [Card()])",
                                         "(item for item in [Card().turn()])",
                                         "(item for item in [])"]),
        ("Callable[[int], bool]", ["lambda value: value > 1", "lambda value: True",
                                   "lambda value: False"]),
        ("Callable[[Card, int], Color]", ["lambda a, b: Color.RED", "lambda a, b: Color.BLUE"]),
        ("Callable[..., None]", ["lambda *args: None"]),
        ("Literal['a', 'b']", ["'a'", "'b'"]),
        ("_Makes", ["lambda *args: Card()", "lambda *args: Card().turn()"]),
        ("_Many[Card]", ["Card()", "[Card(), Card().turn()]", "Card().turn()", "[Card()]",
                         "[Card().turn()]", "[]"]),
        ("tuple[T, Color]", ["('a', Color.RED)", "('b', Color.BLUE)", "(1, Color.RED)",
                             "('c', Color.BLUE)", "(2, Color.RED)"]),
        ("tuple[Cards, Any]", ["(Card(), 'a')", "(Card().turn(), 'b')", "(Card(), 1)",
                               "(Card().turn(), 'c')", "(Card(), 2)"]),
        ("Table", ["{'a': 1}", "{}", "{'b': 2, 'a': 1}", "{'a': {'b': [1]}}", "{1: 'a'}"]),
        ("tuple[Color, bool]", ["(Color.RED, True)", "(Color.BLUE, False)"]),
        ("int", []),
    ],
)  # fmt: skip
def test_values_of_what_an_annotation_names(
    annotations: Annotations, annotation: str, values: list[str]
) -> None:
    assert annotations.values(annotation) == values


def test_what_a_call_was_seen_to_give_fits_no_other_type(
    annotations: Annotations, tmp_path: Path
) -> None:
    seen = {
        "Deck().top()": {"Card"}, "Deck().code()": {"UUID"}, "Deck().size()": {"int"},
        "Deck().label()": {"Markup"}, "Deck().name()": {"str"}, "Deck().begun()": {"datetime"},
        "Deck().words()": {"Words"},
    }  # fmt: skip
    program = write_program(tmp_path, {"cards.py": "class Card: pass\nclass Words(str): pass"})
    matcher = ClassMatcher(program)
    made = Annotations(program, {}, matcher, lambda source: frozenset(seen.get(source, ())))
    fitting = {
        hint: [source for source in seen if made.fits(hint, source)]
        for hint in ("float", "str", "uuid.UUID", "date", "list")
    }
    labels = "Deck().label()", "Deck().name()", "Deck().words()"
    assert fitting["float"] == ["Deck().size()", "Deck().label()"]  # no one knows that class
    assert fitting["str"] == [*labels]
    assert fitting["uuid.UUID"] == ["Deck().code()", "Deck().label()"]
    assert "Deck().begun()" in fitting["date"]
    assert fitting["list"] == [*seen]
    assert made.fits("float", "Deck().unseen()")


def test_the_time_and_an_identifier_fit_what_takes_such_alone(annotations: Annotations) -> None:
    assert annotations.fits("float", "time.time()")
    assert not annotations.fits("str", "time.time()")
    assert not annotations.fits("uuid.UUID", "datetime.now()")
    assert not annotations.fits("int", "datetime.date(2024, 3, 1)")
    assert annotations.fits("datetime.date", "datetime.date(2024, 3, 1)")
    assert annotations.fits("uuid.UUID", "uuid4()")
    assert annotations.fits("float", "clock.time()")


def test_hints_of_results_and_constants_tell_what_an_expression_gives(tmp_path: Path) -> None:
    code = """
        SIZE, START = 16, None
        LIMIT: int = 3
        HEAD = 4
        LENGTH = HEAD + 12
        END = None
        class Deck:
            def code(self) -> uuid.UUID: return made()
            def size(self) -> "int": return 1
            def first(self): return None
            def any(self) -> object: return 1
        """
    program = write_program(tmp_path, {"deck.py": code})
    made = Annotations(program, {}, ClassMatcher(program))
    calls = ["Deck().code()", "Deck().size()", "Deck().first()", "Deck().any()"]
    sources = [*calls, "LIMIT", "END", "LENGTH"]
    assert [one for one in sources if not made.fits("bytes", one)] == [
        "Deck().code()", "Deck().size()", "LIMIT", "LENGTH",
    ]  # fmt: skip
    assert made.fits("float", "Deck().size()")
    assert made.fits("uuid.UUID", "Deck().code()")


def test_containers_begin_with_several_items(annotations: Annotations) -> None:
    assert annotations.values("dict[str, Card]")[0] == (
        "{'hello': Card(), 'a': Card().turn(), 'b': Card()}"
    )
    assert annotations.values("Iterator[int]")[0] == "iter([1, 2, 3])"
    assert annotations.values("set[int]")[0] == "{1, 2, 3}"
    assert annotations.values("tuple[int, ...]")[0] == "(1, 2, 3,)"
    assert annotations.values("Names", ["'up'"])[0] == "['hello', 'up', 'a']"


def test_typed_dicts_have_their_keys(annotations: Annotations) -> None:
    assert annotations.values("Style")[0] == "{'color': Color.RED, 'width': 1}"
    assert annotations.values("Bold")[0] == "{'color': Color.RED, 'width': 1, 'weight': 1.5}"


def test_protocols_that_no_class_has_get_an_object_with_their_members(
    annotations: Annotations,
) -> None:
    assert annotations.values("Priced") == ["SimpleNamespace(price=1, cheaper=lambda percent: 1)"]


def test_no_object_stands_in_for_a_class_from_which_others_are_derived(tmp_path: Path) -> None:
    program = write_program(tmp_path, SHAPES)
    annotations = Annotations(program, {}, ClassMatcher(program))
    assert annotations.declared.derived("Shape") == ["Square"]
    assert annotations.values("Shape") == []
    assert annotations.values("list[Shape]") == ["[]"]


def test_abstract_members_are_those_that_a_class_leaves_open(tmp_path: Path) -> None:
    declared = Declarations(write_program(tmp_path, SHAPES))
    assert declared.missing("Shape").names == {"area", "corners"}
    assert declared.missing("Round").names == {"area"}
    assert declared.derived("Shape") == ["Square"]


@pytest.mark.parametrize(
    ("annotation", "fitting", "odd"),
    [
        ("int", "3", "'a'"),
        ("int", "LIMIT", "Card"),
        ("str", "name", "len"),
        ("float", "-2", "None"),
        ("str", "Card().name()", "Card()"),
        ("Color", "Color.RED", "1"),
        ("Optional[Card]", "None", "'a'"),
        ("Card", "Card()", "Square()"),
        ("Shape", "Square()", "[1]"),
        ("Priced", "SimpleNamespace(price=1)", "{'a': 1}"),
        ("list[Shape]", "[Square()]", "{'a': 1}"),
        ("list[Shape]", "[]", "[1]"),
        ("dict[str, int]", "{'a': 1}", "{1: 'a'}"),
        ("Style", "{'color': Color.RED, 'width': 2}", "{}"),
        ("Callable[[int], bool]", "lambda value: True", "3"),
        ("Iterable[str]", "'abc'", "2"),
        ("Decimal", "Decimal('1')", "1.5"),
        ("Names", "['a']", "[1]"),
        ("ModuleType", "ModuleType('shop')", "Card()"),
        ("Decimal", "Decimal('1')", "Card()"),
    ],
)
def test_values_fit_their_annotations_or_are_odd(
    annotations: Annotations, annotation: str, fitting: str, odd: str
) -> None:
    assert annotations.fits(annotation, fitting)
    assert not annotations.fits(annotation, odd)
    assert annotations.fits(None, odd)


@pytest.mark.parametrize(
    ("hint", "value", "fits"),
    [
        ("Callable[[int], str]", "Color.RED", False),
        ("Callable", "Card()", False),
        ("Callable[..., Any]", "'a'", False),
        ("Callable[..., Any]", "LIMIT", False),
        ("Callable[..., Any]", "lambda: 1", True),
        ("Callable[..., Any]", "calls.append", True),
        ("Callable[..., Any]", "Card", True),
        ("Exception", "'a'", False),
        ("Exception", "ValueError('a')", True),
        ("str", "2 ** 1", False),
        ("int", "2 ** 1", True),
        ("int", "2 + 1j", False),
        ("complex", "2 + 1j", True),
    ],
)
def test_what_is_no_function_is_no_callable_and_a_text_is_no_exception(
    annotations: Annotations, hint: str, value: str, fits: bool
) -> None:
    assert annotations.fits(hint, value) is fits


@pytest.mark.parametrize(
    ("hint", "value", "fits"),
    [
        ("_Many[int]", "1", True),
        ("_Many[int]", "[1]", True),
        ("_Many[int]", "'a'", False),
        ("_Many[Card]", "1", False),
        ("Possibly[Card]", "1", False),
        ("Possibly[Card]", "Card()", True),
        ("Iterable[str]", "'abc'", True),
        ("Iterable[tuple[str, int]]", "'abc'", False),
        ("Iterable[tuple[str, int]]", "[('a', 1)]", True),
    ],
)
def test_an_alias_of_a_generic_type_and_the_items_of_a_text_are_looked_at(
    annotations: Annotations, hint: str, value: str, fits: bool
) -> None:
    assert annotations.fits(hint, value) is fits


def test_objects_that_give_back_what_was_written_come_first(tmp_path: Path) -> None:
    outputs = """
        class Output:
            def write(self, text):
                pass

        class Nothing(Output):
            pass

        class Buffer(Output):
            def fetch(self):
                return ""
        """
    program = write_program(tmp_path, {"outputs.py": outputs})
    objects = {"Nothing": ["Nothing()"], "Buffer": ["Buffer()"]}
    annotations = Annotations(program, objects, ClassMatcher(program))
    assert annotations.values("Output", ()) == ["Buffer()", "Nothing()"]


def test_objects_of_finished_classes_come_before_those_of_their_base(tmp_path: Path) -> None:
    code = """
        class Algorithm:
            def sign(self, key):
                "Signs."
                raise NotImplementedError()

        class Plain(Algorithm):
            def sign(self, key):
                return key
    """
    program = write_program(tmp_path, {"signing.py": code})
    objects = {"Algorithm": ["Algorithm()"], "Plain": ["Plain()"]}
    found = Annotations(program, objects, ClassMatcher(program)).values("Algorithm")
    assert found == ["Plain()", "Algorithm()"]


STUB = """
from typing import NewType, TypedDict, Union

Callback = Union[str, list[str]]
Width = NewType("Width", int)

class Settings(TypedDict, total=False):
    width: Required[int]
    title: str
"""


@pytest.mark.parametrize(
    ("annotation", "value", "fits"),
    [
        ("Callback", "'on_exit'", True),
        ("Callback", "2.5", False),
        ("Width", "3", True),
        ("Width", "'wide'", False),
        ("Settings", "{'width': 1}", True),
        ("Settings", "{'title': 'a'}", False),
        ("Settings", "{'width': 1, 'color': 'red'}", False),
    ],
)
def test_stubs_declare_aliases_and_typed_dicts(
    tmp_path: Path, annotation: str, value: str, fits: bool
) -> None:
    program = write_program(tmp_path, {"shapes.py": "class Shape: pass", "shapes.pyi": STUB})
    annotations = Annotations(program, {}, ClassMatcher(program))
    assert annotations.fits(annotation, value) is fits


def test_protocols_that_containers_of_python_have_get_these(annotations: Annotations) -> None:
    values = annotations.values("Table")
    assert "{'a': 1}" in values
    assert {value[0] for value in values} == {"{"}
    assert annotations.fits("Table", "{'a': 1}")
    assert not annotations.fits("Table", "[1]")
    assert not annotations.fits("Priced", "{'a': 1}")


def test_what_was_seen_to_make_objects_of_another_class_does_not_fit(tmp_path: Path) -> None:
    program = write_program(tmp_path, SHAPES)
    seen = {"deal()": {"Card"}, "drawn()": {"Square"}}
    annotations = Annotations(program, {}, ClassMatcher(program), lambda one: seen.get(one, set()))
    assert annotations.fits("Card", "deal()")
    assert annotations.fits("Shape", "drawn()")  # a class derived from it
    assert annotations.fits("Card", "other()")
    assert not annotations.fits("Card", "drawn()")
    made = MadeObjects()
    made.note("Card", "deal()", 0.0)
    assert made.classes_of("deal()") == {"Card"}
    assert not made.classes_of("drawn()")
    made.note_class("size()", "int")
    assert made.classes_of("size()") == {"int"}


def test_what_is_seen_later_counts_and_so_does_what_python_makes(tmp_path: Path) -> None:
    program = write_program(tmp_path, SHAPES)
    seen = {
        "found()": {"NoneType"}, "size()": {"int"}, "table()": {"dict"}, "rows()": {"TextTable"},
    }  # fmt: skip
    annotations = Annotations(program, {}, ClassMatcher(program), lambda one: seen.get(one, set()))
    for hint, value in (("Card", "drawn()"), ("list[Card]", "[drawn()]"), ("Card", "found()")):
        assert annotations.fits(hint, value) is (value != "found()")
    seen["drawn()"] = {"Square"}
    assert not annotations.fits("Card", "drawn()")
    assert not annotations.fits("list[Card]", "[drawn()]")
    seen["found()"] |= {"Card"}
    assert annotations.fits("Card", "found()")
    seen["found()"] = {"NoneType"}
    assert annotations.fits("Card | None", "found()")
    assert annotations.fits("Optional[Card]", "found()")
    assert not annotations.fits("Card | None", "size()")
    assert annotations.fits("Table", "table()")
    assert annotations.fits("Table", "rows()"), "a class that is not the program's"
    assert not annotations.fits("Table", "size()")
    assert not annotations.fits("Shape", "rows()"), "no protocol"


@pytest.mark.parametrize(
    ("hint", "given"),
    [
        ("Callable[..., Generator[float, None, None]]", ["doubling", "steady"]),
        ("Callable[[], Iterator[int]]", ["doubling", "steady"]),
        ("Callable[[int], Iterator[int]]", []),
        ("Callable[..., int]", []),
    ],
)
def test_what_has_to_give_a_generator_is_one_of_the_programs_own(
    tmp_path: Path, hint: str, given: list[str]
) -> None:
    waits = """
        def steady(seconds=1):
            while True:
                yield seconds

        def until(most):
            yield from range(most)

        def _hidden():
            yield 1

        def plain():
            return [1]
    """
    files = {"waits.py": waits, "_growing.py": "def doubling(*, base=2):\n    yield base\n"}
    annotations = Annotations(program := write_program(tmp_path, files), {}, ClassMatcher(program))
    values = annotations.values(hint)
    assert sorted(one for one in values if "lambda" not in one) == given
