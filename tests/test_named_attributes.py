"""Attributes that a class has by any name are read, set and deleted as people write it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import brief, write_program
from offline_ways import ways_of

from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.natural.dicts import held_keys
from pytest_lift.agents.offline.stories.objects import NAMES, Objects
from pytest_lift.calls.call import Call, setup
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.reading import documented_calls
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.source.special_methods import form_of

BOX = """
    class Box:
        size = 0

        def __init__(self, items):
            self.__dict__["items"] = dict(items)

        def close(self):
            return None

        def __getattr__(self, name):
            try:
                return self.__dict__["items"][name]
            except KeyError:
                raise AttributeError(f"no such thing: {name}")

        def __setattr__(self, name, value):
            if name == "items":
                raise AttributeError("items stay what they are")
            self.items[name] = value

        def __delattr__(self, name):
            if name not in self.items:
                raise AttributeError(name)
            del self.items[name]

        def __eq__(self, other):
            return self.items == other.items

        def __repr__(self):
            return f"Box({self.items})"
"""


@pytest.mark.parametrize(
    ("method", "operands", "written"),
    [
        ("__getattr__", ["box", "'width'"], "box.width"),
        ("__getattr__", ["box", "'two words'"], "getattr(box, 'two words')"),
        ("__getattr__", ["box", "'class'"], "getattr(box, 'class')"),
        ("__getattr__", ["box", "name"], "getattr(box, name)"),
        ("__setattr__", ["box", "'width'", "3"], "box.width = 3"),
        ("__setattr__", ["box", "''", "3"], "setattr(box, '', 3)"),
        ("__delattr__", ["box", '"width"'], "del box.width"),
        ("__getitem__", ["box", "'width'"], "box['width']"),
    ],
)
def test_an_attribute_is_written_with_a_dot(method: str, operands: list[str], written: str) -> None:
    subject, *others = operands
    form, values = form_of(method, others)
    assert form.format(subject, *values) == written


@pytest.mark.parametrize(
    ("example", "told"),
    [
        ("b = Box({'width': 3})\nb.width", "b = Box({'width': 3}); b.width"),
        ("b = Box({})\nb.width = 3\nb.width", "b = Box({}); b.width = 3; b.width"),
        ("b = Box({})\nb.width = 3\ndel b.width", "b = Box({}); b.width = 3; del b.width"),
        ("b = Box({})\nb.close()", "b = Box({}); b.close()"),
    ],
)
def test_attributes_of_examples_are_read(tmp_path: Path, example: str, told: str) -> None:
    program = write_program(tmp_path, {"boxes.py": BOX})
    matcher = Matcher(find_targets(program, Resolver(program)))
    found = ["; ".join([*setup(one), one.text]) for one in documented_calls(matcher, [example])]
    assert found[-1] == told


def test_attributes_are_what_an_object_was_made_with(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"boxes.py": BOX})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    objects = Objects([*targets.values()], ways_of(program), random.Random(1))
    made = Call(targets["Box"], (("items", "{'width': 'two words', 3: 'height'}"),))
    read = targets["Box.__getattr__"]
    call = Call(read, receiver=made, name="box")
    drawn = {objects.argument(call, read.parameters[0]) for _ in range(100)}
    assert drawn == {"'width'", "'height'", *NAMES}
    assert objects.natural.fits(call.with_value("name", "'width'"))
    assert not objects.natural.fits(call.with_value("name", "'two words'"))
    (other, _) = held_keys.variants(call.with_value("name", "'a'"))
    assert other.text == "box.width"


def test_the_search_reads_sets_and_deletes_attributes(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"boxes.py": BOX})
    (text,) = [text for text in generator(brief(tmp_path, program)).files.values() if text]
    assert "getattr(" not in text
    for reached in ("no such thing", "items stay what they", "del "):
        assert reached in text, text
