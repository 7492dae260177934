"""How many tests that people wrote the gate would refuse: the suites of packages from PyPI."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pytest_lift.forbidden import forbidden

PACKAGES = (
    *("cachetools==8.0.0", "click==8.5.1", "itsdangerous==2.2.0", "jinja2==3.1.6"),
    *("markupsafe==3.0.4", "more-itertools==11.2.1", "packaging==26.3", "pluggy==1.7.0"),
    *("psutil==7.2.2", "requests==2.34.2", "tabulate==0.10.0", "tomlkit==0.15.2"),
)
SCRATCH = Path(__file__).resolve().parents[1] / ".demo" / "refusals"


def main() -> int:
    total: Counter[str] = Counter()
    print(f"{'package':<24} {'files':>5} {'refused':>7} {'tests':>6} {'refused':>7}  why")
    for package in PACKAGES:
        counts, reasons = measure(unpacked(package))
        total += counts
        why = ", ".join(f"{count} {what}" for what, count in reasons.most_common(4))
        print(
            f"{package:<24} {counts['files']:>5} {counts['files_refused']:>7} "
            f"{counts['tests']:>6} {counts['tests_refused']:>7}  {why}"
        )
    print(json.dumps(dict(total)))
    return 0


def unpacked(package: str) -> Path:
    """The source distribution, downloaded once."""
    place = SCRATCH / package
    if not place.exists():
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps"]
        command += ["--disable-pip-version-check", "--no-binary", ":all:", "-d", str(SCRATCH)]
        before = {*SCRATCH.glob("*.tar.gz")}
        subprocess.run([*command, package], check=True)
        (archive,) = {*SCRATCH.glob("*.tar.gz")} - before
        with tarfile.open(archive) as packed:
            packed.extractall(place, filter="data")
    return place


def measure(folder: Path) -> tuple[Counter[str], Counter[str]]:
    """A file is refused for what stands around its tests; a test for what stands in it."""
    counts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for path in test_files(folder):
        text = path.read_text("utf-8")
        found = forbidden(text)
        tests = [node for node in ast.walk(ast.parse(text)) if is_test(node)]
        inside = {f for f in found for t in tests if t.lineno <= f.line <= (t.end_lineno or 0)}
        hit = [t for t in tests if any(t.lineno <= f.line <= (t.end_lineno or 0) for f in found)]
        counts["files"] += 1
        counts["files_refused"] += bool({*found} - inside)
        counts["tests"] += len(tests)
        counts["tests_refused"] += len(hit)
        reasons.update(fault.what for fault in found)
    return counts, reasons


def test_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*.py")):
        if path.name.startswith("test_") or path.name in ("conftest.py", "tests.py"):
            yield path


def is_test(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test")


if __name__ == "__main__":
    sys.exit(main())
