"""Types that flow from the calls in a program to parameters without a hint."""

from __future__ import annotations

import random
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, strategies
from offline_program import write_program

from pytest_lift.agents.offline.arguments.flow.flow import TypeFlow
from pytest_lift.agents.offline.arguments.flow.value_types import annotation, told
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

TREE = """
    class Node:
        def __init__(self, text):
            self.text = text

    class Pair(Node):
        def __init__(self, left, right=None, flag=None):
            self.left = left
            self.right = right

    def parsed(text):
        return Pair(Node("a"), [Node("b")], None)

    def kept(pair, keep=None):
        return isinstance(keep, bytes) or pair

    def told(kind):
        \"\"\"Tell.

        :param str kind: what is told
        \"\"\"

    def counted(words):
        return words

    def several(*nodes):
        return nodes

    several(1, 2)
    kept(Pair(Node("c"), []), 1)
    counted({"a": 1})
    told(3)
    """
NODES = """
    class Node:
        pass

    class Name(Node):
        def __init__(self, text):
            self.text = text

    class Loop(Node):
        def __init__(self, test, body, note=None):
            self.test = test
            self.body = body
            self.note = note
    """


def types_in(folder: Path, code: str, symbol: str, parameter: str) -> str:
    files = {"nodes.py": NODES, "program.py": textwrap.dedent(code)}
    return TypeFlow(write_program(folder, files)).annotation("program.py", symbol, parameter)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("f(1)", "int"),
        ("f('a' + str(2))", "str"),
        ("f(None)", ""),
        ("x = 1\nf(x)\nx = 'a'", "int | str"),
        ("f(nodes.Name('a'))", "Name"),
        ("f(nodes.Name)", "type[Name]"),
        ("f([nodes.Name('a')])", "list[Name]"),
        ("x = []\nx.append(nodes.Name('a'))\nf(x)", "list[Name]"),
        ("f({'a': 1})", "dict[str, int]"),
        ("x = {}\nx['a'] = 2.5\nf(x)", "dict[str, float]"),
        ("f(('a', 1))", "tuple[str, int]"),
        ("x, y = 'a', 1\nf(y)", "int"),
        ("for x in ['a']:\n    f(x)", "str"),
        ("for i, x in enumerate([1.5]):\n    f(x)", "float"),
        ("[f(x) for x in {'a': 1}.values()]", "int"),
        ("f(len('a') + 1)", "int"),
        ("f(3 / 2)", "float"),
        ("f(1 if f else 'a')", "int | str"),
        ("f(nodes.Name('a').text)", "str"),
        ("f([1, 2][0])", "int"),
        ("f({'a': nodes.Name('b')}['a'])", "Name"),
        ("f({'a': 2}.get('a'))", "int"),
        ("f(lambda: 1)", "Callable"),
        ("f(f)", "Callable"),
        ("f(unheard_of())", ""),
        ("f(1)\nf(unheard_of())", ""),
        ("f(x=2)", "int"),
        ("f(*('a', 2))", "str"),
        ("f('a b'.split())", "list[str]"),
        ("def g(y):\n    f(y)\nf(1)", ""),
        ("f(1)\nf('a')\nf([])\nf({})\nf(())\nf(2.5)\nf(b'')\nf({1})\nf(f)\nf(True)", ""),
        ("with open('a') as x:\n    f(x)", ""),
    ],
)
def test_what_calls_pass_is_followed(tmp_path: Path, code: str, told: str) -> None:
    assert types_in(tmp_path, f"import nodes\ndef f(x): ...\n{code}\n", "f", "x") == told


