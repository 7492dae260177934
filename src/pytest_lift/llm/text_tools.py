"""Tools for endpoints that cannot call them: described and called in plain text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_lift.llm.blocks import fenced, kinds, properties, read, written
from pytest_lift.llm.values import Answer, Message, ModelRequest, ModelWrapper, Tool, ToolCall
from pytest_lift.llm.wire import fresh_id, loaded

PROTOCOL = """\
# How to use tools

To use a tool, write a block that begins with ```tool and the name of the tool:

```tool NAME
one_argument: a short value on one line
another_argument: 3
--- long_argument
A text of any length and any number of lines,
just as it is.
```

- One block is one use of a tool. You may write several blocks, and text around them.
- Numbers, true, false and lists are written as in JSON: ["a", "b"].
- A long text stands below a line `--- name`, without quotes and without escapes. It ends before
  the next such line, or at the end of the block.
- When a text itself has lines with ```, begin and end the block with ````.
- Stop after your last block. The results come with the next message.

# The tools
"""


class TextTools(ModelWrapper):
    """A model with tools, on top of an `inner` model without tools."""

    async def complete(self, request: ModelRequest) -> Answer:
        answer = await self._inner.complete(as_text(request))
        if not request.tools:
            return answer
        text, found = read(answer.text, request.tools)
        taken = {call.id for turn in request.messages for call in turn.calls}
        taken |= {call.id for call in answer.calls}
        calls = answer.calls + tuple(_calls(found, taken))
        return replace(answer, text=text, calls=calls, stop="tool_calls" if calls else answer.stop)


def _calls(found: Sequence[tuple[str, Mapping[str, Any]]], taken: set[str]) -> Iterator[ToolCall]:
    for name, arguments in found:
        new = fresh_id(taken)
        taken.add(new)
        yield ToolCall(new, name, json.dumps(arguments))


def as_text(request: ModelRequest) -> ModelRequest:
    """Returns the request without tools: they are described in the system message, and calls and
    results become text."""
    tools = {tool.name: tool for tool in request.tools}
    names = {call.id: call.name for turn in request.messages for call in turn.calls}
    turns: list[Message] = []
    for message in request.messages:
        told = _told(message, tools, names)
        last = turns[-1] if turns else None
        if last and told.sender == last.sender == "user":
            turns[-1] = replace(last, text=f"{last.text}\n\n{told.text}")
        else:
            turns.append(told)
    if tools:
        turns = _with_protocol(turns, description(request.tools))
    return replace(request, messages=tuple(turns), tools=())


def _told(message: Message, tools: Mapping[str, Tool], names: Mapping[str, str]) -> Message:
    if message.sender == "tool":
        name = names.get(message.answers, "the tool")
        return Message("user", f"Result of {name}:\n\n{message.text}")
    if not message.calls:
        return message
    blocks = (_block(call, tools.get(call.name)) for call in message.calls)
    return Message(message.sender, "\n\n".join([message.text, *blocks]).strip())


def _block(call: ToolCall, tool: Tool | None) -> str:
    arguments = loaded(call.arguments)
    if isinstance(arguments, dict):
        return written(call.name, arguments, tool)
    return fenced(f"tool {call.name}", call.arguments.split("\n"))


def _with_protocol(turns: list[Message], text: str) -> list[Message]:
    if turns and turns[0].sender == "system":
        return [replace(turns[0], text=f"{turns[0].text}\n\n{text}"), *turns[1:]]
    return [Message("system", text), *turns]


def description(tools: Sequence[Tool]) -> str:
    """Returns the protocol, and each tool as the block that calls it."""
    return "\n\n".join([PROTOCOL.rstrip(), *map(_described, tools)])


def _described(tool: Tool) -> str:
    short, long = [], []
    for name, schema, needed in properties(tool):
        hint = f"<{_hint(schema, needed)}>"
        if "contentMediaType" in schema:
            long += [f"--- {name}", hint]
        else:
            short.append(f"{name}: {hint}")
    return f"{tool.description}\n{fenced(f'tool {tool.name}', short + long)}"


def _hint(schema: Mapping[str, Any], needed: bool) -> str:
    kind = " or ".join(sorted(kinds(schema))) or "any"
    items = kinds(schema.get("items"))
    if kind == "array" and items:
        kind = f"array of {' or '.join(sorted(items))}"
    if isinstance(choices := schema.get("enum"), list):
        kind = "one of " + ", ".join(map(str, choices))
    said = " ".join(str(schema.get("description") or "").split())
    return f"{kind}{'' if needed else ', optional'}{f': {said}' if said else ''}"
