"""Runs cases in a child process with probes in the program, and reads the observations."""

from __future__ import annotations

import contextlib
import math
import shutil
import time
import weakref
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pytest_lift.calls.case import Case, Observation, as_json, observation_from
from pytest_lift.calls.child.instrument import ProbePoint
from pytest_lift.calls.instrumented import CodeFile, instrumented, raising
from pytest_lift.calls.noted.declared import CommandLine, command_line_from
from pytest_lift.calls.noted.meetings import Meeting, read_meetings
from pytest_lift.calls.noted.operands import Operands, read_operands
from pytest_lift.calls.noted.passed import SeenCall, read_passed
from pytest_lift.sandbox.in_memory import quick_folder
from pytest_lift.sandbox.jail import Jail
from pytest_lift.sandbox.worker import LiveWorker, Worker, records
from pytest_lift.source.program import Program

CHILDREN = Path(__file__).with_name("child")
"""Folder of the scripts that run inside the jail."""
CHILD = CHILDREN / "probe_child.py"
MOST_CRASHES = 24
MOST_DEATHS = 2
"""Crashes or hangs after which the other cases of a symbol are left out of a run."""
NOTHING: Mapping[str, str] = {}
KOLKATA = Path("/usr/share/zoneinfo/Asia/Kolkata")
"""Rules of the zone in which cases run once more: one that programs find by its name."""
ELSEWHERE = {
    "TERM": "xterm-256color", "TERM_PROGRAM": "vscode", "COLORTERM": "truecolor", "CI": "true",
    "SHELL": "/bin/zsh", "USER": "ada", "LOGNAME": "ada", "EDITOR": "vim", "VISUAL": "vim",
    "PAGER": "less", "BROWSER": "firefox", "DISPLAY": ":0", "PYTEST_XDIST_WORKER": "gw0",
    "TZ": "Asia/Kolkata" if KOLKATA.is_file() else "AST-5:30", "COLUMNS": "120", "LINES": "50",
}  # fmt: skip
"""Variables that are other ones where a test runs later: of a terminal and its size, a user, a
desktop, a zone and a worker of pytest-xdist, whose command line has another name."""
FEWEST_FORKS, MOST_TOGETHER = 16, 8
"""Forks that are made where as many cases run apart, and most cases in one of them."""
MOST_BLOCKED = 1.6
"""Most seconds that a case uses up which blocks the process: then this is ended."""
LEAST_SECONDS = 0.2
"""Seconds below which no process is started."""
LEAST_GRACE, MOST_GRACE = 0.1, 2.0
"""Least and most seconds for which a child is waited for that should have come to its end: another
one would have to import the program anew."""


BATCH_SECONDS = 30.0
"""Most seconds for which a child runs the cases of a search at once."""
MOST_CASES = 20_000
"""Cases after which a child is replaced: what they leave behind in it is not seen in a test."""
SETTINGS: Mapping[str, Any] = {
    "covered": (), "states": (), "answered": (), "all": True, "profile": False, "moved": 0.0,
    "operands": False, "meets": False, "passes": False, "hurries": False, "apart": 0,
    "checked": False, "leaving": False, "may_leave": False, "tidy": False,
}  # fmt: skip
"""How a job is done where nothing else is said."""


@dataclass(frozen=True)
class Site:
    """Probe and the source file in which it stands."""

    path: str
    probe: ProbePoint


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


@dataclass(frozen=True)
class OperandBatch:
    """Cases under way whose comparisons are noted, by `Case.key`."""

    batch: Batch
    found: dict[str, Sequence[Operands]]


class _Desk:
    """A child that stays alive, and the batch that it has."""

    def __init__(self, worker: Callable[[Path], Worker], folder: str) -> None:
        self.worker = LiveWorker(worker(Path(folder)))
        self.batch: Batch | None = None
        self.cases = 0
        """Cases that the child was given."""
        self.close = weakref.finalize(self, _closed, self.worker, folder)


def _closed(worker: LiveWorker, folder: str) -> None:
    worker.close()
    shutil.rmtree(folder, ignore_errors=True)


