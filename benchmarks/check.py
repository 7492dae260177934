"""`make bench-check`: `pytest-lift check` of 10,000 tests and 2,000 requirements, as a process.

Wall time and peak memory of fresh processes, best and median of RUNS: of the whole project with
and without its cache, against a merge base with CHANGED changed files, and of one staged file.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FILES, TESTS_PER_FILE, REQUIREMENTS, CHANGED, RUNS = 500, 20, 2_000, 20, 7
COMMAND = (sys.executable, "-c", "from pytest_lift.cli import main; raise SystemExit(main())")
BARS = {"whole": (1.5, 150), "whole, cached": (1.5, 150), "one file": (0.2, 150)}
"""Row -> seconds and MB that it may take."""
ITEM = """\
    - id: REQ-{n:04d}
      title: Requirement number {n}
      description: >
        A sentence or two that say what the program has to do in case {n},
        and a little of why somebody wants it.
      acceptance:
        - Case {n} gives the value that is named in the examples
        - Any other case leaves the state as it was
      level: unit
"""
HEAD = '''\
"""Tests of part {file}."""

import pytest

from program import answer

pytestmark = [pytest.mark.req("REQ-{first:04d}")]
ALSO = "REQ-{second:04d}"
named = pytest.mark.req(ALSO)

'''
KINDS = (
    '@pytest.mark.req("REQ-{a:04d}")\n',
    '@pytest.mark.req("REQ-{a:04d}", "REQ-{b:04d}")\n',
    '@pytest.mark.req(["REQ-{a:04d}", "REQ-{b:04d}"])\n@pytest.mark.slow\n',
    "@named\n",
    '@pytest.mark.parametrize(\n    "value",\n    [\n'
    '        pytest.param(1, marks=pytest.mark.req("REQ-{a:04d}")),\n'
    '        pytest.param(2, marks=pytest.mark.req("REQ-{b:04d}")),\n        3,\n    ],\n)\n',
    '@pytest.mark.emergent("seen in use")\n',
    "",
)
"""Marks as tests have them, one kind after the other."""
BODY = '''\
def test_case_{n}({argument}):
    """Case {n} gives what is named."""
    result = answer({n}, strict=True)
    assert result.value == {n}
    assert result.name == "case {n}"


'''


def test_text(file: int) -> str:
    parts = [HEAD.format(file=file, first=file * 4 % 2000, second=(file * 4 + 1) % 2000)]
    for number in range(TESTS_PER_FILE):
        n = file * TESTS_PER_FILE + number
        mark = KINDS[n % len(KINDS)].format(a=n % REQUIREMENTS, b=(n * 7 + 1) % REQUIREMENTS)
        argument = "value" if "parametrize" in mark else ""
        parts.append(mark + BODY.format(n=n, argument=argument))
    return "".join(parts)


def requirement_text() -> str:
    lines = []
    for n in range(REQUIREMENTS):
        if n % 50 == 0:
            lines.append(f"chapter_{n}:\n  section_{n}:\n")
        lines.append(ITEM.format(n=n))
    return "".join(lines)


def make_project(root: Path) -> int:
    """A repository with one commit; how many bytes of tests there are."""
    (root / "tests").mkdir()
    (root / "pytest.ini").write_text("[pytest]\nlift_requirements = requirements.yml\n", "utf-8")
    (root / "requirements.yml").write_text(requirement_text(), "utf-8")
    size = 0
    for file in range(FILES):
        text = test_text(file)
        size += len(text)
        (root / f"tests/test_part_{file:03d}.py").write_text(text, "utf-8")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "all")
    return size


def change(root: Path) -> None:
    """One test more in some files."""
    for file in range(0, FILES, FILES // CHANGED):
        with (root / f"tests/test_part_{file:03d}.py").open("a", encoding="utf-8") as stream:
            stream.write('@pytest.mark.req("REQ-0001")\ndef test_new():\n    assert answer(1)\n')


def git(root: Path, *arguments: str) -> None:
    author = ("-c", "user.name=bench", "-c", "user.email=bench@localhost")
    subprocess.run(["git", *author, *arguments], cwd=root, check=True, capture_output=True)


def measured(root: Path, *arguments: str, cold: bool) -> tuple[float, float, float]:
    """(wall seconds, CPU seconds, peak MB) of one process."""
    if cold:
        shutil.rmtree(root / ".lift", ignore_errors=True)
    start = time.perf_counter()
    process = subprocess.Popen(
        [*COMMAND, "check", *arguments], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    said, complaint = process.communicate()
    seconds = time.perf_counter() - start
    if process.returncode != 0 or b"0 errors" not in said:
        raise SystemExit(f"{said.decode()[-2000:]}{complaint.decode()[-2000:]}")
    return seconds, *usage_of(root, arguments, cold)


def usage_of(root: Path, arguments: tuple[str, ...], cold: bool) -> tuple[float, float]:
    """CPU seconds and peak MB, of a run of its own that `wait4` reports on."""
    if cold:
        shutil.rmtree(root / ".lift", ignore_errors=True)
    with open(os.devnull, "wb") as nowhere:
        actions = [(os.POSIX_SPAWN_DUP2, nowhere.fileno(), 1)]
        here = os.getcwd()
        os.chdir(root)
        try:
            command = [*COMMAND, "check", *arguments]
            process = os.posix_spawn(sys.executable, command, os.environ, file_actions=actions)
        finally:
            os.chdir(here)
        usage = os.wait4(process, 0)[2]
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def row(root: Path, name: str, *arguments: str, cold: bool) -> dict[str, object]:
    if not cold:
        measured(root, *arguments, cold=False)
    runs = [measured(root, *arguments, cold=cold) for _ in range(RUNS)]
    found = {
        "row": name,
        "best_seconds": round(min(run[0] for run in runs), 3),
        "median_seconds": round(statistics.median(run[0] for run in runs), 3),
        "cpu_seconds": round(min(run[1] for run in runs), 3),
        "peak_mb": round(max(run[2] for run in runs), 1),
    }
    print(
        f"  {name:<24} {found['best_seconds']:>7} {found['median_seconds']:>8} "
        f"{found['cpu_seconds']:>7} {found['peak_mb']:>8}",
        flush=True,
    )
    return found


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        size = make_project(root)
        print(
            f"{FILES * TESTS_PER_FILE:,} tests in {FILES} files ({size / 1e6:.1f} MB), "
            f"{REQUIREMENTS:,} requirements, {RUNS} runs each"
        )
        print(f"  {'':<24} {'best s':>7} {'median s':>8} {'CPU s':>7} {'peak MB':>8}")
        one = "tests/test_part_007.py"
        rows = [
            row(root, "whole", cold=True),
            row(root, "whole, cached", cold=False),
            row(root, "one file, first time", one, cold=True),
            row(root, "one file", one, cold=False),
        ]
        change(root)
        rows += [
            row(root, "whole, --base", "--base", "HEAD", cold=True),
            row(root, "whole, --base, cached", "--base", "HEAD", cold=False),
        ]
    missed = [
        str(found["row"])
        for found in rows
        for seconds, megabytes in [BARS.get(str(found["row"]), (1.5, 150))]
        if float(str(found["median_seconds"])) > seconds or float(str(found["peak_mb"])) > megabytes
    ]
    print(f"bars missed by the median: {', '.join(missed) or 'none'}")
    average = os.getloadavg()[0]
    print(json.dumps({"bench": "check", "rows": rows, "missed": missed, "load_average": average}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
