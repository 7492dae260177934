"""`make bench-mutation_packages`: mutants of packages from PyPI, found and measured as a lift does.

Each package shows a layout that is hard for mutmut. A sample of its mutants is measured with its
own suite. For some, mutmut alone, set up as its documentation says, runs the same mutants: verdicts
have to be the same. Names of packages as arguments choose among them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marked import packages as pypi
from marked.packages import ASYNCIO

from pytest_lift.errors import LiftError
from pytest_lift.mutation.mutation import DETECTED, Mutation, Sample
from pytest_lift.mutation.mutator import Mutator
from pytest_lift.mutation.mutmut.results import VERDICTS
from pytest_lift.project.discovery import find_program
from pytest_lift.project.ini_files import find_ini_file
from pytest_lift.run.pytest_options import inner_addopts
from pytest_lift.run.workspace import Workspace
from pytest_lift.sandbox.jail import Jail, python_reads
from pytest_lift.sandbox.probe import choose
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import read_suite

LONGEST, PLAIN_LONGEST = 180.0, 180.0
OWN_TABLE = """
[tool.mutmut]
source_paths = ["elsewhere"]
do_not_mutate = ["src/cachetools/func.py"]
pytest_add_cli_args = ["--no-such-option"]
mutate_only_covered_lines = true
"""


@dataclass(frozen=True)
class Subject:
    """A package, what is hard about it, and the share of its mutants that is measured."""

    name: str
    shown: str
    tests: str
    share: float
    needs: tuple[str, ...] = ()
    extension: str = ""
    """Pattern of the compiled file that stands beside the sources, below the import root."""
    own_table: str = ""
    """Written into its pyproject.toml: no package on PyPI was found to have one."""
    compared: bool = False

    @property
    def distribution(self) -> str:
        return self.name.partition("==")[0]

    @property
    def package(self) -> pypi.Package:
        return pypi.Package(self.name, self.tests, self.needs, self.shown)


SUBJECTS = (
    Subject("semver==3.0.4", "src", "tests", 0.08),
    Subject("itsdangerous==2.2.0", "src", "tests", 0.1, ("freezegun",), compared=True),
    Subject("simplejson==3.20.1", "flat, tests inside, C extension, child processes",
            "simplejson/tests", 0.03, extension="simplejson/_speedups.*.so"),
    Subject("parse==1.20.2", "single module", "tests", 0.05, compared=True),
    Subject("tabulate==0.9.0", "flat, child processes", "test", 0.02),
    Subject("markupsafe==3.0.2", "src, C extension", "tests", 0.25,
            extension="markupsafe/_speedups.*.so", compared=True),
    Subject("janus==2.0.0", "flat, async and threads", "tests", 0.1, (ASYNCIO,), compared=True),
    Subject("aiolimiter==1.3.0", "src, async", "tests", 1.0, (ASYNCIO, "dunamai"), compared=True),
    Subject("cachetools==6.2.0", "src, own [tool.mutmut]", "tests", 0.07, own_table=OWN_TABLE),
    Subject("toolz==1.1.0", "flat, tests inside", "toolz", 0.04),
)  # fmt: skip


def fetched(subject: Subject, folder: Path) -> Path:
    """The unpacked sdist."""
    folder.mkdir()
    root = pypi.fetched(subject.package, folder)
    if subject.own_table:
        with (root / "pyproject.toml").open("a", encoding="utf-8") as file:
            file.write(subject.own_table)
    return root


def built(subject: Subject, root: Path) -> None:
    """Put the extension beside the sources, as in a developer's tree."""
    if subject.extension:
        import_root = root / "src" if (root / "src").is_dir() else root
        installed = [place for path in sys.path for place in Path(path).glob(subject.extension)]
        shutil.copy(installed[0], (import_root / subject.extension).parent)


def measured(root: Path, subject: Subject) -> tuple[Mutation, Program]:
    """As `pytest --lift` does it in `root`. Raises LiftError."""
    program = find_program(root)
    jail = choose("auto", Jail("auto", reads=python_reads(root)))
    with Workspace.create(root, program.paths, tests=subject.tests) as workspace:
        mutator = Mutator(
            workspace.scratch / "mutation",
            workspace.root,
            jail.inside(root, workspace.root),
            (subject.tests,),
            inner_addopts(asked(root, subject)),
            2 * LONGEST,
            sample=Sample(subject.share),
        )
        return mutator.measure(read_suite(workspace.root, subject.tests), program), program


def asked(root: Path, subject: Subject) -> list[str]:
    """The package's own options for pytest, and the file in which they stand."""
    _, ini = find_ini_file(root)
    quiet = quieted(subject)
    if ini is None or not ini.path.is_relative_to(root):
        return quiet
    return [*quiet, *ini.words("addopts"), "-c", ini.path.relative_to(root).as_posix()]


def quieted(subject: Subject) -> list[str]:
    """Where pytest-asyncio is not configured, it warns, and warnings are errors in some suites."""
    return [] if ASYNCIO in subject.needs else ["-p", "no:asyncio"]


