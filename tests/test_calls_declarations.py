"""What a case takes for a parser is watched, and does what it does without that."""

from __future__ import annotations

from pathlib import Path

from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober


def test_a_command_that_cannot_be_described_is_run_as_it_is(tmp_path: Path) -> None:
    code = """
        class Command:
            def __init__(self, params):
                self.params = params

            def make_context(self):
                return len(self.params)
        """
    files = {"tools/__init__.py": "", "tools/click/__init__.py": "", "tools/click/core.py": code}
    program = write_program(tmp_path, files)
    lines = ("from tools.click.core import Command",)
    step = Step("Command(['name']).make_context()", check=True)
    case = Case("tools/click/core.py", "Command.make_context", (step,), lines)
    seen = Prober(tmp_path, program, best_jail()).observe([case], 20)
    assert seen[case.key].outcomes[0].source == "1"
