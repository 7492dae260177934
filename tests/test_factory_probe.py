"""The probe of an endpoint: servers that cut requests, call no tools, or are as they should be."""

from __future__ import annotations

import asyncio

import pytest
from scripted_model import Body, Script, ScriptedModel, Step, call, fail, say

from pytest_lift.llm.endpoint import Endpoint
from pytest_lift.llm.factory import EndpointProbe, probe
from pytest_lift.llm.values import ModelError


def probed(script: Script, stated: int = 0) -> tuple[EndpointProbe, list[Body]]:
    with ScriptedModel(script) as server:
        endpoint = Endpoint("m", server.base_url, "no key", context=32_000, sleep=_no_wait)
        return asyncio.run(probe(endpoint, stated)), server.requests


async def _no_wait(seconds: float) -> None:
    pass


def marker(body: Body) -> str:
    """The word, as a model finds it that reads everything."""
    first = body["messages"][0]["content"].partition(".")[0]
    return str(first.rpartition(" ")[2])


def counted(step: Step, tokens: int) -> Step:
    assert not isinstance(step, dict)
    content = step.content.replace('"prompt_tokens": 100', f'"prompt_tokens": {tokens}')
    assert content != step.content
    return type(step)(content)


def test_an_endpoint_as_it_should_be() -> None:
    found, [body] = probed(lambda body, _: counted(call("report", word=marker(body).upper()), 5900))
    assert found == EndpointProbe(True, 32_000)
    text = body["messages"][0]["content"]
    assert 5_500 < len(text) / 4 < 6_500
    sentences = text.split(". ")
    assert len(set(sentences)) > 0.95 * len(sentences)
    assert body["tools"][0]["function"]["name"] == "report"


def test_the_stated_context_counts() -> None:
    found, _ = probed(lambda body, _: counted(call("report", word=marker(body)), 5900), 200_000)
    assert found == EndpointProbe(True, 200_000)


def test_prose_is_no_call() -> None:
    found, _ = probed(lambda body, _: counted(say(f"It is {marker(body)}."), 5900))
    assert (found.tools, found.context) == (False, 32_000)
    assert "in words" in found.notes[0]


@pytest.mark.parametrize(("tokens", "context"), [(4096, 4096), (5900, 5900), (40, 2048)])
def test_a_lost_marker_shows_that_the_endpoint_cuts(tokens: int, context: int) -> None:
    found, _ = probed([counted(call("report", word="diary"), tokens)], 131_072)
    assert (found.tools, found.context) == (True, context)
    assert f"it read {tokens}" in found.notes[0]
    assert "OLLAMA_CONTEXT_LENGTH" in found.notes[0]


def test_so_does_a_low_count() -> None:
    found, _ = probed(lambda body, _: counted(call("report", word=marker(body)), 3000))
    assert (found.context, len(found.notes)) == (3000, 1)


def test_a_count_without_what_was_cached_shows_nothing() -> None:
    found, _ = probed(lambda body, _: counted(call("report", word=marker(body)), 20))
    assert found == EndpointProbe(True, 32_000)


def test_a_small_context_is_probed_with_less() -> None:
    def script(body: Body, number: int) -> Step:
        if len(body["messages"][0]["content"]) > 10_000:
            return fail(400, "the request exceeds the available context size")
        return counted(call("report", word=marker(body)), 1400)

    found, bodies = probed(script)
    assert (found, len(bodies)) == (EndpointProbe(True, 4096), 2)
    assert probed(script, 8192)[0].context == 8192


@pytest.mark.parametrize("step", [say("", finish="length"), say("")])
def test_an_answer_that_comes_to_nothing_means_no_tools(step: Step) -> None:
    found, _ = probed([step, step])
    assert (found.tools, found.context) == (False, 32_000)


@pytest.mark.parametrize(
    ("step", "kind"),
    [(fail(401, "no"), "key"), (fail(404, "model m not found"), "model"), (fail(413), "overflow")],
)
def test_what_would_befall_every_call_is_raised(step: Step, kind: str) -> None:
    with pytest.raises(ModelError) as caught:
        probed([step, step])
    assert caught.value.kind == kind
