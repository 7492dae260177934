"""What is read beside a call, and says nothing, is no part of its case."""

from __future__ import annotations

from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober

SHUT = """
    class Shut:
        def __init__(self):
            self.text = ""

        def fetch(self):
            return self.text or None

        def take(self):
            if not self.text:
                raise ValueError("nothing there")
            return self.text


    def size(shut, text):
        return len(text)


    def fill(shut, text):
        shut.text = text
"""


@pytest.mark.parametrize("look", ["fetch", "take"])
def test_what_only_a_reading_that_says_nothing_reaches_is_not_counted(
    tmp_path: Path, look: str
) -> None:
    program = write_program(tmp_path, {"shut.py": SHUT})
    lines = ("from shut import Shut, fill, size",)
    reading = Step(f"shut.{look}()", check=True, aside=True)
    cases = []
    for name in ("size", "fill"):
        steps = (Step("shut = Shut()"), Step(f"{name}(shut, 'a')", check=True))
        cases += [
            Case("shut.py", name, all_steps, lines) for all_steps in (steps, (*steps, reading))
        ]
    seen = Prober(tmp_path, program, best_jail()).observe(cases, 10)
    bare, read, bare_fill, read_fill = (seen[case.key].hits for case in cases)
    assert bare == read
    assert bare_fill < read_fill
