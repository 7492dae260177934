"""`make bench-mutation_feedback`: what the offline agents make of mutants that they are told of.

simplejson 3.20.1 (with the requirements of the example) and semver 3.0.4, both from no tests. Two
lifts each, the same iterations and seed: one without mutants, one with. What both suites detect is
measured afterwards, from scratch, on one sample of mutants stratified by function.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sdists import KEPT, fetched

from pytest_lift.mutation.mutation import Sample
from pytest_lift.mutation.mutator import Mutator
from pytest_lift.sandbox.jail import Jail, python_reads
from pytest_lift.sandbox.probe import choose
from pytest_lift.source.program import read_program
from pytest_lift.suite.suite import read_suite

REQUIREMENTS = Path(__file__).parents[1] / "examples/simplejson/requirements.yml"
PACKAGES = {
    "simplejson==3.20.1": ("simplejson", "", REQUIREMENTS),
    "semver==3.0.4": ("src/semver", "src", None),
}
ITERATIONS = 4
MINUTES = 4.0
"""Of the agents; what mutants take comes on top."""
MUTATION_MINUTES = 12.0
SHARE = 0.3
"""Of the mutants, in the measurement afterwards."""
BAR = 8.0


def project(package: str, folder: Path) -> Path:
    """The sources of a package alone, in a folder of the package's name."""
    path, _, requirements = PACKAGES[package]
    (folder / "sdist").mkdir(parents=True)
    root = folder / package.partition("==")[0]
    root.mkdir()
    top = Path(path).parts[0]
    found = fetched(package, folder / "sdist") / top
    shutil.copytree(found, root / top, ignore=shutil.ignore_patterns("tests"))
    name = f'[project]\nname = "{root.name}"\nversion = "1"\n'
    ini = f'[tool.pytest.ini_options]\npythonpath = ["{PACKAGES[package][1] or "."}"]\n'
    (root / "pyproject.toml").write_text(name + ini, "utf-8")
    if requirements:
        shutil.copy(requirements, root / "requirements.yml")
    return root


def lift(root: Path, *options: str) -> dict[str, object]:
    command = [sys.executable, "-m", "pytest", "--lift", "--lift-output=land", *options]
    command += [f"--lift-iterations={ITERATIONS}", "-p", "no:cacheprovider"]
    if (root / "requirements.yml").exists():
        command += ["--requirements", "requirements.yml"]
    done = subprocess.run(command, cwd=root, env=KEPT, capture_output=True, text=True)
    print(done.stdout[done.stdout.rfind("= lift =") :], flush=True)
    found: dict[str, object] = json.loads((root / ".lift/run.json").read_text("utf-8"))
    return found


def detected(root: Path, package: str, folder: Path) -> tuple[float, int]:
    """Percent of the sample, and its size."""
    path, import_root, _ = PACKAGES[package]
    program = read_program(root, (path,), (import_root,), "")
    jail = choose("auto", Jail("auto", reads=python_reads(root)))
    mutator = Mutator(folder / "measure", root, jail, ("tests",), sample=Sample(SHARE))
    suite = read_suite(root, "tests")
    xfails = [t.node for t in suite.tests() if "xfail(" in suite.source(t)]
    found = mutator.measure(suite, program, xfails)
    return found.percent, found.scored


def row(package: str, folder: Path) -> dict[str, object]:
    shares: list[float] = []
    told: dict[str, object] = {"package": package}
    for name, options in {
        "off": ("--lift-mutation=off", f"--lift-max-minutes={MINUTES}"),
        "on": (
            "--lift-mutation=auto",
            f"--lift-mutation-minutes={MUTATION_MINUTES}",
            f"--lift-max-minutes={MINUTES + MUTATION_MINUTES}",
        ),
    }.items():
        root = project(package, folder / name)
        run = lift(root, *options)
        percent, size = detected(root, package, folder / name)
        shares.append(percent)
        seconds = [iteration["seconds"] for iteration in run["history"]]  # type: ignore[attr-defined]
        mutating = sum(one.get(p, 0.0) for one in seconds for p in ("mutate", "orders"))
        told[name] = {
            "percent": round(percent, 2),
            "tests": run["tests"],
            "line_percent": run["line_percent"],
            "seconds": run["seconds"],
            "of_it_mutants": round(mutating, 1),
        }
        told["sample"] = size
    told["gained"] = round(shares[1] - shares[0], 2)
    return told


def main() -> int:
    load, started = os.getloadavg()[0], time.monotonic()
    wanted = [name for name in PACKAGES if not sys.argv[1:] or name.split("=")[0] in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as name:
        rows = [row(package, Path(name) / package) for package in wanted]
    print(f"{'package':<20} {'off':>7} {'on':>7} {'gained':>7} {'sample':>7} {'tests':>12}")
    for one in rows:
        off, on = one["off"], one["on"]
        tests = f"{off['tests']} / {on['tests']}"  # type: ignore[index]
        print(
            f"{one['package']:<20} {off['percent']:>6}% {on['percent']:>6}% "  # type: ignore[index]
            f"{one['gained']:>7} {one['sample']:>7} {tests:>12}"
        )
    met = all(one["gained"] >= BAR for one in rows)  # type: ignore[operator]
    figures = {"bench": "mutation_feedback", "bar": BAR, "met": met, "rows": rows}
    figures |= {
        "seconds": round(time.monotonic() - started),
        "load_average": [load, os.getloadavg()[0]],
    }
    print(json.dumps(figures))
    return not met


if __name__ == "__main__":
    sys.exit(main())
