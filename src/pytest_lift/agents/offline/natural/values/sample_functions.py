"""Functions that a test defines to hand on: plain ones, and some with each kind of parameter."""

from __future__ import annotations

import re

from pytest_lift.calls.definitions import LocalDefinition, LocalDefinitions
from pytest_lift.source.program import Program

SOURCES = {
    "greet": 'def greet(name, greeting="Hello"):\n    return f"{greeting} {name}"',
    "scale": (
        "def scale(value: int, factor: int = 2, *, loud: bool = False):\n"
        '    """Multiplies a number."""\n'
        "    return value * factor"
    ),
    "shout": 'def shout(text="hello", mark="!"):\n    return text.upper() + mark',
    "gather": "def gather(*items, **options):\n    return [*items, *options]",
}
"""Those for programs that read signatures: plain parameters, hinted and keyword-only ones, and as
many as are given."""
PLAIN_SOURCES = {
    "double": "def double(value):\n    return value * 2",
    "say_hello": 'def say_hello():\n    return "hello"',
    "add": "def add(left, right):\n    return left + right",
}
"""Those for all others: of one argument, of none and of two."""
ASKED_SOURCES = {
    "isgeneratorfunction": ("count_up", "def count_up(most=3):\n    yield from range(most)"),
    "iscoroutinefunction": ("fetch", "async def fetch(value=None):\n    return value"),
    "isasyncgenfunction": ("stream", "async def stream(most=3):\n    for item in range(most):\n"
                                     "        yield item"),
}  # fmt: skip
"""What asks for the kind of a function -> a function of that kind."""
ALL_SOURCES = SOURCES | PLAIN_SOURCES | dict(ASKED_SOURCES.values())
READING = re.compile(
    r"\binspect\.signature\(|(?<!def )\b(?:getfullargspec|getargspec|get_type_hints)\(|"
    r"import (?:\w+, )*signature\b|\.__annotations__|\.__code__"
)
"""Code that looks at the parameters of functions."""


def sample_functions(program: Program) -> dict[str, LocalDefinition]:
    """Returns functions by their names, those with parameters of each kind for a program that reads
    signatures, and generators and coroutines for one that asks what a function is."""
    texts = [file.text for file in program.files.values()]
    reading = any(map(READING.search, texts))
    asked = (pair for name, pair in ASKED_SOURCES.items() if any(f"{name}(" in t for t in texts))
    return {
        name: LocalDefinition(name, source, sample=True)
        for name, source in ((SOURCES if reading else {}) | PLAIN_SOURCES | dict(asked)).items()
        if name not in program.identifiers
    }


def known_samples(definitions: LocalDefinitions) -> list[str]:
    """Returns the names of those that tests may define."""
    return [name for name in ALL_SOURCES if name in definitions.known]
