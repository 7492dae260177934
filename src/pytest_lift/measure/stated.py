"""Do the examples that requirements state hold? Each is run once, as a doctest, in the copy.

An example that does not is a contradiction: a suspected defect, or a doubtful requirement. The
program is not assumed right, so such a requirement cannot count as verified.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from pytest_lift import hostile
from pytest_lift.program import Program
from pytest_lift.requirements import Requirements
from pytest_lift.sandbox.child import Places, run_child
from pytest_lift.sandbox.jail import Jail

SECONDS = 120.0
LARGEST = 16 * 1024 * 1024
"""Bytes of answers that are read."""

RUNNER = """
import doctest, json, os, signal, sys

class Runner(doctest.DocTestRunner):
    def __init__(self):
        super().__init__(verbose=False)
        self.seen = []
    def report_start(self, out, test, example):
        pass
    def report_success(self, out, test, example, got):
        pass
    def report_failure(self, out, test, example, got):
        self.seen.append([example.source, example.want, got])
    def report_unexpected_exception(self, out, test, example, info):
        self.seen.append([example.source, example.want, f"{info[0].__name__}: {info[1]}"])

known = {}
for module in sys.argv[3:]:
    try:
        loaded = __import__(module)
    except BaseException:
        continue
    known.update({name: it for name, it in vars(loaded).items() if not name.startswith("_")})
    known[module] = loaded

sessions = json.load(open(sys.argv[1], encoding="utf-8"))
with open(sys.argv[2], "w", encoding="utf-8", errors="replace") as results:
    for name, text in sessions:
        if hasattr(signal, "alarm"):
            signal.alarm(20)
        try:
            names = {**known, "__name__": "example"}
            test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
        except ValueError:
            continue
        runner = Runner()
        runner.run(test, out=lambda text: None)
        for source, want, got in runner.seen[:1]:
            results.write(json.dumps([name, source[:2000], want[:2000], got[:2000]]) + "\\n")
            results.flush()
"""
"""The program's public names are known to an example that does not import them. The first
difference of each session counts: what follows it may only be its consequence."""

NOT_RUN = ("NameError:", "ModuleNotFoundError:", "ImportError:", "SyntaxError:")
"""What says that the example itself is broken."""


@dataclass(frozen=True)
class Contradiction:
    """The program and a requirement's own example say different things."""

    requirement: str
    call: str
    expected: str
    """As the requirement states it."""
    actual: str

    @property
    def broken(self) -> bool:
        """The example cannot run at all: its author has to mend it."""
        return self.actual.startswith(NOT_RUN) and "Error" not in self.expected


def contradictions(
    requirements: Requirements, program: Program, copy: Path, scratch: Path, jail: Jail
) -> dict[str, tuple[Contradiction, ...]]:
    """Requirement id -> the examples that the program contradicts; exempt ones are left out.

    What cannot be run to its end within `SECONDS` contradicts nothing.
    """
    sessions = [(item.id, text) for item in requirements.testable for text in item.examples]
    if not sessions:
        return {}
    folder = scratch / "stated"
    hostile.remove(folder)
    (folder / "home").mkdir(parents=True)
    asked, answered = scratch / "stated.json", folder / "contradicted.jsonl"
    hostile.write(asked, json.dumps(sessions).encode())
    roots = [str(copy / root) for root in program.import_roots]
    path = {"PYTHONPATH": os.pathsep.join(roots), "PYTHONHASHSEED": "0"}
    run_child(
        [sys.executable, "-c", RUNNER, str(asked), str(answered), *program.names],
        cwd=folder / "home",
        env=jail.environment(folder / "home", path),
        seconds=SECONDS,
        jail=jail,
        places=Places(reads=(copy, asked), writes=(folder,)),
    )
    return _grouped(answered, requirements)


def _grouped(answered: Path, requirements: Requirements) -> dict[str, tuple[Contradiction, ...]]:
    found: dict[str, tuple[Contradiction, ...]] = {}
    for line in hostile.lines(answered, LARGEST, LARGEST):
        try:
            name, call, expected, actual = map(str, json.loads(line))
        except (ValueError, TypeError, RecursionError):
            continue  # the last line of a child that was stopped, or what an example wrote there
        if name in requirements:
            said = Contradiction(name, call.strip(), expected.strip(), actual.strip())
            found[name] = (*found.get(name, ()), said)
    return found
