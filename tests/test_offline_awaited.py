"""What a function returns to be awaited is awaited in its test, too."""

from __future__ import annotations

from pathlib import Path

import pytest
from jails import best_jail
from offline_program import brief, write_program

from pytest_lift.agents.offline.choosing.steady import stable
from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.agents.offline.writing.oracles.verifying import verify
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober

SENDING = """
    class Sent:
        __slots__ = ()


    def send(stream, text):
        return _send(stream, text)


    async def _send(stream, text):
        stream.write(text + "!")
        return Sent()


    def names(stream, text):
        return _names(stream, text)


    async def _names(stream, text):
        stream.write(text)
        return list({*text.split()})
"""
POOL = """
    class Pool:
        def __init__(self):
            self.jobs = []
            self.done = []

        def add(self, name: str):
            self.jobs.append(name)
            return self._add(name)

        async def _add(self, name):
            self.done.append(name)
"""


@pytest.mark.parametrize(
    "call",
    ["send(stream, 'a')", "names(stream, 'a b c d')"],
)
def test_what_nothing_can_be_told_of_is_awaited(tmp_path: Path, call: str) -> None:
    program = write_program(tmp_path, {"sending.py": SENDING})
    checked = (Step(one, check=True) for one in (call, "stream.getvalue()"))
    steps = (Step("stream = io.StringIO()"), *checked)
    lines = ("import io", f"from sending import {call.partition('(')[0]}")
    case = Case("sending.py", call.partition("(")[0], steps, lines)
    prober = Prober(tmp_path, program, best_jail())
    item = verify(case, stable([case], prober)[case.key], program, Resolver(program))
    assert item is not None
    assert item.checks[1] == StepCheck("none", f"asyncio.run({call})")
    assert item.checks[2].form == "equals"
    assert "import asyncio" in item.imports


def test_what_an_object_shows_before_its_work_is_done_is_not_asserted(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"pool.py": POOL})
    text = "\n".join(generator(brief(tmp_path, program)).files.values())
    assert "assert pool.jobs == " not in text
    assert all("asyncio.run(" in line for line in text.splitlines() if ".add(" in line)
