"""Tells documented cases that read a file which is not there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from pytest_lift.agents.offline.arguments.places import PathArguments
from pytest_lift.agents.offline.search.dullness import BEGUN_WITH
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.readings import READINGS, is_look
from pytest_lift.agents.offline.writing.told import assigned
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.reading import bind
from pytest_lift.source.syntax import FunctionNode, parsed_expression

FILE = re.compile(r"[\w./-]*\w\.[a-z][a-z\d]{1,4}")
"""Name of a file."""


class MissingFiles:
    """Files that documented cases name and do not have."""

    def __init__(self, matcher: Matcher, places: PathArguments) -> None:
        self.matcher = matcher
        self.places = places

    def is_counted(self, item: Verified) -> bool:
        """Whether a documented case does nothing but make an object of a file that is not there,
        and shows nothing but how many things the object has, or what it begins with: the name of
        the file may have been read as what it holds."""
        lines = [check.expression for check in item.checks if check.form == "none"]
        lines = [line for line in lines if not isinstance(ast.parse(line).body[0], FunctionNode)]
        made = assigned(lines[0]) if len(lines) == 1 else None
        if item.case.origin != "documented" or made is None:
            return False
        name, maker = made
        looks = item.asserted
        return all(_counts(check, name) for check in looks) and any(
            FILE.fullmatch(text) and text not in item.case.files for text in self._files(maker)
        )

    def _files(self, maker: str) -> Iterator[str]:
        """Yields the names of files with which an object is made."""
        node = parsed_expression(maker)
        match = next(self.matcher.matches(maker), None)
        if match is None or not isinstance(node, ast.Call) or not isinstance(match.node, ast.Call):
            return
        call = bind(match.target, match.node, {}, self.matcher.names)
        if call is None or ast.dump(match.node) != ast.dump(node):
            return
        for parameter in match.target.parameters:
            value = parsed_expression(call.given.get(parameter.name, ""))
            text = value.value if isinstance(value, ast.Constant) else None
            if isinstance(text, str) and self.places.of(match.target, parameter).known:
                yield text


def _counts(check: StepCheck, variable: str) -> bool:
    """Whether a look tells how many things the object of a variable has, or what it begins with."""
    if check.form not in ("equals", "is") or not is_look(check.expression):
        return False
    nodes = ast.walk(ast.parse(check.expression))
    names = {node.id for node in nodes if isinstance(node, ast.Name)} - READINGS
    counted = check.expected in BEGUN_WITH or check.expression.startswith("len(")
    return counted and names == {variable}
