"""Runs cases in a child process with all mutants, and reads which mutants each case reveals."""

from __future__ import annotations

import contextlib
import json
import math
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_lift.calls.case import Case, Observation, observation_from
from pytest_lift.calls.prober import CHILDREN, as_json, starts_children
from pytest_lift.files import untrusted
from pytest_lift.mutation.mutants import Mutant, function_of
from pytest_lift.mutation.statements import changed_lines, symbol_of
from pytest_lift.sandbox.child import Places, run_child
from pytest_lift.sandbox.jail import Jail
from pytest_lift.source.program import Program

CHILD = CHILDREN / "mutant_child.py"
MOST_CRASHES = 12
LARGEST_JOURNAL = 64 * 1024 * 1024
PATIENCE = 25.0
"""Extra seconds for a child, in which it compiles the program with all mutants."""
NOTHING = Observation()
CRASHED = Observation(rejected="crash")


@dataclass(frozen=True)
class RepeatableOutcome:
    """Result of a case that behaves the same on every run."""

    called: frozenset[str] = frozenset()
    """`Mutant.function` of executed functions that have mutants."""
    reached: frozenset[str] = frozenset()
    """Keys of living mutants whose changed line is executed."""
    tried: frozenset[str] = frozenset()
    others: Mapping[str, Observation] = field(default_factory=dict)
    """Mutant key -> its observation, for mutants that behave differently from the program."""
    usual: Observation = NOTHING
    """Observation of the program itself, if a mutant behaves differently."""
    seconds: float = 0.0


