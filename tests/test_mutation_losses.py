"""Mutants that a suite seems to miss are run again before it is turned down for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from jails import best_jail
from mutated_shop import ALL, FILE, PLAIN, TESTS, mutants
from mutated_shop import measurement as tried
from sample_texts import PROGRAM

from pytest_lift.evolve.acceptance import decide, unnoticed
from pytest_lift.findings.test_quality import lost_findings
from pytest_lift.measure.fault_measurer import FaultMeasurer
from pytest_lift.measure.time_budget import Activity
from pytest_lift.mutation.confirming import Repeated, run_again
from pytest_lift.mutation.mutation import Mutation, Verdict
from pytest_lift.mutation.mutator import Mutator
from pytest_lift.run.result import Ending, Outcome, Run, TestResult
from pytest_lift.source.program import Program, read_program
from pytest_lift.suite.suite import Suite

KEYS = list(mutants())
LOST = KEYS[0]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    place = tmp_path / FILE
    place.parent.mkdir(parents=True)
    place.write_text(PROGRAM, "utf-8")
    return read_program(tmp_path, ("shop",), ("",), "")


def measured(*verdicts: Verdict, killers: Sequence[str] = (PLAIN,)) -> Mutation:
    known = dict(zip(KEYS, verdicts, strict=False))
    return Mutation(mutants(), known, {LOST: frozenset(killers)} if killers else {}, TESTS)


class Runs:
    """Plain runs of a suite in which everything that is asked for ends in one way."""

    def __init__(self, outcome: Outcome, ending: Ending = "failed") -> None:
        self.outcome, self.ending = outcome, ending
        self.asked: list[tuple[str, ...]] = []

    def __call__(self, texts: Mapping[str, str], nodes: Sequence[str], seconds: float) -> Run:
        assert texts[FILE] != PROGRAM
        self.asked.append(tuple(nodes))
        return Run(self.ending, {node: TestResult(node, self.outcome, 0.1) for node in nodes})


BEFORE, AFTER = measured("killed", "killed"), measured("survived", "killed")


@pytest.mark.parametrize(
    ("earlier", "later", "found"),
    [
        (Runs("passed"), Runs("passed"), Repeated(chance={LOST: frozenset({PLAIN})})),
        (Runs("failed"), Runs("failed"), Repeated(noticed={LOST: frozenset({PLAIN})})),
        (Runs("passed"), Runs("error"), Repeated(noticed={LOST: frozenset({PLAIN})})),
        (Runs("failed"), Runs("passed"), Repeated()),
        (Runs("passed", "crashed"), Runs("passed"), Repeated()),
        (Runs("failed"), Runs("passed", "crashed"), Repeated(noticed={LOST: frozenset({PLAIN})})),
    ],
)
def test_only_what_repeats_is_a_loss(
    program: Program, earlier: Runs, later: Runs, found: Repeated
) -> None:
    assert run_again([LOST], BEFORE, AFTER, program, earlier, later, 60.0) == found
    assert later.asked == [(PLAIN,)]


def test_who_was_said_to_notice_it_is_not_asked_where_it_is_gone(program: Program) -> None:
    """The candidate has other tests of the function then."""
    runs = Runs("failed")
    here = replace(AFTER, tests={name: nodes - {PLAIN} for name, nodes in TESTS.items()})
    run_again([LOST], BEFORE, here, program, Runs("passed"), runs, 60.0)
    assert runs.asked == [tuple(sorted(here.tests[mutants()[LOST].function]))]


def test_by_chance_is_said_only_where_no_test_of_the_function_notices_it(program: Program) -> None:
    """Those that were said to notice it are, as a rule, not all that do."""

    def only_the_other(texts: Mapping[str, str], nodes: Sequence[str], seconds: float) -> Run:
        ended: dict[str, Outcome] = {n: "passed" if n == PLAIN else "failed" for n in nodes}
        return Run("failed", {n: TestResult(n, ended[n], 0.1) for n in nodes})

    assert len(TESTS[mutants()[LOST].function]) > 1
    passing = Runs("passed")
    assert run_again([LOST], BEFORE, AFTER, program, only_the_other, passing, 60.0) == Repeated()


@pytest.mark.parametrize("slow", [True, False])
def test_a_test_that_only_takes_long_notices_nothing(program: Program, slow: bool) -> None:
    """One that hangs ends in time on the program as it is."""

    def run(texts: Mapping[str, str], nodes: Sequence[str], seconds: float) -> Run:
        cut = slow or texts[FILE] != PROGRAM
        return Run("timed-out" if cut else "passed")

    found = run_again([LOST], BEFORE, AFTER, program, Runs("failed"), run, 60.0)
    assert found == (Repeated() if slow else Repeated(noticed={LOST: frozenset({PLAIN})}))


def test_without_time_or_files_it_stays_a_loss(program: Program) -> None:
    def gone(texts: Mapping[str, str], nodes: Sequence[str], seconds: float) -> Run:
        raise FileNotFoundError(*texts)

    passing = Runs("passed")
    assert run_again([LOST], BEFORE, AFTER, program, passing, passing, -1.0) == Repeated()
    assert run_again([LOST], BEFORE, AFTER, program, gone, gone, 60.0) == Repeated()
    assert (
        run_again([LOST], BEFORE, AFTER, Program((), (), ()), passing, passing, 60.0) == Repeated()
    )
    assert not passing.asked


def faults(program: Program, runs: Sequence[tuple[Suite, Runs]], told: list[str]) -> FaultMeasurer:
    def try_changed(
        suite: Suite, texts: Mapping[str, str], nodes: Sequence[str], seconds: float
    ) -> Run:
        found = next(one for known, one in runs if known is suite)
        return found(texts, nodes, seconds)

    measurer = SimpleNamespace(program=program, try_changed=try_changed, activity=Activity())
    mutator = Mutator(Path("/m"), Path("/c"), best_jail(), ("tests",))
    return FaultMeasurer(measurer, mutator, warn=told.append)  # type: ignore[arg-type]


def test_a_candidate_is_not_turned_down_for_a_detection_by_chance(program: Program) -> None:
    old, new = tried(BEFORE), replace(tried(AFTER), suite=Suite("tests"))
    assert "1 detected mutant" in decide(old, new).why
    told: list[str] = []
    here = [(old.suite, Runs("passed")), (new.suite, Runs("passed"))]
    measurer = faults(program, here, told)
    old, new = measurer.repeat_losses(old, new, unnoticed(old, new))
    assert not unnoticed(old, new)
    assert old.mutation is not None
    assert old.mutation.verdicts[LOST] == "survived"
    (line,) = told
    assert line.startswith("1 mutant had been detected by chance")
    # Measured once more by the same chance, it is not believed; another test is.
    assert measurer._believed(BEFORE, old.suite).verdicts[LOST] == "survived"
    assert (
        measurer._believed(measured("killed", killers=(ALL,)), old.suite).verdicts[LOST] == "killed"
    )
    hung = measured("timed-out", "timed-out", killers=())
    assert measurer._believed(hung, old.suite).verdicts == {LOST: "survived", KEYS[1]: "timed-out"}


def test_a_candidate_that_notices_it_after_all_is_not_turned_down(program: Program) -> None:
    old, new = tried(BEFORE), replace(tried(AFTER), suite=Suite("tests"))
    here = [(old.suite, Runs("failed")), (new.suite, Runs("failed"))]
    measurer = faults(program, here, [])
    old, new = measurer.repeat_losses(old, new, unnoticed(old, new))
    assert not unnoticed(old, new)
    assert new.mutation is not None
    assert new.mutation.verdicts[LOST] == "killed"
    assert new.mutation.killers[LOST] == {PLAIN}


def test_a_loss_is_told_with_the_change_and_the_tests_that_notice_it() -> None:
    (found,) = lost_findings(BEFORE, {LOST})
    one = mutants()[LOST]
    assert (found.kind, found.file, found.line, found.symbol) == (
        "refused", one.file, one.line, one.symbol,
    )  # fmt: skip
    assert (found.tests, found.evidence) == ((PLAIN,), one.diff)
    assert len(lost_findings(BEFORE, KEYS)) == min(5, len(KEYS))
