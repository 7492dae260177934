"""`make bench-demo`: the demo, and whether the suite it leaves is worth keeping."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PROJECT = ROOT / ".demo" / "simplejson"
HERE = Path(__file__).resolve().parent
ORDERS = 5
LINES, BRANCHES = 70, 64
"""Percent."""
LIMIT = 84
"""Seconds, that the demo gives its lift."""


def pytest(*arguments: str, **environ: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    kept = {k: v for k, v in os.environ.items() if k not in ("CI", "PYTEST_ADDOPTS")}
    kept |= {"PYTHONPATH": os.pathsep.join((str(PROJECT), str(HERE))), **environ}
    done = subprocess.run(
        command, cwd=PROJECT, env=kept, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


def failing(text: str) -> set[str]:
    """Test functions that failed, from the short summary."""
    return {m.partition("[")[0] for m in re.findall(r"^(?:FAILED|ERROR) (\S+)", text, re.MULTILINE)}


def passing() -> set[str]:
    """Test functions, but for those that are expected to fail: what they show is a difference, and
    it is not theirs to notice another."""
    _, text = pytest("--collect-only")
    named = {line.partition("[")[0] for line in text.splitlines() if "::" in line}
    _, text = pytest("-rx")
    return named - set(re.findall(r"^XFAIL ([^\s\[]+)", text, re.MULTILINE))


def survivors_of_sabotage(tests: set[str]) -> set[str]:
    """Tests that pass although what they call returns None, or raises."""
    left: set[str] = set()
    for kind in ("none", "raise"):
        _, text = pytest("-p", "sabotage", "--tb=no", SABOTAGE=kind, PROGRAM="simplejson")
        left |= tests - failing(text)
    return left


def passes_in_other_orders() -> int:
    passed = 0
    for seed in range(ORDERS):
        status, _ = pytest(
            "-p",
            "pytest_lift.run.inside.recorder",
            LIFT_SHUFFLE=str(seed),
            PYTHONHASHSEED=str(100 + seed),
        )
        passed += status == 0
    return passed


def seconds_to_coverage(history: list[dict[str, Any]]) -> float | None:
    """Until a suite was accepted that executes as much as it should."""
    spent = 0.0
    for iteration in history:
        phases: dict[str, float] = iteration["seconds"]
        # What pytest took is a part of other phases.
        spent += sum(taken for phase, taken in phases.items() if phase != "pytest")
        reached = iteration["figures"]["line_percent"], iteration["figures"]["branch_percent"]
        if iteration["accepted"] and reached[0] >= LINES and reached[1] >= BRANCHES:
            return round(spent, 1)
    return None


def measured() -> dict[str, int]:
    """How much there was to cover, by coverage.py's own report of the last measured iteration."""
    report = max((PROJECT / ".lift/history").glob("*/*/reports/coverage.json"))
    totals = json.loads(report.read_text("utf-8"))["totals"]
    return {"statements": totals["num_statements"], "branches": totals["num_branches"]}


def main() -> int:
    started = time.monotonic()
    done = subprocess.run([sys.executable, ROOT / "examples/simplejson/demo.py"], check=False)
    seconds = time.monotonic() - started
    run: dict[str, Any] = json.loads((PROJECT / ".lift/run.json").read_text("utf-8"))
    tests = passing()
    alive = survivors_of_sabotage(tests)
    sources = list((PROJECT / "simplejson").glob("*.py"))
    files = sorted(p.name for p in (PROJECT / "tests").rglob("test_*.py"))
    result = {
        "bench": "demo",
        "status": done.returncode,
        "outcome": run["outcome"],
        "iterations": run["iterations"],
        "tests": run["tests"],
        "functions": len(tests),
        **measured(),
        "line_percent": run["line_percent"],
        "branch_percent": run["branch_percent"],
        "requirements": run["requirements"],
        "seconds_to_coverage": seconds_to_coverage(run["history"]),
        "lift_seconds": run["seconds"],
        "seconds_beyond_limit": round(max(0.0, run["seconds"] - LIMIT), 1),
        "demo_seconds": round(seconds, 1),
        "fail_under_sabotage_percent": round(100 * (1 - len(alive) / max(len(tests), 1)), 1),
        "orders_passed": f"{passes_in_other_orders()} of {ORDERS}",
        "test_files": len(files),
        "source_files": len(sources),
        "load_average": os.getloadavg()[0],
    }
    print("\nstill pass under sabotage:", *sorted(alive) or ["none"], sep="\n  ")
    print("test files:", ", ".join(files))
    for key, value in result.items():
        print(f"{key:>28}  {value}")
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
