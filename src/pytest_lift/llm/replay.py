"""A model that answers from a recording: equal requests get equal answers, offline."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from difflib import SequenceMatcher, unified_diff
from pathlib import Path
from typing import Any, get_args

from pytest_lift.errors import UsageError
from pytest_lift.files import untrusted
from pytest_lift.files.codec import loads
from pytest_lift.files.disk import needed_for
from pytest_lift.llm.calls import COUNTED, FILE, key_of, request_data, write_by_rename
from pytest_lift.llm.values import Answer, ModelError, ModelRequest, ToolCall, Trouble, Usage

Row = Mapping[str, Any]
"""A recorded call, in the format of `calls.py`."""
MOST_LINES = 30
"""Largest number of lines of a diff in a message."""
_WIDTH = 110
_STOPS = ("stop", "tool_calls", "length")


def find_recording(root: Path, text: str) -> Path:
    """Returns the path of a recording. `text` is the id of a run of the project `root`, a folder
    of calls, or a file made by `pack`. Raises UsageError."""
    named = Path(text)
    candidates = [root / ".lift" / "history" / text / "calls", named / "calls", named]
    candidates += [root / named / "calls", root / named]
    found = next((path for path in candidates if path.exists()), None)
    if found is None:
        raise UsageError(
            f"there is no recording {text!r}",
            where="--lift-replay",
            todo="name a run below .lift/history, a folder of recorded calls, or a .jsonl file",
        )
    if not read_recording(found):
        raise UsageError(
            "no call of a model is recorded here",
            where=str(found),
            todo="name a run that was made with --lift-model",
        )
    return found


def read_recording(path: Path) -> list[Row]:
    """Returns the calls in order; anything else is skipped."""
    return [row for row in map(_row, _texts(path)) if row is not None]


def _texts(path: Path) -> Iterator[bytes]:
    """Yields the text of each call, read as untrusted: a recording may come from anybody."""
    try:
        if not path.is_dir():
            yield from untrusted.read(path).splitlines()
            return
        numbered = [(found, file) for file in path.iterdir() if (found := FILE.match(file.name))]
    except OSError:
        return
    for _, file in sorted(numbered, key=lambda pair: (int(pair[0][1]), pair[1].name)):
        with suppress(OSError):
            yield untrusted.read(file)


def _row(text: bytes) -> Row | None:
    try:
        row = loads(text)
        request = row["request"]
        parts = [*request["messages"], *request["tools"], row.get("answer") or row.get("error")]
        key = row.get("key") or key_of(request)
        good = isinstance(key, str) and all(isinstance(part, dict) for part in parts)
        return {**row, "key": key} if good else None
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def pack(folder: Path, file: Path) -> int:
    """Writes a folder of calls to `file` (.jsonl), one call per line, and returns their number.

    Raises StorageError.
    """
    rows = read_recording(folder)
    text = "".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows)
    with needed_for("the recording cannot be packed", file):
        write_by_rename(file, text)
    return len(rows)


class Replay:
    """A recording as a model."""

    def __init__(self, recording: Path, context: int | None = None) -> None:
        self._rows = read_recording(recording)
        self._place = str(recording)
        self._by_key: dict[str, list[Row]] = defaultdict(list)
        for row in self._rows:
            self._by_key[row["key"]].append(row)
        self._asked: Counter[str] = Counter()
        last = self._rows[-1] if self._rows else {}
        self.name = str(last.get("model") or "replay")
        recorded = last.get("context")
        self.context = context or (recorded if isinstance(recorded, int) else 32_000)

    async def complete(self, request: ModelRequest) -> Answer:
        """Raises what was recorded, or ModelError ``replay`` when this was never asked."""
        data = request_data(request)
        key = key_of(data)
        rows = self._by_key.get(key)
        if not rows:
            raise self._unknown(data, request.label)
        row = rows[min(self._asked[key], len(rows) - 1)]
        self._asked[key] += 1
        if isinstance(row.get("error"), dict):
            raise _error_of(row["error"])
        return _answer_of(row)

    def _unknown(self, asked: Row, label: str) -> ModelError:
        todo = "record the run again: prompts, project or settings have changed since"
        if not self._rows:
            return ModelError("replay", "nothing is recorded", where=self._place, todo=todo)
        nearest = self._nearest(asked, label)
        old, new = _lines(nearest["request"]), _lines(asked)
        diff = list(unified_diff(old, new, "recorded", "asked now", n=2, lineterm=""))
        shown = diff[:MOST_LINES] + [f"({len(diff) - MOST_LINES} more lines)"] * (
            len(diff) > MOST_LINES
        )
        what = f"this request of {label or 'the lift'!r} is not in the recording; the nearest one:"
        return ModelError("replay", "\n".join([what, *shown]), where=self._place, todo=todo)

    def _nearest(self, asked: Row, label: str) -> Row:
        """Returns the recorded call of the same role, if any, with the most similar lines."""
        rows = [row for row in self._rows if row.get("label") == label] or self._rows
        lines = _lines(asked)
        return max(rows, key=lambda row: _likeness(_lines(row["request"]), lines))


def _likeness(old: Sequence[str], new: Sequence[str]) -> tuple[float, int]:
    same = next(
        (at for at, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), 0
    )
    return SequenceMatcher(None, old, new, autojunk=False).quick_ratio(), same


def _lines(request: Row) -> list[str]:
    """Returns a request as short lines for a readable diff, each message below its sender."""
    texts: list[str] = []
    for message in request["messages"]:
        texts += [f"[{message.get('sender')}]", *str(message.get("text", "")).split("\n")]
        for call in message.get("calls", ()):
            texts.append(f"[call {call.get('name')}] {call.get('arguments')}")
    texts += [f"[tool {tool.get('name')}] {json.dumps(tool)}" for tool in request["tools"]]
    return [text[at : at + _WIDTH] for text in texts for at in range(0, max(len(text), 1), _WIDTH)]


def _answer_of(row: Row) -> Answer:
    said, counted = row["answer"], row.get("usage")
    calls = said.get("calls")
    made = [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    stop = said.get("stop")
    return Answer(
        text=str(said.get("text", "")),
        calls=tuple(
            ToolCall(*(str(call.get(name, "")) for name in ("id", "name", "arguments")))
            for call in made
        ),
        stop=stop if stop in _STOPS else "stop",
        usage=_usage_of(counted if isinstance(counted, dict) else {}, row.get("seconds")),
    )


def _usage_of(counted: Row, seconds: object) -> Usage:
    numbers = {name: counted[name] for name in COUNTED if isinstance(counted.get(name), int)}
    waited = float(seconds) if isinstance(seconds, int | float) else 0.0
    return replace(Usage(calls=1, seconds=waited), **numbers)


def _error_of(error: Row) -> ModelError:
    kind: Trouble = next(
        (known for known in get_args(Trouble) if known == error.get("kind")), "server"
    )
    what, where, todo = (str(error.get(name, "")) for name in ("what", "where", "todo"))
    return ModelError(kind, what, where=where, todo=todo)
