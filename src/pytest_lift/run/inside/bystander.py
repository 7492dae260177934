"""Records outcomes in the user's plain pytest, and registers no marks or options.

Loaded with ``-p pytest_lift.run.inside.bystander`` beside ``-p no:lift``. Unlike `recorder.py` it
registers no marks and touches no coverage. What the project itself says to this package (`lift_*`
in its ini file, `pytest_lift_*` in its conftest files) is declared and does nothing: without it
pytest would refuse such a project under ``--strict-config``, whatever tests there are.
"""

from __future__ import annotations

import pytest

from pytest_lift.options import OPTIONS
from pytest_lift.plugin import pytest_addhooks
from pytest_lift.run.inside.recorder import SINK, Recorder, pytest_load_initial_conftests

__all__ = ["pytest_addhooks", "pytest_load_initial_conftests"]


def pytest_addoption(parser: pytest.Parser) -> None:
    for option in OPTIONS:
        parser.addini(option.dest, "of pytest-lift, without effect here")


def pytest_configure(config: pytest.Config) -> None:
    sink = config.stash.get(SINK, None)
    if sink is not None:
        config.pluginmanager.register(Recorder(sink), "lift-recorder")
