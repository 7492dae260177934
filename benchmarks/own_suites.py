"""`make bench-own_suites`: packages drawn from `world.txt`, lifted with their own tests.

For each: how the lift ended, whether its limit held, what of the package's own tests newly fails in
a plain pytest without the plugin, whether all that landed passes there, and what else changed.
`ARGS="--draw 12 --seed 1 --minutes 2"` or `ARGS="--names schedule,cachetools"`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from sdists import drawn, environ, environment, sdist

TOP = Path(__file__).resolve().parents[1]
LONGEST_SUITE = 300.0
"""Seconds that the package's own tests may take; slower ones are passed over."""
CAUSED = re.compile(r"__pycache__|\.egg-info|\.pytest_cache|\.lift/|\.coverage|\.pyc$|\.hypothesis")


@dataclass
class Row:
    """What became of one package."""

    package: str
    kind: str
    skipped: str = ""
    outcome: str = ""
    tests: tuple[int, int] = (0, 0)
    line_percent: tuple[float, float] = (0.0, 0.0)
    branch_percent: tuple[float, float] = (0.0, 0.0)
    own_seconds: float = 0.0
    lift_seconds: float = 0.0
    limit_held: bool = False
    traceback: bool = False
    newly_failing: list[str] = field(default_factory=list)
    landed_failing: list[str] = field(default_factory=list)
    """Tests that landed and do not pass in a plain run."""
    changed: list[str] = field(default_factory=list)
    """Files outside the test folder that are not what they were."""

    @property
    def good(self) -> bool:
        ended = self.outcome not in ("failed", "no outcome")
        wrong = (
            not ended or self.traceback or self.newly_failing or self.landed_failing or self.changed
        )
        return self.limit_held and not wrong


def lifted(kind: str, name: str, minutes: float, folder: Path) -> Row:
    row = Row(name, kind)
    root = sdist(name, folder)
    if root is None:
        row.skipped = "no sdist to be had"
        return row
    if not any(root.rglob("test*.py")):
        row.skipped = "no tests in its sdist"
        return row
    python = environment(root, folder)
    if python is None:
        row.skipped = "it cannot be installed"
        return row
    before = _plain(python, root)
    if before is None or not before[1]:
        row.skipped = "its own tests do not run here, or take too long"
        return row
    failing, passing, row.own_seconds = before
    files = _files(root)
    command = [str(python), "-m", "pytest", "--lift", f"--lift-max-minutes={minutes}"]
    began = time.monotonic()
    done = subprocess.run(
        [*command, "--lift-output=land", "-q"],
        cwd=root, env=environ(python), capture_output=True, text=True, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    row.lift_seconds = round(time.monotonic() - began, 1)
    row.limit_held = row.lift_seconds <= 66 * minutes + row.own_seconds
    told = done.stdout[done.stdout.rfind("= lift =") :] + done.stderr
    row.traceback = "Traceback (most recent" in told or "INTERNALERROR" in done.stdout
    print(f"\n--- {name} ({kind})\n{told[-2500:]}", flush=True)
    _read_outcome(root, row)
    after = _plain(python, root)
    if after is None:
        row.newly_failing = ["(the suite does not run any more)"]
        return row
    known = failing | passing
    row.newly_failing = sorted(after[0] & passing | (passing - after[0] - after[1]))[:20]
    row.landed_failing = sorted(after[0] - known)[:20]
    row.changed = sorted(path for path, told in _files(root).items() if files.get(path) != told)[
        :20
    ]
    return row


def _read_outcome(root: Path, row: Row) -> None:
    try:
        run = json.loads((root / ".lift/run.json").read_text("utf-8"))
    except (OSError, ValueError):
        row.outcome = "no outcome"
        return
    first = run["history"][0]["figures"] if run["history"] else run
    row.outcome = run["outcome"]
    row.tests = first["tests"], run["tests"]
    row.line_percent = first["line_percent"], run["line_percent"]
    row.branch_percent = first["branch_percent"], run["branch_percent"]


def _plain(python: Path, root: Path) -> tuple[set[str], set[str], float] | None:
    """(failing, passing, seconds) of a plain `pytest` without the plugin; None if it takes too
    long."""
    command = [str(python.parent / "pytest"), "-p", "no:lift", "-p", "no:cacheprovider", "-rA"]
    began = time.monotonic()
    try:
        done = subprocess.run(
            [*command, "--tb=no", "-q"], cwd=root, env=environ(python), capture_output=True,
            text=True, timeout=LONGEST_SUITE, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    found = {
        word: set(re.findall(rf"^{word} (\S+)", done.stdout, re.MULTILINE))
        for word in ("FAILED", "ERROR", "PASSED")
    }
    seconds = round(time.monotonic() - began, 1)
    return found["FAILED"] | found["ERROR"], found["PASSED"], seconds


def _files(root: Path) -> dict[str, str]:
    """Path -> hash of the files outside test folders that no run of pytest makes."""
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in root.rglob("*")
        if path.is_file() and not CAUSED.search(path.relative_to(root).as_posix())
        if not {"tests", "test", "testing"} & {*path.relative_to(root).parts}
    }


def _print_head() -> None:
    print(f"\n{'package':>20} {'outcome':>11} {'tests':>12} {'lines':>10} {'branches':>10} "
          f"{'own s':>6} {'lift s':>7} {'limit':>5}  wrong")  # fmt: skip


def _print(row: Row) -> None:
    if row.skipped:
        print(f"{row.package:>20} {row.skipped}", flush=True)
        return
    lines, branches = (f"{a:.0f} -> {b:.0f}" for a, b in (row.line_percent, row.branch_percent))
    wrong = [name for name in ("traceback", "newly_failing", "landed_failing", "changed")
             if getattr(row, name)]  # fmt: skip
    print(f"{row.package:>20} {row.outcome:>11} {row.tests[0]:>4} -> {row.tests[1]:<4} "
          f"{lines:>10} {branches:>10} {row.own_seconds:>6} {row.lift_seconds:>7} "
          f"{'held' if row.limit_held else 'over':>5}  {', '.join(wrong)}", flush=True)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draw", type=int, default=12)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--names", default="")
    options = parser.parse_args()
    named = [("named", name) for name in options.names.split(",") if name]
    rows: list[Row] = []
    for kind, name in named or drawn(options.seed):
        with tempfile.TemporaryDirectory(prefix="own-") as folder:
            rows.append(lifted(kind, name, options.minutes, Path(folder)))
        _print(rows[-1])
        if not named and sum(not row.skipped for row in rows) >= options.draw:
            break
    _print_head()
    for row in rows:
        _print(row)
    tried = [row for row in rows if not row.skipped]
    figures = {
        "bench": "own_suites",
        "seed": None if named else options.seed,
        "minutes": options.minutes,
        "packages": len(tried),
        "good": sum(row.good for row in tried),
        "tracebacks": sum(row.traceback for row in tried),
        "newly_failing": sum(len(row.newly_failing) for row in tried),
        "landed_failing": sum(len(row.landed_failing) for row in tried),
        "limits_held": sum(row.limit_held for row in tried),
        "load_average": os.getloadavg()[0],
        "rows": [asdict(row) for row in rows],
    }
    print(json.dumps(figures))
    return int(figures["good"] != len(tried))


if __name__ == "__main__":
    sys.exit(main())
