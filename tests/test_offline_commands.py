"""Programs that read a command line are given some, of what their parsers declare."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import brief, write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.choosing.options.words import is_flag, without_word
from pytest_lift.agents.offline.choosing.shrinking.simpler import simpler
from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.search.argument_words import ALTERNATIVES
from pytest_lift.agents.offline.search.commands import CommandLines
from pytest_lift.agents.offline.search.surroundings.needs import program_name
from pytest_lift.agents.offline.texts.contents import Contents
from pytest_lift.agents.offline.writing.command_lines import sentences
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.calls.call import Call, expression
from pytest_lift.calls.case import Case, Raised, Step
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.noted.declared import CommandLine, DeclaredArgument
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.survey import survey
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target
from pytest_lift.scope.scope import Scope, whole

COUNTING = '''
    """Count things in files."""
    import argparse
    import sys


    def build():
        parser = argparse.ArgumentParser(prog="counting", description="Count things in files.")
        inner = parser.add_subparsers(dest="command", required=True)
        for name in ("words", "lines"):
            one = inner.add_parser(name)
            one.add_argument("file", help="a text file (.txt)")
            one.add_argument("--times", type=int, default=1, choices=[1, 2])
        return parser


    def main(argv=None):
        args = build().parse_args(argv)
        with open(args.file) as handle:
            text = handle.read()
        count = len(text.split()) if args.command == "words" else text.count("\\n")
        print(count * args.times)
        return 0


    if __name__ == "__main__":
        sys.exit(main())
'''
TODO = '''
    """Things to do."""
    import click


    @click.group()
    def todo():
        """Keep a list."""


    @todo.command()
    @click.argument("title")
    @click.option("--level", type=click.Choice(["low", "high"]), default="low")
    def add(title, level):
        click.echo(f"added {title} ({level})")


    @todo.command("crash")
    def crashing():
        raise ValueError("no")
'''
MAINS = """
    import argparse
    import sys


    def main(argv):
        return len(argv)


    def parse(argv=None):
        return argparse.ArgumentParser().parse_args(argv)


    def cli(*args):
        return argparse.ArgumentParser().parse_args(args)


    def old_main():
        return sys.argv[1:]


    def show(args):
        return args.name


    def run(job):
        return job
