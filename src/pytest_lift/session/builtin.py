"""Registers the built-in agents, requirement loader and stop rules, by the public hooks."""

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
    from pytest_lift.evolve.endings import ending_of

    return ending_of(settings, iterations)
