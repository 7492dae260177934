"""A lift says nothing of what Python says of the code that it reads."""

from __future__ import annotations

import ast
import warnings

from conftest import Project

from pytest_lift.source.syntax import said_of_code_hidden

ESCAPED = 'def shout(text):\n    return text + "\\*"\n'
TEST = (
    "from thing import shout\n\n\ndef test_shout():\n    assert shout('a') == 'a' + chr(92) + '*'\n"
)


def test_invalid_escapes_of_the_program_are_not_repeated(project: Project) -> None:
    project.write({"thing.py": ESCAPED})
    result = project.script(TEST).lift("--lift-iterations=1", requirements=False)
    assert "lift: iterations" in result
    assert "invalid escape" not in result


def test_other_warnings_are_shown() -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with said_of_code_hidden():
            ast.parse("'\\*'")
            warnings.warn("old", DeprecationWarning, stacklevel=1)
    assert [str(one.message) for one in said] == ["old"]
