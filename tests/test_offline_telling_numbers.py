"""What is done to numbers is shown on those where it shows."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.call_sites import CallSites
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.known.made import MadeObjects
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.agents.offline.natural.values import telling_numbers
from pytest_lift.agents.offline.natural.values.plain_numbers import shortened
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

Values = tuple[tuple[str, str], ...]

CODE = """
    class Length:
        def __init__(self, data, unit):
            self.data = data
            self.unit = unit

        def max(self):
            return max(self.data)

        def __round__(self):
            return Length([round(one) for one in self.data], self.unit)


    def nonzero(data):
        return [at for at, one in enumerate(data) if one]


    def scaled(data):
        return [2 * one for one in data]


    GRAVITY = Length(9.80665, "m/s**2")
    NAMELESS = Length([], "")
    MASK = Length(65535, "m")
"""


VECTORS = """
    class Vector:
        def __init__(self, x=0, y=0.0):
            self.x, self.y = x, y

        def __neg__(self):
            return Vector(-self.x, -self.y)

    class Box:
        def __init__(self, size=0, name="a"):
            self.size, self.name = size, name

        def __neg__(self):
            return Box(-self.size)
"""


@pytest.fixture
def known(tmp_path: Path) -> tuple[Naturalness, dict[str, Target]]:
    program = write_program(tmp_path, {"lengths.py": CODE})
    targets = find_targets(program, Resolver(program))
    natural = Naturalness(Inputs(program, random.Random(1)), targets)
    return natural, {one.symbol: one for one in targets}


def on_length(targets: dict[str, Target], name: str, data: str) -> Call:
    made = Call(targets["Length"], (("data", data), ("unit", "'m'")))
    return Call(targets[name], (), receiver=made)


@pytest.mark.parametrize(
    ("name", "data", "better"),
    [
        ("Length.max", "1", "[1, 2, 3]"),
        ("Length.max", "[2, 2]", "[1, 2, 3]"),
        ("Length.__round__", "[1, 2, 3]", "[1.2, 2.7]"),
        ("Length.__round__", "2", "2.7"),
    ],
)
def test_numbers_that_show_what_is_done_to_them_are_proposed(
    known: tuple[Naturalness, dict[str, Target]], name: str, data: str, better: str
) -> None:
    natural, targets = known
    call = on_length(targets, name, data)
    other = on_length(targets, name, better)
    assert other in Proposals(natural).mended(call)
    assert natural.oddness(call) > natural.oddness(other)
    assert not telling_numbers.oddness(other)


def test_numbers_that_show_it_and_other_functions_are_left_alone(
    known: tuple[Naturalness, dict[str, Target]],
) -> None:
    _, targets = known
    plain = [
        Call(targets["nonzero"], (("data", "[0, 1]"),)),
        Call(targets["nonzero"], (("data", "'a'"),)),
        Call(targets["scaled"], (("data", "[1, 1]"),)),
    ]
    assert not [call for call in plain if telling_numbers.oddness(call)]
    call = Call(targets["nonzero"], (("data", "[1, 2]"),))
    assert call.with_value("data", "[0, 1, 2]") in telling_numbers.variants(call)


def test_what_is_empty_or_long_is_not_typed_because_the_program_has_it(
    known: tuple[Naturalness, dict[str, Target]],
) -> None:
    natural, targets = known
    length = targets["Length"]
    for name, value in (("data", "9.80665"), ("unit", "''"), ("unit", "'m'")):
        natural.inputs.note_used(length, name, value)
    assert natural.typed(length, "data") == ()
    assert natural.typed(length, "unit") == ("'m'",)
    call = Call(length, (("data", "9.80665"), ("unit", "'m'")))
    assert natural.oddness(call.with_value("data", "9.8")) <= natural.oddness(call)
    natural.inputs.note(length, "data", "-123456")
    natural.inputs.note(length, "unit", "''")
    natural.forget()
    assert natural.typed(length, "unit") == ("''", "'m'")
    assert natural.typed(length, "data") == ("-123456",)  # the documentation has it


@pytest.mark.parametrize(
    ("number", "plain"),
    [(9.80665, 9.8), (6.62607015e-34, 1.5), (1.23456e-05, 1.2e-05), (12345.678, 12000.0),
     (-0.66667, -0.67), (149597870700.0, 1.5), (0.5, 0.5)],
)  # fmt: skip
def test_numbers_of_many_digits_are_shortened(number: float, plain: float) -> None:
    assert shortened(number) == plain


def test_calls_of_the_program_have_numbers_that_a_person_types(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"lengths.py": CODE})
    resolver = Resolver(program)
    calls = CallSites(program, find_targets(program, resolver), resolver).calls()
    found = [call.text for call in calls]
    assert "Length(9.8, 'm/s**2')" in found
    assert "Length(65535, 'm')" in found  # it may be a mask


def test_what_no_name_makes_is_of_no_class() -> None:
    made = MadeObjects()
    made.note("Color", "Color.RED", 0.0)
    made.note("Length", "Length(1, 'm')", 0.0)
    assert made.made_by("") == ""
    assert made.made_by("Length") == "Length"


@pytest.mark.parametrize(
    ("name", "given", "better"),
    [
        ("Vector", (), (("x", "1"), ("y", "2.0"))),
        ("Vector", (("y", "5"),), (("x", "1"), ("y", "2.0"))),
        ("Vector", (("x", "3"), ("y", "5")), None),
        ("Box", (), None),
    ],
)
def test_objects_of_numbers_have_different_ones(
    tmp_path: Path, name: str, given: Values, better: Values | None
) -> None:
    program = write_program(tmp_path, {"vectors.py": VECTORS})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    call = Call(targets[f"{name}.__neg__"], receiver=Call(targets[name], given))
    found = [one.receiver.values for one in telling_numbers.variants(call) if one.receiver]
    assert found == ([] if better is None else [better])
    assert bool(telling_numbers.oddness(call)) is (better is not None)
