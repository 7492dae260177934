"""Enumerations are told by their file and name: classes of other files may be called like them."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.source.enumerations import enumerations
from pytest_lift.source.program import Program

FILES = {
    "bugs.py": "import enum\n\nclass Status(enum.Enum):\n    OPEN = 1\n",
    "lines.py": "class Status:\n    DEFAULT = 3\n\nclass Busy(Status):\n    pass\n",
    "both.py": """
        import bugs
        from bugs import Status as Known
        from lines import Status

        class First(Known):
            pass

        class Second(bugs.Status):
            pass

        class Third(Status):
            pass
        """,
    "flags.py": "class Flag:\n    RED = 1\n\nclass Black(Flag):\n    RED = 2\n",
    "colours.py": "from enum import Flag\n\nclass Colour(Flag):\n    RED = 1\n",
    "old.py": """
        try:
            from enum import StrEnum
        except ImportError:
            from enum import Enum

            class StrEnum(str, Enum):
                pass

        class Size(StrEnum):
            SMALL = "s"
        """,
}


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return write_program(tmp_path, FILES)


def test_a_class_that_is_called_like_an_enumeration_is_none(program: Program) -> None:
    assert enumerations(program) == {
        ("bugs.py", "Status"),
        ("both.py", "First"),
        ("both.py", "Second"),
        ("colours.py", "Colour"),
        ("old.py", "StrEnum"),
        ("old.py", "Size"),
    }


def test_objects_of_such_a_class_are_made(program: Program) -> None:
    made = {
        one.path: one.members
        for one in find_targets(program, Resolver(program))
        if one.kind == "constructor" and one.symbol == "Status"
    }
    assert made == {"bugs.py": ("Status.OPEN",), "lines.py": ()}
