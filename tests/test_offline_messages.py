"""Of what a program says, tests look for the piece that tells most."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.writing.messages import (
    asks_to_install,
    constant_part,
    piece_without_runner,
    telling_piece,
)
from pytest_lift.calls.case import Raised

OPTIONAL = "try:\n    import yaml\nexcept ImportError:\n    yaml = None\n"
ASKING = OPTIONAL + "def load():\n    if yaml is None:\n        raise RuntimeError(MESSAGE)\n"
IN_ITS_PLACE = OPTIONAL.replace("yaml = None", "def load():\n        raise RuntimeError(MESSAGE)")
FINDING = OPTIONAL + "def find(name):\n    if name not in KNOWN:\n        raise KeyError(MESSAGE)\n"
IN_A_BOX = """\
Usage: main [OPTIONS] NAME
Try 'main --help' for help.
╭─ Error ──────────────────────╮
│ Missing argument 'NAME'.     │
╰──────────────────────────────╯
"""
UNOPENED = "can't open 'input.toml': [Errno 2] No such file or directory"


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        (IN_A_BOX, "Missing argument 'NAME'."),
        (IN_A_BOX.replace("Error", "Rules"), ""),
        ("usage: count [-h] file\ncount: error: no file\n", "no file"),
        ("Usage: count [OPTIONS]\n\n  Counts words.\n", "Counts words."),
        ("option -T not recognized\nusage: count [file]\n-d: decode\n", "option -T not recognized"),
        (f"error: argument it: {UNOPENED}: 'a'\n", f"argument it: {UNOPENED}"),
        ("a thing at 0x7f12ab", ""),
        ("/tmp/a.py is read\nUsage: count [OPTIONS]\n\nError: no file\n", "no file"),
        (
            "Usage: count [OPTIONS]\n\nError: there is nothing to be counted in the file /tmp/a\n",
            "",
        ),
    ],
)
def test_a_piece_is_what_a_parser_complains_of(text: str, piece: str) -> None:
    assert telling_piece(text) == piece


@pytest.mark.parametrize(
    ("message", "code", "asks"),
    [
        ("yaml is not installed", ASKING, True),
        ("run pip install yaml", ASKING, True),
        ("no colour is given", ASKING, False),
        ("yaml is not installed", IN_ITS_PLACE, True),
        ("the plugin 'tea' is not installed", FINDING, False),
        ("the package is not installed", "PACKAGES = []\n", False),
    ],
)
def test_what_a_missing_library_says_is_said_on_this_machine(
    tmp_path: Path, message: str, code: str, asks: bool
) -> None:
    program = write_program(tmp_path, {"files.py": code})
    line = next((n for n, one in enumerate(code.splitlines(), 1) if "raise" in one), 1)
    raised = Raised("RuntimeError", "builtins", message, "/somewhere/files.py", line, True)
    assert asks_to_install(raised, program) is asks
    assert not asks_to_install(replace(raised, file="/somewhere/more_files.py"), program)


CONFIG = """
class OptionError(Exception):
    pass


class ConfigError(Exception):
    pass


class MissingError(Exception):
    def __init__(self, name):
        super().__init__(f"there is no option named {name}")


def check(value):
    if not value:
        raise OptionError(f"the value {value!r} must be a positive number")


def load(value):
    try:
        check(value)
    except OptionError as error:
        raise ConfigError(str(error))
    raise MissingError(value)
"""


@pytest.mark.parametrize(
    ("raised", "piece"),
    [
        (Raised("ConfigError", "files", "the value 0 must be a positive number", "files.py", 24,
                True, repeats=True), "must be a positive number"),
        (Raised("ConfigError", "files", "the value 0 must be a positive number", "files.py", 24,
                True), ""),
        (Raised("MissingError", "files", "there is no option named a", "files.py", 25, True),
         "there is no option named"),
    ],
    ids=["of the error that it repeats", "of no other error", "of its class"],
)  # fmt: skip
def test_what_an_error_says_may_stand_elsewhere(tmp_path: Path, raised: Raised, piece: str) -> None:
    program = write_program(tmp_path, {"files.py": CONFIG})
    assert constant_part(raised, program) == piece


READER = """
class Reader:
    def fail(self, message, *values):
        if values:
            message = message % values
        raise SyntaxError(message, (self.place, 1))

    def word(self, text):
        self.fail("expected %s, got %s", "a word", text)


def refuse(text):
    size = len(text)
    raise ValueError(f"{size}: {text}")


