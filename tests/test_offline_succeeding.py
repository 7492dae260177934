"""What only calls that fail have is tried on calls that succeed, with plain values for the error."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.choosing.options.succeeding import succeeding
from pytest_lift.agents.offline.natural.fitting.fitness import Fitness
from pytest_lift.agents.offline.natural.fitting.wrong_values import misfits, variants
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Observation, Outcome, Raised
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

FAILED = Raised("ValueError", "builtins", "no size", "crates.py", 4, explicit=True)

Kept = Callable[..., KeptCase]


@pytest.fixture
def targets(tmp_path: Path) -> dict[str, Target]:
    code = """
        class Crate:
            def __init__(self, size, label=None, lid=False):
                if size < 0:
                    raise ValueError("no size")
                self.label = label or "crate"

            def told(self):
                return self.label
    """
    program = write_program(tmp_path, {"crates.py": code})
    return {one.symbol: one for one in find_targets(program, Resolver(program))}


@pytest.fixture
def kept(targets: dict[str, Target], tmp_path: Path) -> Kept:
    resolver = Resolver(write_program(tmp_path, {"crates.py": "class Crate: pass"}))

    def case_of(call: Call, raised: Raised | None = None) -> KeptCase:
        case = as_case(call, resolver, priced=False)
        assert case is not None
        return KeptCase(case, Observation((Outcome(raised=raised),)), call)

    return case_of


def test_options_of_a_call_that_fails_go_to_those_that_succeed(
    targets: dict[str, Target], kept: Kept
) -> None:
    made = Call(targets["Crate"], (("size", "2"),))
    told = Call(targets["Crate.told"], receiver=made)
    failing = Call(targets["Crate"], (("size", "-1"), ("label", "'a'"), ("lid", "True")))
    cases = [kept(failing, FAILED), kept(made), kept(told)]
    found = [call.text for call in succeeding(cases, lambda _: ())]
    assert found == [
        "Crate(2, label='a', lid=True)",
        "Crate(-1)",
        "Crate(2, label='a')",
        "Crate(2, lid=True)",
        "Crate(2, label='a', lid=True).told()",
        "Crate(-1).told()",
        "Crate(2, label='a').told()",
        "Crate(2, lid=True).told()",
    ]


def test_known_calls_come_first(targets: dict[str, Target], kept: Kept) -> None:
    known = Call(targets["Crate"], (("size", "7"),))
    failing = Call(targets["Crate"], (("size", "-1"), ("label", "'a'")))
    found = succeeding([kept(failing, FAILED)], lambda _: [known])
    assert next(found).text == "Crate(-1)"
    assert next(found).text == "Crate(7, label='a')"


@pytest.fixture
def area(tmp_path: Path) -> tuple[Target, Fitness]:
    code = "def area(width: int, unit: str, told=None):\n    return told or width"
    program = write_program(tmp_path, {"sizes.py": code})
    (target,) = find_targets(program, Resolver(program))
    return target, Fitness(Inputs(program, random.Random(1)), {})


def test_what_is_refused_is_a_plain_value_of_a_wrong_kind(area: tuple[Target, Fitness]) -> None:
    target, fitness = area
    call = Call(target, (("width", "iter([1])"), ("unit", "'b'"), ("told", "say_hello")))
    found = [one.text for one in variants(call, fitness)]
    assert found[:3] == [f"area({w}, 'b', told=say_hello)" for w in ("'a'", "1", "None")]
    assert found[3:] == [f"area(iter([1]), 'b', told={w})" for w in ("'a'", "1", "None")]


def test_a_value_of_a_wrong_kind_stands_for_each_argument(area: tuple[Target, Fitness]) -> None:
    target, fitness = area
    found = [one.text for one in misfits(Call(target, (("width", "2"), ("unit", "'m'"))), fitness)]
    assert found == ["area('a', 'm')", "area(None, 'm')", "area(2, 1)", "area(2, None)"]
