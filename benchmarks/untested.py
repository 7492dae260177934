"""Programs without any test, lifted by the offline agents, and what their new tests are worth.

For each: lines and branches that the new tests execute under plain coverage.py, without the plugin,
and which of them fail in five runs in shuffled order.
"""

from __future__ import annotations

import ast
import configparser
import contextlib
import json
import os
import random
import re
import shlex
import shutil
import statistics
import subprocess
import tempfile
import time
import tomllib
import warnings
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from sdists import environ, environment, sdist

TESTS = re.compile(r"^(tests?(\.py)?|test_.*\.py|.*_tests?\.py|conftest\.py)$")
SHUFFLED = 5
CRASHES = ("Traceback (most recent", "an internal error ended")
PARTS_OF_STEPS = ("pytest",)
"""Times of an iteration that are part of another one."""
MEASURED_MINUTES = 3
"""Time for the mutants of what a lift has left."""
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
    curve: tuple[tuple[float, float], ...] = ()
    """(seconds since the lift began, branch percent) after each iteration that was accepted."""


@dataclass(frozen=True)
class Plan:
    """How the programs are lifted."""

    seconds: float
    seeds: tuple[int, ...]
    keep: Path | None = None
    """Folder that gets a copy of each program with its new tests."""
    mutants: bool = False


def without_tests(root: Path) -> None:
    """Deletes test folders and test files, but for modules of that name which the program imports:
    what is lifted has never seen a test."""
    for path in sorted(root.rglob("*"), reverse=True):
        if path.is_dir() and (TESTS.match(path.name) or _holds_tests(path)):
            shutil.rmtree(path)
    files = {path for path in root.rglob("*.py") if TESTS.match(path.name)}
    imported = {
        name for path in root.rglob("*.py") if path not in files for name in _imported(path)
    }
    for path in files:
        if not ((path.parent / "__init__.py").exists() and path.stem in imported):
            path.unlink()


def _holds_tests(folder: Path) -> bool:
    """Returns whether a folder whose name ends in "test" or "tests" (`ropetest`) has tests in more
    than half of its Python files."""
    if not folder.name.endswith(("test", "tests")):
        return False
    files = [path for path in folder.rglob("*.py") if path.name != "__init__.py"]
    tested = [
        path
        for path in files
        if re.search(r"^\s*def test_", path.read_text("utf-8", "replace"), re.M)
    ]
    return 2 * len(tested) > len(files)


def _imported(path: Path) -> Iterator[str]:
    """Yields the names in the imports of a file, each part of dotted ones; of one that is no Python
    of this version all words of the lines of imports."""
    text = path.read_text("utf-8", "replace")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        for line in re.findall(r"^\s*(?:from|import)\b.*", text, re.MULTILINE):
            yield from re.findall(r"\w+", line)
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
            for dotted in (module, *(one.name for one in node.names)):
                yield from dotted.split(".")


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
        if source is not None:
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
                without_tests(copy)
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
        crashed="INTERNALERROR" in done.stdout or any(word in told for word in CRASHES),
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
        curve=_curve(run["history"]),
    )
    if plan.mutants:
        row = replace(row, mutation_percent=detected(root, python, env))
    program = run["program"]
    return measured(row, root, python, env, program["names"], carried=program["carried"])


def detected(root: Path, python: Path, env: dict[str, str]) -> float | None:
    """Returns the percent of a sample of mutants that the tests detect as they were left, measured
    after the lift: that may have had no time left for it. None where that gave nothing."""
    told = root / ".lift/run.json"
    told.unlink(missing_ok=True)  # it has what the lift itself measured
    command = [str(python), "-m", "pytest", "--lift", "--lift-iterations=0"]
    command.append(f"--lift-max-minutes={MEASURED_MINUTES}")
    try:
        subprocess.run(
            command, cwd=root, env=env, capture_output=True, check=False,
            stdin=subprocess.DEVNULL, timeout=60 * MEASURED_MINUTES + REPORT_SECONDS,
        )  # fmt: skip
        percent: float | None = json.loads(told.read_text("utf-8"))["mutation_percent"]
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return percent


def measured(
    row: Row,
    root: Path,
    python: Path,
    env: dict[str, str],
    names: Sequence[str],
    folder_of_tests: str = "",
    carried: Sequence[str] = (),
) -> Row:
    """Runs the new tests under coverage.py in a plain pytest, and five times shuffled. Folders of
    `carried` libraries do not count."""
    tests = _collected(root, python, env, folder_of_tests)
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
        failing |= _failing(traced, [folder_of_tests] if folder_of_tests else [], root, env)
        subprocess.run(
            [*coverage, "json", f"--rcfile={settings}", "-q", "-o", str(report)],
            cwd=root, env=env, check=False, capture_output=True,
        )  # fmt: skip
        lines, branches = _totals(report, root, names, python, carried)
    return replace(
        row,
        tests=len(tests),
        failing=len(failing),
        line_percent=round(lines, 1),
        branch_percent=round(branches, 1),
    )


