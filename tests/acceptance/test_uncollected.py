"""Nothing is written into a file of the user's that pytest cannot collect: it would never run."""

from __future__ import annotations

import pytest
from conftest import Project

THEIRS = '"""Mine."""\n\nfrom gone import helper\nfrom thing import double\n\n\ndef test_mine():\n    assert double(helper()) == 2\n'
DOUBLES = '\n\ndef test_doubles():\n    """Twice.\n\n    :req: R-1\n    """\n    assert double(21) == 42\n'
LABELS = '"""Tests."""\n\nfrom thing import label\n\n\ndef test_label():\n    """L.\n\n    :req: R-2\n    """\n    assert label("a") == "a"\n'


@pytest.mark.slow
def test_new_tests_have_a_file_of_their_own(project: Project) -> None:
    project.write({"tests/test_thing.py": THEIRS})
    result = project.lift("--lift-iterations=1")
    assert "failed before the lift and still fails: tests/test_thing.py" in result
    assert project.read("tests/test_thing.py") == THEIRS
    assert project.outcome["history"][1]["accepted"], result.text
    new = project.outcome["history"][1]["changes"]["added"]
    assert {node.partition("::")[0] for node in new} == {"tests/test_thing_lift.py"}
    plain = project.pytest("tests/test_thing_lift.py")
    assert plain.status == 0, plain.text
    assert f"{project.outcome['passed']} passed" in plain


def test_what_an_agent_writes_there_is_left_out_and_told(project: Project) -> None:
    files = {"tests/test_thing.py": THEIRS + DOUBLES, "tests/test_thing_lift.py": LABELS}
    project.write({"tests/test_thing.py": THEIRS}).script(files)
    result = project.lift("--lift-iterations=1")
    why = "cannot be collected: ModuleNotFoundError"
    assert f"left out tests/test_thing.py::test_doubles: {why}" in result
    assert project.read("tests/test_thing.py") == THEIRS
    assert project.read("tests/test_thing_lift.py") == LABELS
