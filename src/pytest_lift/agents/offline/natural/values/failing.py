"""Functions that raise: handed to programs that do something else then."""

from __future__ import annotations

import builtins
import re
from collections import Counter
from collections.abc import Iterable

from pytest_lift.calls.blocks import ANSWER
from pytest_lift.calls.definitions import LocalDefinition, LocalDefinitions
from pytest_lift.source.program import Program

FAIL, FAIL_LATER = "fail", "fail_later"
SOURCES = {
    FAIL: 'def fail(*args):\n    raise {error}("failed")',
    FAIL_LATER: 'async def fail_later(*args):\n    raise {error}("failed")',
}
"""Their sources; the second one has to be awaited."""
USUAL_ERROR = "ValueError"
NO_ERRORS = (Warning, StopIteration, StopAsyncIteration, UnicodeError, BaseExceptionGroup)
"""Exceptions that mean something else, or are made of more than a message."""
ERRORS = frozenset(
    name
    for name, one in vars(builtins).items()
    if isinstance(one, type) and issubclass(one, Exception) and not issubclass(one, NO_ERRORS)
) - {"Exception"}
"""Errors of Python's own that a function may raise with a message alone."""
HANDLING = re.compile(
    r"^\s*(?:except(?:\s*:|\b.*\b(?:(?:Base)?Exception|ValueError)\b|"
    r"\s+(?:self\.)?_?[a-z]\w*(?:\s+as\s+\w+)?\s*:)|"
    r"(?:async )?def __a?exit__\b)",
    re.MULTILINE,
)
"""Code that does something where a function raises: an error of any kind, or one that is given."""
WORD = re.compile(r"\w+")


def failing_functions(program: Program, arguments: Iterable[str]) -> dict[str, LocalDefinition]:
    """Returns functions that raise, by their names, for a program that handles that; they raise
    what `arguments` name, those of calls of the program."""
    texts = [file.text for file in program.files.values()]
    if not any(HANDLING.search(text) for text in texts):
        return {}
    named = Counter(word for one in arguments for word in WORD.findall(one) if word in ERRORS)
    error = max(named, key=lambda name: named[name], default=USUAL_ERROR)
    names = [FAIL, *([FAIL_LATER] if any("await " in text for text in texts) else [])]
    return {
        name: LocalDefinition(name, SOURCES[name].format(error=error), sample=True)
        for name in names
        if name not in program.identifiers
    }


def known_failing(definitions: LocalDefinitions) -> list[str]:
    """Returns the names of those that tests may define, and beside one that has to be awaited one
    that does not raise."""
    names = [name for name in SOURCES if name in definitions.known]
    return [*names, ANSWER] if FAIL_LATER in names else names
