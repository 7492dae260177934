"""`make bench-loop_cost`: what an iteration costs beyond the pytest run that it cannot avoid.

The agent changes one comment per iteration, so that every iteration runs the suite. The bare run
is `pytest --cov --cov-branch --cov-context=test` on the same files, interleaved with the lifts.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from lifting import lift_command

FILES, TESTS, ROUNDS = 40, 10, 5
ITERATIONS = 3
"""Without a gain in any of them the lift ends at its plateau."""

AGENTS = """
from pytest_lift.agents.contract import Agents
from pytest_lift.agents.offline.evaluator import evaluator
from pytest_lift.suite.suite import Edit

def generator(brief):
    return Edit({"tests/conftest.py": f"# iteration {brief.iteration}\\n"})

def pytest_lift_agents(settings):
    return Agents("idle", generator, evaluator, evaluator)
"""


def project(root: Path) -> Path:
    (root / "thing").mkdir(parents=True)
    (root / "tests").mkdir()
    (root / "thing/__init__.py").write_text("")
    for number in range(FILES):
        body = "\n".join(
            f"def f{n}(x):\n    if x > {n}:\n        return x\n    return -x\n"
            for n in range(TESTS)
        )
        (root / f"thing/m{number}.py").write_text(body)
        tests = "\n".join(f"def test_{n}():\n    assert m.f{n}(99) == 99\n" for n in range(TESTS))
        (root / f"tests/test_m{number}.py").write_text(f"import thing.m{number} as m\n\n{tests}")
    (root / "conftest.py").write_text(AGENTS)
    return root


def environment(root: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("CI", "PYTEST_ADDOPTS")}
    return {**kept, "PYTHONPATH": str(root), "COVERAGE_FILE": str(root / ".lift-bench")}


def bare(root: Path) -> float:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:lift", "-p", "no:cacheprovider"]
    command += ["--cov=thing", "--cov-branch", "--cov-context=test", "tests", "--noconftest"]
    started = time.monotonic()
    subprocess.run(command, cwd=root, env=environment(root), check=True, capture_output=True)
    return time.monotonic() - started


def iterations(root: Path) -> list[float]:
    """Seconds of each iteration after the baseline."""
    command = lift_command("--lift-output=land", "-q")
    done = subprocess.run(command, cwd=root, env=environment(root), capture_output=True, text=True)
    data = json.loads((root / ".lift/run.json").read_text("utf-8"))
    ends = [row["elapsed"] for row in data["history"]]
    tried = all("measure" in row["seconds"] for row in data["history"])
    if len(ends) != ITERATIONS + 1 or not tried:
        raise SystemExit(done.stdout + done.stderr)
    return [after - before for before, after in pairwise(ends)]


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        root = project(Path(folder) / "project")
        plain: list[float] = []
        lifted: list[float] = []
        for _ in range(ROUNDS):
            plain.append(bare(root))
            lifted += iterations(root)
    allowed = 0.150 + 0.001 * FILES
    extra = min(lifted) - min(plain)
    result = {
        "bench": "loop_cost",
        "test_files": FILES,
        "tests": FILES * TESTS,
        "bare_seconds": round(min(plain), 3),
        "iteration_seconds": round(min(lifted), 3),
        "extra_ms": round(1000 * extra, 1),
        "extra_ms_of_medians": round(
            1000 * (statistics.median(lifted) - statistics.median(plain)), 1
        ),
        "allowed_ms": round(1000 * allowed, 1),
        "ratio": round(min(lifted) / min(plain), 3),
        "load_average": os.getloadavg()[0],
    }
    for key, value in result.items():
        print(f"{key:>22}  {value}")
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
