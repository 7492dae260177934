"""What a function tells is shown both ways: an input with a yes beside one with a no."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from offline_program import write_program

from pytest_lift.agents.offline.choosing.conditions import BothAnswers
from pytest_lift.agents.offline.choosing.selection import (
    Chosen,
    with_both_answers,
    without_dull,
)
from pytest_lift.agents.offline.choosing.shrinking.simplifying import keeps
from pytest_lift.agents.offline.choosing.weighing.doubt import with_few_doubtful
from pytest_lift.agents.offline.choosing.weighing.worth import GUESSED, worthwhile
from pytest_lift.agents.offline.natural.offered import Offer
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.showing import MOST_ANSWERED, Showing
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation, Outcome, Step
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets


def told(argument: str, answer: bool, symbol: str = "is_even") -> Chosen:
    """Returns a case whose goal is the answer that it shows, and that reaches what others do."""
    case = Case("even.py", symbol, (Step(f"{symbol}({argument})", True),), cost=0.2)
    goals = frozenset({f"answer even.py:{symbol} {answer}"})
    seen = Observation((Outcome("bool", str(answer)),), frozenset({1}))
    return Chosen(KeptCase(case, seen, goals=goals), frozenset())


EVEN, ODD, TWO = told("4", True), told("3", False), told("2", True)


def test_one_of_two_answers_is_the_only_one_when_the_others_have_gone() -> None:
    answers = BothAnswers(one.kept for one in (EVEN, ODD, TWO))
    assert answers.is_only(ODD.kept)
    assert not answers.is_only(EVEN.kept)
    answers.leave_out(TWO.kept)
    assert answers.is_only(EVEN.kept)
    assert not BothAnswers([EVEN.kept, TWO.kept]).is_one(EVEN.kept), "nothing is answered by no"


def test_the_answer_that_is_lacking_is_chosen_and_both_stay_what_they_are() -> None:
    plain, dear = (
        Chosen(
            replace(one.kept, case=replace(one.kept.case, cost=cost), goals=frozenset()), one.gain
        )
        for one, cost in ((TWO, 0.3), (EVEN, 0.9))
    )
    odd = Chosen(replace(ODD.kept, goals=frozenset()), frozenset({1}))
    alone, equal = told("5", True, "is_big"), told("6", True, "Even.__eq__")
    kept = [one.kept for one in (dear, plain, odd, alone, told("7", False, "Even.__eq__"))]
    found = with_both_answers([odd, alone, equal], kept)
    assert found == [replace(odd, kept=ODD.kept), alone, equal, replace(plain, kept=found[-1].kept)]
    assert (found[-1].kept.case, found[-1].kept.goals) == (plain.kept.case, TWO.kept.goals)
    assert with_both_answers([odd, plain], kept) == [odd, plain]


def test_an_operator_that_compares_is_shown_where_it_holds() -> None:
    less, not_less = told("4", True, "Even.__lt__"), told("8", False, "Even.__lt__")
    assert [one.kept.case for one in with_both_answers([not_less], [less.kept])] == [
        not_less.kept.case,
        less.kept.case,
    ]
    assert with_both_answers([less], [not_less.kept]) == [less]
    called = told("8", False, "Even.__call__")
    assert with_both_answers([called], [told("4", True, "Even.__call__").kept]) == [called]


def test_a_no_says_something_beside_a_yes() -> None:
    other = told("1", False, "is_big")
    found = without_dull([EVEN, ODD, other], lambda _: 0, lambda _: 1.0)
    assert found == [EVEN, ODD]


def test_both_answers_stay_where_little_is_known_of_what_is_given() -> None:
    chosen = [EVEN, ODD, TWO]
    found = worthwhile(chosen, lambda kept: kept.case.cost, frozenset(), unfit=lambda _: GUESSED)
    assert len(found) == 2
    assert ODD in found
    odd = {ODD.kept.case.key}
    plain = [told(str(at), True) for at in range(4, 20)]
    assert ODD in with_few_doubtful([*plain, ODD], odd, frozenset({1}))
    assert ODD not in with_few_doubtful([told("1", False), *plain, ODD], odd, frozenset({1}))


def test_what_is_simpler_gives_the_same_answer() -> None:
    assert keeps(EVEN, TWO.kept, TWO.kept.seen)
    assert not keeps(EVEN, ODD.kept, ODD.kept.seen)


def test_a_yes_and_a_no_are_goals_of_their_own(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"even.py": "def is_even(n):\n    return n % 2 == 0\n"})
    resolver = Resolver(program)
    (target,) = find_targets(program, resolver)
    defined = {(target.path, target.symbol)}
    showing = Showing(True, set(), frozenset(), defined, Offer(program, resolver))
    for _ in range(MOST_ANSWERED):
        goals = showing.answer_of(Call(target, (("n", "3"),)), ODD.kept.seen)
        assert goals == {"answer even.py:is_even False"}
    assert showing.answer_of(Call(target, (("n", "5"),)), ODD.kept.seen) == frozenset()
    assert showing.answer_of(Call(target, (("n", "4"),)), EVEN.kept.seen) == EVEN.kept.goals
    assert showing.done == {"even.py:is_even False"}
