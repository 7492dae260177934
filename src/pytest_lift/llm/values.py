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
    """Description of a tool for a model."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """JSON Schema of the arguments, an object."""


@dataclass(frozen=True)
class ToolCall:
    """A tool call as the model wrote it."""

    id: str
    name: str
    arguments: str
    """JSON, not yet validated."""


@dataclass(frozen=True)
class Message:
    """A message of a conversation."""

    sender: Sender
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    """Tool calls, for the sender ``assistant`` only."""
    answers: str = ""
    """Id of the answered call, for the sender ``tool`` only."""


@dataclass(frozen=True)
class ModelRequest:
    """A request to a model."""

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    most_tokens: int = 8192
    """Largest number of tokens of the answer."""
    label: str = ""
    """Role that asks, for the usage figures (``generator``, ``debugger``, ...); not sent to the
    model."""


@dataclass(frozen=True)
class Usage:
    """Usage of calls. Tokens are those counted by the endpoint, otherwise estimates."""

    calls: int = 0
    prompt_tokens: int = 0
    """Tokens of the requests, including cached ones."""
    cached_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    """Waiting time including retries; concurrent calls are added up."""
    cost: float = 0.0
    """Cost in the currency of the given prices; 0 without prices."""

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def cost_at(self, prices: Prices) -> float:
        """Returns the cost of these tokens in the currency of `prices`."""
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
    """Returns the sum of `many` by role."""
    found: dict[str, Usage] = {}
    for one in many:
        for role, usage in one.items():
            found[role] = found.get(role, Usage()) + usage
    return found


@dataclass(frozen=True)
class Answer:
    """Answer of a model: text, tool calls, or both."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    stop: Stop = "stop"
    usage: Usage = field(default_factory=Usage)


class Model(Protocol):
    """Interface of everything that answers requests. Raises ModelError."""

    @property
    def name(self) -> str: ...

    @property
    def context(self) -> int:
        """Tokens of a request and its answer together."""
        ...

    async def complete(self, request: ModelRequest) -> Answer: ...


class ModelWrapper:
    """Base class of models that wrap another model."""

    def __init__(self, inner: Model) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def context(self) -> int:
        return self._inner.context


class ModelError(LiftError):
    """Error of a call that brought no answer, even after retries.

    ``overflow``: the request is longer than the context; a smaller one may succeed. ``refusal``,
    ``truncated``, ``empty``, ``bad-answer``: this request failed, others may succeed. ``budget``:
    the call was not made. All other kinds would affect every other call, too.
    """

    def __init__(self, kind: Trouble, what: str, *, where: str = "", todo: str = "") -> None:
        super().__init__(what, where=where, todo=todo)
        self.kind = kind
