"""Objects that several parts of a call need are made once."""

from __future__ import annotations

from pathlib import Path

import pytest
from begun_search import search_of
from offline_program import write_program

from pytest_lift.agents.offline.stories.sharing import unshared, with_shared
from pytest_lift.calls.call import Call, setup
from pytest_lift.calls.case import Outcome
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.program import Program

RACES = """
class Clock:
    def __init__(self, begin=0):
        self.begin = begin

    def run(self, until=None):
        return until


class Event:
    def __init__(self, clock):
        self.clock = clock

    def beside(self, other):
        return self.clock is other.clock


def first(clock, events):
    return events
"""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return write_program(tmp_path, {"races.py": RACES})


@pytest.fixture
def targets(program: Program) -> dict[str, Target]:
    return {one.symbol: one for one in find_targets(program, Resolver(program))}


def shared(call: Call, targets: dict[str, Target]) -> list[list[str]]:
    """Returns the lines of each call with an object that it shares."""
    makers = {one.call: one for one in targets.values() if one.kind == "constructor"}
    found = with_shared(call, makers, lambda maker, _: maker.call.lower())
    return [[*setup(one), one.text] for one in found]


def test_arguments_have_one_object_that_is_made_before_them(targets: dict[str, Target]) -> None:
    events = "[Event(Clock(begin=1)), Event(Clock())]"
    call = Call(targets["first"], (("clock", "Clock()"), ("events", events)))
    made = [["clock = Clock()", "first(clock, [Event(clock), Event(clock)])"]]
    assert shared(call, targets)[:1] == made
    assert shared(Call(targets["first"], (("clock", "Clock()"), ("events", "[]"))), targets) == []


def test_what_a_call_is_on_stands_in_its_arguments(targets: dict[str, Target]) -> None:
    run = Call(
        targets["Clock.run"],
        (("until", "Event(Clock(begin=2))"),),
        receiver=Call(targets["Clock"], (("begin", "5"),)),
        name="clock",
    )
    assert shared(run, targets) == [["clock = Clock(begin=5)", "clock.run(until=Event(clock))"]]
    assert shared(run.but(name=""), targets) == [], "it has no variable"


def test_an_object_and_an_argument_are_made_of_the_same(targets: dict[str, Target]) -> None:
    call = Call(
        targets["Event.beside"],
        (("other", "Event(Clock())"),),
        receiver=Call(targets["Event"], (("clock", "Clock()"),)),
        name="event",
    )
    assert ["clock = Clock()", "event = Event(clock)", "event.beside(Event(clock))"] in shared(
        call, targets
    )


def test_what_a_line_before_has_made_is_shared(targets: dict[str, Target]) -> None:
    made = Call(targets["Clock"], bound="clock_2")
    run = Call(targets["Clock.run"], subject="clock_2")
    call = Call(targets["first"], (("clock", "clock_2"), ("events", "[Event(Clock())]")))
    assert shared(call.but(before=(made, run)), targets) == [
        ["clock_2 = Clock()", "clock_2.run()", "first(clock_2, [Event(clock_2)])"]
    ]


def test_calls_that_a_search_makes_share_objects(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"races.py": RACES})
    first, given = targets["first"], {"clock": "Clock()", "events": "[Event(Clock())]"}
    for name, value in given.items():
        search.inputs.note_used(first, name, value)
    fresh = [search.maker.fresh(first) for _ in range(40)]
    assert "clock" in [one.before[0].bound for one in fresh if one is not None and one.before]
    own = Call(first, (("clock", "Clock()"), ("events", "[Event(Clock()), 7]")))
    search.progress[first.key].calls.append(own)
    followed = [search.maker.following(first) for _ in range(40)]
    assert any(one.before and ", 7]" in one.text for one in followed if one is not None)
    search.prober.close()


def test_what_shares_an_object_is_an_argument_of_other_calls(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"races.py": RACES})
    event = Call(targets["Event"], (("clock", "clock"),))
    line = Call(targets["Clock"], bound="clock")
    search.objects.note_result(event.but(before=(line,)), Outcome("races.Event"))
    assert "Event(Clock())" in search.inputs.objects["Event"]
    search.prober.close()


def test_a_case_of_it_is_imported_and_as_an_argument_each_has_its_own(
    program: Program, targets: dict[str, Target]
) -> None:
    call = Call(targets["first"], (("clock", "Clock()"), ("events", "[Event(Clock())]")))
    makers = {"Clock": targets["Clock"]}
    (one,) = with_shared(call, makers, lambda *_: "clock")
    case = as_case(one, Resolver(program))
    assert case is not None
    assert case.source == "clock = Clock()\nfirst(clock, [Event(clock)])"
    assert unshared(one).text == call.text
    assert not unshared(one).before
    longer = one.but(before=(*one.before, Call(targets["Clock.run"], subject="clock")))
    assert unshared(longer) == longer


def test_calls_of_functions_in_arguments_are_not_shared(targets: dict[str, Target]) -> None:
    call = Call(targets["first"], (("clock", "max(0, abs(-3))"), ("events", "[list((1,))]")))
    assert shared(call, targets) == []
