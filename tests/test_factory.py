"""`llm/factory.py` puts a model together from settings and environment, and asks it."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest
from scripted_model import Body, ScriptedModel, Step, call, say

from pytest_lift.errors import UsageError
from pytest_lift.llm.calls import CallLog
from pytest_lift.llm.factory import open_budget, open_endpoint, open_model
from pytest_lift.llm.values import Answer, Message, Model, ModelError, ModelRequest, Tool
from pytest_lift.settings import Prices, Settings

NOTE = Tool("note", "Note it.", {"type": "object", "properties": {"word": {"type": "string"}}})
ASKED = ModelRequest((Message("user", "Note it."),), (NOTE,), label="generator")


def settings(root: Path, **more: Any) -> Settings:
    return Settings(root, "tests", **{"model": "m", **more})


def native(body: Body, number: int) -> Step:
    """A model that calls tools."""
    if (
        "probe" in body["messages"][-1]["content"]
        or body["tools"][0]["function"]["name"] == "report"
    ):
        return call("report", word=_marker(body))
    return call("note", word="native")


def prose(body: Body, number: int) -> Step:
    """A model that is offered tools in vain, and follows the protocol of text."""
    if "marker word" in body["messages"][0]["content"]:
        return say(_marker(body))
    assert "tools" not in body
    return say("```tool note\nword: textual\n```")


def _marker(body: Body) -> str:
    return str(body["messages"][0]["content"].partition(".")[0].rpartition(" ")[2])


def opened(
    options: Settings, environ: dict[str, str], log: CallLog, *requests: ModelRequest
) -> Any:
    """(notes, context of the model, its answers)"""
    notes: list[str] = []

    async def each() -> tuple[Model, list[Answer]]:
        model = await open_model(options, environ, log, open_budget(options), notes.append)
        return model, [await model.complete(request) for request in requests]

    model, answers = asyncio.run(each())
    return notes, model.context, answers


@pytest.mark.parametrize(("script", "word"), [(native, "native"), (prose, "textual")])
def test_a_model_is_probed_asked_recorded_and_replayed(
    tmp_path: Path, script: Any, word: str
) -> None:
    log = CallLog({})
    log.open(tmp_path / "calls")
    with ScriptedModel(script) as server:
        environ = {"OPENAI_BASE_URL": server.base_url}
        notes, context, [answer] = opened(settings(tmp_path), environ, log, ASKED)
    assert json.loads(answer.calls[0].arguments) == {"word": word}
    assert (context, len(notes)) == (48_000, 0 if script is native else 1)
    names = sorted(path.name for path in (tmp_path / "calls").iterdir())
    assert names == ["0001-probe.json", "0002-generator.json"]
    assert server.headers[0]["authorization"] == "Bearer no-key-needed"

    replayed = settings(tmp_path, model=None, replay=tmp_path / "calls")
    again = opened(replayed, {}, CallLog({}), ASKED)[2]
    assert [one.calls for one in again] == [answer.calls]


@pytest.mark.parametrize(
    ("stated", "given", "context"),
    [(8192, None, 8192), (200_000, None, 48_000), (8192, 50_000, 50_000), (0, None, 48_000)],
)
def test_the_context(tmp_path: Path, stated: int, given: int | None, context: int) -> None:
    with ScriptedModel(native, models=[{"id": "m", "context_length": stated}]) as server:
        environ = {"OPENAI_BASE_URL": server.base_url}
        assert opened(settings(tmp_path, context=given), environ, CallLog({}))[1] == context


def test_the_probe_counts(tmp_path: Path) -> None:
    with ScriptedModel(native) as server:
        environ = {"OPENAI_BASE_URL": server.base_url}
        with pytest.raises(ModelError, match="tokens are spent"):
            opened(settings(tmp_path, max_tokens=3000), environ, CallLog({}))
    assert server.requests == []


def test_so_many_at_a_time(tmp_path: Path) -> None:
    now = most = 0

    def script(body: Body, number: int) -> Step:
        nonlocal now, most
        if number == 0:
            return native(body, number)
        now += 1
        most = max(most, now)
        time.sleep(0.03)
        now -= 1
        return say("Hi.")

    async def many(environ: dict[str, str]) -> None:
        options = settings(tmp_path, concurrency=2)
        model = await open_model(options, environ, CallLog({}), open_budget(options))
        await asyncio.gather(*(model.complete(ASKED) for _ in range(5)))

    with ScriptedModel(script) as server:
        asyncio.run(many({"OPENAI_BASE_URL": server.base_url}))
    assert (len(server.requests), most) == (6, 2)


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({}, "no API key for api.openai.com"),
        ({"OPENAI_BASE_URL": "https://models.example/v1"}, "no API key for models.example"),
        ({"OPENAI_BASE_URL": "localhost:11434"}, "OPENAI_BASE_URL: this is not a valid address"),
        ({"OPENAI_BASE_URL": "http://[::1"}, "OPENAI_BASE_URL: this is not a valid address"),
    ],
)
def test_what_the_environment_must_have(tmp_path: Path, environ: dict[str, str], told: str) -> None:
    with pytest.raises(UsageError, match="OPENAI") as caught:
        open_endpoint(settings(tmp_path), environ)
    assert told in str(caught.value)


@pytest.mark.parametrize("host", ["localhost:1", "127.0.0.2", "[::1]:8", "x.localhost"])
def test_a_server_on_this_machine_needs_no_key(tmp_path: Path, host: str) -> None:
    endpoint = open_endpoint(settings(tmp_path), {"OPENAI_BASE_URL": f"http://{host}/v1"})
    assert endpoint.where == f"http://{host}/v1"


def test_money_needs_a_price(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the price of m is not known"):
        open_budget(settings(tmp_path, max_cost=1.0))
    open_budget(settings(tmp_path, max_cost=1.0, prices={"m": Prices(1, 1, 1)}))
    with pytest.raises(UsageError, match="no model is named"):
        open_endpoint(settings(tmp_path, model=None), {})
