"""`make demo-model`: what the README shows of model agents can be seen without a key."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_the_recorded_run_is_replayed_to_its_end() -> None:
    """Where this fails after a change of prompts, tools or packets, the run has to be recorded
    anew: lift the example with a model, then pack its calls (see examples/hashids/README.md)."""
    left_out = ("CI", "PYTEST_", "OPENAI_", "COV_")
    environ = {k: v for k, v in os.environ.items() if not k.startswith(left_out)}
    done = subprocess.run(
        [sys.executable, ROOT / "examples/hashids/demo.py"],
        env={**environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    summary = json.loads(done.stdout.splitlines()[-1])
    assert summary["outcome"] == "final"
    assert summary["requirements"]["verified"] + summary["requirements"]["contradicted"] == 14
    assert summary["requirements"]["unknown"] == 0
