"""Runs each example of a requirement once as a doctest in the copy, and collects differences.

An example that does not hold is a contradiction: a suspected defect, or a doubtful requirement. The
program is not assumed right, so such a requirement cannot count as verified.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_lift.oracles.asking import Task, ask
from pytest_lift.requirements.expectation import Relation, Suspect
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.sandbox.jail import Jail
from pytest_lift.source.program import Program

NOT_RUN = ("NameError:", "ModuleNotFoundError:", "ImportError:", "SyntaxError:")
"""First words of the result of an example that is itself broken."""


TRACEBACK = "Traceback (most recent call last):"
DIRECTIVE = "# doctest:"
_RAISED = re.compile(r"^[A-Za-z_][\w.]*(?::|$)", re.MULTILINE)


@dataclass(frozen=True)
class Proof:
    """Parts of a plain test that shows a result. Classes are written as ``module:Name``."""

    call: str
    """The call, wrapped so that its value is listed or awaited if need be."""
    relation: Relation = "equals"
    expected: str = ""
    """Expected value as an expression, or the name of an exception."""
    sign: str = "=="
    """Comparison in the test: ``is`` if only the type differs."""
    raised: str = ""
    """Exception that the call raises although none or another is expected."""
    wanted: str = ""
    """Exception that is expected."""
    imports: tuple[str, ...] = ()
    """Imports that the test needs and the text lacks."""


@dataclass(frozen=True)
class Discrepancy:
    """Difference between the program and what a requirement states."""

    requirement: str
    call: str
    expected: str
    """Expected result as the requirement states it."""
    actual: str
    sentence: str = ""
    """Sentence that the expectation was derived from; empty for an example."""
    suspect: Suspect = ""
    """Side that seems to be wrong."""
    why: str = ""
    setup: str = ""
    """Statements before the call."""
    relation: Relation = "equals"
    proof: Proof | None = None
    """None if no plain test can show it."""

    @property
    def broken(self) -> bool:
        """Whether the example cannot run at all, so that its author has to fix it."""
        return self.actual.startswith(NOT_RUN) and "Error" not in self.expected


def bare(call: str) -> str:
    """Returns the call without a directive for doctest."""
    return call.partition(DIRECTIVE)[0].strip()


def plainly(told: str) -> str:
    """Returns a traceback as ``raises ValueError: why``; any other text unchanged."""
    if not told.startswith(TRACEBACK):
        return told
    found = _RAISED.search(told, told.rindex(TRACEBACK))
    return f"raises {told[found.start() :].strip()}" if found else told


def contradictions(
    requirements: Requirements, program: Program, copy: Path, scratch: Path, jail: Jail
) -> dict[str, tuple[Discrepancy, ...]]:
    """Returns requirement id -> examples that the program contradicts; exempt ones are left out.

    An example that does not run to its end contradicts nothing.
    """
    sessions = [(item.id, text) for item in requirements.testable for text in item.examples]
    if not sessions:
        return {}
    tasks: list[Task] = [("example", (text,)) for _, text in sessions]
    found = ask(tasks, program, copy, scratch, jail)
    return grouped([name for name, _ in sessions], found)


def grouped(
    names: Sequence[str], found: Mapping[int, Mapping[str, Any]]
) -> dict[str, tuple[Discrepancy, ...]]:
    """Returns the answers that report a difference, by requirement; `names` holds the requirement
    of each session."""
    differing: dict[str, tuple[Discrepancy, ...]] = {}
    for number, answer in sorted(found.items()):
        texts = [answer.get(key) for key in ("call", "expected", "actual", "setup")]
        if all(isinstance(text, str) for text in texts):
            call, expected, actual, setup = map(str, texts)
            said = Discrepancy(
                names[number], call.strip(), expected.strip(), actual.strip(), setup=setup
            )
            differing[names[number]] = (*differing.get(names[number], ()), said)
    return differing
