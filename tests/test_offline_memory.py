"""What a search leaves to the next one: read as it was written, dropped where the function changed,
and nothing that anybody else may have put there does harm."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from offline_program import brief, write_program

from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.knowledge import ProgramKnowledge
from pytest_lift.agents.offline.search.memory import Memory, Recalled
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.calls.call import Call, as_line
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target, function_of
from pytest_lift.source.program import Program

SHELF = """
    class Shelf:
        def __init__(self, room=3):
            self.room = room
            self.items = []

        def put(self, item):
            if len(self.items) >= self.room:
                raise ValueError("full")
            self.items.append(item)
            return len(self.items)


    def narrow(text):
        if text == "qx!7":
            return "found"
        return "other"
"""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return write_program(tmp_path, {"shelf.py": SHELF})


def targets_of(program: Program) -> Mapping[str, Target]:
    return {target.key: target for target in find_targets(program, Resolver(program))}


def story(program: Program) -> Call:
    """``shelf = Shelf(room=1); shelf.put('a'); shelf.put('b')``."""
    targets = targets_of(program)
    made = Call(targets["shelf.py:Shelf"], (("room", "1"),))
    put = targets["shelf.py:Shelf.put"]
    first = Call(put, (("item", "'a'"),), receiver=made, name="shelf")
    return Call(put, (("item", "'b'"),), receiver=made, name="shelf", before=(as_line(first),))


def lines_of(program: Program, *calls: Call) -> list[str]:
    memory = Memory(program, targets_of(program).values())
    return memory.lines(Recalled(), calls, (), {})


def recalled(program: Program, lines: list[str]) -> Recalled:
    return Memory(program, targets_of(program).values()).recall(lines)


def test_a_call_is_read_as_it_was_written(program: Program) -> None:
    call = story(program)
    lines = lines_of(program, call, call)
    assert len(lines) == 1
    again = recalled(program, lines)
    assert list(again.calls) == [call]
    assert again.calls[0].story == call.story
    assert list(again.lines) == lines


def test_what_blocks_and_why_calls_fail_is_kept_as_well(program: Program) -> None:
    targets = targets_of(program)
    memory, put = Memory(program, targets.values()), targets["shelf.py:Shelf.put"]
    lines = memory.lines(Recalled(), (), [(put, "key")], {put.key: ["chance"]})
    again = memory.recall(lines)
    assert (again.banned, again.failures) == (frozenset({"key"}), {put.key: ["chance"]})
    later = memory.recall(memory.lines(again, (), (), {put.key: ["timeout"]}))
    assert (later.banned, later.failures) == (frozenset({"key"}), {put.key: ["timeout"]})
    assert len(later.lines) == 2


def test_what_is_said_of_a_changed_function_goes_and_the_rest_stays(
    program: Program, tmp_path: Path
) -> None:
    narrow = Call(targets_of(program)["shelf.py:narrow"], (("text", "'qx!7'"),))
    lines = lines_of(program, story(program), narrow)
    changed = write_program(tmp_path, {"shelf.py": SHELF.replace('"other"', '"another"')})
    assert [call.target.symbol for call in recalled(changed, lines).calls] == ["Shelf.put"]
    commented = write_program(tmp_path, {"shelf.py": "\n\n" + SHELF.replace("'", '"')})
    assert len(recalled(commented, lines).calls) == 2
    gone = write_program(tmp_path, {"shelf.py": "    def other():\n        return 1\n"})
    assert recalled(gone, lines) == Recalled()


def test_of_a_part_of_the_program_the_rest_is_kept_too(program: Program) -> None:
    lines = lines_of(program, story(program))
    narrow = targets_of(program)["shelf.py:narrow"]
    part = Memory(program, [narrow]).recall(lines)
    assert (part.calls, list(part.lines)) == ((), lines)
    again = Memory(program, [narrow]).lines(part, [Call(narrow, (("text", "'b'"),))], (), {})
    assert again[0] == lines[0]
    assert len(again) == 2


@pytest.mark.parametrize(
    "change",
    [
        {"target": "shelf.py:gone"},
        {"values": [["item", "__import__('os').system('true')"]]},
        {"values": [["item", "(1).__class__"]]},
        {"values": [["item", "open('x')"]]},
        {"values": [["item", "1; 2"]]},
        {"values": [["item", "'" + "a" * 3000 + "'"]]},
        {"values": [["nothing", "1"]]},
        {"values": [1]},
        {"extra": [None]},
        {"receiver": "shelf"},
        {"name": "a b"},
        {"name": "_"},
        {"files": {"../x": "y"}},
        {"files": {"/etc/x": "y"}},
        {"seeds": ["os"]},
        {"argv": 3},
        {"stdin": ["x"]},
    ],
)
def test_what_no_search_writes_is_left_out(program: Program, change: dict[str, object]) -> None:
    (line,) = lines_of(program, story(program))
    row = json.loads(line)
    row["call"] |= change
    assert recalled(program, [json.dumps(row)]) == Recalled()


@pytest.mark.parametrize("line", ["", "{}", "[]", "x", "{" * 2000, '{"path": 1, "symbol": {}}'])
def test_what_is_no_row_is_left_out(program: Program, line: str) -> None:
    assert recalled(program, [line]) == Recalled()


def test_calls_inside_calls_have_an_end(program: Program) -> None:
    (line,) = lines_of(program, story(program))
    row = json.loads(line)
    inner = row["call"]
    for _ in range(20):
        inner = {**inner, "receiver": inner}
    assert recalled(program, [json.dumps({**row, "call": inner})]) == Recalled()


def test_a_later_search_goes_on_where_the_last_one_ended(program: Program, tmp_path: Path) -> None:
    """A text that is hard to find is there at once, and the tests have it again."""
    told: list[str] = []
    narrow = Call(targets_of(program)["shelf.py:narrow"], (("text", "'qx!7'"),))
    plan = brief(tmp_path, program, seconds=20.0, remember=told.extend)
    edit = generator(replace(plan, remembered=lines_of(program, narrow)))
    assert "qx!7" in "".join(text or "" for text in edit.files.values())
    assert any("qx!7" in line for line in told)
    assert any('"symbol": "Shelf.put"' in line for line in told)


def test_calls_of_what_a_function_makes_are_read_as_well(program: Program) -> None:
    maker = targets_of(program)["shelf.py:narrow"]
    made = Call(maker, (("text", "'a'"),))
    function = function_of(maker)
    call = Call(function, extra=("1",), receiver=made, name="function")
    lines = lines_of(program, call, Call(function_of(function), receiver=call, name="again"))
    assert recalled(program, lines).calls[0] == call
    deeper = Call(function_of(function_of(function)), receiver=made, name="function")
    assert list(recalled(program, lines_of(program, deeper)).calls) == []


def test_remembered_command_lines_count_for_all_that_they_reach(tmp_path: Path) -> None:
    texts = {
        "tool/__init__.py": "",
        "tool/_inner.py": "def _spell(word):\n    return 'yes' if word == 'go' else 'no'\n",
        "tool/cli.py": """
            import sys

            from tool._inner import _spell


            def main(argv=None):
                argv = sys.argv[1:] if argv is None else argv
                print(_spell(argv[0]))
        """,
    }
    made = ProgramKnowledge(brief(tmp_path, write_program(tmp_path, texts)))
    until = made.pacing.search_ends(made.prober.sites)
    search = ProgramSearch(
        made.prober, made.targets, made.resolver, made.inputs, made.offer, made.rng, until, 100
    )
    (main,) = [target for target in made.targets if target.entry]
    search.recall(Recalled((Call(main, argv=("cli", "go")),)))
    search._explore_recalled()
    reached = {made.prober.sites[number].path for number in search.covered}
    made.prober.close()
    assert reached == {"tool/cli.py", "tool/_inner.py"}
    assert not search._late