def test_results_attributes_and_methods_are_followed(tmp_path: Path) -> None:
    code = """
        from nodes import Loop, Name

        class Parser:
            def __init__(self, text):
                self.text = text
                self.seen = []

            def name(self):
                found = Name(self.text)
                self.seen.append(found)
                return found

            def loop(self) -> "Loop":
                return Loop(self.name(), self.block())

            def block(self):
                return [self.name()]

        def read(text: str):
            parser = Parser(text)
            show(parser.seen, parser)
            return walk(parser.loop())

        def show(names, parser, *, wide=False):
            return names

        def walk(loop):
            return visit(loop.test, *loop.body)

        def visit(test, body):
            return test
        """
    flow = TypeFlow(write_program(tmp_path, {"nodes.py": NODES, "program.py": code}))
    assert flow.annotation("nodes.py", "Loop", "test") == "Name"
    assert flow.annotation("nodes.py", "Loop", "body") == "list[Name]"
    assert flow.annotation("nodes.py", "Loop.__init__", "note") == ""
    assert flow.annotation("nodes.py", "Name", "text") == "str"
    assert flow.annotation("program.py", "Parser", "text") == "str"
    assert flow.annotation("program.py", "show", "names") == "list[Name]"
    assert flow.annotation("program.py", "show", "parser") == "Parser"
    assert flow.annotation("program.py", "walk", "loop") == "Loop"
    assert flow.annotation("program.py", "visit", "test") == "Name"
    assert flow.annotation("program.py", "unheard_of", "test") == ""


def test_what_a_function_assigns_to_its_parameter_is_not_passed(tmp_path: Path) -> None:
    code = """
        def f(x):
            if isinstance(x, str):
                x = [x]
            return x

        f("a")
        """
    assert types_in(tmp_path, code, "f", "x") == "str"


def test_arguments_go_through_stars(tmp_path: Path) -> None:
    code = """
        def outer(*args):
            return inner(*args)

        def inner(first, second):
            return first

        outer("a", 1)
        """
    assert types_in(tmp_path, code, "inner", "first") == "str"
    assert types_in(tmp_path, code, "inner", "second") == "int"


def test_overriding_methods_get_what_is_passed_to_their_base(tmp_path: Path) -> None:
    code = """
        class Base:
            def run(self, job): ...
            def start(self):
                self.run("job")

        class Derived(Base):
            def run(self, job): ...
        """
    assert types_in(tmp_path, code, "Derived.run", "job") == "str"


def test_a_method_that_is_called_on_its_class_gets_the_object_first(tmp_path: Path) -> None:
    code = """
        class Base:
            def run(self, job): ...

        class Derived(Base):
            def start(self):
                Base.run(self, "job")
        """
    assert types_in(tmp_path, code, "Base.run", "job") == "str"


def test_members_of_enumerations_are_objects_of_them(tmp_path: Path) -> None:
    code = """
        from enum import Enum

        class Color(Enum):
            RED = 1

        def f(x): ...

        f(Color.RED)
        """
    assert types_in(tmp_path, code, "f", "x") == "Color"


def test_context_managers_give_what_they_enter(tmp_path: Path) -> None:
    code = """
        class Lock:
            def __enter__(self):
                return 1

            def __exit__(self, *about): ...

        def f(x): ...

        with Lock() as held:
            f(held)
        """
    assert types_in(tmp_path, code, "f", "x") == "int"


def test_nested_functions_are_called_by_their_name(tmp_path: Path) -> None:
    code = """
        def outer():
            def inner(size):
                return f(size)
            return inner(2)

        def f(x): ...
        """
    assert types_in(tmp_path, code, "f", "x") == "int"


def test_generators_give_items(tmp_path: Path) -> None:
    code = """
        def numbers():
            yield 1

        def f(x): ...

        for one in numbers():
            f(one)
        """
    assert types_in(tmp_path, code, "f", "x") == "int"


def test_what_functions_want_is_known_where_nothing_is_passed(tmp_path: Path) -> None:
    code = """
        from nodes import Name

        def parse(text, node):
            check(node=node)
            return read(text)

        def read(text: str): ...

        def spread(first, last):
            return pair(*first, last)

        def pair(one: int, other: int): ...

        def check(node: Name): ...
        """
    assert types_in(tmp_path, code, "parse", "text") == "str"
    assert types_in(tmp_path, code, "spread", "last") == ""  # the star may be of any length
    assert types_in(tmp_path, code, "parse", "node") == "Name"


def test_sums_of_many_parts_are_read(tmp_path: Path) -> None:
    many = " + ".join(["'a'"] * 900)
    assert types_in(tmp_path, f"def f(x): ...\nf({many})\nf(1)\n", "f", "x") in ("", "int | str")


