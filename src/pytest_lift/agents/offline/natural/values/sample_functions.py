"""Functions with parameters of each kind: handed to programs that read the signatures of others."""

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
    "gather": "def gather(*items, **options):\n    return [*items, *options]",
}
"""Their sources: plain parameters, hinted and keyword-only ones, and as many as are given."""
READING = re.compile(
    r"\binspect\.signature\(|(?<!def )\b(?:getfullargspec|getargspec|get_type_hints)\(|"
    r"import (?:\w+, )*signature\b|\.__annotations__|\.__code__"
)
"""Code that looks at the parameters of functions."""


def sample_functions(program: Program) -> dict[str, LocalDefinition]:
    """Returns functions by their names, for a program that reads signatures."""
    if not any(READING.search(file.text) for file in program.files.values()):
        return {}
    return {
        name: LocalDefinition(name, source, sample=True)
        for name, source in SOURCES.items()
        if name not in program.identifiers
    }


def known_samples(definitions: LocalDefinitions) -> list[str]:
    """Returns the names of those that tests may define."""
    return [name for name in SOURCES if name in definitions.known]
