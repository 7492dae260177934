"""A small share of `make bench-fuzz`: hostile files cannot crash, hold up or mislead a reader."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

FUZZ = Path(__file__).parents[1] / "benchmarks" / "fuzz.py"


def worker(scratch: Path, name: str, cases: int, seed: int) -> dict[str, Any]:
    command = [sys.executable, str(FUZZ), "--worker", name, f"--cases={cases}", f"--seed={seed}"]
    env = {**os.environ, "FUZZ_SCRATCH": str(scratch)}
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_no_hostile_file_gets_through(tmp_path: Path) -> None:
    """`make bench-fuzz` has other files; what failed once says how to see it again."""
    found = worker(tmp_path, "all", 30, 0)
    assert found["violations"] == []
    assert found["cases"] >= 15 * 30
    assert found["refused"] > 50


def test_the_oracle_sees_readers_that_are_as_they_must_not_be(tmp_path: Path) -> None:
    found = worker(tmp_path, "control", 20, 0)
    assert len(found["violations"]) == 20
    told = " ".join(violation["what"] for violation in found["violations"])
    for what in (
        "not done after",
        "the decoy came out",
        "outside",
        "beside the tests",
        "RecursionError",
        "ValueError",
    ):
        assert what in told
