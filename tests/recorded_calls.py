"""A model behind a real server whose calls are recorded."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripted_model import ScriptedModel, Step

from pytest_lift.llm.calls import CallLog, Recorded
from pytest_lift.llm.endpoint import Endpoint
from pytest_lift.llm.values import Answer, Message, Model, ModelError, ModelRequest, Tool

SECRET = "hunter2-hunter2"
ENVIRON = {"SERVICE_TOKEN": SECRET}
NOTE = Tool("note", "Note it.", {"type": "object", "properties": {"word": {"type": "string"}}})


def request(text: str, label: str = "generator", **more: Any) -> ModelRequest:
    return ModelRequest(
        (Message("system", "Be short."), Message("user", text)), (NOTE,), label=label, **more
    )


async def _no_wait(seconds: float) -> None:
    pass


def ask(model: Model, *requests: ModelRequest) -> list[Answer | ModelError]:
    async def each() -> list[Answer | ModelError]:
        found: list[Answer | ModelError] = []
        for one in requests:
            try:
                found.append(await model.complete(one))
            except ModelError as error:
                found.append(error)
        return found

    return asyncio.run(each())


def record(
    folder: Path, steps: Sequence[Step], *requests: ModelRequest
) -> list[Answer | ModelError]:
    log = CallLog(ENVIRON)
    log.open(folder)
    with ScriptedModel(steps) as server:
        return ask(
            Recorded(Endpoint("m-1", server.base_url, SECRET, sleep=_no_wait), log), *requests
        )


def rows(folder: Path) -> dict[str, Any]:
    return {path.name: json.loads(path.read_text("utf-8")) for path in sorted(folder.iterdir())}
