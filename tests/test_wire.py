"""Requests and answers as the JSON of chat completions: what is sent, read and complained of."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_lift.llm.values import Message, ModelError, ModelRequest, Tool, ToolCall
from pytest_lift.llm.wire import Form, answer_of, body_of, fresh_id, loaded_body

NOTE = Tool("note", "Note it.", {"type": "object"})
ASKED = ModelRequest((Message("user", "hello"),), (NOTE,), most_tokens=100)


def body(text: object = "", *, finish: str = "stop", **message: Any) -> dict[str, Any]:
    told = {"content": text, **message}
    return {"choices": [{"message": told, "finish_reason": finish}]}


def call(name: str = "note", arguments: object = "{}", **more: Any) -> dict[str, Any]:
    return {"function": {"name": name, "arguments": arguments}, **more}


def test_a_form_says_what_is_sent() -> None:
    plain = body_of(ASKED, "m", Form(), seed=3)
    assert (plain["model"], plain["max_tokens"], plain["seed"]) == ("m", 100, 3)
    assert plain["tools"][0]["function"]["name"] == "note"
    learnt = Form("max_completion_tokens", most_tokens=50, seed=False, tools=False)
    assert body_of(ASKED, "m", learnt, seed=3) == {
        "model": "m",
        "messages": [{"role": "user", "content": "hello"}],
        "max_completion_tokens": 50,
    }
    assert body_of(ASKED, "m", Form(None)).keys() == {"model", "messages", "tools"}
    assert body_of(ASKED, "m", Form(most_tokens=500))["max_tokens"] == 100


def test_calls_and_their_answers_are_sent() -> None:
    calls = (ToolCall("1", "note", '{"a": 1}'), ToolCall("2", "note", "no json"))
    messages = (Message("assistant", "", calls), Message("tool", "ok \ud800", answers="1"))
    said, answered = body_of(ModelRequest(messages), "m", Form())["messages"]
    assert said["content"] is None
    assert [one["function"]["arguments"] for one in said["tool_calls"]] == [
        '{"a": 1}',
        '{"not_json": "no json"}',
    ]
    assert answered == {"role": "tool", "tool_call_id": "1", "content": "ok \\ud800"}


@pytest.mark.parametrize(
    ("text", "what"),
    [("", "has no body"), ("<html>\n", "not answer in JSON: '<html>'"), ("[1, 2]", "not answer")],
)
def test_what_is_no_object_is_refused(text: str, what: str) -> None:
    with pytest.raises(ModelError, match=what):
        loaded_body(text, "here")


def test_an_object_may_stand_in_a_list() -> None:
    assert loaded_body('[{"a": 1}]', "") == loaded_body('{"a": 1}', "") == {"a": 1}


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("a", "a"),
        ("<think>x</think>\n a", "a"),
        ("x</thought>a", "a"),
        ("a <think>x</think>", "a <think>x</think>"),
        ([{"type": "text", "text": "a"}, {"type": "image"}, {"text": "b"}], "ab"),
    ],
)
def test_the_text_of_an_answer(content: object, text: str) -> None:
    assert answer_of(body(content), ASKED, "").text == text


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (body(""), "empty"),
        (body("<think>never ends"), "empty"),
        (body("no", finish="content_filter"), "refusal"),
        (body("", refusal="I will not"), "refusal"),
        (body("half", finish="length"), "truncated"),
        (body("", finish="length", tool_calls=[call(arguments='{"a"')]), "truncated"),
        ({}, "bad-answer"),
        ({"choices": [{}]}, "bad-answer"),
    ],
)
def test_what_is_no_answer(given: dict[str, Any], kind: str) -> None:
    with pytest.raises(ModelError) as error:
        answer_of(given, ASKED, "here")
    assert (error.value.kind, error.value.where) == (kind, "here")


def test_calls_have_ids_of_their_own() -> None:
    before = ModelRequest((Message("assistant", "", (ToolCall("a", "note", "{}"),)),))
    calls = [call(id="a"), call(id="b"), call(id="b"), call(), {"function": {}}, "odd"]
    answer = answer_of(body(tool_calls=calls), before, "")
    assert [one.id for one in answer.calls] == ["call_2", "b", "call_4", "call_5"]
    assert answer.stop == "tool_calls"
    assert fresh_id({"call_2"}) == "call_3"


def test_arguments_are_text_whatever_was_sent() -> None:
    calls = [call(arguments={"a": 1}), call(arguments=None), call(arguments="")]
    found = answer_of(body(tool_calls=calls), ASKED, "").calls
    assert [one.arguments for one in found] == ['{"a": 1}', "{}", "{}"]


def test_complete_calls_of_an_answer_that_was_cut_off_count() -> None:
    calls = [call(), call(arguments='{"a"')]
    answer = answer_of(body(finish="length", tool_calls=calls), ASKED, "")
    assert (len(answer.calls), answer.stop) == (1, "length")


def test_tokens_are_counted_by_the_endpoint_or_estimated() -> None:
    details = {"prompt_tokens_details": {"cached_tokens": 90}}
    told = {**body("a"), "usage": {"prompt_tokens": 7, "completion_tokens": 2, **details}}
    usage = answer_of(told, ASKED, "").usage
    assert (usage.calls, usage.prompt_tokens, usage.cached_tokens) == (1, 7, 7)
    assert usage.completion_tokens == 2
    for odd in (None, {"prompt_tokens": True, "completion_tokens": -1}, {"prompt_tokens": "7"}):
        guessed = answer_of({**body("word " * 50), "usage": odd}, ASKED, "").usage
        assert guessed.prompt_tokens > 1, odd
        assert guessed.completion_tokens > 2, odd
        assert guessed.cached_tokens == 0
