"""The meaning of an endpoint's error: trouble, a parameter to leave out, or a time to wait.

The texts are those of OpenAI, Azure, Anthropic, Gemini, Groq, Mistral, DeepSeek, xAI, OpenRouter,
vLLM, llama.cpp, Ollama, LM Studio and Text Generation Inference.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import Any

from pytest_lift.llm.values import ModelError, Trouble
from pytest_lift.llm.wire import Form
from pytest_lift.text.wording import shortened

_OVERFLOW = re.compile(
    r"context[ _](length|window|size|limit)[ _](has been |was )?(full|(is )?exceed)"
    r"|exceed\w* [^.]{0,60}\bcontext\b|context[^.]{0,20}overflow|maximum context length"
    r"|(than the|model's) context length|context length (is|of) only|maximum (model|prompt) length"
    r"|(prompt|input)( is)? too long|input token count|input tokens exceed"
    r"|reduce the length of the|exceed\w* (the )?(model )?(token )?limit"
    r"|too large for model with|request[ _]too[ _]large|token limit exceeded|exceed_context"
    r"|max_new_tokens. must be <=|max_tokens must be at least 1, got -|too many tokens(?!.*per )",
    re.IGNORECASE,
)
_NO_QUOTA = re.compile(
    r"insufficient[ _](quota|balance|credits?|funds)|credit balance is too low|hard limit"
    r"|requires more credits|out of credits",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model_not_found|(no such|unknown|invalid) model|not a valid model"
    r"|\bmodels?\b.{0,120}(not found|not exist|unknown|is not available|not have access|not loaded)"
    r"|not (find|have) (the )?model",
    re.IGNORECASE,
)
_NO_TOOLS = re.compile(
    r"(not support|unsupported|not enabled|not available|unrecognized|unknown|not permitted)"
    r".{0,60}\b(tools?|functions?|function calling)\b"
    r"|\b(tools?|function calling|functions)\b.{0,60}"
    r"(not support|unsupported|not enabled|not available|not permitted)"
    r"|tool choice requires|tools param requires|support tool use",
    re.IGNORECASE,
)
_FILTERED = ("content_filter", "content_policy_violation", "invalid_prompt")
_NUMBER = re.compile(r"(?<![\w.-])\d{3,7}(?![\w-]|\.\d)")
_PASSING = (408, 409, 425, 429)
_LONGEST = 2000
_SHOWN = 300

_ADVICE: Mapping[Trouble, tuple[str, str]] = {
    "key": (
        "the endpoint rejected the key",
        "set OPENAI_API_KEY to a key that is valid for OPENAI_BASE_URL",
    ),
    "model": ("the endpoint does not have this model", "name one that it has with --lift-model"),
    "quota": (
        "the account has no credit left",
        "top it up or use another one, then go on with --lift-resume",
    ),
    "overflow": (
        "the request is longer than the context of the model",
        "say with --lift-context how many tokens the endpoint takes, or give the model more",
    ),
    "refusal": ("the endpoint's content filter refused the request", ""),
    "unreachable": (
        "there is no chat endpoint at this address",
        "check OPENAI_BASE_URL; it usually ends in /v1",
    ),
    "server": (
        "the endpoint keeps failing",
        "try again later with --lift-resume, or with a lower --lift-concurrency",
    ),
    "bad-request": (
        "the endpoint does not understand the request",
        "use a server that speaks the OpenAI chat completions API",
    ),
}


LONGEST = 120.0
"""Longest waiting time in seconds that an endpoint may ask for."""
_FIRST = 1.0
_MOST = 60.0


@dataclass(frozen=True)
class Rejection:
    """An error as an endpoint reported it."""

    status: int
    text: str
    code: str = ""
    """Its code and its type, in lower case."""
    param: str = ""

    @property
    def trouble(self) -> Trouble:
        status, told = self.status, f"{self.text} {self.code}"
        if any(code in self.code for code in _FILTERED):
            return "refusal"
        if status == 402 or _NO_QUOTA.search(told):
            return "quota"
        if self._overflows(told):
            return "overflow"
        if "model_not_found" in self.code or (400 <= status < 500 and _NO_MODEL.search(told)):
            return "model"
        if status in (401, 403):
            return "key"
        if status in (404, 405):
            return "unreachable"
        return "server" if status in _PASSING or status >= 500 else "bad-request"

    def _overflows(self, told: str) -> bool:
        """Whether the request is too long. Rate limits mention tokens, too, but only a limit of
        a single request is final."""
        if self.status == 429:
            return "request too large" in told.lower()
        return self.status == 413 or _OVERFLOW.search(told) is not None

    def error(self, where: str) -> ModelError:
        what, todo = _ADVICE[self.trouble]
        said = f"{self.status}: {shortened(self.text, _SHOWN)}" if self.text else self.status
        return ModelError(self.trouble, f"{what} ({said})", where=where, todo=todo)


def rejection_of(status: int, text: str) -> Rejection:
    """Reads an error from a body: JSON of any shape, an HTML page, or nothing."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return Rejection(status, _plain(text))
    if isinstance(body, list) and body:
        body = body[0]
    error = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return Rejection(
            status, shortened(error if isinstance(error, str) else json.dumps(body), _LONGEST)
        )
    message = error.get("message") or error.get("detail") or error
    code = " ".join(str(error[name]) for name in ("code", "type") if error.get(name))
    shown = message if isinstance(message, str) else json.dumps(message)
    return Rejection(
        status, shortened(shown, _LONGEST), code.lower(), str(error.get("param") or "")
    )


