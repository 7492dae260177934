"""Calls of what users call take the place of calls of what these lead to."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.choosing.entrances import Entrances
from pytest_lift.agents.offline.choosing.telling import Richer
from pytest_lift.agents.offline.natural.offered import Offer
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

NOTES = """
    from io import StringIO


    class Writer:
        def encode(self, value, seen, level):
            if value in seen:
                raise ValueError("a circle")
            return f"<{value}>" * (level + 1)


    def dumps(value, loud=False):
        found = Writer().encode(value, set(), 0)
        return found.upper() if loud else found


    def dump(value, file, loud=False):
        file.write(dumps(value, loud))
"""
PLAIN = {
    "dumps": (("value", "'a'"),),
    "dump": (("value", "'a'"), ("file", "StringIO()")),
}


@pytest.fixture
def notes(tmp_path: Path) -> tuple[ProgramSearch, Mapping[str, Target]]:
    """A search that saw one plain call of each function."""
    program = write_program(tmp_path, {"notes.py": NOTES})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = find_targets(program, resolver)
    inputs, offer = Inputs(program, random.Random(1)), Offer(program, resolver)
    deadline = time.monotonic() + 60
    search = ProgramSearch(
        prober, targets, resolver, inputs, offer, random.Random(1), deadline, 100, frozenset()
    )
    by_symbol = {target.symbol: target for target in targets}
    for symbol, values in PLAIN.items():
        target = by_symbol[symbol]
        search.progress[target.key].calls.append(Call(target, values))
    inside = {("notes.py", "Writer.encode"), ("notes.py", "dumps")}
    search.progress[by_symbol["dumps"].key].functions = inside
    search.progress[by_symbol["dump"].key].functions = inside | {("notes.py", "dump")}
    search.progress[by_symbol["Writer.encode"].key].functions = {("notes.py", "Writer.encode")}
    return search, by_symbol


def others(search: ProgramSearch, call: Call) -> list[str]:
    case = search.write(call)
    assert case is not None
    seen = search.prober.observe([case], 10)[case.key]
    kept = KeptCase(case, seen, call)
    found = [one.text for one in Entrances(search).others(kept)]
    assert {*found} <= {one.text for one in Richer(search).calls(kept)}
    return found


def test_arguments_go_in_through_the_functions_that_lead_there(
    notes: tuple[ProgramSearch, Mapping[str, Target]],
) -> None:
    search, targets = notes
    values = (("value", "'\\t'"), ("seen", "set()"), ("level", "0"))
    call = Call(targets["Writer.encode"], values, receiver=Call(targets["Writer"]))
    found = others(search, call)
    assert "dumps('\\t')" in found
    assert "dump('\\t', StringIO())" in found
    assert "dumps(set())" not in found, "what does nothing special is not handed on"


def test_a_function_inside_needs_fewer_arguments(
    notes: tuple[ProgramSearch, Mapping[str, Target]],
) -> None:
    search, targets = notes
    values = (("value", "'b'"), ("file", "StringIO()"), ("loud", "True"))
    assert "dumps('b', loud=True)" in others(search, Call(targets["dump"], values))


def test_a_function_is_no_entrance_to_what_leads_to_it(
    notes: tuple[ProgramSearch, Mapping[str, Target]],
) -> None:
    search, targets = notes
    found = others(search, Call(targets["dumps"], (("value", "'b'"),)))
    assert found == ["dump('b', StringIO())", "dump('a', 'b')"]
