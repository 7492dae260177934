"""Survivors under the inputs that tests have: shown by a call, or by none of many."""

from __future__ import annotations

from pathlib import Path

import pytest
from jails import best_jail
from mutated_fares import (
    CAPITALS,
    ENDLESS,
    LEAKING,
    MESSAGE,
    PRINTED,
    SENIOR,
    STEP_FREE,
    SUITE,
    mutants_of,
    write_fares,
    write_mutated,
)

from pytest_lift.calls.mutant_prober import Observer
from pytest_lift.findings.test_quality import survivor_findings, what_to_assert
from pytest_lift.mutation.mutation import MANY_CALLS, Mutation, Observed
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import suite_of

WEAK = """
import pytest
from fares import count_down, fare, label, ticket


@pytest.mark.parametrize("age", [6, 65, 40])
def test_fare(age):
    assert fare(2, age) >= 0


def test_label():
    assert label(3)


def test_others():
    ticket(2)
    assert count_down(1)
"""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return write_fares(tmp_path)


@pytest.fixture
def mutated(tmp_path: Path, program: Program) -> Path:
    return write_mutated(tmp_path / "elsewhere" / "mutants", program)


@pytest.fixture
def observer(tmp_path: Path) -> Observer:
    return Observer(tmp_path, tmp_path / "scratch", best_jail())


def seen(
    observer: Observer, program: Program, mutated: Path, text: str, *numbers: int
) -> dict[int, Observed]:
    """By numbers in `CHANGES`: what is known of the mutants, all of which survive."""
    mutants = mutants_of(program)
    suite = suite_of("tests", {"tests/test_fares.py": text})
    survivors = [mutants[number] for number in numbers]
    found = observer.observe(suite, program, survivors, mutated, 20.0)
    return {
        number: found[mutants[number].key] for number in numbers if mutants[number].key in found
    }


def test_a_call_of_the_tests_shows_what_an_assertion_would_see(
    observer: Observer, program: Program, mutated: Path
) -> None:
    found = seen(observer, program, mutated, WEAK, STEP_FREE, SENIOR, CAPITALS, ENDLESS)
    assert found[STEP_FREE] == Observed(0, "fare(2, age=6)", "gives 400", "gives 0")
    assert found[SENIOR].call == "fare(2, age=65)"
    assert (found[CAPITALS].usual, found[CAPITALS].other) == (
        "gives 'zones: 3'",
        "gives 'ZONES: 3'",
    )
    assert (found[ENDLESS].usual, found[ENDLESS].other) == ("gives 'done'", "does not end")
    told = what_to_assert(mutants_of(program)[CAPITALS], found[CAPITALS])
    assert "`label(3)`" in told
    assert "gives 'zones: 3', and gives 'ZONES: 3' with the change" in told


def test_long_results_are_shown_where_they_differ(
    observer: Observer, program: Program, mutated: Path
) -> None:
    word = "ab" * 60
    text = f"from fares import remember\n\ndef test_it():\n    assert remember({word!r})\n"
    one = seen(observer, program, mutated, text, LEAKING)[LEAKING]
    assert one.usual == "gives ...abababababab', 0)"
    assert one.other == "gives ...abababababab', 1)"


def test_errors_of_one_class_differ_in_words(
    observer: Observer, program: Program, mutated: Path
) -> None:
    one = seen(observer, program, mutated, SUITE, MESSAGE)[MESSAGE]
    assert one.usual == "raises FareError: a ticket is for one zone or more"
    assert one.raises_the_same


def test_calls_that_do_the_same_are_counted(
    observer: Observer, program: Program, mutated: Path
) -> None:
    found = seen(observer, program, mutated, SUITE, STEP_FREE, SENIOR, PRINTED)
    assert {number: one.call for number, one in found.items()} == {STEP_FREE: "", SENIOR: ""}
    assert found[STEP_FREE].same == 3  # of four calls, one has no zones


def test_only_new_calls_are_made_again(observer: Observer, program: Program, mutated: Path) -> None:
    first = seen(observer, program, mutated, SUITE, STEP_FREE)
    assert seen(observer, program, mutated, SUITE, STEP_FREE) == first
    more = SUITE + "\n\ndef test_more():\n    assert fare(2, 40)\n    assert fare(2, 6)\n"
    later = seen(observer, program, mutated, more, STEP_FREE, SENIOR)
    assert later[STEP_FREE].call == "fare(2, age=6)"
    assert later[STEP_FREE].same in (3, 4)
    assert later[SENIOR].same == 4  # that of a child returns before


def test_of_another_program_nothing_is_known(
    observer: Observer, program: Program, mutated: Path, tmp_path: Path
) -> None:
    observer.learn({"elsewhere": 3})
    first = seen(observer, program, mutated, SUITE, STEP_FREE)
    again = write_fares(tmp_path)
    assert seen(observer, again, mutated, SUITE, STEP_FREE) == first


def test_what_many_calls_do_not_show_comes_after_the_others_and_says_so(
    observer: Observer, program: Program, mutated: Path
) -> None:
    seen(observer, program, mutated, SUITE, STEP_FREE, SENIOR)
    mutants = mutants_of(program)
    hard, other = mutants[STEP_FREE], mutants[SENIOR]
    observer.learn({hard.key: MANY_CALLS})
    found = seen(observer, program, mutated, SUITE, STEP_FREE, SENIOR)
    assert found[STEP_FREE].same == MANY_CALLS
    by_key = {mutants[number].key: one for number, one in found.items()}
    keys = {one.key: one for one in (hard, other)}
    mutation = Mutation(keys, dict.fromkeys(keys, "survived"), observed=by_key)
    first, second = survivor_findings(mutation, {})
    assert (first.line, second.line) == (other.line, hard.line)
    assert first.gain > second.gain > 0
    assert f"{MANY_CALLS} calls that execute it do the same" in second.todo
    assert not Observed(MANY_CALLS, "fare(2, age=6)").is_stubborn
