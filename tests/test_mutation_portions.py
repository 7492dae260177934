"""The sample of a lift: chosen once, as large as later suites can be measured on, and kept."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.mutation.mutation import Mutant, Mutation, Sample, Verdict
from pytest_lift.mutation.mutmut.errors import OutOfTime
from pytest_lift.mutation.portions import LEAST_MUTANTS, Found, Queue, Ran, run_in_portions, telling

KEYS = tuple(f"m.x_f{n % 7}__mutmut_{n}" for n in range(60))
MUTANTS = {key: Mutant(key, "m.py", 1, "f", key, "", "") for key in KEYS}
ONE = frozenset({"t::one"})


@dataclass
class World:
    """What time does: each mutant takes `pace` times what is estimated."""

    seconds: float | None
    pace: float = 1.0
    stops_at: str = ""
    """The mutant on which mutmut breaks off."""
    silent: frozenset[str] = frozenset()
    runs: int = 0

    def left(self) -> float | None:
        return self.seconds

    def run(self, tests: dict[str, frozenset[str]], seconds: float | None) -> Ran:
        self.runs += 1
        verdicts: dict[str, Verdict] = {}
        taken, stopped = 0.0, False
        for key in sorted(tests):  # mutmut has an order of its own
            taken += self.pace
            stopped = key == self.stops_at
            if stopped or (seconds is not None and taken > seconds):
                break
            if key not in self.silent:
                verdicts[key] = verdict(key)
        if self.seconds is not None:
            self.seconds -= min(taken, self.seconds)
        cut = stopped or (seconds is not None and taken > seconds)
        failures = {key: {"t::one"} for key, found in verdicts.items() if found == "killed"}
        return Ran(verdicts, failures, taken, cut, stopped)


def verdict(key: str) -> Verdict:
    return "killed" if int(key.rpartition("_")[2]) % 3 else "survived"


def portions(queue: Queue, world: World, *, fixed: bool = False) -> Found:
    costs = {key: 0.0 if isinstance(own, str) else 1.0 for key, own in queue.items()}
    return run_in_portions(
        queue,
        costs,
        world.run,  # type: ignore[arg-type]
        world.left,
        fixed=fixed,
        usual=1.0,
    )


def told(found: Found) -> Mutation:
    sample = frozenset(found.wanted) - found.silent
    return Mutation(MUTANTS, found.verdicts, sample=sample)


def queue_of(executed: set[str] | frozenset[str]) -> dict[str, frozenset[str] | Verdict]:
    return {key: ONE if key in executed else "untested" for key in KEYS}


EXECUTED = st.frozensets(st.sampled_from(KEYS))


@given(EXECUTED, st.lists(EXECUTED, max_size=3), st.floats(1, 300), st.floats(0.3, 3))
def test_within_a_lift_every_score_is_a_share_of_the_same_mutants(
    first: frozenset[str], later: list[frozenset[str]], seconds: float, pace: float
) -> None:
    try:
        found = portions(queue_of(first), World(seconds, pace))
    except OutOfTime:
        return
    assert told(found).has_score
    assert list(found.wanted) == list(KEYS[: len(found.wanted)])
    for executed in later:
        queue = {key: own for key, own in queue_of(executed).items() if key in found.wanted}
        again = told(portions(queue, World(seconds, pace), fixed=True))
        assert again.sample == frozenset(found.wanted)
        assert not again.has_score or again.scored == told(found).scored
        for key, seen in again.verdicts.items():
            assert seen == (verdict(key) if key in executed else "untested")


@given(EXECUTED, st.floats(1, 300), st.floats(1, 300), st.floats(0.3, 3))
def test_equal_suites_have_equal_scores_however_much_time_there_was(
    executed: frozenset[str], seconds: float, more: float, pace: float
) -> None:
    """The second lift takes the sample of the first."""
    try:
        first = portions(queue_of(executed), World(seconds, pace))
        queue = {key: own for key, own in queue_of(executed).items() if key in first.wanted}
        second = portions(queue, World(more, pace))
    except OutOfTime:
        return
    both = frozenset(first.wanted) & frozenset(second.wanted)
    assert both == frozenset(second.wanted)
    assert {key: first.verdicts[key] for key in both} == second.verdicts
    if len(first.wanted) == len(second.wanted):
        assert told(first).percent == told(second).percent


def test_without_a_limit_all_are_measured() -> None:
    found = portions(queue_of(set(KEYS)), World(None))
    assert (found.wanted, found.out_of_time) == (KEYS, False)
    assert set(found.verdicts) == set(KEYS)


def test_what_costs_nothing_now_will_cost_something_later() -> None:
    """A first suite that executes little must not choose a sample that no later one can run."""
    little = portions(queue_of(set(KEYS[:6])), World(40.0))
    much = portions(queue_of(set(KEYS)), World(40.0))
    assert LEAST_MUTANTS <= len(little.wanted) <= 40 * 0.7
    assert abs(len(little.wanted) - len(much.wanted)) <= 5
    queue = dict.fromkeys(little.wanted, ONE)
    assert told(portions(queue, World(40.0), fixed=True)).has_score


def test_what_was_cut_short_is_no_part_of_the_sample() -> None:
    """mutmut runs them in an order of its own: which ones were first is no chance."""
    world = World(100.0, pace=1.0)
    world.run = (
        lambda tests, seconds: (  # type: ignore[method-assign, assignment, misc]
            Ran(dict.fromkeys(tests, "killed"), {}, 30.0)
            if len(tests) < 20
            else Ran(dict.fromkeys(sorted(tests)[:3], "killed"), {}, 70.0, cut_short=True)
        )
    )
    found = portions(queue_of(set(KEYS)), world)
    assert list(found.wanted) == list(KEYS[: len(found.wanted)])
    assert found.verdicts.keys() == set(found.wanted)
    assert found.out_of_time


def test_a_later_suite_without_time_has_no_score_and_keeps_what_is_known() -> None:
    found = portions(dict.fromkeys(KEYS[:30], ONE), World(12.0), fixed=True)
    mutation = told(found)
    assert not mutation.has_score
    assert 0 < len(mutation.verdicts) < 30
    assert mutation.sample == frozenset(KEYS[:30])
    assert found.out_of_time


def test_where_mutmut_broke_off_there_is_no_score() -> None:
    found = portions(queue_of(set(KEYS)), World(None, stops_at=KEYS[30]))
    assert found.verdicts
    assert not told(found).has_score
    assert not found.out_of_time


def test_mutants_that_never_have_a_verdict_are_no_part_of_the_score() -> None:
    mutation = told(portions(queue_of(set(KEYS)), World(None, silent=frozenset(KEYS[:2]))))
    assert mutation.has_score
    assert mutation.scored == len(KEYS) - 2


def test_too_few_are_no_sample() -> None:
    with pytest.raises(OutOfTime):
        portions(queue_of(set(KEYS)), World(4.0))


@pytest.mark.parametrize(("share", "used"), [(0.05, 1.0), (0.2, 0.2), (1.0, 1.0)])
def test_a_stored_sample_that_says_nothing_is_not_taken(share: float, used: float) -> None:
    places = {key: n / 100 for n, key in enumerate(KEYS, 1)}
    assert telling(Sample(share), places) == Sample(used)


def test_of_a_small_program_a_few_are_enough() -> None:
    places = {key: n / 8 for n, key in enumerate(KEYS[:8], 1)}
    assert telling(Sample(0.25), places) == Sample(0.25)
    assert telling(Sample(0.125), places) == Sample(1.0)
