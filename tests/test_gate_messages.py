"""Messages of other people that a test pins, and those of the program that are fine."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from offline_program import write_program
from pinned_program import ASKED, FILES

from pytest_lift.gate.messages import foreign_words, pinned_messages
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return write_program(tmp_path, FILES)


@pytest.mark.parametrize(
    "body",
    [
        "with pytest.raises(TypeError, match='required positional argument'):\n        run()",
        "with pytest.warns(UserWarning, match=r'deprecated\\s+since'):\n        run(1)",
        "with pytest.raises(TypeError) as caught:\n        run()\n    assert 'required positional' in str(caught.value)",
        "with pytest.raises(TypeError) as caught:\n        run()\n    error = caught.value\n    assert error.args[0] == 'required positional'",
        "with pytest.raises(TypeError) as caught:\n        run()\n    caught.match('required positional')",
        "try:\n        run()\n    except TypeError as error:\n        assert str(error) == 'required positional'",
    ],
)  # fmt: skip
def test_messages_that_others_write_are_found(body: str, program: Program) -> None:
    tree = ast.parse(f"def test_x():\n    {body}\n")
    (fault,) = pinned_messages(tree, program, Requirements())
    assert "pins a message that the program does not write itself" in fault.what


@pytest.mark.parametrize(
    "body",
    [
        "with pytest.raises(ValueError, match='exceeds the limit'):\n        run(9)",
        "with pytest.raises(ValueError, match='^9 EXCEEDS'):\n        run(9)",
        "with pytest.raises(ValueError, match=r'\\bexceeds\\b'):\n        run(9)",
        "with pytest.raises(ValueError, match='banana exceeds'):\n        run('banana')",
        "with pytest.raises(ValueError, match='out of stock'):\n        run(9)",
        "with pytest.raises(ValueError, match=PATTERN):\n        run(9)",
        "with pytest.raises(ValueError) as caught:\n        run(9)\n    assert type(caught.value).__name__ == 'whatever'",
        "assert re.match('whatever', run('x'))\n    assert str(run(1)) == 'whatever'",
    ],
)  # fmt: skip
def test_messages_of_the_program_and_of_the_requirements_are_fine(
    body: str, program: Program
) -> None:
    tree = ast.parse(f"def test_x():\n    {body}\n")
    assert list(pinned_messages(tree, program, ASKED)) == []


def test_words_of_a_message_that_nobody_here_writes(program: Program) -> None:
    pattern = r"invalid literal for int\(\) exceeds"
    assert foreign_words(pattern, program, Requirements()) == ["invalid", "literal"]
    assert foreign_words(pattern, program, Requirements(), "invalid literal") == []