def plain(root: Path, program: Program, subject: Subject, keys: list[str]) -> dict[str, str] | str:
    """What mutmut alone makes of the mutants `keys`; a text says why it makes nothing."""
    table = {
        "source_paths": list(program.paths),
        "pytest_add_cli_args_test_selection": [subject.tests],
        "do_not_mutate": [f"{top}/*tests/*" for top in program.paths],
    }
    rows = [f"{name} = {json.dumps(value)}" for name, value in table.items()]
    place = root / "pyproject.toml"
    text = place.read_text("utf-8") if place.is_file() else ""
    place.write_text("\n".join([text, "[tool.mutmut]", *rows, ""]), "utf-8")
    environ = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    environ["PYTEST_ADDOPTS"] = " ".join(quieted(subject))
    command = [sys.executable, "-m", "mutmut", "run", *keys]
    try:
        done = subprocess.run(command, cwd=root, env=environ, capture_output=True, text=True,
                              errors="replace", timeout=PLAIN_LONGEST)  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"not done after {PLAIN_LONGEST:.0f} s"
    if done.returncode:
        said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        return f"status {done.returncode}: {' | '.join(said[-3:])[-300:]}"
    codes: dict[str, int | None] = {}
    for meta in (root / "mutants").rglob("*.meta"):
        codes |= json.loads(meta.read_text("utf-8"))["exit_code_by_key"]
    return {key: told(VERDICTS.get(codes.get(key), "crashed")) for key in keys}  # type: ignore[arg-type]


def told(verdict: str) -> str:
    """Killed, timed-out and crashed all mean detected."""
    return "detected" if verdict in DETECTED else verdict


def tried(subject: Subject, folder: Path) -> dict[str, Any]:
    """One row: figures, or the error as the user reads it."""
    root = next(iter((folder / subject.distribution).iterdir()))
    built(subject, root)
    copy = root.with_name("plain")
    shutil.copytree(root, copy)
    row: dict[str, Any] = {"package": subject.name, "shows": subject.shown}
    started = time.monotonic()
    try:
        mutation, program = measured(root, subject)
    except LiftError as error:
        seconds = round(time.monotonic() - started, 1)
        return row | {"error": f"{type(error).__name__}: {error}", "seconds": seconds}
    row["seconds"] = round(time.monotonic() - started, 1)
    row |= {
        "program": list(program.paths),
        "found_by": program.how,
        "mutants": len(mutation.mutants),
        "measured": len(mutation.verdicts),
        "detected": len(mutation.detected),
        "survived": mutation.counts["survived"],
        "untested": mutation.counts["untested"],
        "timed_out": mutation.counts["timed-out"],
        "notes": list(mutation.notes),
    }
    if subject.compared:
        row |= compared(mutation, plain(copy, program, subject, list(mutation.verdicts)))
    return row


def compared(mutation: Mutation, found: dict[str, str] | str) -> dict[str, Any]:
    if isinstance(found, str):
        return {"plain": found}
    ours = {key: told(verdict) for key, verdict in mutation.verdicts.items()}
    off = {k: f"{ours[k]}, alone {found[k]}" for k in ours if ours[k] != found[k]}
    return {"plain": "runs", "differing": len(off), "differing_keys": off}


COLUMNS = ("mutants", "measured", "detected", "survived", "untested", "seconds")


def print_row(row: dict[str, Any]) -> None:
    cells = "".join(f"{row.get(name, '-'):>9}" for name in COLUMNS)
    alone = row.get("differing", "-")
    print(f"{row['package']:<20}{cells}{alone:>9}  {row['shows']}")
    if "error" in row:
        print(f"    {row['error']}")
    if row.get("plain", "runs") != "runs":
        print(f"    mutmut alone: {row['plain']}")
    for note in row.get("notes", ()):
        print(f"    {note}")
    for key, text in row.get("differing_keys", {}).items():
        print(f"    differs: {key}: {text}")
    sys.stdout.flush()


def main() -> int:
    folder, load = Path(sys.argv[1]), os.getloadavg()[0]
    chosen = [subject for subject in SUBJECTS if (folder / subject.distribution).is_dir()]
    started = time.monotonic()
    print(f"{'package':<20}" + "".join(f"{name:>9}" for name in (*COLUMNS, "differ")))
    rows = []
    for subject in chosen:
        rows.append(tried(subject, folder))
        print_row(rows[-1])
    figures = {
        "bench": "mutation_packages",
        "packages": len(rows),
        "measured": sum("error" not in row for row in rows),
        "differing": sum(row.get("differing", 0) for row in rows),
        "seconds": round(time.monotonic() - started),
        "load_average": [load, os.getloadavg()[0]],
        "rows": rows,
    }
    print(json.dumps(figures))
    return int(figures["measured"] < len(rows) or figures["differing"] > 0)


def in_own_environment() -> int:
    """The same in an environment that has the packages and what their tests need."""
    names = tuple(sys.argv[1:])
    chosen = [subject for subject in SUBJECTS if not names or subject.name.startswith(names)]
    with tempfile.TemporaryDirectory() as name:
        packages = Path(name, "packages")
        packages.mkdir()
        for subject in chosen:
            fetched(subject, packages / subject.distribution)
        python = pypi.environment(Path(name, "env"), [subject.package for subject in SUBJECTS])
        command = [str(python), __file__, str(packages)]
        return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    inside = len(sys.argv) > 1 and Path(sys.argv[1]).is_dir()
    sys.exit(main() if inside else in_own_environment())
