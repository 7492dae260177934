"""`make bench-slow_suites`: mutants on suites that take seconds to a minute, beside plain mutmut.

Six packages from PyPI with their own tests. The engine of a lift and mutmut as its documentation
has it each have the same time; of both the mutants count that tests were run against. mutmut begins
with the mutants whose tests are quickest, a lift with a random sample of all, whose share is worth
telling: so mutmut has the same time a second time, for the mutants of that sample, and the bar is
held against that. `--names a,b` chooses packages, `--seconds N` says how long each has (150).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from known_lines import known_lines
from marked import packages as pypi

from pytest_lift.errors import LiftError
from pytest_lift.mutation.inside.steering import STARTED
from pytest_lift.mutation.mutation import LEAST_MUTANTS, Mutation
from pytest_lift.mutation.mutator import Mutator
from pytest_lift.project.discovery import find_program
from pytest_lift.project.ini_files import find_ini_file
from pytest_lift.run.pytest_options import inner_addopts
from pytest_lift.run.workspace import Workspace
from pytest_lift.sandbox.jail import Jail, python_reads
from pytest_lift.sandbox.probe import choose
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import read_suite

SECONDS, LONGEST_SUITE = 150.0, 300.0
UNTESTED = (5, 33)
"""What mutmut stores of mutants that no test executes: nothing is run for them."""
QUIET = ("-p", "no:asyncio", "-p", "no:xdist")


@dataclass(frozen=True)
class Slow:
    """A package, and the test files that are left out: what they need is not here."""

    package: pypi.Package
    without: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.package.name.partition("==")[0]


SUBJECTS = (
    Slow(pypi.Package("transitions==0.9.3", "tests", ("six", "mock", "dill", "parameterized"),
                      only=("test_core.py", "test_add_remove.py", "test_factory.py",
                            "test_async.py", "test_graphviz.py", "test_pygraphviz.py",
                            "test_mermaid.py", "test_nesting.py", "test_reuse.py"))),
    Slow(pypi.Package("intervaltree==3.2.1", "test")),
    Slow(pypi.Package("more-itertools==11.2.1", "tests")),
    Slow(pypi.Package("python-dateutil==4.0.0", "tests", ("freezegun", "hypothesis"))),
    Slow(pypi.Package("attrs==26.1.0", "tests", ("hypothesis", "cloudpickle")),
         ("test_mypy.yml", "test_pyright.py")),
    Slow(pypi.Package("natsort==8.4.0", "tests", ("hypothesis",))),
)  # fmt: skip


def prepared(subject: Slow, folder: Path) -> Path:
    """The unpacked sdist with the tests that count."""
    folder.mkdir()
    root = pypi.fetched(subject.package, folder)
    for place in (root / subject.package.tests).glob("test_*"):
        only = subject.package.only
        if place.name in subject.without or (only and place.name not in only):
            place.unlink()
    return root


def environ() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "CI"))}
    return {**kept, "PYTEST_ADDOPTS": " ".join(("-p", "no:lift", *QUIET))}


def suite_run(root: Path, program: Program, tests: str) -> tuple[float, list[str]]:
    """Seconds of plain pytest, and the tests that fail in it."""
    roots = os.pathsep.join(str(root / part) for part in program.import_roots)
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rfE", tests],
        cwd=root, env={**environ(), "PYTHONPATH": roots}, capture_output=True, text=True,
        errors="replace", timeout=LONGEST_SUITE, check=False,
    )  # fmt: skip
    if done.returncode not in (0, 1):
        raise SystemExit(f"{root.name}: its tests do not run: {done.stdout[-1500:]}")
    lines = done.stdout.splitlines()
    failing = [x.split(" ")[1] for x in lines if x.startswith(("FAILED ", "ERROR "))]
    return time.monotonic() - began, failing


def plain(
    root: Path,
    program: Program,
    options: list[str],
    tests: str,
    seconds: float,
    keys: Sequence[str] = (),
) -> tuple[int, float] | str:
    """Mutants that mutmut alone ran, of `keys` or of all, and the seconds it had; a text says why
    it ran none."""
    table = {
        "source_paths": list(program.paths),
        "pytest_add_cli_args_test_selection": [tests],
        "pytest_add_cli_args": options,
        "do_not_mutate": [f"{top}/*tests/*" for top in program.paths],
    }
    rows = [f"{name} = {json.dumps(value)}" for name, value in table.items()]
    place = root / "pyproject.toml"
    text = place.read_text("utf-8") if place.is_file() else ""
    place.write_text("\n".join([text, "[tool.mutmut]", *rows, ""]), "utf-8")
    began = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "mutmut", "run", *keys], cwd=root, env=environ(), stdout=output,
            stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            time.sleep(1.0)
        taken = time.monotonic() - began
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        output.seek(0)
        said = output.read().decode("utf-8", "replace")
    number = executed(root)
    return (number, taken) if number else " ".join(said.split())[-400:]


def executed(root: Path) -> int:
    codes: list[int | None] = []
    for meta in (root / "mutants").rglob("*.meta"):
        try:
            codes += json.loads(meta.read_text("utf-8"))["exit_code_by_key"].values()
        except ValueError:
            pass  # it was killed while it wrote
    return sum(code is not None and code not in UNTESTED for code in codes)


class Watch:
    """Notes when so many mutants were begun that the first few have ended."""

    def __init__(self, place: Path) -> None:
        self.place, self.seconds = place, float("inf")
        self._began, self._over = time.monotonic(), threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        enough = LEAST_MUTANTS + len(os.sched_getaffinity(0))
        while not self._over.wait(0.1):
            if self.place.is_file() and self.place.stat().st_size >= enough:
                self.seconds = time.monotonic() - self._began
                return

    def end(self) -> float:
        self._over.set()
        self._thread.join()
        return self.seconds


def ours(root: Path, program: Program, options: list[str], tests: str, seconds: float) -> Any:
    """What the engine of a lift makes of the mutants in that time: (mutation, seconds, when the
    first few were known). Which test executes which line is known from the session before, as in
    a lift. Raises LiftError."""
    jail = choose("auto", Jail("auto", reads=python_reads(root)))
    with Workspace.create(root, program.paths, tests=tests) as workspace:
        inside = jail.inside(root, workspace.root)
        addopts = inner_addopts([*options, *own_options(root)])
        lines = known_lines(workspace.root, workspace.scratch, program, tests, addopts, inside)
        scratch = workspace.scratch / "mutation"
        mutator = Mutator(
            scratch, workspace.root, inside, (tests,), addopts, seconds, last=True
        )  # fmt: skip
        watch = Watch(scratch / "project/kills" / STARTED)
        began = time.monotonic()
        try:
            suite = read_suite(workspace.root, tests)
            found = mutator.measure(suite, program, lines=lambda: lines)
        finally:
            first = watch.end()
        return found, time.monotonic() - began, first


def own_options(root: Path) -> list[str]:
    """The package's own options for pytest, and the file in which they stand."""
    _, ini = find_ini_file(root)
    if ini is None or not ini.path.is_relative_to(root):
        return []
    return [*ini.words("addopts"), "-c", ini.path.relative_to(root).as_posix()]


