"""Stories that show nothing but objects tell what their last statement changed or made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.choosing.looks.endings import with_endings
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.case import Case, Origin, Step
from pytest_lift.calls.prober import Prober

CLOCKS = """
    class Clock:
        def __init__(self, name):
            self.name = name
            self.now = 0
            self.waiting = [1]
            self.owner = None

        def run(self, until):
            self.now = until
            self.waiting = []

        def rest(self):
            self.owner = None

        def peek(self):
            return self.now

        def pair(self):
            return self.copy(), self.copy()

        def copy(self):
            made = Clock(self.name)
            made.now = self.now + 1
            return made
    """


@pytest.fixture(scope="module")
def prober(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prober]:
    root: Path = tmp_path_factory.mktemp("clocks")
    with closing(Prober(root, write_program(root, {"clocks.py": CLOCKS}), best_jail())) as prober:
        yield prober


def ended(prober: Prober, *lines: str, origin: Origin = "documented") -> list[str]:
    """Returns what a story looks at, which begins with a clock and looks at it."""
    sources = ("clock = Clock('desk')", *lines)
    steps = (*map(Step, sources), Step("clock", check=True))
    case = Case("clocks.py", "Clock", steps, ("from clocks import Clock",), origin)
    kept = KeptCase(case, prober.observe([case], 10)[case.key])
    (found,) = with_endings([kept], prober)
    assert found.case.asks == (found.case.steps == steps and origin == "documented")
    assert found.seen.outcomes == prober.observe([found.case], 10)[found.case.key].outcomes
    return [step.source for step in found.case.steps if step.check]


@pytest.mark.parametrize(
    ("lines", "looks"),
    [
        (["clock.run(5)"], ["clock.now"]),  # though it is an argument; an empty list says less
        (["clock.rest()"], ["clock"]),
        (["clock.run(0)"], ["clock.waiting"]),
        (["other = clock.copy()"], ["other.now", "other.waiting"]),
        (["other = clock.copy()", "other.run(7)"], ["other.now"]),
        (["name = str(clock)[:0]"], ["clock"]),
    ],
)
def test_what_the_last_statement_did_is_looked_at(
    prober: Prober, lines: list[str], looks: list[str]
) -> None:
    assert ended(prober, *lines) == looks


@pytest.mark.parametrize(
    "lines",
    [
        ["one, two = clock.pair()", "one?"],
        ["clock.run(5)", "clock?", "clock.peek()", "clock?"],
        ["clock.run(5)", "assert clock.now == 5", "clock?"],
        ["clock.run(5)", "clock.peek()", "clock?"],
        ["other = clock.copy()", "other.peek()", "other?"],
        ["clock = clock.copy()", "clock.peek()", "clock?"],
        ["clock?", "seen = clock.peek()"],
    ],
)
def test_stories_of_what_an_earlier_statement_did_are_no_questions(
    prober: Prober, lines: list[str]
) -> None:
    sources = ["clock = Clock('desk')", *lines]
    steps = tuple(Step(line.rstrip("?"), check=line.endswith("?")) for line in sources)
    case = Case("clocks.py", "Clock", steps, ("from clocks import Clock",), "documented")
    kept = KeptCase(case, prober.observe([case], 10)[case.key])
    assert with_endings([kept], prober) == [kept]


def test_stories_that_show_something_and_cases_of_a_search_stay(prober: Prober) -> None:
    assert ended(prober, "clock.run(5)", origin="searched") == ["clock"]
    steps = (Step("clock = Clock('desk')"), Step("clock.run(5)"), Step("clock.name", check=True))
    case = Case("clocks.py", "Clock", steps, ("from clocks import Clock",), "documented")
    kept = KeptCase(case, prober.observe([case], 10)[case.key])
    assert with_endings([kept], prober) == [kept]
