"""What a function returns to be awaited is awaited in its test, too."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import brief, write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.choosing.steady import stable
from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.natural.values.failing import failing_functions
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.agents.offline.writing.oracles.verifying import verify
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets

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
WAITING = """
    import asyncio
    from typing import Any, Coroutine, Optional


    async def bounded(seconds, thing):
        try:
            return await asyncio.wait_for(thing, seconds)
        except Exception:
            return None


    def hinted(job: Coroutine[Any, Any, int], name: Optional[str] = None):
        return asyncio.create_task(job, name=name)


    async def known(coro):
        return await coro


    async def each(texts, callback):
        return [await callback(text) for text in texts]
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
    ("symbol", "parameter"), [("bounded", "thing"), ("hinted", "job"), ("known", "coro")]
)
def test_what_is_awaited_is_a_coroutine(tmp_path: Path, symbol: str, parameter: str) -> None:
    program = write_program(tmp_path, {"waiting.py": WAITING})
    resolver = Resolver(program)
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    inputs, target = Inputs(program, random.Random(1)), targets[symbol]
    inputs.definitions.known.update(failing_functions(program, ()))
    wanted = next(one for one in target.parameters if one.name == parameter)
    values = inputs.pool(target, wanted)
    assert values[:3] == ["asyncio.sleep(0, 'a')", "answer(1)", "asyncio.sleep(60)"]
    assert "fail_later()" in values
    fits = inputs.annotations.fits(wanted.annotation, "[1, 2]")
    assert fits is (wanted.annotation is None)


def test_what_gives_something_to_await_is_none(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"waiting.py": WAITING})
    targets = {target.symbol: target for target in find_targets(program, Resolver(program))}
    each = targets["each"]
    assert Inputs(program, random.Random(1)).foreign(each, each.parameters[1]) == ([], False)


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
