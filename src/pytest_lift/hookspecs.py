"""The extension contract: everything a plugin or a conftest.py may add to a lift.

The built-in agents, loader and stop rules register through these same hooks (`builtin.py`). All
values are in `pytest_lift.values`; docs/extending.md has a worked example of each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_lift.values import Agents, Iteration, Requirements, Settings


@pytest.hookspec(firstresult=True)
def pytest_lift_agents(settings: Settings) -> Agents | None:
    """Returns the agents that rewrite the suite, or None to leave it to the next plugin.

    Called once at the start of a lift. Each agent is then called with a `Brief` and knows nothing
    else: the generator returns an `Edit`, debugger and evaluator return `Feedback`.
    """


@pytest.hookspec(firstresult=True)
def pytest_lift_load_requirements(path: Path) -> Requirements | None:
    """Reads one requirement file, or returns None for a format of another plugin.

    Called for each file that the user names, absolute, existing or not. Raises UsageError with the
    place of a mistake.
    """


@pytest.hookspec(firstresult=True)
def pytest_lift_stop(settings: Settings, iterations: tuple[Iteration, ...]) -> str | None:
    """Returns the reason to end after the last of `iterations`, or None to go on.

    Called before each iteration, iteration 0 (the suite as found) being there already. The reason
    is one word: it becomes the ending in the terminal and in run.json.
    """


@pytest.hookspec
def pytest_lift_iteration_finished(iteration: Iteration) -> None:
    """Is called after every iteration, once it is archived; iteration 0 is the suite as found."""