HINTS = strategies.recursive(
    strategies.sampled_from(["int", "'str'", "None", "Any", "a.b", "T", "()", "...", "1", "[]"]),
    lambda inner: strategies.one_of(
        strategies.tuples(inner, inner).map(" | ".join),
        strategies.lists(inner, max_size=3).map(lambda parts: f"[{', '.join(parts)}]"),
        strategies.tuples(
            strategies.sampled_from(["list", "tuple", "Optional", "Literal", "Callable", "dict"]),
            strategies.lists(inner, min_size=1, max_size=3),
        ).map(lambda pair: f"{pair[0]}[{', '.join(pair[1])}]"),
    ),
    max_leaves=8,
)


@given(HINTS)
def test_any_hint_is_read_and_what_is_written_is_read_again(hint: str) -> None:
    types = told(hint)
    text = annotation(types)
    assert not text or told(text) == types


def test_a_program_that_calls_itself_ends(tmp_path: Path) -> None:
    code = """
        def f(x):
            return f([x])

        f(1)
        """
    assert types_in(tmp_path, code, "f", "x").startswith("int | list[int")


def test_lists_that_are_filled_later_hold_what_they_get(tmp_path: Path) -> None:
    code = """
        class Stack:
            def drain(self):
                for one in self.items:
                    f(one)

            def __init__(self):
                self.items = []

            def push(self):
                self.items.append(1)

        def f(x): ...
        """
    assert types_in(tmp_path, code, "f", "x") == "int"


Known = tuple[Naturalness, dict[str, Target]]


@pytest.fixture
def tree(tmp_path: Path) -> Known:
    program = write_program(tmp_path, {"tree.py": TREE})
    targets = find_targets(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    for made in ("Node('a')", "Node('long text')"):
        inputs.note_object("Node", made)
    inputs.note_object("Pair", "Pair(Node('a'))")
    return Naturalness(inputs, targets), {one.symbol: one for one in targets}


def test_objects_that_the_program_passes_come_first(tree: Known) -> None:
    natural, targets = tree
    pair = targets["Pair"]
    left, right = pair.parameters[:2]
    assert natural.inputs.inferred(pair, left) == "Node"
    assert natural.inputs.pool(pair, left)[0] == "Node('a')"
    assert {*natural.inputs.pool(pair, left)} <= {
        "Node('a')",
        "Node('long text')",
        "Pair(Node('a'))",
    }
    assert natural.inputs.inferred(pair, right) == "list[Node]"
    assert "[Node('a')]" in natural.inputs.pool(pair, right)


def test_what_is_not_of_the_types_that_are_passed_is_a_guess(tree: Known) -> None:
    natural, targets = tree
    good = Call(targets["Pair"], (("left", "Node('a')"), ("right", "[Node('b')]")))
    assert natural.misfit(good) == 0
    assert not natural.guesses(good)
    for name, odd in (("left", "1"), ("right", "'a'"), ("right", "[1, 2]"), ("left", "len")):
        assert natural.misfit(good.with_value(name, odd)) > 0
        assert natural.guesses(good.with_value(name, odd))
        assert natural.fits(good.with_value(name, odd))  # the user may pass it
    assert good.with_value("right", "[]") in [
        *Proposals(natural).mended(good.with_value("right", "1"))
    ] or good.with_value("right", "[Node('a')]") in [
        *Proposals(natural).mended(good.with_value("right", "1"))
    ]


def test_docstrings_defaults_and_what_the_code_asks_for_count_more(tree: Known) -> None:
    natural, targets = tree
    told, kept = targets["told"], targets["kept"]
    assert natural.inputs.inferred(told, told.parameters[0]) == ""
    counted = targets["counted"]
    assert natural.inputs.inferred(counted, counted.parameters[0]) == ""  # its keys tell more
    assert natural.inputs.known_kinds(counted, counted.parameters[0])[0] == "dict"
    several = targets["several"]
    assert "tuple" not in natural.inputs.known_kinds(several, several.parameters[0])
    call = Call(kept, (("pair", "Pair(Node('a'))"), ("keep", "1")))
    assert natural.misfit(call) == 0
    assert natural.misfit(call.with_value("keep", "None")) == 0
    assert natural.misfit(call.with_value("keep", "b'a'")) == 0
    assert natural.misfit(call.with_value("keep", "'a'")) > 0
