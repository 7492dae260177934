"""A suite with a planted order dependence, run in any order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from small_project import SmallProject

from pytest_lift.flakiness.orders import Orders, examine_orders
from pytest_lift.run.result import Run

CLEAN = "def test_{0}(): assert {0} >= 0\n"
MANY = "".join(CLEAN.format(number) for number in range(6))
POLLUTED = f"""\
import os
{MANY}
def test_polluter(): os.environ["PLANTED"] = "1"
def test_last(): pass
"""
VICTIM = """\
import os
def test_victim(): assert "PLANTED" not in os.environ
def test_other_victim(): assert os.environ.get("PLANTED") is None
"""
BRITTLE = f"""\
import os
{MANY}
def test_setter(): os.environ["READY"] = "1"
def test_between(): pass
def test_brittle(): assert os.environ["READY"] == "1"
"""


@dataclass
class Bed:
    """A project whose suite is run in any order; every run is counted."""

    project: SmallProject
    options: dict[str, Any] = field(default_factory=dict)
    runs: int = 0

    def own(self) -> Run:
        return self.project.run(**self.options)

    def chosen(self, nodes: Sequence[str]) -> Run:
        self.runs += 1
        return self.project.run(selection=tuple(nodes), **self.options)

    def shuffled(self, seed: int) -> Run:
        self.runs += 1
        return self.project.run(shuffle=seed, hash_seed=seed, **self.options)

    def examine(self, **options: Any) -> Orders:
        return examine_orders(self.own(), self.chosen, self.shuffled, **options)
