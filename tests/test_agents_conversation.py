"""A conversation ends by `finish`, or where there is no point in going on; nothing makes it crash."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from brief_of import asked, brief_of
from spoken_model import SpokenModel, calls, says

from pytest_lift.agents.prompted.conversation import CUT, NUDGE, Ended, converse
from pytest_lift.agents.prompted.packets.composing import Packet
from pytest_lift.agents.prompted.roles import DEBUGGER, GENERATOR
from pytest_lift.agents.prompted.tools.toolbox import Toolbox
from pytest_lift.llm.values import Answer, ModelError

PROGRAM = {"pkg/__init__.py": "", "pkg/mod.py": "def double(x):\n    return 2 * x\n"}
GOOD = '''import pytest
from pkg.mod import double


@pytest.mark.req("R-1")
def test_double():
    """Doubles."""
    assert double(2) == 4
'''
DONE = ("finish", {"summary": "done"})


@pytest.fixture
def toolbox(tmp_path: Path) -> Toolbox:
    brief = brief_of(tmp_path, PROGRAM, requirements=(asked("R-1", "`double` doubles."),))
    return Toolbox(GENERATOR, brief, Packet((), "", "", ("tests/test_mod.py",)))


def talk(toolbox: Toolbox, *answers: Any) -> tuple[Ended, SpokenModel]:
    model = SpokenModel(answers)
    return asyncio.run(converse("system", "packet", toolbox, model)), model


def test_tools_are_used_and_the_ending_is_what_was_told(toolbox: Toolbox) -> None:
    ended, model = talk(
        toolbox,
        calls(
            ("write_test_file", {"path": "tests/test_mod.py", "text": GOOD}),
            ("outline", {"module": "pkg.mod"}),
        ),
        calls(DONE),
    )
    assert ended.how == "finished"
    assert getattr(ended.told, "summary", "") == "done"
    assert toolbox.edit().files == {"tests/test_mod.py": GOOD}
    results = [m for m in model.asked[1].messages if m.sender == "tool"]
    assert [m.answers for m in results] == ["c0", "c1"]
    assert results[0].text == "written: tests/test_mod.py, 1 tests of yours in it"
    assert "def double(x)" in results[1].text
    assert model.asked[0].label == "generator"


def test_the_beginning_of_every_request_is_the_same(toolbox: Toolbox) -> None:
    _, model = talk(toolbox, calls(("list_files", {})), says("hm"), calls(DONE))
    first = model.asked[0]
    for later in model.asked[1:]:
        assert later.messages[: len(first.messages)] == first.messages
        assert later.tools == first.tools


def test_prose_is_answered_with_a_nudge_and_then_ends_it(toolbox: Toolbox) -> None:
    ended, model = talk(toolbox, says("I will"), says("really"), says("soon"))
    assert (ended.how, ended.trouble) == ("prose", "soon")
    assert [m.text for m in model.asked[-1].messages if m.sender == "user"] == [
        "packet",
        NUDGE,
        NUDGE,
    ]


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


def test_calls_that_bring_nothing_end_it(toolbox: Toolbox) -> None:
    ended, model = talk(toolbox, *[calls(("read_file", {"path": f"none{n}"})) for n in range(9)])
    assert ended.how == "useless"
    assert len(model.asked) == 5


def test_the_same_call_again_and_again_is_not_carried_out(toolbox: Toolbox) -> None:
    ended, model = talk(toolbox, *[calls(("list_files", {}))] * 12)
    assert ended.how == "useless"
    texts = [m.text for m in model.asked[-1].messages if m.sender == "tool"]
    assert texts[2].startswith("pkg/__init__.py")
    assert all(text.startswith("you made this call before") for text in texts[3:])


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


def test_an_objection_is_raised_once(toolbox: Toolbox) -> None:
    toolbox.objection = lambda told: "tests fail"
    ended, model = talk(toolbox, calls(DONE), calls(DONE))
    assert ended.how == "finished"
    assert model.asked[1].messages[-1].text == "not finished yet: tests fail"


def test_turns_are_limited(toolbox: Toolbox) -> None:
    ended, model = talk(toolbox, *[calls(("search", {"text": f"text {n}"})) for n in range(99)])
    assert ended.how == "turns"
    assert len(model.asked) == GENERATOR.most_turns


def trouble(kind: Any) -> ModelError:
    return ModelError(kind, f"it is {kind}")


@pytest.mark.parametrize("kind", ["refusal", "empty", "bad-answer"])
def test_trouble_of_its_own_ends_it_with_what_was_drafted(toolbox: Toolbox, kind: str) -> None:
    write = calls(("write_test_file", {"path": "tests/test_mod.py", "text": GOOD}))
    ended, _ = talk(toolbox, write, trouble(kind))
    assert (ended.how, ended.trouble) == ("failed", f"it is {kind}")
    assert list(toolbox.edit().files) == ["tests/test_mod.py"]


@pytest.mark.parametrize(
    "kind", ["key", "model", "quota", "unreachable", "server", "budget", "replay"]
)
def test_everybodys_trouble_goes_on(toolbox: Toolbox, kind: str) -> None:
    with pytest.raises(ModelError, match=f"it is {kind}"):
        talk(toolbox, calls(("list_files", {})), trouble(kind))


def test_an_overflow_at_the_beginning_is_the_packets_and_later_its_own(toolbox: Toolbox) -> None:
    with pytest.raises(ModelError, match="it is overflow"):
        talk(toolbox, trouble("overflow"))
    ended, _ = talk(toolbox, calls(("list_files", {})), trouble("overflow"))
    assert ended.how == "failed"


def test_an_answer_that_was_cut_off_is_asked_for_in_smaller_steps(toolbox: Toolbox) -> None:
    ended, model = talk(toolbox, trouble("truncated"), calls(DONE))
    assert ended.how == "finished"
    assert model.asked[1].messages[-1].text == CUT


def test_text_beside_calls_is_kept(toolbox: Toolbox) -> None:
    answer = calls(("list_files", {}))
    _, model = talk(toolbox, Answer("thinking aloud", answer.calls), calls(DONE))
    assert model.asked[1].messages[2].text == "thinking aloud"


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
