"""`make bench-offline`: programs without any test, lifted by the offline agents.

For each: lines and branches that the new tests execute under plain coverage.py, without the plugin,
and which of them fail in five runs in shuffled order. Of ten packages that the search was made
with; ``--draw 12 --seed n``: of twelve of `world.txt` that were never drawn before, which are then
written to `drawn.txt`; ``--names a,b``: of these; ``--folder DIR``: of each folder in DIR.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from sdists import sdist
from world import drawn, environ, environment

TOP = Path(__file__).resolve().parents[1]
LEDGER = TOP / "benchmarks/drawn.txt"
KNOWN = (
    "simplejson python-slugify thefuzz toolz more-itertools semver tomli humanize inflection "
    "jmespath"
).split()
TESTS = re.compile(r"^(tests?|test_.*\.py|.*_tests?\.py|conftest\.py)$")
SHUFFLED = 5
CRASHES = ("Traceback (most recent", "INTERNALERROR", "an internal error ended")
REPORT_SECONDS = 120.0
"""Seconds beyond its budget after which a lift is ended."""


@dataclass(frozen=True)
class Row:
    """What became of one program."""

    program: str
    kind: str
    seed: int = 0
    skipped: str = ""
    outcome: str = ""
    reason: str = ""
    tests: int = 0
    failing: int = 0
    """Tests that fail in at least one of the shuffled runs."""
    line_percent: float = 0.0
    branch_percent: float = 0.0
    seconds: float = 0.0
    over: bool = False
    """Whether the lift took more than its budget and a tenth."""
    crashed: bool = False
    obstacles: tuple[str, ...] = ()
    """What could not be tested, and why."""
    mutation_percent: float | None = None


@dataclass(frozen=True)
class Plan:
    """How the programs are lifted."""

    seconds: float
    seeds: tuple[int, ...]
    keep: Path | None = None
    """Folder that gets a copy of each program with its new tests."""
    mutants: bool = False


def packages(options: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """(kind, name) of what is to be fetched; a drawn one is written down at once."""
    if options.names:
        yield from (("named", name) for name in options.names.split(","))
    elif not options.draw:
        yield from (("known", name) for name in KNOWN)
    else:
        before = LEDGER.read_text("utf-8").split() if LEDGER.is_file() else []
        for kind, name in drawn(options.seed):
            if name not in before:
                with LEDGER.open("a", encoding="utf-8") as ledger:
                    ledger.write(f"{name}\n")
                yield kind, name


def without_tests(root: Path) -> None:
    """Deletes test folders and test files: what is lifted has never seen a test."""
    for path in sorted(root.rglob("*"), reverse=True):
        if TESTS.match(path.name):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def rows_of(kind: str, name: str, plan: Plan, source: Path | None) -> Iterator[Row]:
    """A row for each seed; one that says why where there is no program to lift."""
    row = Row(name, kind)
    with tempfile.TemporaryDirectory(prefix="offline-") as made:
        folder = Path(made)
        if source is not None:
            root: Path | None = folder / source.name
            shutil.copytree(source, folder / source.name)
        else:
            root = sdist(name, folder)
        if root is None:
            yield replace(row, skipped="no sdist to be had")
            return
        without_tests(root)
        extras = "[mutation]" if plan.mutants else ""
        python = environment(root, folder, extras, installed=source is None)
        if python is None:
            yield replace(row, skipped="it cannot be installed")
            return
        for seed in plan.seeds:
            copy = folder / f"seed-{seed}" / root.name
            shutil.copytree(root, copy, symlinks=True)
            if source is None:
                install(copy, python)
            yield lifted(replace(row, seed=seed), copy, python, plan)
            if plan.keep is not None:
                kept = plan.keep / f"{name}-{seed}"
                shutil.copytree(copy, kept, dirs_exist_ok=True, symlinks=True)


def install(copy: Path, python: Path) -> None:
    """Makes the environment import the package from this copy of it."""
    pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", "-e", str(copy)], check=True, capture_output=True)


def lifted(row: Row, root: Path, python: Path, plan: Plan) -> Row:
    """Lifts one program from nothing, and measures what lies there afterwards."""
    command = [str(python), "-m", "pytest", "--lift", "-q", f"--lift-seed={row.seed}"]
    command += [f"--lift-max-minutes={plan.seconds / 60:.4f}", "--lift-output=land"]
    command += ["--lift-write-config"]
    env = environ(python)
    began = time.monotonic()
    try:
        done = subprocess.run(
            command, cwd=root, env=env, capture_output=True, text=True, check=False,
            stdin=subprocess.DEVNULL, timeout=plan.seconds + REPORT_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return replace(row, outcome="never ended", crashed=True, over=True)
    seconds = round(time.monotonic() - began, 1)
    told = done.stdout[done.stdout.find("= lift =") :] + done.stderr
    print(f"\n--- {row.program} ({row.kind}), seed {row.seed}\n{told[-3500:]}", flush=True)
    row = replace(
        row,
        seconds=seconds,
        over=seconds > 1.1 * plan.seconds,
        crashed=any(word in told + done.stdout for word in CRASHES),
    )
    try:
        run = json.loads((root / ".lift/run.json").read_text("utf-8"))
    except (OSError, ValueError):
        return replace(row, outcome="no outcome", reason=told[-300:])
    row = replace(
        row,
        outcome=run["outcome"],
        reason=run["reason"],
        obstacles=tuple(f["what"] for f in run["findings"] if f["kind"] == "not-tested"),
        mutation_percent=run["mutation_percent"],
    )
    return measured(row, root, python, env, run["program"]["names"])


def measured(row: Row, root: Path, python: Path, env: dict[str, str], names: Sequence[str]) -> Row:
    """Runs the new tests under coverage.py in a plain pytest, and five times shuffled."""
    tests = _collected(root, python, env)
    if not tests:
        return row
    rng, failing = random.Random(row.seed), set[str]()
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(SHUFFLED):
            listed = Path(folder, "tests.txt")
            listed.write_text("".join(f"{test}\n" for test in rng.sample(tests, len(tests))))
            failing |= _failing([str(python), "-m", "pytest"], [f"@{listed}"], root, env)
        report = Path(folder, "coverage.json")
        settings = Path(folder, "coveragerc")
        settings.write_text(f"[run]\nbranch = true\ndata_file = {folder}/data\n")
        coverage = [str(python), "-m", "coverage"]
        paths = ",".join(_sources(root, names))
        traced = [*coverage, "run", f"--rcfile={settings}", f"--include={paths}", "-m", "pytest"]
        failing |= _failing(traced, [], root, env)
        subprocess.run(
            [*coverage, "json", f"--rcfile={settings}", "-q", "-o", str(report)],
            cwd=root, env=env, check=False, capture_output=True,
        )  # fmt: skip
        lines, branches = _totals(report, root, names, python)
    return replace(
        row,
        tests=len(tests),
        failing=len(failing),
        line_percent=round(lines, 1),
        branch_percent=round(branches, 1),
    )


def _sources(root: Path, names: Sequence[str]) -> list[str]:
    """Patterns of the program's files."""
    found = []
    for name in names:
        for place in (root, root / "src", *(p for p in root.iterdir() if p.is_dir())):
            if (place / name).is_dir():
                found.append(f"{place / name}/*")
                break
            if (place / f"{name}.py").is_file():
                found.append(str(place / f"{name}.py"))
                break
    return found or [f"{root}/*"]


