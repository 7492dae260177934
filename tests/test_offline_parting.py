"""Documents that show many things become tests that each show a few."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.choosing.selection import choose
from pytest_lift.agents.offline.examples.idle_lines import without_idle_lines
from pytest_lift.agents.offline.examples.parting import in_parts
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.case import Case, Origin, Step
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets

BAGS = """
    class Bag:
        def __init__(self, items=()):
            self.items = list(items)

        def added(self, item):
            return Bag([*self.items, item])

        def add(self, item):
            self.items.append(item)
            return len(self.items)

        def first(self):
            return self.items[0]

        def only(self):
            if len(self.items) != 1:
                raise ValueError("not one item")
            return self.items[0]


    def total(bag):
        return sum(bag.items)
"""


@pytest.fixture
def bags(tmp_path: Path) -> tuple[Matcher, Prober]:
    program = write_program(tmp_path, {"bags.py": BAGS})
    targets = find_targets(program, Resolver(program))
    return Matcher(targets), Prober(tmp_path, program, best_jail())


def parted(
    bags: tuple[Matcher, Prober], *lines: str, origin: Origin = "documented"
) -> list[list[str]]:
    """Returns the lines of the parts of a case; lines that end in ``?`` are looked at."""
    matcher, prober = bags
    steps = tuple(Step(line.rstrip("?"), check=line.endswith("?")) for line in lines)
    case = Case("bags.py", "Bag", steps, ("from bags import Bag", "from bags import total"), origin)
    kept = KeptCase(case, prober.observe([case], 10)[case.key])
    found = in_parts([kept], matcher, prober)
    assert all(one.seen.usable for one in found)
    return [[step.source for step in one.case.steps] for one in found]


def test_each_part_has_the_lines_that_it_needs(bags: tuple[Matcher, Prober]) -> None:
    made = "bag = Bag([1])"
    looks = ["bag.added(2).items", "bag.added(3).items", "bag.first()"]
    more = ["total(bag)", "total(other)"]
    lines = [made, "hash(bag)", *(f"{look}?" for look in looks), "other = bag.added(4)"]
    assert parted(bags, *lines, *(f"{look}?" for look in more)) == [
        [made, "hash(bag)", *looks],
        [made, "hash(bag)", "other = bag.added(4)", *more],
    ]


def test_a_part_tells_what_it_is_about(bags: tuple[Matcher, Prober]) -> None:
    matcher, prober = bags
    looks = ("bag.first()", "bag.items", "bag.first()", "total(bag)", "total(bag)")
    steps = (Step("bag = Bag([1])"), *(Step(look, check=True) for look in looks))
    imports = ("from bags import Bag", "from bags import total")
    case = Case("bags.py", "Bag", steps, imports, "documented")
    kept = KeptCase(case, prober.observe([case], 10)[case.key])
    first, second = (one.case for one in in_parts([kept], matcher, prober))
    assert (first.symbol, first.imports) == ("Bag.first", imports[:1])
    assert (second.symbol, second.imports) == ("total", imports)


def test_each_part_does_what_is_done_before(bags: tuple[Matcher, Prober]) -> None:
    steps = [
        "bag = Bag()",
        "import os",
        "os.environ['BAGS'] = '3'",
        "for n in (1, 2):\n    bag.add(n)",
    ]
    looks = ["id(bag)", "bag.first()", "bag.items", "bag.first()", "total(bag)"]
    assert parted(bags, *steps, *(f"{look}?" for look in looks)) == [
        [*steps, *looks[:3]],
        [*steps, *looks[3:]],
    ]


def test_what_the_parts_do_not_reach_keeps_a_case_whole(bags: tuple[Matcher, Prober]) -> None:
    lines = ["bag = Bag([1])", "sums = total(bag)", *["bag.first()?"] * 5]
    whole = [line.rstrip("?") for line in lines]
    assert parted(bags, *lines) == [whole]


def test_each_part_has_what_a_star_imports(bags: tuple[Matcher, Prober]) -> None:
    matcher, prober = bags
    steps = (Step("bag = Bag([1])"), *(Step("bag.first()", check=True),) * 5)
    imports = ("from bags import *", "import os.path")
    case = Case("bags.py", "Bag", steps, imports, "documented")
    kept = KeptCase(case, prober.observe([case], 10)[case.key])
    assert [one.case.imports for one in in_parts([kept], matcher, prober)] == [imports[:1]] * 2


def test_what_depends_on_what_was_shown_before_stays_whole(bags: tuple[Matcher, Prober]) -> None:
    lines = ["bag = Bag([1])", *(f"bag.add({n})?" for n in range(6))]
    assert parted(bags, *lines) == [[line.rstrip("?") for line in lines]]


def test_what_is_another_one_in_each_process_need_not_be_the_same(
    bags: tuple[Matcher, Prober],
) -> None:
    looks = ["id(bag)", "bag.first()", "bag.items", "bag.first()", "total(bag)"]
    made = ["bag = Bag([1])"]
    assert parted(bags, *made, *(f"{look}?" for look in looks)) == [
        [*made, *looks[:3]],
        [*made, *looks[3:]],
    ]


def without_idle(
    bags: tuple[Matcher, Prober],
    *several: Sequence[str],
    origin: Origin = "documented",
    stateful: bool = False,
) -> list[list[str]]:
    """Returns the lines of cases without those that are idle."""
    _, prober = bags
    kept = []
    for lines in several:
        steps = tuple(Step(line.rstrip("?"), check=line.endswith("?")) for line in lines)
        imports = ("from bags import Bag, total",)
        case = Case("bags.py", "Bag", steps, imports, origin, stateful=stateful)
        kept.append(KeptCase(case, prober.observe([case], 10)[case.key]))
    found = without_idle_lines(kept, prober)
    return [[step.source for step in one.case.steps] for one in found]


def test_lines_that_nothing_needs_go(bags: tuple[Matcher, Prober]) -> None:
    lines = ["bag = Bag([9])", "bag = Bag([1])", "hash(bag)", "bag.first()?"]
    assert without_idle(bags, lines) == [["bag = Bag([1])", "bag.first()"]]
    lines = ["bag = Bag([1])", "bag.add(2)", "total(bag)?"]
    assert without_idle(bags, lines) == [["bag = Bag([1])", "bag.add(2)", "total(bag)"]]


def test_of_lines_of_which_one_is_enough_the_last_one_stays(bags: tuple[Matcher, Prober]) -> None:
    lines = ["bag = Bag([1])", "bag.items = [2]", "hash(bag)", "bag.items = [2]", "bag.first()?"]
    assert without_idle(bags, lines) == [["bag = Bag([1])", "bag.items = [2]", "bag.first()"]]


def test_what_is_done_last_still_makes_a_difference(bags: tuple[Matcher, Prober]) -> None:
    lines = ["bag = Bag()", "bag.items.append(2)", "bag.items.append(3)", "bag.items.clear()"]
    assert without_idle(bags, [*lines, "len(bag.items)?"]) == [
        ["bag = Bag()", *lines[2:], "len(bag.items)"]
    ]


def test_a_clock_that_is_handed_on_changes_nothing_around(bags: tuple[Matcher, Prober]) -> None:
    lines = ["import time", "bag = Bag([time.time])", "bag.items = [3]", "hash(bag)"]
    assert without_idle(bags, [*lines, "bag.first()?"]) == [
        ["import time", "bag = Bag([time.time])", "bag.items = [3]", "bag.first()"]
    ]


def test_lines_that_hang_together_by_what_the_program_keeps_stay(
    bags: tuple[Matcher, Prober],
) -> None:
    lines = ["bag = Bag([1])", "bag.first()?", "hash(bag)"]
    assert without_idle(bags, lines, stateful=True) == [["bag = Bag([1])", "bag.first()", lines[2]]]


def test_lines_that_reach_what_nothing_else_reaches_stay(bags: tuple[Matcher, Prober]) -> None:
    lines = ["bag = Bag([1])", "total(bag)", "bag.first()?"]
    other = ["bag = Bag([2])", "total(bag)?"]
    assert without_idle(bags, lines) == [["bag = Bag([1])", "total(bag)", "bag.first()"]]
    assert without_idle(bags, lines, other)[0] == ["bag = Bag([1])", "bag.first()"]


def test_what_requirements_show_stays_as_it_is(bags: tuple[Matcher, Prober]) -> None:
    lines = ["bag = Bag([1])", *["bag.first()?"] * 6]
    whole = [line.rstrip("?") for line in lines]
    assert parted(bags, *lines, origin="requirement") == [whole]


def test_cases_do_not_both_leave_out_what_one_of_them_must_reach(
    bags: tuple[Matcher, Prober],
) -> None:
    several = [[f"bag = Bag([{n}])", "total(bag)", "bag.first()?"] for n in (1, 2)]
    whole = [line.rstrip("?") for line in several[1]]
    assert without_idle(bags, *several) == [["bag = Bag([1])", "bag.first()"], whole]


@pytest.mark.parametrize(
    "lines",
    [
        ["import os", "os.environ['BAGS'] = '3'"],
        ["from os import environ as env", "there = env", "there['BAGS'] = '3'"],
        ["import warnings", "warnings.simplefilter('ignore')"],
        ["import decimal", "context = decimal.getcontext()", "context.prec = 28"],
        ["import time", "before = time.tzset()"],
        ["import csv", "csv.field_size_limit(131072)"],
    ],
    ids=lambda lines: lines[-1],
)
def test_lines_that_tell_what_is_around_the_program_stay(
    lines: list[str], bags: tuple[Matcher, Prober]
) -> None:
    story = [*lines, "bag = Bag([1])", "bag.first()"]
    assert without_idle(bags, [f"{line}?" if line == story[-1] else line for line in story]) == [
        story
    ]


def test_imports_go_with_the_line_that_reads_them(bags: tuple[Matcher, Prober]) -> None:
    lines = ["import json", "read = json.loads('[1]')", "bag = Bag([1])", "bag.first()?"]
    assert without_idle(bags, lines) == [["bag = Bag([1])", "bag.first()"]]


def test_an_error_and_what_is_long_to_tell_are_parts_of_their_own(
    bags: tuple[Matcher, Prober],
) -> None:
    made = ["bag = Bag([1])", "empty = Bag()"]
    more = [f"bag.added('{n * 60}').items" for n in "ab"]
    assert parted(bags, *made, "bag.only()?", "empty.only()?", *(f"{one}?" for one in more)) == [
        [made[0], "bag.only()"],
        [made[1], "empty.only()"],
        *([made[0], one] for one in more),
    ]
    drawn = "'\\n'.join(map(str, range(bag.items[0], 9)))"
    assert parted(bags, *made, f"{drawn}?", "bag.only()?") == [[*made, drawn, "bag.only()"]], (
        "few looks that a docstring tells stay together"
    )
    assert parted(bags, made[0], f"{drawn}?", *(f"{one}?" for one in more)) == [
        [made[0], drawn],
        *([made[0], one] for one in more),
    ]


def test_a_part_has_the_lines_that_give_an_object_to_another_one(
    bags: tuple[Matcher, Prober],
) -> None:
    """No name tells that the second line changes what the first one made."""
    lines = ["bag = Bag([1])", "size = bag.add(2)"]
    looks = ["bag.first()", "total(bag)", "bag.items", "len(bag.items)", "total(bag)"]
    assert parted(bags, *lines, *(f"{look}?" for look in looks)) == [
        [*lines, *looks[:3]],
        [*lines, *looks[3:]],
    ]


def test_the_title_of_a_story_is_told_of_its_beginning(bags: tuple[Matcher, Prober]) -> None:
    matcher, prober = bags
    steps = (Step("bag = Bag([1])"), *(Step("bag.first()", check=True),) * 5)
    case = Case("bags.py", "Bag", steps, ("from bags import Bag",), "documented", title="Bags")
    kept = KeptCase(case, prober.observe([case], 10)[case.key])
    first, second = (one.case for one in in_parts([kept], matcher, prober))
    assert (first.title, second.title) == ("Bags", "")
    assert (first.part, second.part) == (0, 1), "they are two tests"


def test_no_part_of_a_story_is_a_mere_variation_of_another_one(
    bags: tuple[Matcher, Prober],
) -> None:
    matcher, prober = bags
    steps = tuple(Step(f"total(Bag([{number}]))", check=True) for number in range(6))
    imports = ("from bags import Bag", "from bags import total")
    case = Case("bags.py", "total", steps, imports, "documented", session="README")
    kept = KeptCase(case, prober.observe([case], 10)[case.key])
    parts = in_parts([kept], matcher, prober)
    chosen = choose(parts, frozenset(), lambda _: 1.0)
    shown = [len([step for step in one.kept.case.steps if step.check]) for one in chosen]
    assert (len(parts), sum(shown)) == (2, 6)


def test_looks_at_what_one_function_gives_are_a_part(bags: tuple[Matcher, Prober]) -> None:
    made = "bag = Bag([1])"
    looks = ["len(bag.items)", "bag.first()", "bag.only()", "total(bag)", "total(Bag([2]))"]
    assert parted(bags, made, *(f"{look}?" for look in looks)) == [
        [made, *looks[:3]],
        [made, *looks[3:]],
    ]
    looks = ["bag.first()", "total(bag)", "total(Bag([2]))", "bag.only()", "len(bag.items)"]
    assert parted(bags, made, *(f"{look}?" for look in looks)) == [
        [made, looks[0]],
        [made, *looks[1:]],
    ]
    looks = ["1 in bag.items", "total(bag)", "total(Bag([2]))", "bag.only()", "len(bag.items)"]
    assert parted(bags, made, *(f"{look}?" for look in looks)) == [
        [made, *looks[:3]],
        [made, *looks[3:]],
    ]