"""


def targets_of(tmp_path: Path, files: dict[str, str]) -> dict[str, Target]:
    program = write_program(tmp_path, files)
    known = survey(program, tmp_path, best_jail(), 20)
    return {t.symbol: t for t in find_targets(program, Resolver(program), known)}


def lifted(tmp_path: Path, files: dict[str, str]) -> str:
    program = write_program(tmp_path, files)
    scope = Scope(("all",), tuple(whole(file) for file in program.files.values()))
    edit = generator(brief(tmp_path, program, seconds=20, scope=scope))
    return "\n".join(text for text in edit.files.values() if text)


def test_a_parser_is_known_from_a_call_of_the_main_that_makes_it(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"counting.py": COUNTING})
    prober = Prober(tmp_path, program, best_jail())
    imports = ("from counting import main",)
    case = Case("counting.py", "main", (Step("main([])", check=True),), imports, folder=True)
    prober.observe([case], 20)
    declared = prober.declared["counting.py:main"]
    assert list(declared.commands) == ["words", "lines"]
    times = declared.commands["words"].arguments[-1]
    assert (times.flags, times.type, times.choices) == (("--times",), "int", ("1", "2"))


def test_mains_are_told_by_what_they_read(tmp_path: Path) -> None:
    targets = targets_of(tmp_path, {"mains.py": MAINS})
    kinds = {name: (target.kind, target.argv) for name, target in targets.items()}
    assert kinds == {
        "main": ("main", "argv"),
        "parse": ("main", "argv"),
        "cli": ("main", "args"),
        "old_main": ("main", ""),
        "show": ("function", ""),
        "run": ("function", ""),
    }


def test_a_main_whose_parameter_is_overwritten_reads_the_command_line(tmp_path: Path) -> None:
    code = """
        import argparse


        def main(args=None):
            args = argparse.ArgumentParser().parse_args()
            return args


        def run(args=None):
            args = argparse.ArgumentParser().parse_args(
                args,
            )
            return args
        """
    targets = targets_of(tmp_path, {"tool.py": code})
    assert {name: one.argv for name, one in targets.items()} == {"main": "", "run": "args"}


@pytest.mark.parametrize(
    ("name", "text"), [("main", "main(['-q', 'x'])"), ("cli", "cli('-q', 'x')")]
)
def test_a_main_takes_words_as_a_list_or_one_by_one(tmp_path: Path, name: str, text: str) -> None:
    target = targets_of(tmp_path, {"mains.py": MAINS})[name]
    assert Call(target, (), argv=("mains", "-q", "x")).text == text


def test_a_group_is_a_command_and_its_subcommands_are_none(tmp_path: Path) -> None:
    pytest.importorskip("click")
    targets = targets_of(tmp_path, {"todo.py": TODO})
    assert {name: target.kind for name, target in targets.items()} == {"todo": "command"}


def test_command_lines_are_made_of_what_is_declared(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"counting.py": COUNTING})
    rng = random.Random(1)
    inputs = Inputs(program, rng)
    lines = CommandLines(inputs, Contents(program, rng), rng)
    target = next(t for t in find_targets(program, Resolver(program)) if t.symbol == "main")
    source = DeclaredArgument((), "source", required=True, help="a file to read (*.csv)")
    level = DeclaredArgument(("-l", "--level"), "level", type="int")
    quiet = DeclaredArgument(("-q",), "quiet", nargs="0")
    declared = CommandLine((level, quiet), {"read": CommandLine((source,))})
    calls = [lines.fresh(target, declared) for _ in range(200)]
    words = [call.argv[1:] for call in calls]
    assert ("read", "input.csv") in words
    assert ("-q", "read", "input.csv") in words
    assert any(one[:1] == ("--level",) and one[1].lstrip("-").isdigit() for one in words)
    assert all(call.files for call in calls if call.argv[-1] == "input.csv") is False
    given = next(call for call in calls if call.argv[1:] == ("read", "input.csv"))
    case = as_case(given, Resolver(program))
    assert case is not None
    assert case.source == "main(['read', 'input.csv'])"


def test_options_that_take_any_number_of_words_come_last(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"counting.py": COUNTING})
    rng = random.Random(1)
    lines = CommandLines(Inputs(program, rng), Contents(program, rng), rng)
    target = next(t for t in find_targets(program, Resolver(program)) if t.symbol == "main")
    source = DeclaredArgument((), "source", required=True, choices=("here",))
    words = DeclaredArgument(("--words",), "words", nargs="*", choices=("one", "two"))
    drawn = [lines.fresh(target, CommandLine((words, source))).argv[1:] for _ in range(100)]
    both = [one for one in drawn if "here" in one and "--words" in one]
    assert both
    assert all(one[0] == "here" for one in both)


def test_examples_in_the_help_of_an_option_are_words_for_it(tmp_path: Path) -> None:
    rng = random.Random(1)
    program = write_program(tmp_path, {"swap.py": "def main(argv):\n    pass\n"})
    lines = CommandLines(Inputs(program, rng), Contents(program, rng), rng)
    told = """Rules, as "|->or" or '%%->percent'; don't do it twice, it's no "four letters"."""
    rule = DeclaredArgument(("--rule",), "rule", help=told, required=True)
    main = Target("swap.py", "main", "main", "main", (), ())
    given = {lines.fresh(main, CommandLine((rule,))).argv[-1] for _ in range(60)}
    assert {"|->or", "%->percent"} <= given
    assert not {word for word in given if "four" in word or " do" in word}


def test_a_program_with_a_parser_is_tested_by_its_command_lines(tmp_path: Path) -> None:
    text = lifted(tmp_path, {"counting.py": COUNTING})
    assert re.search(r'main\(\["(words|lines)", .*"input.txt"\]\) == 0', text)
    assert "capsys.readouterr().out ==" in text
    assert "assert caught.value.code ==" in text


def test_commands_of_click_are_run_by_its_runner(tmp_path: Path) -> None:
    pytest.importorskip("click")
    text = lifted(tmp_path, {"todo.py": TODO})
    assert "from click.testing import CliRunner" in text
    assert 'CliRunner().invoke(todo, ["add", ' in text
    assert 'assert result.output == "added ' in text
    assert '"crash"' not in text


HELD = """
    class Held:
        def double(number):
            return 2 * number

        def nothing():
            return 1


    class Mixed:
        def __init__(self, size):
            self.size = size

        def grown(thing, by):
            return thing.size + by

        def parse(text):
            return Mixed(int(text))

        def more(self):
            return Mixed.parse("1")
