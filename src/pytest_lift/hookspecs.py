"""The extension contract: everything a plugin or a conftest.py may add to a lift.

The built-in agents, loader and stop rules register through these same hooks (`builtin.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_lift.agents.contract import Agents
    from pytest_lift.evolve.iteration import Iteration
    from pytest_lift.requirements.requirement import Requirements
    from pytest_lift.settings import Settings


@pytest.hookspec(firstresult=True)
def pytest_lift_agents(settings: Settings) -> Agents | None:
    """Returns the agents that rewrite the suite, or None to leave it to the next plugin."""


@pytest.hookspec(firstresult=True)
def pytest_lift_load_requirements(path: Path) -> Requirements | None:
    """Reads one requirement file, or returns None for a format of another plugin."""


@pytest.hookspec(firstresult=True)
def pytest_lift_stop(settings: Settings, iterations: tuple[Iteration, ...]) -> str | None:
    """Returns the reason to end after the last of `iterations`, or None to go on."""


@pytest.hookspec
def pytest_lift_iteration_finished(iteration: Iteration) -> None:
    """Called after every iteration, once it is archived; iteration 0 is the suite as found."""
