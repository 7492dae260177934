"""A text that is cut at a mark has the mark."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.agents.offline.natural.values.cut_texts import WHOLE
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

CODE = """
    def to_list(value=None, sep=",", strict=False):
        def cut(value):
            return value.split(sep)

        return cut if value is None else cut(value)


    def host(url: str):
        return url.strip().partition("@")[2]


    def words(line, other):
        return line.split(), other.split("")


    def fields(line: str, x="-"):
        return line.rsplit(sep=";", maxsplit=1), x


    def letters(line: str, x="-"):
        return line.split("x"), x


    def parts(name: str, _="-"):
        return name.split("_"), _
"""


@pytest.fixture
def known(tmp_path: Path) -> tuple[Naturalness, dict[str, Target]]:
    program = write_program(tmp_path, {"cutting.py": CODE})
    targets = find_targets(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    return Naturalness(inputs, targets), {target.symbol: target for target in targets}


@pytest.mark.parametrize(
    ("symbol", "values", "instead"),
    [
        ("to_list", {"value": "'a'"}, "'a,b'"),
        ("to_list", {"value": "'a,b'"}, ""),
        ("to_list", {"value": "'a,b'", "sep": "';'"}, "'a;b'"),
        ("to_list", {"value": "None"}, ""),
        ("host", {"url": "'hello'"}, "'a@b'"),
        ("fields", {"line": "'hello'"}, "'a;b'"),
        ("letters", {"line": "'hello'"}, ""),
        ("parts", {"name": "'hello'"}, "'a_b'"),
        ("parts", {"name": "'hello'", "_": "'.'"}, "'a_b'"),
        ("words", {"line": "'hello'", "other": "'hello'"}, ""),
    ],
)
def test_a_text_without_the_mark_costs_and_one_with_it_is_proposed(
    known: tuple[Naturalness, dict[str, Target]], symbol: str, values: dict[str, str], instead: str
) -> None:
    natural, targets = known
    call = Call(targets[symbol], tuple(values.items()))
    first = next(iter(values))
    proposed = [one.given[first] for one in natural.cut_texts.variants(call)]
    assert proposed == [one for one in [instead] if one]
    assert natural.cut_texts.oddness(call) == (WHOLE if instead else 0.0)
    assert {*proposed} <= {one.given[first] for one in Proposals(natural).mended(call)}
