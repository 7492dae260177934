"""How long a request is, before any endpoint has counted it."""

from __future__ import annotations

import json

from pytest_lift.llm.values import Answer, ModelRequest, ToolCall

CHARACTERS_PER_TOKEN = 4.0
"""Of English and code, where an endpoint does not count itself."""
_FRAME = 16
"""Characters that the role of a message, or the name of a field, takes up besides its text."""


def characters(request: ModelRequest) -> int:
    """Of everything that the model gets to see."""
    spoken = sum(len(m.text) + _called(m.calls) + _FRAME for m in request.messages)
    schemas = sum(len(json.dumps(dict(tool.parameters))) for tool in request.tools)
    return spoken + schemas + sum(len(t.name) + len(t.description) for t in request.tools)


def answered_characters(answer: Answer) -> int:
    return len(answer.text) + _called(answer.calls)


def estimated_tokens(length: int) -> int:
    """Of `length` characters; at least one."""
    return max(1, round(length / CHARACTERS_PER_TOKEN))


def _called(calls: tuple[ToolCall, ...]) -> int:
    return sum(len(call.name) + len(call.arguments) + _FRAME for call in calls)
