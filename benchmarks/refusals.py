"""How many tests that people wrote the gate would refuse: the suites of packages from PyPI.

By rule: what a test does (`forbidden.py`), what sets it aside, what it fakes, private names and
others' messages that it pins, and whether it asserts something and touches the program. People may
do all of this; a rule that calls wrong what is right shows here (`--show RULE` lists the places).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pytest_lift.assertions.substance import Substance
from pytest_lift.gate.evasion import faked, set_aside
from pytest_lift.gate.forbidden import Violation, forbidden
from pytest_lift.gate.imported import Origins
from pytest_lift.gate.pinned import pinned, pinned_messages
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program, read_program
from pytest_lift.source.syntax import parse
from pytest_lift.suite.collection import DEFAULT_NAMING
from pytest_lift.suite.test_file import parse_test_file

PACKAGES = (
    *("cachetools==8.0.0", "click==8.5.1", "itsdangerous==2.2.0", "jinja2==3.1.6"),
    *("markupsafe==3.0.4", "more-itertools==11.2.1", "packaging==26.3", "pluggy==1.7.0"),
    *("psutil==7.2.2", "requests==2.34.2", "tabulate==0.10.0", "tomlkit==0.15.2"),
)
SCRATCH = Path(__file__).resolve().parents[1] / ".demo" / "refusals"


RULES = ("forbidden", "aside", "faked", "private", "messages", "assertions", "program")


def main() -> int:
    shown = sys.argv[2] if sys.argv[1:2] == ["--show"] else ""
    total: Counter[str] = Counter()
    print(f"{'package':<24} {'files':>5} {'tests':>6}" + "".join(f" {r:>10}" for r in RULES))
    for package in PACKAGES:
        counts = measure(unpacked(package), shown)
        total += counts
        print(_row(package, counts))
    print(_row("all", total))
    print(json.dumps(dict(total)))
    return 0


def _row(name: str, counts: Counter[str]) -> str:
    figures = "".join(f" {counts[rule]:>10}" for rule in RULES)
    return f"{name:<24} {counts['files']:>5} {counts['tests']:>6}{figures}"


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


def measure(folder: Path, shown: str = "") -> Counter[str]:
    """Tests that each rule refuses, and files for what stands around their tests (`_files`)."""
    program = program_of(folder)
    counts: Counter[str] = Counter()
    for path in test_files(folder):
        text = path.read_text("utf-8")
        file = parse_test_file(path.name, text)
        substance = Substance(parse(text), DEFAULT_NAMING, program.names)
        counts.update(("files",))
        counts["tests"] += len(file.tests)
        found = list(by_rule(text, program))
        for rule in RULES[:-2]:
            lines = {fault.line: str(fault) for name, fault in found if name == rule}
            hit = [n for n in lines if any(t.line <= n <= t.end_line for t in file.tests)]
            counts[rule] += sum(any(t.line <= n <= t.end_line for n in hit) for t in file.tests)
            counts[f"{rule}_files"] += len(hit) < len(lines)
            if rule == shown:
                print(*(f"  {path}: {what}" for what in lines.values()), sep="\n")
        for test in file.tests:
            for fault in substance.faults(test.node.partition("::")[2]):
                rule = "assertions" if "asserts" in fault else "program"
                counts[rule] += 1
                if rule == shown:
                    print(f"  {path}:{test.line} {test.name}")
    return counts


def by_rule(text: str, program: Program) -> Iterator[tuple[str, Violation]]:
    tree, origins = parse(text), Origins(program)
    yield from (("forbidden", fault) for fault in forbidden(text))
    yield from (("aside", fault) for fault in set_aside(tree))
    yield from (("faked", fault) for fault in faked(tree, origins))
    yield from (("private", fault) for fault in pinned(tree, origins, Requirements()))
    yield from (("messages", f) for f in pinned_messages(tree, program, Requirements()))


def program_of(folder: Path) -> Program:
    """The packages and modules of a source distribution, below `src` if there is one."""
    (top,) = (path for path in folder.iterdir() if path.is_dir())
    root = top / "src" if (top / "src").is_dir() else top
    paths = tuple(
        path.name
        for path in sorted(root.iterdir())
        if ((path / "__init__.py").exists() and path.name not in ("tests", "test", "docs"))
        or (path.suffix == ".py" and not path.name.startswith(("test", "setup", "conftest")))
    )
    return read_program(root, paths, ("",), "")


def test_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*.py")):
        if path.name.startswith("test_") or path.name in ("conftest.py", "tests.py"):
            yield path


if __name__ == "__main__":
    sys.exit(main())
