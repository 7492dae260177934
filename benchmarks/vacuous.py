"""`make bench-vacuous`: real suites with planted tests that notice nothing: the probe finds these.

Each suite is fetched from PyPI, and tests made from its own by removing, weakening, swallowing or
mocking what they assert are put beside them. Of the planted ones that pass, at least 95 % have to
be called vacuous or over-mocked, of the others at most 2 %; those are printed to be looked at. The
suites that the rules were tuned on and those that were held out are told apart.
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
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from marked.packages import Package, environment, fetched
from planted.planting import PREFIX, Planted, planted_texts, plants
from planted.suites import GROUPS, Group, keep_only

from pytest_lift.project.discovery import find_program
from pytest_lift.run.run_suite import run_suite
from pytest_lift.sandbox.jail import Jail, python_reads
from pytest_lift.sandbox.probe import choose
from pytest_lift.sensitivity.measuring import Strength, measure_strength
from pytest_lift.suite.suite import Edit, Suite, read_suite

SOURCES = {"more-itertools": ["more_itertools"], "python-dateutil": ["dateutil"],
           "attrs": ["attr", "attrs"]}  # fmt: skip
FOUND_BAR, FALSE_BAR = 95.0, 2.0
CALLED = ("vacuous", "over-mocked")
SHOWN = ("package", "tests", "sensitive", "weak", "not-probed", "called", "planted", "found")


def tried(package: Package, root: Path, seed: int, count: int) -> dict[str, Any]:
    """Plant, run as usual, probe, compare."""
    name = package.name.partition("==")[0]
    program = find_program(root, source=SOURCES.get(name, [name]))
    jail = choose("auto", Jail("auto", reads=python_reads(Path("/no-project"))))
    own = suite = read_suite(root, package.tests)
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        known = {"test_root": suite.root, "scratch": scratch, "jail": jail, "seconds": 900.0}
        common: dict[str, Any] = {**known, "reports": scratch / "reports", "measure": False}

        some = [one for one, _ in zip(plants(suite, Random(seed)), range(3 * count), strict=False)]
        written(root, suite, some)
        first = run_suite(root, program, **common)
        passed = {r.function for r in first.results.values() if r.outcome == "passed"}
        bad = {r.function for r in first.results.values() if r.outcome not in ("passed", "skipped")}
        chosen = [one for one in some if one.node in passed - bad][:count]
        suite = written(root, suite, chosen)
        started = time.monotonic()
        plain = run_suite(root, program, **common)
        between = time.monotonic()
        found = measure_strength(suite, program, root, scratch, jail, seconds=1800.0)
        ended = time.monotonic()
        written(root, own, [])  # the next seed plants into the suite as it was
    row = compared(chosen, found)
    return {"package": package.name, "rows": len(plain.results), **row,
            "plain_seconds": round(between - started, 2),
            "probe_seconds": round(ended - between, 2)}  # fmt: skip


def written(root: Path, suite: Suite, chosen: list[Planted]) -> Suite:
    """The suite with the planted tests in it, on disk as well."""
    texts = planted_texts(suite, chosen)
    for path, file in suite.files.items():
        (root / path).write_bytes(texts.get(path, file.text).encode("utf-8", "surrogateescape"))
    return replace(suite.apply(Edit(dict(texts))), owned={})


def compared(chosen: list[Planted], found: dict[str, Strength] | Any) -> dict[str, Any]:
    humans = [one for one in found.values() if PREFIX not in one.test]
    verdicts = Counter(one.verdict for one in humans)
    called = [one for one in humans if one.verdict in CALLED]
    for one in called:
        print(f"  a person's test called {one.verdict}: {one.test}: {one.reason}", flush=True)
    kinds: dict[str, list[int]] = {}
    hits = 0
    for one in chosen:
        strength = found.get(one.node)
        hit = strength is not None and strength.verdict in CALLED
        if not hit:
            said = f"{strength.verdict}: {strength.reason}" if strength else "unseen"
            print(f"  not found ({one.kind}): {one.node}: {said}", flush=True)
        hits += hit
        of_kind = kinds.setdefault(one.kind, [0, 0])
        of_kind[0] += hit
        of_kind[1] += 1
    levels = Counter(str(one.level) for one in humans)
    return {"tests": len(humans), **{k: verdicts[k] for k in ("sensitive", "weak", "not-probed")},
            "called": len(called), "planted": len(chosen), "found": hits, "kinds": kinds,
            "levels": dict(levels)}  # fmt: skip


def told(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """All of them together."""
    total = {
        key: sum(row[key] for row in rows) for key in (*SHOWN[1:], "plain_seconds", "probe_seconds")
    }
    kinds: dict[str, list[int]] = {}
    for row in rows:
        for kind, (hit, done) in row["kinds"].items():
            before = kinds.get(kind, [0, 0])
            kinds[kind] = [before[0] + hit, before[1] + done]
    return {
        "found_percent": _percent(total["found"], total["planted"]),
        "false_percent": _percent(total["called"], total["tests"]),
        "probed_percent": round(100 - _percent(total["not-probed"], total["tests"]), 2),
        "time_ratio": round(total["probe_seconds"] / (total["plain_seconds"] or 1), 2),
        "kinds": kinds,
        **total,
        "rows": rows,
    }


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0


def print_table(name: str, data: dict[str, Any]) -> None:
    columns = (*SHOWN[1:], "seed", "ratio")
    print(f"{name:<24}" + "".join(f"{column:>11}" for column in columns))
    for row in data["rows"]:
        ratio = row["probe_seconds"] / row["plain_seconds"]
        cells = "".join(f"{row[column]:>11}" for column in columns[:-1])
        print(f"{row['package']:<24}{cells}{ratio:>11.1f}")
    found, false = data["found_percent"], data["false_percent"]
    print(f"{name}: {found} % of the planted found, {false} % of the people's called\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="*", help="only those whose names begin so")
    parser.add_argument("--seed", type=int, action="append", help="instead of each group's own")
    parser.add_argument("--count", type=int, default=30, help="planted tests for each package")
    parser.add_argument("--inside", nargs=2, metavar=("PACKAGE", "ROOT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        name, root = options.inside
        package = next(one for group in GROUPS for one in group.packages if one.name == name)
        print(json.dumps(tried(package, Path(root), options.seed[0], options.count)))
        return 0
    groups = {group.name: told(rows_of(group, options)) for group in GROUPS}
    groups = {name: data for name, data in groups.items() if data["rows"]}
    for name, data in groups.items():
        print_table(name, data)
    print(json.dumps({"bench": "vacuous", **groups, "load_average": os.getloadavg()[0]}))
    return any(
        data["found_percent"] < FOUND_BAR or data["false_percent"] > FALSE_BAR
        for data in groups.values()
    )


def rows_of(group: Group, options: argparse.Namespace) -> list[dict[str, Any]]:
    chosen = [one for one in group.packages if one.name.startswith(tuple(options.packages) or "")]
    seeds = options.seed or group.seeds
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        python = environment(Path(folder, "env"), chosen) if chosen else Path()
        for package in chosen:
            place = Path(folder, package.name.partition("==")[0])
            place.mkdir()
            root = fetched(package, place)
            keep_only(package, root)
            rows += [measured(package, root, python, seed, options.count) for seed in seeds]
    return rows


def measured(package: Package, root: Path, python: Path, seed: int, count: int) -> dict[str, Any]:
    """In the environment that has what the tests need: the jail shows a run only its own."""
    command = [str(python), __file__, "--inside", package.name, str(root)]
    command += [f"--seed={seed}", f"--count={count}"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    *said, last = done.stdout.strip().splitlines()
    print("\n".join([f"{package.name}, seed {seed}", *said]), flush=True)
    data: dict[str, Any] = json.loads(last)
    return {**data, "seed": seed}


if __name__ == "__main__":
    sys.exit(main())
