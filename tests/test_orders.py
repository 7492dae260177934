"""Order dependence, found in real runs of small projects with a planted cause."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from jails import best_jail
from ordered_runs import BRITTLE, MANY, POLLUTED, VICTIM, Bed
from small_project import SmallProject

from pytest_lift.flakiness.orders import Orders, examine_orders
from pytest_lift.run.result import Run, TestResult

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
