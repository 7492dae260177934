"""Order dependence, found in real runs of small projects with a planted cause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jails import best_jail
from small_project import SmallProject

from pytest_lift.flakiness.orders import Dependence, Orders, examine_orders, find_polluters
from pytest_lift.flakiness.polluters import Spent, shrink
from pytest_lift.run.result import Run, TestResult

CLEAN = "def test_{0}(): assert {0} >= 0\n"
MANY = "".join(CLEAN.format(number) for number in range(6))
POLLUTED = f"""\
import os
{MANY}
def test_polluter(): os.environ["PLANTED"] = "1"
def test_last(): pass
"""
VICTIM = """\
import os
def test_victim(): assert "PLANTED" not in os.environ
def test_other_victim(): assert os.environ.get("PLANTED") is None
"""
BRITTLE = f"""\
import os
{MANY}
def test_setter(): os.environ["READY"] = "1"
def test_between(): pass
def test_brittle(): assert os.environ["READY"] == "1"
"""
BY_HASH = f"""\
{MANY}
def test_by_hash(): assert hash("lift") % 2 == {{expected}}
"""
BY_COUNTER = f"""\
from pathlib import Path
{MANY}
def test_by_counter():
    place = Path({{place!r}})
    count = len(place.read_text()) if place.exists() else 0
    place.write_text("x" * (count + 1))
    assert count % 2 == 0
