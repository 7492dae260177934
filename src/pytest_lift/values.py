"""The values that agents, requirement loaders and stop rules work with, to import from one place.

Handed to an agent: `Brief` (all that it may know), with `Suite`, `Program`, `Requirements`, `Run`,
`Coverage`, `Trace`, `Mutation` and `Finding` in it. Returned by an agent: `Edit` (a generator:
whole new texts by path), `Feedback` (a debugger or an evaluator), `Expectation` (what texts let
one expect), `DoubtfulRequirement` (what contradicts itself or another one).
`Agents` is a family of three; `offline_agents` makes the built-in one, whose debugger and
evaluator may serve beside a generator of your own. A requirement loader returns `Requirements`
made of `Requirement`; a stop rule is given `Settings` and every `Iteration` so far. `UsageError`
is what a plugin raises for a mistake of the user: message, place and remedy are printed, no
traceback.

Each name is imported when it is asked for, so a conftest.py pays only for those that it uses.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_lift.agents.contract import Agents, Brief
    from pytest_lift.agents.offline.family import offline_agents
    from pytest_lift.coverage.coverage import Coverage
    from pytest_lift.errors import UsageError
    from pytest_lift.evolve.iteration import Iteration
    from pytest_lift.findings.feedback import Feedback
    from pytest_lift.findings.finding import Finding
    from pytest_lift.mutation.mutation import Mutation
    from pytest_lift.requirements.doubtful import DoubtfulRequirement
    from pytest_lift.requirements.requirement import Expectation, Requirement, Requirements
    from pytest_lift.run.result import Run
    from pytest_lift.settings import Settings
    from pytest_lift.source.program import Program
    from pytest_lift.suite.suite import Edit, Suite
    from pytest_lift.trace.trace import Trace

_HOMES = {
    "Agents": "agents.contract",
    "Brief": "agents.contract",
    "Coverage": "coverage.coverage",
    "DoubtfulRequirement": "requirements.doubtful",
    "Edit": "suite.suite",
    "Expectation": "requirements.requirement",
    "Feedback": "findings.feedback",
    "Finding": "findings.finding",
    "Iteration": "evolve.iteration",
    "Mutation": "mutation.mutation",
    "Program": "source.program",
    "Requirement": "requirements.requirement",
    "Requirements": "requirements.requirement",
    "Run": "run.result",
    "Settings": "settings",
    "Suite": "suite.suite",
    "Trace": "trace.trace",
    "UsageError": "errors",
    "offline_agents": "agents.offline.family",
}
"""Name -> module that defines it."""

__all__ = [
    "Agents",
    "Brief",
    "Coverage",
    "DoubtfulRequirement",
    "Edit",
    "Expectation",
    "Feedback",
    "Finding",
    "Iteration",
    "Mutation",
    "Program",
    "Requirement",
    "Requirements",
    "Run",
    "Settings",
    "Suite",
    "Trace",
    "UsageError",
    "offline_agents",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"pytest_lift.{_HOMES[name]}"), name)
