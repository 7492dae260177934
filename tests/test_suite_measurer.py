"""Measuring in a lift of a part of the program: what the lift is not about is not tried."""

from __future__ import annotations

from pathlib import Path

from plain_project import FLAT, benched, write

from pytest_lift.measure.measurement import Knowledge
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.scope.scope import Scope


def wrong(name: str) -> Requirement:
    """The program does not do what its example says."""
    example = ">>> from pkg.mod import sign\n>>> sign(2)\n7\n"
    return Requirement(name, name, "It gives 7.", (), (), "reqs.yml", 1, examples=(example,))


def test_what_other_requirements_say_is_not_tried(tmp_path: Path) -> None:
    """A test of what the program contradicts would be written down for them."""
    with benched(write(tmp_path / "project", FLAT)) as (measurer, _):
        measurer.requirements = Requirements((wrong("R-1"), wrong("R-2")))
        measurer.scope = Scope(("R-1",), requirements=frozenset({"R-1"}))
        assert set(measurer.contradictions(Knowledge())) == {"R-1"}
        measurer.reread()
        measurer.scope = None
        assert set(measurer.contradictions(Knowledge())) == {"R-1", "R-2"}
