"""What diagnosis finds without running, and what it calls broken that is not.

30 kinds of broken tests of click, each beside its whole version; healthy files with all that pytest
and unittest offer; suites that other people wrote, of three packages from PyPI that are drawn from
a list and were not looked at before. Every alarm in healthy tests and theirs counts as false, but
for files that pytest cannot collect either.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from other_suites import Unpacked, diagnosed, suite_as_it_is, unpacked
from sdists import KEPT, environ

from pytest_lift.gate.diagnosis.diagnosing import Diagnoser

HEALTHY = Path(__file__).parent / "healthy_tests"
PROGRAM = "click==8.5.1"
CANDIDATES = (
    *("attrs", "werkzeug", "pyparsing", "sortedcontainers", "marshmallow", "jsonschema", "lark"),
    *("sqlparse", "h11", "blinker", "anytree", "boltons", "deepdiff", "pint", "uncertainties"),
    *("bottle", "structlog", "networkx", "hpack", "construct", "voluptuous", "wtforms", "babel"),
)
"""What is drawn from; what was tuned on is in none of them."""
SEED = 18
DRAWN = 3
HEAD = "import click\nimport pytest\n\n\n"
KINDS: dict[str, tuple[str, str]] = {
    "module misspelt": ("from click.testting import CliRunner", "testting=testing"),
    "module nested too deeply": ("from click.click.core import Context", "click.click=click"),
    "module below src": ("from src.click import Command", "src.click=click"),
    "name that the module lacks": ("from click.formatting import HelpFormater", "mater=matter"),
    "library that is not installed": ("import a_library_of_nobody", "a_library_of_nobody=json"),
    "relative import without a package": (
        "from .core import Context",
        "from .core=from click.core",
    ),
    "standard library not imported": (
        "def test_a():\n    assert json.dumps(click.HelpOption)",
        "json.dumps(=str(",
    ),
    "class of the program not imported": (
        "def test_a():\n    assert Command('a')",
        "Command=click.Command",
    ),
    "common alias not imported": (
        "def test_a():\n    assert np.array([1]).any()",
        "np.array([1]).any()=click",
    ),
    "misspelt variable": (
        "def test_a():\n    command = click.Command('a')\n    assert comand.name == 'a'",
        "comand.=command.",
    ),
    "variable used before it is bound": (
        "def test_a():\n    assert found\n    found = 1",
        "assert found\n=found = 2\n",
    ),
    "misspelt method": (
        "def test_a():\n    assert click.Command('a').get_ushage(None)",
        "get_ushage=get_usage",
    ),
    "misspelt function of the program": ("def test_a():\n    assert click.ecko('a')", "ecko=echo"),
    "misspelt function of the standard library": (
        "import os\n\ndef test_a():\n    assert os.path.joyn('a')",
        "joyn=join",
    ),
    "misspelt member of an enumeration": (
        "from click.core import ParameterSource\n\ndef test_a():\n    assert ParameterSource.PROMT",
        "PROMT=PROMPT",
    ),
    "unknown keyword": (
        "def test_a():\n    assert click.style('', color='red')",
        "color=fg",
    ),
    "argument missing": ("def test_a():\n    assert click.Command()", "()=('a')"),
    "too many arguments": (
        "def test_a():\n    assert click.unstyle('a', 'b')",
        "'a', 'b'='a'",
    ),
    "argument given twice": ("def test_a():\n    assert click.style('a', text='b')", ", text='b'="),
    "text called": ("def test_a():\n    assert click.Command('a').params()", "params()=params"),
    "wrong type": ("def test_a():\n    assert click.Choice(3)", "3=['a']"),
    "operator without support": ("def test_a():\n    assert click.Command('a') + 1", " + 1="),
    "subscript of what has none": ("def test_a():\n    assert click.Command('a')[0]", "[0]="),
    "bracket open": ("def test_a():\n    assert click.style('a'", "'a'='a')"),
    "test defined twice": (
        "def test_a():\n    assert click.style('a')\n\ndef test_a():\n    assert click.style('b')",
        "test_a():\n    assert click.style('b')=test_b():\n    assert click.style('b')",
    ),
    "unknown fixture": ("def test_a(runnr):\n    assert click.style('a')", "runnr=runner"),
    "table and parameters differ": (
        "@pytest.mark.parametrize('a, b', [(1, 2)])\ndef test_a(a):\n    assert click.style(a)",
        "(a):=(a, b):",
    ),
    "row of another length": (
        "@pytest.mark.parametrize('a, b', [(1, 2), (3,)])\ndef test_a(a, b):\n    assert click",
        "(3,)=(3, 4)",
    ),
    "self missing": (
        "class TestA:\n    def test_a():\n        assert click.style('a')",
        "():=(self):",
    ),
    "coroutine not awaited": (
        "import asyncio\n\nasync def test_a():\n    asyncio.sleep(0)\n    assert click",
        "asyncio.sleep=await asyncio.sleep",
    ),
}
"""Kind -> the broken text, and what makes it whole: old and new, at its last place."""


def whole(kind: str) -> tuple[str, str]:
    """Returns the broken text of a kind, and the whole one."""
    text, change = KINDS[kind]
    old, _, new = change.partition("=") if "==" not in change else change.rpartition("=")
    before, _, after = text.rpartition(old)
    return f"{HEAD}{text}\n", f"{HEAD}{before}{new}{after}\n"


def kinds(diagnoser: Diagnoser) -> dict[str, Any]:
    missed, alarms, took = [], [], []
    for kind in KINDS:
        broken, healthy = whole(kind)
        started = time.perf_counter()
        found = diagnoser.diagnose("tests/test_kind.py", broken)
        took.append((time.perf_counter() - started) * 1000)
        if not found:
            missed.append(kind)
        alarms += [f"{kind}: {one}" for one in diagnoser.diagnose("tests/test_kind.py", healthy)]
    return {
        "kinds": len(KINDS),
        "found": len(KINDS) - len(missed),
        "missed": missed,
        "alarms": alarms,
        "ms_median": round(statistics.median(took), 1),
        "ms_largest": round(max(took), 1),
    }


def inside(root: Path) -> dict[str, Any]:
    """Alarms in the suite of a package, by the interpreter that has what it needs."""
    lines, alarms, broken = 0, list[str](), list[str]()
    with diagnosed(root) as diagnoser:
        started = time.perf_counter()
        for path, file in diagnoser.suite.files.items():
            if diagnoser.suite.naming.is_test_file(path) or path.endswith("conftest.py"):
                lines += file.text.count("\n")
                said = diagnoser.diagnose(path, file.text)
                kept = alarms if said and is_collected(root, path) else broken
                kept += [f"{path}: {one.rule}: {one}" for one in said]
        seconds = time.perf_counter() - started
        server = diagnoser.server.name if diagnoser.asks and diagnoser.server else "none"
    return {
        "lines": lines,
        "alarms": alarms,
        "in_broken_files": broken,
        "seconds": round(seconds, 1),
        "server": server,
    }


def is_collected(root: Path, path: str) -> bool:
    """Whether pytest collects a file: what it does not is broken as told, for lack of a library."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "-p",
        "no:cacheprovider",
        path,
    ]
    done = subprocess.run(command, cwd=root, env=KEPT, capture_output=True, check=False)
    return done.returncode == 0