def tried(subject: Slow, folder: Path, seconds: float) -> dict[str, Any]:
    """One row: figures, or what went wrong."""
    root = next(iter((folder / subject.name).iterdir()))
    program, tests = find_program(root), subject.package.tests
    run, failing = suite_run(root, program, tests)
    options = [*QUIET, *(word for node in failing for word in ("--deselect", node))]
    row: dict[str, Any] = {"package": subject.package.name, "suite_seconds": round(run, 1)}
    shutil.copytree(root, root.with_name("quickest"))
    shutil.copytree(root, root.with_name("same"))
    row["plain_per_minute"] = rate(
        row, plain(root.with_name("quickest"), program, options, tests, seconds)
    )
    try:
        found, taken, first = ours(root, program, options, tests, seconds)
    except LiftError as error:
        return row | {"per_minute": 0.0, "ratio": 0.0, "figure": False, "error": str(error)[:400]}
    same = run_keys(found)
    row["same_per_minute"] = rate(
        row, plain(root.with_name("same"), program, options, tests, seconds, same)
    )
    return row | told(found, taken, first, row["same_per_minute"])


def rate(row: dict[str, Any], theirs: tuple[int, float] | str) -> float:
    """Mutants a minute; why there are none goes into the row."""
    if isinstance(theirs, str):
        row["plain"] = theirs
        return 0.0
    return round(60 * theirs[0] / theirs[1], 1)


