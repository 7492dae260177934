"""What is finite in a jail stays so: time, memory, processes, files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from jailed_tests import processes_with, run
from small_project import SmallProject

from pytest_lift.sandbox.jail import TIERS, Jail, Limits, python_reads
from pytest_lift.sandbox.probe import problem


@pytest.fixture(params=TIERS)
def jail(request: pytest.FixtureRequest, tmp_path: Path) -> Jail:
    why = problem(request.param)
    if why:
        pytest.skip(f"{request.param} does not work on this machine: {why}")
    return Jail(request.param, reads=python_reads(tmp_path))


ORPHAN = "os.fork() or (os.fork() and os._exit(0)) or time.sleep(20) or os._exit(0)"
MEMORY_FILE = "os.write(os.memfd_create('x'), b'x' * 10_000_000)"


@pytest.mark.parametrize(
    ("bomb", "ending"),
    [
        ("[os.fork() for _ in range(9)]; time.sleep(20)", "crashed"),
        (f"[{ORPHAN} for _ in range(150)]; time.sleep(20)", "crashed"),
        (f"[{MEMORY_FILE} for _ in range(90)]; time.sleep(20)", "crashed"),
        ("held = [b'x' * 10_000_000 for _ in range(90)]; time.sleep(20)", "out-of-memory"),
        ("with out: [os.write(2, b'x' * 1_000_000) for _ in range(90)]; time.sleep(20)", "crashed"),
        ("signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(40)", "timed-out"),
    ],
    ids=["processes", "orphans", "memory-files", "memory", "output", "time"],
)
def test_what_is_finite_stays_so(tmp_path: Path, jail: Jail, bomb: str, ending: str) -> None:
    test = f"""
        import os, signal, time

        def test_bomb(capfd):
            signal.alarm(50)
            out = capfd.disabled()
            {bomb}
    """
    project = SmallProject(tmp_path).write({"tests/test_bomb.py": test})
    small = Limits(300_000_000, processes=100, output_bytes=20_000_000, scratch_bytes=200_000_000)
    for seconds in (1.5, 6.0, 24.0) if ending == "timed-out" else (15.0,):
        found = run(project, replace(jail, limits=small), seconds)
        if "test_bomb" in found.detail:
            break  # before, the machine did other things
    assert found.ending == ending, (found.ending, found.detail)
    assert "test_bomb" in found.detail
    assert processes_with(str(project.root)) == []
