"""Tells errors that come of a file or a distribution which is missing where a case runs, and of
which it says nothing: where the program is installed it may be there.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from typing import Any

DISTRIBUTION = "PackageNotFoundError"
"""Error of the standard library where a distribution is not installed."""
CAUSES = 10
"""Most errors that are looked at of those for which another one was raised."""


def misses_what_is_not_named(error: BaseException | None, case: dict[str, Any], home: str) -> bool:
    """Whether an error, or one for which it was raised, is of a distribution or of a file outside
    of the folder `home` of which a case has no name."""
    for _ in range(CAUSES):
        if error is None:
            return False
        name = _missing(error, home)
        if name and name.casefold() not in map(str.casefold, _names(case)):
            return True
        error = error.__cause__ or error.__context__
    return False


def _missing(error: BaseException, home: str) -> str:
    """Returns the name of what an error says is missing, of a file that of the first part of its
    path, without suffixes; "" where it says so of nothing that is asked for."""
    if type(error).__name__ == DISTRIBUTION:
        return str(getattr(error, "name", ""))
    place = error.filename if isinstance(error, FileNotFoundError) else None
    if not isinstance(place, str) or not os.path.isabs(place) or place.startswith(home):
        return ""
    while os.path.dirname(place) != place and not os.path.isdir(os.path.dirname(place)):
        place = os.path.dirname(place)
    return _stem(os.path.basename(place))


def _names(case: dict[str, Any]) -> Iterator[str]:
    """Yields what texts of a case may name: their words, those of paths and of ``--name=value`` one
    by one, with and without suffixes. What its steps call is no text: ``get_version()``."""
    nodes = (node for step in case["steps"] for node in ast.walk(ast.parse(step[0])))
    values = [str(node.value) for node in nodes if isinstance(node, ast.Constant)]
    files = (text for file in case["files"].items() for text in file)
    for text in (*values, *(case["argv"] or ()), case["stdin"], *files):
        for word in re.split(r"[\s/\\=:,;'\"]+", text):
            yield from (word, _stem(word))


def _stem(name: str) -> str:
    return name.lstrip(".").partition(".")[0]
