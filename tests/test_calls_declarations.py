"""What the parsers of a program declare is noted while they do what they do without that."""

from __future__ import annotations

from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.noted.declared import CommandLine
from pytest_lift.calls.prober import Prober

IN_STEPS = """
    import argparse


    def main(argv=None):
        first = argparse.ArgumentParser(add_help=False)
        first.add_argument("--config")
        known, rest = first.parse_known_args(argv)
        parser = argparse.ArgumentParser(parents=[first])
        parser.add_argument("--width", type=int)
        parser.add_argument("source")
        return parser.parse_args(rest).source
    """
USAGE = '''
    """Counts things.

    Usage:
      counting words [options] <file>...
      counting lines (first|last) [<file>]
      counting -h | --help

    Arguments:
      <file>  A text file.

    Options:
      -h --help         Show this.
      -n, --times <n>   How often.
      --loud            With a mark.
    """
    from docopt import docopt


    def main(argv=None):
        return docopt(__doc__, argv)
'''


def declared_by(tmp_path: Path, code: str) -> CommandLine:
    """Returns the command line that the main of a module is known to read once it was called."""
    program = write_program(tmp_path, {"tool.py": code})
    prober = Prober(tmp_path, program, best_jail())
    imports = ("from tool import main",)
    case = Case("tool.py", "main", (Step("main([])", check=True),), imports, folder=True)
    prober.observe([case], 20)
    return prober.declared["tool.py:main"]


def test_a_command_line_that_is_read_in_steps_is_known_as_a_whole(tmp_path: Path) -> None:
    declared = declared_by(tmp_path, IN_STEPS)
    assert [one.dest for one in declared.arguments] == ["help", "config", "width", "source"]


def test_the_usage_of_docopt_declares_commands_options_and_files(tmp_path: Path) -> None:
    pytest.importorskip("docopt")
    declared = declared_by(tmp_path, USAGE)
    words = {one.dest: one for one in declared.commands["words"].arguments}
    assert declared.text == "Counts things."
    assert list(declared.commands["lines"].commands) == ["first", "last"]
    assert (words["times"].flags, words["times"].metavar) == (("-n", "--times"), "n")
    assert (words["loud"].nargs, words["loud"].help) == ("0", "With a mark.")
    assert (words["file"].nargs, words["file"].help) == ("+", "A text file.")
    assert [one.required for one in declared.arguments if one.ends] == [False]


def test_a_command_that_cannot_be_described_is_run_as_it_is(tmp_path: Path) -> None:
    code = """
        class Command:
            def __init__(self, params):
                self.params = params

            def make_context(self):
                return len(self.params)
        """
    files = {"tools/__init__.py": "", "tools/click/__init__.py": "", "tools/click/core.py": code}
    program = write_program(tmp_path, files)
    lines = ("from tools.click.core import Command",)
    step = Step("Command(['name']).make_context()", check=True)
    case = Case("tools/click/core.py", "Command.make_context", (step,), lines)
    seen = Prober(tmp_path, program, best_jail()).observe([case], 20)
    assert seen[case.key].outcomes[0].source == "1"
