"""`make bench-first_screen`: how soon a new user sees what happens, and how long nothing moves.

Each package gets an environment of its own into which the plugin has just been installed, as a
user has it, and is lifted for the first time, on a terminal (a pty). Seconds are counted from the
start of the command: to the first output, to the first line that tells of the lift, and the
longest time without output before and after the user's own session.
`ARGS="--names idna,cachetools"`.
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import re
import select
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from sdists import environ, environment, sdist

NAMES = "schedule,cachetools,inflection,tabulate"
TOLD = re.compile(rb"^lift: ", re.MULTILINE)
OPENED = re.compile(rb"=+ lift =+")
"""What the section of the lift begins with, after the user's own session."""


@dataclass
class Row:
    package: str
    first_output: float = 0.0
    first_told: float = 0.0
    longest_silence: float = 0.0
    """In the lift: after the user's own session."""
    before_it: str = ""
    """The end of what stood there before the longest silence."""


def watched(package: str, root: Path, python: Path, minutes: float) -> Row:
    command = [str(python), "-m", "pytest", "--lift", f"--lift-max-minutes={minutes}"]
    row, seen, began = Row(package), b"", time.monotonic()
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(root)
        os.execve(command[0], command, {**environ(python), "TERM": "xterm", "COLUMNS": "100"})
    last = began
    while True:
        select.select([terminal], [], [])
        try:
            part = os.read(terminal, 65536)
        except OSError:  # how Linux tells the end of a terminal
            break
        now = time.monotonic()
        if not seen:
            row.first_output = now - began
        if OPENED.search(seen) and now - last > row.longest_silence:
            row.longest_silence, row.before_it = now - last, _end_of(seen)
        seen, last = seen + part, now
        if not row.first_told and TOLD.search(seen.replace(b"\r", b"")):
            row.first_told = now - began
    os.waitpid(child, 0)
    return row


def _end_of(output: bytes) -> str:
    lines = re.split(r"[\r\n]+", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", output.decode()))
    return next((line.strip() for line in reversed(lines) if line.strip()), "")[-60:]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--names", default=NAMES)
    parser.add_argument("--minutes", type=float, default=0.5)
    options = parser.parse_args()
    rows: list[Row] = []
    print(f"{'package':>16} {'output':>7} {'told':>6} {'silent':>7}  after")
    for name in options.names.split(","):
        with tempfile.TemporaryDirectory(prefix="first-screen-") as place:
            folder = Path(place)
            root = sdist(name, folder)
            python = environment(root, folder) if root else None
            if root is None or python is None:
                print(f"{name:>16} cannot be fetched or installed")
                continue
            row = watched(name, root, python, options.minutes)
            rows.append(row)
            print(f"{name:>16} {row.first_output:>7.2f} {row.first_told:>6.2f} "
                  f"{row.longest_silence:>7.2f}  {row.before_it}", flush=True)  # fmt: skip
    figures = {
        "bench": "first_screen",
        "packages": len(rows),
        "slowest_first_told": round(max((r.first_told for r in rows), default=0.0), 2),
        "longest_silence": round(max((r.longest_silence for r in rows), default=0.0), 2),
        "load_average": os.getloadavg()[0],
        "rows": [asdict(row) for row in rows],
    }
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
