"""What takes the place of a call: arguments of the same kind, plain names, files one would write."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.choosing.shrinking.simpler import simpler
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.agents.offline.natural.renaming import renamed
from pytest_lift.agents.offline.natural.replacing import Replacing
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

CODE = """
    def header(array):
        return list(map(str, array))

    def shown(thing):
        return thing

    def split(pred, items):
        return [item for item in items if pred(item)]

    def applied(func, items):
        return [func(item) for item in items]

    def upper(word):
        return word.upper()

    def filled(template, values):
        return template, values[template]

    def read(stream, key):
        return dict(line.split("=") for line in stream)[key]

    def set_key(path, key):
        return path, key

    def greeting(loud):
        return "HELLO" if loud else "hello"

    def load(path: "str | os.PathLike[str]", name: str):
        return path, name
"""


@pytest.fixture
def known(tmp_path: Path) -> tuple[Naturalness, dict[str, Target]]:
    program = write_program(tmp_path, {"words.py": CODE})
    targets = find_targets(program, Resolver(program))
    natural = Naturalness(Inputs(program, random.Random(1)), targets)
    return natural, {target.symbol: target for target in targets}


@pytest.mark.parametrize(
    ("symbol", "name", "old", "new", "may"),
    [
        ("header", "array", "['l', 'r']", "'a'", False),
        ("header", "array", "['l', 'r']", "['l']", True),
        ("header", "array", "['l', 'r']", "('l',)", True),
        ("header", "array", "('l',)", "None", True),
        ("shown", "thing", "{'a': 1}", "'a'", False),
        ("shown", "thing", "{}", "'a'", True),
        ("header", "array", "[]", "'a'", False),
        ("shown", "thing", "2.5", "1", True),
        ("shown", "thing", "True", "1", True),
        ("greeting", "loud", "True", "1", False),
        ("shown", "thing", "Decimal('1')", "1", True),
        ("upper", "word", "b'x'", "'a'", True),
        ("load", "name", "'a'", "None", False),
        ("upper", "word", "{'b': [1]}", "1", True),
        ("split", "pred", "lambda value: value > 1", "len", False),
        ("split", "pred", "lambda value: value > 1", "lambda value: value", True),
        ("applied", "func", "lambda value: value > 1", "len", True),
    ],
)
def test_an_argument_stays_of_its_kind(
    known: tuple[Naturalness, dict[str, Target]],
    symbol: str,
    name: str,
    old: str,
    new: str,
    may: bool,
) -> None:
    natural, targets = known
    call = Call(targets[symbol], ((name, old),))
    other = call.with_value(name, new)
    assert Replacing(natural).may_replace(call, other) is may


NODES = """
    class Node:
        def __enter__(self):
            return self

        def __exit__(self, *exception):
            self.parent = None

        def depth(self):
            return 0

    class Store(Node):
        def close(self):
            self.parent = None

        def size(self):
            return 0
