"""What an assignment changes is seen, also of objects that have nothing public but properties."""

from __future__ import annotations

from pathlib import Path

from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober

LAMP = """
    import threading

    class Lamp:
        def __init__(self):
            self._lock = threading.Lock()
            self._power = 5

        @property
        def power(self):
            return self._power

        @power.setter
        def power(self, value):
            self._power = value
    """


def case(value: int) -> Case:
    steps = (
        Step("lamp = Lamp()"),
        Step(f"lamp.power = {value}", check=True, acts=True),
        Step("lamp", check=True),
    )
    return Case("lamp.py", "Lamp.power", steps, ("from lamp import Lamp",), subject="lamp")


def test_an_assignment_is_a_find_where_it_changes_what_the_object_shows(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"lamp.py": LAMP}), best_jail())
    changed, same = case(7), case(5)
    begun = prober.begin_exploring([changed, same], frozenset(), 10, (), ())
    found = {one.steps[1].source for one, seen in prober.explored(begun) if seen.hits}
    assert found == {"lamp.power = 7"}
