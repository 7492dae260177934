"""Objects that make a random generator for themselves get a seeded one in a test."""

from __future__ import annotations

import random
from pathlib import Path

from offline_program import write_program
from offline_ways import ways_of

from pytest_lift.agents.offline.stories.chance import is_seed, seeding_lines
from pytest_lift.agents.offline.stories.objects import Objects
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

GAME = {
    "game.py": """
        import random

        import numpy as np


        class Table:
            def __init__(self):
                self.np_random = np.random.RandomState()
                self._hidden = random.Random()
                self.fixed = random.Random(3)


        class Game(Table):
            def __init__(self, seed=None, size=None):
                super().__init__()
                self.dice = random.Random()

            def roll(self):
                return self.dice.randint(1, 6)
    """
}


def test_generators_without_a_seed_are_replaced_in_the_test(tmp_path: Path) -> None:
    program = write_program(tmp_path, GAME)
    resolver = Resolver(program)
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    lines = seeding_lines(program, list(targets.values()))
    assert [call.target.leaf for call in lines["game.py:Game"]] == ["dice", "np_random"]
    assert [call.target.leaf for call in lines["game.py:Table"]] == ["np_random"]
    objects = Objects(list(targets.values()), ways_of(program), random.Random(1))
    call = objects.prepared(targets["Game.roll"], lambda target, share: None)
    case = as_case(call, resolver)
    assert case is not None
    assert case.source.splitlines() == [
        "game = Game()",
        "game.dice = Random(1)",
        "game.np_random = np.random.RandomState(1)",
        "game.roll()",
    ]


def test_a_parameter_for_a_seed_is_known_by_name_and_default(tmp_path: Path) -> None:
    program = write_program(tmp_path, GAME)
    targets = find_targets(program, Resolver(program))
    game = next(target for target in targets if target.symbol == "Game")
    assert [is_seed(parameter) for parameter in game.parameters] == [True, False]
