"""`make bench-hostile_candidates`: candidates that spoil a suite or fake its figures, in a lift.

Each is proposed to a real lift (gate, settling, ratchet, mutants on) that has accepted one and the
same suite before. What it lands is measured from scratch: each mutant written into the sources, and
plain pytest run on them: nothing there tells a test that it is being measured. Exit status 1 if
tests that pass, lines, branches, verified requirements or mutants are fewer than before. `faked`
are mutants that the lift was made to believe in. Arguments choose candidates by parts of their
names.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hostile.candidates import Candidate, candidates
from hostile.plainly import plainly_noticed, written
from hostile.shop import BASE, FILE, MINE, PRICES, REQUIREMENTS

from pytest_lift.agents.contract import Agents, Brief
from pytest_lift.agents.offline.evaluator import evaluator
from pytest_lift.evolve.beginning import begin
from pytest_lift.evolve.iteration import Iteration
from pytest_lift.evolve.loop import iteration
from pytest_lift.evolve.publisher import IterationLog, Publisher
from pytest_lift.evolve.setup import Setup
from pytest_lift.evolve.state import State
from pytest_lift.measure.fault_measurer import FaultMeasurer
from pytest_lift.measure.measurement import Measurement
from pytest_lift.measure.suite_measurer import SuiteMeasurer
from pytest_lift.mutation.mutation import Mutant
from pytest_lift.mutation.mutator import Mutator
from pytest_lift.run.workspace import Compiler, Workspace
from pytest_lift.sandbox.jail import Jail, python_reads
from pytest_lift.sandbox.probe import choose
from pytest_lift.sensitivity.measuring import Examiner
from pytest_lift.source.program import read_program
from pytest_lift.store.history import History
from pytest_lift.suite.collection import DEFAULT_NAMING
from pytest_lift.suite.suite import Edit, read_suite


@dataclass(frozen=True)
class Figures:
    """What a suite is worth, as sets: nothing in them may get lost."""

    passing: frozenset[str]
    covered: frozenset[Any]
    verified: frozenset[str]
    mutants: frozenset[str]

    def lost(self, after: Figures) -> list[str]:
        return [
            f"{len(gone)} {name}: {', '.join(sorted(map(str, gone))[:3])}"
            for name in ("passing", "covered", "verified", "mutants")
            if (gone := getattr(self, name) - getattr(after, name))
        ]


@dataclass
class Row:
    """What became of one candidate."""

    candidate: Candidate
    how: str
    """``gate`` (nothing of it was let through), ``refused`` (settling, ratchet), ``accepted``."""
    why: str
    lost: list[str] = field(default_factory=list)
    faked: int = 0
    seconds: float = 0.0


class Configured:
    """Takes pytest's configuration, as a lift has it."""

    config: pytest.Config

    def pytest_configure(self, config: pytest.Config) -> None:
        self.config = config


def bench_in(workspace: Workspace, project: Path) -> SuiteMeasurer:
    """As `evolve` makes it."""
    jail = choose("auto", Jail("auto", reads=python_reads(project)))
    jail = jail.inside(project, workspace.root)
    configured = Configured()
    pytest.main(["--collect-only", "-p", "no:terminal", str(project)], plugins=[configured])
    compiler = Compiler(configured.config, DEFAULT_NAMING)
    program = read_program(workspace.root, ("shop",), ("",), "")
    return SuiteMeasurer(workspace, program, REQUIREMENTS, jail, compiler, everything=("tests",))


def fresh_mutator(bench: SuiteMeasurer) -> Mutator:
    """That knows nothing yet, in a folder of its own."""
    folder = Path(tempfile.mkdtemp(prefix="mutation-", dir=bench.workspace.scratch))
    return Mutator(folder, bench.workspace.root, bench.jail, ("tests",))


@dataclass
class Proposing:
    """A generator of one edit; each candidate is proposed to the suite alone."""

    files: dict[str, str | None] = field(default_factory=lambda: {FILE: BASE})

    def generator(self, brief: Brief) -> Edit:
        return Edit(self.files)


def after_one(setup: Setup, state: State) -> State:
    """The state after one iteration."""
    for latest in iteration(setup, state):
        state = latest
    return state


def row_of(candidate: Candidate, base: State, state: State, done: Iteration) -> Row:
    """The fate of a candidate, in a word and in the words of the history."""
    untouched = state.accepted.suite.files == base.accepted.suite.files
    how = "accepted" if done.accepted else "refused"
    if untouched and done.why in ("every change was refused", "no change proposed"):
        how = "gate"
    why = done.why + "".join(f"; without {t}: {w}" for t, w in done.dropped.items())
    return Row(candidate, how, why)


