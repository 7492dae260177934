"""A method that a class has under two names is tested under one of them."""

from __future__ import annotations

from pathlib import Path

from offline_program import write_program

from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.second_names import without_second_names
from pytest_lift.calls.targets.target import Target

COUNTING = """
    class Counter:
        def add_text(self, text): ...
        addText = add_text

        def _top(self): ...
        top = _top

    class Words(Counter):
        def most(self): ...
        best = most

    class Lines(Counter):
        def addText(self, text): ...
"""
OTHER = """
    class Counter:
        def addText(self, text): ...
"""


def test_a_second_name_is_no_target_unless_documents_show_it(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"counting.py": COUNTING})
    targets = find_targets(program, Resolver(program))
    (add,) = (one for one in targets if one.symbol == "Counter.add_text")
    (words,) = (one for one in targets if one.symbol == "Words")

    def second(owner: Target | None, leaf: str) -> Target:
        name = f"{owner.symbol if owner else ''}.{leaf}"
        return Target("counting.py", name, "method", "Counter", (), (), owner)

    others = [second(add.owner, "addText"), second(words, "addText"), second(words, "best")]
    top = second(add.owner, "top")
    assert without_second_names([add, *others, top], program, ()) == [add, top]
    shown = ["counter.addText('a')\n"]
    assert without_second_names([add, *others], program, shown) == [add, *others[:2]]


def test_what_a_class_defines_itself_is_a_target(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"counting.py": COUNTING, "other.py": OTHER})
    targets = find_targets(program, Resolver(program))
    named = {f"{one.path}:{one.symbol}" for one in without_second_names(targets, program, ())}
    assert {"counting.py:Lines.addText", "other.py:Counter.addText"} <= named
