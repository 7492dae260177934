"""The built-in agents, requirement loader and stop rules, as a plugin with the public hooks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.settings import Settings

if TYPE_CHECKING:  # a session that only traces requirements does not load these
    from pytest_lift.agents.contract import Agents
    from pytest_lift.evolve.iteration import Iteration

WITHOUT_GAIN = 3
"""Number of iterations in a row without an accepted gain that is a plateau."""


@pytest.hookimpl(trylast=True)
def pytest_lift_agents(settings: Settings) -> Agents | None:
    """Returns the offline agents, or those of a model where one is named."""
    if settings.model is None and settings.replay is None:
        from pytest_lift.agents.offline.family import offline_agents

        return offline_agents()
    try:
        from pytest_lift.agents.prompted.family import model_agents
    except ImportError as error:
        raise UsageError(
            f"asking a model needs the package {error.name}",
            where="--lift-model",
            todo="pip install 'pytest-lift[model]'",
        ) from error
    return model_agents(settings)


@pytest.hookimpl(trylast=True)
def pytest_lift_load_requirements(path: Path) -> Requirements | None:
    from pytest_lift.requirements.reader import load_one

    return load_one(path)


@pytest.hookimpl(trylast=True)
def pytest_lift_stop(settings: Settings, iterations: tuple[Iteration, ...]) -> str | None:
    """Returns the first reason that holds: final, threshold, plateau, iterations or budget."""
    last = iterations[-1]
    if last.verdict == "FINAL":
        return "final"
    if _thresholds_met(settings, iterations):
        return "threshold"
    tried = iterations[1:]
    if len(tried) >= WITHOUT_GAIN and not any(i.accepted for i in tried[-WITHOUT_GAIN:]):
        return "plateau"
    if last.repeats:
        return "plateau"
    if last.exhausted:
        return "budget"
    if len(tried) >= settings.iterations:
        return "iterations"
    if settings.max_minutes is not None and last.elapsed >= settings.max_minutes * 60:
        return "budget"
    return None


def _thresholds_met(settings: Settings, iterations: tuple[Iteration, ...]) -> bool:
    """Whether the accepted suite reaches all thresholds that are set, and at least one is."""
    accepted = [i.figures for i in iterations if i.accepted][-1]
    return bool(settings.thresholds) and not accepted.missed(settings.thresholds)
