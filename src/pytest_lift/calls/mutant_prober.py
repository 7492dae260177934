"""Runs cases against mutants of the program, and calls of tests against survivors.

A mutant that a test's own input reveals lacks an assertion; any other lacks an input or is
equivalent. This tells reachability, infection and propagation apart (Voas 1992).
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pytest_lift.calls.case import (
    Case,
    Observation,
    Outcome,
    as_json,
    observation_from,
    starts_children,
)
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.reading import written_calls
from pytest_lift.calls.running.children import CHILDREN
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.mutation.change import changed_lines, symbol_of
from pytest_lift.mutation.mutation import NOTHING_OBSERVED, Mutant, Observed, function_of
from pytest_lift.sandbox.jail import Jail
from pytest_lift.sandbox.worker import Worker, records
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import Suite
from pytest_lift.text.wording import apart, shortened

CHILD = CHILDREN / "mutant_child.py"
MOST_CRASHES = 12
PATIENCE = 25.0
"""Extra seconds for a child, in which it compiles the program with all mutants."""
NOTHING = Observation()
CRASHED = Observation(rejected="crash")
ENDINGS = {"timeout": "does not end", "waits": "does not end", "crash": "crashes"}
"""Why an observation ended early -> what the mutant does, in words."""


AT_ONCE, MOST_TRIES = 60, 250
"""Most mutants that a call is tried on, and most calls that are tried on a mutant."""
LEAST_SECONDS = 0.5
LONGEST_CALL, LONGEST_RESULT = 100, 60
"""Most characters of a reported call and of its result."""


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
        job, worker = self._job(cases, living, wanted, at_once, most_tries), self._worker()
        for _ in range(MOST_CRASHES):
            left = until - time.monotonic()
            if not waiting or left < 0.1:
                break
            limit = min(left + PATIENCE, self.deadline - time.monotonic())
            child = worker.run({**job, "order": waiting, "seconds": left}, limit)
            for number, told in self._read(worker, len(cases)):
                found[cases[number].key] = told
                self._count(told)
            died = worker.died_at(child)
            if died is None or len(died) != 2 or died[0] not in waiting:
                break
            number, mutant = died
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
        own = list(dict.fromkeys([*self.program.search_path, "", "src"]))
        inside = [str((self.mutated / root).resolve()) for root in own]
        outside = [str((self.copy / root).resolve()) for root in self.program.search_path]
        return {
            "roots": [*inside, *outside],
            "readable": [*inside, str(self.copy.resolve()), str(self.folder.resolve())],
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
            "cases": [as_json(case) for case in cases],
        }

    def _row(self, number: int, mutant: Mutant) -> dict[str, Any]:
        return {
            "key": mutant.key,
            "function": mutant.function,
            "lines": self.lines[number],
            "tries": self.tries.get(mutant.key, 0),
        }

    def _worker(self) -> Worker:
        variables = {
            "PYTHONHASHSEED": "0",
            "PYTHONPYCACHEPREFIX": str(self.folder / "compiled"),
            "MUTANT_UNDER_TEST": "",
        }
        reads = (self.copy, self.mutated, CHILDREN)
        return Worker(CHILD, self.folder, self.copy, self.jail, reads, variables)

    def _read(self, worker: Worker, cases: int) -> Iterator[tuple[int, RepeatableOutcome]]:
        """Yields the records of the journal that refer to known cases and mutants.

        The program runs in the process that writes the journal.
        """
        for record in records(worker.journal):
            with contextlib.suppress(ValueError, TypeError, KeyError, IndexError, AttributeError):
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


def reaching_lines(mutant: Mutant, program: Program) -> frozenset[int]:
    """Returns `changed_lines`, counted from the first line of the function as 0."""
    symbol = symbol_of(mutant, program)
    first = symbol.line if symbol else 0
    return frozenset(line - first for line in changed_lines(mutant, program))


@dataclass
class Observer:
    """Runs the calls that tests make on the program and on its surviving mutants, in the jail.

    Results are kept: for another suite only new calls and new survivors are tried.
    """

    copy: Path
    folder: Path
    """Scratch folder; it is created."""
    jail: Jail
    _program: Program | None = None
    _known: dict[str, Observed] = field(default_factory=dict)
    _done: set[str] = field(default_factory=set)
    """Keys of mutants on which all calls in `_made` were tried."""
    _made: set[str] = field(default_factory=set)
    """`Case.key` of calls that were made."""
    _learned: dict[str, int] = field(default_factory=dict)

    def learn(self, same: Mapping[str, int]) -> None:
        """Takes over calls that others tried: mutant key -> number of calls that did not reveal it.

        The calls that the tests make are among them.
        """
        for key, count in same.items():
            self._learned[key] = max(self._learned.get(key, 0), count)

    def observe(
        self,
        suite: Suite,
        program: Program,
        survivors: Sequence[Mutant],
        mutated: Path,
        seconds: float,
    ) -> Mapping[str, Observed]:
        """Returns mutant key -> observation, for survivors of which something is known.

        `mutated` is mutmut's folder of mutated sources. Calls whose arguments are not literals are
        not made; calls that were not tried within `seconds` are tried at the next observation.
        """
        until = time.monotonic() + seconds
        if program is not self._program:
            self._program = program
            for known in (self._known, self._done, self._made, self._learned):
                known.clear()
            resolver = Resolver(program)
            self._resolver, self._matcher = resolver, Matcher(find_targets(program, resolver))
        hidden = [one for one in survivors if not self._of(one).call]
        old = [one for one in hidden if one.key in self._done]
        new = [one for one in hidden if one.key not in self._done]
        cases = self._cases(suite)
        fresh = [case for case in cases if case.key not in self._made]
        for one in new:
            self._known.pop(one.key, None)
        self._try(fresh, old, mutated, until)
        self._try(cases, new, mutated, until)
        if until - time.monotonic() > LEAST_SECONDS:
            self._made |= {case.key for case in cases}
            self._done |= {one.key for one in new}
        return {one.key: seen for one in survivors if (seen := self._of(one)) != NOTHING_OBSERVED}

    def _of(self, mutant: Mutant) -> Observed:
        known = self._known.get(mutant.key, NOTHING_OBSERVED)
        return replace(known, same=max(known.same, self._learned.get(mutant.key, 0)))

    def _cases(self, suite: Suite) -> list[Case]:
        cases = (as_case(call, self._resolver) for call in written_calls(suite, self._matcher))
        return list({case.key: case for case in cases if case is not None}.values())

    def _try(
        self, cases: Sequence[Case], mutants: Sequence[Mutant], mutated: Path, until: float
    ) -> None:
        left = until - time.monotonic()
        if not cases or not mutants or self._program is None or left < LEAST_SECONDS:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        place = mutated.resolve(), self.copy, self._program, self.jail, mutants, self.folder
        prober = MutantProber(*place, deadline=until)
        every = frozenset(one.key for one in mutants)
        found = prober.run(cases, every, left, at_once=AT_ONCE, most_tries=MOST_TRIES)
        by_key = {case.key: case for case in cases}
        for key, told in found.items():
            self._note(by_key[key], told)

    def _note(self, case: Case, told: RepeatableOutcome) -> None:
        for key in told.tried | told.others.keys():
            other = told.others.get(key)
            seen = _difference(case, told.usual, other) if other is not None else Observed(1)
            self._known[key] = self._known.get(key, NOTHING_OBSERVED) + seen


def _difference(case: Case, usual: Observation, other: Observation) -> Observed:
    """Returns an observation of the first check in which program and mutant differ."""
    call = shortened("; ".join(step.source for step in case.steps), LONGEST_CALL)
    for at, was in enumerate(usual.outcomes):
        if at >= len(other.outcomes):
            return Observed(0, call, shortened(_said(was), LONGEST_RESULT), _broken(other))
        if other.outcomes[at] != was:
            return Observed(0, call, *_apart(_said(was), _said(other.outcomes[at])))
    return Observed(0, call, "ends", _broken(other))


def _broken(seen: Observation) -> str:
    return ENDINGS.get(seen.rejected, "does something else")


def _said(outcome: Outcome) -> str:
    if outcome.raised is not None:
        return f"raises {outcome.raised.type}: {outcome.raised.message}"
    if outcome.printed:
        return f"prints {outcome.printed!r}"
    if outcome.files:
        return f"writes {', '.join(f'{name} ({text!r})' for name, text in outcome.files)}"
    if outcome.source is not None:
        return f"gives {outcome.source}"
    named = ", ".join(f"{name}={value}" for name, value in outcome.attributes)
    return f"gives {outcome.text or outcome.type}{f' with {named}' if named else ''}"


def _apart(usual: str, other: str) -> tuple[str, str]:
    if usual == other:
        return shortened(usual, LONGEST_RESULT), "does something else"
    (verb, _, was), (now_verb, _, now) = usual.partition(" "), other.partition(" ")
    if verb != now_verb:
        return shortened(usual, LONGEST_RESULT), shortened(other, LONGEST_RESULT)
    was, now = apart(was, now, LONGEST_RESULT)
    return f"{verb} {was}", f"{verb} {now}"
