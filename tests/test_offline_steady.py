"""What is chosen gives the same in another order: what does not makes way for what does."""

from __future__ import annotations

import datetime
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import brief, write_program

from pytest_lift.agents.offline.choosing.selection import choose
from pytest_lift.agents.offline.choosing.steady import UNSTABLE, _agreeing, stable, steady_choice
from pytest_lift.agents.offline.knowledge import ProgramKnowledge
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.agents.offline.writing.oracles.outcomes import check_of
from pytest_lift.calls.case import Case, Observation, Outcome, Raised, Step
from pytest_lift.calls.prober import Prober, Rerun

REGISTRY = """
    from dataclasses import dataclass, field


    @dataclass
    class Registry:
        names: list[str] = field(default_factory=list)

        def add(self, name):
            self.names.append(name)
            return len(self.names)

        def listed(self):
            if not self.names:
                return "nothing"
            return ", ".join(self.names)


    EVERYTHING = Registry()


    def add(name):
        return EVERYTHING.add(name)


    def listed():
        return EVERYTHING.listed()
    """


def test_what_depends_on_the_order_makes_way_for_what_does_not(tmp_path: Path) -> None:
    """An object of a module changes without the module being changed: only another order tells."""
    program = write_program(tmp_path, {"names.py": REGISTRY})
    prober = Prober(tmp_path, program, best_jail())

    def case(symbol: str, *lines: str, cost: float) -> Case:
        *before, last = lines
        steps = (*map(Step, before), Step(last, check=True))
        imports = ("from names import Registry, add, listed",)
        return Case("names.py", symbol, steps, imports, cost=cost)

    added = case("add", "add('a')", cost=1.0)
    shared = case("listed", "listed()", cost=1.0)
    lines = ("registry = Registry()", "registry.add('a')", "registry.listed()")
    own = case("Registry.listed", *lines, cost=3.0)
    seen = prober.observe([added, shared, own], 10, leaving=True)
    kept = [KeptCase(one, seen[one.key]) for one in (added, shared, own)]
    choice = partial(choose, covered=frozenset(), weigh=lambda _: 1.0)
    assert {item.kept.case.key for item in choice(kept)} == {added.key, shared.key}
    chosen = [item.kept.case for item in steady_choice(kept, choice, prober)]
    assert {one.key for one in chosen} == {added.key, own.key}
    assert {*stable(chosen, prober)} == {added.key, own.key}
    prober.close()


class Asked(Prober):
    """Prober that runs nothing, and knows for how long it was to run."""

    def observe(
        self, cases: Sequence[Case], seconds: float, **how: object
    ) -> dict[str, Observation]:
        self.failures["asked"][f"{seconds:.1f}"] += 1
        seen = Observation((Outcome(type="int", source="1"),), frozenset())
        return {case.key: seen for case in cases}

    def observe_each(self, reruns: Sequence[Rerun], seconds: float) -> list[dict[str, Observation]]:
        return [self.observe(one.cases, seconds / self.turns(len(reruns))) for one in reruns]


def test_each_run_of_a_check_has_time_to_import_the_program(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"names.py": REGISTRY})
    case = Case("names.py", "listed", (Step("listed()", check=True),))

    def seconds_of_runs(starting: float, processors: int = 1) -> list[float]:
        until = time.monotonic() + 6.0
        prober = Asked(
            tmp_path, program, best_jail(), starting=starting, until=until, processors=processors
        )
        stable([case], prober)
        return [*map(float, prober.failures["asked"].elements())]

    # A busy machine may take some tenths before it asks.
    assert seconds_of_runs(starting=0.0) == pytest.approx([2.3, 2.9, 2.9], abs=0.2)
    assert seconds_of_runs(starting=2.0)[0] > 2.5  # of two runs
    assert seconds_of_runs(starting=0.0, processors=2) == pytest.approx([2.3, 5.9, 5.9], abs=0.2)


