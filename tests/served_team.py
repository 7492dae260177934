"""One phase of agents whose model answers behind a real server, by script."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from scripted_model import Body, Script, ScriptedModel

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.roles import Prompts
from pytest_lift.agents.prompted.team import Team
from pytest_lift.llm.endpoint import Endpoint

Phase = Callable[[Brief, Team], Awaitable[Any]]


def served(
    phase: Phase, brief: Brief, script: Script, context: int = 100_000
) -> tuple[Any, list[Body]]:
    """Returns what the phase gives, and the requests that were made."""
    with ScriptedModel(script) as server:
        endpoint = Endpoint("scripted", server.base_url, "key", context=context)
        found = asyncio.run(_whole(phase, brief, endpoint))
    return found, server.requests


async def _whole(phase: Phase, brief: Brief, endpoint: Endpoint) -> Any:
    return await phase(brief, Team(endpoint, Prompts()))


def message(body: Body) -> str:
    """The first message of a conversation."""
    text: str = body["messages"][1]["content"]
    return text


def results(body: Body) -> list[str]:
    """What tools have answered so far."""
    return [turn["content"] for turn in body["messages"] if turn["role"] == "tool"]
