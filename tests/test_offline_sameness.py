"""Attributes that are the same for all objects of a class are no reason for a test."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from offline_program import brief, write_program

from pytest_lift.agents.offline.choosing.looks.sameness import DULLNESS, FEWEST, CommonAttributes
from pytest_lift.agents.offline.choosing.selection import Chosen, choose
from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.case import Case, Observation, Outcome, Step

CODE = """
    class Field:
        messages = {"required": "Missing data."}

        def __init__(self, required=False):
            self.error_messages = dict(self.messages)
            self.required = required

        def load(self, value):
            if value is None and self.required:
                raise ValueError("Missing data.")
            return self.read(value)

        def read(self, value):
            return [value]


    class Number(Field):
        def read(self, value):
            return int(value)


    class Flag(Field):
        def read(self, value):
            return value in ("yes", "true")
    """


def kept(source: str, attributes: tuple[tuple[str, str], ...], *hits: int, **more: str) -> KeptCase:
    case = Case("fields.py", "Field", (Step(source, check=True),), cost=0.3)
    seen = Observation((Outcome("Field", attributes=attributes, **more),), frozenset(hits))  # type: ignore[arg-type]
    return KeptCase(case, seen)


SAME = ("messages", "['a']")
MADE = [kept(f"Field({n})", (SAME, ("size", str(n))), n) for n in range(FEWEST)]


def test_what_differs_is_told_where_there_is_any() -> None:
    common = CommonAttributes(MADE)
    assert common.without(MADE[2].seen).outcomes[0].attributes == (("size", "2"),)
    bare = kept("Field()", (SAME,))
    assert common.without(bare.seen) == bare.seen


def test_attributes_with_names_that_the_program_does_not_have_are_not_told() -> None:
    common = CommonAttributes([], {"size"})
    made = kept("Field(3)", (("prefix", "'-'"), ("size", "3")))
    assert common.without(made.seen).outcomes[0].attributes == (("size", "3"),)
    other = kept("parser()", (("prefix", "'-'"),))
    assert common.without(other.seen) == other.seen


def test_what_most_objects_have_so_is_usual() -> None:
    common = CommonAttributes(MADE)
    assert common.is_usual(kept("Field()", (SAME, ("title", "''"))).seen)
    assert not common.is_usual(MADE[2].seen)
    assert not common.is_usual(kept("Field()", (SAME,), text="a").seen)


def test_a_second_name_of_an_attribute_is_not_told() -> None:
    made = [
        kept(f"F({n})", (("n", str(n)), ("nominal", str(n)), ("size", str(n // 2))))
        for n in range(9)
    ]
    common = CommonAttributes(made)
    assert common.without(made[3].seen).outcomes[0].attributes == (("nominal", "3"), ("size", "1"))


def test_few_objects_do_not_tell_what_is_the_same() -> None:
    assert CommonAttributes(MADE[1:]).without(MADE[2].seen) == MADE[2].seen


def test_an_object_that_shows_nothing_else_is_dull() -> None:
    common = CommonAttributes(MADE)
    assert common.dullness(kept("Field()", (SAME,)).seen) == DULLNESS
    assert common.dullness(MADE[0].seen) == 0
    assert common.dullness(kept("Field()", (SAME,), text="a field").seen) == 0
    assert common.dullness(Observation()) == 0


def test_what_uses_an_object_is_chosen_before_what_makes_it() -> None:
    common = CommonAttributes(MADE)
    bare, used = kept("Field()", (SAME,), 7), kept("Field().size()", (("size", "9"),), 7, 8)
    assert [
        one.kept for one in choose([bare, used], frozenset(), lambda _: 1.0, common.dullness)
    ] == [used]


def test_only_what_reaches_something_new_stays_although_it_is_dull() -> None:
    common = CommonAttributes(MADE)
    bare, used = kept("Field()", (SAME,), 7), kept("Field().size()", (("size", "9"),), 7, 8)
    both = [Chosen(bare, frozenset({7})), Chosen(used, frozenset({8}))]
    assert [one.kept for one in common.telling(both)] == [used]
    alone = [Chosen(bare, frozenset({7}))]
    assert common.telling(alone) == alone


def test_tests_of_fields_load_something(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"fields.py": CODE})
    (text,) = generator(brief(tmp_path, program)).files.values()
    assert text is not None
    assert ".load(" in text
    assert "error_messages" not in text
    assert "required=True" in text  # a plain value of its kind


def test_what_most_objects_of_other_classes_have_too_is_not_told_beside_what_is_unusual() -> None:
    made = [
        replace(one, seen=Observation((replace(one.seen.outcomes[0], type=f"Element{n}"),)))
        for n, one in enumerate(
            kept(f"Element{n}()", (("skips", "n > 8"), ("size", str(n)))) for n in range(FEWEST)
        )
    ]
    other = kept("Other()", (("skips", "n > 8"), ("size", "77")))
    common = CommonAttributes([*made, other])
    assert common.without(other.seen).outcomes[0].attributes == (("size", "77"),)
    flag = kept("Other()", (("skips", "n > 8"), ("size", "0")))
    assert common.without(flag.seen) == flag.seen  # nothing else says something
    unusual = kept("Other()", (("skips", "True"), ("size", "77")))
    assert common.without(unusual.seen) == unusual.seen


ELEMENTS = """
    class Element:
        def __init__(self):
            self.skips = "blanks"
            self.width = 1


    class Word(Element):
        def __init__(self, letters: str, longest: int = 8):
            super().__init__()
            if not letters:
                raise ValueError("no letters")
            self.most = longest * 2
            self.letters = sorted(letters)


    class Digits(Element):
        def __init__(self, base: int = 10):
            super().__init__()
            if base > 36:
                raise ValueError("too many digits")
            self.digits = list(range(base))


    class Quoted(Element):
        def __init__(self, mark: str = "q"):
            super().__init__()
            if len(mark) > 1:
                raise ValueError("more than one mark")
            self.end = mark + mark


    class Line(Element):
        def __init__(self, number: int = 1):
            super().__init__()
            if number < 0:
                raise ValueError("no such line")
            self.next = number + 1


    class Pause(Element):
        def __init__(self, seconds: int = 3):
            super().__init__()
            if seconds > 60:
                raise ValueError("longer than a minute")
            self.left = seconds * 60
    """


def test_what_objects_of_most_classes_have_is_not_asserted_of_each(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"elements.py": ELEMENTS})
    (text,) = generator(brief(tmp_path, program)).files.values()
    assert text is not None
    asserted = [line for line in text.splitlines() if "assert" in line]
    assert sum(".skips" in line for line in asserted) <= 1  # of an element itself
    assert any(".left" in line for line in asserted)
