"""Tests that no mutated program passes, and the setting that was found."""

from __future__ import annotations

from mutated_project import MutatedProject

from pytest_lift.mutation.mutmut.attempts import Setting

READS_SOURCES = """
import inspect
from shop import prices

def test_source():
    assert prices.total(1, 2) == 2
    assert "trampoline" not in inspect.getsource(prices)
"""


def setting(project: MutatedProject) -> Setting:
    assert project.mutator._attempts is not None
    return project.mutator._attempts.setting