"""


@pytest.mark.parametrize(("symbol", "may"), [("Node.depth", True), ("Store.size", False)])
def test_an_object_leaves_its_block_that_holds_nothing_to_be_closed(
    tmp_path: Path, symbol: str, may: bool
) -> None:
    program = write_program(tmp_path, {"nodes.py": NODES})
    targets = {target.symbol: target for target in find_targets(program, Resolver(program))}
    natural = Naturalness(Inputs(program, random.Random(1)), list(targets.values()))
    made = Call(targets[symbol.partition(".")[0]])
    call = Call(targets[symbol], receiver=made, name="it", entered=True, interrupted=True)
    simple = [*islice(simpler(call), 2)]
    assert [(one.entered, one.interrupted) for one in simple] == [(True, False), (False, False)]
    kept = [Replacing(natural).may_replace(call, one) for one in simple]
    assert kept == [True, may]


def test_a_text_at_several_places_is_renamed_at_all_of_them(
    known: tuple[Naturalness, dict[str, Target]],
) -> None:
    targets = known[1]
    call = Call(targets["filled"], (("template", "'%)('"), ("values", "{'%)(': 1, 'b': 2}")))
    (other,) = renamed(call)
    assert other.text == "filled('name', {'name': 1, 'b': 2})"
    assert not [*renamed(call.with_value("values", "{'b': 2}"))], "it stands at one place alone"
    assert not [*renamed(other)], "names are plain"


def test_streams_and_files_are_filled_with_what_a_person_writes(
    known: tuple[Naturalness, dict[str, Target]],
) -> None:
    natural, targets = known
    natural.inputs.note(targets["read"], "stream", "StringIO('NAME=Ada\\nDEBUG=1')")
    natural.inputs.note(targets["read"], "stream", "'NAME=Ada\\nDEBUG=1'")
    natural.forget()
    odd = Call(targets["read"], (("stream", "StringIO('.e@')"), ("key", "'.e@'")))
    plain = odd.with_value("stream", "StringIO('NAME=Ada\\nDEBUG=1')")
    assert natural.filling.oddness(odd) > natural.filling.oddness(plain) == 0
    texts = [other.text for other in natural.filling.others(odd)]
    assert texts[0] == "read(StringIO('NAME=Ada\\nDEBUG=1'), '.e@')"
    asked = Call(targets["read"], (("stream", "StringIO('.e@')"), ("key", "'a'")))
    texts = [other.text for other in natural.filling.others(asked)]
    assert "read(StringIO('NAME=Ada\\nDEBUG=1'), 'NAME')" in texts
    assert not [*natural.filling.others(plain)]


def test_a_file_that_nobody_writes_gets_lines_of_its_format(
    known: tuple[Naturalness, dict[str, Target]],
) -> None:
    natural, targets = known
    values = (("path", "'input.env'"), ("key", "'a'"))
    call = Call(targets["set_key"], values, files={"input.env": "\\'"}, folder=True)
    found = [
        (other.files["input.env"], other.given["key"]) for other in natural.filling.others(call)
    ]
    assert ("NAME=Ada\nDEBUG=1\n", "'NAME'") in found
    assert not natural.filling.oddness(call.but(files={"input.env": "NAME=Ada\nDEBUG=1\n"}))
    assert not natural.filling.oddness(call.but(files={"input.json": '{"a": [1]}'}))
    assert not natural.filling.oddness(call.but(files={"input.txt": "hello\n"}))
    assert natural.filling.oddness(call.but(files={"input.env": "hello\n"})), "it sets nothing"


def test_one_answer_on_the_standard_input_is_plainer_than_several(
    known: tuple[Naturalness, dict[str, Target]],
) -> None:
    natural, targets = known
    call = Call(targets["read"], (("stream", "'a'"),), stdin="yes a\nY 3 b\n")
    texts = [other.stdin for other in natural.filling.others(call)]
    assert texts == ["yes\n", "Y\n", "yes\nY\n"]
    costs = [natural.filling.oddness(call.but(stdin=text)) for text in (*texts[1:], call.stdin)]
    assert costs == sorted(costs)
    assert costs[0] == 0
    assert not [*natural.filling.others(call.but(stdin="y\n"))]
    assert not [*natural.filling.others(call.but(stdin=" \n"))], "no answer is the end of the input"
    assert [one.stdin for one in natural.filling.others(call.but(stdin="yes a\n"))] == ["yes\n"]


def test_a_path_object_is_what_a_path_may_be(known: tuple[Naturalness, dict[str, Target]]) -> None:
    natural, targets = known
    call = Call(targets["load"], (("path", "Path('input.txt')"), ("name", "'a'")))
    assert natural.misfit(call) == 0
    assert natural.misfit(call.with_value("name", "Path('input.txt')"))


def test_an_argument_of_the_documentation_may_be_of_another_kind(
    known: tuple[Naturalness, dict[str, Target]],
) -> None:
    natural, targets = known
    call = Call(targets["header"], (("array", "['l', 'r']"),))
    assert not Replacing(natural).may_replace(call, call.with_value("array", "'abacb'"))
    natural.inputs.note(targets["header"], "array", "'abacb'")
    assert Replacing(natural).may_replace(call, call.with_value("array", "'abacb'"))


def test_a_text_takes_the_place_of_a_container_where_texts_are_documented(
    known: tuple[Naturalness, dict[str, Target]],
) -> None:
    natural, targets = known
    call = Call(targets["header"], (("array", "[]"),))
    empty = call.with_value("array", "''")
    assert empty not in Proposals(natural).mended(call)
    assert not Replacing(natural).may_replace(call, empty)
    natural.inputs.note(targets["header"], "array", "'abacb'")
    natural.forget()
    assert empty in Proposals(natural).mended(call)
    assert Replacing(natural).may_replace(call, empty)
