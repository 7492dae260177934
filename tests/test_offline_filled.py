"""Objects that are arguments have something in them: earlier calls on them have filled them."""

from __future__ import annotations

from pathlib import Path

from begun_search import search_of
from offline_program import brief, write_program

from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.stories.objects import brought, keys
from pytest_lift.calls.call import Call, setup
from pytest_lift.calls.case import Observation, Outcome
from pytest_lift.calls.drafting import as_case

SHOP = '''
    """Baskets."""


    class Basket:
        """What somebody wants to buy."""

        def __init__(self) -> None:
            self._prices: dict[str, int] = {}
            self._most = 5

        @property
        def most(self) -> int:
            return self._most

        @most.setter
        def most(self, number: int) -> None:
            """Sets the most things in it."""
            self._most = number

        def add(self, name: str, price: int) -> None:
            """Puts a thing into the basket."""
            if len(self._prices) >= self._most:
                raise ValueError("the basket is full")
            self._prices[name] = price

        def merge(self, other: "Basket") -> int:
            """Takes over what is in another basket; returns how much that is."""
            count = 0
            for name, price in other._prices.items():
                self._prices[name] = price
                count += 1
            return count


    def total(basket: Basket) -> int:
        """Returns what all things in a basket cost."""
        found = 0
        for price in basket._prices.values():
            found += price
        return found
'''


def test_the_argument_of_a_function_and_of_a_method_is_filled_before(tmp_path: Path) -> None:
    edit = generator(brief(tmp_path, write_program(tmp_path, {"shop.py": SHOP}), seconds=10))
    (text,) = edit.files.values()
    called = [line.strip() for line in str(text).splitlines()]
    assert any(line.startswith("assert total(basket) == ") for line in called)
    assert any(line.startswith("other.add(") for line in called)
    assert any(line.startswith("assert basket.merge(other) == ") for line in called)


def test_what_brings_an_object_into_its_state_comes_before_a_call_with_it(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"shop.py": SHOP})
    add, merge, total = (targets[name] for name in ("Basket.add", "Basket.merge", "total"))
    made = Call(targets["Basket"])
    given = (("name", "'a'"), ("price", "3"))
    outcome = Outcome("NoneType", "None")
    search.objects.note_state(
        Call(add, given, receiver=made, name="basket"),
        Observation((outcome,), frozenset(), state="one"),
    )
    drawn = [search.objects.filled(Call(total), total.parameters[0]) for _ in range(50)]
    call = next(call.with_value("basket", name) for call, name in drawn if name)
    lines = ["basket = Basket()", "basket.add('a', 3)"]
    assert setup(call) == lines
    case = as_case(call, search.resolver)
    assert case is not None
    assert [step.source for step in case.steps] == [*lines, "total(basket)"]
    assert any("Basket" in line for line in case.imports)
    begun = Call(merge, receiver=made, name="basket")
    named = {search.objects.filled(begun, merge.parameters[0])[1] for _ in range(50)}
    assert named == {None, "other"}


def test_nothing_but_calls_on_the_object_alone_is_brought_along(tmp_path: Path) -> None:
    _, targets = search_of(tmp_path, {"shop.py": SHOP})
    made, add = Call(targets["Basket"]), targets["Basket.add"]
    state = Call(add, (("name", "'a'"), ("price", "3")), receiver=made, name="basket")
    assert [line.subject or line.bound for line in brought(state, "other")] == ["other", "other"]
    itself = Call(targets["Basket.merge"], (("other", "basket"),), receiver=made, name="basket")
    assert brought(itself, "other") == ()
    assert brought(state.but(seeds=("random",)), "other") == ()


def test_texts_and_numbers_of_earlier_calls_are_keys() -> None:
    assert keys("Node(tag='Root', at=3, deep=True)") == ("'Root'", "3")
    assert keys("not python (") == ()


def test_calls_that_become_lines_keep_what_fills_their_arguments(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"shop.py": SHOP})
    add, merge = targets["Basket.add"], targets["Basket.merge"]
    made = Call(targets["Basket"])
    filling = (
        made.but(bound="other"),
        Call(add, (("name", "'b'"), ("price", "2")), subject="other"),
    )
    outcome = Outcome("NoneType", "None")
    for number, before in enumerate(((), filling)):
        call = Call(add, (("name", "'a'"), ("price", "3")), receiver=made, name="basket")
        if before:
            call = Call(merge, (("other", "other"),), receiver=made, name="basket", before=before)
        seen = Observation((outcome,), frozenset(), state=str(number))
        search.objects.note_state(call, seen)
    for target in (add, merge, targets["total"]):
        for _ in range(300):
            call = search.maker.fresh(target)
            assert call is not None
            assert search.write(call) is not None
