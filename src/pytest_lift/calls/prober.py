"""Asks of cases what they do on the program: what they reach, give, compare and pass on."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, Unpack

from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.noted.meetings import Meeting, read_meetings
from pytest_lift.calls.noted.operands import Operands, read_operands
from pytest_lift.calls.noted.passed import SeenCall, read_passed
from pytest_lift.calls.running.children import NOTHING, Batch, Children

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


class Manner(TypedDict, total=False):
    """How cases are observed."""

    hash_seed: int
    backwards: bool
    """Begins with the last case."""
    apart: bool
    """Runs them in forks, a few that are far from each other in each."""
    elsewhere: bool
    """Sets variables of another terminal."""
    strict: bool
    """Also notes whether an unseeded random number was drawn (slower)."""
    moved: float
    """Seconds by which the clock of the process is wrong, where lines also end as on another
    system."""
    hurry: bool
    """Leaves out what takes much of the time."""
    checked: bool
    """Rejects what can be no test, as `Prober.explore` does: it gives something else once more, or
    at another time."""
    leaving: bool
    """Puts nothing of what cases change in modules back between them."""
    tidy: bool
    """Also puts back what they change in classes and objects of modules, which counts as left
    then."""


USUAL = Manner(
    hash_seed=0, backwards=False, apart=False, elsewhere=False, strict=False, moved=0.0,
    hurry=False, checked=False, leaving=False, tidy=False,
)  # fmt: skip
"""How cases are observed where nothing else is said."""
IN_ITS_OWN = ("strict", "moved", "hash_seed", "backwards", "apart", "elsewhere", "leaving")
"""What is done in a process that has run nothing before."""

MIXING = ("backwards", "apart", "leaving")
"""What is done to see whether cases depend on each other: what one of them changes in classes and
objects of modules is there for the next. Otherwise it is put back before that."""


@dataclass(frozen=True)
class Rerun:
    """Cases that are observed in some manner."""

    cases: Sequence[Case]
    manner: Manner


@dataclass(frozen=True)
class OperandBatch:
    """Cases under way whose comparisons are noted, by `Case.key`."""

    batch: Batch
    found: dict[str, Sequence[Operands]]


class Prober(Children):
    """Runs cases in children, and returns what was observed."""

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
        }
        batch = self.batch(cases, seconds, settings)
        self.begin(batch)
        return batch

    def explored(self, batch: Batch) -> list[tuple[Case, Observation]]:
        """Waits for a batch that was begun; returns what `explore` does."""
        self.finish(batch)
        return [(batch.cases[number], seen) for number, seen in sorted(batch.found.items())]

    def begin_observing(
        self, cases: Sequence[Case], seconds: float, **manner: Unpack[Manner]
    ) -> Batch:
        """Has a child begin with `observe` while this process does something else; each case runs
        once, however often it is among `cases`."""
        cases = [*{case.key: case for case in cases}.values()]
        how: dict[str, Any] = {**USUAL, **manner}
        job = {"profile": how["strict"], "hurries": how["hurry"], "moved": how["moved"]}
        job |= {name: how[name] for name in ("checked", "leaving", "tidy")}
        job["mixes"] = any(how[name] for name in MIXING)
        batch = self.batch(cases, seconds, job)
        if how["backwards"]:
            batch.waiting.reverse()
        if how["apart"]:
            together = min(1 + len(cases) // FEWEST_FORKS, MOST_TOGETHER)
            step = math.ceil(len(batch.waiting) / together)
            batch.waiting[:] = [n for first in range(step) for n in batch.waiting[first::step]]
            batch.job = {**batch.job, "apart": together}
        if any(how[name] for name in IN_ITS_OWN):
            self.begin_apart(batch, how["hash_seed"], ELSEWHERE if how["elsewhere"] else NOTHING)
        else:
            self.begin(batch)
        return batch

    def observed(self, batch: Batch) -> dict[str, Observation]:
        """Waits for a batch that was begun; returns what `observe` does."""
        self.finish(batch)
        return {batch.cases[number].key: seen for number, seen in batch.found.items()}

    def observe(
        self, cases: Sequence[Case], seconds: float, **manner: Unpack[Manner]
    ) -> dict[str, Observation]:
        """Runs every case in some manner and returns all observations by `Case.key`."""
        return self.observed(self.begin_observing(cases, seconds, **manner))

    def observe_each(self, reruns: Sequence[Rerun], seconds: float) -> list[dict[str, Observation]]:
        """Does `observe` for each of several runs in a process of its own, for `seconds` together,
        as many at once as there are processors. What one did not get through is left out of those
        that begin after its end."""
        until, lost = time.monotonic() + seconds, set[str]()
        batches: list[Batch] = []
        found: list[dict[str, Observation]] = []

        def finish_next() -> None:
            batch = batches[len(found)]
            found.append(self.observed(batch))
            lost.update({case.key for case in batch.cases} - found[-1].keys())

        for number, rerun in enumerate(reruns):
            if number >= self.processors:
                finish_next()
            part = (until - time.monotonic()) / self.turns(len(reruns) - number)
            cases = [case for case in rerun.cases if case.key not in lost]
            batches.append(self.begin_observing(cases, part, **rerun.manner))
        while len(found) < len(batches):
            finish_next()
        return found

    def turns(self, processes: int) -> int:
        """Returns how often processes begin together where so many run."""
        return math.ceil(processes / self.processors)

    def operands(self, cases: Sequence[Case], seconds: float) -> dict[str, Sequence[Operands]]:
        """Runs every case and returns, by `Case.key`, what the program compared meanwhile."""
        return self.compared(self.begin_comparing(cases, seconds))

    def begin_comparing(self, cases: Sequence[Case], seconds: float) -> OperandBatch:
        """Has a child begin with `operands` while this process does something else."""
        found: dict[str, Sequence[Operands]] = {}

        def note(record: Mapping[str, Any]) -> None:
            found[cases[record["case"]].key] = read_operands(record["operands"])

        batch = self.batch(cases, seconds, {"operands": True, "hurries": True})
        batch.note = note
        self.begin(batch)
        return OperandBatch(batch, found)

    def compared(self, begun: OperandBatch) -> dict[str, Sequence[Operands]]:
        """Waits for a batch that was begun; returns what `operands` does."""
        self.finish(begun.batch)
        return begun.found

    def meetings(self, cases: Sequence[Case], seconds: float) -> dict[str, dict[str, Meeting]]:
        """Runs every case with stand-ins and returns, by `Case.key` and name, what these met."""
        found: dict[str, dict[str, Meeting]] = {}

        def note(record: Mapping[str, Any]) -> None:
            found[cases[record["case"]].key] = read_meetings(record["met"])

        batch = self.batch(cases, seconds, {"meets": True, "hurries": True})
        batch.note = note
        self.begin(batch)
        self.finish(batch)
        return found

    def passed(self, cases: Sequence[Case], seconds: float) -> list[SeenCall]:
        """Runs every case and returns the calls that the program itself made meanwhile."""
        found: list[SeenCall] = []

        def note(record: Mapping[str, Any]) -> None:
            found.extend(read_passed(record["passed"]))

        batch = self.batch(cases, seconds, {"passes": True, "hurries": True})
        batch.note = note
        self.begin(batch)
        self.finish(batch)
        return found
