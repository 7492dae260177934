"""Objects of classes without a public name: their members, called on what public members give."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from offline_program import targets_of, tried, write_program

from pytest_lift.calls.call import Call, as_line
from pytest_lift.source.program import Program

CODE = '''
    """A door with two sides, and a shop."""
    import asyncio

    __all__ = ["Door", "shop"]


    class _Side:
        def __init__(self, log):
            self._log = log
            self._free = asyncio.Event()

        def __enter__(self):
            raise RuntimeError("use async with")

        async def __aenter__(self):
            self._log.append("in")

        async def __aexit__(self, *about):
            self._log.append("out")

        @property
        def steps(self):
            return len(self._log)

        async def wait(self):
            await self._free.wait()
            self._log.append("waited")

        def free(self):
            self._log.append(asyncio.current_task().get_name()[:5])
            self._free.set()


    class _Lower(_Side):
        def ring(self, times):
            return "ding" * times


    class Door:
        def __init__(self):
            self._upper = _Side([])
            self.bell = _Lower([])

        @property
        def upper(self) -> "_Side":
            return self._upper


    class _Basket:
        def __init__(self, items):
            self.items = items

        def add(self, item):
            self.items.append(item)


    def shop(count):
        basket = _Basket(["a"] * count)
        return basket
'''


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return write_program(tmp_path, {"doors.py": CODE})


def test_members_are_called_on_what_properties_attributes_and_functions_give(
    program: Program, tmp_path: Path
) -> None:
    targets = targets_of(program, tmp_path)
    owners = {name: one.owner.symbol for name, one in targets.items() if one.owner is not None}
    assert owners["_Side.steps"] == "Door.upper"
    assert owners["_Lower.ring"] == owners["_Lower.steps"] == "Door.bell"
    assert owners["_Basket.add"] == "shop"
    assert "_Side" not in targets
    assert (targets["Door.upper"].enters, targets["Door.upper"].apart) == ("async", True)


def test_what_a_property_gives_is_entered_as_itself(program: Program, tmp_path: Path) -> None:
    targets = targets_of(program, tmp_path)
    upper = Call(targets["Door.upper"], receiver=Call(targets["Door"]))
    steps = Call(targets["_Side.steps"], receiver=upper, name="upper", entered=True, looped=True)
    source, seen = tried(program, tmp_path, steps)
    assert source == (
        "upper = Door().upper\nasync with upper:\n    result = upper.steps\nresult\nupper"
    )
    assert seen.outcomes[0].source == "1"


def test_the_steps_of_a_story_run_in_one_task_beside_another_one(
    program: Program, tmp_path: Path
) -> None:
    targets = targets_of(program, tmp_path)
    upper = Call(targets["Door.upper"], receiver=Call(targets["Door"]))
    wait = Call(targets["_Side.wait"], receiver=upper, name="upper")
    free = Call(targets["_Side.free"], receiver=upper, name="upper")
    beside = as_line(wait).but(beside=True)
    story = Call(
        targets["_Side.steps"], receiver=upper, name="upper", before=(beside, as_line(free))
    )
    source, seen = tried(program, tmp_path, replace(story, looped=True))
    assert source == (
        "upper = Door().upper\ntask = asyncio.create_task(upper.wait())\n"
        "await asyncio.sleep(0)\nupper.free()\nupper.steps"
    )
    assert seen.outcomes[0].source == "1"


def test_a_class_is_a_manager_by_what_it_has_from_another_module(tmp_path: Path) -> None:
    files = {
        "base.py": "class Base:\n    def __enter__(self):\n        return self\n"
        "    def __exit__(self, *error):\n        pass\n",
        "files.py": "from base import Base\n\nclass File(Base):\n    pass\n",
    }
    found = targets_of(write_program(tmp_path, files), tmp_path)
    assert (found["File"].enters, found["File"].apart) == ("sync", False)
