"""Names that a language server knows at a place: members of an object, parameters of a call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pytest_lift.context.server import LanguageServer, Query
from pytest_lift.gate.diagnosis.diagnostic import Diagnostic, Positions
from pytest_lift.gate.diagnosis.unsaved import shown

MOST = 999
"""Names of a list; a server that gives more has cut it."""
SCRATCH = "pytest_lift_members.py"


def members(
    server: LanguageServer, path: str, text: str, line: int, column: int, name: str
) -> list[str]:
    """Returns the members of what stands before the attribute `name`, which begins at a column."""
    at = Positions(text).offset(line, column)
    if text[at : at + len(name)] != name:
        return []
    rest = text[at + len(name) :]
    if re.match(r"\s+\w", rest):
        rest = f";{rest}"  # a word that follows would be taken for the attribute
    return _completed(server, path, text[:at] + rest, line, column)


def module_members(server: LanguageServer, module: str) -> list[str]:
    """Returns the names of an installed module."""
    text = f"import {module}\n{module}.\n"
    return _completed(server, SCRATCH, text, 2, len(module) + 1)


def _completed(server: LanguageServer, path: str, text: str, line: int, column: int) -> list[str]:
    with shown(server, path, text):
        answer = server.ask([Query("completion", path, line, column)])[0]
    items: Any = answer.get("items") if isinstance(answer, dict) else answer
    if not isinstance(items, list) or len(items) > MOST:
        return []
    labels = [str(one.get("label", "")) for one in items if isinstance(one, dict)]
    return [label for label in labels if label.isidentifier()]


def parameters(server: LanguageServer, path: str, text: str, one: Diagnostic) -> list[str]:
    """Returns the parameters of the function that is called where a diagnostic is about a keyword,
    of all its overloads."""
    with shown(server, path, text):
        answer = server.ask([Query("signatureHelp", path, one.line, one.column)])[0]
    signatures = answer.get("signatures") if isinstance(answer, dict) else None
    return [*dict.fromkeys(name for each in signatures or () for name in _names(each))]


def _names(signature: Any) -> Iterator[str]:
    """Yields the names of the parameters of a signature, each told by a text or by a place in that
    of the whole."""
    if not isinstance(signature, dict):
        return
    whole = str(signature.get("label", ""))
    for parameter in signature.get("parameters") or ():
        label = parameter.get("label") if isinstance(parameter, dict) else None
        if isinstance(label, list) and len(label) == 2:
            label = whole[int(label[0]) : int(label[1])]
        found = re.match(r"\w+", str(label or ""))
        if found and found[0] not in ("self", "cls"):
            yield found[0]
