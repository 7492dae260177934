"""What calls lack is learnt from why they fail: files by name, a folder, input, a namespace."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from offline_program import brief, write_program
from test_offline_generator import run_pytest

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.choosing.shrinking.simpler import simpler
from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.search.commands import CommandLines
from pytest_lift.agents.offline.search.surroundings.needs import KnownNeeds
from pytest_lift.agents.offline.texts.contents import Contents
from pytest_lift.calls.call import Call
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.program import Program

CODE = '''
    """A list in a file."""
    import argparse
    import json

    PLACE = "tasks.json"


    def show():
        for task in json.load(open(PLACE))["tasks"]:
            print(task["title"])


    def ask():
        answer = input("? ")
        if answer == "quit":
            return None
        return answer


    def build():
        parser = argparse.ArgumentParser()
        parser.add_argument("source", help="file to read")
        parser.add_argument("-n", "--number", type=int)
        parser.add_argument("--loud", action="store_true")
        parser.add_argument("--unit", choices=["cm", "inch"])
        return parser


    def measure(args):
        text = open(args.source).read()
        return scaled(args, len(text)) if args.loud else 0


    def scaled(options, size):
        return size * options.number if options.unit == "cm" else size


    async def each(items, callback):
        return [await callback(item) for item in items]


    def joined(args):
        return "".join(args)
'''


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return write_program(tmp_path, {"tasks.py": CODE})


def target(program: Program, symbol: str) -> Target:
    return next(t for t in find_targets(program, Resolver(program)) if t.symbol == symbol)


def around(program: Program, symbol: str, why: str) -> list[Call]:
    rng = random.Random(1)
    known = KnownNeeds(Inputs(program, rng), Contents(program, rng), rng)
    call = Call(target(program, symbol))
    assert known.around(call) == call
    known.heed(call.target, why)
    return [known.around(call) for _ in range(60)]


def test_a_file_that_was_missing_is_there_with_what_the_module_reads(program: Program) -> None:
    why = "FileNotFoundError: [Errno 2] No such file or directory: 'tasks.json' (tasks.py:9)"
    calls = around(program, "show", why)
    assert all(call.folder for call in calls)
    texts = {call.files["tasks.json"] for call in calls if call.files}
    assert '{"title": "Ada", "tasks": [{"title": "Ada"}]}' in texts


def test_a_call_that_touched_files_gets_a_folder_and_those_that_the_module_names(
    program: Program,
) -> None:
    calls = around(program, "show", "file")
    assert all(call.folder for call in calls)
    assert {name for call in calls for name in call.files} == {"tasks.json"}


def test_a_call_on_an_object_gets_the_folder_that_making_it_needs(tmp_path: Path) -> None:
    program = write_program(
        tmp_path,
        {
            "store.py": """
            import sqlite3


            class Store:
                def __init__(self, path="store.db"):
                    self.rows = sqlite3.connect(path)

                def close(self):
                    self.rows.close()
            """
        },
    )
    rng = random.Random(1)
    known = KnownNeeds(Inputs(program, rng), Contents(program, rng), rng)
    made = Call(target(program, "Store"))
    closed = Call(target(program, "Store.close"), receiver=made, name="store")
    assert not known.around(closed).folder
    known.heed(made.target, "sqlite3")
    assert known.around(closed).folder


def test_a_call_that_looked_for_files_at_home_gets_a_home(program: Program) -> None:
    calls = around(program, "show", "home")
    assert all(call.folder and call.home for call in calls)
    case = as_case(calls[0], Resolver(program))
    assert case is not None
    assert case.home


def test_a_call_that_asked_gets_lines_of_words_that_are_compared(program: Program) -> None:
    why = "OSError: a case without input reads standard input"
    texts = [call.stdin for call in around(program, "ask", why)]
    assert all(texts)
    assert any(text.endswith("quit\n") for text in texts)


def test_an_argument_that_is_awaited_is_something_to_await(program: Program) -> None:
    why = "TypeError: object int can't be used in 'await' expression (tasks.py:40)"
    rng = random.Random(1)
    known = KnownNeeds(Inputs(program, rng), Contents(program, rng), rng)
    call = Call(target(program, "each"), (("items", "[1]"), ("callback", "str")))
    known.heed(call.target, why)
    given = {known.around(call).given["callback"] for _ in range(60)}
    assert given == {"str", "answer", "asyncio.sleep(0, 'a')", "asyncio.sleep(0, 1)"}
    case = as_case(call.with_value("callback", "answer"), Resolver(program))
    assert case is not None
    assert case.steps[0].source == "async def answer(value=None):\n    return value"


def test_a_function_of_a_namespace_gets_one_with_what_the_parser_declares(
    program: Program,
) -> None:
    rng = random.Random(1)
    lines = CommandLines(Inputs(program, rng), Contents(program, rng), rng)
    measure = target(program, "measure")
    read = lines.namespaces.read(measure, measure.parameters[0])
    assert set(read) == {"source", "loud", "number", "unit"}
    drawn = [lines.namespace(measure, read) for _ in range(60)]
    source = next(d.expression for d in drawn if "loud=True" in d.expression and d.files)
    assert "source='input." in source
    assert any("unit='inch'" in d.expression for d in drawn)
    assert any("number=2" in d.expression for d in drawn)


def test_a_namespace_has_what_the_declared_type_of_a_library_makes(tmp_path: Path) -> None:
    code = """
        import argparse
        from uuid import UUID

        def build():
            parser = argparse.ArgumentParser()
            parser.add_argument("key", type=UUID)
            return parser

        def show(args):
            return args.key.hex
        """
    program = write_program(tmp_path, {"keys.py": code})
    rng = random.Random(1)
    lines = CommandLines(Inputs(program, rng), Contents(program, rng), rng)
    drawn = {lines.namespace(target(program, "show"), ("key",)).expression for _ in range(9)}
    assert all(one.startswith("Namespace(key=UUID('") for one in drawn), drawn


def test_a_list_that_is_named_like_a_namespace_is_none(program: Program) -> None:
    rng = random.Random(1)
    lines = CommandLines(Inputs(program, rng), Contents(program, rng), rng)
    joined = target(program, "joined")
    assert lines.namespaces.read(joined, joined.parameters[0]) == ()


def test_a_function_that_read_the_command_line_gets_one(program: Program) -> None:
    calls = around(program, "show", "argv")
    assert {call.argv[0] for call in calls} == {"tasks"}
    assert {len(call.argv) for call in calls} == {1, 2, 3}
    case = as_case(calls[0], Resolver(program))
    assert case is not None
    assert case.argv == calls[0].argv
    bare = replace(calls[0], argv=("tasks", "add", "1"))
    assert {other.argv for other in simpler(bare)} >= {(), ("tasks", "add")}


ASKING = '''
    """Asks."""

    def confirm(action, default=None):
        """Asks whether to do something."""
        choice = input(f"{action}? ")
        if choice in ("yes", "y", "Y"):
            return True
        if choice in ("no", "n", "N"):
            return False
        return default
    '''


def test_tests_of_what_asks_answer_it(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"asking.py": ASKING})
    edit = generator(brief(tmp_path, program, seconds=15))
    text = edit.files["tests/test_asking.py"]
    assert text is not None
    assert 'monkeypatch.setattr("sys.stdin", StringIO(' in text
    assert ") is True\n" in text
    ran = run_pytest(tmp_path, edit.files, 7)
    assert " passed" in ran
    assert " failed" not in ran


def test_a_call_that_would_start_another_program_finds_none(program: Program) -> None:
    calls = around(program, "show", "subprocess")
    assert any(call.alone for call in calls)
    assert len({call.story for call in calls}) > 1, "it is tried beside the call that failed"
    case = as_case(next(call for call in calls if call.alone), Resolver(program))
    assert case is not None
    assert case.alone


def test_what_fails_beside_coroutines_is_called_in_a_loop_and_outside(tmp_path: Path) -> None:
    text = """
        class Door:
            async def enter(self):
                return 1

            def close(self):
                raise ValueError("stuck")
        """
    program = write_program(tmp_path, {"doors.py": text})
    targets = {t.symbol: t for t in find_targets(program, Resolver(program))}
    rng = random.Random(1)
    known = KnownNeeds(Inputs(program, rng), Contents(program, rng), rng)
    enter, close = (
        Call(targets[f"Door.{name}"], receiver=Call(targets["Door"]), name="door")
        for name in ("enter", "close")
    )
    known.around(enter)
    assert known.heed(close.target, "ValueError: stuck (doors.py:7)")
    assert {known.around(close).looped for _ in range(40)} == {True, False}
    known.heed(close.target, "RuntimeError: no running event loop (doors.py:7)")
    assert {known.around(close).looped for _ in range(40)} == {True}
