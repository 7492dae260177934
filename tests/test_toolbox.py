"""What tools of a conversation write, and what they refuse with a word."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from brief_of import asked, brief_of
from spoken_model import calls
from talked_draft import DONE, GOOD, PROGRAM, talk

from pytest_lift.agents.prompted.packets import Packet
from pytest_lift.agents.prompted.roles import DEBUGGER, GENERATOR
from pytest_lift.agents.prompted.tools.toolbox import Toolbox


@pytest.fixture
def toolbox(tmp_path: Path) -> Toolbox:
    brief = brief_of(tmp_path, PROGRAM, requirements=(asked("R-1", "`double` doubles."),))
    return Toolbox(GENERATOR, brief, Packet((), "", "", ("tests/test_mod.py",)))


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (("no_such_tool", {}), "there is no tool 'no_such_tool'; there are: list_files"),
        (("read_file", {}), "wrong arguments: path: Field required"),
        (("read_file", "not json"), "wrong arguments: arguments: Invalid JSON"),
        (("read_file", {"path": "../../etc/passwd"}), "leads out of the project"),
        (("read_file", {"path": "pkg/none.py"}), "cannot be opened"),
        (("read_file", {"path": "pkg/mod.py", "start": 50}), "has 2 lines only"),
        (("requirement", {"id": "R-7"}), "no requirement has the id 'R-7'; there are: R-1"),
        (("outline", {"module": "pkg.none"}), "no module 'pkg.none'"),
        (("write_test_file", {"path": "tests/test_other.py", "text": GOOD}), "is not yours to write; yours are: tests/test_mod.py"),
        (("write_test_file", {"path": "pkg/mod.py", "text": "x = 1"}), "is not yours to write"),
        (("write_test_file", {"path": "tests/test_mod.py", "text": "def test_x(:"}), "refused"),
        (("add_tests", {"path": "tests/test_mod.py", "tests": "x", "imports": "def x"}), "cannot be added"),
        (("replace_in_test_file", {"path": "tests/test_mod.py", "old": "a", "new": "b"}), "occurs 0 times"),
        (("delete_test", {"test": "tests/test_mod.py"}), "name one test"),
        (("delete_test", {"test": "tests/test_mod.py::test_x"}), "there is no test"),
        (("run_tests", {"tests": ["--lift"]}), "cannot be run here"),
        (("report_contradiction", {"requirement": "R-1", "sentence": "trebles", "call": "1"}), "R-1 does not say 'trebles'"),
    ],
)  # fmt: skip
def test_wrong_calls_are_told_and_change_nothing(toolbox: Toolbox, call: Any, reason: str) -> None:
    ended, model = talk(toolbox, calls(call), calls(DONE))
    assert ended.how == "finished"
    (told,) = [m.text for m in model.asked[1].messages if m.sender == "tool"]
    assert told.startswith("not done: ")
    assert reason in told
    assert toolbox.edit().files == {}


def test_a_role_without_writing_tools_writes_nothing(tmp_path: Path) -> None:
    toolbox = Toolbox(
        DEBUGGER, brief_of(tmp_path, PROGRAM), Packet((), "", "", ("tests/test_mod.py",))
    )
    _, model = talk(
        toolbox,
        calls(("write_test_file", {"path": "tests/test_mod.py", "text": GOOD})),
        calls(("finish", {"diagnoses": [], "summary": "s"})),
    )
    assert "there is no tool 'write_test_file'" in model.asked[1].messages[-1].text
    assert toolbox.edit().files == {}


def test_files_are_written_added_to_changed_and_cut(toolbox: Toolbox) -> None:
    more = '@pytest.mark.req("R-1")\ndef test_more():\n    """More."""\n    assert double(0) == 0\n'
    talk(
        toolbox,
        calls(("write_test_file", {"path": "tests/test_mod.py", "text": GOOD})),
        calls(("add_tests", {"path": "tests/test_mod.py", "tests": more, "imports": "import math\nimport pytest"})),
        calls(("replace_in_test_file", {"path": "tests/test_mod.py", "old": "double(0) == 0", "new": "double(1) == 2"})),
        calls(("delete_test", {"test": "tests/test_mod.py::test_double"})),
        calls(DONE),
    )  # fmt: skip
    text = toolbox.edit().files["tests/test_mod.py"]
    assert text is not None
    assert "import math" in text
    assert "double(1) == 2" in text
    assert "def test_double" not in text
