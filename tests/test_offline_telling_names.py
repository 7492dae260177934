"""What a property is set to is told by the property's own name, not by that of the parameter."""

from __future__ import annotations

import random
from pathlib import Path

from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.survey import survey
from pytest_lift.calls.targets.finding import find_targets

TABLE = """
    class Table:
        def __init__(self):
            self._title = None
            self._width = 1

        @property
        def title(self):
            return self._title

        @title.setter
        def title(self, val):
            self._title = str(val)

        @property
        def width(self):
            return self._width

        @width.setter
        def width(self, val):
            self._width = val + 1
    """


def test_what_is_set_is_told_by_the_property(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"tables.py": TABLE})
    found = find_targets(program, Resolver(program), survey(program, tmp_path, best_jail(), 20.0))
    setters = {one.leaf: one for one in found if one.kind == "statement"}
    assert [one.telling_name("val") for one in setters.values()] == ["title", "width"]
    inputs = Inputs(program, random.Random(1))
    assert inputs.usual(setters["width"], setters["width"].parameters[0]) == ("20",)
    proposals = Proposals(Naturalness(inputs, found))
    odd = Call(setters["title"], (("val", "'\u2524'"),))
    assert next(proposals.mended(odd)).given == {"val": "'Title'"}
