"""`make bench-dormant`: what an installed but unused pytest-lift costs an empty session.

Minimum CPU of interleaved runs. `bare` is the same virtual environment, pytest-lift uninstalled
and everything that it depends on left in place; `off` is `-p no:lift`; `on` is the plain command.
Once with the core install, once with every extra. Two runs of the very same command differ by some
milliseconds on a shared machine: where valgrind is installed, instructions are counted too, which
other load does not change.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RUNS = 40


def environment(folder: Path, extras: str, *, bare: bool) -> Path:
    """The interpreter of a fresh virtual environment with pytest-lift, or only what it needs."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin" / "python"
    pip = [str(python), "-m", "pip", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", f"{ROOT}{extras}"], check=True)
    if bare:
        subprocess.run([*pip, "uninstall", "-y", "pytest-lift"], check=True)
    return python


def cpu(python: Path, folder: Path, *options: str) -> float:
    """CPU milliseconds, own and children's, of one empty pytest session."""
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    environ = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PYTEST"))}
    process = subprocess.Popen(command, cwd=folder, env=environ, stdout=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return 1000 * (usage.ru_utime + usage.ru_stime)


def compare(with_it: Path, without: Path, folder: Path) -> dict[str, float]:
    """bare, off and on: the minimum of interleaved runs, in CPU milliseconds."""
    ways: dict[str, tuple[Path, list[str]]] = {
        "bare": (without, []),
        "off": (with_it, ["-p", "no:lift"]),
        "on": (with_it, []),
    }
    seen: dict[str, list[float]] = {way: [] for way in ways}
    for turn in range(RUNS + 1):
        for way, (python, options) in ways.items():
            spent = cpu(python, folder, *options)
            if turn:  # the first turn writes the bytecode
                seen[way].append(spent)
    return {way: min(values) for way, values in seen.items()}


def instructions(python: Path, folder: Path) -> int:
    """Instructions of one empty pytest session, counted by callgrind."""
    log = folder / "callgrind.log"
    command = [
        "valgrind",
        "--tool=callgrind",
        "--callgrind-out-file=/dev/null",
        f"--log-file={log}",
    ]
    command += [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    environ = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PYTEST"))}
    environ["PYTHONHASHSEED"] = "0"
    subprocess.run(command, cwd=folder, env=environ, stdout=subprocess.DEVNULL, check=False)
    found = re.search(r"Collected : (\d+)", log.read_text())
    log.unlink()
    if found is None:
        raise SystemExit("callgrind said nothing")
    return int(found.group(1))


def main() -> int:
    result: dict[str, object] = {"bench": "dormant", "runs": RUNS}
    print(f"{'install':>8} {'bare ms':>8} {'off ms':>8} {'on ms':>8} {'on - bare':>10}")
    with tempfile.TemporaryDirectory() as top:
        empty = Path(top) / "empty"
        empty.mkdir()
        (empty / "pytest.ini").write_text("[pytest]\n")
        for name, extras in (("core", ""), ("all", "[all]")):
            with_it = environment(Path(top) / name, extras, bare=False)
            without = environment(Path(top) / f"{name}-bare", extras, bare=True)
            ms = compare(with_it, without, empty)
            extra = ms["on"] - ms["bare"]
            print(f"{name:>8} {ms['bare']:8.1f} {ms['off']:8.1f} {ms['on']:8.1f} {extra:10.1f}")
            result |= {f"{name}_{way}_ms": round(value, 1) for way, value in ms.items()}
            result[f"{name}_extra_ms"] = round(extra, 1)
            if shutil.which("valgrind"):
                bare, on = (instructions(python, empty) for python in (without, with_it))
                share = 100 * (on - bare) / bare
                print(f"{'':>8} {share:.1f} % more instructions: {ms['bare'] * share / 100:.1f} ms")
                result[f"{name}_extra_instructions_percent"] = round(share, 2)
                result[f"{name}_extra_ms_by_instructions"] = round(ms["bare"] * share / 100, 1)
    result["load_average"] = os.getloadavg()[0]
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
