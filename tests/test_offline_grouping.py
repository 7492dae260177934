"""The examples of one requirement make one test."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import brief, write_program

from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.writing.grouping import plan_tests
from pytest_lift.agents.offline.writing.links import ClaimedLink
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.case import Case, Raised, Step
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.requirements.requirement import Requirement, Requirements

CODEC = '''
"""Texts."""


class CodecError(ValueError):
    """A text that cannot be read."""

    def __init__(self, message, position):
        ValueError.__init__(self, message)
        self.position = position


__version__ = "1.2"


def read(text, base=10):
    if not text.isdigit():
        raise CodecError("digits expected", 3)
    return int(text, base)


def twice(value):
    return value * 2
'''
EXAMPLES = {
    "R-1": (
        ">>> import codec\n>>> codec.read('7')\n7\n",
        ">>> import codec\n>>> codec.read('11', base=2)\n3\n",
        ">>> import codec\n>>> codec.read('x')\nTraceback (most recent call last):\nCodecError\n",
    ),
    "R-2": (
        ">>> import codec\n>>> codec.twice(2)\n4\n",
        ">>> import codec\n>>> codec.twice('ab')\n'abab'\n",
    ),
    "R-3": (">>> import codec\n>>> codec.__version__\n'1.2'\n",),
    "R-4": (
        ">>> import codec\n>>> try:\n...     codec.read('x')\n"
        "... except codec.CodecError as error:\n...     print(error.position)\n3\n",
    ),
    "R-5": (
        ">>> import subprocess, sys\n>>> done = subprocess.run([sys.executable, '-c', "
        "'import codec; print(codec.read(\"5\"))'], capture_output=True, text=True)\n"
        ">>> done.stdout\n'5\\n'\n",
    ),
    "R-6": (
        ">>> import codec\n>>> codec.twice(None)\n"
        "Traceback (most recent call last):\nTypeError\n",
    ),
}  # fmt: skip
TITLES = {"R-1": "Digits are taken", "R-2": "Anything twice", "R-3": "The version is told"}


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    root: Path = tmp_path_factory.mktemp("codec")
    program = write_program(root, {"codec.py": CODEC})
    items = Requirements(
        tuple(
            Requirement(name, TITLES.get(name, name), "", (), (), "r.yml", 1, examples=shown)
            for name, shown in EXAMPLES.items()
        )
    )
    edit = generator(brief(root, program, requirements=items, seconds=60))
    return edit.files["tests/test_codec.py"] or ""


def written_for(text: str, name: str) -> str:
    return next(part for part in text.split("\n\n\n") if f'req("{name}")' in part)


def test_values_and_refusals_stand_together(text: str) -> None:
    assert written_for(text, "R-1") == (
        '@pytest.mark.req("R-1")\n'
        "def test_read_digits_are_taken():\n"
        '    """Digits are taken."""\n'
        '    assert read("7") == 7\n'
        '    assert read("11", base=2) == 3\n'
        "\n"
        '    with pytest.raises(CodecError, match="digits expected"):\n'
        '        read("x")'
    )


def test_examples_of_one_shape_are_rows(text: str) -> None:
    assert '        (2, 4),\n        ("ab", "abab"),' in written_for(text, "R-2")


def test_examples_without_a_call_are_tests_too(text: str) -> None:
    assert 'assert codec.__version__ == "1.2"' in written_for(text, "R-3")


def test_an_error_that_is_looked_at_is_caught(text: str) -> None:
    assert (
        "    with pytest.raises(CodecError) as caught:\n"
        '        read("x")\n'
        "    error = caught.value\n"
        "    assert error.position == 3"
    ) in written_for(text, "R-4")


def test_documented_processes_are_started(text: str) -> None:
    assert 'assert done.stdout == "5\\n"' in written_for(text, "R-5")


def test_documented_errors_need_no_raise_statement(text: str) -> None:
    assert "with pytest.raises(TypeError):\n        twice(None)" in written_for(text, "R-6")


def test_an_example_is_not_written_twice(tmp_path: Path, text: str) -> None:
    program = write_program(tmp_path, {"codec.py": CODEC})
    item = Requirement("R-2", "R-2", "", (), (), "r.yml", 1, examples=EXAMPLES["R-2"])
    again = generator(
        brief(
            tmp_path,
            program,
            "refine",
            tests={"tests/test_codec.py": text},
            requirements=Requirements((item,)),
        )
    )
    assert "abab" not in (again.files.get("tests/test_codec.py") or "").removeprefix(text)


MARKUP = """
    def text(node):
        return str(node)


    def render(text):
        return text.upper()
"""


def test_a_column_may_be_called_like_another_function(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"markup.py": MARKUP})
    targets = {target.key: target for target in find_targets(program, Resolver(program))}
    items = []
    for letter in "abc":
        source = f"render('{letter}')"
        case = Case("markup.py", "render", (Step(source, True),))
        check = StepCheck("equals", source, repr(letter.upper()))
        items.append((Verified(case, (check,), (), frozenset()), ClaimedLink()))
    (plan,) = plan_tests(items, targets)
    assert (plan.form, plan.template, len(plan.rows)) == ("rows", "render(text)", 3)


def test_doubtful_rows_are_no_rows_beside_others(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"codec.py": CODEC})
    targets = {one.key: one for one in find_targets(program, Resolver(program))}
    given = {"2": False, "'ab'": False, "b'\\x00'": True, "'a='": True}
    pairs = []
    for value, doubtful in given.items():
        check = StepCheck("equals", f"twice({value})", f"{value} * 2")
        case = Case("codec.py", "twice", (Step(check.expression),), doubtful=doubtful)
        pairs.append((Verified(case, (check,), (), frozenset()), ClaimedLink()))
    plain, odd = plan_tests(pairs, targets)
    assert [row.arguments[0][1] for row in plain.rows] == ["2", "'ab'"]
    assert [row.arguments[0][1] for row in odd.rows] == ["b'\\x00'", "'a='"]


def test_errors_of_doubtful_cases_stand_alone_at_first(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"codec.py": CODEC})
    targets = {one.key: one for one in find_targets(program, Resolver(program))}
    raised = Raised("CodecError", "codec", "digits expected", "codec.py", 16, True)

    def planned(*given: str, doubtful: bool) -> int:
        pairs = []
        for value in given:
            check = StepCheck("raises", f"read({value})", raised=raised, match="digits expected")
            case = Case("codec.py", "read", (Step(check.expression),), doubtful=doubtful)
            pairs.append((Verified(case, (check,), (), frozenset()), ClaimedLink()))
        return len(plan_tests(pairs, targets))

    assert planned("'x'", "'-'", doubtful=False) == 1
    assert planned("'[{'", "'='", doubtful=True) == 2
