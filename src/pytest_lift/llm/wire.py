"""Converts requests and answers to and from the JSON of chat completions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pytest_lift.llm.budget import answered_characters, characters, estimated_tokens
from pytest_lift.llm.values import Answer, Message, ModelError, ModelRequest, Stop, ToolCall, Usage

_THOUGHTS = ("think", "thinking", "thought")
_URL = "check OPENAI_BASE_URL; it usually ends in /v1"


@dataclass(frozen=True)
class Form:
    """Form of requests that the endpoint accepts, learnt from its rejections."""

    limit: str | None = "max_tokens"
    """Parameter that limits the answer. The older one is tried first, because servers that do
    not support it say so, while others silently ignore the newer one."""
    most_tokens: int | None = None
    """Largest answer in tokens that the endpoint stated."""
    seed: bool = True
    tools: bool = True

    def limited(self, wanted: int) -> int:
        return wanted if self.most_tokens is None else min(wanted, self.most_tokens)


def body_of(
    request: ModelRequest, model: str, form: Form, seed: int | None = None
) -> dict[str, Any]:
    body: dict[str, Any] = {"model": model, "messages": [_sent(m) for m in request.messages]}
    if form.limit:
        body[form.limit] = form.limited(request.most_tokens)
    if form.seed and seed is not None:
        body["seed"] = seed
    if form.tools and request.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": _encodable(tool.description),
                    "parameters": dict(tool.parameters),
                },
            }
            for tool in request.tools
        ]
    return body


def _sent(message: Message) -> dict[str, Any]:
    text = _encodable(message.text)
    if message.sender == "tool":
        return {"role": "tool", "tool_call_id": message.answers, "content": text}
    if message.sender == "assistant" and message.calls:
        calls = [_sent_call(call) for call in message.calls]
        return {"role": "assistant", "content": text or None, "tool_calls": calls}
    return {"role": message.sender, "content": text}


def _sent_call(call: ToolCall) -> dict[str, Any]:
    """Returns a call as JSON. Arguments that are no JSON object are wrapped, because local
    servers fail on them."""
    arguments = call.arguments
    if not isinstance(loaded(arguments), dict):
        arguments = json.dumps({"not_json": arguments})
    function = {"name": call.name, "arguments": _encodable(arguments)}
    return {"id": call.id, "type": "function", "function": function}


def _encodable(text: str) -> str:
    """Replaces lone surrogates, which file names may contain and UTF-8 cannot encode."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def loaded_body(text: str, where: str) -> Mapping[str, Any]:
    """Returns the JSON object that an endpoint sent. Raises ModelError ``bad-answer``."""
    body = loaded(text)
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    if isinstance(body, dict):
        return body
    start = text.strip()[:80].replace("\n", " ")
    what = f"the endpoint did not answer in JSON: {start!r}" if start else "the answer has no body"
    raise ModelError("bad-answer", what, where=where, todo=_URL)


def answer_of(body: Mapping[str, Any], request: ModelRequest, where: str) -> Answer:
    """Returns the answer in a body. Raises ModelError: ``bad-answer``, ``refusal``,
    ``truncated`` or ``empty``."""
    choice, message = _choice(body, where)
    text = _without_thoughts(_text(message.get("content")))
    stop, calls = choice.get("finish_reason"), tuple(_calls(message, request))
    refusal = _text(message.get("refusal")) or (text if stop == "content_filter" else "")
    if refusal or stop == "content_filter":
        filtered = "a content filter stopped the answer"
        what = f"the model refused: {refusal[:200]!r}" if refusal else filtered
        raise ModelError("refusal", what, where=where)
    if stop == "length":
        calls = tuple(call for call in calls if loaded(call.arguments) is not None)
        if not calls:
            what = f"the answer was cut off at the limit of {request.most_tokens} tokens"
            raise ModelError("truncated", what, where=where)
    if not text.strip() and not calls:
        raise ModelError("empty", "the answer has neither text nor a tool call", where=where)
    ended: Stop = "length" if stop == "length" else "tool_calls" if calls else "stop"
    answer = Answer(text, calls, ended)
    return replace(answer, usage=_usage(body.get("usage"), request, answer))


def _choice(body: Mapping[str, Any], where: str) -> tuple[dict[str, Any], dict[str, Any]]:
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        what = "the answer contains no choice: " + json.dumps(body)[:120]
        raise ModelError("bad-answer", what, where=where, todo=_URL)
    return choice, message


def _text(content: object) -> str:
    """Returns the text, or the joined texts of parts: some endpoints send thoughts beside them."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "".join(text for text in texts if isinstance(text, str))


def _without_thoughts(text: str) -> str:
    """Returns the text after the thoughts at its beginning; their opening tag may be missing."""
    for name in _THOUGHTS:
        opening, closing = f"<{name}>", f"</{name}>"
        opened = text.lstrip().startswith(opening)
        end = text.find(closing)
        if opened and end < 0:
            return ""
        if opened or (end >= 0 and opening not in text[:end]):
            return text[end + len(closing) :].lstrip()
    return text


def _calls(message: Mapping[str, Any], request: ModelRequest) -> Iterator[ToolCall]:
    """Yields the calls with unique ids: some endpoints send none, or the same id for all."""
    taken = {call.id for turn in request.messages for call in turn.calls}
    found = message.get("tool_calls")
    for item in found if isinstance(found, list) else []:
        function = item.get("function") if isinstance(item, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            continue
        arguments = function.get("arguments")
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments if arguments is not None else {})
        given = item.get("id")
        new = isinstance(given, str) and given and given not in taken
        name = str(given) if new else fresh_id(taken)
        taken.add(name)
        yield ToolCall(name, function["name"], arguments or "{}")


def fresh_id(taken: set[str]) -> str:
    """Returns an unused id of a call; equal for equal conversations."""
    number = len(taken) + 1
    while f"call_{number}" in taken:
        number += 1
    return f"call_{number}"


def _usage(found: object, request: ModelRequest, answer: Answer) -> Usage:
    usage = found if isinstance(found, dict) else {}
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    prompt = _count(usage.get("prompt_tokens")) or estimated_tokens(characters(request))
    written = _count(usage.get("completion_tokens"))
    return Usage(
        calls=1,
        prompt_tokens=prompt,
        cached_tokens=min(_count(cached), prompt),
        completion_tokens=written or estimated_tokens(answered_characters(answer)),
    )


def _count(found: object) -> int:
    """Returns a number of tokens, and 0 for anything else."""
    good = isinstance(found, int | float) and not isinstance(found, bool) and 0 < found < 1e12
    return int(found) if good and isinstance(found, int | float) else 0


def loaded(text: str) -> Any:
    """Returns the value of a JSON text; None if it is no JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
