"""Names that a language server knows at a place: members of an object, parameters of a call."""

from __future__ import annotations

import ast
import re
from typing import Any

from pytest_lift.context.server import LanguageServer, Query
from pytest_lift.gate.diagnosis.diagnostic import Diagnostic, Positions

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
    return _completed(server, path, text[:at] + text[at + len(name) :], line, column)


def module_members(server: LanguageServer, module: str) -> list[str]:
    """Returns the names of an installed module."""
    text = f"import {module}\n{module}.\n"
    return _completed(server, SCRATCH, text, 2, len(module) + 1)


def _completed(server: LanguageServer, path: str, text: str, line: int, column: int) -> list[str]:
    server.show(path, text)
    try:
        answer = server.ask([Query("completion", path, line, column)])[0]
    finally:
        server.hide(path)
    items: Any = answer.get("items") if isinstance(answer, dict) else answer
    if not isinstance(items, list) or len(items) > MOST:
        return []
    labels = [str(one.get("label", "")) for one in items if isinstance(one, dict)]
    return [label for label in labels if label.isidentifier()]


def parameters(server: LanguageServer, path: str, text: str, one: Diagnostic) -> list[str]:
    """Returns the parameters of the function whose call a diagnostic about a keyword is in."""
    call = _call_at(text, one)
    if call is None:
        return []
    end_line, end = call.func.end_lineno or 1, call.func.end_col_offset or 1
    server.show(path, text)
    try:
        answer = server.ask([Query("hover", path, end_line, max(end - 1, 0))])[0]
    finally:
        server.hide(path)
    contents = answer.get("contents") if isinstance(answer, dict) else None
    value = contents.get("value") if isinstance(contents, dict) else contents
    return parameters_in(str(value or ""))


def parameters_in(signature: str) -> list[str]:
    """Returns the names of the parameters in a signature as servers show it."""
    body = signature.partition("(")[2]
    depth, names, at_start = 0, list[str](), True
    for token in re.findall(r"->|\w+|[^\w\s]", body):
        if token in "([{":
            depth += 1
        elif token in ")]}":
            if not depth:
                break
            depth -= 1
        elif token == "," and not depth:
            at_start = True
            continue
        elif at_start and not depth and token.isidentifier():
            names.append(token)
        at_start = at_start and token in "*/"
    return [name for name in names if name not in ("self", "cls")]


def _call_at(text: str, one: Diagnostic) -> ast.Call | None:
    found = None
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            for word in node.keywords:
                if (word.lineno, word.col_offset) == (one.line, one.column):
                    found = node
    return found
