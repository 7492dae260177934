"""Names and values that a program takes together are as many."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.paired import UNEQUAL
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

SHEETS = """
    class Sheet:
        def line(self, names, data):
            return dict(zip(names, data))

        def lines(self, names, data):
            return [dict(zip(names, row)) for row in data]


    class PlainSheet(Sheet):
        def line(self, names, data):
            return " ".join(data)


    def shown(data, names):
        sheet = Sheet()
        return sheet.line(names, data)


    def weighted(xs, weights):
        return sum(xs[i] * weights[i] for i in range(len(xs)))


    def scaled(xs, weights):
        found = [0 for _ in xs]
        for i in range(len(xs)):
            found[i] = xs[i] * weights[i]
        return found


    def in_turn(xs, weights):
        for i in range(len(xs)):
            print(xs[i])
        return [weights[i] for i in range(len(weights))]


    def apart(xs, weights):
        return len(xs), len(weights)
"""
Known = tuple[Naturalness, dict[str, Call]]


@pytest.fixture
def known(tmp_path: Path) -> Known:
    program = write_program(tmp_path, {"sheets.py": SHEETS})
    targets = find_targets(program, Resolver(program))
    natural = Naturalness(Inputs(program, random.Random(1)), targets)
    return natural, {target.symbol: Call(target) for target in targets}


def with_values(known: Known, symbol: str, *values: str) -> Call:
    call = known[1][symbol]
    names = [parameter.name for parameter in call.target.parameters]
    return call.but(values=tuple(zip(names, values, strict=True)))


@pytest.mark.parametrize(
    ("symbol", "values", "proposed"),
    [
        ("Sheet.line", ("['hello']", "[2, 3]"), ("['hello']", "[2]")),
        ("Sheet.line", ("[]", "[2, 3]"), ("['a', 'b']", "[2, 3]")),
        ("Sheet.lines", ("['hello']", "[[], [2, 3]]"), ("['hello', 'a']", "[[1, 2], [2, 3]]")),
        ("PlainSheet.line", ("['hello']", "['a', 'b']"), ("['hello']", "['a']")),
        ("shown", ("[2, 3]", "['hello']"), ("[2]", "['hello']")),
        ("weighted", ("[1, 2, 3]", "[1.5]"), ("[1]", "[1.5]")),
        ("scaled", ("[1, 2, 3]", "[1.5]"), ("[1]", "[1.5]")),
    ],
)
def test_what_is_taken_together_is_as_many(
    known: Known, symbol: str, values: tuple[str, str], proposed: tuple[str, str]
) -> None:
    natural, _ = known
    call, fitting = (with_values(known, symbol, *given) for given in (values, proposed))
    assert natural.paired.oddness(call) == UNEQUAL
    assert natural.paired.oddness(fitting) == 0
    assert fitting in Proposals(natural).mended(call)


def test_other_lists_may_have_any_length(known: Known) -> None:
    natural, _ = known
    assert natural.paired.oddness(with_values(known, "apart", "[1, 2, 3]", "[1.5]")) == 0
    assert natural.paired.oddness(with_values(known, "in_turn", "[1, 2, 3]", "[1.5]")) == 0
    assert natural.paired.oddness(with_values(known, "shown", "range(3)", "['a']")) == 0


def test_a_dict_beside_a_text_has_the_names_in_it(tmp_path: Path) -> None:
    formulas = """
        class Formula:
            def __init__(self, names):
                self.names = dict(names.items())

            def value(self, text):
                return [self.names[one] for one in text.split("+")]
    """
    program = write_program(tmp_path, {"formulas.py": formulas})
    made, value = (Call(one) for one in find_targets(program, Resolver(program)))
    natural = Naturalness(Inputs(program, random.Random(1)), [made.target, value.target])
    call = value.but(
        values=(("text", "'a + max(b.c, 3)'"),), receiver=made.but(values=(("names", "str"),))
    )
    receivers = [one.receiver for one in Proposals(natural).mended(call)]
    assert made.but(values=(("names", "{'a': 1, 'b': 1}"),)) in receivers