def error_inside(body: Mapping[str, Any]) -> Rejection | None:
    """Returns the error in a body with status 200: gateways pass errors of other servers on like
    this."""
    if not body.get("error") or body.get("choices"):
        return None
    error = body["error"]
    code = error.get("code") if isinstance(error, dict) else None
    status = code if isinstance(code, int) and 400 <= code < 600 else 502
    return rejection_of(status, json.dumps(body))


def adapted(form: Form, sent: Mapping[str, Any], rejection: Rejection) -> Form | None:
    """Returns a form of the request that avoids this rejection, or None.

    Each step removes something permanently, so that there are only a few steps.
    """
    if "tools" in sent and _NO_TOOLS.search(rejection.text):
        return replace(form, tools=False)
    if rejection.status not in (400, 422) or rejection.trouble == "overflow":
        return None
    if "tools" in sent and rejection.param == "tools":
        return replace(form, tools=False)
    if "seed" in sent and _names("seed", rejection):
        return replace(form, seed=False)
    if form.limit and _names(form.limit, rejection):
        return _limited_otherwise(form, sent[form.limit], rejection)
    return None


LEAST_LIMIT = 512
"""Smallest number in an error that is taken for a limit in tokens; smaller ones may be a status."""


def _limited_otherwise(form: Form, asked: int, rejection: Rejection) -> Form:
    """Returns a form with the lower limit that the endpoint states; otherwise with the other
    limit parameter, and at last without a limit."""
    numbers = [int(found) for found in _NUMBER.findall(rejection.text)]
    if lower := [number for number in numbers if LEAST_LIMIT <= number < asked]:
        return replace(form, most_tokens=max(lower))
    return replace(form, limit="max_completion_tokens" if form.limit == "max_tokens" else None)


def _names(parameter: str, rejection: Rejection) -> bool:
    """Whether the error is about `parameter`, and does not only quote the schema of a tool."""
    if rejection.param:
        return rejection.param == parameter
    return re.search(rf"(?<!\w){parameter}(?!\w)", rejection.text) is not None


def _plain(page: str) -> str:
    text = re.sub(r"(?s)<(style|script)\b.*?</\1>|<[^>]{0,500}>", " ", page[:5000])
    return shortened(text, _LONGEST)


def pause(tries: int, headers: Mapping[str, str]) -> float:
    """Returns the seconds to wait after `tries` failures: those of ``Retry-After``, otherwise
    twice as many each time, with a random part so that calls that failed together are not
    repeated together."""
    told = retry_after(headers)
    if told is not None:
        return told
    return min(_MOST, _FIRST * 2.0 ** (tries - 1)) * random.uniform(0.5, 1.0)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Returns the header in seconds, from 0 to `LONGEST`; it may be a number or an HTTP date."""
    text = headers.get("retry-after", "").strip()
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = _until(text)
    return min(max(seconds, 0.0), LONGEST) if seconds == seconds else None


def _until(date: str) -> float:
    """Returns the seconds until `date`; NaN if it is no date."""
    try:
        return parsedate_to_datetime(date).timestamp() - time.time()
    except (ValueError, TypeError, IndexError, OverflowError):
        return float("nan")
