"""Calls are made from whole ones that are known: one argument changes, the others stay."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.anchors import STRAYED_INSIDE, Anchors
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.reading import is_stand_in
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

CODE = '''
    def payment(rate, months, loan, rest=0):
        """What is paid each month.

        :type rate: float
        :type months: int or array_like
        """
        return loan * rate + rest / months


    def interest(rate, month, months, loan):
        return loan * rate * month / months


    def gain(values, start_rate):
        return sum(values) * start_rate


    def parts(word):
        return word.split(".")


    def lines(word):
        return word.split("_")


    def alone(thing):
        return thing
'''


@pytest.fixture
def known(tmp_path: Path) -> tuple[Anchors, dict[str, Target]]:
    program = write_program(tmp_path, {"money.py": CODE})
    targets = find_targets(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    return Anchors(Naturalness(inputs, targets)), {one.symbol: one for one in targets}


def documented(anchors: Anchors, target: Target) -> Call:
    call = Call(target, (("rate", "0.05 / 12"), ("months", "10 * 12"), ("loan", "200000")))
    for name, value in call.values:
        anchors.natural.inputs.note(target, name, value)
    anchors.note([call])
    return call


def test_a_call_takes_the_place_of_one_that_is_made_up(
    known: tuple[Anchors, dict[str, Target]],
) -> None:
    anchors, targets = known
    shown = documented(anchors, targets["payment"])
    made_up = Call(
        targets["payment"], (("rate", "1"), ("months", "1"), ("loan", "2"), ("rest", "5"))
    )
    near = [*anchors.near(made_up)]
    assert near[0] == shown.with_value("rest", "5")
    assert near[1] == near[0].with_value("rate", "1")
    assert anchors.strayed(made_up) > anchors.strayed(near[1]) > anchors.strayed(near[0]) == 0


def test_documented_calls_come_before_shorter_ones_of_the_code(
    known: tuple[Anchors, dict[str, Target]],
) -> None:
    anchors, targets = known
    limits = Call(targets["payment"], (("rate", "0"), ("months", "1"), ("loan", "1")))
    anchors.note([limits])
    shown = documented(anchors, targets["payment"])
    assert anchors.of(targets["payment"]) == [shown, limits]


def test_a_function_without_an_example_gets_the_arguments_of_others(
    known: tuple[Anchors, dict[str, Target]],
) -> None:
    anchors, targets = known
    documented(anchors, targets["payment"])
    (call,) = anchors.of(targets["interest"])
    given = {**call.given}
    given.pop("month")
    assert given == {"rate": "0.05 / 12", "months": "10 * 12", "loan": "200000"}
    (call,) = anchors.of(targets["gain"])
    assert call.given["start_rate"] == "0.05 / 12"
    assert not anchors.of(targets["alone"])


def test_each_argument_and_option_of_a_known_call_is_changed_alone(
    known: tuple[Anchors, dict[str, Target]],
) -> None:
    anchors, targets = known
    shown = documented(anchors, targets["payment"])
    beside = [*anchors.beside([targets["payment"]])]
    assert beside[0] == shown
    assert {len({*one.values} - {*shown.values}) for one in beside[1:]} == {1}
    assert any("rest" in one.given for one in beside)


def test_documented_numbers_are_what_a_person_types_under_their_name(
    known: tuple[Anchors, dict[str, Target]],
) -> None:
    anchors, targets = known
    shown = documented(anchors, targets["payment"])
    natural = anchors.natural
    assert natural.typed(targets["interest"], "rate") == ("0.05 / 12",)
    assert natural.oddness(shown) < natural.oddness(shown.with_value("rate", "[1, 2]"))
    assert natural.misfit(shown.with_value("months", "2")) == 0
    assert natural.misfit(shown.with_value("months", "[1, 2]")) == 0
    assert natural.misfit(shown.with_value("months", "{1: 'a'}")) > 0


@pytest.mark.parametrize(("symbol", "text"), [("parts", "'a.b'"), ("lines", "'a_b'")])
def test_a_text_holds_the_mark_at_which_it_is_cut(
    known: tuple[Anchors, dict[str, Target]], symbol: str, text: str
) -> None:
    anchors, targets = known
    (parameter,) = targets[symbol].parameters
    assert anchors.natural.inputs.pool(targets[symbol], parameter)[0] == text
    assert anchors.natural.odd_texts(text) == 0


def test_what_is_passed_to_a_function_beside_tells_the_kind(
    known: tuple[Anchors, dict[str, Target]],
) -> None:
    anchors, targets = known
    inputs, interest = anchors.natural.inputs, targets["interest"]
    loan = interest.parameters[3]
    assert "str" not in inputs.known_kinds(interest, loan)
    payment = targets["payment"]
    inputs.note_passed(payment, payment.parameters[2], "str", "'hut'")
    assert inputs.passed_beside(interest, loan) == ["'hut'"]


def test_what_stands_in_for_a_function_is_no_example(
    known: tuple[Anchors, dict[str, Target]],
) -> None:
    anchors, targets = known
    anchors.note([Call(targets["alone"], (("thing", "lambda a, b: None"),))])
    assert not anchors.of(targets["alone"])
    assert is_stand_in("[].append")
    assert not is_stand_in("lambda a: a")


def test_calls_that_people_wrote_come_before_those_that_were_seen(
    known: tuple[Anchors, dict[str, Target]],
) -> None:
    anchors, targets = known
    target = targets["parts"]
    seen, written = (Call(target, (("word", word),)) for word in ("'a.b'", "'one.two.three'"))
    anchors.note([seen], seen=True)
    anchors.note([written])
    assert list(anchors.of(target)) == [written, seen]


def test_inside_of_the_program_each_other_argument_costs_something(
    known: tuple[Anchors, dict[str, Target]],
) -> None:
    anchors, targets = known
    calls = {
        name: Call(targets[name], (("word", word),))
        for name, word in (("parts", "'a.b'"), ("lines", "'a_b'"))
    }
    anchors.note([calls["parts"]], seen=True)
    anchors.note([calls["lines"]])
    strayed = {
        name: anchors.strayed(call.with_value("word", "'other'")) for name, call in calls.items()
    }
    assert strayed == {"parts": STRAYED_INSIDE, "lines": 0.0}
    assert anchors.strayed(calls["parts"]) == 0.0
