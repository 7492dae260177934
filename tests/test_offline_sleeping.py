"""What sleeps for long is tested with a sleep that returns at once."""

from __future__ import annotations

import time
from pathlib import Path

from jails import best_jail
from offline_program import brief, write_program
from test_offline_generator import run_pytest

from pytest_lift.agents.offline.generator import generator
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober

RETRIES = """
    import time


    def retried(name, tries=3, delay=60):
        for number in range(tries):
            if number and name == "slow":
                time.sleep(delay)
            if number == 2:
                return f"{name} after {number} waits"
        if delay > 5:
            time.sleep(delay)
        return f"{name} failed"
"""
IMPORTS = ("from retries import retried",)


def test_a_case_that_does_not_sleep_runs_at_once(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"retries.py": RETRIES})
    steps = (Step("retried('slow')", check=True),)
    awake = Case("retries.py", "retried", steps, IMPORTS, awake=True)
    asleep = Case("retries.py", "retried", steps, IMPORTS)
    prober = Prober(tmp_path, program, best_jail())
    seen = prober.observe([awake, asleep], 20.0)
    prober.close()
    assert awake.key != asleep.key
    assert seen[awake.key].outcomes[-1].source == "'slow after 2 waits'"
    assert asleep.key not in seen or seen[asleep.key].rejected == "timeout"


def test_what_takes_too_long_is_tried_without_sleep(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"retries.py": RETRIES})
    edit = generator(brief(tmp_path, program, seconds=60.0))
    (text,) = [text for text in edit.files.values() if text]
    assert 'monkeypatch.setattr("time.sleep", lambda seconds: None)' in text
    began = time.monotonic()
    assert " failed" not in run_pytest(tmp_path, edit.files)
    assert time.monotonic() - began < 60
