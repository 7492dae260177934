"""What sleeps for long is tested with a sleep that returns at once."""

from __future__ import annotations

import time
from pathlib import Path

from jails import best_jail
from offline_program import brief, write_program
from test_offline_generator import run_pytest

from pytest_lift.agents.offline.generator import generator
from pytest_lift.calls.case import SLEEPS, TELLS, WAITS, Case, Step
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
    awake = Case("retries.py", "retried", steps, IMPORTS, awake=(("time.sleep", SLEEPS),))
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
    assert 'monkeypatch.setattr("time.sleep", ' in text
    began = time.monotonic()
    assert " failed" not in run_pytest(tmp_path, edit.files)
    assert time.monotonic() - began < 60


PAUSES = """
    from time import sleep


    class Pause:
        def __init__(self, attempts=0):
            self.attempts = attempts

        def wait(self, factor=1):
            seconds = self.attempts * factor * 60
            if seconds > 100:
                seconds = 100
            sleep(seconds)
"""


def test_what_is_slept_is_noted_under_the_name_that_the_program_has(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"pauses.py": PAUSES})
    steps = (
        Step("slept = []"),
        Step("Pause(2).wait(0.5)", check=True),
        Step("slept", check=True, aside=True),
    )
    imports = ("from pauses import Pause",)
    cases = [
        Case("pauses.py", "Pause.wait", steps, imports, awake=((name, SLEEPS),))
        for name in ("pauses.sleep", "time.sleep")
    ]
    prober = Prober(tmp_path, program, best_jail())
    seen = prober.observe(cases, 20.0)
    prober.close()
    assert [one.source for one in seen[cases[0].key].outcomes] == ["None", "[60.0]"]
    assert cases[1].key not in seen or seen[cases[1].key].rejected == "timeout"


def test_what_does_nothing_but_sleep_is_tested_by_what_it_sleeps(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"pauses.py": PAUSES})
    edit = generator(brief(tmp_path, program, seconds=60.0))
    (text,) = [text for text in edit.files.values() if text]
    assert "slept = []" in text
    assert 'monkeypatch.setattr("pauses.sleep", slept.append)' in text
    assert "assert slept == [100]" in text
    assert " failed" not in run_pytest(tmp_path, edit.files)


THROTTLE = """
    import asyncio
    import time


    class Throttle:
        def __init__(self, most: int, period=2.0, retry=0.5):
            self.most = most
            self.period = period
            self.retry = retry
            self.taken = []

        async def acquire(self):
            while True:
                while self.taken and time.monotonic() - self.taken[0] > self.period:
                    del self.taken[0]
                if len(self.taken) < self.most:
                    break
                await asyncio.sleep(self.retry)
            self.taken.append(time.monotonic())

        async def __aenter__(self):
            await self.acquire()

        async def __aexit__(self, *error):
            pass
"""


def test_time_passes_for_a_coroutine_by_what_it_would_have_waited(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"throttles.py": THROTTLE})
    steps = (
        Step("slept = []"),
        Step("throttle = Throttle(1, 2, 0.75)"),
        Step("await throttle.acquire()"),
        Step("await throttle.acquire()", check=True),
        Step("slept", check=True, aside=True),
        Step("throttle.taken", check=True),
    )
    imports = ("from throttles import Throttle",)
    awake = (("asyncio.sleep", WAITS), ("time.monotonic", TELLS))
    case = Case("throttles.py", "Throttle.acquire", steps, imports, awake=awake, looped=True)
    prober = Prober(tmp_path, program, best_jail())
    seen = prober.observe([case], 20.0)
    prober.close()
    told = [one.source for one in seen[case.key].outcomes]
    assert told == ["None", "[0.75, 0.75, 0.75]", "[2.25]"]


def test_a_coroutine_that_waits_is_tested_by_the_seconds(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"throttles.py": THROTTLE})
    edit = generator(brief(tmp_path, program, seconds=40.0))
    (text,) = [text for text in edit.files.values() if text]
    assert 'monkeypatch.setattr("asyncio.sleep", pass_time)' in text
    assert 'monkeypatch.setattr("time.monotonic", lambda: sum(slept))' in text
    assert "assert slept == [" in text or "assert sum(slept) == " in text
    assert " failed" not in run_pytest(tmp_path, edit.files)
