"""Hostile inputs by the ten thousand: only LiftError comes out, in time, and nothing gets out.

For every reader of a file that somebody else may have written, valid inputs are mutated and given
to what the product calls. A violation is: an exception that is no LiftError, more than SECONDS,
more than MEMORY, a dead process, a change outside of the case's own folder, or the content of the
decoy in what came out.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import hashlib
import io
import json
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

from pytest_lift.errors import LiftError

SECONDS, WALL = 5.0, 30.0
"""Processor time of one case, the mutation included, and time on the clock: a reader that waits
uses none of the processor, and a busy machine takes its time."""
MEMORY = 2 * 1024**3
"""Address space of a process that runs cases."""
SECRET = b"DECOY-0f3a91c47e"
CONTROL_CASES, CONTROL_SECONDS = 20, 0.3
SHOWN = 5


Snapshot = dict[str, tuple[int, ...] | str]


class TooLong(BaseException):
    """Raised into a case by the alarm."""


def main() -> int:
    options = _options()
    if options.worker:
        return work(options.worker, options)
    from fuzzing.targets import TARGETS

    names = [options.only] if options.only else [*TARGETS]
    began = time.monotonic()
    with ThreadPoolExecutor(options.jobs) as pool:
        rows = [*pool.map(lambda name: supervised(name, options), names)]
        control = (
            supervised("control", options) if options.only is None else {"violations": [0] * 5}
        )
    print(
        f"{'reader':<18} {'cases':>7} {'refused':>8} {'seconds':>8} {'longest':>8} {'MiB':>6}  bad"
    )
    for row in rows:
        print(
            f"{row['target']:<18} {row['cases']:>7} {row['refused']:>8} {row['seconds']:>8.1f} "
            f"{row['longest']:>7.2f}s {row['mebibytes']:>6}  {len(row['violations'])}"
        )
        for told in row["violations"][:SHOWN]:
            print(f"    case {told['case']}: {told['what']}\n      again: {told['again']}")
    seen = len(control["violations"])
    print(f"control: the oracle saw {seen} of what {CONTROL_CASES} bad readers did")
    bad = sum(len(row["violations"]) for row in rows)
    summary = {
        "seed": options.seed,
        "cases": sum(row["cases"] for row in rows),
        "violations": bad,
        "control_seen": seen,
        "control_cases": CONTROL_CASES,
        "seconds": round(time.monotonic() - began, 1),
        "targets": {row["target"]: row["cases"] for row in rows},
    }
    print(json.dumps(summary))
    return 1 if bad or (seen < CONTROL_CASES and not options.only) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=int, default=10_000, help="of each reader")
    parser.add_argument("--only", help="one reader")
    parser.add_argument("--case", type=int, help="one case of it, with its traceback")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    return parser.parse_args()


def supervised(name: str, options: argparse.Namespace) -> dict[str, Any]:
    """Run the cases of one reader in processes of their own: a dead one is a violation, and the
    next one goes on after the case that killed it."""
    count = CONTROL_CASES if name == "control" else options.cases
    total: dict[str, Any] = {"target": name, "cases": 0, "refused": 0, "longest": 0.0}
    total |= {"mebibytes": 0, "violations": [], "seconds": 0.0}
    first, last = (options.case, options.case + 1) if options.case is not None else (0, count)
    began = time.monotonic()
    while first < last and len(total["violations"]) < 200:
        row = _process(name, options, first, last)
        for key in ("cases", "refused"):
            total[key] += row[key]
        for key in ("longest", "mebibytes"):
            total[key] = max(total[key], row[key])
        total["violations"] += row["violations"]
        first = row["next"]
    total["seconds"] = time.monotonic() - began
    return total


def _process(name: str, options: argparse.Namespace, first: int, last: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="lift-fuzz-", dir=_quick()) as scratch:
        command = [sys.executable, __file__, "--worker", name, "--seed", str(options.seed)]
        command += ["--first", str(first), "--cases", str(last)]
        command += ["--case", str(options.case)] if options.case is not None else []
        env = {**os.environ, "FUZZ_SCRATCH": scratch}
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, check=False)
        lines = done.stdout.decode().splitlines()
        row: dict[str, Any] = json.loads(lines[-1]) if lines else {}
        if done.returncode == 0 and row:
            return row
        progress = Path(scratch, "progress")
        reached = int(progress.read_text()) if progress.exists() else first
    violation = _violation(name, options.seed, reached, f"the process died ({done.returncode})")
    empty = {"cases": reached - first + 1, "refused": 0, "longest": 0.0, "mebibytes": 0}
    return {**empty, "violations": [violation], "next": reached + 1}


def _quick() -> str | None:
    """A folder in memory, where there is one: half a million files are made and removed."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK | os.X_OK) else None


