"""`make bench-marking`: real suites, marked by script: the trace has to equal the script's truth.

Each suite is fetched from PyPI, marked at random (functions, classes, modules, rows of tables,
properties, a marker of its own, unknown ids) and run in order and by two processes. What the
report, junit.xml and `pytest-lift check` say is compared with what the script wrote where.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from marked.comparing import Comparison, places_of, read_json
from marked.edits import nested
from marked.inserting import Marker
from marked.packages import ASYNCIO, PACKAGES, Package, environment, fetched
from marked.truth import Expected, Module, Row, Suite
from marked.wording import FOREIGN, RECORDED, Wording

SHOWN = 12
KEPT = {
    name: value
    for name, value in os.environ.items()
    if name not in ("CI", "PYTEST_ADDOPTS", "GITHUB_STEP_SUMMARY", "VIRTUAL_ENV")
}


@dataclass
class Measurement:
    """One package: the marked suite, and what differed."""

    package: Package
    root: Path
    python: Path
    seed: int
    kinds: Counter[str] = field(default_factory=Counter)
    ids: tuple[str, ...] = ()
    unknown: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    def mark(self) -> Suite:
        """Rewrite the test files, the requirements beside them."""
        modules = []
        for place in sorted(self._files()):
            path = place.relative_to(self.root).as_posix()
            random = Random(f"{self.seed} {self.package.name} {path}")
            text = place.read_bytes().decode()
            wording = Wording(random, self.ids, self.unknown, self.kinds)
            marker = Marker(text, wording)
            after = marker.marked()
            place.write_bytes(after.encode())
            self.texts[path] = after

            modules.append(Module(path, ast.parse(after), marker.claims))
        return Suite(modules)

    def nest(self) -> None:
        """Some classes into classes of their own; what pytest then collects is the suite."""
        texts = {place: place.read_bytes().decode() for place in self._files()}
        for place, text in texts.items():
            others = "\n".join(other for name, other in texts.items() if name != place)
            after, done = nested(text, others)
            self.kinds["nested class"] += len(done)
            place.write_bytes(after.encode())

    def state(self, count: int) -> Path:
        """A requirement file with `count` ids of several shapes."""
        shapes = ("REQ-{}", "SRS.{}.2", "auth/login/{}", "net:{}", "größe-{}", "{}", "a[{}]")
        self.ids = tuple(shapes[i % len(shapes)].format(i) for i in range(count))
        items = [
            {"id": name, "title": f"Title {name}", "description": "It does.", "acceptance": ["It."]}
            for name in self.ids
        ]
        path = self.root / "reqs.yml"
        path.write_text(json.dumps(items, ensure_ascii=False), "utf-8")
        return path

    def collected(self) -> list[Row]:
        place = self.root.parent / "collected.json"
        place.unlink(missing_ok=True)
        done = self._pytest("--collect-only", probe=place)
        if not place.exists() or " error" in done.stdout.rpartition("\n\n")[2]:
            raise SystemExit(f"{self.package.name}: nothing collected\n{done.stdout[-3000:]}")
        return [Row(**one) for one in read_json(place)]

    def run(self, name: str, *options: str) -> tuple[dict[str, Any], Path]:
        """(report, junit.xml) of a session with these options."""
        report, junit = (self.root.parent / f"{name}.{end}" for end in ("json", "xml"))
        done = self._pytest(
            "--requirements=reqs.yml",
            *(f"--lift-marker={FOREIGN}", f"--lift-property={RECORDED}"),
            *(f"--lift-report=json:{report}", f"--junit-xml={junit}", *options),
        )
        if not report.exists():
            raise SystemExit(f"{self.package.name}: no report\n{done.stdout[-3000:]}{done.stderr}")
        return read_json(report), junit

    def check(self) -> dict[str, Any]:
        command = "import sys; from pytest_lift.cli import main; sys.exit(main())"
        words = ["check", "--requirements", "reqs.yml", "--format", "json"]
        done = subprocess.run(
            [str(self.python), "-c", command, *words],
            cwd=self.root,
            env=KEPT | self.environ,
            capture_output=True,
            text=True,
        )
        try:
            data: dict[str, Any] = json.loads(done.stdout)
        except ValueError:
            raise SystemExit(f"{self.package.name}: {done.stdout}{done.stderr}") from None
        return data

    @property
    def environ(self) -> dict[str, str]:
        return {"LIFT_MARKER": FOREIGN, "LIFT_PROPERTY": RECORDED}

    def _pytest(self, *options: str, probe: Path | None = None) -> subprocess.CompletedProcess[str]:
        command = [str(self.python), "-m", "pytest", "-q", "--tb=no", "-p", "marked.probe"]
        command += ["-p", "no:randomly", "-p", "no:cacheprovider"]
        if ASYNCIO not in self.package.needs:  # where it is not configured, it warns
            command += ["-p", "no:asyncio"]
        folders = (str(Path(__file__).parent), str(self.root / "src"), str(self.root))
        environ = {**KEPT, "PYTHONPATH": os.pathsep.join(folders), "PYTHONDONTWRITEBYTECODE": "1"}
        if probe:
            environ["MARKING_PROBE"] = str(probe)
        return subprocess.run(
            [*command, *options],
            cwd=self.root,
            env=environ,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=900,
        )

    def _files(self) -> list[Path]:
        folder = self.root / self.package.tests
        if self.package.only:
            for place in folder.rglob("test_*.py"):
                if place.relative_to(folder).as_posix() not in self.package.only:
                    place.unlink()
        found = [*folder.rglob("test_*.py"), *folder.rglob("*_test.py")]
        bases = [p for p in folder.rglob("__init__.py") if b"def test_" in p.read_bytes()]
        return sorted({*found, *bases})


def tried(package: Package, folder: Path, python: Path, seed: int) -> dict[str, Any]:
    """Mark, run, compare."""
    started = time.monotonic()
    trial = Measurement(package, fetched(package, folder), python, seed)
    trial.nest()
    before = trial.collected()
    trial.state(max(12, len({row.function for row in before}) // 2))
    suite = trial.mark()
    rows = trial.collected()
    if [row.node for row in rows] != [row.node for row in before]:
        gone = sorted({row.node for row in before} ^ {row.node for row in rows})
        raise SystemExit(f"{package.name}: the marks changed what is collected: {gone[:SHOWN]}")
    truth = {row.node: suite.expected(row) for row in rows}
    comparison = Comparison(rows, truth, set(trial.ids))
    serial, serial_xml = trial.run("serial")
    spread, spread_xml = trial.run("xdist", "-n2")
    found = {
        "serial": [*comparison.of_report(serial)],
        "xdist": [*comparison.of_report(spread)],
        "junit": [
            *comparison.of_junit(serial_xml, serial),
            *comparison.of_junit(spread_xml, spread),
        ],
        "static": [*comparison.of_static(trial.root, trial.environ)],
        "check": [
            *comparison.of_check(trial.check(), places_of(trial.texts, trial.unknown), serial)
        ],
    }
    if len([*comparison.of_report(_damaged(serial))]) <= len(found["serial"]):
        raise SystemExit(f"{package.name}: a link that is taken away is not noticed")
    for name, lines in found.items():
        for line in lines[:SHOWN]:
            print(f"  {package.name} {name}: {line}", flush=True)
    return {**_figures(trial, rows, truth, comparison), **{k: len(v) for k, v in found.items()},
            "seconds": round(time.monotonic() - started, 1)}  # fmt: skip


def _damaged(report: dict[str, Any]) -> dict[str, Any]:
    """The report without one id of one test: what a comparison has to see."""
    test = next(
        one for one in report["tests"] if one["requirements"] and one["outcome"] == "passed"
    )
    others = [one for one in report["tests"] if one is not test]
    less = {**test, "requirements": test["requirements"][1:]}
    return {**report, "tests": [*others, less]}


def _figures(
    trial: Measurement, rows: Sequence[Row], truth: dict[str, Expected], comparison: Comparison
) -> dict[str, Any]:
    named = [one.marked | one.recorded for one in truth.values()]
    return {
        "package": trial.package.name,
        "shows": trial.package.shown,
        "tests": len(rows),
        "functions": len(comparison.functions),
        "linked": sum(map(bool, named)),
        "inherited": sum(not one.stands_here for one in truth.values()),
        "undecided": len(comparison.uncertain),
        "ids": len(set().union(*named)),
        "unknown": len(set().union(*named) - comparison.known),
        "kinds": dict(sorted(trial.kinds.items())),
    }


COLUMNS = ("tests", "functions", "linked", "inherited", "undecided", "ids", "unknown")
FOUND = ("serial", "xdist", "junit", "static", "check")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="*", help="only those whose names begin so")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="folder for the marked suites")
    options = parser.parse_args()
    chosen = [
        package
        for package in PACKAGES
        if not options.packages or package.name.startswith(tuple(options.packages))
    ]
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = options.keep or Path(name)
        python = environment(Path(name, "env"), chosen)
        for package in chosen:
            place = folder / package.name.partition("==")[0]
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(parents=True)
            rows.append(tried(package, place, python, options.seed))
    print_table(rows)
    wrong = sum(row[name] for row in rows for name in FOUND)
    data = {"bench": "marking", "seed": options.seed, "mismatches": wrong, "rows": rows}
    print(json.dumps({**data, "load_average": os.getloadavg()[0]}))
    return bool(wrong)


def print_table(rows: Sequence[dict[str, Any]]) -> None:
    head = "".join(f"{name:>10}" for name in (*COLUMNS, *FOUND, "s"))
    print(f"{'package':<24}{head}  (serial ... check: mismatches)")
    for row in rows:
        cells = "".join(f"{row[name]:>10}" for name in (*COLUMNS, *FOUND, "seconds"))
        print(f"{row['package']:<24}{cells}  {row['shows']}")
    kinds: Counter[str] = Counter()
    for row in rows:
        kinds.update(row["kinds"])
    print("kinds: " + ", ".join(f"{name} {count}" for name, count in kinds.most_common()))


if __name__ == "__main__":
    sys.exit(main())
