"""Runs cases inside a child process and records each result as a line of the journal.

Started by path with the standard library only: ``python -P probe_child.py job``. A crash or a
hang costs the case that was running; its number is in the file ``current``. A job with a number has
others after it: when it is done the child says the number on descriptor 3 and reads that of the
next one there.
"""

from __future__ import annotations

import builtins
import importlib
import json
import logging
import marshal
import os
import sys
import threading
import time
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO

NOTED_EVERY = 50
"""Cases after which failures are written down, since a crash loses what is not."""
MOST_THREADS, STACK = 48, 1 << 20
"""Threads that cases may have left before the process ends, since soon after none could be started,
and bytes of address space of each: eight times as many are usual, and would fill it at once."""


PACKAGE = "_lift_child"
"""Name of this folder as a package in the child process: one that no program uses."""


def load(name: str) -> Any:
    """Imports a module of this folder, ``part.name`` from a folder in it."""
    if PACKAGE not in sys.modules:
        package = sys.modules[PACKAGE] = ModuleType(PACKAGE)
        package.__path__ = [str(Path(__file__).parent)]
    return importlib.import_module(f"{PACKAGE}.{name}")


jobs, trying, late_modules = load("jobs"), load("trying"), load("isolation.late_modules")
CASE: str = load("importing").CASE
MOST_CODES: int = load("executing").MOST_CODES