def of_kinds(package: Unpacked) -> dict[str, Any]:
    """Kinds and healthy files, with click's own sources."""
    tests = package.root / "tests"
    for path in [*tests.rglob("*.py")]:
        path.unlink()
    for path in HEALTHY.glob("*.py"):
        (tests / path.name).write_bytes(path.read_bytes())
    return told(package, "--kinds")


def told(package: Unpacked, *options: str) -> dict[str, Any]:
    command = [str(package.python), __file__, "--inside", str(package.root), *options]
    done = subprocess.run(
        command, env=environ(package.python), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inside", type=Path)
    parser.add_argument("--kinds", action="store_true")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    if options.inside:
        figures = inside(options.inside)
        if options.kinds:
            with diagnosed(options.inside) as diagnoser:
                figures["of_kinds"] = kinds(diagnoser)
        print(json.dumps(figures))
        return
    drawn = random.Random(options.seed).sample(CANDIDATES, len(CANDIDATES))
    with tempfile.TemporaryDirectory() as folder:
        program = unpacked(PROGRAM, Path(folder, "click"))
        if program is None:
            raise SystemExit(f"{PROGRAM} could not be fetched")
        healthy = of_kinds(program)
        theirs: dict[str, Any] = {}
        for name in drawn:
            if len(theirs) == DRAWN:
                break
            package = unpacked(name, Path(folder, name))
            if package is not None and suite_as_it_is(package.root).files:
                theirs[name] = told(package)
    show(healthy, theirs)
    lines = sum(one["lines"] for one in theirs.values())
    alarms = sum(len(one["alarms"]) for one in theirs.values())
    figures = {
        **healthy["of_kinds"],
        "healthy_lines": healthy["lines"],
        "healthy_alarms": [*healthy["alarms"], *healthy["of_kinds"]["alarms"]],
        "theirs": theirs,
        "theirs_lines": lines,
        "alarms_per_5000_lines": round(alarms * 5000 / max(lines, 1), 2),
        "server": healthy["server"],
        "seed": options.seed,
        "load": os.getloadavg()[0],
    }
    print(json.dumps(figures))


def show(healthy: dict[str, Any], theirs: dict[str, Any]) -> None:
    found = healthy["of_kinds"]
    print(f"{found['found']} of {found['kinds']} kinds found; missed: {', '.join(found['missed'])}")
    print(f"healthy files, {healthy['lines']} lines: {len(healthy['alarms'])} alarms")
    print(*(f"  {one}" for one in [*healthy["alarms"], *found["alarms"]]), sep="\n")
    for name, one in theirs.items():
        print(f"{name}: {one['lines']} lines, {len(one['alarms'])} alarms, {one['seconds']} s")
        print(*(f"  {alarm}" for alarm in one["alarms"]), sep="\n")
        print(*(f"  (not collected) {alarm}" for alarm in one["in_broken_files"]), sep="\n")


if __name__ == "__main__":
    main()
