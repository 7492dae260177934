"""A conversation about one small program, spoken by a script."""

from __future__ import annotations

import asyncio
from typing import Any

from spoken_model import SpokenModel

from pytest_lift.agents.prompted.team import Ended, converse
from pytest_lift.agents.prompted.tools.toolbox import Toolbox

PROGRAM = {"pkg/__init__.py": "", "pkg/mod.py": "def double(x):\n    return 2 * x\n"}
GOOD = '''import pytest
from pkg.mod import double


@pytest.mark.req("R-1")
def test_double():
    """Doubles."""
    assert double(2) == 4
'''
DONE = ("finish", {"summary": "done"})


def talk(toolbox: Toolbox, *answers: Any) -> tuple[Ended, SpokenModel]:
    model = SpokenModel(answers)
    return asyncio.run(converse("system", "packet", toolbox, model)), model
