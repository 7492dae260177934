"""`make bench-shapes`: small projects of many shapes, each lifted for ten seconds.

What lands has to pass a plain `pytest` that does not load the plugin, in the folder where the user
stands, with every test of theirs still there; a unittest project has to pass `python -m unittest`,
and one with a formatter has to be as it formats. Where nothing lands, a sentence has to say why.

    make bench-shapes                                  # all of benchmarks/shape_table/table.py
    python benchmarks/shapes.py src 7                  # "src" in the name, and the seventh
    python benchmarks/shapes.py --seconds=60 unittest  # where the machine is busy
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from shape_table import table

SECONDS = 10
PATIENCE = 300
"""Seconds after which a lift hangs."""
BIN = Path(sys.executable).parent
KEPT = {
    name: value
    for name, value in os.environ.items()
    if name != "CI" and not name.startswith(("PYTEST", "LIFT", "COV", "GITHUB"))
}


@dataclass(frozen=True)
class Verdict:
    """What became of one shape."""

    name: str
    landed: int
    """Files of tests that are new or changed."""
    seconds: float
    told: str
    faults: tuple[str, ...]

    @property
    def good(self) -> bool:
        return not self.faults


def judged(shape: table.Shape, root: Path, limit: float = SECONDS) -> Verdict:
    """Lift `shape` in the empty folder `root`, and hold what is there against what should be."""
    before = shape.files()
    for name, text in before.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    here = root / table.LAYOUTS[shape.layout].here
    minutes = f"--lift-max-minutes={limit / 60:.3f}"
    options = ["--lift", "--lift-mutation=off", "--lift-output=land", minutes]
    started = time.monotonic()
    try:
        lift = _run(here, str(BIN / "pytest"), *options)
    except subprocess.TimeoutExpired:
        return Verdict(shape.name, 0, PATIENCE, "", (f"no end after {PATIENCE} s",))
    seconds = time.monotonic() - started
    text = lift.stdout + lift.stderr
    after = {path: text for path, text in _tests(root) if before.get(path) != text}
    faults = ["a traceback"] if re.search("Traceback|INTERNALERROR|crash.txt", text) else []
    if after:
        faults += _of_what_landed(shape, root, here, before)
    elif not (shape.says and re.search(shape.says, text)):
        faults.append("nothing landed, and no sentence says what to do")
    return Verdict(shape.name, len(after), seconds, _told(text), tuple(faults))


def _of_what_landed(
    shape: table.Shape, root: Path, here: Path, before: dict[str, str]
) -> Iterator[str]:
    plain = _run(here, str(BIN / "pytest"), "-p", "no:lift", "-p", "no:cacheprovider", "-q")
    if plain.returncode:
        yield f"plain pytest ends with {plain.returncode}: {_last(plain.stdout + plain.stderr)}"
    for path, text in before.items():
        if not _still_in(text, (root / path).read_text("utf-8")):
            yield f"lines of {path} are gone"
    if shape.tests == "unittest":
        yield from _of_unittest(shape, root)
    if "ruff 79" in shape.settings:
        done = _run(root, str(BIN / "ruff"), "format", "--check", "--no-cache", "tests")
        if done.returncode:
            yield f"not as the formatter has it: {_last(done.stdout)}"


def _of_unittest(shape: table.Shape, root: Path) -> Iterator[str]:
    layout = table.LAYOUTS[shape.layout]
    folder = Path(layout.tests).parent.as_posix()
    paths = [root / name for name in ("src", "lib3", ".")]
    known = {"PYTHONPATH": os.pathsep.join(map(str, paths))}
    done = _run(root, sys.executable, "-m", "unittest", "discover", "-s", folder, **known)
    if done.returncode:
        yield f"unittest ends with {done.returncode}: {_last(done.stderr)}"
    elif _functions(root / folder):
        yield f"unittest runs none of {', '.join(_functions(root / folder))}"


def _functions(folder: Path) -> list[str]:
    """Test functions outside of classes, in files that unittest loads too."""
    found: list[str] = []
    for path in sorted(folder.glob("test*.py")):
        text = path.read_text("utf-8")
        if "unittest" in text:
            found += re.findall(r"^def (test_\w+)", text, re.MULTILINE)
    return found


def _run(here: Path, *command: str, **environ: str) -> subprocess.CompletedProcess[str]:
    known = {**KEPT, "PYTHONDONTWRITEBYTECODE": "1", **environ}
    return subprocess.run(
        command, cwd=here, env=known, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def _tests(root: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if not name.startswith(".lift/"):
            yield name, path.read_text("utf-8")


def _still_in(before: str, after: str) -> bool:
    """Whether every line is still there, in its order."""
    rest = iter(after.splitlines())
    return all(line in rest for line in before.splitlines())


def _told(text: str) -> str:
    """The last line of what the lift said, or its error."""
    lines = [line.strip("= ") for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith(("ERROR", "->"))]
    return " ".join(errors[:2]) or (lines[-1] if lines else "")


def _last(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    bad = [line for line in lines if line.startswith(("E ", "FAILED", "ERROR"))]
    return (bad or lines or [""])[-1].strip()[:160]


def _chosen(words: list[str]) -> list[table.Shape]:
    if not words:
        return list(table.SHAPES)
    return [
        shape
        for number, shape in enumerate(table.SHAPES, 1)
        if any(word == str(number) or word in shape.name for word in words)
    ]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=SECONDS, help="limit of each lift")
    parser.add_argument("words", nargs="*", help="parts of names, or numbers")
    options = parser.parse_args(arguments)
    found: list[Verdict] = []
    for shape in _chosen(options.words):
        with tempfile.TemporaryDirectory(prefix="shape-") as folder:
            verdict = judged(shape, Path(folder), options.seconds)
        found.append(verdict)
        sign = "good" if verdict.good else "BAD "
        landed = f"{verdict.landed} landed"
        print(f"{sign} {verdict.seconds:6.1f} s  {landed:9}  {verdict.name}", flush=True)
        print(f"                         {verdict.told[:150]}", flush=True)
        for fault in verdict.faults:
            print(f"                         ! {fault}", flush=True)
    good = sum(verdict.good for verdict in found)
    print(f"\n{good} of {len(found)} shapes; load average {os.getloadavg()[0]:.1f}")
    rows = [
        {"shape": one.name, "landed": one.landed, "seconds": round(one.seconds, 1)}
        | {"told": one.told, "faults": list(one.faults)}
        for one in found
    ]
    print(
        json.dumps(
            {
                "bench": "shapes",
                "seconds": options.seconds,
                "good": good,
                "of": len(found),
                "rows": rows,
            }
        )
    )
    return 0 if good == len(found) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
