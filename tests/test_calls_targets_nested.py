"""Public classes inside of classes are targets where they do something."""

from __future__ import annotations

from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.survey import UNKNOWN, survey
from pytest_lift.calls.targets.finding import find_targets

FRAMES = """
    import enum

    class Frame:
        def size(self):
            return 1

    class Exchange:
        class Bind(Frame):
            def __init__(self, ticket=0):
                self.ticket = ticket

            class Reply(Frame):
                pass

        class Node:
            def __init__(self, value):
                self.value = value

            def label(self):
                return str(self.value)

        class Meta:
            ordering = "a"

        class Colour(enum.Enum):
            RED = 1

        class _Hidden(Frame):
            pass
"""
CALLS = {"Exchange.Bind", "Exchange.Bind.Reply", "Exchange.Node", "Exchange", "Frame"}


@pytest.mark.parametrize("imported", [False, True])
def test_classes_inside_of_classes_are_called_by_their_whole_names(
    tmp_path: Path, imported: bool
) -> None:
    program = write_program(tmp_path, {"frames.py": FRAMES})
    known = survey(program, tmp_path, best_jail(), 20.0) if imported else UNKNOWN
    targets = find_targets(program, Resolver(program), known)
    assert {one.call for one in targets if one.kind == "constructor"} == CALLS
    bind = next(one for one in targets if one.symbol == "Exchange.Bind")
    assert bind.imports == ("from frames import Exchange",)
    assert [parameter.name for parameter in bind.parameters] == ["ticket"]
    members = {one.symbol for one in targets if one.owner is not None}
    assert "Exchange.Node.label" in members
    assert ("Exchange.Bind.Reply.size" in members) is imported, "it is inherited"


def test_an_object_of_a_class_inside_of_another_one_is_told(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"frames.py": FRAMES})
    prober = Prober(tmp_path, program, best_jail())
    step = Step("Exchange.Node('a')", check=True)
    case = Case("frames.py", "Exchange.Node", (step,), ("from frames import Exchange",))
    (outcome,) = prober.observe([case], 10)[case.key].outcomes
    assert (outcome.type, outcome.attributes) == ("Exchange.Node", (("value", "'a'"),))
    prober.close()
