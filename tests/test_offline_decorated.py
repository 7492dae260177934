"""Functions with the program's own decorators, for what looks for the marks that these set."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.ducks.marks import Marks
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.choosing.setups.pruning import smaller
from pytest_lift.agents.offline.natural.fitting.fitness import Fitness
from pytest_lift.calls.definitions import LocalDefinition, is_named_after_decorator
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, walked

PLUGINS = """
    def _inner(member):
        return member.__func__ if isinstance(member, classmethod) else member

    def _set(member, attribute, value):
        setattr(_inner(member), attribute, value)

    def _get(member, attribute, default=None):
        found = _inner(member)
        return getattr(found, attribute, default)

    def set_hidden(member, hidden=True):
        _set(member, "_hidden", hidden)

    def hidden(member):
        set_hidden(member)
        return member

    def retried(times=3, why=None):
        def decorate(function):
            function._times = times
            return function
        return decorate

    def again(why):
        return retried(times=2)

    def is_hidden(member: object) -> bool:
        return bool(_get(member, "_hidden"))

    def run(work):
        return [work(1) for _ in range(work._times)]

    def title(name):
        name.owner = None
        return name.upper()

    def named(member):
        member.__doc__ = "told"
        return member

    def told(member):
        return member.__doc__
"""


def plugins(folder: Path) -> tuple[Program, Inputs, dict[str, Target], dict[str, LocalDefinition]]:
    program = write_program(folder, {"plugins.py": PLUGINS})
    resolver = Resolver(program)
    targets = {one.symbol: one for one in find_targets(program, resolver)}
    inputs = Inputs(program, random.Random(1))
    values = inputs.fitting_values
    found = inputs.decorated.definitions([*targets.values()], resolver, values)
    inputs.definitions.known.update(found)
    return program, inputs, targets, found


def test_what_decorators_set_and_functions_read_is_followed_through_calls(tmp_path: Path) -> None:
    program = plugins(tmp_path)[0]
    marks = Marks(program)
    nodes = {
        one.name: one
        for one in walked(program.files["plugins.py"].tree)
        if isinstance(one, FunctionNode)
    }
    assert marks.set == {"_hidden", "_times", "owner"}
    assert marks.set_by(nodes["hidden"]) == {"_hidden"}
    assert marks.set_by(nodes["retried"]) == {"_times"} == marks.set_by(nodes["again"])
    assert marks.set_by(nodes["set_hidden"]) == frozenset()  # it gives nothing back
    assert [marks.is_given(nodes[one]) for one in ("hidden", "retried")] == [True, False]
    assert marks.read(nodes["is_hidden"], "member") == {"_hidden"}
    assert marks.read(nodes["run"], "work") == {"_times"}
    assert marks.read(nodes["told"], "member") == frozenset()  # all functions have it


def test_functions_are_decorated_without_options_and_with_each(tmp_path: Path) -> None:
    _, inputs, targets, found = plugins(tmp_path)
    assert {one.source.partition("\n")[0] for one in found.values()} >= {
        "@hidden",
        "@retried()",
        "@retried(times=1)",
    }
    assert found["with_hidden"].imports == ("from plugins import hidden",)
    assert "def with_retried(value):" in found["with_retried"].source  # it is called with one
    assert "def with_hidden():" in found["with_hidden"].source
    for name, first in (("is_hidden", "with_hidden"), ("run", "with_retried")):
        assert inputs.pool(targets[name], targets[name].parameters[0])[0] == first


@pytest.mark.parametrize(
    ("value", "fits"), [("with_hidden", 0.0), ("1", 1.0), ("'a'", 1.0), ("with_retried", 0.4)]
)
def test_what_a_mark_is_looked_for_in_is_a_marked_function(
    tmp_path: Path, value: str, fits: float
) -> None:
    _, inputs, targets, _ = plugins(tmp_path)
    assert Fitness(inputs, {}).misfit(targets["is_hidden"], "member", value) == fits


def test_no_function_has_the_name_of_another_one(tmp_path: Path) -> None:
    taken = PLUGINS + "\n    def with_hidden(member):\n        return member\n"
    program = write_program(tmp_path, {"plugins.py": taken})
    resolver, inputs = Resolver(program), Inputs(program, random.Random(1))
    targets = find_targets(program, resolver)
    known = {"with_retried_times"}
    values = inputs.fitting_values
    found = inputs.decorated.definitions(targets, resolver, values, known)
    assert "with_retried" in found
    assert found.keys().isdisjoint({"with_hidden", *known})


@pytest.mark.parametrize(
    ("decorator", "name", "keeps"),
    [
        ("retried(times=1)", "with_retried_times", True),
        ("with_retries(1)", "function_with_retries", True),
        ("retried(times=1)", "greet", False),
        ("a", "say_hello", False),
        ("(lambda f: f)", "hello", False),
        ("app.get(times=1)", "get_user", False),
    ],
)
def test_a_function_keeps_the_decorators_that_its_name_tells(
    decorator: str, name: str, keeps: bool
) -> None:
    (node,) = ast.parse(f"@{decorator}\ndef {name}():\n    return 1").body
    assert is_named_after_decorator(node) is keeps
    assert ([*smaller(ast.unparse(node))] == []) is keeps
