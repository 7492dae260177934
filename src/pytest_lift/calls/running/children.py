"""Children that run cases on a program with probes: each is given batches of cases, and replaced
where it dies."""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import time
import weakref
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pytest_lift.calls.case import Case, Observation, as_json, observation_from
from pytest_lift.calls.child.instrument import ProbePoint
from pytest_lift.calls.noted.declared import CommandLine, command_line_from
from pytest_lift.calls.running.instrumented import CodeFile, instrumented, raising
from pytest_lift.sandbox.in_memory import quick_folder
from pytest_lift.sandbox.jail import Jail
from pytest_lift.sandbox.worker import LiveWorker, Worker, records
from pytest_lift.source.program import Program

CHILDREN = Path(__file__).parents[1] / "child"
"""Folder of the scripts that run inside the jail."""
CHILD = CHILDREN / "probe_child.py"
NOTHING: Mapping[str, str] = {}
MOST_AT_ONCE = 4
"""Most children that run at once: each takes memory."""
MOST_CRASHES = 24
AS_ONE = 4
"""Cases that leave a thread and together cost as much as one that takes too long: a process with
too many threads makes way for another one."""
MOST_DEATHS = 2
"""Crashes or hangs after which the other cases of a symbol are left out of a run."""
MOST_BLOCKED = 1.6
"""Most seconds that a case uses up which blocks the process: then this is ended."""
LEAST_SECONDS = 0.2
"""Seconds below which no process is started."""
LEAST_GRACE, MOST_GRACE = 0.1, 2.0
"""Least and most seconds for which a child is waited for that should have come to its end: another
one would have to import the program anew."""


MEMORY = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": "4194304",
    "MALLOC_TRIM_THRESHOLD_": "4194304",
}
"""How a child has its memory: else each thread takes 64 MB of the address space, and what one case
took, up to twice 32 MB, is kept when it is free."""
BATCH_SECONDS = 30.0
"""Most seconds for which a child runs the cases of a search at once."""
MOST_CASES = 20_000
"""Cases after which a child is replaced: what they leave behind in it is not seen in a test."""
SETTINGS: Mapping[str, Any] = {
    "covered": (), "states": (), "answered": (), "all": True, "profile": False, "moved": 0.0,
    "operands": False, "meets": False, "passes": False, "hurries": False, "apart": 0,
    "checked": False, "leaving": False, "may_leave": False, "tidy": False,
    "mixes": False,
}  # fmt: skip
"""How a job is done where nothing else is said."""


@dataclass(frozen=True)
class Site:
    """Probe and the source file in which it stands."""

    path: str
    probe: ProbePoint


class _Desk:
    """A child that stays alive, and the batch that it has."""

    def __init__(self, worker: Worker, folder: str) -> None:
        self.worker = LiveWorker(worker)
        self.batch: Batch | None = None
        self.cases = 0
        """Cases that the child was given."""
        self.close = weakref.finalize(self, _closed, self.worker, folder)


def _closed(worker: LiveWorker, folder: str) -> None:
    worker.close()
    shutil.rmtree(folder, ignore_errors=True)


@dataclass
class Batch:
    """Cases under way, and what is known of them."""

    cases: Sequence[Case]
    waiting: list[int]
    """Numbers of the cases that were not run."""
    job: Mapping[str, Any]
    until: float
    """`time.monotonic()` at which it ends."""
    note: Callable[[Mapping[str, Any]], None] | None = None
    found: dict[int, Observation] = field(default_factory=dict)
    deaths: Counter[tuple[str, str]] = field(default_factory=Counter)
    begun: int = 0
    """Number of children that were given the waiting cases."""
    given: float = 0.0
    """`time.monotonic()` at which one was given them last."""
    desk: _Desk | None = None
    """A child of its own; None where it is for one that stays alive."""


