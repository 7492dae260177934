"""Tool calls written as fenced blocks of text, for models that are not offered tools.

    ```tool write_file
    path: tests/test_a.py
    --- text
    def test_a(): ...
    ```

Short arguments are lines ``name: value``; a long text follows a line ``--- name`` as it is. A
fence is longer than any that the texts hold, and the dashes are as many as no line of them has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_lift.llm.values import Tool

FENCE = re.compile(r" {0,3}(`{3,})[ \t]*([^`]*?)[ \t\r]*\Z")
SECTION = re.compile(r"(-{3,})[ \t]*([A-Za-z_][\w-]*)[ \t]*(?:-{3,})?[ \t\r]*\Z", re.ASCII)
_KEY = re.compile(r"[A-Za-z_][\w-]*\Z", re.ASCII)


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
