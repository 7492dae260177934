"""`make bench-session_cost`: what `--requirements` costs an ordinary session of 10,000 tests.

Half of the tests carry a mark, for 1,000 requirements. Sessions without the plugin, with it (idle),
with `--requirements` for the first time, and again (pytest's cache holds what the tests say) take
turns; seconds are those of the processor, which other work on the machine changes little. The ratio
of each turn is what counts, the median is told. The bar: at most 5 % over bare pytest, again.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = 10_000
REQUIREMENTS = 1_000
TURNS = 3
BAR = 1.05
SHAPES = {"100 files of 100 tests": 100, "10 files of 1,000 tests": 10}
KINDS: dict[str, tuple[str, ...]] = {
    "bare": ("-p", "no:lift"),
    "idle": (),
    "first": ("--requirements=reqs.yml",),
    "again": ("--requirements=reqs.yml",),
}
KEPT = ".pytest_cache/d/lift"
UNWANTED = ("PYTEST", "LIFT", "COV", "PYTHONDONTWRITEBYTECODE")


def project(root: Path, files: int) -> Path:
    """Tests that take no time: what is left is the session's own."""
    tests = root / "tests"
    tests.mkdir(parents=True)
    rows = (
        f"  - {{id: R-{n}, title: t{n}, description: what `f{n}` does, acceptance: it is so}}\n"
        for n in range(REQUIREMENTS)
    )
    (root / "reqs.yml").write_text("all:\n" + "".join(rows), "utf-8")
    # Without it bare pytest warns of each mark, which costs more than the plugin.
    (root / "pytest.ini").write_text("[pytest]\nmarkers =\n    req(id): a requirement\n", "utf-8")
    each = TESTS // files
    for file in range(files):
        body = (_test(file * each + n) for n in range(each))
        (tests / f"test_{file:03d}.py").write_text("import pytest\n" + "".join(body), "utf-8")
    return root


def _test(n: int) -> str:
    mark = f'\n\n@pytest.mark.req("R-{n % REQUIREMENTS}")' if n % 2 else "\n"
    return f'{mark}\ndef test_{n}():\n    """Adds {n}."""\n    assert {n} + len("a") == {n + 1}\n'


def seconds(root: Path, options: tuple[str, ...]) -> float:
    command = [sys.executable, "-m", "pytest", "-q", *options]
    environ = {k: v for k, v in os.environ.items() if not k.startswith(UNWANTED)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=root, env=environ, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if f"{TESTS} passed" not in done.stdout:
        raise SystemExit(done.stdout[-2000:] + done.stderr[-2000:])
    return took


def measure(files: int) -> dict[str, float]:
    """Seconds of the bare session, and the median ratio of the others to it."""
    with tempfile.TemporaryDirectory() as folder:
        root = project(Path(folder) / "project", files)
        seconds(root, KINDS["bare"])  # compiled files
        turns = [_turn(root) for _ in range(TURNS)]
    ratios = {
        name: statistics.median(turn[name] / turn["bare"] for turn in turns) for name in KINDS
    }
    return {**ratios, "bare": statistics.median(turn["bare"] for turn in turns)}


def _turn(root: Path) -> dict[str, float]:
    shutil.rmtree(root / KEPT, ignore_errors=True)
    return {name: seconds(root, told) for name, told in KINDS.items()}


def main() -> int:
    found = {}
    print(f"{'project':26} {'bare':>8} {'idle':>8} {'first':>8} {'again':>8}")
    for name, files in SHAPES.items():
        one = found[name] = measure(files)
        told = f"{one['bare']:6.1f} s {one['idle']:8.3f} {one['first']:8.3f} {one['again']:8.3f}"
        print(f"{name:26} {told}", flush=True)
    held = all(one["again"] <= BAR for one in found.values())
    load = round(os.getloadavg()[0], 2)
    print(json.dumps({"bar": BAR, "held": held, "load": load, "tests": TESTS, "ratios": found}))
    return 0 if held else 1


if __name__ == "__main__":
    raise SystemExit(main())
