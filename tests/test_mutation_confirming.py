"""What new tests are said to notice, held against plain runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from mutated_shop import ADD, ALL, FILE, PLAIN, ROWS, TESTS, mutants
from sample_texts import PROGRAM

from pytest_lift.mutation.confirming import Doubts, TryChanged, doubts, written_into
from pytest_lift.mutation.mutation import Mutation, Verdict
from pytest_lift.run.result import Ending, Outcome, Run, TestResult
from pytest_lift.source.program import Program, read_program

KEYS = list(mutants())
NEW = {ALL, ROWS}


@pytest.fixture
def program(tmp_path):  # type: ignore[no-untyped-def]
    place = tmp_path / FILE
    place.parent.mkdir(parents=True)
    place.write_text(PROGRAM, "utf-8")
    return read_program(tmp_path, ("shop",), ("",), "")


def measured(killers: Mapping[str, set[str]], *verdicts: Verdict) -> Mutation:
    known = dict(zip(KEYS, verdicts, strict=False))
    frozen = {key: frozenset(nodes) for key, nodes in killers.items()}
    return Mutation(mutants(), known, frozen, TESTS)


class Runs:
    """Plain runs in which everything that is asked for ends in one way."""

    def __init__(self, outcome: Outcome, ending: Ending = "failed") -> None:
        self.outcome, self.ending = outcome, ending
        self.asked: list[tuple[dict[str, str], tuple[str, ...]]] = []

    def __call__(self, texts: Mapping[str, str], nodes: Sequence[str], seconds: float) -> Run:
        assert 0 < seconds <= 10
        self.asked.append((dict(texts), tuple(nodes)))
        results = {node: TestResult(node, self.outcome, 0.1) for node in nodes}
        return Run(self.ending, results)


def asked(
    program: Program,
    runs: TryChanged,
    now: Mutation,
    before: Mutation | None = None,
    seconds: float = 9,
) -> Doubts:
    return doubts(now, before or Mutation(), NEW, program, runs, seconds, 1)


def test_who_fails_on_the_mutant_in_the_sources_is_believed(program: Program) -> None:
    runs = Runs("failed")
    now = measured({KEYS[0]: {ALL}}, "killed", "survived")
    assert asked(program, runs, now) == Doubts()
    ((texts, nodes),) = runs.asked
    one = mutants()[KEYS[0]]
    assert nodes == (ALL,)
    assert texts == {FILE: PROGRAM.replace(one.before, one.after, 1)}


def test_who_passes_there_twice_is_not(program: Program) -> None:
    runs = Runs("passed")
    now = measured({KEYS[0]: {f"{ROWS}[2]"}}, "killed")
    assert asked(program, runs, now) == Doubts(frozenset({ROWS}))
    assert len(runs.asked) == 2
    for other in (Runs("error"), Runs("skipped"), Runs("passed", "crashed")):
        assert asked(program, other, now) == Doubts()


def test_who_fails_on_another_mutant_is_believed(program: Program) -> None:
    """By chance a property-based test can miss what it found before."""
    passing, failing = Runs("passed"), Runs("failed")

    def second_thought(texts: Mapping[str, str], nodes: Sequence[str], seconds: float) -> Run:
        return (failing if passing.asked else passing)(texts, nodes, seconds)

    now = measured({KEYS[0]: {ALL}, KEYS[1]: {ALL}}, "killed", "killed")
    assert asked(program, second_thought, now) == Doubts()
    assert passing.asked[0][0] != failing.asked[0][0]


def test_a_kill_without_a_known_killer_is_nobodys_claim(program: Program) -> None:
    assert asked(program, Runs("passed"), measured({}, "killed")) == Doubts()


def test_files_that_are_being_moved_say_nothing(program: Program) -> None:
    def gone(texts: Mapping[str, str], nodes: Sequence[str], seconds: float) -> Run:
        raise FileNotFoundError(*texts)

    assert asked(program, gone, measured({KEYS[0]: {ALL}}, "killed")) == Doubts()


def test_what_a_known_test_notices_needs_no_confirmation(program: Program) -> None:
    runs = Runs("passed")
    assert asked(program, runs, measured({KEYS[0]: {ALL, PLAIN}}, "killed")) == Doubts()
    assert asked(program, runs, measured({KEYS[0]: {PLAIN}}, "killed")) == Doubts()
    assert not runs.asked


def test_what_it_stands_in_for_is_no_excuse(program: Program) -> None:
    """The mutant was noticed before, by a test that is no more."""
    now = measured({KEYS[0]: {ALL}}, "killed")
    before = measured({KEYS[0]: {PLAIN}}, "killed")
    assert asked(program, Runs("passed"), now, before).tests == {ALL}


def test_each_new_test_is_asked_for_each_function(program: Program) -> None:
    runs = Runs("failed")
    own = [key for key in KEYS if key.startswith(ADD)]
    assert len(own) > 2
    now = measured({key: {ALL} for key in KEYS}, *["killed"] * len(KEYS))
    assert asked(program, runs, now) == Doubts()
    functions = {one.function for one in mutants().values()}
    assert len(runs.asked) == len(functions)


def test_what_seems_to_hang_is_run_with_new_tests(program: Program) -> None:
    """Those that were there did not hang before: it is the new ones, if anybody."""
    now, before = measured({}, "timed-out"), measured({}, "survived")
    ended = Doubts(timeouts=frozenset(KEYS[:1]))
    hung = Doubts(hanging=frozenset(KEYS[:1]))
    assert asked(program, Runs("passed"), now, before) == ended
    assert asked(program, Runs("passed", "timed-out"), now, before) == hung
    assert asked(program, Runs("failed"), now, before) == hung
    assert asked(program, Runs("passed"), now, now) == Doubts()
    assert asked(program, Runs("passed"), now) == Doubts()  # a known test executes it, too


def test_without_time_nobody_is_asked(program: Program) -> None:
    runs = Runs("passed")
    assert asked(program, runs, measured({KEYS[0]: {ALL}}, "killed"), seconds=-1) == Doubts()
    assert not runs.asked


def test_a_mutant_of_other_sources_is_not_written() -> None:
    one = next(iter(mutants().values()))
    assert written_into(PROGRAM, one) == PROGRAM.replace(one.before, one.after, 1)
    assert written_into(PROGRAM.replace("\n", "\r\n"), one) == written_into(PROGRAM, one)
    assert written_into("\n" + PROGRAM, one) is None
