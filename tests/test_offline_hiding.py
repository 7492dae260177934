"""Values that hide what a call does, and letters and marks where words are meant."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.operands import hiding
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter

SHOP = """
    class Amount:
        def __init__(self, cents):
            self.cents = cents

        def __mul__(self, factor):
            return Amount(self.cents * factor)

        def __add__(self, more):
            return Amount(self.cents + getattr(more, "cents", more))

        def __eq__(self, other):
            return self.cents == other.cents


    class Length:
        def __init__(self, m=0):
            self.m = m

        def __add__(self, other):
            return Length(self.m + other.m)

        def __str__(self):
            return f"{self.m} m"

        def grow(self):
            self.m += 1


    class Bag:
        def __init__(self, *items, **named):
            self.items = items

        def __add__(self, other):
            return Bag(*self.items, *other.items)


    class Tag:
        def __init__(self, name, title=""):
            self.name, self.title = name, title

        def __and__(self, other):
            return (self, other)


    def differing(first, second, ignore=None):
        return [key for key in first if first[key] != second.get(key) and key not in (ignore or ())]
"""


@pytest.fixture
def shop(tmp_path: Path) -> tuple[Naturalness, dict[str, Target]]:
    program = write_program(tmp_path, {"shop.py": SHOP})
    targets = find_targets(program, Resolver(program))
    natural = Naturalness(Inputs(program, random.Random(1)), targets)
    return natural, {target.symbol: target for target in targets}


@pytest.mark.parametrize(
    ("operator", "value", "showing"),
    [("__mul__", "1", "3"), ("__mul__", "0", "3"), ("__add__", "0", "2")],
)
def test_a_number_that_changes_nothing_makes_way_for_one_that_does(
    operator: str, value: str, showing: str, shop: tuple[Naturalness, dict[str, Target]]
) -> None:
    natural, targets = shop
    amount = Call(targets["Amount"], (("cents", "5"),))
    (taken,) = targets[f"Amount.{operator}"].parameters
    call = Call(targets[f"Amount.{operator}"], ((taken.name, value),), receiver=amount)
    shown = call.with_value(taken.name, showing)
    assert natural.oddness(shown) < natural.oddness(call)
    assert shown in [*Proposals(natural).mended(call)]


def test_an_object_made_of_zeros_makes_way_for_one_on_which_an_operation_shows(
    shop: tuple[Naturalness, dict[str, Target]],
) -> None:
    natural, targets = shop
    made = Call(targets["Amount"], (("cents", "0"),))
    call = Call(targets["Amount.__mul__"], (("factor", "3"),), receiver=made)
    (shown,) = hiding.variants(call)
    assert shown.receiver is not None
    assert shown.receiver.text == "Amount(2)"
    assert natural.oddness(shown) < natural.oddness(call)


def test_two_sides_differ_but_where_they_are_compared(
    shop: tuple[Naturalness, dict[str, Target]],
) -> None:
    natural, targets = shop
    tag = Call(targets["Tag"], (("name", "'hello'"),))
    call = Call(targets["Tag.__and__"], (("other", "Tag('hello')"),), receiver=tag)
    shown = call.with_value("other", "Tag('world')")
    assert [*hiding.variants(call)] == [shown]
    assert natural.oddness(shown) < natural.oddness(call)
    amount = Call(targets["Amount"], (("cents", "5"),))
    doubled = Call(targets["Amount.__add__"], (("more", "Amount(5)"),), receiver=amount)
    assert [*hiding.variants(doubled)] == [doubled.with_value("more", "Amount(6)")]
    equal = Call(targets["Amount.__eq__"], (("other", "Amount(5)"),), receiver=amount)
    assert not [*hiding.variants(equal)]


def test_operands_hold_something_where_objects_that_do_are_known(
    shop: tuple[Naturalness, dict[str, Target]],
) -> None:
    natural, targets = shop
    made = targets["Length"]
    call = Call(targets["Length.__add__"], (("other", "Length()"),), receiver=Call(made))
    assert not natural.oddness(call), "nothing else is known"
    natural.inputs.objects.note("Length", "Length()", 0.0)
    natural.inputs.objects.note("Length", "Length(m=1)", 0.0)
    held = Call(made, (("m", "1"),))
    shown = call.but(receiver=held).with_value("other", "Length(m=2)")
    assert [*natural.bare_operands.variants(call)] == [shown]
    assert natural.oddness(shown) < natural.oddness(call.but(receiver=held)) < natural.oddness(call)
    told = Call(targets["Length.__str__"], receiver=Call(made))
    assert [*natural.bare_operands.variants(told)] == [told.but(receiver=held)]
    filled = call.but(name="length", before=(Call(targets["Length.grow"], subject="length"),))
    assert not [*natural.bare_operands.variants(filled)]


def test_operands_stay_where_what_they_hold_has_no_names(
    shop: tuple[Naturalness, dict[str, Target]],
) -> None:
    natural, targets = shop
    call = Call(targets["Bag.__add__"], (("other", "Bag()"),), receiver=Call(targets["Bag"]))
    natural.inputs.objects.note("Bag", "Bag(1, 2)", 0.0)
    assert not [*natural.bare_operands.variants(call)]


def test_a_keyword_that_calls_show_fills_an_object_where_none_is_known(
    shop: tuple[Naturalness, dict[str, Target]],
) -> None:
    natural, targets = shop
    keyword = Parameter("mm", "keyword", "...", "float")
    made = replace(targets["Length"], parameters=(*targets["Length"].parameters, keyword))
    told = Call(replace(targets["Length.__str__"], owner=made), receiver=Call(made))
    (filled,) = natural.bare_operands.variants(told)
    assert filled.text == "str(Length(mm=1.5))"


@pytest.mark.parametrize(
    ("value", "other"),
    [
        ("[1, 2]", "[1, 3]"),
        ("1", "2"),
        ("'hello'", "'world'"),
        ("{'a': 1}", "{'a': 2}"),
        ("'%Y'", ""),
    ],
)
def test_two_arguments_differ(
    value: str, other: str, shop: tuple[Naturalness, dict[str, Target]]
) -> None:
    natural, targets = shop
    call = Call(targets["differing"], (("first", value), ("second", value)))
    shown = call.with_value("second", other)
    assert [*hiding.variants(call)] == ([shown] if other else [])
    assert natural.oddness(call) > natural.oddness(shown)


@pytest.mark.parametrize(
    ("lines", "again", "other"),
    [
        ([{"cents": "b'a'"}, {"cents": "b'a'"}], True, "b'b'"),
        ([{"cents": "2"}, {"cents": "2"}], True, "3"),
        ([{"cents": "'a'"}, {"cents": "'b'"}], False, ""),
        ([{"cents": "[]"}, {"cents": "[]"}], False, ""),
    ],
)
def test_a_method_gets_something_else_when_it_is_called_again(
    lines: list[dict[str, str]],
    again: bool,
    other: str,
    shop: tuple[Naturalness, dict[str, Target]],
) -> None:
    targets = shop[1]
    before = tuple(Call(targets["Amount"], tuple(one.items()), subject="it") for one in lines)
    call = Call(targets["Length.grow"], receiver=Call(targets["Length"]), name="it", before=before)
    assert (hiding.oddness(call) > 0) == again
    found = [one.before[1].given["cents"] for one in hiding.variants(call)]
    assert found == ([other] if again else [])


def test_two_that_hold_nothing_may_be_equal(
    shop: tuple[Naturalness, dict[str, Target]],
) -> None:
    _, targets = shop
    for value in ("[]", "0", "None"):
        assert not [*hiding.variants(Call(targets["Tag"], (("name", value), ("title", value))))]


def test_what_is_ignored_is_a_key_that_is_there(
    shop: tuple[Naturalness, dict[str, Target]],
) -> None:
    natural, targets = shop
    values = (("first", "{'a': 1, 'b': 2}"), ("second", "{'a': 3}"), ("ignore", "{2}"))
    call = Call(targets["differing"], values)
    shown = call.with_value("ignore", "{'a'}")
    assert shown in [*Proposals(natural).mended(call)]
    assert natural.oddness(shown) < natural.oddness(call)
    assert not [*hiding.variants(shown)]
    assert not [*hiding.variants(call.with_value("ignore", "[]"))]


def test_what_the_same_function_has_made_makes_way_for_a_plain_value(
    shop: tuple[Naturalness, dict[str, Target]],
) -> None:
    natural, targets = shop
    plain = Call(targets["differing"], (("first", "{'a': 1}"), ("second", "{'a': 3}")))
    call = plain.with_value("first", "differing({'a': 1}, {'a': 3})")
    shown = plain.with_value("first", "b'hello'")
    assert {plain, shown} <= {*Proposals(natural).mended(call)}
    assert natural.oddness(plain) < natural.oddness(call)
    tag = Call(targets["Tag"], (("name", "Tag('hello')"),))
    assert not [*hiding.variants(tag)], "objects are made of others"


@pytest.mark.parametrize("odd", ["'a'", "'('", "'é'", "'3.14'"])
def test_a_name_is_a_word(odd: str, shop: tuple[Naturalness, dict[str, Target]]) -> None:
    natural, targets = shop
    call = Call(targets["Tag"], (("name", odd), ("title", "'Title'")))
    word = call.with_value("name", "'hello'")
    assert natural.oddness(word) < natural.oddness(call)
    assert word in [*Proposals(natural).mended(call)]


def test_a_letter_that_the_documentation_gives_stays(
    shop: tuple[Naturalness, dict[str, Target]],
) -> None:
    natural, targets = shop
    natural.inputs.note(targets["Tag"], "name", "'q'")
    natural.forget()
    call = Call(targets["Tag"], (("name", "'q'"),))
    assert call.with_value("name", "'hello'") not in [*Proposals(natural).mended(call)]
