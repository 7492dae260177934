"""Records each call of a model on disk, and removes secrets from requests."""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pytest_lift.files.codec import encode
from pytest_lift.files.disk import needed_for
from pytest_lift.llm.values import Answer, Message, Model, ModelError, ModelRequest, ModelWrapper
from pytest_lift.text.printable import redacted, redacted_data

VERSION = 1
FILE = re.compile(r"(\d{4,})-.*\.json\Z", re.DOTALL)
"""Name of the file of a call."""
COUNTED = ("prompt_tokens", "cached_tokens", "completion_tokens")
"""What is recorded of the usage, beside the seconds."""
_UNFIT = re.compile(r"[^a-z0-9]+")


def request_key(request: ModelRequest) -> str:
    """Returns 16 hex digits of the messages and tools of a request; model, role and limits do
    not count."""
    return key_of(request_data(request))


def key_of(data: Mapping[str, Any]) -> str:
    """Returns the `request_key` of the output of `request_data`."""
    asked = {name: data[name] for name in ("messages", "tools")}
    canonical = json.dumps(asked, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()[:16]


def request_data(request: ModelRequest) -> dict[str, Any]:
    """Returns `request` as it is recorded."""
    return {
        "messages": [_message_data(message) for message in request.messages],
        "tools": encode(request.tools),
        "most_tokens": request.most_tokens,
    }


def _message_data(message: Message) -> dict[str, Any]:
    """Returns the fields of a message without empty ones, so that people can read it easily."""
    found = encode(message)
    return {name: value for name, value in found.items() if value or name == "text"}


class CallLog:
    """Recorded calls of a run: one file each, numbered in the order of the answers.

    Calls before the folder of the run is known are held in memory and written later.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._environ = environ
        self._folder: Path | None = None
        self._waiting: list[tuple[str, dict[str, Any]]] = []
        self._number = 0

    def open(self, folder: Path) -> None:
        """Writes to `folder` from now on; numbers continue after the calls of a resumed run.

        Raises StorageError.
        """
        with needed_for("the calls of the model cannot be recorded", folder):
            folder.mkdir(parents=True, exist_ok=True)
            names = [found for path in folder.iterdir() if (found := FILE.match(path.name))]
        self._number = max((int(found[1]) for found in names), default=0)
        self._folder = folder
        waiting, self._waiting = self._waiting, []
        for label, data in waiting:
            self._write(folder, label, data)

    def add(self, label: str, data: Mapping[str, Any]) -> None:
        """Records one call. Raises StorageError."""
        safe = redacted_data({"version": VERSION, "label": label, **data}, self._environ)
        if self._folder is None:
            self._waiting.append((label, safe))
        else:
            self._write(self._folder, label, safe)

    def redacted(self, text: str) -> str:
        """Returns `text` without secrets, as it may be sent."""
        return redacted(text, self._environ)

    def _write(self, folder: Path, label: str, data: Mapping[str, Any]) -> None:
        self._number += 1
        name = _UNFIT.sub("-", label.lower()).strip("-")[:40] or "call"
        path = folder / f"{self._number:04d}-{name}.json"
        text = json.dumps(data, indent=1, ensure_ascii=False, default=str) + "\n"
        with needed_for("a call of the model cannot be recorded", path):
            write_by_rename(path, text)


def write_by_rename(path: Path, text: str) -> None:
    """Writes all of `text` to `path`, or nothing. Raises OSError."""
    half = path.with_name(f".{path.name}.half")
    half.write_bytes(text.encode("utf-8", "backslashreplace"))
    half.replace(path)


class Recorded(ModelWrapper):
    """A model whose calls are recorded and whose requests are sent without secrets."""

    def __init__(self, inner: Model, log: CallLog) -> None:
        super().__init__(inner)
        self._log = log

    async def complete(self, request: ModelRequest) -> Answer:
        request = self._without_secrets(request)
        began = time.monotonic()
        try:
            answer = await self._inner.complete(request)
        except ModelError as error:
            told = {name: getattr(error, name) for name in ("kind", "what", "where", "todo")}
            self._add(request, {"error": told}, time.monotonic() - began)
            raise
        self._add(request, _answer_data(answer), answer.usage.seconds)
        return answer

    def _add(self, request: ModelRequest, outcome: Mapping[str, Any], seconds: float) -> None:
        about = {
            "key": request_key(request),
            "model": self.name,
            "context": self.context,
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "seconds": round(seconds, 3),
            "request": request_data(request),
        }
        self._log.add(request.label, {**about, **outcome})

    def _without_secrets(self, request: ModelRequest) -> ModelRequest:
        """Returns the request without secrets; the model's earlier tool calls are cleaned, too,
        because they may repeat a secret."""
        clean = self._log.redacted
        messages = (
            replace(
                message,
                text=clean(message.text),
                calls=tuple(replace(c, arguments=clean(c.arguments)) for c in message.calls),
            )
            for message in request.messages
        )
        return replace(request, messages=tuple(messages))


def _answer_data(answer: Answer) -> dict[str, Any]:
    data = encode(answer)
    usage = data.pop("usage")
    return {"answer": data, "usage": {name: usage[name] for name in COUNTED}}
