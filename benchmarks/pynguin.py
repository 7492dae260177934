"""`make bench-pynguin`: Pynguin 0.48 beside the offline lift, the same wall time for each.

Pynguin has an environment of its own (it needs pytest below 9) and gets one module after another,
its share of the time each; what it writes is measured as what the lift writes is: in plain pytest,
under coverage.py, over all of the package.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from sdists import KEPT, environ, environment, sdist
from untested import Plan, Row, install, lifted, measured, without_tests

from pytest_lift.project.discovery import find_program

PINS = ("pynguin==0.48.0", "pytest<9", "coverage")
PACKAGES = "inflection,semver,python-slugify,tomli,thefuzz,humanize,jmespath,toolz,more-itertools"
LEAST = 2
"""Seconds of search that a module gets at least."""
WRITTEN = "tests_of_pynguin"


@dataclass(frozen=True)
class Pair:
    """Both results for one package."""

    package: str
    ours: Row
    theirs: Row
    seconds_to_theirs: float | None
    """After how many seconds the lift covers as many branches; None if never."""

    @property
    def passes(self) -> bool:
        """Whether Pynguin gives tests, all of which pass."""
        return bool(self.theirs.tests) and not self.theirs.failing

    @property
    def times_faster(self) -> float | None:
        seconds = self.seconds_to_theirs
        return None if seconds is None else round(self.theirs.seconds / max(seconds, 0.1), 1)


def pair(package: str, seconds: float) -> Pair | None:
    with tempfile.TemporaryDirectory(prefix="pynguin-") as made:
        folder = Path(made)
        (folder / "fetched").mkdir()
        root = sdist(package, folder / "fetched")
        python = environment(root, folder, "") if root is not None else None
        if root is None or python is None:
            return None
        install(root, python)
        without_tests(root)
        theirs = pynguin(package, root, folder, seconds)
        ours = lifted(Row(package, "known", 1), root, python, Plan(seconds, (1,)))
        reached = [s for s, branches in ours.curve if branches >= theirs.branch_percent]
        return Pair(package, ours, theirs, reached[0] if reached else None)


def pynguin(package: str, root: Path, folder: Path, seconds: float) -> Row:
    """Runs Pynguin on each module, and measures its tests."""
    subprocess.run([sys.executable, "-m", "venv", str(folder / "theirs")], check=True)
    python = folder / "theirs/bin/python"
    pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, *PINS, "-e", str(root)], check=True, capture_output=True)
    program = find_program(root)
    modules = [file.module for file in program.files.values() if not file.error]
    share = max(LEAST, int(seconds / len(modules)))
    output = root / WRITTEN
    output.mkdir()
    top = root / (program.import_roots[0] if program.import_roots else "")
    began = time.monotonic()
    for module in modules:
        command = [str(python.parent / "pynguin"), "--project-path", str(top), "--seed", "1"]
        command += ["--module-name", module, "--output-path", str(output)]
        command += ["--maximum-search-time", str(share)]
        try:
            subprocess.run(
                command, cwd=root, env={**KEPT, "PYNGUIN_DANGER_AWARE": "1"}, check=False,
                capture_output=True, stdin=subprocess.DEVNULL, timeout=60 + 6 * share,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            continue
    row = Row(package, "pynguin", 1, seconds=round(time.monotonic() - began, 1))
    env = {**environ(python), "PYTHONPATH": str(top)}
    row = measured(row, root, python, env, program.names, WRITTEN)
    for path in output.glob("*"):
        path.unlink()
    output.rmdir()
    return row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--names", default=PACKAGES)
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    pairs = [p for name in options.names.split(",") if (p := pair(name, options.seconds))]
    head = "lines / branches, tests, failing, seconds"
    print(
        f"\n{'package':>16} {head + ': lift':>48} {'Pynguin':>34} {'to as much':>11} times faster"
    )
    for one in pairs:
        told = (
            f"{row.line_percent} / {row.branch_percent}, {row.tests}, {row.failing}, {row.seconds}"
            for row in (one.ours, one.theirs)
        )
        ours, theirs = told
        print(f"{one.package:>16} {ours:>48} {theirs:>34} {one.seconds_to_theirs!s:>11} "
              f"{one.times_faster!s:>13}")  # fmt: skip
    behind = [
        p.package for p in pairs if p.passes and p.ours.branch_percent < p.theirs.branch_percent
    ]
    faster = [p.times_faster or 0.0 for p in pairs if p.passes]
    figures = {
        "bench": "pynguin",
        "seconds": options.seconds,
        "packages": len(pairs),
        "behind": behind,
        "least_times_faster": min(faster, default=None),
        "load_average": os.getloadavg()[0],
        "rows": [{**asdict(p), "times_faster": p.times_faster} for p in pairs],
    }
    print(json.dumps(figures))
    return int(bool(behind))


if __name__ == "__main__":
    sys.exit(main())