def load(text):
    refuse("is no text of any kind")
"""


@pytest.mark.parametrize(
    ("message", "line", "piece"),
    [
        ("expected a word, got 1 (notes.txt, line 1)", 5, "expected"),
        ("3: is no text of any kind", 13, "is no text of any kind"),
        ("3: 3", 13, ""),
    ],
    ids=["filled", "in a text", "of the test"],
)
def test_what_an_error_says_may_be_handed_to_what_raises_it(
    tmp_path: Path, message: str, line: int, piece: str
) -> None:
    program = write_program(tmp_path, {"reader.py": READER})
    raised = Raised("SyntaxError", "builtins", message, "/somewhere/reader.py", line, True)
    assert constant_part(raised, program) == piece


NAMESAKES = """
class Reader:
    def fail(self, message):
        raise SyntaxError(message)

    def word(self, text):
        self.fail("expected a word")


class Writer:
    def fail(self, message):
        raise OSError(message)

    def write(self, text):
        self.fail("is no place to write")


class Limit:
    def __init__(self, name, why):
        if not name:
            raise ValueError(why)


class Least(Limit):
    def __init__(self):
        super().__init__("least", "is nothing")


def limit():
    return Limit("", "has to have a name")


def parse(text):
    def fail(message):
        raise KeyError(message)

    return text or fail("is empty")
"""


@pytest.mark.parametrize(
    ("kind", "message", "piece"),
    [
        ("SyntaxError", "expected a word", "expected a word"),
        ("SyntaxError", "is no place to write", ""),
        ("OSError", "is no place to write", "is no place to write"),
        ("ValueError", "has to have a name", "has to have a name"),
        ("KeyError", "is empty", "is empty"),
        ("KeyError", "expected a word", ""),
    ],
)
def test_what_is_handed_to_one_of_several_functions_of_a_name_is_not_said_by_another(
    tmp_path: Path, kind: str, message: str, piece: str
) -> None:
    program = write_program(tmp_path, {"reader.py": NAMESAKES})
    lines = NAMESAKES.strip().splitlines()
    line = next(n for n, one in enumerate(lines, 1) if f"raise {kind}(" in one)
    raised = Raised(kind, "builtins", message, "/somewhere/reader.py", line, True)
    assert constant_part(raised, program) == piece


def test_of_a_message_of_several_lines_one_is_matched(tmp_path: Path) -> None:
    code = 'def load(line):\n    raise ValueError("The file has no header.\\nfile: %r" % line)\n'
    program = write_program(tmp_path, {"load.py": code})
    message = "The file has no header.\nfile: 'a'"
    raised = Raised("ValueError", "builtins", message, "/somewhere/load.py", 2, True)
    assert constant_part(raised, program) == "The file has no header"


def test_what_a_program_says_when_it_exits_has_a_constant_part(tmp_path: Path) -> None:
    code = (
        'import sys\n\n\ndef run(name):\n    sys.exit("Cannot run %r because of: %s" % (name, 1))\n'
    )
    program = write_program(tmp_path, {"run.py": code})
    message = "Cannot run 'a' because of: 1"
    raised = Raised("SystemExit", "builtins", message, "/somewhere/run.py", 5, True)
    assert constant_part(raised, program) == "Cannot run"


@pytest.mark.parametrize(
    ("message", "matched"),
    [
        ("tea not in: cups, pots", "tea not in: cups, pots"),
        (f"tea not in: {', '.join(['cups'] * 20)}", "not in"),
        ("tea not in: /tmp/a", "not in"),
    ],
    ids=["short", "long", "of a machine"],
)
def test_all_of_a_short_message_is_matched_where_its_piece_says_nothing(
    tmp_path: Path, message: str, matched: str
) -> None:
    code = 'def find(tea, places):\n    raise ValueError(f"{tea} not in: {places}")\n'
    program = write_program(tmp_path, {"files.py": code})
    raised = Raised("ValueError", "builtins", message, "files.py", 2, True)
    assert constant_part(raised, program) == matched
    varying = replace(raised, varies=True)
    assert constant_part(varying, program) == "not in", "its end may vary, too"


def test_a_line_that_stands_for_a_text_is_read_in_one_go() -> None:
    assert piece_without_runner("2 items:\ntea and milk\nmore") == "tea and milk"
    assert piece_without_runner(f"{'tea and milk ' * 20}\nall is sold") == "all is sold"
    assert piece_without_runner("tea and milk " * 20) == ""
