"""The tests that disturb another one are found, as few as are needed, in limited runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ordered_runs import BRITTLE, CLEAN, POLLUTED, VICTIM, Bed
from small_project import SmallProject

from pytest_lift.flakiness.polluters import Dependence, Spent, find_polluters, shrink


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    return Bed(SmallProject(tmp_path))


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