@dataclass
class MutantProber:
    """Runs cases on the program and its mutants, in the jail."""

    mutated: Path
    """Folder of mutated sources, made by mutmut."""
    copy: Path
    program: Program
    jail: Jail
    mutants: Sequence[Mutant]
    folder: Path
    """Scratch folder that stays between runs, since it holds compiled bytecode."""
    tries: dict[str, int] = field(default_factory=dict)
    """Mutant key -> number of cases that were tried on it."""
    banned: set[str] = field(default_factory=set)
    deadline: float = math.inf
    """`time.monotonic()` after which no child runs."""
    seed: int = 0

    def __post_init__(self) -> None:
        self.numbers = {mutant.key: n for n, mutant in enumerate(self.mutants)}
        self.lines = [sorted(reaching_lines(mutant, self.program)) for mutant in self.mutants]

    def run(
        self,
        cases: Sequence[Case],
        living: frozenset[str],
        seconds: float,
        *,
        wanted: Sequence[frozenset[str]] | None = None,
        at_once: int = 24,
        most_tries: int = 400,
    ) -> dict[str, RepeatableOutcome]:
        """Tries `cases` in order while time is left; returns `Case.key` -> result.

        Without `wanted` each case is tried on up to `at_once` of the `living` mutants that it
        reaches, and a mutant that was revealed is not tried again; with `wanted`, on exactly those.
        Cases that start processes are left out, since no mutant is active in their child processes.
        """
        fit = [case.key not in self.banned and not starts_children(case) for case in cases]
        waiting = [number for number, good in enumerate(fit) if good]
        found: dict[str, RepeatableOutcome] = {}
        until = min(time.monotonic() + seconds, self.deadline)
        self.seed += 1
        job = self._job(cases, living, wanted, at_once, most_tries)
        for _ in range(MOST_CRASHES):
            left = until - time.monotonic()
            if not waiting or left < 0.1:
                break
            stopped = self._once({**job, "order": waiting, "seconds": left}, left)
            for number, told in self._read(len(cases)):
                found[cases[number].key] = told
                self._count(told)
            if stopped is None or stopped[0] not in waiting:
                break
            number, mutant = stopped
            if 0 <= mutant < len(self.mutants):
                key = self.mutants[mutant].key
                found[cases[number].key] = RepeatableOutcome(others={key: CRASHED})
                job["living"] = [n for n in job["living"] if n != mutant]
            else:
                self.banned.add(cases[number].key)
            waiting = waiting[waiting.index(number) + 1 :]
        return found

    def _count(self, told: RepeatableOutcome) -> None:
        for key in told.tried:
            self.tries[key] = self.tries.get(key, 0) + 1

    def _job(
        self,
        cases: Sequence[Case],
        living: frozenset[str],
        wanted: Sequence[frozenset[str]] | None,
        at_once: int,
        most_tries: int,
    ) -> dict[str, Any]:
        own = list(dict.fromkeys([*self.program.import_roots, "", "src"]))
        inside = [str((self.mutated / root).resolve()) for root in own]
        outside = [str((self.copy / root).resolve()) for root in self.program.import_roots]
        return {
            "roots": [*inside, *outside],
            "readable": [*inside, *outside, str(self.folder.resolve())],
            "inside": inside,
            "program": self.program.names,
            "modules": [file.module for file in self.program.files.values()],
            "raises": [],
            "probes": 0,
            "covered": [],
            "profile": False,
            "mutants": [self._row(n, mutant) for n, mutant in enumerate(self.mutants)],
            "living": sorted(self.numbers[key] for key in living),
            "wanted": None if wanted is None else [[self.numbers[k] for k in w] for w in wanted],
            "retire": wanted is None,
            "at_once": at_once,
            "most_tries": most_tries,
            "seed": self.seed,
            "journal": str(self.folder / "journal"),
            "current": str(self.folder / "current"),
            "cases": [as_json(case) for case in cases],
        }

    def _row(self, number: int, mutant: Mutant) -> dict[str, Any]:
        return {
            "key": mutant.key,
            "function": mutant.function,
            "lines": self.lines[number],
            "tries": self.tries.get(mutant.key, 0),
        }

    def _once(self, job: dict[str, Any], seconds: float) -> tuple[int, int] | None:
        """Runs one process; returns the (case, mutant) that it died in, or None if it finished."""
        home = self.folder / "home"
        untrusted.remove(home)
        home.mkdir()
        untrusted.write(self.folder / "job.json", json.dumps(job).encode())
        for name in ("current", "journal"):
            untrusted.remove(self.folder / name)
        extra = {
            "PYTHONHASHSEED": "0",
            "PYTHONPYCACHEPREFIX": str(self.folder / "compiled"),
            "MUTANT_UNDER_TEST": "",
        }
        child = run_child(
            [sys.executable, "-P", "-W", "ignore", str(CHILD), str(self.folder / "job.json")],
            cwd=self.copy,
            env=self.jail.environment(home.resolve(), extra),
            seconds=min(seconds + PATIENCE, self.deadline - time.monotonic()),
            jail=self.jail,
            places=Places(
                reads=(self.copy, self.mutated, CHILD.parent), writes=(self.folder.resolve(),)
            ),
        )
        if child.timed_out or b'{"case": -1}' in _tail(self.folder / "journal"):
            return None
        with contextlib.suppress(OSError, ValueError):
            case, mutant = untrusted.read(self.folder / "current", 100).split()
            return int(case), int(mutant)
        return None

    def _read(self, cases: int) -> Iterator[tuple[int, RepeatableOutcome]]:
        """Yields the records of the journal that refer to known cases and mutants.

        The program runs in the process that writes the journal, and its last line may be
        incomplete.
        """
        for line in untrusted.lines(self.folder / "journal", LARGEST_JOURNAL, LARGEST_JOURNAL):
            with contextlib.suppress(
                ValueError, TypeError, KeyError, IndexError, RecursionError, AttributeError
            ):
                record = json.loads(line)
                if type(record["case"]) is int and 0 <= record["case"] < cases:
                    yield record["case"], self._told(record)

    def _told(self, record: Mapping[str, Any]) -> RepeatableOutcome:
        others = {self._key(n): observation_from(raw) for n, raw in record.get("told", ())}
        reached = frozenset(self._key(n) for n in record.get("reached", ()))
        tried = frozenset(self._key(n) for n in record.get("tried", ()))
        called = frozenset(function_of(self._key(n)) for n in record.get("called", ()))
        usual = observation_from(record.get("usual", {}))
        return RepeatableOutcome(called, reached, tried, others, usual, float(record["seconds"]))

    def _key(self, number: int) -> str:
        if type(number) is not int or number < 0:
            raise TypeError("mutants are numbered")
        return self.mutants[number].key


def _tail(journal: Path) -> bytes:
    with contextlib.suppress(OSError):
        return untrusted.read(journal)[-20:]
    return b""


def reaching_lines(mutant: Mutant, program: Program) -> frozenset[int]:
    """Returns `changed_lines`, counted from the first line of the function as 0."""
    symbol = symbol_of(mutant, program)
    first = symbol.line if symbol else 0
    return frozenset(line - first for line in changed_lines(mutant, program))
