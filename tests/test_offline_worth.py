"""A case that nobody would write is a test only for what it alone reaches."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.worth import DUE, worthwhile
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.case import Case, Observation, Outcome, Raised, Step

PROBES = frozenset(range(20))


def item(source: str, cost: float, *hits: int, symbol: str = "rank", effect: str = "") -> Chosen:
    case = Case("rank.py", symbol, (Step(source, True),), cost=cost, effect=effect)
    seen = Observation((Outcome("str", "'a'"),), frozenset(hits))
    return Chosen(KeptCase(case, seen), frozenset(hits))


def left(*chosen: Chosen) -> list[str]:
    found = worthwhile(chosen, lambda kept: kept.case.cost, PROBES)
    return [one.kept.case.source for one in found]


def test_an_odd_case_goes_where_others_reach_its_branches() -> None:
    plain = [item("rank(1)", 0.2, 1, 2), item("rank(2)", 0.2, 2, 3)]
    assert left(*plain, item("rank(-1)", 1.5, 1, 3)) == ["rank(1)", "rank(2)"]
    assert left(*plain, item("rank(-1)", 1.5, 1, 4)) == ["rank(1)", "rank(2)", "rank(-1)"]
    assert left(*plain, item("rank(-1)", 2.5, 1, 4)) == ["rank(1)", "rank(2)"]


def test_a_plain_case_needs_no_branch_of_its_own() -> None:
    assert left(item("rank(1)", 0.2, 1), item("rank(2)", 0.2, 1)) == ["rank(1)", "rank(2)"]


def test_of_odd_cases_that_reach_the_same_the_plainest_stays() -> None:
    odd = [item(f"rank({at})", 1 + at / 10, 1, 2) for at in (3, 1, 2)]
    assert left(item("rank('a')", 0.1, 9), *odd) == ["rank('a')", "rank(1)"]


def test_the_only_case_of_a_function_and_what_an_option_does_stay_sooner() -> None:
    plain = [item("rank(1)", 0.2, 1), item("rank(2)", 0.2, 1)]
    assert left(*plain, item("order(-1)", 1.5, 1, symbol="order"))[-1] == "order(-1)"
    assert left(*plain, item("order(-1)", 2.5, 1, symbol="order"))[-1] == "rank(2)"
    assert left(*plain, item("rank(-1, up=True)", 1.5, 1, effect="up="))[-1] == "rank(-1, up=True)"


def test_a_story_may_have_lines_and_an_error_of_the_program_is_worth_more() -> None:
    plain = [item("rank(1)", 0.2, 1), item("rank(2)", 0.2, 1)]
    short = item("rank(-1)", 1.1, 1)
    steps = (Step("box = Box()"), *short.kept.case.steps)
    story = replace(short, kept=replace(short.kept, case=replace(short.kept.case, steps=steps)))
    assert left(*plain, short) == ["rank(1)", "rank(2)"]
    assert left(*plain, story)[-1] == "box = Box()\nrank(-1)"

    for explicit, stays in ((True, "rank(-2)"), (False, "rank(2)")):
        raised = Raised("ValueError", "builtins", "no rank", "rank.py", 3, explicit)
        odd = item("rank(-2)", 2.5, 1, 4)
        seen = replace(odd.kept.seen, outcomes=(Outcome("ValueError", raised=raised),))
        assert left(*plain, replace(odd, kept=replace(odd.kept, seen=seen)))[-1] == stays
    repeated = replace(odd.kept.seen, hits=frozenset({1}), outcomes=seen.outcomes)
    assert left(*plain, replace(odd, kept=replace(odd.kept, seen=repeated)))[-1] == "rank(2)"


def test_what_is_documented_stays() -> None:
    odd = item("rank(-1)", 9.0, 1)
    shown = replace(odd, kept=replace(odd.kept, case=replace(odd.kept.case, origin="documented")))
    assert left(item("rank(1)", 0.2, 1), shown) == ["rank(1)", "rank(-1)"]


@given(st.lists(st.tuples(st.floats(0, 6), st.sets(st.sampled_from(sorted(PROBES))))))
def test_each_odd_case_that_stays_reaches_what_is_due(
    cases: list[tuple[float, set[int]]],
) -> None:
    chosen = [item(f"rank({n})", cost, *hits) for n, (cost, hits) in enumerate(cases)]
    stay = worthwhile(chosen, lambda kept: kept.case.cost, PROBES)
    for one in stay:
        others = frozenset[int]().union(*(two.kept.seen.hits for two in stay if two is not one))
        alone = len(one.kept.seen.hits - others) + (len(stay) == 1)
        assert alone >= sum(one.kept.case.cost >= least for least in DUE)
    costly = [one for one in chosen if one.kept.case.cost >= DUE[0]]
    assert [one for one in chosen if one not in costly] == [o for o in stay if o not in costly]