class Runner(trying.Trial):  # type: ignore[misc, name-defined]
    """Runs the cases of one job after another, and tells what there is to report of each."""

    hits: bytearray
    loops: Any

    def __init__(self, job: dict[str, Any]) -> None:
        super().__init__(load, frozenset(job["program"]), job["readable"], job["probes"])
        self.modules = job.get("modules", ())
        self.defined: Any = None
        """States of the program after definitions of cases."""
        self.begin(job)
        self._hook()

    def begin(self, job: dict[str, Any]) -> None:
        """Takes over a job."""
        self.take(job)
        self.hurries = bool(job.get("hurries"))
        self.until = float(job.get("until", "inf"))
        """Moment after which no case begins."""
        self.symbols = len({case["symbol"] for case in job["cases"]})
        if self.loops is None and any(case["looped"] for case in job["cases"]):
            self.loops = load("loops")
        self.patience.hangs.update(job.get("hangs", {}))
        self.patience.resume(*job.get("blocked", (0.0, 0.0)), job.get("spent", {}))
        if len(self.codes) > MOST_CODES:
            self.codes.clear()

    def _hook(self) -> None:
        hits = self.hits

        def falsy(number: int, value: Any) -> Any:
            if not value:
                hits[number] = 1
            return value

        def truthy(number: int, value: Any) -> Any:
            if value:
                hits[number] = 1
            return value

        instrument = load("instrument")
        bindings = {instrument.HITS: hits, instrument.FALSY: falsy, instrument.TRUTHY: truthy}
        modules = {name: (file, first) for name, file, first in self.job["modules"]}
        change, given = instrument.with_probes, {}
        if self.job.get("operands"):
            operands = load("noting.operands")
            self.watching = operands.__file__
            self.operands = operands.ComparisonLog()
            bindings[operands.WATCH] = self.operands.watch

            def change(text: str, first: int) -> Any:
                return operands.watched(instrument.with_probes(text, first), first)

        else:
            given = marshal.loads(Path(self.job["codes"]).read_bytes())
        vars(builtins).update(bindings)  # for the namespaces that `runpy` makes
        self.finder = instrument.Finder(modules, bindings, change, given)
        self.late = late_modules.LateModules(self.finder)
        sys.meta_path.insert(0, self.finder)
        self.files = {
            os.path.realpath(file): frozenset(lines) for file, lines in self.job["raises"]
        }

    def run(self) -> None:
        """Runs every case of the job and writes a line for each case to report."""
        current = jobs.shared(self.job["current"])
        if self.shared is not None:  # what the last job left is no state after an import
            self.shared.put_back()
            self.loop_state.put_back()
        if self._import_all() or self.defined is None:
            self._note_state()
        self.lines.define(self.job["cases"], self.defined)
        self.hits[:] = self.unhit
        with Path(self.job["journal"]).open("a", encoding="utf-8") as journal:
            order = self.job["order"]
            if self.job.get("apart") and jobs.can_fork():
                self.watch_seconds = 0.0
                work = self.job["apart"], lambda number: self._number(number, journal)
                jobs.in_forks(order, *work)
                order = []
            for number in order:
                current[:] = b"%010d" % number
                self._number(number, journal)
                if number % NOTED_EVERY == 0 or self.threads > MOST_THREADS:
                    self._tell(journal)
                if self.threads > MOST_THREADS:
                    journal.write('{"case": -6}\n')
                    journal.flush()
                    os._exit(1)  # another process goes on with the case after this one
            self._tell(journal)
            self.parsers.tell(journal)
            journal.write('{"case": -1}\n')
        current.close()
        self.end_watch()

    def _tell(self, journal: TextIO) -> None:
        """Writes down what was counted since the last time."""
        self.failures.tell(journal)
        self.patience.tell(journal)

    def _note_state(self) -> None:
        """Notes the state of the program after imports: cases begin with it."""
        self.late.begin()
        self.timers.note()
        self.timers.put_back()
        self.loop_state = load("isolation.loop_state").LoopState()
        plain = self._snapshot()
        self.spaces = [space for space, _ in plain.modules.spaces]
        self.shared = plain.shared
        self.defined = load("isolation.defined_states").DefinedStates(plain, self._snapshot)
        self.lines.forget_definitions()  # what is registered in this state is done anew

    def _import_late(self, journal: TextIO) -> None:
        """Imports what the last case was the first to import, in the state before all cases, and
        tells of it: a process after this one imports it at once."""
        self.end_watch()
        self.defined.plain.put_back()
        late = self.late.forgotten()
        journal.write(json.dumps({"case": -4, "late": late}) + "\n")
        self.lines.execute(late_modules.lines(late))
        self._note_state()
        self.lines.define(self.job["cases"], self.defined)
        self.hits[:] = self.unhit

    def _number(self, number: int, journal: TextIO) -> None:
        """Runs the case with this number and writes down what there is to report."""
        case = self.job["cases"][number]
        if time.clock_gettime(time.CLOCK_MONOTONIC) > self.until:
            return
        if self.hurries and self.patience.gives_up(case, self.symbols):
            return
        record = self._in_its_state(case)
        if self.late.found and not self.leaving:
            self._import_late(journal)
            record = self._in_its_state(case) if record is trying.LATE else record
        if record is not None:
            journal.write(json.dumps({"case": number, **record}) + "\n")
            journal.flush()

    def _import_all(self) -> bool:
        """Executes the imports that are new; returns whether there are any."""
        lines = [line for case in self.job["cases"] for line in case["imports"]]
        late = () if self.leaving else self.job.get("late", ())
        found: bool = self.lines.execute([*lines, *late_modules.lines(late)])
        self.threads = threading.active_count()
        self.parsers.install()
        return found

    def _snapshot(self) -> Any:
        """Returns what the program holds now."""
        modules = load("isolation.module_state").ModuleState(self.finder.modules, CASE)
        spaces = [space for space, _ in modules.spaces]
        shared = load("isolation.shared_objects").SharedObjects(spaces, self.finder.modules)
        return load("isolation.defined_states").Snapshot(modules, shared)

    def _in_its_state(self, case: dict[str, Any]) -> dict[str, Any] | None:
        """Runs a case in the state of the program in which its definitions, and no others, have
        registered what they do; where nothing is put back, they are executed as in a test."""
        key = self.lines.key_of(case)
        state, plain = self.defined.of(key), self.defined.plain
        record: dict[str, Any] | None
        if state is plain:
            record = self.tried(case, plain.modules)
            return record
        if self.leaving:
            self.lines.defined[key] = self.lines.define_anew(case)
            self.hits[:] = self.unhit
            record = self.tried(case, state.modules)
            return record
        state.put_back()
        self.shared = state.shared
        try:
            record = self.tried(case, state.modules)
            return {**record, "registers": True} if record else record
        finally:
            plain.put_back()
            self.shared = plain.shared


def main(kind: type[Runner] = Runner) -> None:
    """Works through jobs. Whatever goes wrong ends the process at once: an interpreter that goes
    down waits for the threads that cases have left."""
    try:
        _work(kind)
    except BaseException:
        os._exit(1)
    os._exit(0)


def _work(kind: type[Runner]) -> None:
    """Works through jobs. As in tests that pytest runs, messages for which a program has no handler
    and warnings are not written to the standard error."""
    place = sys.argv[1]
    job = jobs.read(place)
    sys.path[:0] = job["roots"]
    sys.argv[:] = ["-c"] if "PYTEST_XDIST_WORKER" in os.environ else ["pytest"]
    threading.stack_size(STACK)
    logging.getLogger().addHandler(logging.NullHandler())
    warnings.showwarning = lambda *_, **__: None
    runner = kind(job)
    load("isolation.limits").limit()
    runner.timers.install()
    runner.idleness.install()
    sys.addaudithook(runner.guard.hook())
    runner.run()
    while (job := jobs.following(job, place)) is not None:
        runner.begin(job)
        runner.run()


if __name__ == "__main__":
    main()
