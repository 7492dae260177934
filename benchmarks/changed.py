"""`make bench-changed`: a lift of one changed function beside a lift of the whole package.

A package with its own tests is committed, one function of it gets another branch, and both lifts
make one iteration of the same working tree, one after the other: the ratio is of one machine in
one state. `ARGS="PACKAGE FILE FUNCTION"` names another package.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from lifting import lift_command
from sdists import KEPT, fetched

USUAL = ("toolz==1.0.0", "toolz/itertoolz.py", "groupby")
PACKAGE, FILE, FUNCTION = [*sys.argv[1:4], *USUAL][:3]
GIT = ("git", "-c", "user.name=x", "-c", "user.email=x@x.invalid")
ADDED = "if __name__ == 'nobody':\n{indent}    raise ValueError('nobody')\n{indent}"


def git(root: Path, *arguments: str) -> None:
    subprocess.run([*GIT, *arguments], cwd=root, check=True, capture_output=True)


def change(path: Path, name: str) -> None:
    """Add a branch to the beginning of a function of the module."""
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    found = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name]
    if not found:
        raise SystemExit(f"{path} has no function {name}")
    first = found[0].body[1 if ast.get_docstring(found[0]) else 0]
    lines = text.splitlines(keepends=True)
    indent = " " * first.col_offset
    lines[first.lineno - 1] = (
        indent + ADDED.format(indent=indent) + lines[first.lineno - 1].lstrip()
    )
    path.write_text("".join(lines), "utf-8")


def lift(root: Path, *options: str) -> dict[str, float]:
    """Seconds of one lift: all of it, its baseline, and its iteration."""
    command = lift_command("--lift-output=patch", "--lift-iterations=1", "-p", "no:cacheprovider")
    began = time.monotonic()
    done = subprocess.run(
        [*command, *options], cwd=root, env=KEPT, capture_output=True, text=True, check=False
    )
    taken = time.monotonic() - began
    outcome = root / ".lift/run.json"
    run: dict[str, Any] = {"history": []}
    if outcome.exists():
        run = json.loads(outcome.read_text("utf-8"))
    if len(run["history"]) != 2:
        raise SystemExit(done.stdout + done.stderr)
    baseline, end = run["history"][0]["elapsed"], run["history"][1]["elapsed"]
    tests = run["history"][0]["figures"]["tests"]
    return {"all": taken, "baseline": baseline, "iteration": end - baseline, "tests": tests}


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        root = fetched(PACKAGE, Path(folder))
        git(root, "init", "-q")
        git(root, "add", "-A", "-f")
        git(root, "commit", "-qm", "as published")
        change(root / FILE, FUNCTION)
        rows = {"whole": lift(root), "changed": lift(root, "--lift-changed=HEAD")}
    print(f"{'seconds':>10} {'tests':>6} {'baseline':>9} {'iteration':>10} {'all':>7}")
    for name, row in rows.items():
        print(
            f"{name:>10} {row['tests']:>6} {row['baseline']:>9.1f} {row['iteration']:>10.1f}"
            f" {row['all']:>7.1f}"
        )
    ratios = {
        name: round(rows["whole"][name] / rows["changed"][name], 2)
        for name in ("baseline", "iteration", "all")
    }
    found = {"bench": "changed", "package": PACKAGE, "function": FUNCTION, "rows": rows}
    print(json.dumps({**found, "ratios": ratios, "load_average": os.getloadavg()[0]}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
