"""Libraries of command lines are tested by the programs that their documents make of them."""

from __future__ import annotations

import ast
from pathlib import Path

from jails import best_jail
from offline_program import brief, write_program

from pytest_lift.agents.offline.examples.code_blocks import code_blocks
from pytest_lift.agents.offline.examples.snippets import snippets_of
from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.stories.documented_programs import documented_programs
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.program import Program

LIBRARY = {
    "orders/__init__.py": """
        '''Programs made of functions.'''
        import sys

        KNOWN = {}

        class Program:
            def __init__(self, title=""):
                self.title = title
                self.commands = {}

            def command(self):
                def add(function):
                    self.commands[function.__name__] = function
                    return function
                return add

            def run(self, words):
                KNOWN.setdefault("run", Program)
                if words == ["--help"]:
                    print(self.title, *self.commands)
                    return 0
                if not words or words[0] not in self.commands:
                    print("no such command")
                    return 2
                self.commands[words[0]](*words[1:])
                return 0

        def fire(function):
            words = sys.argv[1:]
            if words == ["--loud"]:
                print("LOUD")
            return function(*words)
        """,
    "orders/testing.py": """
        '''Runs programs in tests.'''
        import contextlib
        import io

        class Result:
            def __init__(self, exit_code, output):
                self.exit_code = exit_code
                self.output = output

        class CliRunner:
            def invoke(self, program, words, input=""):
                text = io.StringIO()
                with contextlib.redirect_stdout(text):
                    code = program.run(words)
                return Result(code, text.getvalue())
        """,
}
GREETING = """\
import orders

app = orders.Program(title="Greetings")
inner = orders.Program()

@app.command()
def hello(name: str):
    '''Greet.'''
    print(f"Hello {name}")

def unused():
    return 1

if __name__ == "__main__":
    app()
"""
SHOUTING = """\
'''Usage: shout WORD'''
import orders

def shout(word="x"):
    return word.upper()

if __name__ == "__main__":
    print(1)
    orders.fire(shout)
"""
RUN = 'invoke(app, args=["hello", "Bob"])'


def made(root: Path, blocks: list[str]) -> list[Target]:
    program = write_program(root, LIBRARY)
    prober = Prober(root, program, best_jail())
    sources = [[ast.unparse(node) for node in ast.parse(block).body] for block in blocks]
    return documented_programs(sources, Resolver(program), prober)


def test_a_program_is_what_documents_make_and_run(tmp_path: Path) -> None:
    greeting, shouting = made(tmp_path, [GREETING, SHOUTING, RUN])
    assert (greeting.kind, greeting.call, greeting.path) == ("command", "app", "orders/__init__.py")
    assert greeting.imports == ("from orders.testing import CliRunner", "import orders")
    assert [source.partition("\n")[0] for source in greeting.defined] == [
        "app = orders.Program(title='Greetings')",
        "@app.command()",
    ]
    assert greeting.shown == (("hello", "Bob"),)
    assert (shouting.kind, shouting.call) == ("main", "orders.fire")
    assert shouting.given == (("given_0", "shout"),)
    assert greeting.key != shouting.key


def test_each_has_its_own_program_though_they_begin_alike(tmp_path: Path) -> None:
    other = GREETING.replace("hello", "bye").replace("name: str", "name: int")
    assert len(made(tmp_path, [GREETING, other])) == 2


def test_programs_that_sleep_or_cannot_be_made_are_none(tmp_path: Path) -> None:
    sleeping = GREETING.replace("print(f", "import time; time.sleep(1); print(f")
    unknown = GREETING.replace("orders.Program(title", "orders.Programme(title")
    assert made(tmp_path, [sleeping, unknown]) == []


def test_calls_that_read_no_command_line_are_no_programs(tmp_path: Path) -> None:
    plain = SHOUTING.replace("orders.fire(shout)", "orders.Program(shout)")
    without_guard = SHOUTING.replace('if __name__ == "__main__":\n    print(1)\n    ', "")
    assert made(tmp_path, [plain, without_guard]) == []


def lifted(root: Path, program: Program) -> str:
    edit = generator(brief(root, program, seconds=12))
    return "\n".join(text for text in edit.files.values() if text)


def test_a_test_repeats_the_program_and_runs_it(tmp_path: Path) -> None:
    program = write_program(tmp_path, LIBRARY)
    (tmp_path / "README.md").write_text(f"# Orders\n\n```python\n{GREETING}```\n", "utf-8")
    text = lifted(tmp_path, program)
    assert "@app.command()" in text
    assert "CliRunner().invoke(app, [" in text
    assert "result.output == 'no such command\\n'" in text.replace('"', "'")
    assert "app#" not in text
    assert "_app_1" not in text
    assert "exits with 2" in text
    commands = [test for test in text.split("\ndef test_") if "CliRunner" in test]
    assert commands
    assert not any("gives 2" in test for test in commands)


def test_blocks_of_another_markup_in_markdown_are_read() -> None:
    text = "Text\n\n```{eval-rst}\n.. click:example::\n\n    call(1)\n\n.. click:run::\n\n    go(2)\n```\n"
    assert list(snippets_of(text)) == [("call(1)",), ("go(2)",)]
    assert [ast.unparse(block.statements[0]) for block in code_blocks(text)] == ["call(1)", "go(2)"]
