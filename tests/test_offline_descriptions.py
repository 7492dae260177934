"""Descriptions of parameters tell kinds of values, classes and values."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from offline_program import write_program

from pytest_lift.agents.offline.arguments.descriptions import (
    Description,
    described,
    described_property,
    descriptions,
)
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter


@pytest.mark.parametrize(
    ("text", "kinds", "values"),
    [
        ("The original dictionary, ``list`` or ``set``.", ("dict", "list", "set"), ()),
        ("Set of keys that should not be checked.", ("set",), ()),
        ("a dict object containing the rest", ("dict",), ()),
        ("The string to parse, e.g. 'a=b'.", ("str",), ("'a=b'",)),
        ("list of 'f' or 's' strings, one for each", ("list",), ("['f', 's']", "['f']")),
        ("list of names", ("list",), ("['a', 'b', 'c']", "['b', 'a']")),
        ("Mode: either 'r', 'w' or 'a'.", (), ("'r'", "'w'", "'a'")),
        ("a callable Python object which is to receive", ("callable",), ()),
        ("If True, go on.", ("bool",), ()),
        ("Whether names are sorted", ("bool",), ()),
        ("print a header showing field names (True or False)", ("bool",), ()),
        ("colour of marks, can be True or False", ("bool",), ()),
        ("Value: True or False", ("bool",), ()),
        ("name of the user; returns True or False for each", ("str",), ()),
        ("function returning True or False", (), ()),
        ("The maximum number of rows.", ("int",), ()),
        ("Name of the file", ("str",), ()),
        ("hex string without alpha value", ("str",), ("'ff8800'",)),
        ("hex string with alpha value", ("str",), ("'80ff8800'",)),
        ("int 0 or 1", ("int",), ("1", "0")),
        ("Double indicating how long it remains still.", ("float",), ()),
        ("Key for comparison", (), ()),
        ("Threshold when comparing two float numbers.", (), ()),
        ("Any object with more", (), ()),
        ("The latest common ancestor of two structures", (), ()),
        ("don't care, it's all the same", (), ()),
    ],
)
def test_what_a_description_tells(text: str, kinds: tuple[str, ...], values: list[str]) -> None:
    found = described(f"Do.\n\n:param rest: others\n:param one: {text}\n:returns: list", "one")
    assert found == Description(kinds, tuple(values))


STYLES = [
    "Args:\n  * one: A list of names.\n  * other: text",
    ":param one: A list\n    of names.\n:param other: text",
    "@param one: A list\n    of names.\n\n    More.",
    ":param object one: A list\n  of names.",
    "Args:\n    one: A list\n        of names.\n    two: text",
    "Args:\n    one (optional): A list\n        of names.\nReturns:\n    int",
    "Arguments:\n\n  other - text\n  one - A list\n    of names.\n  two - text",
    "Parameters\n----------\none : optional\n    A list\n    of names.\ntwo : int\n    text",
]


@pytest.mark.parametrize("doc", STYLES)
def test_descriptions_of_each_style_end_where_they_end(doc: str) -> None:
    assert list(descriptions(doc, "one")) == ["A list of names."]


@pytest.mark.parametrize(
    ("doc", "listed"),
    [
        ("Moves.\n\n    one - number of steps\n    that it takes.", False),
        ("Moves one.\n\none - number of steps", False),
        ("Moves.\n\nParameters:\n\n  * one - number of steps", True),
        ("Moves.\n\n  other - a text\n    that is long\n  one - number of steps", True),
        ("Moves.\n\n  one - number of steps\n    that it takes\n  other - a text", True),
    ],
)
def test_a_dash_describes_in_lists_only(doc: str, listed: bool) -> None:
    assert described(doc, "one").kinds == (("int",) if listed else ())


@given(st.text(st.sampled_from("one :list'\"of.\n\t(*)@param or1,/"), max_size=120))
def test_any_docstring_can_be_read(doc: str) -> None:
    for value in described(doc, "one").values:
        compile(value, "value", "eval")


MERGE = '''
    class Conflict:
        def __init__(self, path="a"):
            self.path = path


    def merge(picks, conflicts, title):
        """Merge.

        :param picks: list of 'f' or 's' strings
        :param conflicts: list of Conflict objects
        :param title: a list of pieces
        """
        return [picks, conflicts, title]
'''


def test_arguments_are_what_descriptions_say(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"merging.py": MERGE})
    targets = find_targets(program, Resolver(program))
    (merge,) = (one for one in targets if one.symbol == "merge")
    picks, conflicts, title = merge.parameters
    inputs = Inputs(program, random.Random(1))
    inputs.note_described(targets)
    assert inputs.pool(merge, picks)[:2] == ["['f', 's']", "['f']"]
    assert inputs.fitting(merge, conflicts)[0] == ("Conflict", True)
    assert inputs.kinds(merge, title) == ["list"], "its name, that of a text, tells less"
    assert not inputs.suits(merge, picks, "'f'")


@pytest.mark.parametrize(
    ("doc", "kinds"),
    [
        ("West edge in degrees, accepts float.", ("float",)),
        ("The fill color.\n\nAccepts string or int.", ("str", "int")),
        ("Number of pixels around the box", ("int",)),
        ("Whether it is open", ("bool",)),
        ("Whether it is open, accepts int 0 or 1.", ("int",)),
        ("Return what is inside.", ()),
        ("", ()),
    ],
)
def test_what_a_property_says_that_it_accepts(doc: str, kinds: tuple[str, ...]) -> None:
    assert described_property(doc).kinds == kinds


def test_parameters_and_setters_take_what_their_property_accepts(tmp_path: Path) -> None:
    code = '''
        class Camera:
            pass

        class Box:
            def __init__(self, west=None, view=None):
                self._west, self._view = west, view

            @property
            def west(self):
                """West edge, accepts float."""
                return self._west

            @west.setter
            def west(self, value):
                self._west = value

            @property
            def view(self):
                """The view, accepts :class:`boxes.Camera`."""
                return self._view
        '''
    program = write_program(tmp_path, {"boxes.py": code})
    inputs = Inputs(program, random.Random(1))
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    box = targets["Box"]
    assert [inputs.documents.kinds(box, one) for one in box.parameters] == [["float"], ["Camera"]]
    value = Parameter("value", "positional")
    setter = Target("boxes.py", "Box.west", "statement", "Box", (), (value,), owner=box)
    assert inputs.documents.kinds(setter, value) == ["float"]


BOXES = '''
    class Mode:
        """Constants."""

        fast = "fast"
        slow = "slow"


    class Other:
        pass


    class Shape:
        def __init__(self, width=1.5, mode=None, shown=None):
            self._width, self._mode, self._shown = width, mode, shown
            self._depth = 3

        @property
        def width(self):
            return self._width

        @width.setter
        def width(self, value):
            self._width = value

        @property
        def mode(self):
            """How it is made. Accepts :class:`boxes.Mode` constants."""
            return self._mode

        @property
        def shown(self):
            """Whether it is shown, accepts int 0 or 1."""
            return self._shown


    class Box(Shape):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
'''


def test_what_is_told_of_a_property_holds_in_derived_classes_and_what_it_holds_at_first_tells_more(
    tmp_path: Path,
) -> None:
    program = write_program(tmp_path, {"boxes.py": BOXES})
    inputs = Inputs(program, random.Random(1))
    value = Parameter("value", "positional")

    def setter(name: str) -> Target:
        return Target("boxes.py", f"Box.{name}", "statement", "Box", (), (value,))

    found = [inputs.kinds(setter(name), value) for name in ("width", "mode", "shown", "depth")]
    assert found == [["float"], ["Mode"], ["int"], ["int"]]
    inputs.note_described([setter("shown")])
    assert inputs.pool(setter("shown"), value)[:2] == ["1", "0"]
    assert inputs.pool(setter("mode"), value)[:2] == ["Mode.fast", "Mode.slow"]


def test_an_object_of_another_class_than_the_documented_one_does_not_fit(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"boxes.py": BOXES})
    targets = [*find_targets(program, Resolver(program))]
    natural = Naturalness(Inputs(program, random.Random(1)), targets)
    value = Parameter("value", "positional")
    mode = Target("boxes.py", "Box.mode", "statement", "Box", (), (value,))
    misfits = [natural.fitness.misfit(mode, "value", one) for one in ("Mode.fast", "Other()")]
    assert misfits == [0.0, 1.0]