@dataclass
class Prober:
    """Runs cases against the program in `copy`; excludes cases that crash or hang.

    Two children stay alive between runs, one of them with the program's comparisons watched, until
    `close`. Cases that are checked for being repeatable run in processes of their own.
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
    may_leave: bool = False
    """Whether cases may leave variables of modules changed, where they give the same after that."""
    blocked: float = 0.0
    """Seconds that cases used up which ended or blocked a process."""
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

    def explore(
        self,
        cases: Sequence[Case],
        covered: frozenset[int],
        seconds: float,
        states: Collection[str] = (),
        answered: Collection[str] = (),
    ) -> list[tuple[Case, Observation]]:
        """Runs `cases` in order; returns those that can become tests and reach new probes, leave
        their subject in a state that is not among `states`, or are the first that return something
        of a symbol that is not among `answered` (``path:symbol``)."""
        return self.explored(self.begin_exploring(cases, covered, seconds, states, answered))

    def begin_exploring(
        self,
        cases: Sequence[Case],
        covered: frozenset[int],
        seconds: float,
        states: Collection[str] = (),
        answered: Collection[str] = (),
    ) -> Batch:
        """Has a child begin with `explore` while this process does something else."""
        settings = {
            "covered": sorted(covered),
            "states": sorted(states),
            "answered": sorted(answered),
            "all": False,
            "hurries": True,
            "hangs": {k: n["timeout"] for k, n in self.failures.items() if self._hangs(k)},
        }
        batch = self._batch(cases, seconds, settings)
        self._begin(batch)
        return batch

    def explored(self, batch: Batch) -> list[tuple[Case, Observation]]:
        """Waits for a batch that was begun; returns what `explore` does."""
        self._finish(batch)
        return [(batch.cases[number], seen) for number, seen in sorted(batch.found.items())]

    def begin_observing(self, cases: Sequence[Case], seconds: float) -> Batch:
        """Has a child begin with `observe`, in a hurry, while this process does something else."""
        batch = self._batch(cases, seconds, {"hurries": True})
        self._begin(batch)
        return batch

    def observed(self, batch: Batch) -> dict[str, Observation]:
        """Waits for a batch that was begun; returns what `observe` does."""
        self._finish(batch)
        return {batch.cases[number].key: seen for number, seen in batch.found.items()}

    def observe(
        self,
        cases: Sequence[Case],
        seconds: float,
        *,
        hash_seed: int = 0,
        backwards: bool = False,
        apart: bool = False,
        elsewhere: bool = False,
        strict: bool = False,
        moved: float = 0.0,
        hurry: bool = False,
        checked: bool = False,
        leaving: bool = False,
        tidy: bool = False,
    ) -> dict[str, Observation]:
        """Runs every case and returns all observations by `Case.key`.

        `backwards` begins with the last case; `apart` runs them in forks, a few that are far from
        each other in each; `elsewhere` sets variables of another terminal; `strict` also notes
        whether an unseeded random number was drawn (slower); `moved` is by how many seconds the
        clock of the process is wrong, where lines also end as on another system; `hurry` leaves out
        what takes much of the time; `checked` rejects what can be no test, as `explore` does: it
        gives something else once more, or at another time; `leaving` puts nothing of what cases
        change in modules back between them; `tidy` also puts back what they change in classes and
        objects of modules, which counts as left then.
        """
        how = {"profile": strict, "moved": moved, "hurries": hurry, "checked": checked}
        how |= {"leaving": leaving, "tidy": tidy}
        batch = self._batch(cases, seconds, how)
        if backwards:
            batch.waiting.reverse()
        if apart:
            together = min(1 + len(cases) // FEWEST_FORKS, MOST_TOGETHER)
            step = math.ceil(len(batch.waiting) / together)
            batch.waiting[:] = [n for first in range(step) for n in batch.waiting[first::step]]
            batch.job = {**batch.job, "apart": together}
        if strict or moved or hash_seed or backwards or apart or elsewhere or leaving:
            self._run_apart(batch, hash_seed, ELSEWHERE if elsewhere else NOTHING)
        else:
            self._begin(batch)
            self._finish(batch)
        return self.observed(batch)

    def operands(self, cases: Sequence[Case], seconds: float) -> dict[str, Sequence[Operands]]:
        """Runs every case and returns, by `Case.key`, what the program compared meanwhile."""
        return self.compared(self.begin_comparing(cases, seconds))

    def begin_comparing(self, cases: Sequence[Case], seconds: float) -> OperandBatch:
        """Has a child begin with `operands` while this process does something else."""
        found: dict[str, Sequence[Operands]] = {}

        def note(record: Mapping[str, Any]) -> None:
            found[cases[record["case"]].key] = read_operands(record["operands"])

        batch = self._batch(cases, seconds, {"operands": True, "hurries": True})
        batch.note = note
        self._begin(batch)
        return OperandBatch(batch, found)

    def compared(self, begun: OperandBatch) -> dict[str, Sequence[Operands]]:
        """Waits for a batch that was begun; returns what `operands` does."""
        self._finish(begun.batch)
        return begun.found

    def meetings(self, cases: Sequence[Case], seconds: float) -> dict[str, dict[str, Meeting]]:
        """Runs every case with stand-ins and returns, by `Case.key` and name, what these met."""
        found: dict[str, dict[str, Meeting]] = {}

        def note(record: Mapping[str, Any]) -> None:
            found[cases[record["case"]].key] = read_meetings(record["met"])

        batch = self._batch(cases, seconds, {"meets": True, "hurries": True})
        batch.note = note
        self._begin(batch)
        self._finish(batch)
        return found

    def passed(self, cases: Sequence[Case], seconds: float) -> list[SeenCall]:
        """Runs every case and returns the calls that the program itself made meanwhile."""
        found: list[SeenCall] = []

        def note(record: Mapping[str, Any]) -> None:
            found.extend(read_passed(record["passed"]))

        batch = self._batch(cases, seconds, {"passes": True, "hurries": True})
        batch.note = note
        self._begin(batch)
        self._finish(batch)
        return found

    def close(self) -> None:
        """Ends the children."""
        while self._desks:
            self._desks.popitem()[1].close()

    def _hangs(self, symbol: str) -> bool:
        """Whether cases of a symbol take too long, and none is known that does not."""
        return bool(self.failures[symbol]["timeout"]) and not self.successes[symbol]

    def _batch(self, cases: Sequence[Case], seconds: float, settings: Mapping[str, Any]) -> Batch:
        waiting = [n for n, case in enumerate(cases) if case.key not in self.banned]
        until = min(time.monotonic() + seconds, self.until)
        settings = {"may_leave": self.may_leave, **settings}
        job = {**SETTINGS, **settings, "cases": [as_json(case) for case in cases]}
        return Batch(cases, waiting, job, until)

    def _begin(self, batch: Batch) -> None:
        """Hands the waiting cases of a batch to a child that stays alive, when that has finished
        the batch before."""
        if not batch.waiting or batch.until - time.monotonic() < LEAST_SECONDS:
            batch.waiting.clear()
            return
        watched = bool(batch.job["operands"])
        desk = self._desks.get(watched)
        if desk is None:
            desk = self._desks[watched] = _Desk(self._worker, quick_folder(self.jail))
        if desk.batch is not None and desk.batch is not batch:
            self._finish(desk.batch)
        if desk.cases > MOST_CASES:
            desk.worker.close()
            desk.cases = 0
        if not desk.worker.is_running:
            batch.until = min(batch.until + self.starting, self.until)
        desk.cases += len(batch.waiting)
        desk.batch = batch
        batch.begun += 1
        batch.given = time.monotonic()
        desk.worker.give(self._told(batch), self._lasting)

    def _finish(self, batch: Batch) -> None:
        """Waits for a batch that was begun; goes on with a new child where one died."""
        desk = self._desks.get(bool(batch.job["operands"]))
        grace = max(LEAST_GRACE, min(self.starting, MOST_GRACE))
        while desk is not None and desk.batch is batch:
            died = desk.worker.wait(batch.until + grace - time.monotonic())
            desk.batch = None
            self._take(batch, desk.worker.journal, died)
            if batch.waiting and batch.begun < MOST_CRASHES:
                self._begin(batch)

    def _run_apart(self, batch: Batch, hash_seed: int, variables: Mapping[str, str]) -> None:
        """Runs a batch in a process of its own, or in several where one died."""
        folder = quick_folder(self.jail)
        worker = self._worker(Path(folder), hash_seed, variables)
        try:
            for _ in range(MOST_CRASHES):
                left = batch.until - time.monotonic()
                if left < LEAST_SECONDS or not batch.waiting:
                    break
                batch.given = time.monotonic()
                child = worker.run({**self._lasting, **self._told(batch)}, left + LEAST_GRACE)
                self._take(batch, worker.journal, worker.died_at(child))
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _told(self, batch: Batch) -> dict[str, Any]:
        """Returns a batch as a child gets it."""
        now = time.monotonic()
        told = {**batch.job, "order": batch.waiting, "blocked": (self.blocked, now - self._began)}
        if math.isfinite(batch.until):
            told["until"] = time.clock_gettime(time.CLOCK_MONOTONIC) + batch.until - now
        return told

    def _take(self, batch: Batch, journal: Path, died: tuple[int, ...] | None) -> None:
        """Notes what a child has told of a batch; what it died of is not run again."""
        cases, waiting = batch.cases, batch.waiting
        told = list(records(journal))
        batch.found.update(_read(told, len(cases), len(self.sites), batch.note))
        self._note_failures(told)
        if not died or died[0] not in waiting:
            waiting.clear()
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
        """Notes why cases failed, and which command lines they read."""
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

    @cached_property
    def _code_file(self) -> CodeFile:
        return CodeFile(self._codes)

    def _worker(
        self, folder: Path, hash_seed: int = 0, more: Mapping[str, str] = NOTHING
    ) -> Worker:
        own = {"PYTHONHASHSEED": str(hash_seed), "PYTHONDONTWRITEBYTECODE": "1"}
        variables = {**more, **own}
        variables["MALLOC_ARENA_MAX"] = "1"  # else each thread takes 64 MB of the address space
        variables["LANGUAGE"] = "C"  # else each message of argparse looks for files of translations
        reads = (self.copy, CHILDREN, self._code_file.folder)
        return Worker(CHILD, folder, self.copy, self.jail, reads, variables)


def _read(
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
