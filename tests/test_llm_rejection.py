"""What a server rejects: of every shape, learnt once, and told in words."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asked_endpoint import HELLO, KEY, NOTED, asked, trouble
from scripted_model import (
    Body,
    Reply,
    ScriptedModel,
    Step,
    fail,
    page,
    say,
)

from pytest_lift.llm.endpoint import Endpoint
from pytest_lift.llm.rejection import rejection_of
from pytest_lift.llm.values import Answer


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