def _curve(history: Sequence[dict[str, Any]]) -> tuple[tuple[float, float], ...]:
    """Returns when which share of the branches was covered."""
    found, began = [], 0.0
    for iteration in history:
        told = iteration["seconds"]
        began += sum(s for step, s in told.items() if step not in PARTS_OF_STEPS)
        if iteration["accepted"]:
            found.append((round(began, 1), iteration["figures"]["branch_percent"]))
    return tuple(found)


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


def _totals(
    report: Path, root: Path, names: Sequence[str], python: Path, carried: Sequence[str]
) -> tuple[float, float]:
    """(line percent, branch percent), files that no test imports included; lines stand for branches
    where there are none."""
    others = [(root / folder).resolve() for folder in carried]
    try:
        files = json.loads(report.read_text("utf-8"))["files"]
    except (OSError, ValueError, KeyError):
        return 0.0, 0.0
    sums: dict[str, int] = defaultdict(int)
    for name, found in files.items():
        if any((root / name).resolve().is_relative_to(other) for other in others):
            continue
        for key in ("covered_lines", "num_statements", "covered_branches", "num_branches"):
            sums[key] += found["summary"][key]
    known = {(root / path).resolve() for path in files}
    for pattern in _sources(root, names):
        for path in _files(pattern):
            own = not any(path.resolve().is_relative_to(other) for other in others)
            if own and path.resolve() not in known:
                statements, branches = _size(path, python)
                sums["num_statements"] += statements
                sums["num_branches"] += branches
    lines = 100 * sums["covered_lines"] / max(sums["num_statements"], 1)
    if not sums["num_branches"]:
        return lines, lines
    return lines, 100 * sums["covered_branches"] / sums["num_branches"]


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


def doctest_options(root: Path) -> list[str]:
    """Returns the options by which the project's own pytest runs doctests: no test repeats what
    these cover."""
    found: list[str] = []
    with contextlib.suppress(OSError, tomllib.TOMLDecodeError):
        tables = tomllib.loads((root / "pyproject.toml").read_text("utf-8")).get("tool", {})
        pytest = tables.get("pytest", {})
        for table in (pytest, pytest.get("ini_options", {})):
            told = table.get("addopts", [])
            found += shlex.split(told) if isinstance(told, str) else told
    for name, section in (
        ("pytest.ini", "pytest"),
        ("setup.cfg", "tool:pytest"),
        ("tox.ini", "pytest"),
    ):
        settings = configparser.ConfigParser(interpolation=None, strict=False)
        with contextlib.suppress(OSError, configparser.Error):
            settings.read_string((root / name).read_text("utf-8"))
        found += shlex.split(settings.get(section, "addopts", fallback=""), comments=True)
    return [one for one in found if one.startswith("--doctest-")]


def is_doctest(test: str) -> bool:
    """Whether pytest names a doctest so: those were there before the lift, as they are."""
    path, _, name = test.partition("::")
    return not path.endswith(".py") or "." in name.partition("[")[0]


def _collected(root: Path, python: Path, env: dict[str, str], folder: str) -> list[str]:
    done = subprocess.run(
        [str(python), "-m", "pytest", "-p", "no:lift", "--collect-only", "-q", "-o", "addopts=",
         *doctest_options(root), *([folder] if folder else [])],
        cwd=root, env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return [line for line in done.stdout.splitlines() if "::" in line]


def _failing(command: Sequence[str], more: Sequence[str], root: Path, env: Any) -> set[str]:
    options = ["-p", "no:lift", "-p", "no:cacheprovider", "-q", "--tb=no", "-rfE", "-o", "addopts="]
    options += doctest_options(root)
    done = subprocess.run(
        [*command, *options, *more], cwd=root, env=env, capture_output=True, text=True,
        check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    told = re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    failed = {one for one in told if not is_doctest(one)}
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


def figures_of(bench: str, rows: Sequence[Row], plan: Plan) -> dict[str, Any]:
    """Returns the JSON object of the lifts."""
    tried = [row for row in rows if not row.skipped]
    kinds: dict[str, list[float]] = defaultdict(list)
    for row in tried:
        kinds[row.kind].append(row.branch_percent)
    branches = [row.branch_percent for row in tried]
    return {
        "bench": bench,
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
