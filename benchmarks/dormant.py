"""`make bench-dormant`: what an installed but unused pytest-lift costs an empty session.

Minimum CPU seconds over interleaved runs, plugin on and off (`-p no:lift`), in a virtual
environment with the core install and in one with every extra.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RUNS = 40


def environment(folder: Path, extras: str) -> Path:
    """The interpreter of a fresh virtual environment with pytest-lift installed."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin" / "python"
    command = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*command, f"{ROOT}{extras}"], check=True)
    return python


def cpu(python: Path, folder: Path, *options: str) -> float:
    """CPU milliseconds, own and children's, of one empty pytest session."""
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return 1000 * (usage.ru_utime + usage.ru_stime)


def compare(python: Path, folder: Path) -> tuple[float, float]:
    """(off, on): the minimum of interleaved runs."""
    off, on = [], []
    for _ in range(RUNS):
        off.append(cpu(python, folder, "-p", "no:lift"))
        on.append(cpu(python, folder))
    return min(off), min(on)


def main() -> int:
    result: dict[str, object] = {"bench": "dormant", "runs": RUNS}
    print(f"{'install':>8} {'off ms':>8} {'on ms':>8} {'extra ms':>9}")
    with tempfile.TemporaryDirectory() as top:
        empty = Path(top) / "empty"
        empty.mkdir()
        (empty / "pytest.ini").write_text("[pytest]\n")
        for name, extras in (("core", ""), ("all", "[all]")):
            python = environment(Path(top) / name, extras)
            cpu(python, empty)
            off, on = compare(python, empty)
            print(f"{name:>8} {off:8.1f} {on:8.1f} {on - off:9.1f}")
            result |= {f"{name}_off_ms": round(off, 1), f"{name}_extra_ms": round(on - off, 1)}
    result["load_average"] = os.getloadavg()[0]
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