"""


def test_functions_of_a_class_without_an_object_are_called_on_the_class(tmp_path: Path) -> None:
    targets = targets_of(tmp_path, {"held.py": HELD})
    kinds = {name: (t.kind, [p.name for p in t.parameters]) for name, t in targets.items()}
    assert kinds["Held.double"] == ("static", ["number"])
    assert kinds["Held.nothing"] == ("static", [])
    assert kinds["Mixed.parse"] == ("static", ["text"])
    assert kinds["Mixed.grown"] == ("method", ["by"])


def test_the_name_by_which_a_script_runs_is_not_made_simpler(tmp_path: Path) -> None:
    targets = targets_of(tmp_path, {"counting.py": COUNTING})
    script = targets["__main__"]
    call = Call(script, script.given, argv=("counting", "words", "input.txt"))
    assert all(dict(one.values) == dict(script.given) for one in simpler(call))


def test_a_main_that_is_called_with_its_words_has_none_to_leave_out(tmp_path: Path) -> None:
    main = targets_of(tmp_path, {"counting.py": COUNTING})["main"]
    call = Call(main, (("argv", "['words', 'input.txt']"),))
    assert not [one for one in simpler(call) if one.argv]


def test_code_in_a_file_stays_code(tmp_path: Path) -> None:
    script = targets_of(tmp_path, {"counting.py": COUNTING})["__main__"]
    code = "def a():\n    return 1\nb = 2\n"
    call = Call(script, script.given, argv=("counting",), files={"a.py": code, "b.txt": code})
    shorter = [dict(one.files) for one in simpler(call)]
    found = {one.get("a.py") for one in shorter} - {None, code}
    assert found == {"b = 2\n", "def a():\n    return 1\n"}
    assert "    return 1\nb = 2\n" in {one.get("b.txt") for one in shorter}


def test_words_of_a_command_line_are_left_out_with_the_files_that_they_name(tmp_path: Path) -> None:
    script = targets_of(tmp_path, {"counting.py": COUNTING})["__main__"]
    files = {"input.txt": "one", ".countrc": "two"}
    call = Call(script, script.given, argv=("counting", "words", "input.txt"), files=files)
    fewer = {(*one.argv, *one.files) for one in simpler(call) if one.argv != call.argv}
    assert fewer == {
        ("counting", ".countrc"),
        ("counting", "input.txt", "input.txt", ".countrc"),
        ("counting", "words", ".countrc"),
    }


def test_no_option_becomes_the_value_of_the_one_before_it(tmp_path: Path) -> None:
    script = targets_of(tmp_path, {"counting.py": COUNTING})["__main__"]
    call = Call(script, script.given, argv=("counting", "--config", "a.cfg", "--quiet", "b"))
    fewer = {one.argv[1:] for one in simpler(call)}
    assert ("--quiet", "b") in fewer
    assert ("--config", "a.cfg", "--quiet") in fewer
    assert ("--quiet", "b", "--config") in fewer, "where it is a switch"
    assert not any(one[:2] == ("--config", "--quiet") for one in fewer)


def test_numbers_with_a_sign_are_no_options() -> None:
    words = ["counting", "--config", "a.cfg", "-1"]
    assert without_word(words, 2) == ["counting", "--config", "-1"]
    assert [is_flag(one) for one in ("-q", "--quiet", "--", "-", "-1", "-.5", "a-b")] == [
        True, True, True, False, False, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("like cat a.txt | grep x", []),
        ("like cat a.txt | sort.", []),
        ("Runs ls | sort | uniq on it", []),
        ("Speed (fast | very-slow)", ["fast", "very-slow"]),
        ("Speed: fast | slow.", ["fast", "slow"]),
        ("fast|slow is what it does", ["fast", "slow"]),
        ("Level DEBUG | INFO of it", ["DEBUG", "INFO"]),
    ],
)
def test_words_of_which_one_is_to_be_given_are_told_from_a_pipe_of_a_shell(
    told: str, words: list[str]
) -> None:
    given = ALTERNATIVES.search(told)
    assert (re.split(r" ?\| ?", given[0]) if given else []) == words


def test_words_of_the_help_of_which_one_is_to_be_given_are_given(tmp_path: Path) -> None:
    rng = random.Random(1)
    program = write_program(tmp_path, {"swap.py": "def main(argv):\n    pass\n"})
    lines = CommandLines(Inputs(program, rng), Contents(program, rng), rng)
    told = "How loud it is. Valid: LOW | MID-LOW | HIGH. Put a|b in quotes."
    loud = DeclaredArgument(("--loud",), "loud", help=told, metavar="LEVEL", required=True)
    log = DeclaredArgument(("--log-level",), "log_level", metavar="LEVEL", required=True)
    main = Target("swap.py", "main", "main", "main", (), ())
    given = [lines.fresh(main, CommandLine((one,))).argv[-1] for one in (loud, log) * 60]
    assert {"LOW", "MID-LOW", "HIGH"} <= {*given[::2]}
    assert {"INFO", "DEBUG"} <= {*given[1::2]}


def test_files_are_made_simpler_by_whole_entries_and_lines(tmp_path: Path) -> None:
    script = targets_of(tmp_path, {"counting.py": COUNTING})["__main__"]
    files = {"a.json": '{"id": 1, "tags": ["a"]}', "b.txt": "one\ntwo\n"}
    call = Call(script, script.given, argv=("counting",), files=files)
    shorter = [dict(one.files) for one in simpler(call)]
    texts = {one.get("a.json") for one in shorter} - {None, files["a.json"]}
    assert texts == {'{"tags": ["a"]}', '{"id": 1}', '{"id": 1, "tags": []}'}
    assert {one.get("b.txt") for one in shorter} - {None, files["b.txt"]} == {"two\n", "one\n"}


CONFIGURED = '''
    """Counts."""
    import argparse
    import configparser

    FILES = (".tallyrc", "pyproject.toml", "setup.cfg")


    def main(argv=None):
        parser = argparse.ArgumentParser()
        parser.add_argument("--max-size", type=int)
        parser.add_argument("--new-version", help="the version that files are to have")
        parser.add_argument("--config", help="file to read")
        settings = configparser.ConfigParser()
        settings.read(FILES)
        return settings.has_section("tool:tally") and parser.parse_args(argv)
'''


def test_files_of_settings_that_a_program_looks_for_have_its_section_and_options(
    tmp_path: Path,
) -> None:
    program = write_program(tmp_path, {"tally.py": CONFIGURED})
    rng = random.Random(1)
    lines = CommandLines(Inputs(program, rng), Contents(program, rng), rng)
    target = next(t for t in find_targets(program, Resolver(program)) if t.symbol == "main")
    size = DeclaredArgument(("--max-size",), "max_size", type="int")
    version = DeclaredArgument(("--new-version",), "new_version", help="as files are to have it")
    config = DeclaredArgument(("--config",), "config", help="file to read")
    calls = [lines.fresh(target, CommandLine((size, version, config))) for _ in range(2000)]
    files = {(name, text) for call in calls for name, text in call.files.items()}
    assert {".tallyrc", "pyproject.toml", "setup.cfg"} <= {name for name, _ in files}
    assert ("setup.cfg", "[tool:tally]\nmax-size = 10\n") in files
    assert ("pyproject.toml", "[tool.tally]\nmax-size = 10\n") in files
    assert any(call.argv[1:] == ("--config", "setup.cfg") for call in calls)
    assert any(call.argv[1:] == ("--new-version", "1.2.3") for call in calls)


def test_options_with_a_type_are_given_what_a_person_types_for_it(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"tally.py": "def main(argv=None):\n    return '7'\n"})
    rng = random.Random(1)
    lines = CommandLines(Inputs(program, rng), Contents(program, rng), rng)
    (target,) = find_targets(program, Resolver(program))
    whole = DeclaredArgument(("--whole",), "whole", type="boolean", required=True)
    key = DeclaredArgument(("--key",), "key", type="UUID", required=True)
    year = DeclaredArgument(("--year",), "year", type="int", required=True)
    calls = [lines.fresh(target, CommandLine((whole, key, year))) for _ in range(200)]
    words = Counter(pair for call in calls for pair in zip(call.argv, call.argv[1:], strict=False))
    assert words["--whole", "true"] + words["--whole", "false"] > 150
    assert words["--key", "123e4567-e89b-12d3-a456-426614174000"] > 150
    assert words["--year", "2024"] > 60
    assert not any("7" in call.argv for call in calls)


READING_BYTES = '''
    """Count the bytes of a file, or of standard input."""
    import argparse
    import sys


    def main(argv=None):
        parser = argparse.ArgumentParser(prog="size")
        parser.add_argument("file", help="text file to count, - for standard input")
        name = parser.parse_args(argv).file
        data = sys.stdin.buffer.read() if name == "-" else open(name, "rb").read()
        if len(data) > 4:
            print("long")
        else:
            print(f"{len(data)} bytes")
'''


def test_programs_that_read_bytes_from_standard_input_get_some(tmp_path: Path) -> None:
    text = lifted(tmp_path, {"size.py": READING_BYTES})
    given = re.search(r"TextIOWrapper\(BytesIO\(b['\"].+['\"]\), encoding=\"utf-8\"\)", text)
    assert given is not None, text
    assert 'main(["-"])' in text
    made = tmp_path / "test_made.py"
    made.write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(made)]
    variables = {**os.environ, "PYTHONPATH": str(tmp_path)}
    assert subprocess.run(command, cwd=tmp_path, env=variables).returncode == 0


@pytest.mark.parametrize(
    ("path", "name"), [("cli.py", "cli"), ("tools/cli.py", "tools"), ("src/main.py", "main"),
                       ("tools/count.py", "count"), ("src/tools/__main__.py", "tools")]
)  # fmt: skip
def test_programs_of_packages_are_called_as_these_are(path: str, name: str) -> None:
    assert program_name(Target(path, "main", "main", "main", (), ())) == name


def test_names_of_files_that_are_changed_stay_names_of_files(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"counting.py": COUNTING})
    rng = random.Random(1)
    lines = CommandLines(Inputs(program, rng), Contents(program, rng), rng)
    target = next(t for t in find_targets(program, Resolver(program)) if t.symbol == "main")
    call = Call(target, argv=("counting", "words", "data.csv"))
    drawn = [lines.varied(call, None, ["(", "words"]).argv for _ in range(300)]
    third = [argv[2] for argv in drawn if len(argv) == 3 and argv[1] == "words"]
    whole = [word for word in third if re.fullmatch(r"data\.\w+", word)]
    assert len(whole) > 0.8 * len(third)


def test_a_command_line_of_which_nothing_else_comes_is_told_by_what_it_gives() -> None:
    case = Case("tidy.py", "main", (), command=("tidy", "a.txt"))
    assert next(sentences("main", case, [StepCheck("equals", "main(['a.txt'])", "0")])) == (
        "tidy a.txt gives 0"
    )


def test_an_empty_line_that_a_command_prints_is_told_as_one() -> None:
    case = Case("tidy.py", "main", (), command=("tidy",))
    assert next(sentences("main", case, [StepCheck("printed", "main()", printed="\n")])) == (
        "tidy prints an empty line"
    )


def test_what_a_command_complains_of_ends_a_sentence() -> None:
    case = Case("tidy.py", "main", (), command=("tidy", "a.txt", "b.txt"))
    missing = Raised("SystemExit", "builtins", "1", "tidy.py", 3, True)
    ends = StepCheck("exits", "main()", "1", raised=missing, printed="a", said=(("err", "no b"),))
    assert next(sentences("main", case, [ends])) == (
        "tidy a.txt b.txt prints 'a' and exits with 1: no b"
    )


@pytest.mark.parametrize("guarded", [True, False])
def test_the_main_of_a_package_is_called_where_it_can_be_imported(
    tmp_path: Path, guarded: bool
) -> None:
    """`runpy` warns of a ``__main__`` that is imported already, which is an error in many suites."""
    guard = 'if __name__ == "__main__":\n    ' if guarded else ""
    code = f"def main():\n    print('Hello')\n\n\n{guard}main()\n"
    targets = targets_of(tmp_path, {"hello/__init__.py": "", "hello/__main__.py": code})
    assert targets.keys() == ({"main"} if guarded else {"__main__"})


@pytest.mark.parametrize(
    ("head", "parsed", "named"),
    [
        ("argv=None", "if argv is None:\n        argv = sys.argv\n    parse_args(argv)", True),
        ("argv=None", "argv = argv or sys.argv\n    parse_args(argv)", True),
        ("argv=sys.argv", "parse_args(argv)", True),
        ("argv", "parse_args(argv[1:])", True),
        ("argv=None", "parse_args(argv or sys.argv[1:])", False),
        ("argv=None", "argv = argv or sys.argv[1:]\n    parse_args(argv)", False),
        ("argv", "parse_args(argv)", False),
        ("argv", "parse_args(argv[2:])", False),
    ],
)
def test_a_command_line_begins_with_the_name_of_the_program_where_it_is_read_so(
    tmp_path: Path, head: str, parsed: str, named: bool
) -> None:
    code = f"import sys\n\n\ndef main({head}):\n    {parsed}\n"
    main = targets_of(tmp_path, {"greet.py": code})["main"]
    words = "['greet', '-v']" if named else "['-v']"
    assert expression(Call(main, argv=("greet", "-v"))) == f"main({words})"
