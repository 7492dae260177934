"""`make bench-kill`: kill -9 at random moments of a lift; nothing of anybody's is ever lost.

Only the lift's own process is killed. Moments are spread over the whole lift; a part of them waits
for a landing or for an iteration that is being stored, which are too short to be hit by chance.
`--times N` (200), `--seed N` (0), `--sandbox TIER` (auto).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from lifting import lift_command

from pytest_lift.store.archive import KEPT
from pytest_lift.store.landing import recover
from pytest_lift.suite.suite import is_suite_path

STEPS, LANES, LIFTS_AT_ONCE = 3, 4, 2
FOLLOWED = 10
"""Every so many kills are followed by a whole lift, in turn resumed and plain."""
GRACE = 2.0
"""Seconds after which no process of a killed lift may be left."""
WAITING = 0.0005

MODULE = "def f{n}(x):\n    if x > {n}:\n        return x\n    return -x\n"
MINE = "from thing.f0 import f0\n\n\ndef test_mine():  # as   I like it\n    assert f0(9) == 9\n"
AGENTS = '''\
"""Each edit writes one file more, rewrites one, and the last moves the first file's test."""
from pytest_lift.agents.contract import Agents
from pytest_lift.agents.offline.evaluator import evaluator
from pytest_lift.suite.suite import Edit

TEST = """

@pytest.mark.emergent("seen")
def test_f{n}(large):
    \\"\\"\\"Keeps what is large.\\"\\"\\"
    assert f{n}(large) == 99
"""
FIXTURES = """import pytest


@pytest.fixture
def large():  # in step {step}
    return 99
"""


def text(*numbers):
    names = "".join(f"from thing.f{n} import f{n}\\n" for n in numbers)
    head = f\'"""Tests."""\\n\\nimport pytest\\n\\n{names}\'
    return head + "".join(TEST.format(n=n) for n in numbers)


def generator(brief):
    step = 1 + sum(f"tests/test_f{n}.py" in brief.suite.files for n in (2, 3))
    step += any("test_f1(" in file.text for file in brief.suite.files.values())
    if step > STEPS:
        return Edit({})
    fixtures = FIXTURES.format(step=step)
    files = {f"tests/test_f{step}.py": text(step), "tests/conftest.py": fixtures}
    if step == STEPS:
        files |= {"tests/test_f1.py": None, f"tests/test_f{step}.py": text(1, step)}
    return Edit(files)


def pytest_lift_agents(settings):
    return Agents("scripted", generator, evaluator, evaluator)
