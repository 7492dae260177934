"""What ``*args`` and ``**kwargs`` stand for that a program hands on to a library."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.search.making import is_settable
from pytest_lift.calls.call import Call, expression
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.survey import Survey, survey
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.program import Program

PROGRAM = {
    "words/__init__.py": "",
    "words/nodes.py": """
        import json
        import textwrap

        import yaml


        class Counted:
            def __init__(self, *args, counted=False, **kwargs):
                super().__init__(*args, **kwargs)
                self.counted = counted


        class Word(Counted, yaml.ScalarNode):
            def __init__(self, *args, plain=True, **kwargs):
                super().__init__(*args, **kwargs)
                self.plain = plain and self.style is None


        class Named(Word):
            pass


        class Tagged(yaml.ScalarNode):
            def __init__(self, *args, **kwargs):
                super().__init__("!word", *args, **kwargs)


        def dumped(thing, **options):
            return json.dumps(thing, indent=2, **options)


        def folded(*args):
            return textwrap.fill(*args)


        class Calling:
            def __call__(self, *values):
                return values

            def __eq__(self, other):
                return isinstance(other, Calling)


        call = Calling()


        def called(**options):
            return call(1, **options)


        def titled(title="a title", *args):
            return title, textwrap.shorten(*args)


        class Leaf:
            def __init__(self, wildcard: bool, delimiter: str):
                self.wildcard, self.delimiter = wildcard, delimiter


        class NamedLeaf(Leaf):
            def __init__(self, name: str, *args):
                super().__init__(*args)
                self.name = name


        def applied(told, *args):
            return told(*args)


        def traced(function):
            def inner(*args, **kwargs):
                return function(*args, **kwargs)
            return inner


        def told(node: yaml.Node):
            return node.tag
        """,
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Program, Survey, dict[str, Target]]:
    root: Path = tmp_path_factory.mktemp("words")
    program = write_program(root, PROGRAM)
    known = survey(program, root, best_jail(), 20.0)
    targets = find_targets(program, Resolver(program), known)
    return program, known, {target.symbol: target for target in targets}


def test_a_constructor_takes_what_a_base_of_a_library_takes(
    found: tuple[Program, Survey, dict[str, Target]],
) -> None:
    word = found[2]["Word"]
    assert [(one.name, one.kind) for one in word.parameters] == [
        ("tag", "positional"),
        ("value", "positional"),
        ("start_mark", "positional"),
        ("end_mark", "positional"),
        ("style", "positional"),
        ("plain", "keyword"),
        ("counted", "keyword"),
    ]
    call = Call(word, (("tag", "'!w'"), ("value", "'tea'"), ("plain", "False")))
    assert expression(call) == "Word('!w', 'tea', plain=False)"


def test_a_class_without_a_constructor_of_its_own_takes_the_same(
    found: tuple[Program, Survey, dict[str, Target]],
) -> None:
    assert found[2]["Named"].parameters == found[2]["Word"].parameters


def test_what_is_given_there_already_is_not_taken(
    found: tuple[Program, Survey, dict[str, Target]],
) -> None:
    assert found[2]["Tagged"].parameters[0].name == "value"


def test_a_function_takes_by_name_or_by_place_what_it_hands_on_so(
    found: tuple[Program, Survey, dict[str, Target]],
) -> None:
    dumped = [(one.name, one.kind) for one in found[2]["dumped"].parameters]
    assert ("skipkeys", "keyword") in dumped
    assert "indent" not in dict(dumped)
    folded = [(one.name, one.kind) for one in found[2]["folded"].parameters]
    assert folded == [("text", "positional-only"), ("width", "positional-only")]
    assert [one.name for one in found[2]["traced"].parameters] == ["function"]


def test_what_stands_before_arguments_by_place_has_to_be_given(
    found: tuple[Program, Survey, dict[str, Target]],
) -> None:
    titled = found[2]["titled"]
    assert [(one.name, one.default) for one in titled.parameters][:1] == [("title", None)]
    call = Call(titled, (("title", "'tea'"), ("text", "'a cup'"), ("width", "9")))
    assert expression(call).startswith("titled('tea', 'a cup'")


def test_what_is_handed_on_to_the_program_itself_by_place_is_known(
    found: tuple[Program, Survey, dict[str, Target]],
) -> None:
    leaf = found[2]["NamedLeaf"].parameters
    assert [(one.name, one.annotation) for one in leaf] == [
        ("name", "str"),
        ("wildcard", "bool"),
        ("delimiter", "str"),
    ]
    applied = [one.name for one in found[2]["applied"].parameters]
    assert applied == ["told", "args"], "what is called is an argument"


def test_options_that_the_program_does_not_read_are_left_to_those_who_give_them(
    found: tuple[Program, Survey, dict[str, Target]],
) -> None:
    settable = [one.name for one in found[2]["Word"].parameters if is_settable(one)]
    assert settable == ["tag", "value", "style", "plain", "counted"]


def test_an_object_of_a_class_of_a_library_is_one_of_a_class_derived_from_it(
    found: tuple[Program, Survey, dict[str, Target]],
) -> None:
    program, known, _ = found
    inputs = Inputs(program, random.Random(1), library_bases=known.library_bases)
    inputs.objects.add({"Word": ["Word('!w', 'tea')"]})
    assert inputs.annotations.values("yaml.Node") == ["Word('!w', 'tea')"]
    assert inputs.annotations.fits("yaml.Node", "Word('!w', 'tea')")
    assert not inputs.annotations.fits("yaml.Node", "'tea'")
    assert not inputs.annotations.fits("list[yaml.Node]", "[1, 2]")
