"""Each step of a generation has its share of the time, and the checks of what was found enough."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from begun_search import search_of
from offline_program import PRICES, brief, write_program

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.pacing import Pacing, early, with_imports
from pytest_lift.calls.running.children import Site
from pytest_lift.mutation.mutation import Mutation
from pytest_lift.run.result import Run, TestResult

NO_SITES: list[Site] = []


@pytest.fixture
def asked_of(tmp_path: Path) -> Callable[..., Brief]:
    """Makes briefs about a program."""
    program = write_program(tmp_path, {"prices.py": PRICES})
    return lambda *args, **more: brief(tmp_path, program, *args, **more)


def settled(asked: Brief, imported: float = 0.1) -> Pacing:
    pacing = Pacing(asked)
    pacing.settled(imported, 10)
    return pacing


def test_what_was_chosen_is_checked_however_late_it_is(asked_of: Callable[..., Brief]) -> None:
    late = settled(asked_of(seconds=0.1))
    assert late.verifying_ends() > time.monotonic() + 2.5
    early = settled(asked_of(seconds=100.0))
    assert early.verifying_ends() == early.after(0.97)


def test_a_search_without_time_prepares_no_calls(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"prices.py": PRICES})
    offered = list(targets.values())
    assert search._in_time(search.maker.reading(offered))
    search.deadline = time.monotonic()
    assert search._in_time(search.maker.reading(offered)) == []


def test_the_search_leaves_a_part_of_the_phase_to_checks(
    tmp_path: Path, asked_of: Callable[..., Brief]
) -> None:
    begun = settled(asked_of(seconds=20.0))
    end = begun.after(1.0)
    assert begun.after(0.5) == pytest.approx((begun.began + end) / 2)
    assert begun.search_ends(NO_SITES) <= begun.after(0.7)
    known = replace(asked_of(seconds=20.0), mutated=tmp_path, mutation=Mutation())
    mutants = settled(known)
    assert mutants.search_ends(NO_SITES) <= mutants.after(0.5)
    long = settled(asked_of("refine", seconds=600.0))
    assert begun.after(1.0) < long.search_ends(NO_SITES) < long.after(0.8)
    endless = settled(replace(asked_of(), deadline=None))
    assert endless.after(0.5) == math.inf
    assert endless.search_ends(NO_SITES) < endless.began + 600


def test_a_search_after_the_first_one_is_more_patient_in_a_limited_time(
    tmp_path: Path, asked_of: Callable[..., Brief]
) -> None:
    first, again = (settled(asked_of(mode)) for mode in ("initial", "refine"))
    assert first.patience < again.patience < math.inf
    unlimited = settled(replace(asked_of("refine"), deadline=None))
    mutants = settled(replace(asked_of("refine"), mutated=tmp_path))
    assert max(unlimited.patience, mutants.patience) < again.patience
    alone = settled(replace(asked_of(), deadline=None))
    assert first.patience < min(alone.patience, mutants.patience)  # others go on from it


def test_a_program_that_is_slow_to_import_has_more_time_for_checks(
    asked_of: Callable[..., Brief],
) -> None:
    """Each of three checking processes imports it anew."""
    slow = settled(asked_of(seconds=60.0), imported=1.5)
    assert slow.after(1.0) - slow.search_ends(NO_SITES) >= 6.0 + 3 * 1.5


def test_of_a_few_seconds_most_are_for_the_search(asked_of: Callable[..., Brief]) -> None:
    made = settled(replace(asked_of(), deadline=time.monotonic() + 9.0))
    assert 0.4 < made.searched < made.simpler < made.untangled <= made.looked


def test_a_first_suite_has_time_to_import_the_program_in_each_of_its_runs(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    soon = time.monotonic() + 40.0
    asked = replace(brief(tmp_path, program), deadline=soon)
    assert with_imports(asked, 0.5).deadline == soon - 5.0
    assert 28.0 < (with_imports(asked, 100.0).deadline or 0.0) - time.monotonic() < 31.0
    ran = Run("passed", {"tests/test_a.py::test_a": TestResult("test_a", "passed", 0.1)})
    assert with_imports(replace(asked, run=ran), 1.0).deadline == soon
    assert with_imports(replace(asked, deadline=None), 1.0).deadline is None


def test_a_first_suite_lands_early_and_has_all_of_a_short_time(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    now = time.monotonic()
    asked = replace(brief(tmp_path, program), deadline=now + 50.0)
    assert 19.0 < (early(asked, 0.1, 10).deadline or 0.0) - now < 21.0
    assert 26.0 < (early(asked, 4.0, 10).deadline or 0.0) - now < 29.0
    assert 41.0 < (early(asked, 0.1, 9000).deadline or 0.0) - now < 43.0
    soon = replace(asked, deadline=now + 5.0)
    assert early(soon, 0.1, 10).deadline == now + 5.0
    assert early(replace(asked, mode="refine"), 0.1, 10).deadline == now + 50.0
    known = replace(asked, mutated=tmp_path, mutation=Mutation())
    assert early(known, 0.1, 10).deadline == now + 50.0


def test_a_first_suite_is_as_early_where_mutants_come_after_it(
    tmp_path: Path, asked_of: Callable[..., Brief]
) -> None:
    usual = settled(asked_of(seconds=50.0))
    mutants = settled(replace(asked_of(seconds=50.0), mutated=tmp_path))
    assert mutants.after(1.0) == pytest.approx(usual.after(1.0), abs=0.1)
    assert (mutants.searched, mutants.patience) == (usual.searched, usual.patience)


def test_options_have_a_little_time_however_late_it_is(asked_of: Callable[..., Brief]) -> None:
    late = settled(replace(asked_of(), deadline=time.monotonic() + 0.5))
    assert 0.5 < late.options_end() - time.monotonic() < 1.0
    endless = settled(replace(asked_of(), deadline=None))
    assert endless.options_end() - time.monotonic() < 10


def test_examples_that_begin_late_have_time_all_the_same(asked_of: Callable[..., Brief]) -> None:
    begun = settled(asked_of(seconds=20.0))
    assert begun.examples_end() == begun.after(0.2)
    begun.began -= 30.0
    now = time.monotonic()
    assert begun.after(0.2) < now
    assert begun.examples_end() == pytest.approx(now + 0.15 * (begun.after(1.0) - now), abs=0.1)
