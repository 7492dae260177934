"""What cases leave in modules: they are tests where neither they nor others give something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.choosing.steady import stable
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.running.children import Batch

WORDS = """
    last = None
    NAMES = {}


    class Scanner:
        def __init__(self, text):
            self.words = text.split()

        def keep(self):
            NAMES["kept"] = self


    def scan(text):
        global last
        last = Scanner(text)
        return len(last.words)


    def latest():
        return last.words if last else []


    def register(name, number):
        NAMES[name] = number
        return NAMES[name]


    def count():
        NAMES["calls"] = NAMES.get("calls", 0) + 1
        return NAMES["calls"]


    def known():
        return sorted(NAMES)


    def double(number):
        return 2 * number
"""


@pytest.fixture
def prober(tmp_path: Path) -> Prober:
    program = write_program(tmp_path, {"words.py": WORDS})
    return Prober(tmp_path, program, best_jail(), may_leave=True)


def call(expression: str) -> Case:
    name = expression.partition("(")[0]
    return Case("words.py", name, (Step(expression, check=True),), (f"from words import {name}",))


def test_a_case_may_leave_what_it_does_not_read(prober: Prober) -> None:
    given = [call("scan('a b')"), call("scan('c')"), call("register('a', 1)"), call("double(2)")]
    seen = prober.observe(given, 10, checked=True)
    told = [(seen[one.key].rejected, seen[one.key].leaves) for one in given]
    assert told == [("", True), ("", True), ("", True), ("", False)]
    assert [*stable(given, prober)] == [one.key for one in given]


def test_the_search_keeps_what_leaves_something(prober: Prober) -> None:
    given = [call("scan('a b')"), call("count()")]
    found = prober.explore(given, frozenset(), 10)
    assert [case.key for case, _ in found] == [given[0].key]


def test_a_case_that_gives_something_else_then_is_none(prober: Prober) -> None:
    seen = prober.observe([call("count()")], 10)
    assert [one.rejected for one in seen.values()] == ["state"]


@pytest.mark.parametrize(
    "cases", [("register('a', 1)", "known()"), ("known()", "register('a', 1)")]
)
def test_it_gives_way_to_what_reads_it(prober: Prober, cases: tuple[str, str]) -> None:
    given = [call(one) for one in (*cases, "double(2)")]
    kept = {call("known()").key, call("double(2)").key}
    assert set(stable(given, prober)) == kept


def test_the_fewer_give_way(prober: Prober) -> None:
    leaving = [call("register('a', 1)"), call("register('a', 2)"), call("scan('a b')")]
    found = stable([call("known()"), *leaving, call("double(2)")], prober)
    assert set(found) == {one.key for one in (*leaving, call("double(2)"))}


def test_what_the_suite_has_leaves_and_reads_something_too(prober: Prober) -> None:
    given = [call("known()"), call("scan('a b')"), call("double(2)")]
    suite = [call("register('a', 1)"), call("latest()"), call("double(3)")]
    assert set(stable(given, prober, beside=suite)) == {given[2].key}


def test_of_two_that_overwrite_each_other_one_may_go_alone(prober: Prober) -> None:
    setting = Case(
        "words.py",
        "register",
        (Step("register('b', 1)"), Step("known()", check=True)),
        ("from words import known, register",),
    )
    given = [call("register('a', 1)"), setting, call("double(2)")]
    assert set(stable(given, prober)) == {given[0].key, given[2].key}


def test_each_thing_that_a_case_gives_has_to_stay(prober: Prober) -> None:
    looks = Case(
        "words.py",
        "known",
        (Step("known()", check=True), Step("double(2)", check=True)),
        ("from words import double, known",),
    )
    given = [looks, call("register('a', 1)"), call("double(3)")]
    assert set(stable(given, prober)) == {looks.key, given[2].key}


class Hurried(Prober):
    """Has no time left where nothing is put back between the cases."""

    def begin_observing(self, cases: Sequence[Case], seconds: float, **manner: Any) -> Batch:
        some = [] if manner.get("leaving") else cases
        return super().begin_observing(some, seconds, **manner)


def test_what_there_was_no_time_to_see_is_not_taken_for_changed(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"words.py": WORDS})
    hurried = Hurried(tmp_path, program, best_jail(), may_leave=True)
    leaving = [call("register('a', 1)"), call("register('b', 1)"), call("scan('a b')")]
    others = [call("double(2)"), call("double(3)")]
    assert set(stable([*leaving, *others], hurried)) == {one.key for one in others}


def test_nothing_is_left_for_the_next_run(prober: Prober) -> None:
    prober.observe([call("register('a', 1)")], 10, leaving=True)
    seen = prober.observe([call("known()")], 10)
    assert [one.outcomes[0].source for one in seen.values()] == ["[]"]


def test_nothing_may_be_left_where_that_is_not_said(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"words.py": WORDS}), best_jail())
    seen = prober.observe([call("scan('a b')")], 10)
    assert [one.rejected for one in seen.values()] == ["state"]


def test_what_leaves_something_is_viewed_as_well(prober: Prober) -> None:
    steps = (Step("scanner = Scanner('a b')"), Step("scanner.keep()", check=True))
    case = Case("words.py", "Scanner.keep", steps, ("from words import Scanner",))
    seen = prober.observe([replace(case, watched=("scanner",))], 10)[case.key]
    assert (seen.leaves, len(seen.views)) == (True, 2)


HUB = """
    class Hub:
        kinds = ["os", "browser"]

        def register(self, kind):
            Hub.kinds.append(kind)
            return len(kind)


    NAMES = {"os": 1, "browser": 2}


    def numbers():
        return [NAMES[kind] for kind in Hub.kinds]


    def first():
        return NAMES[Hub.kinds[-1]]
"""


@pytest.mark.parametrize("is_first", [True, False])
def test_what_changes_a_class_gives_way_to_what_reads_it(tmp_path: Path, is_first: bool) -> None:
    program = write_program(tmp_path, {"hub.py": HUB})
    prober = Prober(tmp_path, program, best_jail(), may_leave=True)

    def case(symbol: str, expression: str) -> Case:
        name = expression.partition("(")[0]
        return Case("hub.py", symbol, (Step(expression, check=True),), (f"from hub import {name}",))

    changing = case("Hub.register", "Hub().register('tv')")
    reading = [case("numbers", "numbers()"), case("first", "first()")]
    given = [changing, *reading] if is_first else [*reading, changing]
    assert prober.observe(given, 10, tidy=True)[changing.key].leaves
    assert set(stable(given, prober)) == {one.key for one in reading}


def test_what_a_case_changes_in_a_class_is_there_for_others_only_where_that_is_looked_at(
    tmp_path: Path,
) -> None:
    program = write_program(tmp_path, {"hub.py": HUB})
    prober = Prober(tmp_path, program, best_jail())
    header = ("from hub import Hub, numbers",)
    changing = Case("hub.py", "Hub.register", (Step("Hub().register('os')", check=True),), header)
    reading = Case("hub.py", "numbers", (Step("numbers()", check=True),), header)
    seen = prober.observe([changing, reading], 10)[reading.key]
    assert seen.outcomes[0].source == "[1, 2]"
    seen = prober.observe([reading, changing], 10, backwards=True)[reading.key]
    assert seen.outcomes[0].source == "[1, 2, 1]"
