"""A line without effect moves to a case whose result it changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.choosing.effects import with_effects
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.shrinking.simpler import simpler_expressions
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call, as_line
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

TABLE = """
    class Table:
        def __init__(self):
            self._digits = 3
            self._row = []

        def precision(self, digits):
            if digits < 0:
                raise ValueError("too few")
            self._digits = digits
            return self

        def add(self, value):
            self._row = [*self._row, value]
            return self

        def draw(self):
            return [round(value, self._digits) for value in self._row]
"""
Build = Callable[[dict[str, Target]], tuple[Call, Call]]


def chained(targets: dict[str, Target]) -> tuple[Call, Call]:
    made = Call(targets["Table"])
    precise = Call(targets["Table.precision"], (("digits", "1"),), receiver=made)
    added = Call(targets["Table.add"], (("value", "2.555"),), receiver=made)
    draw = targets["Table.draw"]
    return Call(draw, receiver=precise), Call(draw, receiver=added)


def in_lines(targets: dict[str, Target]) -> tuple[Call, Call]:
    made = Call(targets["Table"])
    precise = Call(targets["Table.precision"], (("digits", "1"),), receiver=made, name="table")
    added = Call(targets["Table.add"], (("value", "2.555"),), receiver=made, name="table")
    whole = Call(targets["Table.draw"], receiver=made, name="table")
    return whole.but(before=(as_line(precise),)), whole.but(before=(as_line(added),))


@pytest.mark.parametrize(
    ("build", "shown"),
    [
        (chained, "Table().add(2.555).precision(1).draw()"),
        (in_lines, "table = Table()\ntable.add(2.555)\ntable.precision(1)\ntable.draw()"),
    ],
)
def test_an_idle_line_moves_to_where_it_shows(tmp_path: Path, build: Build, shown: str) -> None:
    program = write_program(tmp_path, {"table.py": TABLE})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    write = partial(as_case, resolver=resolver)
    calls = build(targets)
    cases = [case for call in calls if (case := write(call)) is not None]
    seen = prober.observe(cases, 10)
    chosen = [
        Chosen(KeptCase(case, seen[case.key], call), seen[case.key].hits)
        for case, call in zip(cases, calls, strict=True)
    ]
    idle, adding, moved = with_effects(chosen, prober, write)
    assert "precision" not in idle.kept.case.source
    assert adding == chosen[1]
    assert moved.kept.case.source == shown
    assert moved.kept.seen.outcomes[-1].source == "[2.6]"
    assert idle.gain | moved.gain == chosen[0].gain
    alone = with_effects(chosen[:1], prober, write)
    assert alone == chosen[:1], "without a case that it changes the line stays"


def test_an_idle_line_stays_where_it_changes_no_other_case(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"table.py": TABLE})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    write = partial(as_case, resolver=resolver)
    idle, added = chained(targets)
    assert added.receiver is not None
    whole = added.but(receiver=added.receiver.with_value("value", "2.0"))
    cases = [case for call in (idle, whole) if (case := write(call)) is not None]
    seen = prober.observe(cases, 10)
    chosen = [
        Chosen(KeptCase(case, seen[case.key], call), seen[case.key].hits)
        for case, call in zip(cases, (idle, whole), strict=True)
    ]
    assert with_effects(chosen, prober, write) == chosen, "2.0 has no more digits than one"


def test_words_of_a_table_stay_words() -> None:
    found = [*simpler_expressions("[['Name', 'a;b'], [67.5]]")]
    assert "[['a', 'a;b'], [67.5]]" not in found
    assert "[['Name', 'a'], [67.5]]" in found
    assert "[['Name', 'a;b'], [1]]" in found
    assert "'a'" in simpler_expressions("'Name'")


def test_dates_stay_those_that_a_person_types() -> None:
    found = [*simpler_expressions("[datetime.datetime(2024, 2, 29), 29]")]
    assert not any("datetime(1" in one or "datetime(2," in one for one in found)
    assert "[datetime.datetime(2024, 2, 29), 1]" in found
