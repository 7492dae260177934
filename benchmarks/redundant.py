"""`make bench-redundant`: near-duplicates planted into real suites: how many of them are found?

For each package and seed: copies of the humans' own tests (under another name, with another
literal that changes no branch, with statements in another order, with other local names) are put
below them and the suite is run. What is called a near-duplicate among the humans' own tests is
printed, to be looked at.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from duplicates import KINDS, Planted, candidates, plant
from marked.packages import Package, environment, fetched

from pytest_lift.coverage.database import read_coverage
from pytest_lift.measure.measurement import Measurement
from pytest_lift.project.discovery import find_program
from pytest_lift.redundancy.redundancy import DROPPABLE, find_redundancy
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.run.run_suite import run_suite
from pytest_lift.sandbox.jail import Jail, python_reads
from pytest_lift.sandbox.probe import choose
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import to_bytes
from pytest_lift.suite.suite import Suite, read_suite
from pytest_lift.trace.trace import trace_run

PACKAGES = (
    Package("cachetools==8.0.0", "tests", (), "unittest, tests of mixins"),
    Package("toolz==1.2.0", "toolz/tests", (), "tests in the package"),
    Package("tabulate==0.9.0", "test", (), "tables of text"),
    Package("humanize==4.17.0", "tests", ("freezegun",), "tables"),
    Package("itsdangerous==2.2.0", "tests", ("freezegun",), "inherited tests"),
)
DUPLICATES = 30
TRIED = 90
"""Tests of which copies are made, of which those are planted that pass and take what they took."""
SHOWN = 10
BAR = 95.0


@dataclass
class Place:
    """One unpacked package and how its suite is measured."""

    root: Path
    tests: str
    program: Program
    python: Path
    scratch: Path
    runs: int = 0

    def measure(self, suite: Suite) -> Measurement:
        for path, text in suite.texts().items():
            (self.root / path).write_bytes(to_bytes(text))
        self.runs += 1
        run = run_suite(
            self.root,
            self.program,
            test_root=self.tests,
            reports=self.scratch / f"reports{self.runs}",
            scratch=self.scratch,
            seconds=900,
            jail=self._jail(),
            python=str(self.python),
            addopts=("-p", "no:randomly"),
        )
        if run.reports is None:
            raise SystemExit(f"{self.root.name}: {run.ending} {run.detail}\n{run.output[-2000:]}")
        coverage = read_coverage(run.reports, self.program, self.root)
        return Measurement(suite, run, coverage, trace_run(Requirements(), run, suite))

    def _jail(self) -> Jail:
        reads = (*python_reads(self.root), self.python.parent.parent, self.root)
        return choose("auto", Jail("auto", reads=reads))


def tried(place: Place, suite: Suite, before: Measurement, seed: int) -> dict[str, Any]:
    """Plant `DUPLICATES` and look for them."""
    random = Random(f"{seed} {place.root.name}")
    twins = find_redundancy(before).twins
    able = [
        node
        for node, adds in find_redundancy(before).contributions.items()
        if adds.seen and node not in twins
    ]
    chosen = random.sample(able, min(TRIED, len(able)))
    made = [one for one in candidates(suite, chosen, random) if suite.function(one.node) is None]
    fitting = _fitting(place.measure(plant(suite, made)), made)
    planted = _drawn(fitting, random)
    redundancy = find_redundancy(place.measure(plant(suite, planted)))
    missed = [one for one in planted if not _is_found(one, redundancy.groups)]
    place.measure(suite)
    return {
        "seed": seed,
        "planted": len(planted),
        "kinds": dict(Counter(one.kind for one in planted)),
        "found": len(planted) - len(missed),
        "missed": [f"{one.kind}: {one.node}" for one in missed],
        "as": dict(Counter(t.likeness for t in redundancy.twins.values())),
    }


def _fitting(trial: Measurement, made: list[Planted]) -> list[Planted]:
    """Copies that pass and take exactly the branches of their original."""
    taken: dict[str, frozenset[Any]] = {}
    for node, branches in trial.coverage.by_test.items():
        function = node.partition("[")[0]
        taken[function] = taken.get(function, frozenset()) | branches
    return [
        one
        for one in made
        if one.node in trial.passing
        and one.original in trial.passing
        and taken.get(one.node, frozenset()) == taken.get(one.original, frozenset())
    ]


def _drawn(fitting: list[Planted], random: Random) -> list[Planted]:
    """As many of each kind as there are, one for each original."""
    random.shuffle(fitting)
    drawn: dict[str, Planted] = {}
    pools = [[one for one in fitting if one.kind == kind] for kind in KINDS]
    while len(drawn) < DUPLICATES and any(pools):
        for pool in pools:
            while pool and len(drawn) < DUPLICATES:
                one = pool.pop()
                if drawn.setdefault(one.original, one) is one:
                    break
    return list(drawn.values())


def _is_found(one: Planted, groups: Any) -> bool:
    return any({one.node, one.original} <= set(group.tests) for group in groups)


def of_package(package: Package, folder: Path, python: Path, seeds: int) -> dict[str, Any]:
    started = time.monotonic()
    root = fetched(package, folder)
    (root / ".lift").mkdir()
    program = find_program(root)
    place = Place(root, package.tests, program, python, folder / "scratch")
    suite = read_suite(root, package.tests)
    before = place.measure(suite)
    own = find_redundancy(before)
    rows = [tried(place, suite, before, seed) for seed in range(seeds)]
    kinds = Counter(twin.likeness for twin in own.twins.values())
    print(f"\n{package.name}: {len(own.twins)} of the humans' own are called near-duplicates:")
    print("  " + (", ".join(f"{name} {count}" for name, count in kinds.items()) or "none"))
    closest = sorted(own.twins.values(), key=lambda twin: twin.likeness not in DROPPABLE)
    for twin in closest[:SHOWN]:
        print(f"  {twin.test} {own.why(twin.test)}", flush=True)
    for row in rows:
        for line in row["missed"]:
            print(f"  missed, seed {row['seed']}: {line}")
    return {
        "package": package.name,
        "functions": len(own.contributions),
        "own_twins": len(own.twins),
        "own_likeness": dict(kinds),
        "own_redundant": len(own.redundant),
        "planted": sum(row["planted"] for row in rows),
        "found": sum(row["found"] for row in rows),
        "kinds": dict(sum((Counter(row["kinds"]) for row in rows), Counter())),
        "seconds": round(time.monotonic() - started, 1),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="*", help="only those whose names begin so")
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()
    names = tuple(options.packages)
    chosen = [p for p in PACKAGES if not names or p.name.startswith(names)]
    rows = []
    with tempfile.TemporaryDirectory() as name:
        python = environment(Path(name, "env"), chosen)
        for package in chosen:
            folder = Path(name, package.name.partition("==")[0])
            folder.mkdir()
            rows.append(of_package(package, folder, python, options.seeds))
    columns = ("functions", "planted", "found", "own_twins", "own_redundant", "seconds")
    print(f"\n{'package':<24}" + "".join(f"{name:>14}" for name in columns))
    for row in rows:
        print(f"{row['package']:<24}" + "".join(f"{row[name]:>14}" for name in columns))
    planted, found = (sum(row[key] for row in rows) for key in ("planted", "found"))
    percent = 100.0 * found / planted if planted else 0.0
    data = {"bench": "redundant", "found_percent": round(percent, 2), "bar": BAR, "rows": rows}
    print(json.dumps({**data, "load_average": os.getloadavg()[0]}))
    return int(percent < BAR)


if __name__ == "__main__":
    sys.exit(main())
