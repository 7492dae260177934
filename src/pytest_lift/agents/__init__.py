"""The three roles of the loop and what each is handed: stateless, one `Brief` per phase."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pytest_lift.feedback import Feedback
from pytest_lift.gradient import Finding
from pytest_lift.measure.coverage import Coverage
from pytest_lift.program import Program
from pytest_lift.requirements import Requirements
from pytest_lift.run import Run
from pytest_lift.sandbox.jail import Jail
from pytest_lift.suite import Edit, Suite

Mode = Literal["initial", "correct", "refine"]


@dataclass(frozen=True)
class Brief:
    """Everything an agent may know: the artefacts in the workspace and nothing else."""

    mode: Mode
    iteration: int
    copy: Path
    """Root of the private copy of the project; children run there."""
    jail: Jail
    """Where children run: nothing of the program or the suite runs outside."""
    program: Program
    requirements: Requirements
    suite: Suite
    """The suite as it stands in the copy, a failing candidate included."""
    findings: tuple[Finding, ...] = ()
    feedback: Feedback | None = None
    """The latest only: ``fixes.md`` after a failing run, ``evaluation.md`` after a passing one."""
    run: Run | None = None
    coverage: Coverage | None = None
    seed: int = 0
    deadline: float | None = None
    """`time.monotonic()` at which the phase must have ended, or None."""


@dataclass(frozen=True)
class Agents:
    """One family of agents: the offline one, a model's, a stranger's."""

    name: str
    generator: Callable[[Brief], Edit]
    debugger: Callable[[Brief], Feedback]
    evaluator: Callable[[Brief], Feedback]
