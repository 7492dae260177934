"""`make bench-candidates`: how many calls the offline search tries in a second, and in what memory.

The whole pipeline: arguments drawn, cases written, run in the jail with probes, results read. On
cheap targets of three packages; both processes work at a time, so two idle cores are needed. Then
the same search once more with what the first one remembered.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sdists import fetched

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.knowledge import ProgramKnowledge
from pytest_lift.agents.offline.search.exploring import RunningCalls
from pytest_lift.agents.offline.search.memory import Memory
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.sandbox.jail import Jail, python_reads
from pytest_lift.sandbox.probe import choose
from pytest_lift.sandbox.watch import descendants
from pytest_lift.source.program import read_program
from pytest_lift.source.syntax import collection_seldom
from pytest_lift.suite.suite import suite_of

PACKAGES = {"inflection": "inflection", "semver": "src/semver", "toolz": "toolz"}
CASES = 40_000
SAME = 0.99
"""Share of the probes of one search at which another one is as far."""
REMEMBERED = 12_000
"""Cases of a search, and of the one that goes on from it."""
TICK = os.sysconf("SC_CLK_TCK")
ENDLESS = 10**9


class Meter(threading.Thread):
    """CPU seconds and peak memory of the processes below this one, looked at ten times a second."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.cpu: dict[int, float] = {}
        self.peak: dict[int, int] = {}
        self.most = 0
        self._ended = threading.Event()

    def run(self) -> None:
        while not self._ended.wait(0.1):
            self.look()

    def look(self) -> None:
        held = _resident("self", "VmRSS")
        for pid in descendants(os.getpid()):
            try:
                words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            self.cpu[pid] = (int(words[11]) + int(words[12])) / TICK
            self.peak[pid] = max(self.peak.get(pid, 0), _resident(pid, "VmHWM"))
            held += _resident(pid, "VmRSS")
        self.most = max(self.most, held)

    def close(self) -> None:
        self._ended.set()
        self.look()


def _resident(pid: int | str, row: str) -> int:
    """Kilobytes, by a row of the process's status."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{row}:")), 0)


@dataclass(frozen=True)
class Searched:
    """One search: what it took, how it went on, what it remembers."""

    cases: int
    wall: float
    cpu: float
    child_cpu: float
    peak_mb: float
    """Of this process and all below it together."""
    child_peak_mb: float
    """Of the largest process below this one."""
    curve: Sequence[tuple[float, int]]
    """(seconds, probes that were reached by then)."""
    lines: Sequence[str]

    def seconds_to(self, probes: int) -> float:
        """When it had reached so many probes; all its time where it never did."""
        return next((at for at, reached in self.curve if reached >= probes), self.wall)


def searched(brief: Brief, most: int, lines: Sequence[str] = ()) -> Searched:
    """Runs one search; `lines` is what an earlier one remembered."""
    made = ProgramKnowledge(brief)
    made.documented()
    calls = made.known_calls()
    search = ProgramSearch(
        made.prober, made.targets, made.resolver, made.inputs, made.offer, made.rng,
        time.monotonic() + ENDLESS, most, patience=ENDLESS,
    )  # fmt: skip
    memory = Memory(made.program, made.targets)
    recalled = memory.recall(lines)
    search.recall(recalled)
    curve: list[tuple[float, int]] = []
    learn, began, spent = search._learn, time.monotonic(), time.process_time()

    def noted(running: RunningCalls | None) -> int:
        found = learn(running)
        curve.append((time.monotonic() - began, len(search.covered)))
        return found

    search._learn = noted  # type: ignore[method-assign]
    meter = Meter()
    meter.start()
    with collection_seldom():  # as `generator.edit` does
        search.run(calls)
    wall, own = time.monotonic() - began, time.process_time() - spent
    meter.close()
    made.prober.close()
    kept = memory.lines(recalled, search.lasting, (), {})
    child, peak = sum(meter.cpu.values()), max(meter.peak.values()) / 1024
    return Searched(search._tried, wall, own, child, meter.most / 1024, peak, curve, kept)


def measured(package: str, place: str, most: int) -> dict[str, float | str]:
    """The row of one package."""
    with tempfile.TemporaryDirectory(prefix="candidates-") as folder:
        copy = fetched(package, Path(folder))
        program = read_program(copy, (place,), (place.rpartition("/")[0],), "test")
        jail = choose("auto", Jail("auto", reads=python_reads(Path("/no-project"))))
        brief = Brief("initial", 0, copy, jail, program, Requirements(), suite_of("tests", {}))
        brief = replace(brief, deadline=time.monotonic() + ENDLESS)
        found = searched(brief, most)
        first = searched(replace(brief, seed=1), REMEMBERED)
        again = searched(replace(brief, seed=2), REMEMBERED, first.lines)
    goal = math.ceil(SAME * first.curve[-1][1])
    return {
        "package": package,
        "a_second": found.cases / found.wall,
        "a_second_of_cpu": found.cases / (found.cpu + found.child_cpu),
        "us_of_parent": 1e6 * found.cpu / found.cases,
        "us_of_child": 1e6 * found.child_cpu / found.cases,
        "peak_mb": found.peak_mb,
        "child_peak_mb": found.child_peak_mb,
        "remembered_share": again.seconds_to(goal) / first.seconds_to(goal),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=CASES)
    options = parser.parse_args()
    rows = []
    for package, place in PACKAGES.items():
        rows.append(row := measured(package, place, options.cases))
        print(" ".join(f"{k} {v:.4g}" if isinstance(v, float) else str(v) for k, v in row.items()))
    print(json.dumps({"rows": rows, "load": os.getloadavg()[0]}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
