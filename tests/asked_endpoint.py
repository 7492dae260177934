"""An endpoint asked once, with a server that answers by script."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from scripted_model import (
    ScriptedModel,
    Step,
)

from pytest_lift.llm.endpoint import Endpoint
from pytest_lift.llm.values import Answer, Message, ModelError, ModelRequest, Tool

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


def trouble(steps: Sequence[Step], request: ModelRequest = HELLO, **options: Any) -> ModelError:
    with ScriptedModel(steps) as server, pytest.raises(ModelError) as caught:
        asked(server, request, **options)
    assert len(server.requests) == len(steps)
    assert str(caught.value).startswith(f"{server.base_url}: ")
    assert KEY not in repr(caught.value) + str(caught.value)
    return caught.value
