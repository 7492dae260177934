"""What is run again after an edit: never less than can change, as a property."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_lift.mutation.edits import plan_increment
from pytest_lift.mutation.mutation import DETECTED, Mutation, Verdict

FUNCTIONS = ("m.x_f", "m.x_g")
TESTS = ("t::a", "t::b", "t::c", "t::d")
KEYS = tuple(f"{name}__mutmut_{number}" for name in FUNCTIONS for number in (1, 2))


@st.composite
def suites(draw: st.DrawFn) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """Which tests execute which function, and which of those fail on which mutant."""
    executing = {name: frozenset(draw(st.sets(st.sampled_from(TESTS)))) for name in FUNCTIONS}
    failing = {
        key: frozenset(draw(st.sets(st.sampled_from(TESTS)))) & executing[key.partition("__")[0]]
        for key in KEYS
    }
    return executing, failing


def verdict(tests: frozenset[str], failing: frozenset[str]) -> Verdict:
    return "killed" if tests & failing else "survived" if tests else "untested"


def measured(
    executing: dict[str, frozenset[str]], failing: dict[str, frozenset[str]], first: bool
) -> Mutation:
    """As mutmut would: of the tests that fail on a mutant one is known, or (timed out) none."""
    verdicts = {k: verdict(executing[k.partition("__")[0]], failing[k]) for k in KEYS}
    killers = {k: frozenset(sorted(failing[k])[:1]) for k in KEYS if first and failing[k]}
    return Mutation(verdicts=verdicts, killers=killers, tests=executing)


@given(suites(), suites(), st.sets(st.sampled_from(TESTS)), st.booleans())
@settings(max_examples=200)
def test_what_is_run_again_and_what_stands_are_the_verdicts_of_a_full_run(
    before: tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]],
    other: tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]],
    changed: set[str],
    first: bool,
) -> None:
    """Tests that are not `changed` behave as before, if they are still there."""
    gone = {"t::d"} - changed
    same = frozenset(TESTS) - changed - gone
    now = {n: (before[0][n] & same) | (other[0][n] & frozenset(changed)) for n in FUNCTIONS}
    failing = {k: (before[1][k] & same) | (other[1][k] & frozenset(changed)) for k in KEYS}
    base = measured(before[0], before[1], first)
    plan = plan_increment(base, now, changed, KEYS)
    assert plan.keys | plan.known.keys() == set(KEYS)
    assert not plan.keys & plan.known.keys()
    for key in KEYS:
        function = key.partition("__")[0]
        full = verdict(now[function], failing[key])
        run = key in plan.keys
        tests = plan.own.get(key, plan.tests.get(function, frozenset()))
        assert not run or tests <= plan.tests[function]
        found = verdict(tests, failing[key]) if run else plan.known[key]
        assert (found in DETECTED) == (full in DETECTED)
        assert (found == "untested") == (full == "untested")


def test_a_new_test_runs_against_survivors_only_and_alone() -> None:
    executing = {FUNCTIONS[0]: frozenset(TESTS[:2]), FUNCTIONS[1]: frozenset()}
    base = Mutation(
        verdicts={KEYS[0]: "killed", KEYS[1]: "survived", KEYS[2]: "untested"},
        killers={KEYS[0]: frozenset(TESTS[:1])},
        tests=executing,
    )
    now = {**executing, FUNCTIONS[0]: frozenset(TESTS[:3])}
    plan = plan_increment(base, now, {TESTS[2]}, KEYS[:3])
    assert plan.keys == {KEYS[1]}
    assert plan.tests == {FUNCTIONS[0]: {TESTS[2]}}
    assert plan.known == {KEYS[0]: "killed", KEYS[2]: "untested"}


def test_so_it_does_where_another_mutant_needs_all_tests() -> None:
    executing = {FUNCTIONS[0]: frozenset(TESTS[:2])}
    base = Mutation(
        verdicts={KEYS[0]: "killed", KEYS[1]: "survived"},
        killers={KEYS[0]: frozenset(TESTS[:1])},
        tests=executing,
    )
    now = {FUNCTIONS[0]: frozenset(TESTS[1:3])}
    plan = plan_increment(base, now, {TESTS[2]}, KEYS[:2])
    assert plan.keys == set(KEYS[:2])
    assert plan.tests == {FUNCTIONS[0]: set(TESTS[1:3])}
    assert plan.own == {KEYS[1]: {TESTS[2]}}