@dataclass
class Measuring:
    """Holds what is landed against the suite that was there before."""

    folder: Path
    rows: list[Row] = field(default_factory=list)
    base: Figures | None = None
    known: dict[str, Mutant] = field(default_factory=dict)
    _noticed: dict[str, frozenset[str]] = field(default_factory=dict)

    def told(self, trial: Measurement, row: Row | None) -> None:
        if row is None:
            assert trial.mutation is not None
            self.known = dict(trial.mutation.mutants)
            self.base = self._figures(trial)
            fakes = trial.mutation.detected - self.base.mutants
            noticed = f"{len(self.base.mutants)} of {len(self.known)} mutants, {len(fakes)} faked"
            told = f"{len(self.base.passing)} tests, {len(self.base.verified)} verified, {noticed}"
            print(f"before: {told}", flush=True)
            return
        assert self.base is not None
        now = self._figures(trial)
        row.lost = self.base.lost(now)
        claimed = trial.mutation.detected if trial.mutation else frozenset()
        row.faked = len(claimed - now.mutants)
        self.rows.append(row)
        one = row.candidate
        told = f"{one.kind}: {one.name}: {row.how} ({row.seconds} s): {row.why[:150]}"
        print(told, *(f"  LOST {what}" for what in row.lost), sep="\n", flush=True)
        if row.faked:
            print(f"  {row.faked} mutants faked", flush=True)

    def _figures(self, trial: Measurement) -> Figures:
        texts = dict(trial.suite.texts())
        mark = json.dumps(texts, sort_keys=True)
        if mark not in self._noticed:
            place = self.folder / str(len(self._noticed))
            self._noticed[mark] = plainly_noticed(place, PRICES, texts, self.known)
        covered = trial.coverage.covered()
        lines = {(path, n) for path, f in trial.coverage.files.items() for n in f.executed}
        return Figures(
            frozenset(node for node, r in trial.run.results.items() if r.outcome == "passed"),
            frozenset(covered | lines),
            frozenset(trial.trace.with_status("verified")),
            self._noticed[mark],
        )


def run(chosen: list[Candidate], folder: Path) -> list[Row]:
    project = folder / "project"
    written(project, {"shop/__init__.py": "", "shop/prices.py": PRICES, "tests/test_mine.py": MINE})
    measuring = Measuring(folder / "plainly")
    proposing = Proposing()
    with Workspace.create(project, ("shop",), tests="tests") as workspace:
        bench = bench_in(workspace, project)
        suite = read_suite(project, "tests")
        keeper = Publisher(project, bench, History.open(project).start_run(), suite, landing=False)
        agents = Agents("hostile", proposing.generator, evaluator, evaluator)
        examiner = Examiner(workspace.root, workspace.scratch, bench.jail, REQUIREMENTS)
        faults = FaultMeasurer(bench, fresh_mutator(bench), examiner)
        log = IterationLog(keeper, None, lambda phase, iteration: None)
        setup = Setup(faults, agents, log)
        base = after_one(setup, begin(setup, suite))
        assert log.iterations[-1].accepted, log.iterations[-1]
        measuring.told(base.accepted, None)
        for candidate in chosen:
            proposing.files, began = candidate.files, time.monotonic()
            state = after_one(setup, base)
            row = row_of(candidate, base, state, log.iterations[-1])
            row.seconds = round(time.monotonic() - began, 1)
            measuring.told(state.accepted, row)
            if faults.mutator is None:  # a candidate has brought it to an end
                faults.mutator = fresh_mutator(bench)
    return measuring.rows


def main() -> int:
    started = time.monotonic()
    parts = sys.argv[1:] or [""]
    chosen = [c for c in candidates() if any(part in f"{c.kind}: {c.name}" for part in parts)]
    with tempfile.TemporaryDirectory() as name:
        rows = run(chosen, Path(name))
    kinds = list(dict.fromkeys(row.candidate.kind for row in rows))
    counts = {k: Counter(r.how for r in rows if r.candidate.kind == k) for k in kinds}
    print(
        f"{'kind':<32}{'all':>5}{'gate':>6}{'refused':>9}{'accepted':>10}{'worse':>7}{'faking':>8}"
    )
    for kind in kinds:
        of_kind = [row for row in rows if row.candidate.kind == kind]
        worse, faking = sum(bool(r.lost) for r in of_kind), sum(bool(r.faked) for r in of_kind)
        by = counts[kind]
        print(f"{kind:<32}{len(of_kind):>5}{by['gate']:>6}{by['refused']:>9}{by['accepted']:>10}"
              f"{worse:>7}{faking:>8}")  # fmt: skip
    worse_ones = [f"{r.candidate.kind}: {r.candidate.name}" for r in rows if r.lost]
    figures = {
        "bench": "hostile_candidates",
        "candidates": len(rows),
        **{how: sum(row.how == how for row in rows) for how in ("gate", "refused", "accepted")},
        "worse": worse_ones,
        "faking": [f"{r.candidate.kind}: {r.candidate.name}" for r in rows if r.faked],
        "seconds": round(time.monotonic() - started),
    }
    print(json.dumps(figures))
    return bool(worse_ones)


if __name__ == "__main__":
    sys.exit(main())
