"""Builds the model of a lift: endpoint or recording, text tools, recording of calls, budget.

What an endpoint can do (tools, long requests) is found out with one call.
"""

from __future__ import annotations

import asyncio
import ipaddress
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pytest_lift.errors import UsageError
from pytest_lift.llm.budget import Budget, Budgeted, characters, estimated_tokens, price_of
from pytest_lift.llm.calls import CallLog, Recorded
from pytest_lift.llm.endpoint import Endpoint
from pytest_lift.llm.replay import Replay
from pytest_lift.llm.text_tools import TextTools
from pytest_lift.llm.values import (
    Answer,
    Message,
    Model,
    ModelError,
    ModelRequest,
    ModelWrapper,
    Tool,
    Usage,
)

if TYPE_CHECKING:
    from pytest_lift.settings import Settings


MOST_CONTEXT = 48_000
"""Largest number of tokens of a request and its answer without --lift-context: longer requests
cost more, and models read them less well."""
_HOSTED = "https://api.openai.com/v1"
_PLACEHOLDER = "no-key-needed"
IN_WORDS = "tools are described to it in words"
PADDINGS = (6000, 1500)
"""Lengths in tokens; the second is used if the first is too long for the endpoint."""
LEAST_CONTEXT = 2048
"""Smallest context in tokens that is assumed."""
_FAR_BELOW = 0.6
_NO_COUNT = 512
"""Smallest plausible number of tokens: some servers count only tokens that were not cached."""

REPORT = Tool(
    "report",
    "Report the marker word.",
    {
        "type": "object",
        "properties": {"word": {"type": "string", "description": "the marker word"}},
        "required": ["word"],
    },
)
_MARKERS = ("heliotrope", "marmalade", "quicksilver", "tambourine", "windflower", "zeppelin")
_PEOPLE = "Ada Bram Chidi Dunja Elias Farah Goran Hana Iker Jonna Kofi Lena Milo Nuri Olga Pavel"
_DEEDS = "counted repaired painted weighed sorted carried mended bought measured hid labelled lost"
_THINGS = "lamps ropes bricks kettles ladders maps clocks bells nets jars wheels tiles oars chairs"
_PLACES = "harbour mill orchard attic bridge station quarry chapel garden cellar market lighthouse"


async def open_model(
    settings: Settings,
    environ: Mapping[str, str],
    log: CallLog,
    budget: Budget,
    tell: Callable[[str], None] = lambda note: None,
) -> Model:
    """Returns the model that `settings` name, probed with one call; `tell` receives messages for
    the user.

    From the outside in: the budget, the recorder (which also takes secrets out of what is sent),
    tools as text where the model needs that, the limit of concurrent calls, the endpoint. What is
    recorded is thus what was asked, however it was put, and a replay needs no probe and no key.
    Raises UsageError, and ModelError for an endpoint that cannot be used.
    """
    if settings.dry_run:
        return Unasked(settings.model or "", settings.context or MOST_CONTEXT)
    if settings.replay is not None:
        replay = SideBySide(Replay(settings.replay, settings.context), settings.concurrency)
        return Budgeted(Recorded(replay, log), budget)
    endpoint = open_endpoint(settings, environ)
    limited = SideBySide(endpoint, settings.concurrency)
    stated = settings.context or await endpoint.stated_context()
    found = await probe(Budgeted(Recorded(limited, log), budget), stated)
    endpoint.context = settings.context or min(found.context, MOST_CONTEXT)
    for note in found.notes:
        tell(note)
    inner: Model = limited if found.tools else TextTools(limited)
    return Budgeted(Recorded(inner, log), budget)


def open_budget(
    settings: Settings, *, deadline: float | None = None, spent_before: Usage | None = None
) -> Budget:
    """Returns the budget of this run. Raises UsageError if a limit of money is given without a
    price."""
    recorded = Replay(settings.replay).name if settings.replay else None
    name = recorded or settings.model or ""
    needed = settings.max_cost is not None
    prices = price_of(name, settings.prices) if needed else settings.prices.get(name)
    limits = settings.max_tokens, settings.max_cost, deadline
    return Budget(*limits, prices, spent_before=spent_before)


def open_endpoint(settings: Settings, environ: Mapping[str, str]) -> Endpoint:
    """Returns the endpoint without calling it. Address and key come from the environment only."""
    if settings.model is None:
        raise UsageError("no model is named", where="--lift-model", todo="name one")
    if find_spec("openai") is None:
        raise UsageError(
            "a model needs the package openai, which is not installed",
            where="--lift-model",
            todo="pip install 'pytest-lift[model]'",
        )
    address = environ.get("OPENAI_BASE_URL") or _HOSTED
    host = _host(address)
    key = environ.get("OPENAI_API_KEY", "").strip() or (_PLACEHOLDER if _is_here(host) else "")
    if not (key.isascii() and key.isprintable()):
        raise UsageError(
            "the key has characters that a key cannot have",
            where="OPENAI_API_KEY",
            todo="copy it again",
        )
    if not key:
        raise UsageError(
            f"there is no API key for {host}",
            where="--lift-model",
            todo="set OPENAI_API_KEY; for another endpoint set OPENAI_BASE_URL as well "
            "(a server on this machine needs no key)",
        )
    return Endpoint(settings.model, address, key, context=MOST_CONTEXT, seed=settings.seed)


