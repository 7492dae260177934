"""Outcomes of the steps of a case: exceptions in words, and whether there is anything to assert.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import os
from typing import Any

TELLING = 6
"""Fewest characters of a message whose repetition in another message is no coincidence."""


def raised(
    error: BaseException, raising: dict[str, frozenset[int]], watching: str
) -> dict[str, Any]:
    """Returns what is told of an exception; `raising` are the lines of `raise` statements by file,
    `watching` is a file whose frames are not the program's."""
    file, line = "", 0
    frame = error.__traceback__
    while frame is not None:
        name = frame.tb_frame.f_code.co_filename
        if name != watching:  # a look-up that fails is the program's
            file, line = name, frame.tb_lineno
        frame = frame.tb_next
    lines = raising.get(os.path.realpath(file), frozenset())
    message = message_of(error)
    cause = error.__cause__ or error.__context__
    known = message_of(cause) if cause is not None else ""
    return {
        "type": type(error).__qualname__,
        "module": type(error).__module__,
        "message": message,
        "file": file,
        "line": line,
        "explicit": line in lines or (bool(lines) and isinstance(error, SystemExit)),
        "repeats": len(known) >= TELLING and known in message,
    }


def message_of(error: BaseException) -> str:
    """Returns the beginning of the message of an exception, "" where it has none."""
    try:
        return str(error)[:400]
    except Exception:
        return ""


def agree(outcomes: list[dict[str, Any]], others: list[dict[str, Any]]) -> bool:
    """Returns whether two runs of a case agree but for attributes and texts of objects; those on
    which they do not are taken out of `outcomes`."""
    if len(outcomes) != len(others):
        return False
    varying = ("shown", "attributes", "text")
    for one, other in zip(outcomes, others, strict=True):
        kept = [{k: v for k, v in each.items() if k not in varying} for each in (one, other)]
        if kept[0] != kept[1]:
            return False
        if one.get("text") != other.get("text"):
            one["text"] = None
        if one.get("attributes"):
            same = other.get("attributes") or []
            one["attributes"] = [pair for pair in one["attributes"] if pair in same]
    return True


def accident(outcomes: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Returns the exception that the program did not raise by a statement of its own."""
    raised = (outcome.get("raised") for outcome in outcomes)
    return next((one for one in raised if one and not one["explicit"]), None)


def usable(outcomes: list[dict[str, Any]], telling: bool = False) -> bool:
    if accident(outcomes) is not None:
        return False
    for outcome in outcomes:
        raised = outcome.get("raised")
        said = outcome.get("source") not in (None, "None") or outcome.get("attributes")
        shown = outcome.get("text") or outcome.get("printed") or outcome.get("files")
        telling = telling or bool(raised or said or shown)
    return telling
