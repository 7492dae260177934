"""A documented object is told by what was made of its argument."""

from __future__ import annotations

from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.choosing.made_alike import with_parts_asserted
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober

POINTS = """
    from dataclasses import dataclass


    @dataclass
    class Name:
        text: str

        def __post_init__(self):
            self.text = self.text or "nobody"


    @dataclass
    class Point:
        x: int
        y: int = 0
"""


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("Name(None)", "Name(None).text"),
        ("Name('a')", "Name('a').text"),
        ("Point(1, 2)", "Point(1, 2)"),
        ("Point(x=1, y=2)", "repr(Point(x=1, y=2))"),
        ("[Name('a')]", "[Name('a')]"),
    ],
)
def test_an_object_is_told_by_what_was_made_of_its_argument(
    tmp_path: Path, source: str, told: str
) -> None:
    program = write_program(tmp_path, {"points.py": POINTS})
    prober = Prober(tmp_path, program, best_jail())
    imports = ("from points import Name, Point",)
    step = Step(source, check=True, want="as the document shows")
    case = Case("points.py", "Name", (step,), imports, origin="documented")
    seen = prober.observe([case], 10)[case.key]
    (found,) = with_parts_asserted([Chosen(KeptCase(case, seen), seen.hits)], prober)
    assert [one.source for one in found.kept.case.steps] == [told]
    assert len(found.kept.seen.outcomes) == 1
