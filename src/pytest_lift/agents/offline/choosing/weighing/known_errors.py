"""Tells errors that tests of a suite show already."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.weighing.inherited import Inheritance
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


def shown_again(
    chosen: Sequence[Chosen], suite: Suite, program: Program, inheritance: Inheritance
) -> set[str]:
    """Returns the keys of the cases that end in an error which a suite shows already."""
    shown = errors_shown(suite)
    kept = (item.kept for item in chosen if shown)
    return {one.case.key for one in kept if is_shown(one, shown, program, inheritance)}


def _errors_of(name: str, source: str) -> Iterator[ShownError]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=called, args=[kind], keywords=keywords) if leaf(called) == "raises":
                values = [one.value for one in keywords if one.arg == "match"]
                texts = [one.value for one in values if isinstance(one, ast.Constant)]
                if len(texts) == len(values):
                    yield ShownError(name, leaf(kind), str(texts[0]) if texts else "")


def is_shown(
    kept: KeptCase, shown: frozenset[ShownError], program: Program, inheritance: Inheritance
) -> bool:
    """Whether a searched case ends in an error of its function that a test shows already, for this
    class or another one that inherits it: one of the type with the same words, or with none."""
    raised = kept.seen.outcomes[-1].raised if kept.seen.outcomes else None
    if raised is None or kept.case.origin != "searched":
        return False
    kind = raised.type.rpartition(".")[2]
    symbols = inheritance.sharing(kept.case.path, kept.case.plain_symbol)
    names = tuple(f"test_{subject_of(replace(kept.case, symbol=one))}_" for one in symbols)
    own = [one for one in shown if one.type == kind and one.test.startswith(names)]
    if any(one.match and re.search(one.match, raised.message) for one in own):
        return True
    return any(not one.match for one in own) and not constant_part(raised, program)
