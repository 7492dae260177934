"""Doubtful cases are few in a suite, and those that stay reach something."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.weighing.doubt import (
    ADDED,
    DOUBTFUL,
    LONG,
    MOST_LOST,
    ODD,
    OF_BLOCK,
    OF_LOOP,
    DoubtfulCases,
    is_doubtful,
    still_adding,
    with_few_doubtful,
)
from pytest_lift.agents.offline.choosing.weighing.plain_literals import is_shortened, is_typed_like
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.writing.oracles.checks import Verified
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation, Origin, Outcome, Raised, Step
from pytest_lift.calls.cost import CHARACTERS, cost_of
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

PROBES = frozenset(range(20))
OTHERS = frozenset(range(100, 600))
"""Branches that tests reach already, of which a share may be lost."""


def item(source: str, *hits: int, cost: float = 0.2, origin: Origin = "searched") -> Chosen:
    steps = tuple(Step(line, True) for line in source.splitlines())
    case = Case("rank.py", "rank", steps, cost=cost, origin=origin)
    return Chosen(
        KeptCase(case, Observation((Outcome("str", "'a'"),), frozenset(hits))), frozenset()
    )


def doubts(one: Chosen, owed: int = 0) -> bool:
    return is_doubtful(one.kept, lambda kept: kept.case.cost, lambda _: owed)


def left(*chosen: Chosen, again: bool = False) -> list[str]:
    odd = {one.kept.case.key for one in chosen if doubts(one)}
    found = with_few_doubtful(chosen, odd, PROBES | OTHERS, OTHERS, again=again)
    return [one.kept.case.source for one in found]


def test_odd_values_arguments_that_do_not_fit_and_long_stories_are_doubtful() -> None:
    assert not doubts(item("rank(1)"))
    assert doubts(item("rank(-1)", cost=DOUBTFUL))
    assert doubts(item("rank(1)"), owed=1)
    assert doubts(item("\n".join(["box.add(1)"] * LONG)))
    assert not doubts(item("\n".join(["box.add(1)"] * LONG), cost=9.0, origin="documented"))


def test_a_doubtful_case_that_reaches_nothing_alone_goes_however_few_there_are() -> None:
    plain = [item(f"rank({n})", n) for n in range(9)]
    odd = item("rank(-1)", 3, cost=2.0)
    assert left(*plain, odd) == [f"rank({n})" for n in range(9)]
    assert "rank(-1)" in left(*plain, item("rank(-1)", 9, cost=2.0))


def test_of_many_doubtful_cases_those_go_that_reach_least() -> None:
    odd = [item(f"rank(-{n})", *range(4 * n, 4 * n + n), cost=2.0) for n in range(1, 4)]
    assert left(item("rank(1)", 0), *odd) == ["rank(1)"], "all of it is little beside the rest"
    most = item("rank(-9)", *range(10, 19), cost=2.0)
    assert left(item("rank(1)", 0), *odd, most) == ["rank(1)", "rank(-9)"]


def test_a_suite_is_added_to_by_a_doubtful_case_for_several_branches_only() -> None:
    plain = [item(f"rank({n})", n) for n in range(9)]
    few = item("rank(-1)", *range(10, 9 + ADDED), cost=2.0)
    many = item("rank(-1)", *range(10, 10 + ADDED), cost=2.0)
    assert "rank(-1)" in left(*plain, few)
    assert "rank(-1)" not in left(*plain, few, again=True)
    assert "rank(-1)" in left(*plain, many, again=True)


@given(
    st.lists(st.tuples(st.booleans(), st.sets(st.sampled_from(sorted(PROBES)))), max_size=9),
    st.booleans(),
)
def test_no_plain_case_goes_and_little_is_lost(
    cases: list[tuple[bool, set[int]]], again: bool
) -> None:
    chosen = [
        item(f"rank({n})", *hits, cost=2.0 if odd else 0.2) for n, (odd, hits) in enumerate(cases)
    ]
    odd = {one.kept.case.key for one in chosen if doubts(one)}
    found = with_few_doubtful(chosen, odd, PROBES | OTHERS, OTHERS, again=again)
    assert [one for one in chosen if not doubts(one)] == [one for one in found if not doubts(one)]
    before = frozenset[int]().union(*(one.kept.seen.hits for one in chosen))
    after = frozenset[int]().union(*(one.kept.seen.hits for one in found))
    assert len(before - after) <= MOST_LOST * len(before | OTHERS)


def test_lines_around_a_story_and_words_of_a_command_line_are_not_doubtful() -> None:
    block, loop = DOUBTFUL + OF_BLOCK - 0.1, DOUBTFUL + OF_LOOP - 0.1
    rank = Target("rank.py", "rank", "function", "rank", (), ())
    main = replace(rank, kind="main")

    def doubted(call: Call, cost: float, looped: bool = False) -> bool:
        kept = item("rank(1)", cost=cost).kept
        case = replace(kept.case, looped=looped)
        kept = replace(kept, case=case, call=call)
        return is_doubtful(kept, lambda kept: kept.case.cost, lambda _: 0)

    assert doubted(Call(rank), block)
    assert not doubted(Call(rank, entered=True), block)
    assert doubted(Call(rank, entered=True), loop)
    assert not doubted(Call(rank), loop, looped=True)
    assert not doubted(Call(main), 9.0)


def told(source: str, *hits: int, cost: float = 0.2, doubtful: bool = False) -> Verified:
    case = Case("rank.py", "rank", (Step(source, True),), cost=cost, doubtful=doubtful)
    return Verified(case, (), (), frozenset(hits))


def adding(*items: Verified, again: bool = False) -> list[str]:
    kept = still_adding(items, PROBES, OTHERS, lambda one: one.case.cost > 9, again=again)
    return [one.case.source for one in kept]


def test_a_doubtful_case_that_lost_what_it_reached_alone_goes_in_the_end() -> None:
    plain, odd = told("rank(1)", 1), told("rank(-1)", 1, 200, doubtful=True)
    assert adding(plain, odd) == ["rank(1)"]
    assert adding(plain, replace(odd, hits=frozenset({2}))) == ["rank(1)", "rank(-1)"]
    far = replace(odd, hits=frozenset({77}))
    assert adding(plain, far) == ["rank(1)"], "no branch and no function"
    assert adding(plain, told("rank(-1)", 1, cost=10.0, doubtful=True))[1:] == ["rank(-1)"]


def test_what_reaches_nothing_new_is_not_added_to_a_suite() -> None:
    items = [told("rank(1)", 1), told("rank(2)", 1, 200, cost=0.3), told("rank(3)", 77)]
    assert adding(*items) == ["rank(1)", "rank(2)", "rank(3)"]
    assert adding(*items, again=True) == ["rank(1)", "rank(3)"]


def test_what_the_program_refuses_is_what_the_test_shows(tmp_path: Path) -> None:
    program = write_program(
        tmp_path, {"rank.py": "def rank(text: str):\n    return text.upper()\n"}
    )
    targets = find_targets(program, Resolver(program))
    natural = Naturalness(Inputs(program, random.Random(1)), targets)
    doubts = DoubtfulCases(natural)
    call = Call(targets[0], (("text", "{}"),))
    case = item("rank({})", cost=0.2 + natural.misfit(call)).kept.case

    def ending(explicit: bool) -> KeptCase:
        raised = Raised("TypeError", "builtins", "no text", "rank.py", 2, explicit)
        return KeptCase(case, Observation((Outcome("", raised=raised),), frozenset()), call)

    assert natural.misfit(call) > ODD
    assert not doubts.of_values(ending(explicit=True))
    assert doubts.of_values(ending(explicit=False))


def test_long_names_are_no_doubt_of_what_is_typed(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"rank.py": "def rank(text):\n    return None\n"})
    (target,) = find_targets(program, Resolver(program))
    doubts = DoubtfulCases(Naturalness(Inputs(program, random.Random(1)), [target]))
    lines = (
        "most_recently_updated_ranking = Ranking('a')",
        "most_recently_updated_ranking.rank('b')",
    )
    long = "\n".join(lines)
    case = item(long, cost=cost_of(long)).kept.case
    kept = KeptCase(case, Observation((), frozenset()), Call(target, (("text", "'b'"),)))
    assert case.cost > DOUBTFUL
    assert not doubts.of_values(kept)
    odd = Call(target, (("text", repr(long)),))
    assert doubts.of_values(replace(kept, call=odd))


def test_a_dull_result_is_no_doubt_of_what_was_typed(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"rank.py": "def rank(text):\n    return None\n"})
    (target,) = find_targets(program, Resolver(program))
    doubts = DoubtfulCases(Naturalness(Inputs(program, random.Random(1)), [target]))
    case = item("rank('hello')", cost=0.9).kept.case
    kept = KeptCase(case, Observation((Outcome("NoneType", "None"),), frozenset()), Call(target))
    assert doubts.of_case(kept)
    assert not doubts.of_values(kept)
    odd = replace(kept, case=item("rank(-1)", cost=ODD + len("rank(-1)") / CHARACTERS).kept.case)
    assert [one.doubtful for one in doubts.marked([kept, odd])] == [False, True]
    assert [one.doubtful for one in doubts.marked([kept], {case.key})] == [True]


def test_texts_of_the_format_that_is_read_are_typed_however_strange(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"rank.py": "def rank(text):\n    return text.split()\n"})
    (target,) = find_targets(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    doubts = DoubtfulCases(Naturalness(inputs, [target]))
    case = item("rank('= 1')", cost=ODD).kept.case
    kept = KeptCase(case, Observation((), frozenset()), Call(target, (("text", "'= 1'"),)))
    assert doubts.of_values(kept)
    inputs.read[target.key, "text"] = ["'= 1'"]
    assert not doubts.of_values(kept)


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("{'a': 1, 'b': [True, None]}", True),
        ("[[1, 2], [3]]", True),
        ("('hello', -2.5)", True),
        ("{'price': Decimal('1.5')}", True),
        ("Decimal('NaN')", False),
        ("[]", False),
        ("{'': 1}", False),
        ("{None: 1}", False),
        ("[[[[1]]]]", False),
        ("'{!r}'", False),
        ("'_name'", False),
        ("10 ** 9", False),
    ],
)
def test_short_literals_are_typed_by_anybody(tmp_path: Path, source: str, plain: bool) -> None:
    assert is_typed_like(source, ()) is plain
    program = write_program(tmp_path, {"rank.py": "def rank(data):\n    return str(data)\n"})
    (target,) = find_targets(program, Resolver(program))
    doubts = DoubtfulCases(Naturalness(Inputs(program, random.Random(1)), [target]))
    case = item(f"rank({source})", cost=ODD + 1).kept.case
    call = Call(target, (("data", source),))
    kept = KeptCase(case, Observation((Outcome("str", "'a'"),), frozenset()), call)
    assert doubts.of_values(kept) is not plain


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("float('inf')", True),
        ("float('1e5')", False),
        ("datetime.datetime(2024, 2, 29, 12, 30, tzinfo=datetime.timezone.utc)", True),
        ("datetime.timedelta(hours=-4)", True),
        ("datetime.timedelta()", False),
        ("datetime.timedelta(days=10957)", False),
        ("datetime.date(1, 1, 15)", False),
        ("datetime.date(day=1, month=2, year=2020)", True),
    ],
)
def test_infinity_and_moments_of_today_are_typed_by_anybody(source: str, plain: bool) -> None:
    assert is_typed_like(source, ()) is plain


def test_what_is_added_later_is_judged_by_what_is_typed(tmp_path: Path) -> None:
    program = write_program(
        tmp_path, {"rank.py": "def rank(data):\n    for one in data:\n        return one\n"}
    )
    (target,) = find_targets(program, Resolver(program))
    doubts = DoubtfulCases(Naturalness(Inputs(program, random.Random(1)), [target]))
    case = item("rank([])", cost=0.75).kept.case
    seen = Observation((Outcome("NoneType", "None"),), frozenset())
    kept = KeptCase(case, seen, Call(target, (("data", "[]"),)))
    assert doubts.among([kept], again=False) == {case.key}, "None for nothing says little"
    assert not doubts.among([kept], again=True)


def test_what_documents_show_is_typed_with_other_values_or_cut_short() -> None:
    known = ["dumps('hello')", "'[1, 2]'"]
    assert is_typed_like("dumps({'a': 1})", known)
    assert not is_typed_like("dumps(dumps(1))", known)
    assert not is_typed_like("loads('a')", known)
    assert is_shortened("'[1,'", known)
    assert not is_shortened("b'[1,'", known)
    assert not is_shortened("''", known)
    assert not is_shortened("'[1;'", known)


def test_a_text_that_is_cut_short_is_typed_where_it_is_refused(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"rank.py": "def rank(text):\n    return text.split()\n"})
    (target,) = find_targets(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    inputs.documented[target.key, "text"] = ["'[1, 2]'"]
    doubts = DoubtfulCases(Naturalness(inputs, [target]))
    case = item("rank('[1,')", cost=ODD + 1).kept.case

    def ending(explicit: bool) -> KeptCase:
        raised = Raised("ValueError", "builtins", "no end", "rank.py", 2, explicit)
        seen = Observation((Outcome("", raised=raised),), frozenset())
        return KeptCase(case, seen, Call(target, (("text", "'[1,'"),)))

    assert not doubts.of_values(ending(explicit=True))
    assert doubts.of_values(ending(explicit=False))
