"""Files that documented stories read and that are not there: their names, and what is in them."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import PurePosixPath

from pytest_lift.agents.offline.search.surroundings.needs import NO_FILE
from pytest_lift.agents.offline.texts.formats import by_suffix, texts_of
from pytest_lift.calls.case import Observation

TEXT = "one\ntwo\nthree\n"
"""What is in a file of no known format."""


def missing_file(seen: Observation) -> str:
    """Returns the relative path of the file for which a story failed first; "" where it did not
    fail, or for another reason."""
    raised = next((one.raised for one in seen.outcomes if one.raised is not None), None)
    found = NO_FILE.match(f"{raised.type}: {raised.message}") if raised is not None else None
    return found[1] if found and ".." not in found[1] else ""


def content_of(name: str, statements: Iterable[ast.stmt]) -> str:
    """Returns the text of a file: what the story shows as a line of its own below what it reads
    (``'My file contents'``), else a text of the format that its name tells."""
    for node in statements:
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                return text
    kind = by_suffix().get(PurePosixPath(name).suffix.lstrip("."), "")
    return next(iter(texts_of(kind)), TEXT)
