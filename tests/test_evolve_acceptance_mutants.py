"""What the ratchet makes of mutants: losses with their places, gains, and what is neither."""

from __future__ import annotations

from dataclasses import replace

from mutated_shop import FILE, measurement, mutants, mutation

from pytest_lift.coverage.coverage import Coverage, FileCoverage
from pytest_lift.evolve.acceptance import Decision, decide
from pytest_lift.evolve.screening import FLAKY
from pytest_lift.measure.measurement import Measurement
from pytest_lift.mutation.mutation import Mutation
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.run.result import Outcome, Run, TestResult
from pytest_lift.suite.suite import Edit, Suite
from pytest_lift.trace.trace import trace_run

PLACES = [f"{one.file}:{one.line}" for one in mutants().values()]
"""Where the mutants of the shop are, in their order."""
COVERED = Coverage({FILE: FileCoverage(FILE, *[frozenset()] * 5)})


def judged(before: Mutation | None, after: Mutation | None) -> Decision:
    return decide(measurement(before), measurement(after))


def lettered(names: str, found: Mutation | None, outcome: Outcome = "passed") -> Measurement:
    """A trial of generated tests, a letter each, that cover the same."""
    text = "\n\n".join(f"def test_{name}():\n    assert add({n})" for n, name in enumerate(names))
    suite = Suite("tests").apply(Edit({"tests/test_a.py": text}))
    nodes = [f"tests/test_a.py::test_{name}" for name in names]
    run = Run("passed", {node: TestResult(node, outcome, 0.1) for node in nodes})
    return Measurement(suite, run, COVERED, trace_run(Requirements(), run, suite), found)


def test_a_lost_mutant_refuses_and_is_named_by_file_and_line() -> None:
    found = judged(mutation("killed", "killed"), mutation("killed", "survived"))
    assert not found.accepted
    assert found.losses == (f"1 detected mutant at {PLACES[1]}",)
    assert found.why == f"lost 1 detected mutant at {PLACES[1]}"


def test_no_gain_makes_up_for_a_lost_mutant() -> None:
    before = mutation("killed", "survived", "survived", "survived")
    found = judged(before, mutation("survived", "killed", "killed", "killed"))
    assert not found.accepted
    assert found.gains == ("3 mutants",)
    assert found.why.startswith("lost 1 detected mutant at ")


def test_a_mutant_that_no_test_executes_any_more_is_lost() -> None:
    found = judged(mutation("killed", "killed"), mutation("untested", "survived"))
    assert found.losses == (f"2 detected mutants at {', '.join(sorted(PLACES[:2]))}",)


def test_many_lost_mutants_are_named_in_part() -> None:
    count = len(PLACES)
    found = judged(mutation(*["killed"] * count), mutation(*["survived"] * count))  # type: ignore[list-item]
    rest = len(set(PLACES)) - 5
    assert rest > 0
    assert found.why.startswith(f"lost {count} detected mutants at ")
    assert found.why.endswith(f" and {rest} more")


def test_killed_hung_and_crashed_are_all_detected() -> None:
    before = mutation("killed", "timed-out", "crashed")
    assert judged(before, mutation("crashed", "killed", "timed-out")) == Decision(False)


def test_gains_are_counted() -> None:
    found = judged(mutation("killed", "survived"), mutation("killed", "killed"))
    assert (found.accepted, found.why) == (True, "gained 1 mutant")
    found = judged(mutation("untested", "survived"), mutation("killed", "timed-out"))
    assert (found.accepted, found.why) == (True, "gained 2 mutants")


def test_what_was_not_measured_on_one_side_is_neither_gained_nor_lost() -> None:
    known = mutation("killed", "survived")
    assert judged(known, None) == Decision(False)
    assert judged(None, known) == Decision(False)
    assert judged(None, None).why == "nothing gained"


def test_of_two_samples_what_both_hold_counts() -> None:
    keys = list(mutants())
    all_killed = mutation("killed", "killed", "killed")
    before = replace(all_killed, verdicts={keys[0]: "killed", keys[1]: "survived"})
    after = replace(all_killed, verdicts={keys[1]: "survived", keys[2]: "killed"})
    assert judged(before, after) == Decision(False)
    after = replace(after, verdicts={keys[1]: "killed", keys[2]: "survived"})
    assert judged(before, after).gains == ("1 mutant",)


def test_what_the_accepted_suite_may_notice_itself_is_no_gain() -> None:
    """It was not measured; what one before it detects, it detects, too."""
    before = replace(mutation("killed", "survived"), earlier="the suite with 2 tests")
    assert judged(before, mutation("killed", "killed")) == Decision(False)
    assert judged(before, mutation("survived", "killed")).losses == (
        f"1 detected mutant at {PLACES[0]}",
    )


def test_mutants_that_are_made_no_more_are_no_loss() -> None:
    first, second = list(mutants())[:2]
    known = mutants()
    before = Mutation(known, {first: "killed", second: "killed"})
    after = Mutation({first: known[first]}, {first: "killed"})
    assert decide(measurement(before), measurement(after)) == Decision(False)


def test_mutants_that_are_left_out_of_the_score_are_no_gain() -> None:
    assert judged(mutation("survived"), mutation("excluded")) == Decision(False)


def test_where_nothing_was_tested_every_detected_mutant_is_a_gain() -> None:
    found = decide(lettered("", None), lettered("a", mutation("killed", "survived", "killed")))
    assert "2 mutants" in found.gains
    failing = lettered("a", None, "failed")
    assert "1 mutant" in decide(failing, lettered("a", mutation("killed"))).gains


def test_where_something_was_tested_mutants_measured_later_are_no_gain() -> None:
    found = decide(lettered("a", None), lettered("ab", mutation("killed", "killed")))
    assert found == Decision(False)


def test_fewer_tests_for_the_same_mutants_are_accepted() -> None:
    same = mutation("killed", "killed", "survived")
    before, after = lettered("abc", same), lettered("a", same)
    found = decide(before, after, dict.fromkeys(gone(before, after), f"{FLAKY}: now and then"))
    assert (found.accepted, found.why) == (True, "gained the same with 2 tests less")


def test_tests_that_were_given_up_for_nothing_are_a_loss_though_no_mutant_is() -> None:
    same = mutation("killed", "survived")
    found = decide(lettered("abc", same), lettered("a", same))
    assert not found.accepted
    assert found.losses[0].startswith("2 accepted tests: ")


def test_fewer_tests_that_notice_less_are_not_accepted_whatever_they_were() -> None:
    before = lettered("abc", mutation("killed", "killed"))
    after = lettered("a", mutation("killed", "survived"))
    found = decide(before, after, dict.fromkeys(gone(before, after), f"{FLAKY}: now and then"))
    assert not found.accepted
    assert found.why == f"lost 1 detected mutant at {PLACES[1]}"


def gone(before: Measurement, after: Measurement) -> frozenset[str]:
    return before.passing - after.passing


def test_a_candidate_with_which_mutants_cannot_be_measured_any_more_is_refused() -> None:
    before = measurement(mutation("killed", "survived"))
    broken = replace(measurement(None), unmeasurable="the tests changed mutated sources")
    found = decide(before, broken)
    assert not found.accepted
    assert found.losses == ("the measuring of mutants: the tests changed mutated sources",)
