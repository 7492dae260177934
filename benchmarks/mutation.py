"""`make bench-mutation`: mutants of simplejson with its own suite, by mutmut alone and through us.

Verdicts have to be the same, but for functions that only an import calls: mutmut counts these for
its first test, here no test executes them. Processor time is told as a ratio in one run. Then two
tests are added, and the increment is held against a full run.
`--quick` measures the modules `errors` and `scanner` only.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from sdists import fetched

from pytest_lift.coverage.coverage import Lines
from pytest_lift.coverage.database import read_coverage, read_lines
from pytest_lift.mutation.mutation import DETECTED, Mutation, Verdict
from pytest_lift.mutation.mutator import Mutator
from pytest_lift.mutation.mutmut.results import VERDICTS
from pytest_lift.run.run_suite import run_suite
from pytest_lift.sandbox.jail import Jail, python_reads
from pytest_lift.sandbox.probe import choose
from pytest_lift.source.program import read_program
from pytest_lift.suite.suite import read_suite

PACKAGE, TESTS = "simplejson==3.20.1", "simplejson/tests"
QUICK = ("errors", "scanner")
BARS = {"ratio": 0.70, "increment": 0.08}
CONFIG = """\
[tool.mutmut]
source_paths = ["simplejson"]
only_mutate = {only}
do_not_mutate = ["simplejson/tests/*"]
pytest_add_cli_args_test_selection = ["simplejson/tests"]
"""
TWO_TESTS = """\
import simplejson
from simplejson.errors import errmsg, linecol


def test_linecol_of_later_lines():
    assert linecol("ab\\ncd\\nef", 4) == (2, 2)
    assert linecol("ab\\ncd\\nef", 7) == (3, 2)


def test_errmsg_with_an_end():
    assert errmsg("Bad", "abc", 1, 2) == "Bad: line 1 column 2 - line 1 column 3 (char 1 - 2)"
