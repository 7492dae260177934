"""Client of any OpenAI-compatible endpoint, with retries and adaptation to its limitations."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlsplit

from pytest_lift.llm.rejection import Rejection, adapted, error_inside, pause, rejection_of
from pytest_lift.llm.values import Answer, ModelError, ModelRequest
from pytest_lift.llm.wire import Form, answer_of, body_of, loaded_body

if TYPE_CHECKING:
    from openai import AsyncOpenAI

TRIES = 5
_LIST_SECONDS = 15
_CONTEXT_FIELDS = (
    "context_length",
    "max_model_len",
    "context_window",
    "max_context_length",
    "n_ctx",
)
"""Names of the field at OpenRouter and Together, vLLM, Groq, Mistral, llama.cpp."""


@dataclass(frozen=True)
class _Sent:
    """A response with any status."""

    status: int
    text: str
    headers: Mapping[str, str]


class _Passing(Exception):
    """A failure that may not occur again at the next attempt."""

    def __init__(self, error: ModelError, tries: int = TRIES, headers: Any = None) -> None:
        super().__init__(error)
        self.error = error
        self.tries = tries
        self.headers: Mapping[str, str] = headers or {}


class Endpoint:
    """A model at one address, called through chat completions."""

    def __init__(
        self,
        name: str,
        base_url: str,
        key: str,
        *,
        timeout: float = 600.0,
        context: int = 32_000,
        seed: int | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """Creates the endpoint; `timeout` is in seconds, for each attempt."""
        self.name = name
        self.context = context
        self.where = place_of(base_url)
        self._address = base_url
        self._key = key
        self._timeout = timeout
        self._seed = seed
        self._sleep = sleep
        self._form = Form()
        self._opened: tuple[asyncio.AbstractEventLoop, AsyncGenerator[Any], Any] | None = None

    def __repr__(self) -> str:
        return f"Endpoint({self.name!r}, {self.where!r})"

    async def complete(self, request: ModelRequest) -> Answer:
        """Raises ModelError once trying again is of no use."""
        began = time.monotonic()
        tries = 0
        while True:
            tries += 1
            try:
                answer = await self._answer(request)
            except ModelError as error:
                raise self._safe(error) from None
            except _Passing as passing:
                if tries >= passing.tries:
                    raise self._safe(passing.error) from None
                await self._sleep(pause(tries, passing.headers))
            else:
                usage = replace(answer.usage, seconds=time.monotonic() - began)
                return replace(answer, usage=usage)

    async def stated_context(self) -> int:
        """Returns the context in tokens as the list of models has it; 0 where it says nothing."""
        try:
            async with asyncio.timeout(_LIST_SECONDS):
                sent = await self._send()
            listed = loaded_body(sent.text, self.where).get("data")
        except (_Passing, ModelError, TimeoutError):
            return 0
        rows = [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []
        own = [row for row in rows if row.get("id") == self.name] or rows
        return _context_in(own[0]) if len(own) == 1 else 0

    async def _answer(self, request: ModelRequest) -> Answer:
        body = await self._completion(request)
        try:
            return answer_of(body, request, self.where)
        except ModelError as error:
            if error.kind in ("empty", "bad-answer"):
                raise _Passing(error, tries=2) from None
            raise

    async def _completion(self, request: ModelRequest) -> Mapping[str, Any]:
        """Returns the body of the answer; the request is rewritten as often as that helps."""
        while True:
            form = self._form
            body = body_of(request, self.name, form, self._seed)
            sent = await self._send(body)
            if sent.status >= 400:
                rejection = rejection_of(sent.status, sent.text)
            else:
                answer = self._loaded(sent.text)
                inside = error_inside(answer)
                if inside is None:
                    return answer
                rejection = inside
            better = adapted(form, body, rejection)
            if better is None:
                self._give_up(rejection, sent.headers)
            if self._form is form:  # else a call beside this one has learnt it
                self._form = better

    def _loaded(self, text: str) -> Mapping[str, Any]:
        """Returns the JSON body; an incomplete body raises _Passing, because it may be complete
        at the next attempt."""
        try:
            return loaded_body(text, self.where)
        except ModelError as error:
            if text.lstrip().startswith("{") or not text.strip():
                raise _Passing(error) from None
            raise

    def _give_up(self, rejection: Rejection, headers: Mapping[str, str]) -> NoReturn:
        error = rejection.error(self.where)
        raise _Passing(error, headers=headers) if error.kind == "server" else error

    async def _send(self, body: Mapping[str, Any] | None = None) -> _Sent:
        """Returns the response to `body`, or the list of models without a body.

        Raises _Passing if there was no complete response.
        """
        import openai

        client: Any = await self._client()
        try:
            async with asyncio.timeout(self._timeout):
                if body is None:
                    raw = await client.models.with_raw_response.list()
                else:
                    raw = await client.chat.completions.with_raw_response.create(**body)
                found = raw.http_response
        except openai.APIStatusError as error:
            found = error.response
        except (openai.APITimeoutError, TimeoutError):
            what = f"no answer within {self._timeout:g} seconds"
            raise _Passing(self._unreachable(what)) from None
        except openai.APIConnectionError as error:
            what = f"the connection failed ({error.__cause__ or error})"
            raise _Passing(self._unreachable(what)) from None
        return _Sent(found.status_code, found.text, found.headers)

    async def _client(self) -> AsyncOpenAI:
        """Returns the client of this event loop, with which its connections end."""
        loop = asyncio.get_running_loop()
        if self._opened is None or self._opened[0] is not loop:
            clients = self._clients()
            self._opened = (loop, clients, await anext(clients))
        client: AsyncOpenAI = self._opened[2]
        return client

    async def _clients(self) -> AsyncGenerator[AsyncOpenAI]:
        """Yields one client, open as long as the event loop: a loop that ends closes its
        generators and so the connections."""
        from openai import AsyncOpenAI

        async with AsyncOpenAI(
            api_key=self._key, base_url=self._address, timeout=self._timeout, max_retries=0
        ) as client:
            while True:
                yield client

    def _unreachable(self, what: str) -> ModelError:
        todo = "check OPENAI_BASE_URL, and that the server runs and can be reached from here"
        return ModelError("unreachable", what, where=self.where, todo=todo)

    def _safe(self, error: ModelError) -> ModelError:
        """Returns `error` without the key, which endpoints may repeat in messages."""
        what = error.what.replace(self._key, "[redacted OPENAI_API_KEY]")
        return ModelError(error.kind, what, where=error.where, todo=error.todo)


def place_of(base_url: str) -> str:
    """Returns an address that may be shown: without user, password and query."""
    found = urlsplit(base_url)
    return found._replace(netloc=found.netloc.rpartition("@")[2], query="", fragment="").geturl()


def _context_in(row: Mapping[str, Any]) -> int:
    meta = row.get("meta")
    for place in (row, meta if isinstance(meta, dict) else {}):
        for field in _CONTEXT_FIELDS:
            found = place.get(field)
            if isinstance(found, int) and found > 0:
                return found
    return 0
