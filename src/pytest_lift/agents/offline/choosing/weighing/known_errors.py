"""Tells errors that tests of a suite show already."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.writing.messages import constant_part
from pytest_lift.agents.offline.writing.naming import subject_of
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import leaf
from pytest_lift.suite.suite import Suite


@dataclass(frozen=True)
class ShownError:
    """Error that a test shows."""

    test: str
    type: str
    match: str
    """Regular expression that its message has; "" for any."""


def errors_shown(suite: Suite) -> frozenset[ShownError]:
    """Returns the errors that the tests of a suite show."""
    return frozenset(
        one for test in suite.tests() for one in _errors_of(test.name, suite.source(test))
    )


def _errors_of(name: str, source: str) -> Iterator[ShownError]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=called, args=[kind], keywords=keywords) if leaf(called) == "raises":
                values = [one.value for one in keywords if one.arg == "match"]
                texts = [one.value for one in values if isinstance(one, ast.Constant)]
                if len(texts) == len(values):
                    yield ShownError(name, leaf(kind), str(texts[0]) if texts else "")


def is_shown(kept: KeptCase, shown: frozenset[ShownError], program: Program) -> bool:
    """Whether a searched case ends in an error of its function that a test shows already: one of
    the type with the same words, or with none."""
    raised = kept.seen.outcomes[-1].raised if kept.seen.outcomes else None
    if raised is None or kept.case.origin != "searched":
        return False
    name, kind = f"test_{subject_of(kept.case)}_", raised.type.rpartition(".")[2]
    own = [one for one in shown if one.type == kind and one.test.startswith(name)]
    if any(one.match and re.search(one.match, raised.message) for one in own):
        return True
    return any(not one.match for one in own) and not constant_part(raised, program)
