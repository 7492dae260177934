"""`make bench-packages`: lifts of packages from PyPI, own tests left in: nothing may break.

For each package: what the lift says, and whether the suite that it leaves passes in a plain
pytest run, the package's own failures set aside.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

PACKAGES = sys.argv[1:] or ["tabulate==0.9.0", "itsdangerous==2.2.0", "packaging==25.0"]
KEPT = {k: v for k, v in os.environ.items() if k not in ("CI", "PYTEST_ADDOPTS")}


def fetched(package: str, folder: Path) -> Path:
    """The unpacked sdist, with a pytest.ini where the package has no pytest configuration."""
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:"]
    subprocess.run([*command, "-d", str(folder), package], check=False)
    archives = list(folder.glob("*.tar.gz")) + list(folder.glob("*.zip"))
    if not archives:
        raise SystemExit(f"{package} could not be fetched")
    with tarfile.open(archives[0]) as archive:
        archive.extractall(folder, filter="data")
    archives[0].unlink()
    return next(path for path in folder.iterdir() if path.is_dir())


def plain(root: Path) -> set[str]:
    """What fails in a plain run of everything."""
    command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-p", "no:cacheprovider"]
    environ = {**KEPT, "PYTHONPATH": os.pathsep.join((str(root / "src"), str(root)))}
    done = subprocess.run(command, cwd=root, env=environ, capture_output=True, text=True)
    return set(re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE))


def trial(package: str, folder: Path) -> dict[str, object]:
    root = fetched(package, folder)
    if not (root / "pytest.ini").exists():
        (root / "pytest.ini").write_text("[pytest]\n", "utf-8")
    before = plain(root)
    started = time.monotonic()
    command = [sys.executable, "-m", "pytest", "--lift", "--lift-output=land"]
    command += ["--lift-iterations=2", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=root, env=KEPT, capture_output=True, text=True)
    lift = done.stdout[done.stdout.rfind("= lift =") :]
    print(f"\n{package}\n{lift or done.stdout[-3000:]}{done.stderr[-2000:]}", flush=True)
    run = json.loads((root / ".lift/run.json").read_text("utf-8"))
    first = run["history"][0]["figures"]
    return {
        "package": package,
        "outcome": run["outcome"],
        "tests": [first["tests"], run["tests"]],
        "line_percent": [first["line_percent"], run["line_percent"]],
        "branch_percent": [first["branch_percent"], run["branch_percent"]],
        "newly_failing": sorted(plain(root) - before),
        "crash": "Traceback (most" in lift + done.stderr or done.returncode == 3,
        "seconds": round(time.monotonic() - started, 1),
    }


def main() -> int:
    rows = []
    for package in PACKAGES:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(trial(package, Path(folder)))
    print(f"{'package':>22} {'tests':>12} {'lines':>14} {'branches':>14} {'broken':>7} {'s':>6}")
    for row in rows:
        lines, branches = (
            " -> ".join(f"{v:.0f}" for v in row[key])  # type: ignore[attr-defined]
            for key in ("line_percent", "branch_percent")
        )
        tests = " -> ".join(map(str, row["tests"]))  # type: ignore[call-overload]
        broken = len(row["newly_failing"]) + bool(row["crash"])  # type: ignore[arg-type]
        print(
            f"{row['package']:>22} {tests:>12} {lines:>14} {branches:>14} {broken:>7} "
            f"{row['seconds']:>6}"
        )
    print(json.dumps({"bench": "packages", "rows": rows, "load_average": os.getloadavg()[0]}))
    return any(row["crash"] or row["newly_failing"] for row in rows)


if __name__ == "__main__":
    sys.exit(main())
