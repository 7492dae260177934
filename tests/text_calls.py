"""Tools whose calls are written as text."""

from __future__ import annotations

from pytest_lift.llm.values import Tool

WRITE = Tool(
    "write_file",
    "Write a file of tests.",
    {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "below\ntests/"},
            "text": {"type": "string", "contentMediaType": "text/x-python"},
            "reason": {"type": ["string", "null"]},
            "lines": {"type": "integer"},
            "force": {"type": "boolean"},
            "ids": {"type": "array", "items": {"type": "string"}},
            "more": {"type": "object"},
            "any": {},
        },
        "required": ["path", "text"],
    },
)
FINISH = Tool(
    "finish", "End.", {"type": "object", "properties": {"verdict": {"enum": ["FINAL", "GO ON"]}}}
)
TOOLS = (WRITE, FINISH)