"""


def processor() -> float:
    """Seconds of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def plain(root: Path, only: list[str], folder: Path) -> tuple[dict[str, Verdict], float]:
    """mutmut as its documentation has it, in a copy of the package."""
    copy = folder / "plain"
    shutil.copytree(root, copy)
    (copy / "setup.cfg").unlink(missing_ok=True)
    (copy / "pyproject.toml").write_text(CONFIG.format(only=json.dumps(only)), "utf-8")
    environ = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    before = processor()
    command = [sys.executable, "-m", "mutmut", "run"]
    done = subprocess.run(command, cwd=copy, env=environ, capture_output=True, text=True)
    spent = processor() - before
    if done.returncode:
        raise SystemExit(f"plain mutmut failed: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    found: dict[str, Verdict] = {}
    for place in (copy / "mutants").rglob("*.meta"):
        for key, code in json.loads(place.read_text("utf-8"))["exit_code_by_key"].items():
            found[key] = VERDICTS.get(code, "crashed")
    return found, spent


class Measured:
    """The adapter on a private copy of the package, told by a measured run which test executes
    which line, as in a lift."""

    def __init__(self, root: Path, only: list[str], folder: Path) -> None:
        self.copy = folder / "copy"
        shutil.copytree(root, self.copy)
        filters = f"[tool.mutmut]\nonly_mutate = {json.dumps(only)}\n"
        (self.copy / "pyproject.toml").write_text(filters, "utf-8")
        jail = choose("auto", Jail("auto", reads=python_reads(self.copy)))
        self.jail, self.folder = jail, folder
        self.program = read_program(self.copy, ("simplejson",), ("",), "")
        self.mutator = Mutator(folder / "mutation", self.copy, jail, (TESTS,))

    def measure(self) -> tuple[Mutation, float]:
        before = processor()
        suite = read_suite(self.copy, TESTS)
        found = self.mutator.measure(suite, self.program, lines=self._lines)
        return found, processor() - before

    def _lines(self) -> Lines:
        run = run_suite(
            self.copy,
            self.program,
            test_root=TESTS,
            reports=self.folder / "reports",
            scratch=self.folder / "scratch",
            seconds=600,
            jail=self.jail,
        )
        if run.reports is None:
            raise SystemExit(f"{run.ending} {run.detail}\n{run.output[-2000:]}")
        coverage = read_coverage(run.reports, self.program, self.copy)
        return read_lines(run.reports, coverage, self.copy, run.results)


def differing(one: dict[str, Verdict], other: dict[str, Verdict]) -> list[str]:
    """Mutants that are detected by one only, or that only one calls untested."""

    def told(verdicts: dict[str, Verdict], key: str) -> str:
        found = verdicts.get(key, "missing")
        return "detected" if found in DETECTED else found

    return sorted(k for k in one.keys() | other.keys() if told(one, k) != told(other, k))


AT_IMPORT = """\
import importlib, json, sys

called = set()


def watch(frame, event, _):
    if event == "call":
        called.add(frame.f_globals.get("__name__", "") + "." + frame.f_code.co_name)


sys.setprofile(watch)
for name in sys.argv[1:]:
    importlib.import_module(name)
sys.setprofile(None)
print(json.dumps(sorted(called)))
"""


def called_by_imports(root: Path, modules: set[str]) -> set[str]:
    """Functions that are called while `modules` are imported, as ``module.name``."""
    command = [sys.executable, "-c", AT_IMPORT, *sorted(modules)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def by_imports_only(
    theirs: dict[str, Verdict], ours: dict[str, Verdict], keys: list[str], root: Path
) -> set[str]:
    """Those of `keys` that survive for mutmut and that no test executes here, since an import calls
    their function."""
    silent = {k for k in keys if (theirs.get(k), ours.get(k)) == ("survived", "untested")}
    called = called_by_imports(root, {k.rpartition(".")[0] for k in silent})
    return {k for k in silent if _function(k) in called}


def _function(key: str) -> str:
    """``module.x_name__mutmut_7`` -> ``module.name``, of functions outside of classes."""
    module, _, name = key.rpartition(".")
    return f"{module}.{name.removeprefix('x_').rpartition('__mutmut_')[0]}"


def main() -> int:
    only = [f"simplejson/{name}.py" for name in QUICK] if "--quick" in sys.argv else []
    only = only or ["simplejson/*"]
    load, started = os.getloadavg()[0], time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        root = fetched(PACKAGE, folder)
        theirs, plain_seconds = plain(root, only, folder)
        one = Measured(root, only, folder)
        ours, full_seconds = one.measure()
        (one.copy / TESTS / "test_two_more.py").write_text(TWO_TESTS, "utf-8")
        grown, increment_seconds = one.measure()
        one.mutator.forget()
        anew, again_seconds = one.measure()
        off = differing(theirs, dict(ours.verdicts))
        imported = by_imports_only(theirs, dict(ours.verdicts), off, root)
    rows = [
        ("mutmut alone", theirs, plain_seconds),
        ("through the adapter", dict(ours.verdicts), full_seconds),
        ("two tests added: increment", dict(grown.verdicts), increment_seconds),
        ("two tests added: all anew", dict(anew.verdicts), again_seconds),
    ]
    print(f"{'':<28} {'mutants':>8} {'detected':>9} {'survived':>9} {'untested':>9} {'CPU s':>8}")
    for title, verdicts, seconds in rows:
        counts = Counter(verdicts.values())
        detected = sum(counts[verdict] for verdict in DETECTED)
        print(
            f"{title:<28} {len(verdicts):>8} {detected:>9} {counts['survived']:>9} "
            f"{counts['untested']:>9} {seconds:>8.1f}"
        )
    off = [key for key in off if key not in imported]
    print(f"called by imports only, which mutmut counts for its first test: {len(imported)}")
    off_increment = differing(dict(grown.verdicts), dict(anew.verdicts))
    for key in [*off, *off_increment]:
        print(f"  differs: {key}")
    figures = {
        "bench": "mutation",
        "mutants": len(theirs),
        "killed_and_timed_out_alone": sum(v in DETECTED for v in theirs.values()),
        "differing": len(off),
        "by_imports_only": len(imported),
        "ratio": round(full_seconds / plain_seconds, 3),
        "increment": round(increment_seconds / full_seconds, 3),
        "newly_detected": len(grown.detected - ours.detected),
        "differing_after_increment": len(off_increment),
        "bars": BARS,
        "seconds": round(time.monotonic() - started),
        "load_average": [load, os.getloadavg()[0]],
    }
    print(json.dumps(figures))
    return bool(off or off_increment)


if __name__ == "__main__":
    sys.exit(main())