@dataclass
class Children:
    """Children that run cases on the program in `copy`; excludes cases that crash or hang.

    Two of them stay alive between batches, one of them with the program's comparisons watched,
    until `close`. Cases that are checked for being repeatable run in processes of their own.
    """

    copy: Path
    program: Program
    jail: Jail
    sites: list[Site] = field(default_factory=list)
    only: frozenset[str] | None = None
    """Files that get probes; None for all of the program."""
    banned: set[str] = field(default_factory=set)
    until: float = math.inf
    """`time.monotonic()` at which every run ends."""
    failures: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """``path:symbol`` -> why cases of it failed or were rejected -> how often."""
    declared: dict[str, CommandLine] = field(default_factory=dict)
    """``path:symbol`` -> command line that it reads, as far as one was seen."""
    successes: Counter[str] = field(default_factory=Counter)
    """``path:symbol`` -> number of explored cases of it that could become tests, or repeat one."""
    starting: float = 0.0
    """Seconds that a process takes to import the program, about."""
    processors: int = field(default_factory=lambda: min(len(os.sched_getaffinity(0)), MOST_AT_ONCE))
    """Children that run at once where each has a batch of its own."""
    may_leave: bool = False
    """Whether cases may leave variables of modules changed, where they give the same after that."""
    blocked: float = 0.0
    """Seconds that cases used up which ended or blocked a process."""
    spent: Counter[str] = field(default_factory=Counter)
    """Symbol -> seconds that its cases took, in all children."""
    late: dict[str, None] = field(default_factory=dict)
    """Modules that cases were the first to import. Children that are started later import them with
    the others: one after the other, each takes as long as hundreds of cases."""
    _began: float = field(default_factory=time.monotonic)
    _desks: dict[bool, _Desk] = field(default_factory=dict, init=False)
    """Whether comparisons are watched -> the child that does."""
    _modules: list[tuple[str, str, int]] = field(default_factory=list)
    _raises: list[tuple[str, Sequence[int]]] = field(default_factory=list)
    _codes: dict[str, bytes] = field(default_factory=dict)
    """Module -> its code with probes."""

    def __post_init__(self) -> None:
        for path, file in self.program.files.items():
            if file.error is not None:
                continue
            place = str(self.copy / path)
            self._raises.append((place, raising(file.text)))
            if self.only is not None and path not in self.only:
                continue
            first = len(self.sites)
            self._modules.append((file.module, place, first))
            probes, self._codes[file.module] = instrumented(file.text, first, place)
            self.sites += [Site(path, probe) for probe in probes]

    def close(self) -> None:
        """Ends the children."""
        while self._desks:
            self._desks.popitem()[1].close()

    def batch(self, cases: Sequence[Case], seconds: float, settings: Mapping[str, Any]) -> Batch:
        """Returns cases as a batch for which there are some `seconds`, with settings that differ
        from the usual ones."""
        waiting = [n for n, case in enumerate(cases) if case.key not in self.banned]
        until = min(time.monotonic() + seconds, self.until)
        settings = {"may_leave": self.may_leave, **settings}
        job = {**SETTINGS, **settings, "cases": [as_json(case) for case in cases]}
        return Batch(cases, waiting, job, until)

    def begin(self, batch: Batch) -> None:
        """Hands the waiting cases of a batch to its own child, or to one that stays alive when that
        has finished the batch before."""
        if not batch.waiting or batch.until - time.monotonic() < LEAST_SECONDS:
            batch.waiting.clear()
            return
        desk = batch.desk or self._lasting_desk(bool(batch.job["operands"]))
        if desk.batch is not None and desk.batch is not batch:
            self.finish(desk.batch)
        if desk.cases > MOST_CASES:
            desk.worker.close()
            desk.cases = 0
        if not desk.worker.is_running and batch.desk is None:
            batch.until = min(batch.until + self.starting, self.until)
        desk.cases += len(batch.waiting)
        desk.batch = batch
        batch.begun += 1
        batch.given = time.monotonic()
        desk.worker.give(self._told(batch), self._lasting)

    def begin_apart(self, batch: Batch, hash_seed: int, variables: Mapping[str, str]) -> None:
        """Hands a batch to a child of its own."""
        batch.desk = self._desk(hash_seed, variables)
        self.begin(batch)

    def finish(self, batch: Batch) -> None:
        """Waits for a batch that was begun; goes on with a new child where one died."""
        desk = batch.desk or self._desks.get(bool(batch.job["operands"]))
        grace = LEAST_GRACE if batch.desk else max(LEAST_GRACE, min(self.starting, MOST_GRACE))
        while desk is not None and desk.batch is batch:
            died = desk.worker.wait(batch.until + grace - time.monotonic())
            desk.batch = None
            self._take(batch, desk.worker.journal, died)
            if batch.waiting and batch.begun < MOST_CRASHES:
                self.begin(batch)
        if batch.desk is not None:
            batch.desk.close()

    def _told(self, batch: Batch) -> dict[str, Any]:
        """Returns a batch as a child gets it."""
        now = time.monotonic()
        told = {**batch.job, "order": batch.waiting, "blocked": (self.blocked, now - self._began)}
        told |= {"late": [*self.late], "spent": dict(self.spent), "hangs": self._hanging}
        if math.isfinite(batch.until):
            told["until"] = time.clock_gettime(time.CLOCK_MONOTONIC) + batch.until - now
        return told

    @property
    def _hanging(self) -> dict[str, int]:
        """How many cases of a symbol take too long, where none is known that does not; some that
        leave a thread count as one of them."""
        often = {k: n["timeout"] + n["thread"] // AS_ONE for k, n in self.failures.items()}
        return {k: many for k, many in often.items() if many and not self.successes[k]}

    def _take(self, batch: Batch, journal: Path, died: tuple[int, ...] | None) -> None:
        """Notes what a child has told of a batch; what it died of is not run again."""
        cases, waiting = batch.cases, batch.waiting
        told = list(records(journal))
        batch.found.update(read_observations(told, len(cases), len(self.sites), batch.note))
        self._note_failures(told)
        if not died or died[0] not in waiting:
            waiting.clear()
            return
        if any(record.get("case") == -6 for record in told):  # it ended itself, after that case
            del waiting[: waiting.index(died[0]) + 1]
            return
        self.banned.add(cases[died[0]].key)
        self.blocked += min(time.monotonic() - batch.given, MOST_BLOCKED)
        symbol = cases[died[0]].path, cases[died[0]].symbol
        self.failures[":".join(symbol)]["it ends or blocks the process"] += 1
        batch.deaths[symbol] += 1
        del waiting[: waiting.index(died[0]) + 1]
        if batch.deaths[symbol] >= MOST_DEATHS:
            waiting[:] = [n for n in waiting if (cases[n].path, cases[n].symbol) != symbol]

    def _note_failures(self, told: Iterable[Mapping[str, Any]]) -> None:
        """Notes why cases failed, which command lines they read, and what they imported late."""
        for record in told:
            with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
                if record["case"] == -2:
                    reasons = {str(why): int(count) for why, count in record["why"]}
                    self.successes[str(record["symbol"])] += int(record["fine"])
                    self.failures[str(record["symbol"])].update(reasons)
                elif record["case"] == -3:
                    symbol, line = str(record["symbol"]), command_line_from(record["line"])
                    known = self.declared.get(symbol)
                    if known is None or len(line.arguments) >= len(known.arguments):
                        self.declared[symbol] = line
                elif record["case"] == -4:
                    self.late.update((name, None) for name in record["late"] if name in self._codes)
                elif record["case"] == -5:
                    self.spent.update({str(k): float(v) for k, v in record["spent"].items()})

    @cached_property
    def _lasting(self) -> dict[str, Any]:
        """What a child has to know once, whatever it does."""
        return {
            "roots": [str(self.copy / root) for root in self.program.search_path],
            "readable": [str(self.copy.resolve())],
            "program": self.program.names,
            "modules": self._modules,
            "raises": self._raises,
            "probes": len(self.sites),
            "codes": str(self._code_file.path),
        }

    def _lasting_desk(self, watched: bool) -> _Desk:
        if watched not in self._desks:
            self._desks[watched] = self._desk()
        return self._desks[watched]

    @cached_property
    def _code_file(self) -> CodeFile:
        return CodeFile(self._codes)

    def _desk(self, hash_seed: int = 0, more: Mapping[str, str] = NOTHING) -> _Desk:
        folder = quick_folder(self.jail)
        own = {"PYTHONHASHSEED": str(hash_seed), "PYTHONDONTWRITEBYTECODE": "1"}
        variables = {**more, **own}
        variables |= MEMORY
        variables["LANGUAGE"] = "C"  # else each message of argparse looks for files of translations
        reads = (self.copy, CHILDREN, self._code_file.folder)
        worker = Worker(CHILD, Path(folder), self.copy, self.jail, reads, variables)
        return _Desk(worker, folder)


def read_observations(
    told: Iterable[Mapping[str, Any]],
    cases: int,
    sites: int,
    note: Callable[[Mapping[str, Any]], None] | None = None,
) -> dict[int, Observation]:
    """Returns the observations in the records of a journal; hands those of cases to `note`.

    The program runs in the process that writes the journal: only records of known cases and probes
    count.
    """
    found: dict[int, Observation] = {}
    for record in told:
        with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
            if type(record["case"]) is int and 0 <= record["case"] < cases:
                seen = observation_from(record)
                if max(seen.hits, default=0) < max(sites, 1):
                    found[record["case"]] = seen
                    if note is not None:
                        note(record)
    return found
