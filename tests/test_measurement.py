"""What a measurement rests upon: knowledge that grows and never loses anything."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.measure.measurement import Knowledge
from pytest_lift.requirements.requirement import Expectation
from pytest_lift.trace.covering import LinkGrade

ONE = Expectation("R-1", "It doubles.", "double(2)", "equals", "4")
OTHER = Expectation("R-2", "It greets.", "label('a')", "equals", "'a'")
calls = st.lists(st.sampled_from(["f(1)", "f(2)", "g(1)"]), max_size=5)


def test_expectations_are_added_or_ruled_on_anew_in_their_order() -> None:
    known = Knowledge().with_expectations([ONE]).with_expectations([OTHER])
    ruled = replace(ONE, ruling="stands")
    assert ruled.key == ONE.key
    assert known.with_expectations([ruled]).expectations == (ruled, OTHER)
    assert known.with_expectations([]) == known


@given(calls, calls)
def test_no_expectation_gets_lost(first: list[str], second: list[str]) -> None:
    said = [replace(ONE, call=call) for call in first]
    more = [replace(ONE, call=call) for call in second]
    known = Knowledge().with_expectations(said)
    both = known.with_expectations(more)
    assert {one.key for one in both.expectations} == {one.key for one in (*said, *more)}
    assert len(both.expectations) == len({*first, *second})


def test_the_latest_grade_of_a_link_counts() -> None:
    grade = LinkGrade("t::a", "R-1", "verifies", "It doubles.")
    other = replace(grade, requirement="R-2")
    known = Knowledge().with_grades([grade, other])
    changed = known.with_grades([replace(grade, grade="touches")])
    assert {key: one.grade for key, one in changed.link_grades.items()} == {
        ("t::a", "R-1"): "touches",
        ("t::a", "R-2"): "verifies",
    }
    assert known.link_grades["t::a", "R-1"].grade == "verifies"
