"""What was asked of a model is on disk, and no secret is."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from recorded_calls import ENVIRON, NOTE, SECRET, ask, record, request, rows
from scripted_model import ScriptedModel, Step, call, fail, say

from pytest_lift.files.disk import StorageError
from pytest_lift.llm.calls import CallLog, Recorded, request_key
from pytest_lift.llm.endpoint import Endpoint
from pytest_lift.llm.values import Answer, Message, Model, ModelError, ModelRequest, ToolCall


def test_a_call_is_a_file(tmp_path: Path) -> None:
    [answer] = record(
        tmp_path / "new/calls", [call("note", word="ü")], request("Hi", "Evaluator 2/x")
    )
    assert isinstance(answer, Answer)
    [(name, row)] = rows(tmp_path / "new/calls").items()
    assert name == "0001-evaluator-2-x.json"
    assert row["label"] == "Evaluator 2/x"
    assert row["key"] == request_key(request("Hi"))
    assert (row["model"], row["context"], row["version"]) == ("m-1", 32_000, 1)
    assert row["request"]["messages"][1] == {"sender": "user", "text": "Hi"}
    assert row["request"]["tools"][0]["parameters"] == NOTE.parameters
    assert row["request"]["most_tokens"] == 8192
    assert row["answer"]["calls"] == [
        {"id": "c0", "name": "note", "arguments": '{"word": "\\u00fc"}'}
    ]
    assert row["usage"] == {"prompt_tokens": 100, "cached_tokens": 0, "completion_tokens": 10}
    assert 0 <= row["seconds"] < 10
    assert row["date"].endswith("+00:00")


def test_the_key_is_of_what_is_asked() -> None:
    key = request_key(request("Hi"))
    assert len(key) == 16
    assert int(key, 16) >= 0
    assert key == request_key(request("Hi", "debugger", most_tokens=5))
    assert key != request_key(request("hi"))
    assert key != request_key(ModelRequest(request("Hi").messages))


def test_numbers_go_by_the_answers_and_errors_are_recorded(tmp_path: Path) -> None:
    log = CallLog({})
    log.open(tmp_path)

    def script(body: dict[str, Any], number: int) -> Step:
        text = body["messages"][1]["content"]
        return fail(401, "no") if text == "bad" else say(text).after(0.15 if text == "slow" else 0)

    async def three(model: Model) -> None:
        asked = (model.complete(request(text, text)) for text in ("slow", "fast"))
        await asyncio.gather(*asked)
        with pytest.raises(ModelError):
            await model.complete(request("bad", "bad"))

    with ScriptedModel(script) as server:
        asyncio.run(three(Recorded(Endpoint("m", server.base_url, "k"), log)))
    found = rows(tmp_path)
    assert list(found) == ["0001-fast.json", "0002-slow.json", "0003-bad.json"]
    error = found["0003-bad.json"]["error"]
    assert (error["kind"], "OPENAI_API_KEY" in error["todo"]) == ("key", True)


def test_calls_before_the_folder_is_known_are_kept(tmp_path: Path) -> None:
    record(tmp_path, [say("a")], request("first"))
    log = CallLog({})
    with ScriptedModel([say("b"), say("c")]) as server:
        model = Recorded(Endpoint("m", server.base_url, "k"), log)
        ask(model, request("second", "probe"))
        assert len(rows(tmp_path)) == 1
        log.open(tmp_path)
        ask(model, request("third", ""))
    assert list(rows(tmp_path)) == ["0001-generator.json", "0002-probe.json", "0003-call.json"]


def test_no_secret_is_sent_or_kept(tmp_path: Path) -> None:
    turns = (
        Message("user", f"The token is {SECRET}."),
        Message("assistant", "", (ToolCall("c1", "note", json.dumps({"word": SECRET})),)),
        Message("tool", f"noted {SECRET}", answers="c1"),
    )
    log = CallLog(ENVIRON)
    log.open(tmp_path)
    with ScriptedModel([say(f"It is {SECRET}.")]) as server:
        ask(Recorded(Endpoint("m", server.base_url, "k"), log), ModelRequest(turns, (NOTE,)))
    assert SECRET not in json.dumps(server.requests)
    assert "[redacted SERVICE_TOKEN]" in server.requests[0]["messages"][2]["content"]
    [file] = tmp_path.iterdir()
    text = file.read_text("utf-8")
    assert SECRET not in text
    assert text.count("[redacted SERVICE_TOKEN]") == 4


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="cannot be recorded"):
        CallLog({}).open(tmp_path / "file")
