"""What a function takes apart into names gets several values, and no text."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.fitting.fitness import Fitness
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

CODE = """
    def shown(pair):
        name, port = pair
        return f"{name}:{port}"


    def parted(text):
        text = text.split("@")
        name, place = text
        return place
"""

Known = tuple[Fitness, dict[str, Target]]


@pytest.fixture
def known(tmp_path: Path) -> Known:
    program = write_program(tmp_path, {"pairs.py": CODE})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    return Fitness(Inputs(program, random.Random(1)), {}), targets


def test_a_tuple_takes_the_place_of_a_text(known: Known) -> None:
    fitness, targets = known
    call = Call(targets["shown"], (("pair", "', '"),))
    assert fitness.misfit(call.target, "pair", "', '") == 1
    other, same = fitness.unpacked.variants(call)
    assert other.text == "shown(('a', 8080))"
    assert same.text == "shown((',', ' '))"
    assert not fitness.misfit(other.target, "pair", other.given["pair"])


def test_a_parameter_that_is_set_before_may_be_a_text(known: Known) -> None:
    fitness, targets = known
    call = Call(targets["parted"], (("text", "'a@b'"),))
    assert not fitness.misfit(call.target, "text", "'a@b'")
    assert not [*fitness.unpacked.variants(call)]
