"""`make bench-jail`: what a jail costs one run, in CPU time, by tier.

The same pytest command is run bare (a plain child process) and in each tier, interleaved in
random order; CPU time is that of all processes on both sides, supervisor and lift included. One
suite is a single tiny test, the other computes for about two seconds. Medians of paired
differences: the machine may be doing other work.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from pytest_lift.sandbox.child import Places, run_child
from pytest_lift.sandbox.jail import Jail, python_reads
from pytest_lift.sandbox.probe import working_tiers

ROUNDS = 25
ALLOWED_MS, ALLOWED_PERCENT = 30.0, 3.0

TINY = "def test_tiny():\n    assert 1 + 1 == 2\n"
HEAVY = """
import json
import pytest

@pytest.mark.parametrize("n", range(40))
def test_heavy(n, tmp_path):
    rows = [{"n": n, "values": list(range(200))} for _ in range(60)]
    (tmp_path / "rows").write_text(json.dumps(rows))
    for _ in range(6):
        assert json.loads(json.dumps(rows)) == rows
    assert sum(i * i for i in range(250_000)) > n
"""


def spent() -> float:
    """CPU seconds so far of this process and of all that it has waited for."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def cpu_of(action: Callable[[], None]) -> float:
    before = spent()
    action()
    return 1000 * (spent() - before)


def ways(folder: Path, tiers: list[str]) -> dict[str, Callable[[], None]]:
    """Name -> how the suite in `folder` is run."""
    scratch = folder / "scratch"
    options = ["-q", "-p", "no:cacheprovider", "--lift-seed=0"]
    command = [sys.executable, "-m", "pytest", *options, str(folder / "suite")]
    reads = python_reads(Path("/no-project"))

    def world(jail: Jail) -> dict[str, str]:
        extra = {"PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(scratch / "tmp")}
        return jail.environment(scratch / "home", extra)

    def bare() -> None:
        for name in ("home", "tmp"):
            (scratch / name).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile() as sink:
            subprocess.run(
                command, cwd=folder / "suite", env=world(Jail("off")), stdout=sink, check=True
            )

    def jailed(tier: str) -> None:
        jail = Jail(tier, reads=reads)
        child = run_child(
            command,
            cwd=folder / "suite",
            env=world(jail),
            seconds=60,
            jail=jail,
            places=Places((folder / "suite",), (), scratch, ("home", "tmp")),
        )
        assert child.status == 0, child.output

    return {"bare": bare, **{tier: lambda tier=tier: jailed(tier) for tier in tiers}}  # type: ignore[misc]


def measured(text: str, tiers: list[str], rounds: int) -> dict[str, list[float]]:
    """Way -> CPU milliseconds of each round."""
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "suite").mkdir()
        (folder / "suite/test_it.py").write_text(text)
        known = ways(folder, tiers)
        for turn in range(rounds + 1):
            for way in random.sample(list(known), len(known)):
                taken = cpu_of(known[way])
                if turn:  # the first turn reads everything from the disk
                    found.setdefault(way, []).append(taken)
    return found


def row(suite: str, way: str, seen: dict[str, list[float]]) -> dict[str, object]:
    bare = statistics.median(seen["bare"])
    more = statistics.median(a - b for a, b in zip(seen[way], seen["bare"], strict=True))
    return {
        "suite": suite,
        "tier": way,
        "bare_ms": round(bare, 1),
        "more_ms": round(more, 1),
        "percent": round(100 * more / bare, 2),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    rounds = parser.parse_args().rounds
    working = working_tiers()
    tiers = [*(tier for tier, why in working.items() if not why), "off"]
    rows: list[dict[str, object]] = []
    print(f"{'suite':>6} {'tier':>11} {'bare ms':>9} {'more ms':>9} {'percent':>8}")
    for suite, text in (("tiny", TINY), ("heavy", HEAVY)):
        seen = measured(text, tiers, rounds)
        for tier in tiers:
            one = row(suite, tier, seen)
            rows.append(one)
            print(
                f"{suite:>6} {tier:>11} {one['bare_ms']:>9} {one['more_ms']:>9} {one['percent']:>8}"
            )
    missed = [
        one
        for one in rows
        if (one["suite"] == "tiny" and float(str(one["more_ms"])) > ALLOWED_MS)
        or (one["suite"] == "heavy" and float(str(one["percent"])) > ALLOWED_PERCENT)
    ]
    print(
        json.dumps(
            {
                "bench": "jail",
                "rounds": rounds,
                "rows": rows,
                "not_here": {tier: why for tier, why in working.items() if why},
                "missed": missed,
                "load": os.getloadavg()[0],
            }
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
