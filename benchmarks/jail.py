"""`make bench-jail`: what a jail costs one run, in CPU time, by tier.

The same command is run bare (a plain child process) and in each tier, interleaved in random
order; CPU time is that of all processes on both sides, supervisor and lift included. What a run
costs is measured with a child that does nothing; what a run of two seconds costs with one that
waits so long while the supervisor looks ten times a second, as a share of 2 s; what the filter of
system calls costs with one that makes 100,000. A suite that computes is run as well: its own time
differs by more from run to run than a jail could add. Other work on the machine only adds: the
figure is the difference of the lower quartiles, `noise` that of the two halves of the bare runs.
"""

from __future__ import annotations

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

ROUNDS = {"nothing": 150, "2 s": 12, "calls": 20, "suite": 12}
ALLOWED_MS, ALLOWED_PERCENT = 30.0, 3.0

SUITE = """
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


def ways(folder: Path, command: list[str], tiers: list[str]) -> dict[str, Callable[[], None]]:
    """Name -> how `command` is run."""
    scratch = folder / "scratch"
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


def measured(command: list[str], tiers: list[str], rounds: int) -> dict[str, list[float]]:
    """Way -> CPU milliseconds of each round."""
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "suite").mkdir()
        (folder / "suite/test_it.py").write_text(SUITE)
        known = ways(folder, command, tiers)
        for turn in range(rounds + 1):
            for way in random.sample(list(known), len(known)):
                taken = cpu_of(known[way])
                if turn:  # the first turn reads everything from the disk
                    found.setdefault(way, []).append(taken)
    return found


def quartile(values: list[float]) -> float:
    return statistics.quantiles(values, n=4)[0]


def row(work: str, way: str, seen: dict[str, list[float]]) -> dict[str, object]:
    bare = seen["bare"]
    more = quartile(seen[way]) - quartile(bare)
    return {
        "work": work,
        "tier": way,
        "bare_ms": round(quartile(bare), 1),
        "more_ms": round(more, 1),
        "percent": round(100 * more / (2000 if work == "2 s" else quartile(bare)), 2),
        "noise_ms": round(abs(quartile(bare[::2]) - quartile(bare[1::2])), 1),
    }


def main() -> int:
    working = working_tiers()
    tiers = [*(tier for tier, why in working.items() if not why), "off"]
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"]
    python = [sys.executable, "-I", "-S", "-c"]
    commands = {
        "nothing": [*python, "pass"],
        "2 s": [*python, "import time; time.sleep(2)"],
        "calls": [*python, "import os\nfor _ in range(100_000): os.getppid()"],
        "suite": pytest,
    }
    rows: list[dict[str, object]] = []
    print(f"{'work':>8} {'tier':>11} {'bare ms':>9} {'more ms':>8} {'percent':>8} {'noise ms':>9}")
    for work, command in commands.items():
        seen = measured(command, tiers, ROUNDS[work])
        for tier in tiers:
            one = row(work, tier, seen)
            rows.append(one)
            told = [str(one[name]) for name in ("bare_ms", "more_ms", "percent", "noise_ms")]
            print(f"{work:>8} {tier:>11} {told[0]:>9} {told[1]:>8} {told[2]:>8} {told[3]:>9}")
    missed = [
        one
        for one in rows
        if (one["work"] == "nothing" and float(str(one["more_ms"])) > ALLOWED_MS)
        or (one["work"] == "2 s" and float(str(one["percent"])) > ALLOWED_PERCENT)
    ]
    print(
        json.dumps(
            {
                "bench": "jail",
                "rounds": ROUNDS,
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
