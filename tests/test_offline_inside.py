"""An error in an argument is no test of what gets the argument, but one of what makes it."""

from __future__ import annotations

from pathlib import Path

from jails import best_jail
from offline_program import brief, write_program

from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.natural.inside import calls_inside, is_about_others
from pytest_lift.agents.offline.search.reach import Reach
from pytest_lift.calls.call import Call
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets

CODE = """
    class Zone:
        def __init__(self, minutes):
            if minutes > 59:
                raise ValueError("minutes must be in 0..59")
            self.minutes = minutes

        def __contains__(self, minute):
            return minute <= self.minutes

        def named(self, name):
            return name

        def doubled(self):
            if self.minutes > 30:
                raise ValueError("too many")
            return 2 * self.minutes

    def told(zone):
        return f"+{zone.minutes}"
"""


def test_an_error_belongs_to_the_call_that_raises_it(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"zones.py": CODE})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    reach = Reach(program, prober.sites)
    made = [Call(targets["Zone"], (("minutes", n),)) for n in ("99", "40", "1")]
    within = targets["Zone.__contains__"]
    named = Call(targets["Zone.named"], (("name", "'a'"),), receiver=made[2])
    calls = [
        *(Call(targets["told"], (("zone", one.text),)) for one in made),
        *(Call(targets["Zone.doubled"], receiver=one) for one in made),
        *made,
        *(Call(within, (("minute", "1"),), receiver=made[n]) for n in (1, 2)),
        Call(within, (("minute", "'a'"),), receiver=named),
    ]
    cases = [case for call in calls if (case := as_case(call, resolver)) is not None]
    seen = prober.observe(cases, 10)
    inside = [
        is_about_others(call, seen[case.key], reach.of_target(call.target))
        for case, call in zip(cases, calls, strict=True)
    ]
    assert inside == [True, False, False, True, *(False,) * 7, True]
    makers = {"Zone": targets["Zone"]}
    assert [*calls_inside(calls[0], makers)] == [made[0]]
    assert next(calls_inside(calls[3], makers)) == made[0]


def test_the_search_tests_what_raises_by_itself(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"zones.py": CODE})
    (text,) = dict(generator(brief(tmp_path, program, "initial", seconds=20.0)).files).values()
    assert text is not None
    assert "minutes must be in 0..59" in text
    parts = text.split("def test_")
    (shown,) = [part for part in parts if "minutes must be in" in part.partition('"""')[2]]
    assert "told(" not in shown
