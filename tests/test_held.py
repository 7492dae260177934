"""Containers of objects are told by the variables and attributes that hold these."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.child.describing.held import told_by_holders
from pytest_lift.calls.prober import Prober

PROGRAM = frozenset({__name__.partition(".")[0]})


class Leaf:
    def __init__(self, text: str) -> None:
        self.text = text


class Slotted:
    __slots__ = ("right",)

    def __init__(self, right: Any) -> None:
        self.right = right


class Equal(Leaf):
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Leaf) and other.text == self.text

    __hash__ = None  # type: ignore[assignment]


class Tree:
    def __init__(self, left: Any, right: Any, *more: Any) -> None:
        self.left, self.right, self.more, self._own = left, right, list(more), Leaf("own")


LEAF, OTHER, THIRD, EQUAL = Leaf("a"), Leaf("b"), Leaf("c"), Equal("a")
TREE = Tree(LEAF, OTHER, THIRD)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ([LEAF, OTHER], "[tree.left, tree.right]"),
        ((("left", LEAF), ("more[0]", THIRD)), "(('left', tree.left), ('more[0]', tree.more[0]))"),
        ((LEAF,), "(tree.left,)"),
        ({"a": LEAF, "b": 1}, "{'a': tree.left, 'b': 1}"),
        ([TREE, LEAF], "[tree, tree.left]"),
        ([THIRD], ""),
        ([Leaf("x")], ""),
        ([LEAF, Leaf("x")], ""),
        ([TREE._own], ""),
        ([1, 2], ""),
        (LEAF, ""),
        ([EQUAL], ""),
    ],
)
def test_objects_are_told_by_what_holds_them(value: Any, told: str) -> None:
    space = {"tree": TREE, "_hidden": LEAF, "Leaf": Leaf, "equal": EQUAL}
    found = told_by_holders(value, space, PROGRAM)
    assert found.get("source", "") == told


def test_a_variable_of_the_object_itself_is_told_rather_than_an_attribute() -> None:
    space = {"leaf": LEAF, "tree": TREE, "slotted": Slotted(OTHER)}
    assert told_by_holders([LEAF], space, PROGRAM)["source"] == "[leaf]"
    assert told_by_holders([OTHER], {"one": space["slotted"]}, PROGRAM)["source"] == "[one.right]"


def test_a_case_tells_what_its_object_was_given(tmp_path: Path) -> None:
    source = """
    class Leaf:
        def __init__(self, text):
            self.text = text

    class Pair:
        def __init__(self, left, right):
            self.left, self.right = left, right

        def children(self):
            return (("left", self.left), ("right", self.right))
    """
    program = write_program(tmp_path, {"m.py": source})
    steps = (Step("pair = Pair(Leaf('a'), Leaf('a'))"), Step("pair.children()", check=True))
    case = Case("m.py", "Pair.children", steps, ("from m import Leaf, Pair",))
    with closing(Prober(tmp_path, program, best_jail())) as prober:
        (outcome,) = prober.observe([case], 5.0)[case.key].outcomes
    assert outcome.source == "(('left', pair.left), ('right', pair.right))"
