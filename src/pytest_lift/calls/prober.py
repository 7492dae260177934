"""Runs cases in a child process with probes in the program, and reads the observations."""

from __future__ import annotations

import contextlib
import math
import random
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_lift.calls.case import Case, Observation, observation_from
from pytest_lift.calls.child.instrument import ProbePoint, instrument, raise_lines
from pytest_lift.calls.operands import Operands, read_operands
from pytest_lift.sandbox.jail import Jail
from pytest_lift.sandbox.worker import Worker, records
from pytest_lift.source.program import Program

CHILDREN = Path(__file__).with_name("child")
"""Folder of the scripts that run inside the jail."""
CHILD = CHILDREN / "probe_child.py"
MOST_CRASHES = 24
MOST_DEATHS = 2
"""Crashes or hangs after which the other cases of a symbol are left out of a run."""
LEAST_SECONDS = 0.2
"""Seconds below which no process is started."""


@dataclass(frozen=True)
class Site:
    """Probe and the source file in which it stands."""

    path: str
    probe: ProbePoint


@dataclass
class Prober:
    """Runs cases against the program in `copy`; excludes cases that crash or hang."""

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
    successes: Counter[str] = field(default_factory=Counter)
    """``path:symbol`` -> number of explored cases of it that could become tests, or repeat one."""
    _modules: list[tuple[str, str, int]] = field(default_factory=list)
    _raises: list[tuple[str, list[int]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for path, file in self.program.files.items():
            if file.error is not None:
                continue
            place = str(self.copy / path)
            self._raises.append((place, sorted(raise_lines(file.text))))
            if self.only is not None and path not in self.only:
                continue
            self._modules.append((file.module, place, len(self.sites)))
            self.sites += [Site(path, probe) for probe in instrument(file.text)[1]]

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
        found = self._run(
            cases,
            seconds,
            covered=sorted(covered),
            report_all=False,
            states=sorted(states),
            answered=sorted(answered),
        )
        return [(cases[number], seen) for number, seen in sorted(found.items())]

    def observe(
        self,
        cases: Sequence[Case],
        seconds: float,
        *,
        hash_seed: int = 0,
        order_seed: int | None = None,
        strict: bool = False,
        moved: float = 0.0,
    ) -> dict[str, Observation]:
        """Runs every case and returns all observations by `Case.key`.

        `strict` also notes whether an unseeded random number was drawn (slower); `moved` is by how
        many seconds the clock of the process is wrong.
        """
        found = self._run(
            cases,
            seconds,
            report_all=True,
            hash_seed=hash_seed,
            order=order_seed,
            profile=strict,
            moved=moved,
        )
        return {cases[number].key: seen for number, seen in found.items()}

    def operands(self, cases: Sequence[Case], seconds: float) -> dict[str, Sequence[Operands]]:
        """Runs every case and returns, by `Case.key`, what the program compared meanwhile."""
        found: dict[str, Sequence[Operands]] = {}

        def note(record: Mapping[str, Any]) -> None:
            found[cases[record["case"]].key] = read_operands(record["operands"])

        self._run(cases, seconds, report_all=True, note=note)
        return found

    def _run(
        self,
        cases: Sequence[Case],
        seconds: float,
        *,
        covered: Sequence[int] = (),
        states: Sequence[str] = (),
        answered: Sequence[str] = (),
        report_all: bool,
        hash_seed: int = 0,
        order: int | None = None,
        profile: bool = False,
        moved: float = 0.0,
        note: Callable[[Mapping[str, Any]], None] | None = None,
    ) -> dict[int, Observation]:
        waiting = [n for n, case in enumerate(cases) if case.key not in self.banned]
        if order is not None:
            random.Random(order).shuffle(waiting)
        found: dict[int, Observation] = {}
        if not waiting:
            return found
        with tempfile.TemporaryDirectory(prefix="lift-") as folder:
            job = self._job(cases, covered, report_all, profile)
            job |= {
                "states": states,
                "answered": answered,
                "moved": moved,
                "operands": note is not None,
            }
            worker = self._worker(Path(folder), hash_seed)
            until = min(time.monotonic() + seconds, self.until)
            deaths: Counter[tuple[str, str]] = Counter()
            for _ in range(MOST_CRASHES):
                left = until - time.monotonic()
                if left < LEAST_SECONDS:
                    break
                child = worker.run({**job, "order": waiting}, left)
                found.update(_read(worker.journal, len(cases), len(self.sites), note))
                self._note_failures(worker.journal)
                died = worker.died_at(child)
                if not died or died[0] not in waiting:
                    break
                self.banned.add(cases[died[0]].key)
                waiting = waiting[waiting.index(died[0]) + 1 :]
                symbol = cases[died[0]].path, cases[died[0]].symbol
                self.failures[":".join(symbol)]["it ends or blocks the process"] += 1
                deaths[symbol] += 1
                if deaths[symbol] >= MOST_DEATHS:
                    waiting = [n for n in waiting if (cases[n].path, cases[n].symbol) != symbol]
        return found

    def _note_failures(self, journal: Path) -> None:
        for record in records(journal):
            with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
                if record["case"] == -2:
                    reasons = {str(why): int(count) for why, count in record["why"]}
                    self.successes[str(record["symbol"])] += int(record["fine"])
                    self.failures[str(record["symbol"])].update(reasons)

    def _job(
        self,
        cases: Sequence[Case],
        covered: Sequence[int],
        report_all: bool,
        profile: bool,
    ) -> dict[str, Any]:
        roots = [str(self.copy / root) for root in self.program.search_path]
        return {
            "roots": roots,
            "readable": [str(self.copy.resolve())],
            "program": self.program.names,
            "modules": self._modules,
            "raises": self._raises,
            "probes": len(self.sites),
            "covered": covered,
            "all": report_all,
            "profile": profile,
            "cases": [as_json(case) for case in cases],
        }

    def _worker(self, folder: Path, hash_seed: int) -> Worker:
        variables = {"PYTHONHASHSEED": str(hash_seed), "PYTHONDONTWRITEBYTECODE": "1"}
        return Worker(CHILD, folder, self.copy, self.jail, (self.copy, CHILDREN), variables)


def as_json(case: Case) -> dict[str, Any]:
    """Returns the case as the children read it."""
    return {
        "imports": case.imports,
        "steps": [(step.source, step.check, step.acts) for step in case.steps],
        "argv": case.argv,
        "stdin": case.stdin,
        "files": dict(case.files),
        "placed": case.placed,
        "subject": case.subject,
        "watched": case.watched,
        "seeded": case.seeded,
        "symbol": f"{case.path}:{case.symbol}",
        "children": starts_children(case),
    }


def starts_children(case: Case) -> bool:
    """Whether the case is a documented command line, which may start the interpreter."""
    return case.origin == "requirement" and "subprocess" in case.source


def _read(
    journal: Path,
    cases: int,
    sites: int,
    note: Callable[[Mapping[str, Any]], None] | None = None,
) -> dict[int, Observation]:
    """Returns the observations in the journal; hands the records of cases to `note`.

    The program runs in the process that writes the journal: only records of known cases and probes
    count.
    """
    found: dict[int, Observation] = {}
    for record in records(journal):
        with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
            if type(record["case"]) is int and 0 <= record["case"] < cases:
                seen = observation_from(record)
                if max(seen.hits, default=0) < max(sites, 1):
                    found[record["case"]] = seen
                    if note is not None:
                        note(record)
    return found
