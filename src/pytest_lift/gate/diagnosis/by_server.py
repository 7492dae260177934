"""Diagnostics of a language server about unsaved tests, without those that tests mean."""

from __future__ import annotations

import re
from typing import Any

from pytest_lift.context.launch import RULES
from pytest_lift.context.server import LanguageServer, Query
from pytest_lift.gate.diagnosis.diagnostic import Diagnostic, Positions
from pytest_lift.gate.diagnosis.unsaved import shown

_SUBJECTS = (
    re.compile(r"^Cannot resolve imported module `([^`]+)`"),
    re.compile(r"^Module `(?P<owner>[^`]+)` has no member `([^`]+)`"),
    re.compile(r"has no attribute `([^`]+)`"),
    re.compile(r"^(?:Attribute|Member) `([^`]+)`"),
    re.compile(r"^Name `([^`]+)` used when not defined"),
    re.compile(r"^Argument `([^`]+)` does not match"),
)


def reported(server: LanguageServer, path: str, text: str) -> list[Diagnostic] | None:
    """Returns what a server says of a text in the place of a file; None where it is silent."""
    with shown(server, path, text):
        answer = server.ask([Query("diagnostic", path, 1, 0)])[0]
    if not isinstance(answer, dict) or not isinstance(answer.get("items"), list):
        return None
    lines = Positions(text).lines
    found = [_diagnostic(one, lines, server) for one in answer["items"]]
    return [one for one in found if one is not None]


def _diagnostic(item: Any, lines: list[str], server: LanguageServer) -> Diagnostic | None:
    try:
        rule, message = str(item.get("code", "")), str(item["message"]).partition("\n")[0].strip()
        start, stop = item["range"]["start"], item["range"]["end"]
        line, column = int(start["line"]) + 1, int(start["character"])
        same = stop["line"] == start["line"]
        end = int(stop["character"]) if same else column
    except (TypeError, KeyError, ValueError, AttributeError):
        return None
    if rule not in RULES or rule == "invalid-syntax":
        return None  # what is asked about has been parsed: only an older Python would not read it
    row = lines[line - 1] if line <= len(lines) else ""
    column, end = server.column(row, column), server.column(row, end)
    return Diagnostic(line, column, end, rule, _subject(message), message)


def _subject(message: str) -> str:
    for pattern in _SUBJECTS:
        if found := pattern.search(message):
            owner = found.groupdict().get("owner")
            name = found[found.lastindex or 1]
            return f"{owner}.{name}" if owner else name
    return ""
