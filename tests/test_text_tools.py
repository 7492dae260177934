"""Conversations in which tools are called by text."""

from __future__ import annotations

import asyncio
from typing import Any

from scripted_model import ScriptedModel, say
from text_calls import TOOLS

from pytest_lift.llm.endpoint import Endpoint
from pytest_lift.llm.text_tools import TextTools
from pytest_lift.llm.values import Answer, Message, ModelRequest, ToolCall


def spoken(answer: str, request: ModelRequest) -> tuple[Answer, dict[str, Any]]:
    with ScriptedModel([say(answer)]) as server:
        model = TextTools(Endpoint("m", server.base_url, "no key"))
        assert (model.name, model.context) == ("m", 32_000)
        return asyncio.run(model.complete(request)), server.requests[0]


def test_a_conversation_in_text() -> None:
    turns = (
        Message("system", "You write tests."),
        Message("user", "Go."),
        Message("assistant", "Well.", (ToolCall("call_1", "write_file", '{"path": "a", "text": "b\\n"}'), ToolCall("call_2", "finish", "no {json"))),
        Message("tool", "written", answers="call_1"),
        Message("tool", "no", answers="call_2"),
        Message("user", "Go on."),
    )  # fmt: skip
    answer, body = spoken("Done.\n```tool finish\nverdict: FINAL\n```", ModelRequest(turns, TOOLS))
    assert "tools" not in body
    system, first, own, results = body["messages"]
    assert system["content"].startswith("You write tests.\n\n# How to use tools")
    assert "\npath: <string: below tests/>\n" in system["content"]
    assert "\n--- text\n<string>\n" in system["content"]
    assert "\nids: <array of string, optional>\n" in system["content"]
    assert "verdict: <one of FINAL, GO ON, optional>" in system["content"]
    assert first == {"role": "user", "content": "Go."}
    assert own["content"] == (
        "Well.\n\n```tool write_file\npath: a\n--- text\nb\n```\n\n```tool finish\nno {json\n```"
    )
    assert results == {
        "role": "user",
        "content": "Result of write_file:\n\nwritten\n\nResult of finish:\n\nno\n\nGo on.",
    }
    assert (answer.text, answer.stop, answer.usage.calls) == ("Done.", "tool_calls", 1)
    assert answer.calls == (ToolCall("call_3", "finish", '{"verdict": "FINAL"}'),)


def test_without_tools_the_text_is_the_answer() -> None:
    text = "```tool finish\n```"
    answer, body = spoken(text, ModelRequest((Message("user", "Go."),)))
    assert (answer.text, answer.calls) == (text, ())
    assert body["messages"] == [{"role": "user", "content": "Go."}]
