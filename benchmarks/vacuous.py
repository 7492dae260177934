"""`make bench-vacuous`: real suites with planted tests that notice nothing: the probe finds these.

Each suite is fetched from PyPI, and tests made from its own by removing, weakening, swallowing or
mocking what they assert are put beside them. Of the planted ones that pass, at least 95 % have to
be called vacuous or over-mocked, of the others at most 2 %; those are printed to be looked at.
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

from marked.packages import PACKAGES, Package, environment, fetched
from planted.planting import PREFIX, Planted, planted_texts, plants

from pytest_lift.discovery import find_program
from pytest_lift.run import run_suite
from pytest_lift.sandbox.jail import Jail, python_reads
from pytest_lift.sandbox.probe import choose
from pytest_lift.strength.measuring import Strength, measure_strength
from pytest_lift.suite import Edit, Suite, read_suite

SOURCES = {"more-itertools": ["more_itertools"], "python-dateutil": ["dateutil"],
           "attrs": ["attr", "attrs"]}  # fmt: skip
CHOSEN = ("itsdangerous", "cachetools", "toolz", "humanize", "attrs")
FOUND_BAR, FALSE_BAR = 95.0, 2.0
CALLED = ("vacuous", "over-mocked")
SHOWN = ("package", "tests", "sensitive", "weak", "not-probed", "called", "planted", "found")


def tried(package: Package, root: Path, seed: int, count: int) -> dict[str, Any]:
    """Plant, run as usual, probe, compare."""
    name = package.name.partition("==")[0]
    program = find_program(root, source=SOURCES.get(name, [name]))
    jail = choose("auto", Jail("auto", reads=python_reads(Path("/no-project"))))
    suite = read_suite(root, package.tests)
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


def told(rows: list[dict[str, Any]], seed: int) -> dict[str, Any]:
    """All of them together."""
    total = {
        key: sum(row[key] for row in rows) for key in (*SHOWN[1:], "plain_seconds", "probe_seconds")
    }
    kinds = Counter[str]()
    for row in rows:
        kinds.update({kind: done for kind, (_, done) in row["kinds"].items()})
    hit = Counter[str]()
    for row in rows:
        hit.update({kind: done for kind, (done, _) in row["kinds"].items()})
    return {
        "bench": "vacuous",
        "seed": seed,
        "found_percent": round(100 * total["found"] / total["planted"], 2),
        "false_percent": round(100 * total["called"] / total["tests"], 2),
        "probed_percent": round(100 - 100 * total["not-probed"] / total["tests"], 2),
        "time_ratio": round(total["probe_seconds"] / total["plain_seconds"], 2),
        "kinds": {kind: [hit[kind], kinds[kind]] for kind in kinds},
        **total,
        "rows": rows,
        "load_average": os.getloadavg()[0],
    }


def print_table(rows: list[dict[str, Any]]) -> None:
    print(f"{'package':<24}" + "".join(f"{name:>11}" for name in (*SHOWN[1:], "ratio")))
    for row in rows:
        ratio = row["probe_seconds"] / row["plain_seconds"]
        cells = "".join(f"{row[name]:>11}" for name in SHOWN[1:])
        print(f"{row['package']:<24}{cells}{ratio:>11.1f}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="*", help="only those whose names begin so")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=30, help="planted tests for each package")
    parser.add_argument("--inside", nargs=2, metavar=("PACKAGE", "ROOT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        name, root = options.inside
        package = next(one for one in PACKAGES if one.name == name)
        print(json.dumps(tried(package, Path(root), options.seed, options.count)))
        return 0
    wanted = tuple(options.packages) or CHOSEN
    chosen = [package for package in PACKAGES if package.name.startswith(wanted)]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        python = environment(Path(folder, "env"), chosen)
        for package in chosen:
            place = Path(folder, package.name.partition("==")[0])
            place.mkdir()
            rows.append(measured(package, fetched(package, place), python, options))
    print_table(rows)
    data = told(rows, options.seed)
    print(json.dumps(data))
    return data["found_percent"] < FOUND_BAR or data["false_percent"] > FALSE_BAR


def measured(
    package: Package, root: Path, python: Path, options: argparse.Namespace
) -> dict[str, Any]:
    """In the environment that has what the tests need: the jail shows a run only its own."""
    command = [str(python), __file__, "--inside", package.name, str(root)]
    command += [f"--seed={options.seed}", f"--count={options.count}"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    *said, last = done.stdout.strip().splitlines()
    print("\n".join([package.name, *said]), flush=True)
    data: dict[str, Any] = json.loads(last)
    return data


if __name__ == "__main__":
    sys.exit(main())
