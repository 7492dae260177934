"""Whether the name or the docstring of a test says that all it asks is that nothing is raised."""

from __future__ import annotations

import ast
import re
from typing import Literal

from pytest_lift.source.syntax import FunctionNode

Intent = Literal["", "possible", "not-raised"]
"""``possible``: something can be done, or is accepted, which a stronger test would say, too."""

_NOT_RAISED = re.compile(
    r"(?:(?:\b(?:not|never|no|without|nothing|doesnt|dont|wont)|n't)\s(?:\w+\s){0,3}?"
    r"(?:rais|err|crash|fail|exception|warn|thr[eo]w|happen|break|explod|hang|deadlock|segfault)"
    r"|\bsmoke\b|\bsilent(?:ly)?\b)"
)
_POSSIBLE = re.compile(
    r"\b(?:(?:can|may)\b(?! not\b| n't)|(?:is|are|be|been|it's) (?:\w+ )?"
    r"(?:accepted|allowed|legal|valid|ignored|possible|supported|fine|ok|happy)|accepts?|allows?"
    r"|works?|working|succeeds?|success|passes|pass|valid|possible|imports?|importable"
    r"|(?:hash|pickle?|instanti|call|subclass|iter|copy|construct)\w*able|ok|okay)\b"
)


def intent_of(function: FunctionNode) -> Intent:
    name = function.name.replace("_", " ")
    said = f"{name}. {ast.get_docstring(function) or ''}".lower()
    said = " ".join(said.replace("n't", " n't").split())
    if _NOT_RAISED.search(said):
        return "not-raised"
    return "possible" if _POSSIBLE.search(said) else ""
