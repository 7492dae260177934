"""Runs cases inside a child process and records each result as a line of the journal.

Started by path with the standard library only: ``python -P probe_child.py job.json``. A crash or a
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
from itertools import compress
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO

MOVING_SECONDS = 0.15
"""Seconds that the runs of a case at other times may take together; later ones are left out."""
HOUR, DAY = 3600.0, 86400.0
WEEKDAYS = tuple(days * DAY + (4 * days - 1) * HOUR for days in range(1, 7))
MOVED = (131 * DAY + 17 * HOUR, *WEEKDAYS)
"""Seconds by which the clock is moved to see what depends on it: another month, other hours, every
weekday."""
NOTED_EVERY = 50
"""Cases after which failures are written down, since a crash loses what is not."""
MOST_THREADS = 16
"""Threads that cases may have left before the process ends: soon after, none could be started."""


PACKAGE = "_lift_child"
"""Name of this folder as a package in the child process: one that no program uses."""


def load(name: str) -> Any:
    """Imports a module of this folder, ``part.name`` from a folder in it."""
    if PACKAGE not in sys.modules:
        package = sys.modules[PACKAGE] = ModuleType(PACKAGE)
        package.__path__ = [str(Path(__file__).parent)]
    return importlib.import_module(f"{PACKAGE}.{name}")


judging, jobs, executing = load("outcomes"), load("jobs"), load("executing")
NOTHING: str = judging.NOTHING
CASE: str = load("importing").CASE
LATE: dict[str, Any] = {}
"""Stands for the record of a case that runs once more, since it was the first to import a module of
the program."""


class Runner(executing.Executor):  # type: ignore[misc, name-defined]
    """Runs the cases of one job after another, and tells what there is to report of each."""

    hits: bytearray
    loops: Any

    def __init__(self, job: dict[str, Any]) -> None:
        super().__init__(load, frozenset(job["program"]), job["readable"], job["probes"])
        self.unhit = bytes(job["probes"])
        self.modules = job.get("modules", ())
        self.arguments: Any = None
        """What notes the arguments of functions, where the job asks for them."""
        self.meeting = load("noting.standin")
        self.operands: Any = None
        """What notes the operands of comparisons, where the job asks for them."""
        self.threads = threading.active_count()
        self.defined: Any = None
        """States of the program after definitions of cases."""
        self.shared: Any = None
        """What the program's classes and objects held after import."""
        self.loop_state: Any = None
        """The event loop that there was then."""
        self.begin(job)
        self._hook()

    def begin(self, job: dict[str, Any]) -> None:
        """Takes over a job."""
        self.job = job
        covered = bytearray(len(self.hits))
        for number in job["covered"]:
            covered[number] = 1
        self.covered = int.from_bytes(covered, "little")
        self.states = set(job.get("states", ()))
        self.moved = float(job.get("moved", 0.0))
        self.explores = not job.get("all", True)
        self.checks = bool(job.get("checked"))
        """Whether what can be no test is rejected, of all cases."""
        self.leaving = bool(job.get("leaving"))
        """Whether what cases change in modules is left as it is, as pytest leaves it."""
        self.tidies = bool(job.get("tidy"))
        """Whether what cases change in classes and objects of modules is put back, and told."""
        self.hurries = bool(job.get("hurries"))
        self.until = float(job.get("until", "inf"))
        """Moment after which no case begins."""
        self.symbols = len({case["symbol"] for case in job["cases"]})
        if self.loops is None and any(case["looped"] for case in job["cases"]):
            self.loops = load("loops")
        self.patience.hangs.update(job.get("hangs", {}))
        self.patience.resume(*job.get("blocked", (0.0, 0.0)))
        self.failures = judging.FailureLog()
        self.telling = judging.Telling(job.get("answered", ()))
        if len(self.codes) > executing.MOST_CODES:
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
        self.late = load("isolation.late_modules").LateModules(self.finder)
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
                    self.failures.tell(journal)
                if self.threads > MOST_THREADS:
                    journal.flush()
                    os._exit(1)  # another process goes on with the case after this one
            self.failures.tell(journal)
            self.parsers.tell(journal)
            journal.write('{"case": -1}\n')
        current.close()
        self.end_watch()

    def _note_state(self) -> None:
        """Notes the state of the program after imports: cases begin with it."""
        self.late.begin()
        self.loop_state = load("isolation.loop_state").LoopState()
        plain = self._snapshot()
        self.spaces = [space for space, _ in plain.modules.spaces]
        self.shared = plain.shared
        self.defined = load("isolation.defined_states").DefinedStates(plain, self._snapshot)
        self.lines.defined.clear()  # what is registered in this state is done anew

    def _import_late(self) -> None:
        """Imports what the last case was the first to import, in the state before all cases."""
        self.defined.plain.put_back()
        self.lines.execute(self.late.forgotten())
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
            self._import_late()
            record = self._in_its_state(case) if record is LATE else record
        if record is not None:
            journal.write(json.dumps({"case": number, **record}) + "\n")
            journal.flush()

    def _import_all(self) -> bool:
        """Executes the imports that are new; returns whether there are any."""
        found: bool = self.lines.execute(ln for case in self.job["cases"] for ln in case["imports"])
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
        if state is plain:
            return self._case(case, plain.modules)
        if self.leaving:
            self.lines.defined[key] = self.lines.define_anew(case)
            self.hits[:] = self.unhit
            return self._case(case, state.modules)
        state.put_back()
        self.shared = state.shared
        try:
            record = self._case(case, state.modules)
            return {**record, "registers": True} if record else record
        finally:
            plain.put_back()
            self.shared = plain.shared

    def _case(self, case: dict[str, Any], before: Any) -> dict[str, Any] | None:
        names: dict[str, Any] = {"__name__": CASE}
        for line in case["imports"]:
            found = self.lines.found[line]
            if isinstance(found, str):
                self._note_failure(case, [], found)
                return None if self.explores else {"rejected": found}
            names.update(found)
        names.update(self.lines.definitions_of(case))
        self.views.clear()
        if self.explores:  # elsewhere it shows whether cases depend on each other
            self.shared.put_back_in_turn()
            self.loop_state.put_back()
            self.hits[:] = self.unhit
        if self.job.get("meets"):
            return self._met(case, names, before)
        if self.job.get("passes"):
            return self._passed(case, names, before)
        space = dict(names)
        outcomes, why = self.observe(case, space, strict=self.job["profile"])
        if self.late.found and not self.leaving:
            return LATE
        if case["subject"] and space.get(case["subject"], case) is None:
            why = why or NOTHING  # what was to be an object is none
        mask = int.from_bytes(self.hits, "little")
        new = bool(mask & ~self.covered)
        reached = bytes(self.hits)
        state = "" if why else self._state_of(case, space)
        # Restoring may execute something of the program.
        changed = not self.leaving and before.restore(case["entry"])
        apart = self.tidies and self.shared.put_back()
        self.hits[:] = self.unhit
        threads, self.threads = self.threads, threading.active_count()
        leaves = changed and not why
        if leaves and not (
            self.job["may_leave"] and self._gives_the_same_then(case, names, outcomes, before)
        ):
            why = "state"
        if self.threads > threads:
            why = why or "thread"
        self._note_failure(case, outcomes, why)
        other = bool(state) and state not in self.states
        answers = self.explores and not why and self.telling.answers(case["symbol"], outcomes)
        hears = self.explores and not why and self.telling.hears(case, outcomes)
        if self.explores:
            if why:
                return None
            if not (new or other or answers or hears):
                return self._lead(case, outcomes)
            why = self._unfit(case, names, outcomes, bool(state), before)
            if why:
                self._note_failure(case, outcomes, why, known=True)
                return self._lead(case, outcomes, state if other and why == NOTHING else "")
        elif self.checks and not why:
            why = self._unfit(case, names, outcomes, bool(state), before)
        self.covered |= mask
        self.states.add(state)
        told = new or not self.explores
        hits = list(compress(range(len(reached)), reached)) if told else []
        if answers:
            self.telling.note_answer(case["symbol"])
        record = {"outcomes": outcomes, "hits": hits, "rejected": why, "state": state}
        record["leaves"] = leaves or (apart and not why)
        if self.operands is not None:
            record["operands"] = self.operands.taken()
        return {**record, "views": list(self.views)} if self.views else record

    def _gives_the_same_then(
        self, case: dict[str, Any], names: dict[str, Any], outcomes: list[Any], before: Any
    ) -> bool:
        """Whether a case that changes variables of modules gives the same `outcomes` after it has
        changed them. Whether others do is seen where nothing is put back between cases."""
        for _ in range(2):
            again, _ = self.observe({**case, "watched": ()}, dict(names), strict=False)
        before.restore(case["entry"])
        self.hits[:] = self.unhit
        return bool(judging.agree(outcomes, again))

    def _met(self, case: dict[str, Any], names: dict[str, Any], before: Any) -> dict[str, Any]:
        """Returns what the stand-ins of a case met."""
        meeting = self.meeting.StandInLog()
        case = {**case, "steps": [(source, False, True, False) for source, *_ in case["steps"]]}
        self.observe(case, {**names, self.meeting.NAME: meeting.new}, strict=False)
        self.hits[:] = self.unhit
        before.restore()
        return {"outcomes": [], "hits": [], "rejected": NOTHING, "met": meeting.trees}

    def _passed(self, case: dict[str, Any], names: dict[str, Any], before: Any) -> dict[str, Any]:
        """Returns what functions of the program are passed while a case runs."""
        if self.arguments is None:
            files = frozenset(file for _, file, _ in self.modules)
            log = load("noting.passed").ArgumentLog
            self.arguments = log(self.program, files)
        self.noting = self.arguments.profile
        self.observe(case, names, strict=False)
        self.noting = None
        self.hits[:] = self.unhit
        before.restore()
        rows = self.arguments.taken()
        return {"outcomes": [], "hits": [], "rejected": NOTHING, "passed": rows}

    def _lead(
        self, case: dict[str, Any], outcomes: list[Any], state: str = ""
    ) -> dict[str, Any] | None:
        """Returns the record of a case that is no test but leads on; None of any other."""
        found: dict[str, Any] | None = self.telling.lead(case["symbol"], outcomes, state)
        self.states.add(state if found is not None else "")
        return found

    def _note_failure(
        self, case: dict[str, Any], outcomes: list[dict[str, Any]], why: str, *, known: bool = False
    ) -> None:
        self.failures.note(case["symbol"], judging.accident(outcomes), why, known)

    def _at_another_time(
        self, case: dict[str, Any], names: dict[str, Any], seconds: float, before: Any
    ) -> list[dict[str, Any]]:
        self.clock.move(seconds, self.spaces)
        try:
            outcomes, _ = self.observe({**case, "watched": ()}, dict(names), strict=False)
        finally:
            self.clock.move_back()
        before.restore()
        self.hits[:] = self.unhit
        return outcomes

    def _tells_the_time(
        self, case: dict[str, Any], names: dict[str, Any], outcomes: list[Any], before: Any
    ) -> bool:
        """Whether a case gives something else at another time than the `outcomes`."""
        until = time.monotonic() + MOVING_SECONDS
        for moved in MOVED:
            if not judging.agree(outcomes, self._at_another_time(case, names, moved, before)):
                return True
            if time.monotonic() > until:
                break
        return False

    def _unfit(
        self,
        case: dict[str, Any],
        names: dict[str, Any],
        outcomes: list[Any],
        telling: bool,
        before: Any,
    ) -> str:
        """Returns why a case can be no test: it shows nothing, or gives something else once more,
        at another time or without a seed; "" where it can."""
        if not judging.usable(outcomes, telling):
            return NOTHING
        self.views.clear()
        watched = [case["subject"]] if case["subject"] and not judging.usable(outcomes) else []
        before.put_back_left()
        watching = {**case, "watched": watched}
        again, why = self.observe(watching, dict(names), strict=True, elsewhere=True)
        before.restore()
        self.hits[:] = self.unhit
        timed = why == "clock"
        why = "" if timed else why
        if not why and not judging.agree(outcomes, again):
            why = "clock" if timed else "another result each time"
            why = "machine" if not timed and self._is_of_machine else why
        if not why and timed and self._tells_the_time(case, names, outcomes, before):
            why = "clock"
        if not why and not judging.usable(outcomes) and self.views[:1] == self.views[1:]:
            why = NOTHING
        self.views.clear()
        return why

    def observe(
        self, case: dict[str, Any], space: dict[str, Any], strict: bool, elsewhere: bool = False
    ) -> tuple[list[dict[str, Any]], str]:
        """Executes a case; that it asks the clock is only held against it where what depends on
        the clock is looked for: elsewhere runs with the clock moved tell whether it matters."""
        outcomes, why = super().observe(case, space, strict, elsewhere)
        return outcomes, "" if why == "clock" and not (self.explores or self.checks) else why

    @property
    def _is_of_machine(self) -> bool:
        """Whether the last case was told of another machine than there is."""
        return bool(self.disk.is_asked or self.machine.is_asked)

    def tells_nothing(self, case: dict[str, Any], value: Any) -> bool:
        """Whether nothing is told of a case whose last step returned `value`: it reaches nothing
        new, has no object in a state, and enough is told of its symbol."""
        if not self.explores or case["subject"]:
            return False
        if not self.telling.is_done(case["symbol"], value):
            return False
        return not int.from_bytes(self.hits, "little") & ~self.covered

    def _state_of(self, case: dict[str, Any], space: dict[str, Any]) -> str:
        """Returns the abstract state of the case's subject, "" where there is none."""
        self.guard.active = True
        try:
            subject = space.get(case["subject"])
            return "" if subject is None else str(self.viewer.state_of(subject))
        except BaseException:
            return ""
        finally:
            self.guard.active = False


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
