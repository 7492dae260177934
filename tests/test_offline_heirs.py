"""What several classes inherit and call without an object is shown of one of them."""

from __future__ import annotations

from pathlib import Path

from begun_search import search_of
from jails import best_jail

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.weighing.heirs import on_one_heir
from pytest_lift.agents.offline.choosing.weighing.inherited import Inheritance
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call
from pytest_lift.calls.survey import survey
from pytest_lift.calls.targets.finding import find_targets

CLOCKS = """
    class Clock:
        unit = 1

        @classmethod
        def seconds(cls, ticks):
            return ticks * cls.unit

        @staticmethod
        def ticks(text):
            if not text:
                return 0
            return int(text)


    class Wall(Clock):
        pass


    class Tower(Clock):
        pass


    class Slow(Clock):
        unit = 60


    class Sun:
        @staticmethod
        def ticks(text):
            return 12
"""


def test_all_inherited_methods_without_an_object_are_called_on_one_class(tmp_path: Path) -> None:
    search, _ = search_of(tmp_path, {"clocks.py": CLOCKS})
    program = search.prober.program
    known = survey(program, tmp_path, best_jail(), 10)
    targets = {one.symbol: one for one in find_targets(program, search.resolver, known)}
    chosen = []
    for symbol, name, value in (
        ("Wall.ticks", "text", "'3'"),
        ("Tower.ticks", "text", "''"),
        ("Tower.seconds", "ticks", "2"),
        ("Wall.seconds", "ticks", "4"),
        ("Tower.seconds", "ticks", "5"),
        ("Slow.seconds", "ticks", "3"),
        ("Sun.ticks", "text", "'3'"),
    ):
        call = Call(targets[symbol], ((name, value),))
        case = search.write(call)
        assert case is not None
        seen = search.prober.observe([case], 10)[case.key]
        chosen.append(Chosen(KeptCase(case, seen, call), seen.hits))

    def moved(is_base: str = "") -> list[str]:
        inheritance = Inheritance(program)
        found = on_one_heir(
            chosen,
            [*targets.values()],
            search.prober,
            search.write,
            inheritance,
            lambda name: name == is_base,
        )
        return [item.kept.case.steps[-1].source for item in found]

    assert moved("Tower")[:3] == ["Wall.ticks('3')", "Wall.ticks('')", "Wall.seconds(2)"]
    assert moved() == [
        "Tower.ticks('3')",
        "Tower.ticks('')",
        "Tower.seconds(2)",
        "Tower.seconds(4)",
        "Tower.seconds(5)",
        "Slow.seconds(3)",  # there it gives something else
        "Sun.ticks('3')",
    ]
