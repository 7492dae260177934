"""Tool calls as fenced blocks of text, for models that are not offered tools: written and read.

    ```tool write_file
    path: tests/test_a.py
    --- text
    def test_a(): ...
    ```

Short arguments are lines ``name: value``; a long text follows a line ``--- name`` as it is. A
fence is longer than any that the texts hold, and the dashes are as many as no line of them has.

Also read is what models write instead: JSON inside a block, blocks of JSON that name a tool, calls
between tags, blocks that are not closed, fences that are too short for what they hold.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_lift.llm.values import Tool
from pytest_lift.llm.wire import loaded

FENCE = re.compile(r" {0,3}(`{3,})[ \t]*([^`]*?)[ \t\r]*\Z")
SECTION = re.compile(r"(-{3,})[ \t]*([A-Za-z_][\w-]*)[ \t]*(?:-{3,})?[ \t\r]*\Z", re.ASCII)
_KEY = re.compile(r"[A-Za-z_][\w-]*\Z", re.ASCII)
Call = tuple[str, dict[str, Any]]
"""Name of a tool and its arguments."""
Tools = Mapping[str, Tool]

_INFO = re.compile(r"(?:(tool)[ \t:]+)?([A-Za-z_][\w.-]*)\Z")
_PAIR = re.compile(r"[ \t]*([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(.*)|)\Z", re.ASCII | re.DOTALL)
_NAMES = ("name", "tool", "function")
_ARGUMENTS = ("arguments", "parameters", "args")
_TAG, _TAG_END = "<tool_call>", "</tool_call>"


def written(name: str, arguments: Mapping[str, Any], tool: Tool | None = None) -> str:
    """Returns the block of one call; `tool` is None if the tool is unknown."""
    return fenced(f"tool {name}", _body(arguments, tool))


def fenced(info: str, body: Sequence[str]) -> str:
    longest = max((len(found[1]) for line in body if (found := FENCE.match(line))), default=2)
    fence = "`" * (longest + 1)
    return "\n".join([fence + info, *body, fence])


def _body(arguments: Mapping[str, Any], tool: Tool | None) -> list[str]:
    known = schemas(tool)
    if not all(_KEY.match(key) and (tool is None or key in known) for key in arguments):
        return [json.dumps(dict(arguments))]
    long = {key: value for key, value in arguments.items() if _is_long(value, known.get(key))}
    short = [f"{k}: {_short(v, known.get(k))}" for k, v in arguments.items() if k not in long]
    dashes = _dashes([line for value in long.values() for line in value.split("\n")])
    sections = [line for k, v in long.items() for line in (f"{dashes} {k}", *v[:-1].split("\n"))]
    return [*short, *sections]


def _is_long(value: object, schema: object) -> bool:
    """Whether a value is a text of complete lines for an argument of type string."""
    return isinstance(value, str) and value.endswith("\n") and takes_text(schema)


def _short(value: object, schema: object) -> str:
    """Returns a text unchanged if it is unambiguous, and any other value as JSON."""
    if isinstance(value, str) and kinds(schema) == {"string"} and _is_plain(value):
        return value
    return json.dumps(value)


def _is_plain(text: str) -> bool:
    return bool(text) and text == text.strip() and text[0] not in '"|' and "\n" not in text


def _dashes(lines: Sequence[str]) -> str:
    taken = {len(found[1]) for line in lines if (found := SECTION.match(line))}
    return "-" * next(number for number in range(3, len(taken) + 4) if number not in taken)


def properties(tool: Tool) -> Iterator[tuple[str, Mapping[str, Any], bool]]:
    """Yields (name, schema, whether it is required) of each argument."""
    required = tool.parameters.get("required")
    needed = required if isinstance(required, list | tuple) else ()
    for name, schema in schemas(tool).items():
        yield name, schema if isinstance(schema, Mapping) else {}, name in needed


def schemas(tool: Tool | None) -> Mapping[str, Any]:
    found = tool.parameters.get("properties") if tool else None
    return found if isinstance(found, Mapping) else {}


def takes_text(schema: object) -> bool:
    found = kinds(schema)
    return not found or "string" in found


def kinds(schema: object) -> set[str]:
    """Returns the types that a schema allows; empty for any type."""
    found = schema.get("type") if isinstance(schema, Mapping) else None
    return {found} if isinstance(found, str) else set(found) if isinstance(found, list) else set()


def read(text: str, tools: Sequence[Tool]) -> tuple[str, list[Call]]:
    """Returns the text without the calls, and the calls in order."""
    known = {tool.name: tool for tool in tools}
    lines = text.split("\n")
    rest: list[str] = []
    calls: list[Call] = []
    at = 0
    while at < len(lines):
        made, end = _block(lines, at, known)
        calls += made
        rest += [] if made else lines[at:end]
        at = end
    left, tagged = _tagged("\n".join(rest), known)
    return left.strip(), calls + tagged


def _block(lines: list[str], at: int, known: Tools) -> tuple[list[Call], int]:
    """Returns the calls of the block that begins in line `at`, if any, and the line after it."""
    fence = FENCE.match(lines[at])
    if fence is None:
        return [], at + 1
    body, end = _inside(lines, at + 1, len(fence[1]), known)
    if name := _tool_in(fence[2], known):
        return [(name, _arguments(body, known.get(name)))], end
    made = _json_calls("\n".join(body), known)
    return made, end if made or fence[2] else at + 1


def _tool_in(info: str, known: Tools) -> str:
    """Returns the tool that a fence names; without the word ``tool``, only a known tool."""
    found = _INFO.match(info)
    return found[2] if found and (found[1] or found[2] in known) else ""


def _inside(lines: list[str], start: int, ticks: int, known: Tools) -> tuple[list[str], int]:
    """Returns the lines up to the closing fence, and the number of the line after it."""
    inner = 0
    for at in range(start, len(lines)):
        fence = FENCE.match(lines[at])
        if fence is None or len(fence[1]) < ticks:
            continue
        if fence[2] and _tool_in(fence[2], known):
            return lines[start:at], at
        if not fence[2] and not inner:
            return lines[start:at], at + 1
        inner += 1 if fence[2] else -1
    return lines[start:], len(lines)


def _arguments(body: list[str], tool: Tool | None) -> dict[str, Any]:
    data = loaded("\n".join(body))
    if isinstance(data, dict):
        return _unwrapped(data, tool)
    reader = _Lines(schemas(tool), tool is None)
    for line in body:
        reader.take(line)
    reader.end()
    return reader.arguments


def _unwrapped(data: dict[str, Any], tool: Tool | None) -> dict[str, Any]:
    """Returns the arguments inside JSON that may repeat the name of the tool."""
    for key in _ARGUMENTS:
        inner = data.get(key)
        if isinstance(inner, dict) and key not in schemas(tool) and {*data} <= {key, *_NAMES}:
            return inner
    return data


@dataclass
class _Lines:
    """State while the lines of one block are read."""

    known: Mapping[str, Any]
    any_key: bool
    arguments: dict[str, Any] = field(default_factory=dict)
    key: str = ""
    lines: list[str] = field(default_factory=list)
    dashes: int = 0
    """Number of dashes before the sections of this block; 0 before the first section."""

    def take(self, line: str) -> None:
        section = SECTION.match(line)
        if section and self._is_key(section[2]) and self.dashes in (0, len(section[1])):
            self.end()
            self.key, self.dashes = section[2], len(section[1])
        elif self.dashes:
            self.lines.append(line)
        elif (pair := _PAIR.match(line)) and (self._is_key(pair[1]) or not self.key):
            self.end()
            self.key, self.lines = pair[1], [pair[2] or ""]
        elif self.key:
            self.lines.append(line)

    def end(self) -> None:
        """Ends the argument that was being read."""
        if self.key:
            schema = self.known.get(self.key)
            whole = "".join(f"{line}\n" for line in self.lines)
            as_it_is = self.dashes and takes_text(schema)
            self.arguments[self.key] = whole if as_it_is else _value(whole, schema)
        self.key, self.lines = "", []

    def _is_key(self, key: str) -> bool:
        return self.any_key or key in self.known


def _value(text: str, schema: object) -> Any:
    """Converts the text after ``name:``, including the lines below it, as the schema requires."""
    first, _, below = text.partition("\n")
    if first.strip() in ("", "|") and below.strip():
        return textwrap.dedent(below) if takes_text(schema) else _value(below.lstrip(), schema)
    text, allowed = text.strip(), kinds(schema)
    if allowed and allowed <= {"string", "null"}:
        quoted = loaded(text) if text.startswith('"') else None
        null = text == "null" and "null" in allowed
        return None if null else quoted if isinstance(quoted, str) else text
    value = loaded(text)
    return value if value is not None or text == "null" else _meant(text, allowed)


def _meant(text: str, allowed: set[str]) -> Any:
    """Converts a value that is no JSON: ``True``, or a list with commas."""
    if "boolean" in allowed and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if "array" in allowed and text and text[0] not in "[{":
        return [part.strip() for part in text.split(",")]
    return text


def _json_calls(text: str, known: Tools) -> list[Call]:
    """Returns the calls in JSON, a single one or a list; empty if it is anything else."""
    data = loaded(text)
    made = [_json_call(item, known) for item in (data if isinstance(data, list) else [data])]
    return [call for call in made if call] if all(made) else []


def _json_call(data: object, known: Tools) -> Call | None:
    if not isinstance(data, dict):
        return None
    if isinstance(data.get("function"), dict):
        return _json_call(data["function"], known)
    key = next((key for key in _NAMES if isinstance(data.get(key), str)), "")
    if data.get(key) not in known:
        return None
    for name in _ARGUMENTS:
        inner = data.get(name)
        inner = loaded(inner) if isinstance(inner, str) else inner
        if isinstance(inner, dict):
            return data[key], inner
    return data[key], {name: value for name, value in data.items() if name != key}


def _tagged(text: str, known: Tools) -> tuple[str, list[Call]]:
    """Returns the text without calls between tags, the format of several model families, and the
    calls."""
    calls: list[Call] = []
    at = 0
    while (start := text.find(_TAG, at)) >= 0 and (end := text.find(_TAG_END, start)) >= 0:
        made = _json_calls(text[start + len(_TAG) : end], known)
        calls += made
        if made:
            text = text[:start] + text[end + len(_TAG_END) :]
        at = start if made else start + len(_TAG)
    return text, calls
