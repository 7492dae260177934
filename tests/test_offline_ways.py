"""Objects in tests come from where users get them, with what such objects are always given."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from offline_program import brief, write_program
from offline_ways import ways_of

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.natural.offered import Offer
from pytest_lift.agents.offline.search.making import own_and_inherited
from pytest_lift.agents.offline.stories.bases import without_bases
from pytest_lift.agents.offline.stories.habits import Habits
from pytest_lift.agents.offline.stories.ways import Ways
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.program import Program

OFFER = """
    from doc.nodes import node, total
    """
NODES = """
    class Style:
        def __init__(self, indent="", end="newline"):
            self.indent = indent
            self.end = end

    class Base:
        def __init__(self, style):
            self.style = style

        def depth(self):
            if self.style.indent:
                return len(self.style.indent)
            return 0

    class Node(Base):
        def __init__(self, value, style, raw):
            super().__init__(style)
            self.value = value
            self.raw = raw

        def doubled(self):
            if self.value > 10:
                return self.value
            return self.value * 2

    class Leaf(Node):
        def doubled(self):
            return self.value

    def node(value: int, indent: str = "") -> Node:
        return Node(value, Style(indent), str(value))

    def total(first, second):
        return first.value + second.value

    def is_node(value):
        return isinstance(value, Base)
    """


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return write_program(tmp_path, {"doc/__init__.py": OFFER, "doc/nodes.py": NODES})


@pytest.fixture
def targets(program: Program) -> dict[str, Target]:
    return {target.symbol: target for target in find_targets(program, Resolver(program))}


@pytest.fixture
def ways(program: Program, targets: dict[str, Target]) -> Ways:
    found = ways_of(program)
    found.note(targets["Node"], by_hand(targets))
    found.note(targets["Node"], given(targets))
    return found


def by_hand(targets: dict[str, Target]) -> Call:
    return Call(targets["Node"], (("value", "1"), ("style", "Style()"), ("raw", "'[1]'")))


def given(targets: dict[str, Target]) -> Call:
    return Call(targets["node"], (("value", "1"),))


def test_objects_by_hand_give_way_to_those_of_an_offered_function(
    ways: Ways, targets: dict[str, Target]
) -> None:
    on = Call(targets["Node.doubled"], receiver=by_hand(targets), name="node_")
    first = next(ways.others(on))
    assert first.receiver == given(targets)
    assert ways.oddness(on) > ways.oddness(first) == 0
    assert ways.is_hidden(on)
    assert not ways.is_hidden(first)


def test_objects_by_hand_in_arguments_give_way_too(ways: Ways, targets: dict[str, Target]) -> None:
    made = by_hand(targets).text
    call = Call(targets["total"], (("first", made), ("second", f"[{made}]")))
    first = next(ways.others(call))
    assert first.given == {"first": "node(1)", "second": "[node(1)]"}
    assert ways.oddness(call) > ways.oddness(first) == 0


def test_objects_of_derived_classes_serve_where_they_inherit_the_method(
    ways: Ways, targets: dict[str, Target]
) -> None:
    assert ways.given(targets["Base"], "depth") == [given(targets)]
    assert ways.given(targets["Base"], "doubled") == []
    assert ways.given(targets["Style"]) == []


def test_objects_are_replaced_in_the_lines_before_a_call(
    ways: Ways, targets: dict[str, Target]
) -> None:
    line = Call(targets["Node.doubled"], subject="node_")
    stored = line.but(values=(("other", f"[{by_hand(targets).text}, 1]"),))
    call = Call(targets["Node.doubled"], receiver=given(targets), name="node_", before=(stored,))
    assert next(ways.others(call)).before[0].given == {"other": "[node(1), 1]"}


def test_the_plainest_call_of_each_function_comes_first(
    ways: Ways, targets: dict[str, Target]
) -> None:
    node, total = targets["node"], targets["total"]
    for call in (Call(node, (("value", "20"),)), Call(total, (("first", "1000"),))):
        ways.note(targets["Node"], call)
    texts = [call.text for call in ways.given(targets["Node"])]
    assert texts == ["node(1)", "total(1000)", "node(20)"]


def test_offered_functions_that_return_hidden_objects_are_sources(
    ways: Ways, targets: dict[str, Target]
) -> None:
    assert ways.sources([*targets.values()]) == [targets["node"]]


def test_many_objects_by_hand_leave_room_for_another_way(
    program: Program, targets: dict[str, Target]
) -> None:
    ways = ways_of(program)
    for number in range(100):
        ways.note(targets["Node"], by_hand(targets).with_value("value", str(number)))
    assert ways.note(targets["Node"], given(targets))
    assert ways.given(targets["Node"]) == [given(targets)]


def test_bases_that_nobody_makes_are_no_targets(
    program: Program, targets: dict[str, Target]
) -> None:
    offer = Offer(program, Resolver(program))
    left = {
        t.symbol
        for t in without_bases([*targets.values()], Inputs(program, random.Random(1)), offer, [])
    }
    assert set(targets) - left == {"Base", "Base.depth"}
    made = Call(targets["Base"], (("style", "'a'"),))
    assert len(
        without_bases([*targets.values()], Inputs(program, random.Random(1)), offer, [made])
    ) == len(targets)


def test_few_classes_stand_for_a_base_that_is_no_target(targets: dict[str, Target]) -> None:
    depth, doubled = targets["Node"], targets["Node.doubled"]
    heirs = [
        replace(doubled, symbol=f"{name}.depth", owner=replace(depth, symbol=name))
        for name in ("Node", "Leaf", "Twig", "Root")
    ]
    defined = {("doc/nodes.py", "Base.depth"), ("doc/nodes.py", "Node.doubled")}
    own, inherited = own_and_inherited([doubled, *heirs], defined)
    assert [one.symbol for one in own] == ["Node.doubled", "Node.depth", "Leaf.depth"]
    assert [one.symbol for one in inherited] == ["Twig.depth", "Root.depth"]


def test_what_a_class_has_from_a_library_is_not_its_own(targets: dict[str, Target]) -> None:
    doubled = targets["Node.doubled"]
    copied = replace(doubled, symbol="Node.copied", library=True)
    own, inherited = own_and_inherited([doubled, copied], {("doc/nodes.py", "Node.doubled")})
    assert (own, inherited) == ([doubled], [copied])


def test_the_constructor_takes_the_place_of_what_a_library_makes(
    program: Program, targets: dict[str, Target]
) -> None:
    ways, maker = ways_of(program), targets["Node"]
    ways.note(maker, by_hand(targets))
    loaded = replace(maker, symbol="Node.load", kind="static", owner=maker, library=True)
    call = Call(loaded, (("value", "1"),))
    assert by_hand(targets) in ways.others(call)
    assert ways.oddness(call) > ways.oddness(Call(replace(loaded, library=False), call.values))


def test_a_plainer_way_is_tried_in_the_place_of_another_one(
    program: Program, targets: dict[str, Target]
) -> None:
    ways, maker = ways_of(program), targets["Node"]
    plain = by_hand(targets)
    longer = plain.with_value("value", "'a text that is much longer'")
    for one in (longer, plain):
        ways.note(maker, one)
    call = Call(targets["Node.doubled"], receiver=longer, name="node")
    assert call.but(receiver=plain) in ways.others(call)
    assert not [one for one in ways.others(call.but(receiver=plain)) if one.receiver == longer]


def test_the_plainest_object_that_is_made_of_something_is_tried_too(
    program: Program, targets: dict[str, Target]
) -> None:
    ways, maker = ways_of(program), targets["Node"]
    made = [by_hand(targets).with_value("value", one) for one in ("''", "()", "[]", "{}", "'ab'")]
    longer = by_hand(targets).with_value("value", "'a text that is much longer'")
    for one in (longer, *made):
        ways.note(maker, one)
    call = Call(targets["Node.doubled"], receiver=longer, name="node")
    assert call.but(receiver=made[-1]) in ways.others(call)


BASKET = """
    class Basket:
        def __init__(self, items=()):
            self.items = tuple(items)

        def added(self, item):
            return Basket((*self.items, item))

        def total(self):
            return sum(self.items)
    """


def test_an_object_is_made_of_arguments_rather_than_of_an_empty_one(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"basket.py": BASKET})
    found = {target.symbol: target for target in find_targets(program, Resolver(program))}
    ways, maker = ways_of(program), found["Basket"]
    empty, filled = Call(maker), Call(maker, (("items", "[1, 2]"),))
    detour = Call(found["Basket.added"], (("item", "1"),), receiver=empty)
    for one in (empty, filled, detour):
        ways.note(maker, one)
    total = Call(found["Basket.total"], receiver=detour, name="basket")
    assert total.but(receiver=filled) in ways.others(total)
    assert ways.oddness(total) > ways.oddness(total.but(receiver=filled)) == 0
    assert ways.oddness(total.but(receiver=detour.but(receiver=filled))) == 0


LIBRARY = {
    "shop.py": """
        import yaml

        class Record(yaml.YAMLObject):
            def __init__(self, title: str):
                self.title = title.title() if title.islower() else title
        """
}


def test_the_own_methods_of_a_library_are_not_tested(tmp_path: Path) -> None:
    files = generator(brief(tmp_path, write_program(tmp_path, LIBRARY))).files
    text = "".join(one for one in files.values() if one)
    assert "Record(" in text
    assert "yaml(" not in text


def test_tests_make_objects_as_users_do(program: Program, tmp_path: Path) -> None:
    texts = generator(brief(tmp_path, program)).files.values()
    text = "\n".join(one for one in texts if one)
    assert "total(node(" in text
    assert "Node(" not in text
    assert "Base(" not in text


CHECKS = """
    class Check:
        def check(self, value):
            if hasattr(self, "transform"):
                return self.transform(value)
            raise NotImplementedError("implement transform")

    class Whole(Check):
        def transform(self, value):
            return int(value)

    class Positive(Whole):
        def transform(self, value):
            return abs(super().transform(value))
    """


def test_offered_bases_are_targets_but_for_those_that_ask_for_a_derived_one(
    tmp_path: Path,
) -> None:
    program = write_program(tmp_path, {"checks.py": CHECKS})
    targets, offer = find_targets(program, Resolver(program)), Offer(program, Resolver(program))
    left = {
        one.symbol for one in without_bases(targets, Inputs(program, random.Random(1)), offer, [])
    }
    assert {one.symbol for one in targets} - left == {"Check", "Check.check"}


MEASURES = """
    class Measure:
        UNIT = None
        factor: float = None

        def __init__(self, value):
            self.value = value

        def text(self):
            return f"{self.value} {self.UNIT}"

    class Length(Measure):
        UNIT = "m"

    class Weight(Measure):
        factor: float = 1000.0
    """


@pytest.mark.parametrize(
    ("more", "is_base"), [("", True), ("\n    class Other(Measure):\n        UNIT = None\n", False)]
)
def test_a_class_whose_attributes_derived_ones_give_values_is_a_base(
    tmp_path: Path, more: str, is_base: bool
) -> None:
    program = write_program(tmp_path, {"measures.py": MEASURES + more})
    targets, offer = find_targets(program, Resolver(program)), Offer(program, Resolver(program))
    left = without_bases(targets, Inputs(program, random.Random(1)), offer, [])
    assert ("Measure.text" not in {one.symbol for one in left}) is is_base


COLOURS = """
    class BaseColour:
        '''Base class of all colours: not to be used directly.'''

        def hex(self):
            return "#000000"

        @classmethod
        def from_hex(cls, text):
            return cls()

    class Blue(BaseColour):
        pass

    class Green(BaseColour):
        @classmethod
        def from_hex(cls, text):
            return cls()

    REGISTERED = [BaseColour]
    """


def test_what_is_called_a_base_is_no_target_though_the_program_names_it(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"colours.py": COLOURS})
    targets, offer = find_targets(program, Resolver(program)), Offer(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    left = {one.symbol for one in without_bases(targets, inputs, offer, [])}
    assert left == {"Blue", "Green", "Green.from_hex"}
    made = [Call(one) for one in targets if one.symbol == "BaseColour"]
    assert {one.symbol for one in targets} == {
        one.symbol for one in without_bases(targets, inputs, offer, made)
    }


COMMANDS = """
    class Command:
        context_class = None

        def __init__(self, name):
            self.name = name

        def usage(self, context):
            return f"{context.command.name}: {context.info}"

        def make(self, info, parent=None):
            return self.context_class(self, info=info, parent=parent, depth=1)

    class Context:
        def __init__(self, command: Command, parent=None, info=None, depth=1):
            self.command = command
            self.info = info

    class Group(Command):
        context_class = Context

    def option(*names, cls=None, **more):
        if cls is None:
            cls = Option

        def decorator(function):
            return cls(names, **more)

        return decorator

    class Option:
        def __init__(self, names=None, hidden=False):
            self.names = names
    """


def test_what_a_program_always_gives_is_usual(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"commands.py": COMMANDS})
    targets = {target.symbol: target for target in find_targets(program, Resolver(program))}
    habits = Habits(program, [*targets.values()])
    given = Call(targets["option"], extra=("'--name'", "'-n'"))
    assert [*habits.handed(given)] == [(targets["Option"], "names", "['--name', '-n']")]
    assert habits.usual(targets["Context"]) == {"info"}, "no default, nor what is optional there"
    assert habits.usual(targets["Option"]) == {"names"}
    for hidden in ("True", "False", "None", "1"):
        habits.note(Call(targets["Option"], (("hidden", hidden),)))
    assert habits.usual(targets["Option"]) == {"hidden"}


@pytest.mark.parametrize(
    ("calls", "usual"),
    [
        (("State('active', 'The active state.')",), set()),
        (("State('active', told)",), {"about"}),
        (("State('active', 'Active.')", "State('idle', 'Idle.')"), {"about"}),
    ],
)
def test_one_call_with_a_text_of_its_own_is_no_habit(
    tmp_path: Path, calls: tuple[str, ...], usual: set[str]
) -> None:
    code = """
        class State:
            def __init__(self, name, about=None):
                self.name = name
                self.about = about

        def states(told):
            return [{}]
        """
    program = write_program(tmp_path, {"states.py": code.format(", ".join(calls))})
    targets = {target.symbol: target for target in find_targets(program, Resolver(program))}
    assert Habits(program, [*targets.values()]).usual(targets["State"]) == usual


def test_half_made_objects_are_completed(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"commands.py": COMMANDS})
    targets = {target.symbol: target for target in find_targets(program, Resolver(program))}
    ways = ways_of(program)
    ways.natural.inputs.note(targets["Context"], "info", "'tool'")
    command = Call(targets["Command"], (("name", "'a'"),))
    call = Call(
        targets["Command.usage"],
        (("context", "Context(Group('b'))"),),
        receiver=command,
        name="command",
    )
    tried = [one.given["context"] for one in ways.others(call)]
    assert tried[0] == "Context(command, info='tool')"
    assert "Context(command)" in tried
    half = call.with_value("context", "Context(Group('b'), info='tool')")
    assert ways.oddness(call) > ways.oddness(half) > ways.oddness(next(ways.others(call))) == 0
    odd = call.with_value("context", "Context(command, info='[]=')")
    assert next(ways.others(odd)).given["context"] == "Context(command, info='tool')"
    ways.natural.inputs.note_used(targets["Command"], "name", "'build'")
    ways.forget()
    assert next(ways.others(call)).receiver == Call(targets["Command"], (("name", "'build'"),))


BAGS = """
    import json

    class Bag:
        def __init__(self, data=None):
            self.data = dict(data or {})

        @classmethod
        def from_json(cls, text):
            return cls(json.loads(text))

        def get(self, key):
            return self.data.get(key)
    """


def test_an_object_made_of_a_dict_with_the_key_serves_for_one_read_from_json(
    tmp_path: Path,
) -> None:
    program = write_program(tmp_path, {"bags.py": BAGS})
    targets = {target.symbol: target for target in find_targets(program, Resolver(program))}
    ways, read = ways_of(program), Call(targets["Bag.from_json"], (("text", "'{\"a\": 1}'"),))
    made = Call(targets["Bag"], (("data", "{'red': 2}"),))
    ways.natural.inputs.note_read(read.target, "text", ["'{\"a\": 1}'"])
    ways.natural.inputs.note(made.target, "data", "{'red': 2}")
    ways.natural.forget()
    for call in (read, made):
        ways.note(made.target, call)
    on = Call(targets["Bag.get"], (("key", "'a'"),), receiver=read, name="bag")
    assert ways.oddness(on) > ways.oddness(on.but(receiver=made)) == 0
    assert on.but(receiver=made).with_value("key", "'red'") in ways.others(on)


SPANS = """
    class Span:
        def __init__(self, days=0):
            self.days = days

        def __add__(self, other):
            return Span(self.days + other.days)

        def written(self):
            return f"P{self.days}D"

    class Screen:
        def __init__(self, width=80):
            self.width = width

        def cleared(self):
            return " " * self.width
    """


def test_values_are_made_of_something_and_tools_of_nothing(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"spans.py": SPANS})
    targets = {target.symbol: target for target in find_targets(program, Resolver(program))}
    ways, span = ways_of(program), targets["Span"]
    empty, filled = Call(span), Call(span, (("days", "15"),))
    for call in (empty, filled):
        ways.note(span, call)
    on = Call(targets["Span.written"], receiver=empty, name="span")
    assert ways.oddness(on) > ways.oddness(on.but(receiver=filled)) == 0
    assert on.but(receiver=filled) in ways.others(on)
    screen = Call(targets["Screen.cleared"], receiver=Call(targets["Screen"]), name="screen")
    assert ways.oddness(screen) == 0
