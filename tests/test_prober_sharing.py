"""What cases leave in classes and objects of the program is not there for the next one."""

from __future__ import annotations

from pathlib import Path

from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.child.isolation.shared_objects import SharedObjects
from pytest_lift.calls.prober import Prober

DEPOT = """
    class Depot:
        known = {}
        unit = "kg"

        def __init__(self, places=()):
            self.places = list(places)

        @classmethod
        def register(cls, name):
            cls.known[name] = 1
            return sorted(cls.known)

        @classmethod
        def weigh_in(cls, unit):
            cls.unit, before = unit, cls.unit
            return before


    DEPOT = Depot()


    def store(place):
        DEPOT.places.append(place)


    def told(name):
        return getattr(DEPOT, name)
"""


def _call(text: str) -> Case:
    name = text.partition("(")[0]
    line = f"from depot import {name.partition('.')[0]}"
    return Case("depot.py", name, (Step(text, check=True),), (line,))


def test_each_case_of_a_search_begins_with_what_there_was_after_import(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"depot.py": DEPOT}), best_jail())
    changing = ["Depot.register('a')", "Depot.weigh_in('g')", "store('x')"]
    looking = ["Depot.register('b')", "told('unit')", "told('places')"]
    cases = [_call(text) for text in (*changing, *looking)]
    found = prober.explore(cases, frozenset(), 10)
    seen = {case.source: seen.outcomes[0].source for case, seen in found}
    assert [seen[text] for text in looking] == ["['b']", "'kg'", "[]"]


def test_what_is_checked_shows_whether_it_depends_on_the_case_before(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"depot.py": DEPOT}), best_jail())
    cases = [_call("Depot.register('a')"), _call("Depot.register('b')")]
    seen = prober.observe(cases, 10)
    assert [seen[case.key].outcomes[0].source for case in cases] == ["['a']", "['a', 'b']"]


def test_much_is_compared_seldom() -> None:
    classes = {f"Kind{n}": type(f"Kind{n}", (), {"__module__": "kinds"}) for n in range(100)}
    shared = SharedObjects([classes], ["kinds"])
    classes["Kind7"].unit = "kg"  # type: ignore[attr-defined]
    changed = []
    for _ in range(6):
        shared.put_back()
        changed.append(hasattr(classes["Kind7"], "unit"))
    assert changed == [True, True, False, False, False, False]