def _totals(report: Path, root: Path, names: Sequence[str], python: Path) -> tuple[float, float]:
    """(line percent, branch percent), files that no test imports included."""
    try:
        files = json.loads(report.read_text("utf-8"))["files"]
    except (OSError, ValueError, KeyError):
        return 0.0, 0.0
    sums: dict[str, int] = defaultdict(int)
    for found in files.values():
        for key in ("covered_lines", "num_statements", "covered_branches", "num_branches"):
            sums[key] += found["summary"][key]
    known = {(root / path).resolve() for path in files}
    for pattern in _sources(root, names):
        for path in _files(pattern):
            if path.resolve() not in known:
                statements, branches = _size(path, python)
                sums["num_statements"] += statements
                sums["num_branches"] += branches
    lines = 100 * sums["covered_lines"] / max(sums["num_statements"], 1)
    return lines, 100 * sums["covered_branches"] / max(sums["num_branches"], 1)


def _files(pattern: str) -> list[Path]:
    if not pattern.endswith("/*"):
        return [Path(pattern)]
    return sorted(Path(pattern[:-2]).rglob("*.py"))


def _size(path: Path, python: Path) -> tuple[int, int]:
    """(statements, branches) of a file that was never imported."""
    ask = (
        "import sys; from coverage.parser import PythonParser as P\n"
        "p = P(filename=sys.argv[1], exclude='#.*pragma: no cover'); p.parse_source()\n"
        "print(len(p.statements), sum(n for n in p.exit_counts().values() if n > 1))"
    )
    done = subprocess.run(
        [str(python), "-c", ask, str(path)], capture_output=True, text=True, check=False
    )
    found = done.stdout.split()
    return (int(found[0]), int(found[1])) if len(found) == 2 else (0, 0)


