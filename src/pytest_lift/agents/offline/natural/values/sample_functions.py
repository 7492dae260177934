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
ALL_SOURCES = SOURCES | PLAIN_SOURCES
READING = re.compile(
    r"\binspect\.signature\(|(?<!def )\b(?:getfullargspec|getargspec|get_type_hints)\(|"
    r"import (?:\w+, )*signature\b|\.__annotations__|\.__code__"
)
"""Code that looks at the parameters of functions."""


def sample_functions(program: Program) -> dict[str, LocalDefinition]:
    """Returns functions by their names, those with parameters of each kind for a program that reads
    signatures."""
    reading = any(READING.search(file.text) for file in program.files.values())
    return {
        name: LocalDefinition(name, source, sample=True)
        for name, source in (ALL_SOURCES if reading else PLAIN_SOURCES).items()
        if name not in program.identifiers
    }


def known_samples(definitions: LocalDefinitions) -> list[str]:
    """Returns the names of those that tests may define."""
    return [name for name in ALL_SOURCES if name in definitions.known]
