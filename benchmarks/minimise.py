"""`make bench-minimise`: a generated suite, doubled by near-copies, then minimised.

The offline lift writes a suite; every test of it is copied (under another name, with other local
names, with statements in another order, with another literal that changes no branch), and the
copies count as the tool's own. Minimising has to take at least 45 % of the tests away; branches,
lines, requirements and, where they are measured, detected mutants stay.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from duplicates import KINDS, Planted, candidates, plant

from pytest_lift.coverage.database import read_coverage
from pytest_lift.measure.measurement import Measurement
from pytest_lift.mutation.mutation import Mutation, Sample
from pytest_lift.mutation.mutator import Mutator
from pytest_lift.project.discovery import find_program
from pytest_lift.redundancy.merging import merge_alike
from pytest_lift.redundancy.minimising import losses, minimise
from pytest_lift.requirements.reader import load
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.run.run_suite import run_suite
from pytest_lift.sandbox.jail import Jail, python_reads
from pytest_lift.sandbox.probe import choose
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import to_bytes
from pytest_lift.suite.suite import Suite, read_suite
from pytest_lift.trace.trace import trace_run

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "examples/simplejson"))
BAR = 45.0
MINUTES = 1.2
KEPT = {k: v for k, v in os.environ.items() if k not in ("CI", "PYTEST_ADDOPTS")}

Mutate = Callable[[Measurement], Mutation | None]


def unmeasured(trial: Measurement) -> Mutation | None:
    """While the suite is being made, nobody asks for mutants."""
    return None


def measuring(root: Path, program: Program, scratch: Path, jail: Jail, share: float) -> Mutate:
    """A sample of the mutants, the same for every suite."""
    mutator = Mutator(scratch / "mutation", root, jail, ("tests",), sample=Sample(share))
    return lambda trial: mutator.measure(trial.suite, program, trial.contradicting | trial.broken)


@dataclass
class Place:
    """The lifted project, and how its suite is measured."""

    root: Path
    program: Program
    requirements: Requirements
    scratch: Path
    jail: Jail
    mutate: Mutate = unmeasured
    runs: int = 0

    def measure(self, suite: Suite) -> Measurement:
        for old in (self.root / suite.root).rglob("*.py"):
            if old.relative_to(self.root).as_posix() not in suite.files:
                old.unlink()
        for path, text in suite.texts().items():
            (self.root / path).write_bytes(to_bytes(text))
        self.runs += 1
        run = run_suite(
            self.root,
            self.program,
            test_root=suite.root,
            reports=self.scratch / f"reports{self.runs}",
            scratch=self.scratch,
            seconds=600,
            jail=self.jail,
        )
        if run.reports is None:
            raise SystemExit(f"{run.ending} {run.detail}\n{run.output[-3000:]}")
        coverage = read_coverage(run.reports, self.program, self.root)
        trace = trace_run(self.requirements, run, suite)
        trial = Measurement(suite, run, coverage, trace)
        return Measurement(suite, run, coverage, trace, self.mutate(trial))


def lifted(minutes: float) -> Path:
    """simplejson with a suite that the offline lift wrote."""
    from demo import PROJECT, prepare  # type: ignore[attr-defined]

    prepare()
    command = [sys.executable, "-m", "pytest", "--lift", "--requirements", "requirements.yml"]
    command += [f"--lift-max-minutes={minutes}", "--lift-output=land"]
    subprocess.run(command, cwd=PROJECT, env=KEPT, check=False)
    return Path(PROJECT)


def doubled(generated: Measurement, place: Place, random: Random) -> tuple[Suite, Counter[str]]:
    """With one near-copy of each test that passes and takes what its original takes; tests of
    contradictions, which nobody may take away, are not copied."""
    suite = generated.suite
    owned = [test.node for test in suite.owned_tests()]
    nodes = [node for node in owned if node not in generated.contradicting]
    made = list(candidates(suite, nodes, random))
    trial = place.measure(plant(suite, made))
    taken = _taken(trial)
    fitting = [
        one
        for one in made
        if one.node in trial.passing and taken.get(one.node) == taken.get(one.original)
    ]
    chosen = _spread(fitting, random)
    return plant(suite, chosen), Counter(one.kind for one in chosen)


def _taken(trial: Measurement) -> dict[str, frozenset[Any]]:
    found: dict[str, frozenset[Any]] = {}
    for node, branches in trial.coverage.by_test.items():
        function = node.partition("[")[0]
        found[function] = found.get(function, frozenset()) | branches
    return found


def _spread(fitting: Iterable[Planted], random: Random) -> list[Planted]:
    """One of each original, the kinds as even as can be."""
    by_original: dict[str, list[Planted]] = {}
    for one in fitting:
        by_original.setdefault(one.original, []).append(one)
    used: Counter[str] = Counter()
    chosen = []
    for copies in sorted(by_original.values(), key=len):
        one = min(copies, key=lambda copy: (used[copy.kind], KINDS.index(copy.kind)))
        used[one.kind] += 1
        chosen.append(one)
    random.shuffle(chosen)
    return chosen


def figures(trial: Measurement) -> dict[str, Any]:
    numbers = trial.figures
    return {
        "functions": len(list(trial.suite.tests())),
        "tests": numbers.tests,
        "branches": trial.coverage.covered_branches,
        "lines": trial.coverage.covered_statements,
        "verified": numbers.verified,
        "touched": numbers.touched,
        "detected": numbers.detected if trial.mutation is not None else None,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mutants", type=float, default=0.2, help="share that is measured")
    parser.add_argument("--project", type=Path, help="a lifted simplejson that is there already")
    options = parser.parse_args()
    root = options.project or lifted(options.minutes)
    with tempfile.TemporaryDirectory() as scratch:
        requirements = load([root / "requirements.yml"])
        jail = choose("auto", Jail("auto", reads=(*python_reads(root), root)))
        place = Place(root, find_program(root), requirements, Path(scratch), jail)
        original = read_suite(root, "tests")
        generated = place.measure(original)
        suite, kinds = doubled(generated, place, Random(options.seed))
        if options.mutants:
            place.mutate = measuring(root, place.program, Path(scratch), jail, options.mutants)
        before = place.measure(suite)
        runs, started = place.runs, time.monotonic()
        after = minimise(before, place.measure, losses)
        seconds, measured = time.monotonic() - started, place.runs - runs
        merged = place.measure(after.suite.apply(merge_alike(after.suite)))
        place.mutate = unmeasured
        place.measure(original)
    steps = {"generated": generated, "doubled": before, "minimised": after, "merged": merged}
    rows = {name: figures(trial) for name, trial in steps.items()}
    fewer = 100 * (1 - rows["minimised"]["functions"] / rows["doubled"]["functions"])
    lost = [*losses(before, after), *_lost_by_merging(after, merged)]
    print(f"\n{'suite':<11}" + "".join(f"{name:>11}" for name in rows["doubled"]))
    for name, row in rows.items():
        print(f"{name:<11}" + "".join(f"{value!s:>11}" for value in row.values()))
    data = {
        "bench": "minimise", "kinds": dict(kinds), "fewer_percent": round(fewer, 1), "bar": BAR,
        "lost": lost, "measurements": measured, "seconds": round(seconds, 1), **rows,
    }  # fmt: skip
    print(json.dumps({**data, "load_average": os.getloadavg()[0]}))
    return int(fewer < BAR or bool(lost))


def _lost_by_merging(before: Measurement, after: Measurement) -> list[str]:
    told = list(losses(before, after))
    if len(before.run.results) != len(after.run.results):
        told.append(f"{len(before.run.results)} rows before, {len(after.run.results)} after")
    return told


if __name__ == "__main__":
    sys.exit(main())
