"""Keywords of classes that take any: calls show them, or tables name them."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.shown_keywords import with_shown_keywords
from pytest_lift.calls.targets.target import Target

UNITS = """
    class Measure:
        STANDARD = None

        def __init__(self, unit=None, **kwargs):
            self.unit, self.value = unit, self.units(kwargs)

        def units(self, given):
            return sum(self.UNITS[name] * value for name, value in given.items())


    class Mass(Measure):
        STANDARD = "g"
        UNITS = {"hundredweight": 50802.0, "kg": 1000.0, "long ton": 1016047.0, "g": 1.0}


    class Ounces(Mass):
        def __init__(self, **words):
            super().__init__(**words)


    class Pouch(Mass):
        def __init__(self, **words):
            super().__init__(**self.UNITS)


    class Speed:
        UNITS = {"knots": "nautical miles an hour"}

        def __init__(self, **kwargs):
            self.name, self.value = kwargs.popitem()


    class Element:
        EMPTY = {"br": True}

        def __init__(self, tag, **attributes):
            self.tag, self.attributes = tag, attributes

        def text(self):
            return self.tag


    class Bag(dict):
        def __init__(self, *args, **kwargs):
            self.update(*args, **kwargs)


    class Plain:
        TABLE = {"a": 1}

        def __init__(self, size=1):
            self.size = size


    Weight = Mass
"""
DOCUMENTS = (
    "Weight(lb=125) + Mass(kg=40)",
    "Bag(name=1)",
    "Ounces(oz=2)",
    "Pouch(flat=True)",
    "this is no Python",
)


@pytest.fixture
def targets(tmp_path: Path) -> dict[str, Target]:
    program = write_program(tmp_path, {"units.py": UNITS})
    found = find_targets(program, Resolver(program))
    return {one.symbol: one for one in with_shown_keywords(found, program, DOCUMENTS)}


def keywords(target: Target) -> list[tuple[str, str | None]]:
    given = [one for one in target.parameters if one.kind == "keyword"]
    return [(one.name, one.annotation) for one in given]


def test_shown_ones_come_before_those_of_tables_and_constants_before_others(
    targets: dict[str, Target],
) -> None:
    assert keywords(targets["Mass"]) == [
        ("lb", "float"), ("kg", "float"), ("g", "float"), ("hundredweight", "float"),
    ]  # fmt: skip


def test_keywords_that_are_handed_up_are_those_of_the_constructor_above(
    targets: dict[str, Target],
) -> None:
    assert ("oz", "float") in keywords(targets["Ounces"])


def test_where_none_is_shown_others_tell_what_they_are(targets: dict[str, Target]) -> None:
    assert keywords(targets["Speed"]) == [("knots", "float")]


@pytest.mark.parametrize("name", ["Element", "Plain", "Bag", "Pouch"])
def test_what_does_not_look_through_its_keywords_has_none(
    name: str, targets: dict[str, Target]
) -> None:
    assert not keywords(targets[name])


def test_methods_are_those_of_the_class_with_its_keywords(targets: dict[str, Target]) -> None:
    assert targets["Element.text"].owner == targets["Element"]
    assert targets["Measure.units"].owner == targets["Measure"]