def _collected(root: Path, python: Path, env: dict[str, str]) -> list[str]:
    done = subprocess.run(
        [str(python), "-m", "pytest", "-p", "no:lift", "--collect-only", "-q", "-o", "addopts="],
        cwd=root, env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return [line for line in done.stdout.splitlines() if "::" in line]


def _failing(command: Sequence[str], more: Sequence[str], root: Path, env: Any) -> set[str]:
    options = ["-p", "no:lift", "-p", "no:cacheprovider", "-q", "--tb=no", "-rfE", "-o", "addopts="]
    done = subprocess.run(
        [*command, *options, *more], cwd=root, env=env, capture_output=True, text=True,
        check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    failed = set(re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE))
    return failed if done.returncode in (0, 1) else failed | {"(the run itself)"}


def print_rows(rows: Sequence[Row]) -> None:
    print(f"\n{'program':>22} {'kind':>12} {'outcome':>10} {'tests':>6} {'failing':>7} "
          f"{'lines':>6} {'branches':>8} {'seconds':>8}  not tested")  # fmt: skip
    for row in rows:
        if row.skipped:
            print(f"{row.program:>22} {row.kind:>12} {row.skipped}")
            continue
        print(f"{row.program:>22} {row.kind:>12} {row.outcome:>10} {row.tests:>6} "
              f"{row.failing:>7} {row.line_percent:>6} {row.branch_percent:>8} {row.seconds:>8}"
              f"{' over' if row.over else ''}{' CRASHED' if row.crashed else ''}")  # fmt: skip
        for told in row.obstacles[:4]:
            print(f"{'':>36}{told[:150]}")


def figures_of(rows: Sequence[Row], plan: Plan, seed: int | None) -> dict[str, Any]:
    tried = [row for row in rows if not row.skipped]
    kinds: dict[str, list[float]] = defaultdict(list)
    for row in tried:
        kinds[row.kind].append(row.branch_percent)
    branches = [row.branch_percent for row in tried]
    return {
        "bench": "offline",
        "seed": seed,
        "seconds": plan.seconds,
        "programs": len(tried),
        "median_branch_percent": round(statistics.median(branches), 1) if branches else None,
        "least_branch_percent": min(branches, default=None),
        "median_by_kind": {k: round(statistics.median(v), 1) for k, v in sorted(kinds.items())},
        "without_tests": [row.program for row in tried if not row.tests],
        "crashed": [row.program for row in tried if row.crashed],
        "failing": sum(row.failing for row in tried),
        "over_budget": [row.program for row in tried if row.over],
        "load_average": os.getloadavg()[0],
        "rows": [asdict(row) for row in rows],
    }


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--names", default="")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--draw", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="of the draw")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seeds", type=int, default=1, help="lifts of each program")
    parser.add_argument("--mutants", action="store_true", help="with the extra `mutation`")
    parser.add_argument("--keep", type=Path, help="folder for the programs with their tests")
    return parser.parse_args()


def main() -> int:
    options = parsed()
    seeds = tuple(range(1, options.seeds + 1))
    plan = Plan(options.seconds, seeds, options.keep, options.mutants)
    rows: list[Row] = []
    if options.folder is not None:
        for source in sorted(path for path in options.folder.iterdir() if path.is_dir()):
            rows += rows_of("folder", source.name, plan, source)
    else:
        for kind, name in packages(options):
            rows += rows_of(kind, name, plan, None)
            if options.draw and len({r.program for r in rows if not r.skipped}) >= options.draw:
                break
    print_rows(rows)
    drawn_with = options.seed if options.draw and not options.names else None
    figures = figures_of(rows, plan, drawn_with)
    print(json.dumps(figures))
    return int(bool(figures["crashed"] or figures["failing"]))


if __name__ == "__main__":
    sys.exit(main())
