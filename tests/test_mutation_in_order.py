"""A figure always when the time is up: mutants in the order of the sample, run until it ends."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_lift.mutation.mutation import Mutant, Mutation, Verdict
from pytest_lift.mutation.mutmut.command import Steered
from pytest_lift.mutation.mutmut.errors import OutOfTime
from pytest_lift.mutation.portions import LEAST_MUTANTS, Found, Queue, Ran, run_in_portions

KEYS = tuple(f"m.x_f{n % 7}__mutmut_{n}" for n in range(60))
MUTANTS = {key: Mutant(key, "m.py", 1, "f", key, "", "") for key in KEYS}
ONE = frozenset({"t::one"})


@dataclass
class Steerable:
    """mutmut with `control` seconds of start and a second for each mutant."""

    seconds: float
    control: float = 0.0
    silent: frozenset[str] = frozenset()
    refuses: bool = False
    """Whether the suite turns out to need another way to run mutants."""
    asked: list[Steered | None] = field(default_factory=list)

    def left(self) -> float:
        return self.seconds

    def run(
        self,
        tests: dict[str, frozenset[str]],
        seconds: float | None,
        steered: Steered | None = None,
    ) -> Ran:
        self.asked.append(steered)
        if steered is not None and self.refuses:
            self.seconds -= self.control
            return Ran({}, seconds=self.control, begun=False)
        assert seconds is not None
        room = seconds - self.control
        begin = room if steered is None else steered.share * room
        least = 0 if steered is None else steered.least
        number = min(max(math.floor(begin), least), math.floor(room), len(tests))
        done = list(tests)[: max(number, 0)]
        taken = self.control + len(done)
        self.seconds -= taken
        verdicts: dict[str, Verdict] = {
            key: "killed" if hash(key) % 3 else "survived" for key in done if key not in self.silent
        }
        return Ran(verdicts, {}, taken, cut_short=len(done) < len(tests))


def measured(
    world: Steerable, queue: Queue, *, fixed: bool = False, part: float = 0.5
) -> tuple[Found, Mutation]:
    costs = {key: 0.0 if isinstance(own, str) else 1.0 for key, own in queue.items()}
    found = run_in_portions(
        queue,
        costs,
        world.run,  # type: ignore[arg-type]
        world.left,
        fixed=fixed,
        usual=1.0,
        steers=lambda: not (world.refuses and world.asked),
        part=part,
    )
    sample = frozenset(found.wanted) - found.silent
    return found, Mutation(MUTANTS, found.verdicts, sample=sample)


def all_of(verdict: frozenset[str] | Verdict = ONE) -> dict[str, frozenset[str] | Verdict]:
    return dict.fromkeys(KEYS, verdict)


@given(st.floats(1.0, 200.0), st.floats(0.0, 100.0), st.floats(0.1, 1.0))
@example(31.0, 30.0, 0.5)
def test_one_mutant_is_enough_for_a_figure_with_its_interval(
    seconds: float, control: float, part: float
) -> None:
    world = Steerable(seconds, control)
    if seconds - control < 1:
        with pytest.raises(OutOfTime):
            measured(world, all_of(), part=part)
        return
    found, mutation = measured(world, all_of(), part=part)
    assert mutation.percent is not None
    assert list(found.wanted) == list(KEYS[: len(found.wanted)])
    assert found.verdicts.keys() == set(found.wanted)
    assert (mutation.interval is None) == (len(found.wanted) == len(KEYS))
    assert found.out_of_time == (len(found.wanted) < len(KEYS))
    assert len(world.asked) == 1, "the suite is run before mutants once only"


def test_a_few_are_run_where_the_share_of_the_time_is_too_short_for_them() -> None:
    found, _ = measured(Steerable(20.0, 5.0), all_of(), part=0.1)
    assert len(found.wanted) == LEAST_MUTANTS


def test_time_is_kept_for_larger_suites_that_come_later() -> None:
    executed = {**all_of("untested"), **dict.fromkeys(KEYS[:30], ONE)}
    first, _ = measured(Steerable(100.0), executed, part=0.5)
    last, _ = measured(Steerable(50.0), executed, part=1.0)
    assert (len(first.wanted), len(last.wanted)) == (15, 60)


def test_of_a_sample_that_is_chosen_a_part_has_no_score() -> None:
    found, mutation = measured(Steerable(40.0), all_of(), fixed=True, part=0.7)
    assert len(found.verdicts) == 28
    assert tuple(found.wanted) == KEYS
    assert not mutation.has_score
    assert found.out_of_time


def test_a_gap_ends_the_sample_and_what_has_no_verdict_at_the_end_does_not() -> None:
    gap, _ = measured(Steerable(30.0, silent=frozenset({KEYS[12]})), all_of(), part=1.0)
    assert list(gap.wanted) == list(KEYS[:12])
    whole, mutation = measured(Steerable(90.0, silent=frozenset({KEYS[12]})), all_of(), part=1.0)
    assert tuple(whole.wanted) == KEYS
    assert mutation.has_score
    assert mutation.scored == len(KEYS) - 1


def test_nothing_that_tests_execute_is_run_for_verdicts_that_are_known() -> None:
    world = Steerable(10.0)
    found, mutation = measured(world, all_of("untested"))
    assert tuple(found.wanted) == KEYS
    assert mutation.percent == 0
    assert not world.asked


def test_a_suite_that_cannot_be_run_in_order_is_run_in_portions() -> None:
    world = Steerable(100.0, 2.0, refuses=True)
    _, mutation = measured(world, all_of())
    assert mutation.percent is not None
    assert world.asked[0] is not None
    assert set(world.asked[1:]) == {None}
