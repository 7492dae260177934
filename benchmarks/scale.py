"""What a lift adds to pytest's own run on a large suite: 5,000 tests, 1.5 million branches taken.

Generates a program and a suite, runs it once as an iteration does, and then, in a process of
its own, reads the record, measures, traces and archives. The bar: these together take less than
10 s and 500 MB. Prints a table, and as its last line one JSON object.

    PYTHONPATH=src python benchmarks/scale.py [--files 100] [--tests 50] [--synthetic]

With ``--synthetic`` pytest is left out: coverage.db and the events are written directly. It is
also what happens when the run takes longer than `PATIENCE`.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from coverage import Coverage as CoveragePy
from coverage import CoverageData

from pytest_lift.run.events import SessionEvents, run_from_events
from pytest_lift.run.result import Run
from pytest_lift.run.run_suite import run_suite
from pytest_lift.sandbox.jail import Jail, python_reads
from pytest_lift.sandbox.probe import choose
from pytest_lift.source.program import Program, read_program

MODULES, FUNCTIONS, CONDITIONS = 20, 60, 10
CALLS = 30
"""Functions that a test calls; each call takes `CONDITIONS` branches."""
PATIENCE = 300.0
RECORD = "record.jsonl"
T = TypeVar("T")
BAR_SECONDS, BAR_MEGABYTES = 10.0, 500.0
BAR_ARCHIVE_MEGABYTES = 5.0


def main() -> None:
    told = arguments()
    if told.measure:
        print(json.dumps(measure_all(told.measure)))
        return
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        generate(base, told.files, told.tests)
        seconds = None if told.synthetic else run_pytest(base)
        if seconds is None:
            synthesise(base, told.files, told.tests)
        command = [sys.executable, __file__, "--measure", folder]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        print_figures({"pytest": seconds, **json.loads(done.stdout)})


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--tests", type=int, default=50, help="per file")
    parser.add_argument("--synthetic", action="store_true")
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


# What is measured on


def generate(base: Path, files: int, tests: int) -> None:
    package = base / "project/src/big"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    for number in range(MODULES):
        (package / f"m{number}.py").write_text(module_text())
    root = base / "project/tests"
    root.mkdir()
    for number in range(files):
        (root / f"test_{number}.py").write_text(test_text(number, tests))
    items = [
        f"- {{id: R-{n}, title: t{n}, description: about f{n}, acceptance: it is}}"
        for n in range(files)
    ]
    (base / "requirements.yml").write_text("\n".join(items))


def module_text() -> str:
    lines = []
    for number in range(FUNCTIONS):
        lines += [f"def f{number}(bits):", "    total = 0"]
        for bit in range(CONDITIONS):
            lines += [f"    if bits & {1 << bit}:", f"        total += {bit}"]
        lines += ["    return total", ""]
    return "\n".join(lines)


def test_text(number: int, tests: int) -> str:
    head = ["import pytest", "import importlib", ""]
    head += ["def call(module, function, bits):"]
    head += ["    return getattr(importlib.import_module(f'big.m{module}'), f'f{function}')(bits)"]
    body = []
    for index in range(tests):
        body += ["", "", f"@pytest.mark.req('R-{number}')", f"def test_{index}():"]
        body += [f'    """What f{index} adds up to."""']
        # One assertion: rewriting 150,000 of them would be what takes the time.
        rows = [(*called, sum_of(called[2])) for called in calls_of(number, index)]
        body += [f"    for module, function, bits, total in {rows}:"]
        body += ["        assert call(module, function, bits) == total"]
    return "\n".join(head + body) + "\n"


def calls_of(number: int, index: int) -> Iterator[tuple[int, int, int]]:
    source = random.Random(number * 1000 + index)
    for place in source.sample(range(MODULES * FUNCTIONS), CALLS):
        yield place // FUNCTIONS, place % FUNCTIONS, source.randrange(1 << CONDITIONS)


def sum_of(bits: int) -> int:
    return sum(bit for bit in range(CONDITIONS) if bits >> bit & 1)


def program_of(base: Path) -> Program:
    return read_program(base / "project", ("src/big",), ("src",), "generated")


class KeptEvents(SessionEvents):
    """The events of a session, which are read as they come, kept to be read once more."""

    def __init__(self) -> None:
        super().__init__()
        self.record: list[Mapping[str, Any]] = []

    def take(self, event: Mapping[str, Any]) -> None:
        self.record.append(event)
        super().take(event)


def run_pytest(base: Path) -> float | None:
    """Seconds of the whole pytest process, or None when it took longer than `PATIENCE`."""
    session = KeptEvents()
    run = run_suite(
        base / "project",
        program_of(base),
        test_root="tests",
        reports=base / "reports",
        scratch=base / "scratch",
        seconds=PATIENCE,
        jail=choose("auto", Jail("auto", reads=python_reads(base))),
        session=session,
    )
    if run.ending == "timed-out":
        return None
    assert run.ending == "passed", run.output
    lines = (json.dumps(event) + "\n" for event in session.record)
    (base / RECORD).write_text("".join(lines), "utf-8")
    return run.seconds


def synthesise(base: Path, files: int, tests: int) -> None:
    """coverage.db, coverage.json and the record as a run would have left them."""
    print("(the run is left out: its data are written through coverage's own API)")
    (base / "reports").mkdir(exist_ok=True)
    database = base / "reports/coverage.db"
    database.unlink(missing_ok=True)
    data = CoverageData(str(database))
    names = [f"{base.resolve()}/project/src/big/m{n}.py" for n in range(MODULES)]
    with (base / RECORD).open("w") as record:
        for number in range(files):
            for index in range(tests):
                node = f"tests/test_{number}.py::test_{index}"
                data.set_context(f"{node}|run")
                data.add_arcs(arcs_of(number, index, names))
                record.writelines(json.dumps(e) + "\n" for e in events_of(node, number))
        record.write(json.dumps({"event": "finish", "status": 0}) + "\n")
    data.write()
    report = CoveragePy(data_file=str(database), branch=True, config_file=False)
    report.load()
    report.json_report(outfile=str(base / "reports/coverage.json"))


def arcs_of(number: int, index: int, names: list[str]) -> dict[str, set[tuple[int, int]]]:
    arcs: dict[str, set[tuple[int, int]]] = {}
    for module, function, bits in calls_of(number, index):
        first = function * (CONDITIONS * 2 + 4) + 1
        path = [-first, first + 1]
        for bit in range(CONDITIONS):
            path += [first + 2 + 2 * bit] + [first + 3 + 2 * bit] * (bits >> bit & 1)
        path += [first + 2 + 2 * CONDITIONS, -first]
        arcs.setdefault(names[module], set()).update(pairwise(path))
    return arcs


def events_of(node: str, number: int) -> Iterator[dict[str, Any]]:
    claims = {"requirements": [f"R-{number}"], "emergent": None, "doc": "What it adds up to."}
    plain = {"outcome": "passed", "seconds": 0.01, "reason": "", "output": "", "subtest": None}
    yield {"event": "begin", "node": node}
    yield {"event": "phase", "node": node, "when": "setup", **plain, **claims}
    yield {"event": "phase", "node": node, "when": "call", **plain}
    yield {"event": "phase", "node": node, "when": "teardown", **plain}
    yield {"event": "end", "node": node}


# What is measured


def measure_all(base: Path) -> dict[str, Any]:
    """Seconds per step, and the peak of this process in megabytes."""
    from pytest_lift.coverage.database import read_coverage
    from pytest_lift.requirements.reader import load
    from pytest_lift.store.history import History
    from pytest_lift.suite.suite import read_suite
    from pytest_lift.trace.trace import trace_run

    base, project = base.resolve(), base.resolve() / "project"
    steps: dict[str, float] = {}
    program = program_of(base)
    requirements = load([base / "requirements.yml"])
    suite = read_suite(project, "tests")
    run = timed(steps, "fold", lambda: fold(base / RECORD))
    reports = base / "reports"
    coverage = timed(steps, "measure", lambda: read_coverage(reports, program, project))
    timed(steps, "trace", lambda: trace_run(requirements, run, suite))
    history = History.open(project).start_run()
    stored = timed(steps, "archive", lambda: history.archive(0, suite=suite, reports=reports))
    size = sum(path.stat().st_size for path in stored.rglob("*") if path.is_file())
    pairs = sum(len(taken) for taken in coverage.by_test.values())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "tests": len(run.results),
        "pairs": pairs,
        "steps": steps,
        "peak_mb": round(peak),
        "archive_mb": round(size / 2**20, 2),
    }


def fold(record: Path) -> Run:
    with record.open() as lines:
        return run_from_events(json.loads(line) for line in lines)


def timed(steps: dict[str, float], name: str, step: Callable[[], T]) -> T:
    started = time.perf_counter()
    value = step()
    steps[name] = round(time.perf_counter() - started, 2)
    return value


def print_figures(figures: dict[str, Any]) -> None:
    total = round(sum(figures["steps"].values()), 2)
    met = total < BAR_SECONDS and figures["peak_mb"] < BAR_MEGABYTES
    met = met and figures["archive_mb"] < BAR_ARCHIVE_MEGABYTES
    run = "left out" if figures["pytest"] is None else f"{figures['pytest']:.1f} s"
    print(f"{figures['tests']} tests, {figures['pairs']:,} branches taken by tests")
    print(f"  {'pytest itself':<16}{run:>12}")
    for name, seconds in figures["steps"].items():
        print(f"  {name:<16}{seconds:>10.2f} s")
    print(f"  {'together':<16}{total:>10.2f} s   (bar: {BAR_SECONDS:.0f} s)")
    print(f"  {'peak memory':<16}{figures['peak_mb']:>9} MB   (bar: {BAR_MEGABYTES:.0f} MB)")
    print(f"  {'archive':<16}{figures['archive_mb']:>9} MB   (bar: {BAR_ARCHIVE_MEGABYTES:.0f} MB)")
    print(json.dumps({"benchmark": "scale", **figures, "seconds": total, "met": met}))


if __name__ == "__main__":
    main()
