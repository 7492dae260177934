"""Kinds of values that other parameters of the same name in the program are known to take."""

from __future__ import annotations

import ast
import builtins
import re
from functools import cached_property

from pytest_lift.calls.targets.attribute_hints import PLAIN
from pytest_lift.source.program import Program
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import shared_expression

VAGUE = re.compile(
    r"value|val|text|data|items?|key|obj|object|other|default|args?|result|func|function|node|[a-zA-Z]\d?"
)
"""Names of parameters that take something else in each function."""

CLASS = "type"
"""Kind of what is a class."""


class Namesakes:
    """Knows the parameters of a program by their names."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def kind(self, name: str) -> str:
        """Returns the plain kind of all parameters of a name that have a hint or a default that
        tells it; "" where none has, or two differ, or the name says nothing."""
        kinds = self._kinds.get(name, set())
        return min(kinds) if len(kinds) == 1 and not VAGUE.fullmatch(name) else ""

    def hint(self, name: str) -> str | None:
        """Returns the hint of all parameters of a name that have one; None where two differ."""
        found = self._hints.get(name, set())
        return min(found) if len(found) == 1 else None

    @cached_property
    def _hints(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for file in self.program.files.values():
            for one in (one for symbol in file.symbols for one in symbol.parameters):
                if one.annotation:
                    found.setdefault(one.name, set()).add(one.annotation)
        return found

    def texts(self, name: str) -> list[str]:
        """Returns the text that is the default of all parameters of a name which have a text for
        one; none where two differ, it is empty, or the name says nothing."""
        found = self._texts.get(name, set())
        return [*found] if len(found) == 1 and not VAGUE.fullmatch(name) else []

    @cached_property
    def _texts(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for file in self.program.files.values():
            for one in (one for symbol in file.symbols for one in symbol.parameters):
                if _is_text(one.default):
                    found.setdefault(one.name, set()).add(one.default or "")
        return found

    def classes(self, name: str) -> list[str]:
        """Returns the class of Python's own that is the default of all parameters of a name which
        have one; none where two differ."""
        files = self.program.files.values()
        taking = (one for file in files for symbol in file.symbols for one in symbol.parameters)
        found = {one.default for one in taking if one.name == name and one.default}
        return [*filter(None, found)] if len(found) == 1 and all(map(_is_class, found)) else []

    @cached_property
    def _kinds(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for file in self.program.files.values():
            for symbol in file.symbols:
                for one in symbol.parameters:
                    if kind := _told(one):
                        found.setdefault(one.name, set()).add(kind)
        return {name: kinds for name, kinds in found.items() if "*" not in kinds}


def _told(parameter: Parameter) -> str:
    """Returns the kind that a hint or else a default tells; "*" for another one than a plain one,
    "" where neither tells any."""
    if parameter.annotation:
        named = [*dict.fromkeys(re.findall(r"\w+", parameter.annotation))]
        named = [one for one in named if one not in ("None", "Optional", "typing")]
        return named[0] if len(named) == 1 and named[0] in PLAIN else "*"
    if _is_class(parameter.default):
        return CLASS
    try:
        value = ast.literal_eval(parameter.default) if parameter.default else None
    except (ValueError, SyntaxError, TypeError):
        return ""
    kind = type(value).__name__
    return "" if value is None else kind if kind in PLAIN else "*"


def _is_text(default: str | None) -> bool:
    """Whether a default is a text that is not empty, as it is written."""
    node = shared_expression(default) if default else None
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value != ""


def _is_class(default: str | None) -> bool:
    """Whether a default is a class of Python's own, by its name."""
    return isinstance(getattr(builtins, default or "", None), type)