def test_an_option_is_not_shown_on_what_the_clock_decides(tmp_path: Path) -> None:
    text = """
        import datetime


        def stamp(day=None, long=False):
            day = day or datetime.date.today()
            return day.strftime("%A, %d %B %Y" if long else "%d.%m.%Y")
        """
    made = ProgramKnowledge(brief(tmp_path, write_program(tmp_path, {"stamps.py": text})))
    given = made.prober, made.targets, made.resolver, made.inputs, made.offer, made.rng
    search = ProgramSearch(*given, time.monotonic() + 20.0, 600)
    search.run([])
    made.prober.close()
    assert search.kept
    assert all("day" in one.call.given for one in search.kept if one.call is not None)


PROGRAMS = """
    import argparse
    import sys


    def parse(argv):
        parser = argparse.ArgumentParser()
        parser.add_argument("--size", type=int)
        return parser.parse_args(argv)


    def leave(code):
        sys.stderr.write(f"{sys.argv[0]} gives up\\n")
        sys.exit(code)
"""


def test_a_program_that_names_itself_keeps_its_exit_code(tmp_path: Path) -> None:
    """Elsewhere the process that runs the tests has another name."""
    program = write_program(tmp_path, {"tool.py": PROGRAMS})
    prober = Prober(tmp_path, program, best_jail())
    sources = ("parse(['--size', 'a'])", "leave(3)")
    cases = [
        Case("tool.py", name, (Step(source, check=True),), (f"from tool import {name}",))
        for source in sources
        for name in [source.partition("(")[0]]
    ]
    seen = stable(cases, prober)
    prober.close()
    wrong, left = (seen[case.key].outcomes[0] for case in cases)
    assert wrong.raised is not None
    assert left.raised is not None
    assert (wrong.raised.message, left.raised.message, left.complained) == ("2", "3", "")
    assert "invalid int value: 'a'" in wrong.complained


def test_an_error_that_names_its_object_keeps_the_words_that_it_always_has(tmp_path: Path) -> None:
    code = """
        class Event:
            def trigger(self):
                raise RuntimeError(f"{self!r} has been triggered")

            def fail(self):
                raise RuntimeError(f"failed for {id(self)} reasons")
    """
    prober = Prober(tmp_path, write_program(tmp_path, {"events.py": code}), best_jail())
    cases = [
        Case("events.py", "Event", (Step(f"Event().{name}()", check=True),), ("from events import Event",))
        for name in ("trigger", "fail")
    ]  # fmt: skip
    seen = stable(cases, prober)
    said = [one.raised.message for case in cases for one in seen[case.key].outcomes if one.raised]
    assert [said[0].partition(">")[2], said[1]] == [" has been triggered", "failed for "]


def test_the_order_of_a_set_of_texts_is_asserted_by_no_test(tmp_path: Path) -> None:
    """Of two items, three hash seeds have one order by chance now and then."""
    code = "def listed(items):\n    return list(items)\n\n\ndef counted(items):\n    return len(items)\n"
    program = write_program(tmp_path, {"sets.py": code})
    prober = Prober(tmp_path, program, best_jail())
    pairs = [f"{{{text!r}, 2}}" for text in "abcdefghijklmnop"]
    sources = [*(f"listed({pair})" for pair in pairs), *(f"counted({pair})" for pair in pairs)]
    cases = [
        Case("sets.py", name, (Step(source, check=True),), (f"from sets import {name}",))
        for source in sources
        for name in [source.partition("(")[0]]
    ]
    seen = stable(cases, prober)
    prober.close()
    kept = [case.source for case in cases if case.key in seen]
    lists = [seen[c.key].outcomes[0] for c in cases if c.symbol == "listed" and c.key in seen]
    assert all(outcome.wrap == "sorted({})" or outcome == UNSTABLE for outcome in lists)
    assert sum("counted" in source for source in kept) == len(pairs)


