"""An expected object is written without what its class sets by default."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.writing.constructors import with_plain_paths, without_defaults
from pytest_lift.calls.case import Outcome

SHAPES = """
    from dataclasses import dataclass
    from typing import NamedTuple

    @dataclass
    class Point:
        x: int
        y: int = 0
        label: str = ""

    class Range(NamedTuple):
        begin: int
        data: object = None

    class Span(tuple):
        def __new__(cls, begin, end=None):
            return super().__new__(cls, (begin, end))

    class Version:
        def __init__(self, major, minor=0, *, build=None):
            self.major, self.minor, self.build = major, minor, build
"""


@pytest.mark.parametrize(
    ("whole", "short"),
    [
        ("Point(x=1, y=0, label='a')", "Point(x=1, label='a')"),
        ("[Range(begin=0, data=None)]", "[Range(begin=0)]"),
        ("Version(major=1, minor=0, build='b')", "Version(major=1, build='b')"),
        ("Version(major=1, minor=2, build=None)", "Version(major=1, minor=2)"),
        ("{Span(begin=1, end=None)}", "{Span(begin=1)}"),
        ("dict(build=None)", "dict(build=None)"),
        ("'text'", "'text'"),
    ],
)
def test_defaults_are_left_out(tmp_path: Path, whole: str, short: str) -> None:
    program = write_program(tmp_path, {"shapes.py": SHAPES})
    assert without_defaults(whole, program) == short


def test_of_two_classes_of_one_name_nothing_is_known(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"a.py": SHAPES, "b.py": SHAPES})
    assert without_defaults("Point(x=1, y=0)", program) == "Point(x=1, y=0)"


def test_a_path_is_written_without_its_system() -> None:
    names = (("pathlib", "PosixPath"),)
    seen = Outcome("Book", None, names=names, attributes=(("place", "PosixPath('a')"),))
    found = with_plain_paths(seen)
    assert found.attributes == (("place", "Path('a')"),)
    assert found.names == (("pathlib", "Path"),)
