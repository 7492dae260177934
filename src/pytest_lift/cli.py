"""`pytest-lift`: what is done without running pytest; one module per command."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, NamedTuple, NoReturn

from pytest_lift.errors import LiftError


class Command(NamedTuple):
    """One row of the table of commands; its module is imported only when it is asked for.

    The module has ``add_arguments(parser)`` and ``run(options) -> exit code``.
    """

    name: str
    module: str
    help: str


COMMANDS = (
    Command("init", "pytest_lift.commands.init", "write requirement drafts and settings"),
    Command("check", "pytest_lift.check.command", "check the links between tests and requirements"),
    Command("link", "pytest_lift.commands.link", "find tests that show a requirement already"),
    Command("context", "pytest_lift.commands.context", "what one function needs of the rest"),
    Command("ground", "pytest_lift.commands.ground", "where in the program requirements live"),
    Command("report", "pytest_lift.commands.report", "render the report of a run again"),
    Command(
        "diff", "pytest_lift.commands.diff.command", "what changed between two runs or commits"
    ),
    Command(
        "review",
        "pytest_lift.commands.review",
        "accept or refuse a run's tests, one by one",
    ),
    Command("schema", "pytest_lift.commands.schema", "print the JSON Schema of a file format"),
    Command(
        "restore", "pytest_lift.commands.restore", "put the tests back as they were before a run"
    ),
)


class _Parser(argparse.ArgumentParser):
    """Ends as pytest does where it cannot be used so."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(4, f"{self.prog}: {message}\n")


class _Version(argparse.Action):
    """Looks the version up only when it is asked for: that reads the installed metadata."""

    def __init__(self, option_strings: Sequence[str], dest: str, **settings: Any) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, **settings)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from pytest_lift.version import version

        print(f"{parser.prog} {version()}")
        parser.exit()


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns the exit code: 0 done, 1 done with problems left, 4 usage
    error."""
    given = list(sys.argv[1:] if argv is None else argv)
    parser = _Parser(
        prog="pytest-lift", description="The suite itself is evolved by: pytest --lift"
    )
    parser.add_argument("--version", action=_Version, help="print the version and end")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        own = commands.add_parser(command.name, help=command.help, description=command.help)
        if command.name in given:
            module = import_module(command.module)
            module.add_arguments(own)
            own.set_defaults(run=module.run)
    _spell_out_what_the_encoding_lacks()
    options = parser.parse_args(given)
    try:
        code = int(options.run(options))
        sys.stdout.flush()
        return code
    except LiftError as error:
        from pytest_lift.text import printable

        print(printable.lines(f"pytest-lift: {error}"), file=sys.stderr)
        return 4
    except BrokenPipeError:
        _leave_standard_output()
        return 1


def _spell_out_what_the_encoding_lacks() -> None:
    """Makes standard output escape what its encoding lacks: a name in the output must not end a
    command."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _leave_standard_output() -> None:
    """Leaves standard output, whose reader is gone (``| head``), before the flush at exit."""
    with suppress(OSError, ValueError):  # what is no file needs no replacement
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