'''
FILES = {
    "thing/__init__.py": "",
    **{f"thing/f{n}.py": MODULE.format(n=n) for n in range(STEPS + 2)},
    "conftest.py": AGENTS.replace("STEPS", str(STEPS)),
    "setup.cfg": "",
    "tests/test_mine.py": MINE,
    "tests/data.txt": "data",
    "notes.txt": "mine",
}

Snapshot = dict[str, bytes]


@dataclass
class Place:
    """One project, with a temporary folder of its own by which its processes are known."""

    base: Path
    sandbox: str
    mark: str = field(default_factory=lambda: f"kill-{uuid.uuid4().hex}")

    def __post_init__(self) -> None:
        for name, text in FILES.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        self.temporary.mkdir()

    @property
    def root(self) -> Path:
        return self.base / "project"

    @property
    def temporary(self) -> Path:
        return self.base / self.mark

    def start(self, *options: str) -> subprocess.Popen[bytes]:
        kept = {k: v for k, v in os.environ.items() if k not in ("CI", "PYTEST_ADDOPTS")}
        command = lift_command(f"--lift-iterations={STEPS}")
        return subprocess.Popen(
            [*command, "--lift-no-contexts", f"--lift-sandbox={self.sandbox}", *options],
            cwd=self.root,
            env={**kept, "TMPDIR": str(self.temporary), "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.DEVNULL,
            stdout=(self.base / "output").open("wb"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def output(self) -> str:
        return (self.base / "output").read_text("utf-8", "replace")

    def lift(self, *options: str) -> int:
        return self.start(*options).wait()

    def suite(self) -> Snapshot:
        """What pytest would see of the test root, and the ownership file."""
        return {p: d for p, d in self._files() if is_suite_path("tests", p)}

    def rest(self) -> Snapshot:
        """Everything else that is the user's."""
        mine = {p: d for p, d in self._files() if not is_suite_path("tests", p)}
        return mine | {p: d for p, d in self._files() if p in FILES}

    def _files(self) -> list[tuple[str, bytes]]:
        found = []
        for path in sorted(self.root.rglob("*")):
            name = path.relative_to(self.root).as_posix()
            passing = ("__pycache__", ".pytest_cache", ".lift", ".coverage")
            if path.is_file() and not set(path.parts) & set(passing):
                mode = f"{path.stat().st_mode:o} ".encode()
                found.append((name, mode + path.read_bytes()))
        return found

    def copies(self) -> int:
        """Private copies that lie about."""
        return sum(1 for _ in self.temporary.glob("pytest-lift-*"))

    def processes(self) -> list[int]:
        """Those that have this place in their folder, arguments or environment."""
        return [pid for pid in _pids() if self.mark in _traces(pid)]

    def moment(self) -> str:
        """What was under way, by what lies about."""
        lift = self.root / ".lift"
        if (lift / "landing.json").exists():
            return "landing"
        if any(lift.glob("history/*/.*.tmp")) or any(lift.glob(".*.tmp")):
            return "storing"
        if not any(lift.glob("history/*/000")):
            return "before iteration 0 was stored"
        return "between"


def _pids() -> list[int]:
    return [
        int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()
    ]


def _traces(pid: int) -> str:
    found = []
    for name in ("cmdline", "environ"):
        try:
            found.append(Path(f"/proc/{pid}/{name}").read_bytes().decode("utf-8", "replace"))
        except OSError:
            continue
    try:
        found.append(os.readlink(f"/proc/{pid}/cwd"))
    except OSError:
        pass
    return "\0".join(found)


@dataclass
class Reference:
    """What an undisturbed lift does."""

    accepted: list[Snapshot]
    rest: Snapshot
    seconds: float
    jail: str


def reference(base: Path, sandbox: str) -> Reference:
    place = Place(base, sandbox)
    before, rest = place.suite(), place.rest()
    began = time.monotonic()
    status = place.lift()
    seconds = time.monotonic() - began
    run = json.loads((place.root / ".lift/run.json").read_text("utf-8"))
    history = place.root / ".lift/history" / run["run"]
    accepted = [before]
    for row in run["history"][1:]:
        texts = history / f"{row['number']:03d}" / "tests"
        stored = {
            f"tests/{place.relative_to(texts)}".removesuffix(KEPT): place.read_bytes()
            for place in texts.rglob("*.*")
        }
        accepted.append({p: b"100644 " + data for p, data in sorted(stored.items())})
    if status or not all(row["accepted"] for row in run["history"]) or len(accepted) != STEPS + 1:
        raise SystemExit(f"the undisturbed lift did not do what it should\n{place.output()}")
    if place.suite() != accepted[-1] or place.rest() != rest:
        raise SystemExit("the undisturbed lift did not leave what it had accepted")
    return Reference(accepted, rest, seconds, run["jail"]["tier"])


@dataclass
class Result:
    """What was found after one kill."""

    moment: str
    broken: list[str] = field(default_factory=list)
    stage: int = -1
    """Which of the accepted suites was there."""
    orphans: int = 0
    copies: int = 0
    followed: str = ""


class Killer:
    """Kills lifts and looks at what they left."""

    def __init__(self, base: Path, known: Reference, options: argparse.Namespace) -> None:
        self.base, self.known, self.seed = base, known, options.seed
        self.sandbox = options.sandbox
        self.lifts = threading.Semaphore(LIFTS_AT_ONCE)

    def kill(self, number: int) -> Result:
        draw = random.Random(f"{self.seed} {number}")
        while True:
            place = Place(self.base / f"{number}-{uuid.uuid4().hex[:6]}", self.sandbox)
            try:
                if self._killed(place, draw):
                    return self._looked_at(place, number)
            finally:
                for pid in place.processes():
                    os.kill(pid, signal.SIGKILL)
                shutil.rmtree(place.base, ignore_errors=True)

    def _killed(self, place: Place, draw: random.Random) -> bool:
        """False when the lift had ended before."""
        with self.lifts:
            process = place.start()
            until = self._moment(place, draw)
            while not until() and process.poll() is None:
                time.sleep(WAITING)
            ended = process.poll() is not None
            process.kill()
            process.wait()
        return not ended

    def _moment(self, place: Place, draw: random.Random) -> Callable[[], bool]:
        """By the clock, or a little after something has begun for the so-manieth time."""
        kind = draw.choices(("clock", "landing.json", "history/*/.*.tmp"), (6, 2, 2))[0]
        if kind == "clock":
            end = time.monotonic() + draw.uniform(0.0, 1.1 * self.known.seconds)
            return lambda: time.monotonic() >= end
        count, delay = draw.randint(1, STEPS), draw.uniform(0.0, 0.015)
        seen = [False, 0, 0.0]

        def come() -> bool:
            there = any((place.root / ".lift").glob(kind))
            if there and not seen[0]:
                seen[1] += 1
                seen[2] = time.monotonic() + delay
            seen[0] = there
            return seen[1] >= count and time.monotonic() >= seen[2]

        return come

    def _looked_at(self, place: Place, number: int) -> Result:
        result = Result(place.moment(), copies=place.copies())
        time.sleep(GRACE)
        result.orphans = len(place.processes())
        if result.orphans:
            result.broken.append(f"{result.orphans} processes were left after {GRACE:.0f} s")
        if number % FOLLOWED == FOLLOWED // 2:
            result.followed = "restore"
            self._restore(place, result)
            return result
        recover(place.root, place.root / ".lift")
        self._compare(place, result)
        if number % FOLLOWED == 0:
            result.followed = "resume" if number % (2 * FOLLOWED) else "plain"
            self._follow(place, result)
        return result

    def _compare(self, place: Place, result: Result) -> None:
        suite = place.suite()
        if suite in self.known.accepted:
            result.stage = self.known.accepted.index(suite)
        else:
            result.broken.append("the suite is none that was accepted")
        if place.rest() != self.known.rest:
            result.broken.append("a file of the user's was changed")

    def _restore(self, place: Place, result: Result) -> None:
        code = "import sys; from pytest_lift.cli import main; sys.exit(main())"
        done = subprocess.run(
            [sys.executable, "-c", code, "restore", "--project", str(place.root)],
            capture_output=True,
            text=True,
        )
        nothing = "there is no run to undo" in done.stderr
        if done.returncode and not nothing:
            result.broken.append(f"restore: {done.stdout}{done.stderr}")
        self._compare(place, result)
        if result.stage != 0:
            result.broken.append("restore did not put back what the run found")

    def _follow(self, place: Place, result: Result) -> None:
        """A whole lift on what was left: it works, and clears up."""
        runs = list((place.root / ".lift").glob("history/[0-9]*"))
        told = ["--lift-resume"] if result.followed == "resume" and runs else []
        with self.lifts:
            status = place.lift(*told)
        if status or place.suite() != self.known.accepted[-1]:
            result.broken.append(f"the next lift {told}: {status}\n{place.output()[-1500:]}")
        if place.rest() != self.known.rest:
            result.broken.append("the next lift changed a file of the user's")
        if place.copies():
            result.broken.append("the next lift left a private copy behind")


def report(results: list[Result], known: Reference, seed: int) -> int:
    broken = [text for result in results for text in result.broken]
    moments = Counter(result.moment for result in results)
    stages = Counter(result.stage for result in results)
    data = {
        "bench": "kill",
        "kills": len(results),
        "seed": seed,
        "jail": known.jail,
        "seconds_of_an_undisturbed_lift": round(known.seconds, 2),
        "accepted_suites": len(known.accepted),
        "killed": dict(sorted(moments.items())),
        "left_at_suite": {str(stage): count for stage, count in sorted(stages.items())},
        "neither_old_nor_new": sum("none that was accepted" in text for text in broken),
        "user_files_changed": sum("user's" in text for text in broken),
        "lifts_with_orphans_after_2_s": sum(result.orphans > 0 for result in results),
        "private_copies_left_by_the_killed": sum(result.copies for result in results),
        "followed_by": dict(Counter(r.followed for r in results if r.followed)),
        "broken_promises": len(broken),
        "load_average": round(os.getloadavg()[0], 1),
    }
    for text in broken:
        print(text)
    for key, value in data.items():
        print(f"{key:>34}  {value}")
    print(json.dumps(data))
    return 1 if broken else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sandbox", default="auto")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-kill-") as folder:
        base = Path(folder)
        known = reference(base / "reference", options.sandbox)
        killer = Killer(base, known, options)
        with ThreadPoolExecutor(LANES) as lanes:
            results = list(lanes.map(killer.kill, range(options.times)))
    return report(results, known, options.seed)


if __name__ == "__main__":
    sys.exit(main())
