"""`llm/endpoint.py` against a real server: what is sent, read, tried again and complained of."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import warnings
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
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
from pytest_lift.llm.rejection import rejection_of
from pytest_lift.llm.values import Answer, Message, ModelError, ModelRequest, Tool, ToolCall

KEY = "sk-test-0123456789abcdefghijkl"
NOTE = Tool(
    "note", "Write a word down.", {"type": "object", "properties": {"word": {"type": "string"}}}
)
HELLO = ModelRequest((Message("system", "Be short."), Message("user", "Hello")))
NOTED = ModelRequest(HELLO.messages, (NOTE,), most_tokens=700)


class Waits(list[float]):
    """The seconds that an endpoint would have slept."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


def asked(server: ScriptedModel, *requests: ModelRequest, **options: Any) -> list[Answer]:
    endpoint = Endpoint("small-1", server.base_url, KEY, **{"sleep": Waits(), **options})

    async def each() -> list[Answer]:
        return [await endpoint.complete(request) for request in requests]

    return asyncio.run(each())


def answer(step: Step, request: ModelRequest = HELLO) -> Answer:
    with ScriptedModel([step]) as server:
        return asked(server, request)[0]


def trouble(steps: Sequence[Step], request: ModelRequest = HELLO, **options: Any) -> ModelError:
    with ScriptedModel(steps) as server, pytest.raises(ModelError) as caught:
        asked(server, request, **options)
    assert len(server.requests) == len(steps)
    assert str(caught.value).startswith(f"{server.base_url}: ")
    assert KEY not in repr(caught.value) + str(caught.value)
    return caught.value


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


@pytest.mark.parametrize(
    ("step", "kind", "words"),
    [
        (fail(401, f"Incorrect API key provided: {KEY}"), "key", "OPENAI_API_KEY"),
        (fail(403, "Country not supported"), "key", "403"),
        (fail(403, "no access to model m", code="model_not_found"), "model", "--lift-model"),
        (fail(404, "The model `m` does not exist", code="model_not_found"), "model", "does not exist"),
        (fail(404, 'model "m" not found, try pulling it first'), "model", "pulling"),
        (fail(400, "m is not a valid model ID"), "model", "--lift-model"),
        (page(404, "404 page not found"), "unreachable", "/v1"),
        (fail(429, "You exceeded your current quota", code="insufficient_quota"), "quota", "--lift-resume"),
        (fail(402, "Insufficient Balance"), "quota", "Insufficient"),
        (fail(400, "Your credit balance is too low to access the API"), "quota", "top it up"),
        (fail(400, "filtered", code="content_filter"), "refusal", "filter"),
        (say("", refusal="I cannot."), "refusal", "I cannot."),
        (say("Nothing wr", finish="content_filter"), "refusal", "Nothing"),
        (say("To begin wi", finish="length"), "truncated", "8192"),
        (say("<think>hm, so", finish="length"), "truncated", "cut off"),
        (page(200), "bad-answer", "/v1"),
        (page(200, KEY), "bad-answer", "[redacted OPENAI_API_KEY]"),
        (fail(422, "messages: odd"), "bad-request", "odd"),
    ],
)  # fmt: skip
def test_what_does_not_pass_is_said_at_once(step: Reply, kind: str, words: str) -> None:
    error = trouble([step])
    assert error.kind == kind
    assert words in str(error)


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


OVERFLOWS = (
    (400, "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."),
    (400, "Your input exceeds the context window of this model."),
    (400, "This model's maximum context length is 6048 tokens. However, you requested 6616 tokens (568 in the messages, 6048 in the completion)."),
    (400, "max_tokens must be at least 1, got -186."),
    (400, "the request exceeds the available context size. try increasing the context size or enable context shift"),
    (400, "request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it"),
    (500, "Context size has been exceeded."),
    (400, "Requested tokens (2285) exceed context window of 2048"),
    (400, "prompt is too long: 213462 tokens > 200000 maximum"),
    (400, "input length and `max_tokens` exceed context limit: 199000 + 20000 > 200000"),
    (400, "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)."),
    (400, "Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"),
    (400, "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096)."),
    (400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens"),
    (400, "Please reduce the length of the messages or completion."),
    (400, "Prompt contains 65673 tokens, too large for model with 32768 maximum context length"),
    (400, "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000"),
    (413, ""),
    (429, "Request too large for m on tokens per min (TPM): Limit 30000, Requested 40000."),
)  # fmt: skip


@pytest.mark.parametrize(("status", "message"), OVERFLOWS)
def test_every_wording_of_an_overflow(status: int, message: str) -> None:
    assert trouble([fail(status, message)]).kind == "overflow"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ('[{"error": {"message": "one", "status": "X"}}]', "one"),
        ('{"object": "error", "message": "two", "code": 400}', "two"),
        ('{"error": "three"}', "three"),
        ('{"detail": [{"loc": ["seed"]}]}', '[{"loc": ["seed"]}]'),
        ("<html><style>x{}</style><p>four</p></html>", "four"),
        ("5", "5"),
        ("null", "null"),
        ("[]", "[]"),
        ("", ""),
    ],
)
def test_errors_of_every_shape(body: str, text: str) -> None:
    assert rejection_of(400, body).text == text


