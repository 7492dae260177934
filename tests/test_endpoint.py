"""An endpoint against a real server: what is sent, read and tried again."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import warnings
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from asked_endpoint import HELLO, KEY, NOTE, NOTED, Waits, asked, trouble
from scripted_model import (
    Body,
    Reply,
    ScriptedModel,
    Step,
    call,
    calls,
    completion,
    fail,
    page,
    say,
)

from pytest_lift.llm.endpoint import Endpoint, place_of
from pytest_lift.llm.values import Answer, Message, ModelError, ModelRequest, ToolCall


def answer(step: Step, request: ModelRequest = HELLO) -> Answer:
    with ScriptedModel([step]) as server:
        return asked(server, request)[0]


def test_text() -> None:
    usage = {
        "prompt_tokens": 30,
        "completion_tokens": 4,
        "prompt_tokens_details": {"cached_tokens": 20},
    }
    found = answer(say("Hi.", usage=usage))
    assert (found.text, found.calls, found.stop) == ("Hi.", (), "stop")
    assert (found.usage.calls, found.usage.prompt_tokens, found.usage.cached_tokens) == (1, 30, 20)
    assert found.usage.completion_tokens == 4
    assert 0 < found.usage.seconds < 10


def test_what_is_sent() -> None:
    turns = (
        *HELLO.messages,
        Message(
            "assistant", "", (ToolCall("c1", "note", '{"word": "a"}'), ToolCall("c2", "note", "a}"))
        ),
        Message("tool", "done \udcff", answers="c1"),
        Message("tool", "no JSON", answers="c2"),
    )
    with ScriptedModel([say("Fine.")]) as server:
        asked(server, ModelRequest(turns, (NOTE,), most_tokens=700), seed=3)
    [body], [headers] = server.requests, server.headers
    assert headers["authorization"] == f"Bearer {KEY}"
    assert (body["model"], body["max_tokens"], body["seed"]) == ("small-1", 700, 3)
    assert body["messages"][0] == {"role": "system", "content": "Be short."}
    assert body["messages"][2]["content"] is None
    first, second = (made["function"]["arguments"] for made in body["messages"][2]["tool_calls"])
    assert (json.loads(first), json.loads(second)) == ({"word": "a"}, {"not_json": "a}"})
    assert body["messages"][3] == {"role": "tool", "tool_call_id": "c1", "content": "done \\udcff"}
    assert body["tools"][0]["function"]["parameters"]["properties"] == {"word": {"type": "string"}}


def test_tool_calls() -> None:
    found = answer(calls(("note", {"word": "a"}), ("note", {"word": "b"}), text="So:"), NOTED)
    assert (found.text, found.stop) == ("So:", "tool_calls")
    assert [json.loads(made.arguments)["word"] for made in found.calls] == ["a", "b"]


def test_careless_tool_calls_get_ids_and_texts() -> None:
    made = [
        {"id": "", "function": {"name": "note", "arguments": {"word": "a"}}},
        {"id": "call_1", "function": {"name": "note", "arguments": None}},
        {"function": {"arguments": "{}"}},
        "odd",
    ]
    message = {"content": None, "tool_calls": made}
    earlier = Message("assistant", "", (ToolCall("call_1", "note", "{}"),))
    request = ModelRequest(
        (*HELLO.messages, earlier, Message("tool", "ok", answers="call_1")), (NOTE,)
    )
    found = answer({"choices": [{"message": message, "finish_reason": "tool_calls"}]}, request)
    assert [made.arguments for made in found.calls] == ['{"word": "a"}', "{}"]
    assert len({"call_1", *(made.id for made in found.calls)}) == 3


@pytest.mark.parametrize(
    "text",
    [
        "<think>\nHm, <b>?\n</think>\n\nHi.",
        "\n<thinking>x</thinking>Hi.",
        "opened by the template\n</think>\nHi.",
    ],
)
def test_thoughts_are_cut_off(text: str) -> None:
    assert answer(say(text)).text == "Hi."


def test_words_about_thoughts_stay() -> None:
    text = "It writes <think> and </think> around them."
    assert answer(say(text)).text == text


def test_parts_are_joined() -> None:
    parts = [
        {"type": "thinking", "thinking": []},
        {"type": "text", "text": "H"},
        {"type": "text", "text": "i"},
    ]
    assert (
        answer({"choices": [{"message": {"content": parts}, "finish_reason": "stop"}]}).text == "Hi"
    )


def test_usage_is_estimated_where_there_is_none() -> None:
    long = ModelRequest((Message("user", "four" * 1000),))
    usage = answer(say("four" * 100, usage={}), long).usage
    assert 1000 <= usage.prompt_tokens <= 1010
    assert usage.completion_tokens == 100
    assert (
        answer(say("Hi", usage={"prompt_tokens": True, "completion_tokens": "9"})).usage.calls == 1
    )


@pytest.mark.parametrize(
    "bad",
    [
        fail(429, "slow down", code="rate_limit_exceeded"),
        fail(429, "Rate limit reached: too many tokens per minute"),
        fail(500, "oops"),
        page(502, "Bad gateway"),
        fail(529, "Overloaded"),
        say("cut off").cut(),
        Reply('{"choices": [{"mess'),
        Reply(""),
        Reply(json.dumps({"error": {"message": "upstream", "code": 503}})),
        say("too late").after(0.25),
    ],
)
def test_what_passes_is_tried_again(bad: Reply) -> None:
    waits = Waits()
    with ScriptedModel([bad, bad, say("Hi.")]) as server:
        found = asked(server, HELLO, sleep=waits, timeout=0.2 if bad.delay else 10)
    assert found[0].text == "Hi."
    assert 0.5 <= waits[0] <= 1.0 <= waits[1] <= 2.0


def test_it_gives_up_after_five_tries() -> None:
    waits = Waits()
    error = trouble([fail(503, "overloaded")] * 5, sleep=waits)
    assert (error.kind, len(waits)) == ("server", 4)
    assert "503: overloaded" in str(error)
    assert "--lift-concurrency" in error.todo


@pytest.mark.parametrize("kind", ["seconds", "date"])
def test_retry_after(kind: str) -> None:
    later = datetime.now(UTC) + timedelta(seconds=31)
    text = "30" if kind == "seconds" else format_datetime(later, usegmt=True)
    waits = Waits()
    steps = [
        fail(429, headers={"Retry-After": text}),
        fail(429, headers={"Retry-After": "86400"}),
        fail(503, headers={"Retry-After": "soon"}),
        say("Hi."),
    ]
    with ScriptedModel(steps) as server:
        asked(server, HELLO, sleep=waits)
    assert 28 <= waits[0] <= 31
    assert waits[1] == 120
    assert 2 <= waits[2] <= 4


def test_nobody_answers() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    waits = Waits()
    endpoint = Endpoint("m", address, KEY, sleep=waits)
    with pytest.raises(ModelError, match="connection failed") as caught:
        asyncio.run(endpoint.complete(HELLO))
    assert (caught.value.kind, caught.value.where, len(waits)) == ("unreachable", address, 4)


@pytest.mark.parametrize(("step", "kind"), [(say(""), "empty"), (completion([]), "bad-answer")])
def test_nothing_is_tried_once_more(step: Reply, kind: str) -> None:
    assert trouble([step, step]).kind == kind
    with ScriptedModel([step, say("Hi.")]) as server:
        assert asked(server, HELLO)[0].text == "Hi."


def test_complete_calls_of_a_cut_off_answer_count() -> None:
    found = json.loads(calls(("note", {"word": "a"}), ("note", {}), finish="length").content)
    found["choices"][0]["message"]["tool_calls"][1]["function"]["arguments"] = '{"word": "b'
    told = answer(found, NOTED)
    assert (told.stop, [made.arguments for made in told.calls]) == ("length", ['{"word": "a"}'])
    found["choices"][0]["message"]["tool_calls"].pop(0)
    assert trouble([found], NOTED).kind == "truncated"


def test_an_endpoint_outlives_an_event_loop_and_leaves_nothing_open() -> None:
    with (
        warnings.catch_warnings(record=True) as seen,
        ScriptedModel(lambda body, number: say("Hi.")) as server,
    ):
        warnings.simplefilter("always")
        endpoint = Endpoint("m", server.base_url, KEY)
        for _ in range(3):
            assert asyncio.run(endpoint.complete(HELLO)).text == "Hi."
        del endpoint
        gc.collect()
    assert [str(one.message) for one in seen if issubclass(one.category, ResourceWarning)] == []


def test_a_call_can_be_cancelled() -> None:
    async def cut(endpoint: Endpoint) -> None:
        async with asyncio.timeout(0.05):
            await endpoint.complete(HELLO)

    with ScriptedModel([say("late").after(0.3)]) as server, pytest.raises(TimeoutError):
        asyncio.run(cut(Endpoint("m", server.base_url, KEY)))


def test_neither_key_nor_password_is_shown() -> None:
    endpoint = Endpoint("m", "https://me:pa55word@host:81/v1?token=abc", KEY)
    assert repr(endpoint) == "Endpoint('m', 'https://host:81/v1')"
    assert place_of("http://[::1]:8/v1") == "http://[::1]:8/v1"


@pytest.mark.parametrize(
    ("row", "tokens"),
    [
        ({"id": "m", "context_length": 1000}, 1000),
        ({"id": "m", "max_model_len": 1000}, 1000),
        ({"id": "m", "context_window": 1000, "context_length": None}, 1000),
        ({"id": "only one", "meta": {"n_ctx_train": 9, "n_ctx": 1000}}, 1000),
        ({"id": "m", "meta": {"n_ctx_train": 9}}, 0),
        ({"id": "m", "context_length": -1}, 0),
        (None, 0),
    ],
)
def test_the_list_of_models_may_tell_the_context(row: Body | None, tokens: int) -> None:
    with ScriptedModel([], models=[row] if row else None) as server:
        assert asyncio.run(Endpoint("m", server.base_url, KEY).stated_context()) == tokens


def test_the_context_is_that_of_the_model_asked_for() -> None:
    rows: list[Body] = [{"id": "a", "context_length": 1}, {"id": "m", "context_length": 2}]
    with ScriptedModel([], models=rows) as server:
        assert asyncio.run(Endpoint("m", server.base_url, KEY).stated_context()) == 2
        assert asyncio.run(Endpoint("x", server.base_url, KEY).stated_context()) == 0


def test_one_call_is_enough_to_write() -> None:
    assert answer(call("note", word="a"), NOTED).calls[0].name == "note"