def run_keys(found: Mutation) -> list[str]:
    """Mutants that tests were run against."""
    verdicts = found.verdicts.items()
    return sorted(key for key, verdict in verdicts if verdict not in ("untested", "excluded"))


def told(found: Mutation, taken: float, first: float, theirs: float) -> dict[str, Any]:
    per_minute, interval = 60 * len(run_keys(found)) / taken, found.interval
    return {
        "seconds": round(taken, 1),
        "per_minute": round(per_minute, 1),
        "ratio": round(per_minute / theirs, 2) if theirs else 99.0,
        "first_figure": round(first, 1) if first < 1e6 else None,
        "percent": None if found.percent is None else round(found.percent, 1),
        "interval": interval and [round(interval.low, 1), round(interval.high, 1)],
        "figure": found.percent is not None and (interval is not None or not found.sampled),
        "notes": list(found.notes),
    }


COLUMNS = (
    "suite_seconds", "plain_per_minute", "same_per_minute", "per_minute", "ratio", "first_figure",
    "percent",
)  # fmt: skip


def print_row(row: dict[str, Any]) -> None:
    cells = "".join(f"{row.get(name)!s:>18}" for name in COLUMNS)
    print(f"{row['package']:<24}{cells}  {row.get('interval') or ''}")
    for name in ("error", "plain"):
        if name in row:
            print(f"    {name}: {row[name]}")
    for note in row.get("notes", ()):
        print(f"    {note[:160]}")
    sys.stdout.flush()


def main(folder: Path, names: list[str], seconds: float) -> int:
    started, load = time.monotonic(), os.getloadavg()[0]
    print(f"{'package':<24}" + "".join(f"{name:>18}" for name in COLUMNS) + "  interval")
    rows = []
    for subject in chosen(names):
        rows.append(tried(subject, folder, seconds))
        print_row(rows[-1])
    figures = {
        "bench": "slow_suites",
        "rows": rows,
        "least_ratio": min(row["ratio"] for row in rows),
        "without_figure": sum(not row["figure"] for row in rows),
        "latest_first_figure": max(row.get("first_figure") or 1e6 for row in rows),
        "seconds_each": seconds,
        "seconds": round(time.monotonic() - started),
        "load_average": [load, os.getloadavg()[0]],
    }
    print(json.dumps(figures))
    missed = figures["least_ratio"] < 1 or figures["without_figure"]
    return int(bool(missed or figures["latest_first_figure"] > 60))


def chosen(names: list[str]) -> list[Slow]:
    found = [subject for subject in SUBJECTS if not names or subject.name in names]
    if not found:
        raise SystemExit(f"none of these: {', '.join(one.name for one in SUBJECTS)}")
    return found


def in_own_environment(names: list[str], seconds: float) -> int:
    """The same in an environment that has what the tests need."""
    with tempfile.TemporaryDirectory() as name:
        packages = Path(name, "packages")
        packages.mkdir()
        for subject in chosen(names):
            prepared(subject, packages / subject.name)
        python = pypi.environment(Path(name, "env"), [one.package for one in chosen(names)])
        command = [str(python), __file__, "--inside", str(packages), "--names", ",".join(names)]
        return subprocess.run([*command, "--seconds", str(seconds)], check=False).returncode


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--names", default="", help="packages, separated by commas")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--inside", type=Path)
    asked = parser.parse_args()
    wanted = [name for name in asked.names.split(",") if name]
    if asked.inside:
        sys.exit(main(asked.inside, wanted, asked.seconds))
    sys.exit(in_own_environment(wanted, asked.seconds))