def rejecting(*rules: tuple[str, Reply]) -> Any:
    """A script that complains of each parameter that is named, in this order."""

    def script(body: Body, number: int) -> Step:
        return next((reply for name, reply in rules if name in body), say("Hi."))

    return script


NEWER = fail(400, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", param="max_tokens", code="unsupported_parameter")  # fmt: skip


def test_parameters_that_are_rejected_are_learnt_once() -> None:
    rules = (
        ("max_tokens", NEWER),
        ("seed", fail(400, "Unrecognized request argument supplied: seed")),
    )
    with ScriptedModel(rejecting(*rules)) as server:
        asked(server, NOTED, NOTED, seed=1)
    names = [
        set(body) & {"max_tokens", "max_completion_tokens", "seed"} for body in server.requests
    ]
    assert names == [{"max_tokens", "seed"}, {"max_completion_tokens", "seed"}, {"max_completion_tokens"}, {"max_completion_tokens"}]  # fmt: skip


def test_a_server_that_takes_no_limit_at_all() -> None:
    rules = (
        ("max_tokens", NEWER),
        ("max_completion_tokens", fail(422, "max_completion_tokens: extra input")),
    )
    with ScriptedModel(rejecting(*rules)) as server:
        asked(server, HELLO)
    assert len(server.requests) == 3
    assert not {"max_tokens", "max_completion_tokens"} & set(server.requests[-1])


@pytest.mark.parametrize(
    "message",
    [
        "max_tokens is too large: 8192. This model supports at most 4096 completion tokens, whereas you provided 8192.",
        "max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens for m-3-5-20241022",
        "`max_tokens` must be less than or equal to `4096`, the maximum value for `max_tokens`",
        "Invalid max_tokens value, the valid range of max_tokens is [1, 4096]",
    ],
)
def test_a_limit_that_is_too_high_is_lowered(message: str) -> None:
    def script(body: Body, number: int) -> Step:
        return fail(400, message) if body["max_tokens"] > 4096 else say("Hi.")

    with ScriptedModel(script) as server:
        asked(server, HELLO, HELLO)
    assert [body["max_tokens"] for body in server.requests] == [8192, 4096, 4096]


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "registry.ollama.ai/library/llama3:latest does not support tools"),
        (500, "Unsupported param: tools"),
        (500, "tools param requires --jinja flag"),
        (
            400,
            '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        ),
        (404, "No endpoints found that support tool use. Try disabling one."),
        (400, "Function calling is not enabled for this model"),
    ],
)
def test_tools_that_are_not_taken_are_left_out(status: int, message: str) -> None:
    with ScriptedModel(rejecting(("tools", fail(status, message)))) as server:
        found = asked(server, NOTED, NOTED)
    assert [one.text for one in found] == ["Hi.", "Hi."]
    assert ["tools" in body for body in server.requests] == [True, False, False]


def test_an_error_in_a_tool_is_an_error() -> None:
    bad = fail(
        400, "Invalid schema for function 'note': seed, max_tokens", param="tools[0].function"
    )
    assert trouble([bad], NOTED, seed=1).kind == "bad-request"


def test_calls_side_by_side_learn_together() -> None:
    with ScriptedModel(rejecting(("max_tokens", NEWER.after(0.1)))) as server:
        endpoint = Endpoint("m", server.base_url, KEY)

        async def both() -> list[Answer]:
            return list(await asyncio.gather(endpoint.complete(HELLO), endpoint.complete(HELLO)))

        assert [found.text for found in asyncio.run(both())] == ["Hi.", "Hi."]
    assert ["max_tokens" in body for body in server.requests] == [True, True, False, False]


def test_what_one_call_learns_is_not_undone_by_another() -> None:
    no_seed = fail(400, "Unrecognized request argument supplied: seed")

    def script(body: Body, number: int) -> Step:
        if number < 2:
            return (NEWER.after(0.05), no_seed.after(0.2))[number]
        return no_seed if "seed" in body else say("Hi.")

    with ScriptedModel(script) as server:
        endpoint = Endpoint("m", server.base_url, KEY, seed=1)

        async def both() -> None:
            await asyncio.gather(endpoint.complete(HELLO), endpoint.complete(HELLO))

        asyncio.run(both())
    assert ["max_tokens" in body for body in server.requests[:3]] == [True, True, False]
    assert not any("max_tokens" in body for body in server.requests[2:])
    assert "seed" not in server.requests[-1]


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
