"""A conversation ends by `finish`, or where there is no point in going on; nothing makes it crash."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from brief_of import asked, brief_of
from spoken_model import calls, says
from talked_draft import DONE, GOOD, PROGRAM, talk

from pytest_lift.agents.prompted.packets import Packet
from pytest_lift.agents.prompted.roles import GENERATOR
from pytest_lift.agents.prompted.team import CUT, NUDGE
from pytest_lift.agents.prompted.tools.toolbox import Toolbox
from pytest_lift.llm.values import Answer, ModelError


@pytest.fixture
def toolbox(tmp_path: Path) -> Toolbox:
    brief = brief_of(tmp_path, PROGRAM, requirements=(asked("R-1", "`double` doubles."),))
    return Toolbox(GENERATOR, brief, Packet((), "", "", ("tests/test_mod.py",)))


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
