"""`make bench-legitimate`: what honest tests do, in every tier of the jail that works here.

Each test of `legitimate_tests/` is one kind of thing that test suites do. What a tier does not let
through has to be in DOCUMENTED, with what to do instead; anything else that fails in the strongest
tier (or fails only in a jail) is an exit status of 1.

    python benchmarks/legitimate.py [--tier T] [--only WORD] [--as-nobody | --as-root]
"""

from __future__ import annotations

import argparse
import ast
import fnmatch
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from unprivileged import as_nobody

from pytest_lift.run.result import Run
from pytest_lift.run.run_suite import run_suite
from pytest_lift.run.workspace import Workspace
from pytest_lift.sandbox.jail import TIERS, Jail, python_reads
from pytest_lift.sandbox.probe import choose, working_tiers
from pytest_lift.source.program import read_program

TESTS = Path(__file__).parent / "legitimate_tests"
SECONDS = 180.0
PROJECT = {
    "pkg/__init__.py": "",
    "pkg/mod.py": 'def double(x):\n    """Twice.\n\n    >>> double(2)\n    4\n    """\n'
    "    return 2 * x\n",
    "tests/data.txt": "data\n",
}

READ_ONLY = "the project's copy is read-only: write to tmp_path"
NO_LOOPBACK = "no sockets but unix ones in this tier, on loopback neither"
NO_BARE_TMP = "without a /tmp of its own, only the run's part of it can be written: use tmp_path"
DOCUMENTED = {
    ("*", "files/working_folder"): READ_ONLY,
    ("*", "files/beside_the_test"): READ_ONLY,
    ("landlock", "files/bare_tmp"): NO_BARE_TMP,
    **{
        ("landlock", f"network/{name}"): NO_LOOPBACK
        for name in (
            *("tcp", "localhost_by_name", "tcp6", "udp", "http", "xmlrpc", "asyncio_server"),
            *("unreachable", "interfaces"),
        )
    },
}
"""(pattern of tiers, pattern of kinds) -> why it does not go, and what to do instead."""


def kinds() -> dict[str, str]:
    """THEME/NAME -> what it is, of every test."""
    return {
        f"{path.stem}/{node.name[5:]}": str(ast.get_docstring(node))
        for path in sorted(TESTS.glob("*.py"))
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def run(tier: str, word: str) -> Run:
    """All of them in one pytest run, as a lift starts it."""
    with tempfile.TemporaryDirectory(prefix="legitimate-") as folder:
        project = Path(folder).resolve() / "project"
        for name, text in PROJECT.items():
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            (project / name).write_text(text)
        for path in TESTS.glob("*.py"):
            shutil.copy(path, project / f"tests/test_{path.name}")
        jail = choose(tier, Jail("auto", reads=python_reads(project)))
        with Workspace.create(project, ("pkg",), tests="tests") as workspace:
            return run_suite(
                workspace.root,
                read_program(workspace.root, ("pkg",), ("",), ""),
                test_root="tests",
                reports=workspace.scratch / "reports",
                scratch=workspace.scratch,
                seconds=SECONDS,
                jail=jail.inside(project, workspace.root),
                selection=tuple(_chosen(word)),
            )


def _chosen(word: str) -> list[str]:
    return [f"tests/test_{k.replace('/', '.py::test_')}" for k in kinds() if word and word in k]


def outcomes(found: Run) -> dict[str, tuple[str, str]]:
    """kind -> (the worst outcome of its rows, why)"""
    told: dict[str, tuple[str, str]] = {}
    for result in found.results.values():
        file, _, name = result.function.partition("::")
        kind = f"{Path(file).stem[5:]}/{name[5:]}"
        why = result.failure.message if result.failure else result.reason
        if kind not in told or result.outcome in ("failed", "error"):
            told[kind] = (result.outcome, (why or "").splitlines()[0] if why else "")
    return told


def documented(tier: str, kind: str) -> str:
    for (tiers, pattern), why in DOCUMENTED.items():
        if fnmatch.fnmatch(tier, tiers) and fnmatch.fnmatch(kind, pattern):
            return why
    return ""


def column(tier: str, word: str, bare: dict[str, tuple[str, str]]) -> dict[str, Any]:
    """One tier against the same tests without a jail (`bare`), printed and as figures."""
    started = time.monotonic()
    found = run(tier, word)
    told = outcomes(found)
    figures: dict[str, Any] = {"passed": 0, "skipped": 0, "documented": {}, "bad": {}}
    for kind, title in kinds().items():
        if word and word not in kind:
            continue
        outcome, why = told.get(kind, ("did not run", f"{found.ending}: {found.detail}"))
        reason = documented(tier, kind)
        if outcome in ("passed", "skipped"):
            figures[outcome] += 1
        elif reason:
            outcome, why = "documented", reason
            figures["documented"][kind] = reason
        elif bare.get(kind, ("passed", ""))[0] == "passed":
            outcome, figures["bad"][kind] = outcome.upper(), why
        else:
            outcome = f"{outcome} without a jail, too"
        print(f"{tier:<10} {kind:<34} {outcome:<12} {title[:44]:<44} {why[:90]}", flush=True)
    figures["seconds"] = round(time.monotonic() - started, 1)
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tier", action="append", choices=[*TIERS, "off"])
    parser.add_argument("--only", default="", help="a part of THEME/NAME")
    parser.add_argument("--as-nobody", action="store_true", help="only as the user nobody")
    parser.add_argument("--as-root", action="store_true", help="only as root")
    told = parser.parse_args()
    root = os.getuid() == 0
    arguments = [word for word in sys.argv[1:] if word != "--as-nobody"]
    if root and told.as_nobody:
        return as_nobody(Path(__file__), arguments).returncode
    working = working_tiers()
    bare = outcomes(run("off", told.only))
    tiers = [t for t in told.tier or [*TIERS, "off"] if not working.get(t)]
    result: dict[str, Any] = {
        "bench": "legitimate",
        "user": "root" if root else "unprivileged",
        "kinds": len(kinds()),
        "tiers": {tier: column(tier, told.only, bare) for tier in tiers},
        "unavailable": {tier: why for tier, why in working.items() if why},
    }
    if root and not told.as_root:
        done = as_nobody(Path(__file__), arguments)
        result["as_nobody"] = json.loads(done.stdout.strip().splitlines()[-1])
    for tier, figures in result["tiers"].items():
        print(f"{tier:>12}  {figures}")
    print(json.dumps(result))
    both = [result, result.get("as_nobody", {"tiers": {}})]
    return int(any(figures["bad"] for one in both for figures in one["tiers"].values()))


if __name__ == "__main__":
    sys.exit(main())
