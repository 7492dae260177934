"""Do the examples that requirements state hold? Each is run once, as a doctest, in the copy.

An example that does not is a contradiction: a suspected defect, or a doubtful requirement. The
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
"""What says that the example itself is broken."""


TRACEBACK = "Traceback (most recent call last):"
DIRECTIVE = "# doctest:"
_RAISED = re.compile(r"^[A-Za-z_][\w.]*(?::|$)", re.MULTILINE)


@dataclass(frozen=True)
class Proof:
    """How a plain test says what was tried. Classes are told as ``module:Name``."""

    call: str
    """The call, with what lists or awaits its value around it."""
    relation: Relation = "equals"
    expected: str = ""
    """An expression."""
    sign: str = "=="
    """``is`` where only the type differs."""
    raised: str = ""
    """What the call raises although nothing, or something else, is expected."""
    wanted: str = ""
    """The exception that is expected."""
    imports: tuple[str, ...] = ()
    """What the text leaves unsaid."""


@dataclass(frozen=True)
class Discrepancy:
    """The program and a requirement's own words say different things."""

    requirement: str
    call: str
    expected: str
    """As the requirement states it."""
    actual: str
    sentence: str = ""
    """What the expectation was taken from; empty for an example."""
    suspect: Suspect = ""
    """Which of the two seems to be wrong."""
    why: str = ""
    setup: str = ""
    """Statements before the call."""
    relation: Relation = "equals"
    proof: Proof | None = None
    """None where no plain test can show it."""

    @property
    def broken(self) -> bool:
        """The example cannot run at all: its author has to mend it."""
        return self.actual.startswith(NOT_RUN) and "Error" not in self.expected


def bare(call: str) -> str:
    """Without the directive for doctest."""
    return call.partition(DIRECTIVE)[0].strip()


def plainly(told: str) -> str:
    """A traceback as ``raises ValueError: why``; what is none stays as it is."""
    if not told.startswith(TRACEBACK):
        return told
    found = _RAISED.search(told, told.rindex(TRACEBACK))
    return f"raises {told[found.start() :].strip()}" if found else told


def contradictions(
    requirements: Requirements, program: Program, copy: Path, scratch: Path, jail: Jail
) -> dict[str, tuple[Discrepancy, ...]]:
    """Requirement id -> the examples that the program contradicts; exempt ones are left out.

    What cannot be run to its end contradicts nothing.
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
    """The answers that tell a difference, by requirement; `names` are those of the sessions."""
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