def _host(address: str) -> str:
    try:
        found = urlsplit(address)
        host = found.hostname if found.scheme in ("http", "https") else None
        _ = found.port  # raises ValueError for what is none
    except ValueError:
        host = None
    if not host:
        raise UsageError(
            "this is not a valid address of an endpoint",
            where="OPENAI_BASE_URL",
            todo="write one such as http://127.0.0.1:11434/v1",
        )
    return host


def _is_here(host: str) -> bool:
    """Whether `host` is this machine; local servers need no key."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


@dataclass(frozen=True)
class Unasked:
    """Model of a dry run: it needs no key and sends nothing."""

    name: str
    context: int

    async def complete(self, request: ModelRequest) -> Answer:
        raise AssertionError("a dry run asks nothing")


class SideBySide(ModelWrapper):
    """A model with a limited number of concurrent calls. Each event loop has a semaphore of its
    own."""

    def __init__(self, inner: Model, most: int) -> None:
        super().__init__(inner)
        self._most = most
        self._open: tuple[asyncio.AbstractEventLoop, asyncio.Semaphore] | None = None

    async def complete(self, request: ModelRequest) -> Answer:
        async with self._turn():
            return await self._inner.complete(request)

    def _turn(self) -> asyncio.Semaphore:
        loop = asyncio.get_running_loop()
        if self._open is None or self._open[0] is not loop:
            self._open = (loop, asyncio.Semaphore(self._most))
        return self._open[1]


@dataclass(frozen=True)
class EndpointProbe:
    """Result of the probe."""

    tools: bool
    """Whether the model calls the tools that it is offered."""
    context: int
    """Tokens of a request and its answer together, as far as known."""
    notes: tuple[str, ...] = ()
    """Messages for the user."""


async def probe(model: Model, stated: int = 0) -> EndpointProbe:
    """Asks once for a word at the very beginning of a long request, to be returned by a tool call.

    `stated` is the context that the endpoint states, 0 if it does not. Raises ModelError for errors
    that every other call would meet as well.
    """
    for padding in PADDINGS:
        marker = random.choice(_MARKERS)
        request = _request(marker, padding)
        try:
            answer = await model.complete(request)
        except ModelError as error:
            if error.kind == "overflow" and padding != PADDINGS[-1]:
                continue
            if error.kind in ("truncated", "empty"):
                note = f"the model did not call a tool ({error.what}); {IN_WORDS}"
                return EndpointProbe(False, stated or model.context, (note,))
            raise
        small = padding != PADDINGS[0]
        return _judged(answer, request, marker, stated or (4096 if small else model.context))
    raise AssertionError("unreachable: the last padding returns or raises")


def _judged(answer: Answer, request: ModelRequest, marker: str, context: int) -> EndpointProbe:
    made = [call for call in answer.calls if call.name == REPORT.name]
    told = " ".join([answer.text, *(call.arguments for call in answer.calls)]).lower()
    notes = []
    if not made:
        notes.append(f"the model does not support tool calls; {IN_WORDS}")
    counted = answer.usage.prompt_tokens
    expected = estimated_tokens(characters(request))
    if marker not in told or _NO_COUNT <= counted < _FAR_BELOW * expected:
        context = min(context, max(counted, LEAST_CONTEXT))
        notes.append(
            f"the endpoint seems to cut long requests silently: it read {counted} of about "
            f"{expected} tokens. Give the model a larger context (with Ollama: "
            "OLLAMA_CONTEXT_LENGTH=32768), or say with --lift-context what it has"
        )
    return EndpointProbe(bool(made), context, tuple(notes))


def _request(marker: str, padding: int) -> ModelRequest:
    told = f"The marker word is {marker}. Below is a diary that is of no importance."
    question = (
        "Call the tool `report` with the marker word from the first line of the instructions."
    )
    return ModelRequest(
        (
            Message("system", f"{told}\n\n{' '.join(_diary(padding))}"),
            Message("user", question),
        ),
        (REPORT,),
        most_tokens=2048,
        label="probe",
    )


def _diary(tokens: int) -> Iterator[str]:
    """Yields random sentences of about `tokens` tokens, so that no server has them in a cache."""
    length = 0
    while estimated_tokens(length) < tokens:
        person, deed, thing, place = (
            random.choice(words.split()) for words in (_PEOPLE, _DEEDS, _THINGS, _PLACES)
        )
        hour, number = random.randrange(24), random.randrange(2, 900)
        sentence = f"At {hour} o'clock {person} {deed} {number} {thing} at the {place}."
        length += len(sentence) + 1
        yield sentence