@pytest.mark.parametrize("wrap", ["", "list", "{}[:5]", "list({})[:5]", "islice"])
def test_the_first_items_of_more_are_not_sorted(wrap: str) -> None:
    """The five that come first need not be the least."""
    sources = "[1, 2, 3, 4, 5]", "[2, 1, 3, 4, 5]"
    runs = (Observation((Outcome("list", one, wrap), Outcome("int", "3"))) for one in sources)
    both = _agreeing(*runs)
    assert both is not None
    whole = Outcome("list", sources[0], "sorted({})")
    assert both.outcomes[0] == (whole if wrap in ("", "list") else UNSTABLE)


def test_the_order_that_a_program_gives_to_texts_is_asserted_by_no_test(tmp_path: Path) -> None:
    """It may have sets of its own, or places by hash, where a case has none."""
    code = """
        def placed(first, second):
            return [second, first] if hash(first) % 4 == 0 else [first, second]


        def joined(first, second):
            return " ".join({first, second})


        class Told:
            def __init__(self, first, second):
                self._told = {first, second}

            def __str__(self):
                return " or ".join(self._told)


        def paired(first, second):
            return [first, second]
    """
    program = write_program(tmp_path, {"places.py": code})
    prober = Prober(tmp_path, program, best_jail())
    pairs = [f"({one!r}, {one + 'x'!r})" for one in "abcdefghijklmnop"]
    cases = [
        Case("places.py", name, (Step(f"{name}{pair}", check=True),), (f"from places import {name}",))
        for name in ("placed", "joined", "Told", "paired")
        for pair in pairs
    ]  # fmt: skip
    seen = stable(cases, prober)
    prober.close()
    kept = [case for case in cases if case.key in seen and seen[case.key].outcomes[0].wrap == ""]
    assert [case.symbol for case in kept] == ["paired"] * len(pairs)


AGES = """
    import datetime


    def age(born):
        return (datetime.date.today() - born).days // 365


    def years(days):
        return days // 365
"""


def test_what_is_true_for_a_year_is_no_test(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"ages.py": AGES}), best_jail())
    born = datetime.date.today() - datetime.timedelta(days=60)

    def case(symbol: str, expression: str) -> Case:
        imports = ("import datetime", f"from ages import {symbol}")
        return Case("ages.py", symbol, (Step(expression, check=True),), imports)

    given = [case("age", f"age({born!r})"), case("years", "years(800)")]
    assert [*stable(given, prober)] == [given[1].key]


LOOKING = """
    def find(name):
        names = {"cups", "pots", "pans"}
        if name not in names:
            raise LookupError(f"Not in {names}")
        return name
"""


def test_the_end_of_what_an_error_says_each_time_may_be_a_coincidence(tmp_path: Path) -> None:
    """Of three items of a set the first may be the same in all runs."""
    program = write_program(tmp_path, {"finding.py": LOOKING})
    prober = Prober(tmp_path, program, best_jail())
    step = Step("find('tea')", check=True)
    case = Case("finding.py", "find", (step,), ("from finding import find",))
    seen = stable([case], prober)[case.key].outcomes[0]
    prober.close()
    assert seen.raised is not None
    assert seen.raised.varies
    assert seen.raised.message.startswith("Not in ")
    check = check_of(step, seen, program, case)
    assert check is not None
    assert check.match == "Not in"


@pytest.mark.parametrize("varying", [(False, True), (True, False)])
def test_an_error_of_two_runs_varies_where_it_did_in_one(varying: tuple[bool, bool]) -> None:
    errors = (
        Raised("LookupError", "builtins", "Not in a, b", "finding.py", 4, True, varies=varies)
        for varies in varying
    )
    both = _agreeing(*(Observation((Outcome(raised=one),)) for one in errors))
    assert both is not None
    assert both.outcomes[0].raised is not None
    assert both.outcomes[0].raised.varies
