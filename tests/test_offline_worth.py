"""A case that nobody would write is a test only for what it alone reaches."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.weighing.worth import (
    DUE,
    FAR,
    LINE,
    MOST_LOST,
    UNFIT,
    branches_owed,
    worthwhile,
)
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation, Outcome, Raised, Step
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

PROBES = frozenset(range(20))
OTHERS = frozenset(range(100, 700))
"""Branches that tests reach already, of which a share may be lost."""


def item(source: str, cost: float, *hits: int, symbol: str = "rank", effect: str = "") -> Chosen:
    """Returns the case of a call."""
    case = Case("rank.py", symbol, (Step(source, True),), cost=cost, effect=effect)
    seen = Observation((Outcome("str", "'a'"),), frozenset(hits))
    return Chosen(KeptCase(case, seen), frozenset(hits))


def story(one: Chosen) -> Chosen:
    """Returns a case with a line before its call, which costs as much."""
    case = one.kept.case
    steps = (Step("box = Box()"), *case.steps)
    return replace(
        one, kept=replace(one.kept, case=replace(case, steps=steps, cost=case.cost + LINE))
    )


def left(*chosen: Chosen) -> list[str]:
    found = worthwhile(chosen, lambda kept: kept.case.cost, PROBES | OTHERS, OTHERS)
    return [one.kept.case.steps[-1].source for one in found]


def test_an_odd_case_goes_where_others_reach_its_branches() -> None:
    plain = [item("rank(1)", 0.2, 1, 2), item("rank(2)", 0.2, 2, 3)]
    assert left(*plain, item("rank(-1)", 1.5, 1, 3)) == ["rank(1)", "rank(2)"]
    assert left(*plain, item("rank(-1)", 1.5, 1, 4)) == ["rank(1)", "rank(2)", "rank(-1)"]
    odd = item("rank(-1)", 2.5, 1, 4)
    assert left(*plain, story(odd)) == ["rank(1)", "rank(2)"]
    assert left(*plain, odd) == ["rank(1)", "rank(2)", "rank(-1)"], "it may be a row of a table"


def test_a_plain_case_needs_no_branch_of_its_own() -> None:
    assert left(item("rank(1)", 0.2, 1), item("rank(2)", 0.2, 1)) == ["rank(1)", "rank(2)"]


def test_of_odd_cases_that_reach_the_same_the_plainest_stays() -> None:
    odd = [item(f"rank({at})", 1 + at / 10, 1, 2) for at in (3, 1, 2)]
    assert left(item("rank('a')", 0.1, 9), *odd) == ["rank('a')", "rank(1)"]


def test_the_only_case_of_a_function_and_what_an_option_does_stay_sooner() -> None:
    plain = [item("rank(1)", 0.2, 1), item("rank(2)", 0.2, 1)]
    assert left(*plain, item("order(-1)", 1.5, 1, symbol="order"))[-1] == "order(-1)"
    assert left(*plain, story(item("order(-1)", 2.5, 1, symbol="order")))[-1] == "rank(2)"
    assert left(*plain, item("rank(-1, up=True)", 1.5, 1, effect="up="))[-1] == "rank(-1, up=True)"


def test_a_story_may_have_lines_and_an_error_of_the_program_is_worth_more() -> None:
    plain = [item("rank(1)", 0.2, 1), item("rank(2)", 0.2, 1)]
    short = item("rank(-1)", 1.1, 1)
    longer = story(item("rank(-1)", 1.1 - LINE, 1))
    assert left(*plain, short) == ["rank(1)", "rank(2)"]
    assert left(*plain, longer)[-1] == "rank(-1)"

    for explicit, stays in ((True, "rank(-2)"), (False, "rank(2)")):
        raised = Raised("ValueError", "builtins", "no rank", "rank.py", 3, explicit)
        odd = story(item("rank(-2)", 2.5, 1, 4))
        seen = replace(odd.kept.seen, outcomes=(Outcome("ValueError", raised=raised),))
        assert left(*plain, replace(odd, kept=replace(odd.kept, seen=seen)))[-1] == stays
    repeated = replace(odd.kept.seen, hits=frozenset({1}), outcomes=seen.outcomes)
    assert left(*plain, replace(odd, kept=replace(odd.kept, seen=repeated)))[-1] == "rank(2)"


def test_what_is_documented_stays() -> None:
    odd = item("rank(-1)", 9.0, 1)
    shown = replace(odd, kept=replace(odd.kept, case=replace(odd.kept.case, origin="documented")))
    assert left(item("rank(1)", 0.2, 1), shown) == ["rank(1)", "rank(-1)"]


def test_little_is_lost_of_what_is_reached() -> None:
    odd = [story(item(f"rank(-{at})", 7.0 - at / 10, at)) for at in range(1, 9)]
    assert left(*odd) == [f"rank(-{at})" for at in range(4, 9)], "one in two hundred of 608"


@given(st.lists(st.tuples(st.floats(0, 6), st.sets(st.sampled_from(sorted(PROBES))))))
def test_what_goes_is_odd_and_little_is_lost(cases: list[tuple[float, set[int]]]) -> None:
    chosen = [story(item(f"rank({n})", cost, *hits)) for n, (cost, hits) in enumerate(cases)]
    stay = worthwhile(chosen, lambda kept: kept.case.cost, PROBES | OTHERS, OTHERS)
    gone = [one for one in chosen if one not in stay]
    assert all(one.kept.case.cost >= DUE[0] for one in gone)
    reached, left_over = (
        frozenset[int]().union(*(one.kept.seen.hits for one in some)) for some in (chosen, stay)
    )
    assert len(reached - left_over) <= MOST_LOST * len(reached | OTHERS)
    for one in gone:
        others = frozenset[int]().union(*(two.kept.seen.hits for two in stay))
        assert len(one.kept.seen.hits - others) < len(DUE), "none that reaches much goes"


def test_more_may_be_lost_of_what_is_very_far_from_what_a_person_writes() -> None:
    plain = item("rank(1)", 0.2, 1, 2)
    far = [item(f"rank({at})", FAR, at) for at in range(3, 13)]
    near = [item(f"rank({at})", FAR - 1 - LINE, at) for at in range(3, 13)]
    assert left(plain, *map(story, far)) == ["rank(1)"]
    assert len(left(plain, *map(story, near))) > 1


def test_a_case_of_arguments_that_do_not_fit_has_to_reach_much_alone() -> None:
    """Neither that it is the only case of its function nor an option counts for it."""
    plain = [item("rank(1)", 0.2, 1), item("rank(2)", 0.2, 1)]
    wrong = [
        item("order(len)", 0.2, 1, 3, 4, symbol="order", effect="up="),
        item("sort(len)", 0.2, 5, 6, 7, symbol="sort"),
    ]
    owed = {"order(len)": UNFIT, "sort(len)": UNFIT}
    found = worthwhile(
        [*plain, *wrong],
        lambda kept: kept.case.cost,
        PROBES | OTHERS,
        OTHERS,
        lambda kept: owed.get(kept.case.source, 0),
    )
    assert [one.kept.case.source for one in found] == ["rank(1)", "rank(2)", "sort(len)"]


def test_what_is_known_of_arguments_tells_how_much_a_case_owes(tmp_path: Path) -> None:
    program = write_program(
        tmp_path,
        {
            "marks.py": """
                def told(line: int, column: int) -> str:
                    if line < 0:
                        raise TypeError("line is negative")
                    return f"{line}:{column}"
            """
        },
    )
    (target,) = find_targets(program, Resolver(program))
    natural = Naturalness(Inputs(program, random.Random(1)), [target])

    def owed(line: str, raised: Raised | None = None) -> int:
        call = Call(target, (("line", line), ("column", "2")))
        seen = Observation((Outcome("str", "'a'", raised=raised),))
        return branches_owed(KeptCase(item("told(1, 2)", 0.2).kept.case, seen, call), natural)

    refused = Raised("TypeError", "builtins", "line is negative", "marks.py", 3, True)
    assert owed("1") == 0
    assert owed("'a'") == UNFIT
    assert owed("'a'", refused) == 0
