"""Methods that assign what another one reads come before it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import write_program
from offline_ways import ways_of

from pytest_lift.agents.offline.arguments.inference import Inference
from pytest_lift.agents.offline.stories.objects import Objects
from pytest_lift.agents.offline.stories.preparing import preparing
from pytest_lift.calls.call import Call, setup
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.program import Program

LAYER = """
    class Layer:
        def __init__(self, size):
            self.size = size
            self.rows = []
            self.seen = {}

        def forward(self, value):
            self.value = value
            return value * self.size

        def backward(self):
            return self.value + len(self.rows)

        def add(me, row):
            me.rows.append(row)

        def note(self, key):
            self.seen[key] = 1

        def known(self):
            return list(self.seen)

        def grow(self, by):
            self.size += by

        def hello(self):
            return "hello"

    class Other:
        def forward(self, value):
            self.value = value
    """

CHECKER = """
    class Checker:
        names = ()

        @classmethod
        def configure(cls, names):
            cls.names = set(names)

        @classmethod
        def known(cls):
            return sorted(cls.names)

        def run(self, word):
            return self.check(word)

        def check(self, word):
            return word in self.names
    """


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return write_program(tmp_path, {"layer.py": LAYER})


def targets_of(program: Program) -> list[Target]:
    return find_targets(program, Resolver(program))


def test_methods_are_prepared_by_those_that_fill_what_they_read(program: Program) -> None:
    targets = targets_of(program)
    found = preparing(targets, Inference(program).functions)
    leaves = {key.rpartition(":")[2]: [t.leaf for t in v] for key, v in found.items()}
    assert leaves == {
        "Layer.backward": ["forward", "add"],
        "Layer.forward": ["grow"],
        "Layer.known": ["note"],
    }


def test_some_new_calls_follow_one_that_prepares_them(program: Program) -> None:
    targets = {target.symbol: target for target in targets_of(program)}
    objects = Objects(list(targets.values()), ways_of(program), random.Random(1))

    def fresh(target: Target, _: float = 0.0) -> Call:
        return objects.prepared(target, fresh)

    calls = [fresh(targets["Layer.backward"]) for _ in range(100)]
    before = [tuple(line.target.leaf for line in call.before) for call in calls]
    assert 15 < sum(bool(lines) for lines in before) < 60
    assert {lines for lines in before if lines} >= {("forward",), ("add",)}
    assert all(line.subject == call.name for call in calls for line in call.before)
    assert not any(fresh(targets["Layer.hello"]).before for _ in range(50))


def test_methods_that_fill_by_private_ones_prepare_those_that_read_by_others(
    tmp_path: Path,
) -> None:
    code = """
        class Bell:
            def __init__(self):
                self._heard = {}

            def once(self, name, function):
                self._add(name, function)

            def hush(self):
                self._clear()

            def _clear(self):
                self._heard = {}

            def _add(self, name, function):
                self._heard.setdefault(name, {})
                self._heard[name][function] = 1

            def ring(self, name):
                return self._call(name)

            def _call(self, name):
                return len(self._of(name))

            def _of(self, name):
                return self._heard.get(name, {})
        """
    program = write_program(tmp_path, {"bell.py": code})
    found = preparing(targets_of(program), Inference(program).functions)
    assert {key: [t.leaf for t in v] for key, v in found.items()} == {"bell.py:Bell.ring": ["once"]}


def test_class_methods_prepare_what_reads_the_class_also_in_methods_that_it_uses(
    tmp_path: Path,
) -> None:
    program = write_program(tmp_path, {"checker.py": CHECKER})
    targets = {target.symbol: target for target in targets_of(program)}
    found = preparing([*targets.values()], Inference(program).functions)
    leaves = {key.rpartition(":")[2]: [t.leaf for t in v] for key, v in found.items()}
    assert leaves == {"Checker.check": ["configure"], "Checker.run": ["configure"]}
    objects = Objects([*targets.values()], ways_of(program), random.Random(1))

    def fresh(target: Target, _: float = 0.0) -> Call:
        made = objects.prepared(target, fresh)
        return made.but(values=tuple((one.name, "'a'") for one in target.parameters))

    stories = [setup(fresh(targets["Checker.run"])) for _ in range(50)]
    assert ["checker = Checker()", "Checker.configure('a')"] in stories
