"""Calls inside blocks: asynchronous generators, context managers, what needs an event loop."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from offline_program import brief, targets_of, tried, write_program

from pytest_lift.agents.offline.generator import generator
from pytest_lift.calls.blocks import awaiting, without_loop
from pytest_lift.calls.call import Call, as_line
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.scope.scope import Scope, whole
from pytest_lift.source.program import Program

CODE = '''
    """Things that need blocks."""
    import asyncio
    from contextlib import asynccontextmanager, contextmanager


    class Log:
        def __init__(self):
            self.lines = []

        def __enter__(self):
            self.lines.append("begin")
            return self

        def __exit__(self, kind, value, trace):
            self.lines.append("commit" if kind is None else "rollback")

        def write(self, line):
            self.lines.append(line)
            return len(self.lines)


    class Gate:
        def __init__(self):
            self.loop = asyncio.get_running_loop()
            self.passed = 0

        async def enter(self, count):
            self.passed += count
            return self.passed

        async def __aiter__(self):
            yield self.passed


    async def ticks(stop):
        for number in range(stop):
            yield number


    @contextmanager
    def marked(lines):
        lines.append("open")
        yield lines
        lines.append("close")


    @asynccontextmanager
    async def later(value):
        yield [value]


    async def each(items, callback):
        return [await callback(item) for item in items]
'''


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return write_program(tmp_path, {"things.py": CODE})


def test_how_results_are_had_is_known(program: Program, tmp_path: Path) -> None:
    targets = targets_of(program, tmp_path)
    assert targets["ticks"].streams
    assert targets["Gate.__aiter__"].streams
    assert not targets["ticks"].asynchronous
    assert targets["each"].asynchronous
    enters = {name: target.enters for name, target in targets.items() if target.enters}
    assert enters == {"Log": "sync", "marked": "sync", "later": "async"}


def test_a_decorator_of_a_usual_name_that_takes_coroutines_makes_no_block(tmp_path: Path) -> None:
    text = """
        def contextmanager(method):
            return method

        @contextmanager
        async def fetch(name):
            return name.upper()
        """
    targets = find_targets(found := write_program(tmp_path, {"own.py": text}), Resolver(found))
    (fetch,) = (one for one in targets if one.symbol == "fetch")
    assert (fetch.enters, fetch.asynchronous) == ("", True)


def test_an_asynchronous_generator_is_collected(program: Program, tmp_path: Path) -> None:
    ticks = targets_of(program, tmp_path)["ticks"]
    source, seen = tried(program, tmp_path, Call(ticks, (("stop", "3"),)))
    assert "    return [item async for item in ticks(3)]" in source
    assert seen.outcomes[0].source == "[0, 1, 2]"


def test_a_manager_is_entered_and_its_state_afterwards_is_looked_at(
    program: Program, tmp_path: Path
) -> None:
    targets = targets_of(program, tmp_path)
    made = Call(targets["Log"])
    write = Call(targets["Log.write"], (("line", "'a'"),), receiver=made, name="log", entered=True)
    source, seen = tried(program, tmp_path, write)
    assert source.startswith("with Log() as log:\n    result = log.write('a')\n")
    assert seen.outcomes[0].source == "2"
    assert dict(seen.outcomes[1].attributes)["lines"] == "['begin', 'a', 'commit']"
    _, left = tried(program, tmp_path, replace(write, interrupted=True))
    assert "'rollback'" in dict(left.outcomes[1].attributes)["lines"]


def test_what_a_generator_manages_is_entered(program: Program, tmp_path: Path) -> None:
    targets = targets_of(program, tmp_path)
    _, seen = tried(program, tmp_path, Call(targets["marked"], (("lines", "[]"),)))
    assert seen.outcomes[0].source == "['open', 'close']"
    source, seen = tried(program, tmp_path, Call(targets["later"], (("value", "1"),)))
    assert "    async with later(1) as entered:" in source
    assert seen.outcomes[0].source == "[1]"


def test_what_needs_a_loop_is_made_inside_one(program: Program, tmp_path: Path) -> None:
    targets = targets_of(program, tmp_path)
    gate = Call(targets["Gate.enter"], (("count", "2"),), receiver=Call(targets["Gate"]), name="g")
    again = Call(
        gate.target, (("count", "1"),), receiver=gate.receiver, name="g", before=(as_line(gate),)
    )
    source, seen = tried(program, tmp_path, replace(again, looped=True))
    assert source == "g = Gate()\nawait g.enter(2)\nawait g.enter(1)"
    assert seen.outcomes[0].source == "3"


def test_the_search_learns_what_needs_a_loop(program: Program, tmp_path: Path) -> None:
    scope = Scope(("all",), tuple(whole(file) for file in program.files.values()))
    edit = generator(brief(tmp_path, program, seconds=25, scope=scope))
    text = "\n".join(text for text in edit.files.values() if text)
    assert "gate = Gate()\n        await gate.enter(" in text
    assert "with Log() as log:" in text
    assert "asyncio.run(scenario()) is" not in text


def test_statements_and_sentences_about_a_loop_are_put_plainly() -> None:
    assert awaiting("value = asyncio.run(f(g(1)))") == "value = await f(g(1))"
    assert awaiting("value = f(1)") == "value = f(1)"
    assert awaiting("asyncio.run(made()).close()") == "(await made()).close()"
    assert awaiting("job = Job(asyncio.run(made()), 'a')") == "job = Job(await made(), 'a')"
    assert awaiting("x = asyncio.run(get('(')).y") == "x = (await get('(')).y"
    inside = "asyncio.run(asyncio.run(made()).spawn(asyncio.sleep(0)))"
    assert awaiting(inside) == "await (await made()).spawn(asyncio.sleep(0))"
    assert without_loop("asyncio.run(f(g(1))) is 2", "") == "f(g(1)) is 2"
    source = "async def scenario():\n    return await gate.enter(1)"
    assert without_loop("asyncio.run(scenario()) is 2", source) == "gate.enter(1) is 2"
    block = "with Log() as log:\n    result = log.write(1)"
    assert without_loop("result is 2", block) == "log.write(1) is 2"
