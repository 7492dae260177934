"""A model that says what it was told to say, for conversations without an endpoint."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_lift.llm.values import Answer, ModelRequest, ToolCall, Usage

Said = Answer | Exception


@dataclass
class SpokenModel:
    """Answers in order, or by a function of the request; keeps what it was asked."""

    answers: Sequence[Said] | Callable[[ModelRequest], Said]
    context: int = 100_000
    name: str = "spoken"
    asked: list[ModelRequest] = field(default_factory=list)

    async def complete(self, request: ModelRequest) -> Answer:
        self.asked.append(request)
        answers = self.answers
        said = answers(request) if callable(answers) else answers[len(self.asked) - 1]
        if isinstance(said, Exception):
            raise said
        return said


def calls(*made: tuple[str, dict[str, Any] | str]) -> Answer:
    """An answer of tool calls: (name, arguments)."""
    rows = tuple(
        ToolCall(f"c{n}", name, told if isinstance(told, str) else json.dumps(told))
        for n, (name, told) in enumerate(made)
    )
    return Answer(calls=rows, stop="tool_calls", usage=Usage(1, 100, 0, 10))


def says(text: str) -> Answer:
    return Answer(text, usage=Usage(1, 100, 0, 10))
