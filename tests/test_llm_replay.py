"""Recordings answer again as they were recorded, or say where a request differs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from recorded_calls import ENVIRON, SECRET, ask, record, request, rows
from scripted_model import call, fail, say

from pytest_lift.errors import UsageError
from pytest_lift.llm.calls import CallLog, Recorded
from pytest_lift.llm.replay import Replay, find_recording, pack, read_recording
from pytest_lift.llm.values import Answer, ModelError, ToolCall


def test_a_replay_answers_as_recorded(tmp_path: Path) -> None:
    hello, other = request("Hi"), request(f"{SECRET} \udcff")
    steps = [say("one"), say("two"), call("note", word="x"), fail(400, "odd")]
    told = record(tmp_path / "first", steps, hello, hello, other, request("bad"))

    log = CallLog(ENVIRON)
    log.open(tmp_path / "second")
    replay = Replay(tmp_path / "first")
    assert (replay.name, replay.context) == ("m-1", 32_000)
    again = ask(Recorded(replay, log), hello, other, hello, hello, request("bad"))
    first, second, noted, bad = told
    assert [_told(one) for one in again] == [
        _told(one) for one in (first, noted, second, second, bad)
    ]
    assert isinstance(again[1], Answer)
    assert again[1].usage.prompt_tokens == 100
    assert {row["key"] for row in rows(tmp_path / "second").values()} == {
        row["key"] for row in rows(tmp_path / "first").values()
    }


def _told(found: Answer | ModelError) -> object:
    return str(found) if isinstance(found, ModelError) else (found.text, found.calls, found.stop)


def test_a_replay_may_be_given_another_context(tmp_path: Path) -> None:
    record(tmp_path, [say("a")], request("Hi"))
    assert Replay(tmp_path, 8000).context == 8000


def test_an_unknown_request_shows_where_it_differs_from_the_nearest(tmp_path: Path) -> None:
    long = "\n".join(f"line {number}" for number in range(100))
    asked = [request(long), request("short"), request(long, "debugger")]
    record(tmp_path, [say("a")] * 3, *asked)
    [error] = ask(Replay(tmp_path), request(long.replace("line 50", "line fifty")))
    assert isinstance(error, ModelError)
    assert error.kind == "replay"
    assert "of 'generator'" in str(error)
    assert "\n-line 50\n+line fifty\n" in error.what
    assert len(error.what.split("\n")) <= 32
    [other] = ask(Replay(tmp_path), request("\n".join(map(str, range(500)))))
    assert "more lines)" in str(other)
    assert len(str(other).split("\n")) <= 34


def test_the_nearest_is_one_of_the_same_role(tmp_path: Path) -> None:
    record(tmp_path, [say("a")] * 2, request("x\ny\nz", "debugger"), request("x\n2\n3"))
    [error] = ask(Replay(tmp_path), request("x\ny\n3"))
    assert "\n-2\n+y\n" in str(error)
    [stranger] = ask(Replay(tmp_path), request("x\ny\n4", "evaluator"))
    assert "\n-z\n+4\n" in str(stranger)


def test_a_difference_in_a_long_line_is_shown(tmp_path: Path) -> None:
    text = "word " * 2000
    record(tmp_path, [say("a")], request(text + "end" + text))
    [error] = ask(Replay(tmp_path), request(text + "END" + text))
    assert "END" in str(error)


def test_a_packed_recording_is_the_same(tmp_path: Path) -> None:
    asked = [request(text) for text in ("a", "b", "a")]
    told = record(tmp_path / "calls", [say("1\u2028"), say("2"), say("3")], *asked)
    assert pack(tmp_path / "calls", tmp_path / "all.jsonl") == 3
    assert len((tmp_path / "all.jsonl").read_text("utf-8").split("\n")) == 4
    assert find_recording(tmp_path, "all.jsonl") == tmp_path / "all.jsonl"
    again = ask(Replay(tmp_path / "all.jsonl"), *asked)
    assert [_told(one) for one in again] == [_told(one) for one in told]


def test_a_recording_is_found_by_run_and_by_place(tmp_path: Path) -> None:
    run = tmp_path / ".lift/history/20260101-000000"
    record(run / "calls", [say("a")], request("Hi"))
    for text in (
        "20260101-000000",
        str(run),
        str(run / "calls"),
        ".lift/history/20260101-000000/calls",
    ):
        assert find_recording(tmp_path, text) == run / "calls"


def test_what_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no recording 'nosuch'"):
        find_recording(tmp_path, "nosuch")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="no call of a model is recorded"):
        find_recording(tmp_path, "empty")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"request": []}',
        '{"request": {"messages": 1, "tools": []}, "answer": {}}',
        '{"request": {"messages": ["x"], "tools": []}, "answer": {"text": "a"}}',
        '{"request": {"messages": [], "tools": []}}',
        '{"request": {"messages": [], "tools": []}, "answer": {"text": "a"}, "key": []}',
        "[" * 100_000,
    ],
)
def test_what_is_no_call_is_passed_over(tmp_path: Path, text: str) -> None:
    record(tmp_path, [say("a")], request("Hi"))
    (tmp_path / "0002-generator.json").write_text(text)
    (tmp_path / "0003-link.json").symlink_to("0001-generator.json")
    (tmp_path / ".0004-generator.json.half").write_text("{}")
    recorded = read_recording(tmp_path)
    if '"key"' in text:  # a key that is none is made anew
        recorded.pop()
    assert [row["answer"]["text"] for row in recorded] == ["a"]


def test_an_odd_answer_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    record(tmp_path, [say("a")], request("Hi"))
    [file] = tmp_path.iterdir()
    row = json.loads(file.read_text("utf-8"))
    row |= {
        "answer": {"text": 3, "calls": [1, {"name": "note"}], "stop": "x"},
        "usage": [],
        "seconds": "x",
    }
    file.write_text(json.dumps(row))
    [found] = ask(Replay(tmp_path), request("Hi"))
    assert isinstance(found, Answer)
    assert (found.text, found.calls, found.stop) == ("3", (ToolCall("", "note", ""),), "stop")
    file.write_text(json.dumps({**row, "answer": None, "error": {"kind": "nonsense", "what": 4}}))
    [error] = ask(Replay(tmp_path), request("Hi"))
    assert isinstance(error, ModelError)
    assert (error.kind, error.what) == ("server", "4")