def work(name: str, options: argparse.Namespace) -> int:
    """Run cases in this process, of one reader or of "all"; one JSON object at the end."""
    from fuzzing.targets import TARGETS, control

    known = {**TARGETS, "control": control}
    names = [*TARGETS] if name == "all" else [name]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, _too_long)
    signal.signal(signal.SIGPROF, _too_long)
    scratch = Path(os.environ["FUZZ_SCRATCH"])
    refused, longest, violations = 0, 0.0, []
    wall = CONTROL_SECONDS if name == "control" else WALL
    progress = (scratch / "progress").open("w")
    # Deep inside: a name with several `..` does not lead out of what is looked at.
    box, decoy = (scratch / "up" / "up" / "up" / name for name in ("box", "decoy"))
    decoy.parent.mkdir(parents=True, exist_ok=True)
    before = _decoy(scratch, box, decoy)
    gc.disable()
    numbers = range(options.first, options.cases)
    for name, number in ((name, number) for name in names for number in numbers):
        progress.seek(0)
        progress.write(str(number))
        progress.flush()
        began = time.monotonic()
        random = Random(f"{options.seed}:{name}:{number}")
        _empty(box)
        what, told = _outcome(known[name], random, box, decoy, wall)
        refused += told
        if _snapshot(scratch, box) != before:
            what = what or "something outside of the case's folder was changed"
            before = _decoy(scratch, box, decoy)
        longest = max(longest, time.monotonic() - began)
        if what:
            violations.append(_violation(name, options.seed, number, what))
        if options.case is not None:
            print(what or "nothing wrong", file=sys.stderr)
        if number % 200 == 0:
            gc.collect()
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    cases = len(names) * len(numbers)
    row = {"cases": cases, "refused": refused, "longest": round(longest, 3), "mebibytes": used}
    print(json.dumps({**row, "violations": violations, "next": options.cases}), file=sys.__stdout__)
    return 0


def _outcome(target: Any, random: Random, box: Path, decoy: Path, wall: float) -> tuple[str, bool]:
    """What is wrong ("" for nothing), and whether the input was refused."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.setitimer(signal.ITIMER_REAL, wall)
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            result = target(random, box, decoy)
        refused = False
    except LiftError as error:
        result, refused = str(error), True
    except TooLong:
        return f"not done after {SECONDS:g} s, or {wall:g} s of waiting", False
    except SystemExit:
        result, refused = "", True  # a usage message of argparse
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(frame.filename).name}:{frame.lineno}"
        return f"{type(error).__name__} at {place}: {str(error)[:200]!r}", False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)
    text = repr(result) + said.getvalue()
    if SECRET.decode() in text:
        return "the content of the decoy came out", refused
    if "\x1b" in said.getvalue():
        return "a control character was printed", refused
    return "", refused


def _too_long(number: int, frame: object) -> None:
    raise TooLong


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()


def _decoy(scratch: Path, box: Path, decoy: Path) -> Snapshot:
    """A folder beside the case's own that nothing may touch or read, and how it looks."""
    _empty(decoy)
    _empty(box)
    (decoy / "secret.txt").write_bytes(SECRET)
    (decoy / "a.py").write_bytes(b"SECRET = %r\n" % SECRET)
    (decoy / ".x.tmp").mkdir()
    (decoy / ".x.old").mkdir()
    return _snapshot(scratch, box)


def _snapshot(scratch: Path, box: Path) -> Snapshot:
    """Everything beside the case's folder but times of reading."""
    found: Snapshot = {}
    for folder, folders, names in os.walk(scratch):
        if Path(folder) == box.parent:
            folders.remove(box.name)
        for name in (*folders, *names):
            path = os.path.join(folder, name)
            seen = os.lstat(path)
            if name != "progress" and "program" not in path and "asked" not in name:
                found[path] = (seen.st_mode, seen.st_size if name in names else 0)
                if stat.S_ISREG(seen.st_mode):
                    content = hashlib.sha1(Path(path).read_bytes()).hexdigest()
                    found[path] = f"{seen.st_mode:o} {content}"
    return found


def _violation(name: str, seed: int, case: int, what: str) -> dict[str, Any]:
    again = f"python benchmarks/fuzz.py --only {name} --seed {seed} --case {case}"
    return {"case": case, "what": what, "again": again}


if __name__ == "__main__":
    sys.exit(main())
