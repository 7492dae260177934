"""What cannot be called is given a stand-in once, and then what the stand-in was asked for."""

from __future__ import annotations

import random

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.arguments.doubles import StandIns, calls_with_stand_ins
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.noted.meetings import Meeting, read_meetings
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter

SHOP = {
    "shop.py": """
        class Basket:
            def __init__(self):
                self.things = []

            def weigh(self):
                return len(self.things)


        class Till:
            def __init__(self, printer):
                self.printer = printer

            def close(self):
                return self.printer.say("closed")


        def describe(order):
            if order.customer.name and order.state == "open":
                return order.customer.name
            return [line.price + 1 for line in order.lines]


        def heavy(thing):
            return getattr(thing, "we" + "igh")() > 3


        def label(record):
            return record["title"] + record["kind"]


        class Locked:
            def __init__(self):
                self.__key = 1

            def opens(self, other):
                return self.__key == other.__key


        def forever(node):
            while node is not None:
                node = node.next


        def opened(where):
            return open(where)


        def applied(change):
            return change(1, 2)


        def typed(order: int):
            return order.customer
    """
}


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    root = tmp_path_factory.mktemp("shop")
    program = write_program(root, SHOP)
    resolver = Resolver(program)
    prober = Prober(root, program, best_jail())
    inputs = Inputs(program, random.Random(1))
    inputs.note_object("Basket", "Basket()")
    inputs.note_object("Locked", "Locked()")
    StandIns(prober, resolver, inputs).learn(find_targets(program, resolver), 20)
    prober.close()
    return {f"{key.partition(':')[2]} {name}": values for (key, name), values in inputs.met.items()}


def test_attributes_become_an_object_that_has_them(learnt: dict[str, list[str]]) -> None:
    assert learnt["describe order"][0] == (
        "SimpleNamespace(customer=SimpleNamespace(name='hello'), state='open', "
        "lines=[SimpleNamespace(price=1), SimpleNamespace(price=2)])"
    )


def test_objects_of_the_program_come_first(learnt: dict[str, list[str]]) -> None:
    assert learnt["heavy thing"] == ["Basket()"]


def test_an_attribute_that_a_class_keeps_for_itself_tells_the_class(
    learnt: dict[str, list[str]],
) -> None:
    assert learnt["Locked.opens other"] == ["Locked()"]


def test_methods_tell_what_the_object_was_made_of(learnt: dict[str, list[str]]) -> None:
    assert learnt["Till printer"] == ["SimpleNamespace(say=lambda value: value)"]


def test_keys_become_a_dict_and_calls_a_function(learnt: dict[str, list[str]]) -> None:
    assert learnt["label record"][0] == "{'title': 1, 'kind': 1}"
    assert learnt["applied change"] == ["lambda a, b: None"]


def test_what_is_met_without_end_ends(learnt: dict[str, list[str]]) -> None:
    assert learnt["forever node"][0].endswith("next=None)))))")


def test_where_nothing_is_learnt_nothing_is_said(learnt: dict[str, list[str]]) -> None:
    assert not {"opened where", "typed order"} & learnt.keys()


def test_the_journal_of_a_child_is_not_trusted() -> None:
    with pytest.raises(ValueError, match="malformed"):
        read_meetings({"x": {"constants": ["open('/')"]}})
    tree: dict[str, object] = {}
    for _ in range(20):
        tree = {"item": tree}
    with pytest.raises(ValueError, match="too deep"):
        read_meetings({"x": tree})


def test_meetings_of_one_parameter_are_joined() -> None:
    one = read_meetings({"x": {"kinds": ["truth"], "attributes": {"a": {"kinds": ["text"]}}}})["x"]
    one.join(read_meetings({"x": {"constants": ["1"], "attributes": {"b": {}}}})["x"])
    assert one == Meeting({"truth"}, ["1"], 0, {"a": Meeting({"text"}), "b": Meeting()})


def test_an_object_that_a_method_returns_is_made_by_that_method() -> None:
    """A property of what a cache gives back, say: the object behind it has a maker, too."""
    given = Parameter("key", "positional")
    maker = Target("shop.py", "Shop", "constructor", "Shop", ("from shop import Shop",), ())
    till = Target("shop.py", "Shop.till", "method", "Shop", maker.imports, (given,), owner=maker)
    named = Target("shop.py", "Till.name", "property", "Till", (), (), owner=till)
    agreeing, _ = calls_with_stand_ins(named)
    assert agreeing.receiver is not None
    assert agreeing.receiver.receiver is not None
    assert agreeing.text == "subject.name"
    assert agreeing.receiver.text.startswith("subject.till(")
    assert agreeing.receiver.receiver.text == "Shop()"
