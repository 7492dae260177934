"""`make bench-model_loop`: what an iteration with a model costs beyond pytest and the model.

A scripted model that answers at once, behind a real endpoint, adds a test in each iteration. Of the
wall time of an iteration, what was spent in runs of pytest is left out (`seconds.pytest` in
run.json), and so is nothing else: packets, prompts, calls, gate, ratchet, landing, archive. The
bar: 300 ms and 2 ms for each test file.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from lifting import lift_command
from loop_cost import FILES, project
from model_script import ModelScript, turn_of
from scripted_model import Body, Reply, ScriptedModel, call, calls

ITERATIONS = 6
ROUNDS = 3


def generator(body: Body, number: int) -> Reply:
    """A test for the first function that the message lists as not executed."""
    if turn_of(body):
        return call("finish", summary="Done.")
    found = re.search(r"thing\.(m\d+)\.(f\d+):", body["messages"][1]["content"])
    if found is None:
        return call("finish", summary="Nothing.")
    module, name = found[1], found[2]
    test = f'def test_{module}_{name}_below():\n    """Below."""\n    assert {name}(0) == 0\n'
    told = {"path": f"tests/test_{module}.py", "tests": test}
    return calls(("add_tests", {**told, "imports": f"from thing.{module} import {name}"}))


def evaluator(body: Body, number: int) -> Reply:
    return call("finish", verdict="REWORK", summary="More.")


def lift(root: Path) -> list[tuple[float, float]]:
    """(seconds, those of pytest) of each iteration after the baseline."""
    kept = {k: v for k, v in os.environ.items() if k not in ("CI", "PYTEST_ADDOPTS")}
    command = lift_command("--lift-output=land", "-q")
    command += ["--lift-model=scripted", f"--lift-iterations={ITERATIONS}"]
    script = ModelScript({"generator": generator, "evaluator": evaluator})
    with ScriptedModel(script) as model:
        environ = {**kept, "PYTHONPATH": str(root), "OPENAI_BASE_URL": model.base_url}
        done = subprocess.run(command, cwd=root, env=environ, capture_output=True, text=True)
    rows = json.loads((root / ".lift/run.json").read_text("utf-8"))["history"]
    if len(rows) != ITERATIONS + 1 or not all(row["accepted"] for row in rows):
        raise SystemExit(done.stdout[-3000:] + done.stderr[-3000:])
    return [
        (after["elapsed"] - before["elapsed"], after["seconds"]["pytest"])
        for before, after in pairwise(rows)
    ]


def main() -> int:
    rows: list[tuple[float, float]] = []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            root = project(Path(folder) / "project")
            (root / "conftest.py").unlink()
            rows += lift(root)
    own = [whole - pytest for whole, pytest in rows]
    result = {
        "bench": "model_loop",
        "test_files": FILES,
        "iterations": len(rows),
        "iteration_seconds": round(statistics.median(whole for whole, _ in rows), 3),
        "pytest_seconds": round(statistics.median(pytest for _, pytest in rows), 3),
        "own_ms": round(1000 * min(own), 1),
        "own_ms_median": round(1000 * statistics.median(own), 1),
        "allowed_ms": 300 + 2 * FILES,
        "load_average": os.getloadavg()[0],
    }
    for key, value in result.items():
        print(f"{key:>20}  {value}")
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