"""


@dataclass
class Bed:
    """A project whose suite is run in any order; every run is counted."""

    project: SmallProject
    options: dict[str, Any] = field(default_factory=dict)
    runs: int = 0

    def own(self) -> Run:
        return self.project.run(**self.options)

    def chosen(self, nodes: Sequence[str]) -> Run:
        self.runs += 1
        return self.project.run(selection=tuple(nodes), **self.options)

    def shuffled(self, seed: int) -> Run:
        self.runs += 1
        return self.project.run(shuffle=seed, hash_seed=seed, **self.options)

    def examine(self, **options: Any) -> Orders:
        return examine_orders(self.own(), self.chosen, self.shuffled, **options)


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    return Bed(SmallProject(tmp_path))


def kinds(orders: Orders) -> dict[str, str]:
    return {one.test.rpartition("::")[2]: one.kind for one in orders.found}


def test_chosen_tests_run_in_the_order_in_which_they_are_named(bed: Bed) -> None:
    bed.project.write({"tests/test_a.py": MANY, "tests/test_b.py": VICTIM})
    nodes = bed.own().collected
    mixed = tuple(nodes[i] for i in (6, 3, 7, 0, 5))
    assert bed.chosen(mixed).collected == mixed


@pytest.mark.slow
def test_the_polluter_is_found_among_many(bed: Bed) -> None:
    bed.project.write({"tests/test_b.py": POLLUTED, "tests/test_a.py": VICTIM})
    own = bed.own()
    assert own.ending == "passed"
    order = own.collected[2:] + own.collected[:2]
    found = find_polluters(bed.chosen, order, "tests/test_a.py::test_victim", own.collected)
    assert (found.kind, found.others) == ("polluted", ("tests/test_b.py::test_polluter",))
    assert found.why == "it passes alone and fails after tests/test_b.py::test_polluter"
    assert bed.runs <= 11


@pytest.mark.slow
def test_two_that_pollute_together_are_both_named(bed: Bed) -> None:
    bed.project.write(
        {
            "tests/conftest.py": "STATE = set()\nimport pytest\n"
            "@pytest.fixture\ndef state(): return STATE\n",
            "tests/test_a.py": "def test_victim(state): assert len(state) < 2\n",
            "tests/test_b.py": f"{CLEAN.format(1)}def test_one(state): state.add(1)\n",
            "tests/test_c.py": f"{CLEAN.format(2)}def test_two(state): state.add(2)\n",
        }
    )
    own = bed.own().collected
    found = find_polluters(bed.chosen, own[1:] + own[:1], own[0], own)
    assert found.kind == "polluted"
    assert found.others == ("tests/test_b.py::test_one", "tests/test_c.py::test_two")


@pytest.mark.slow
def test_a_brittle_test_needs_its_setter(bed: Bed) -> None:
    bed.project.write({"tests/test_a.py": BRITTLE})
    own = bed.own().collected
    victim = "tests/test_a.py::test_brittle"
    found = find_polluters(bed.chosen, own[::-1], victim, own)
    assert (found.kind, found.others) == ("brittle", ("tests/test_a.py::test_setter",))
    assert "fails alone and passes after tests/test_a.py::test_setter" in found.why


@pytest.mark.slow
def test_the_runs_are_limited(bed: Bed) -> None:
    bed.project.write({"tests/test_b.py": POLLUTED, "tests/test_a.py": VICTIM})
    own = bed.own().collected
    order = own[2:] + own[:2]
    found = find_polluters(bed.chosen, order, "tests/test_a.py::test_victim", own, most_runs=5)
    assert bed.runs == 5
    assert found == Dependence(
        "tests/test_a.py::test_victim", "unclear", why="the runs that were allowed were used up"
    )
    assert find_polluters(bed.chosen, order, "tests/test_z.py::test_z").kind == "unclear"
    assert bed.runs == 5


@pytest.mark.slow
def test_other_orders_show_victims_and_what_they_share(bed: Bed) -> None:
    bed.project.write({"tests/test_b.py": POLLUTED, "tests/test_a.py": VICTIM})
    orders = bed.examine(seeds=(1, 2, 3), repeats=0)
    assert kinds(orders) == {"test_victim": "polluted", "test_other_victim": "polluted"}
    assert {one.others for one in orders.found} == {("tests/test_b.py::test_polluter",)}
    assert all(set(one.seeds) <= {1, 2, 3} and one.seeds for one in orders.found)
    assert (orders.runs, orders.exhausted, orders.unusable) == (bed.runs, False, ())


@pytest.mark.slow
def test_other_orders_show_brittle_tests(bed: Bed) -> None:
    bed.project.write({"tests/test_a.py": BRITTLE})
    orders = bed.examine(seeds=(1, 2, 3), repeats=0)
    assert kinds(orders) == {"test_brittle": "brittle"}
    assert orders.found[0].others == ("tests/test_a.py::test_setter",)


@pytest.mark.slow
def test_a_test_that_depends_on_the_hash_seed_is_flaky(bed: Bed) -> None:
    bed.project.write({"tests/test_a.py": BY_HASH.format(expected=0)})
    if bed.own().ending == "failed":
        bed.project.write({"tests/test_a.py": BY_HASH.format(expected=1)})
    orders = bed.examine(seeds=(1, 2, 3, 4), repeats=0)
    assert kinds(orders) == {"test_by_hash": "flaky"}
    assert "hash seed" in orders.found[0].why


def test_a_test_that_fails_every_other_time_is_flaky(bed: Bed, tmp_path: Path) -> None:
    folder = tmp_path / "outside"
    folder.mkdir()
    bed.options["jail"] = replace(best_jail(), writes=(folder,))
    bed.project.write({"tests/test_a.py": BY_COUNTER.format(place=str(folder / "count"))})
    orders = bed.examine(seeds=(), repeats=1)
    assert kinds(orders) == {"test_by_counter": "flaky"}


def test_a_clean_suite_has_no_findings(bed: Bed) -> None:
    bed.project.write({"tests/test_a.py": MANY, "tests/test_b.py": "def test_x(): pass\n"})
    assert bed.examine() == Orders(runs=5)


@pytest.mark.slow
def test_tests_that_fail_anyway_are_left_alone(bed: Bed) -> None:
    bed.project.write({"tests/test_a.py": f"{MANY}def test_bad(): assert 0\n"})
    assert bed.examine().found == ()


def test_a_run_that_breaks_off_says_nothing(bed: Bed) -> None:
    crash = "import os\ndef test_crash(): os.getenv('PLANTED') and os._exit(3)\n"
    bed.project.write({"tests/test_b.py": POLLUTED, "tests/test_a.py": crash})
    orders = bed.examine(seeds=range(4), repeats=0)
    assert orders.found == ()
    assert orders.unusable
    assert "crashed" in orders.unusable[0]


def test_victims_without_a_run_left_are_open() -> None:
    """Runs as values: what was allowed is spent on the orders."""
    own = Run("passed", {n: TestResult(n, "passed", 0.0) for n in "ab"}, ("a", "b"))
    bad = {"b": TestResult("b", "passed", 0.0), "a": TestResult("a", "failed", 0.0)}
    orders = examine_orders(
        own, lambda nodes: own, lambda seed: Run("failed", bad, ("b", "a")), seeds=(1,), most_runs=4
    )
    assert [(one.test, one.kind, one.seeds) for one in orders.found] == [("a", "unclear", (1,))]
    assert orders.exhausted


@given(st.sets(st.integers(0, 40), min_size=1, max_size=4), st.integers(41, 60))
def test_shrinking_finds_exactly_what_is_needed(needed: set[int], size: int) -> None:
    items = [str(number) for number in range(size)]
    wanted = {str(number) for number in needed}
    asked: list[tuple[str, ...]] = []

    def shows(some: Sequence[str]) -> bool:
        asked.append(tuple(some))
        return wanted <= set(some)

    part, minimal = shrink(items, shows)
    assert (set(part), minimal) == (wanted, True)
    assert list(part) == sorted(part, key=int)
    assert len(asked) == len(set(asked))


def test_shrinking_stops_where_nothing_may_be_asked() -> None:
    def shows(some: Sequence[str]) -> bool:
        raise Spent

    assert shrink(["a", "b"], shows) == (("a", "b"), False)
