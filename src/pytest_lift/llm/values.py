"""Requests, answers and errors of a model, whatever endpoint answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from pytest_lift.errors import LiftError
from pytest_lift.settings import Prices

Sender = Literal["system", "user", "assistant", "tool"]
Stop = Literal["stop", "tool_calls", "length"]


Trouble = Literal[
    "key",
    "model",
    "quota",
    "overflow",
    "refusal",
    "truncated",
    "empty",
    "unreachable",
    "server",
    "bad-answer",
    "bad-request",
    "budget",
    "replay",
]


@dataclass(frozen=True)
class Tool:
    """A tool as a model is told of it."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """JSON Schema of the arguments, an object."""


@dataclass(frozen=True)
class ToolCall:
    """A call as the model wrote it."""

    id: str
    name: str
    arguments: str
    """JSON, or what was meant to be: not checked."""


@dataclass(frozen=True)
class Message:
    """One turn of a conversation."""

    sender: Sender
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    """Of an assistant."""
    answers: str = ""
    """Of a tool: the id of the call."""


@dataclass(frozen=True)
class ModelRequest:
    """One call of a model."""

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    most_tokens: int = 8192
    """Tokens that the answer may have."""
    label: str = ""
    """Who asks, for the books (``generator``, ``debugger``, ...); the model does not see it."""


@dataclass(frozen=True)
class Usage:
    """What calls have cost. Tokens as the endpoint counts them, else estimated."""

    calls: int = 0
    prompt_tokens: int = 0
    """Cached ones included."""
    cached_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    """Of waiting for answers, retries included; calls side by side count each."""
    cost: float = 0.0
    """In the currency of the prices given; 0 where none are."""

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def cost_at(self, prices: Prices) -> float:
        """What these tokens cost, in the currency of `prices`."""
        new = self.prompt_tokens - self.cached_tokens
        total = new * prices.input + self.cached_tokens * prices.cached
        return (total + self.completion_tokens * prices.output) / 1_000_000

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.cached_tokens + other.cached_tokens,
            self.completion_tokens + other.completion_tokens,
            self.seconds + other.seconds,
            self.cost + other.cost,
        )


def added(many: Iterable[Mapping[str, Usage]]) -> dict[str, Usage]:
    """By role, over all of `many`."""
    found: dict[str, Usage] = {}
    for one in many:
        for role, usage in one.items():
            found[role] = found.get(role, Usage()) + usage
    return found


@dataclass(frozen=True)
class Answer:
    """What a model said: text, tool calls, or both. Never neither."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    stop: Stop = "stop"
    usage: Usage = field(default_factory=Usage)


class Model(Protocol):
    """Something that answers. Raises `models.errors.ModelError`."""

    @property
    def name(self) -> str: ...

    @property
    def context(self) -> int:
        """Tokens that a request and its answer may have together."""
        ...

    async def complete(self, request: ModelRequest) -> Answer: ...


class ModelWrapper:
    """What every model that is put around another one passes on."""

    def __init__(self, inner: Model) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def context(self) -> int:
        return self._inner.context


class ModelError(LiftError):
    """A call that brought no answer, retries included.

    ``overflow``: the request is longer than the context; a smaller one may pass. ``refusal``,
    ``truncated``, ``empty``, ``bad-answer``: this request failed, others may succeed. ``budget``:
    the call was not made. All others would befall every other call as well.
    """

    def __init__(self, kind: Trouble, what: str, *, where: str = "", todo: str = "") -> None:
        super().__init__(what, where=where, todo=todo)
        self.kind = kind
