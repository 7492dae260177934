"""Runs cases inside a child process and records each result as a line of the journal.

Started by path with the standard library only: ``python -P probe_child.py job.json``. A crash or a
hang costs the case that was running; its number is in the file ``current``. A job with a number has
others after it: when it is done the child says the number on descriptor 3 and reads that of the
next one there.
"""

from __future__ import annotations

import ast
import builtins
import faulthandler
import importlib.util
import json
import os
import random
import sys
import threading
import time
from itertools import compress
from pathlib import Path
from types import CodeType
from typing import Any, TextIO

HANG_SECONDS = 1.0
CHILD_SECONDS = 8.0
WATCH_SECONDS = 0.4
"""Seconds for which a watch over hanging cases is kept before it is set anew."""
LEAST_KEPT = 0.5
"""Share of these seconds for which it is kept at least, where calls get less time."""
MOVING_SECONDS = 0.15
"""Seconds that the runs of a case at other times may take together; later ones are left out."""
SEED = 20240229
AWAITING = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
"""Flag by which a step may wait."""
HOUR, DAY = 3600.0, 86400.0
WEEKDAYS = tuple(days * DAY + (4 * days - 1) * HOUR for days in range(1, 7))
MOVED = (131 * DAY + 17 * HOUR, *WEEKDAYS)
"""Seconds by which the clock is moved to see what depends on it: another month, other hours, every
weekday."""
NOTED_EVERY = 50
"""Cases after which failures are written down, since a crash loses what is not."""
MOST_THREADS = 16
"""Threads that cases may have left before the process ends: soon after, none could be started."""
MOST_CODES = 20_000
"""Compiled steps that are kept from one job to the next."""


def load(name: str) -> Any:
    """Loads a file of this folder, ``part.name`` from a folder in it, under a module name that no
    program uses."""
    path = Path(__file__).parent.joinpath(*name.split(".")).with_suffix(".py")
    spec = importlib.util.spec_from_file_location(f"_lift_child_{name.replace('.', '_')}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


judging, jobs, timing = load("outcomes"), load("jobs"), load("timers")
NOTHING: str = judging.NOTHING


class Runner:
    """Runs one case after another in one process."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.program = frozenset(job["program"])
        self.hits = bytearray(job["probes"])
        self.unhit = bytes(job["probes"])
        self.describing = load("describe")
        self.modules = job.get("modules", ())
        self.arguments: Any = None
        """What notes the arguments of functions, where the job asks for them."""
        self.describe = self.describing.describe
        self.viewer = load("views").Viewer(self.program, self.describing)
        self.looked_into = load("collected").looked_into
        self.meeting = load("noting.standin")
        self.operands: Any = None
        """What notes the operands of comparisons, where the job asks for them."""
        self.watching = ""
        """File of what notes them."""
        self.watch_seconds, self.watched_at = 0.0, 0.0
        self.patience = judging.Patience()
        self.guards = load("child_guard")
        self.clock = load("clock").Clock()
        self.guard = self.guards.Guard(job["readable"], timing.Stopped)
        self.timers = timing.Timers()
        self.idle_loops = timing.IdleLoops()
        self.lines = load("importing").ImportLines(self.guards)
        self.parsers = load("noting.declarations").ParserWatch()
        self.codes: dict[tuple[str, str], CodeType | None] = {}
        self.loops: Any = None
        """What makes event loops, where a job has cases that run in one."""
        self.loop: Any = None
        """The event loop of the case that is running, where it has one."""
        self.threads = threading.active_count()
        self.state: Any = None
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
        self.hurries = bool(job.get("hurries"))
        """Whether cases that would take too long are left out."""
        self.symbols = len({case["symbol"] for case in job["cases"]})
        if self.loops is None and any(case["looped"] for case in job["cases"]):
            self.loops = load("loops")
        self.patience.hangs.update(job.get("hangs", {}))
        self.patience.resume(*job.get("blocked", (0.0, 0.0)))
        self.failures = judging.FailureLog()
        self.telling = judging.Telling(job.get("answered", ()), self.describing.FUNCTIONS)
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
        change = instrument.with_probes
        if self.job.get("operands"):
            operands = load("noting.operands")
            self.watching = operands.__file__
            self.operands = operands.ComparisonLog()
            bindings[operands.WATCH] = self.operands.watch

            def change(text: str, first: int) -> Any:
                return operands.watched(instrument.with_probes(text, first), first)

        vars(builtins).update(bindings)  # for the namespaces that `runpy` makes
        self.finder = instrument.Finder(modules, bindings, change)
        sys.meta_path.insert(0, self.finder)
        self.files = {
            os.path.realpath(file): frozenset(lines) for file, lines in self.job["raises"]
        }

    def run(self) -> None:
        """Runs every case of the job and writes a line for each case to report."""
        current = jobs.shared(self.job["current"])
        if self._import_all() or self.state is None:
            self.state = self.guards.ModuleState(self.finder.modules)
            self.spaces = [space for space, _ in self.state.spaces]
        state = self.state
        self.hits[:] = self.unhit
        with Path(self.job["journal"]).open("a", encoding="utf-8") as journal:
            order = self.job["order"]
            if self.job.get("apart") and jobs.can_fork():
                self.watch_seconds = 0.0
                work = self.job["apart"], lambda number: self._number(number, state, journal)
                jobs.in_forks(order, *work)
                order = []
            for number in order:
                current[:] = b"%010d" % number
                self._number(number, state, journal)
                if number % NOTED_EVERY == 0 or self.threads > MOST_THREADS:
                    self.failures.tell(journal)
                if self.threads > MOST_THREADS:
                    journal.flush()
                    os._exit(1)  # another process goes on with the case after this one
            self.failures.tell(journal)
            self.parsers.tell(journal)
            journal.write('{"case": -1}\n')
        current.close()
        faulthandler.cancel_dump_traceback_later()
        self.watch_seconds = 0.0

    def _number(self, number: int, state: Any, journal: TextIO) -> None:
        """Runs the case with this number and writes down what there is to report."""
        case = self.job["cases"][number]
        if self.hurries and self.patience.gives_up(case["symbol"], self.symbols):
            return
        record = self._case(case, state)
        if record is not None:
            journal.write(json.dumps({"case": number, **record}) + "\n")
            journal.flush()

    def _watch(self, case: dict[str, Any], share: float) -> None:
        """Lets the process end where a run of a case takes too long to be stopped, by the `share`
        of the usual time that it gets, and sets the timers; a watch costs a thread, so that a
        recent one is kept."""
        seconds = CHILD_SECONDS if case["children"] else HANG_SECONDS * share
        kept = WATCH_SECONDS * max(share, LEAST_KEPT)
        now = time.clock_gettime(time.CLOCK_MONOTONIC)  # which no case and no test of it moves
        if seconds != self.watch_seconds or now > self.watched_at + kept:
            faulthandler.dump_traceback_later(seconds + kept, exit=True)
            self.timers.set()
            self.watch_seconds, self.watched_at = seconds, now

    def _import_all(self) -> bool:
        """Executes the imports that are new; returns whether there are any."""
        found: bool = self.lines.execute(ln for case in self.job["cases"] for ln in case["imports"])
        found = self.lines.define(self.job["cases"]) or found
        self.threads = threading.active_count()
        self.parsers.install()
        return found

    def _case(self, case: dict[str, Any], before: Any) -> dict[str, Any] | None:
        names: dict[str, Any] = {"__name__": "lift_case"}
        for line in case["imports"]:
            found = self.lines.found[line]
            if isinstance(found, str):
                self._note_failure(case, [], found)
                return None if self.explores else {"rejected": found}
            names.update(found)
        names.update(self.lines.definitions_of(case))
        self.views: list[dict[str, Any]] = []
        if self.job.get("meets"):
            return self._met(case, names, before)
        if self.job.get("passes"):
            return self._passed(case, names, before)
        space = dict(names)
        outcomes, why = self._observe(case, space, strict=self.job["profile"])
        if case["subject"] and space.get(case["subject"], case) is None:
            why = why or NOTHING  # what was to be an object is none
        mask = int.from_bytes(self.hits, "little")
        new = bool(mask & ~self.covered)
        reached = bytes(self.hits)
        state = "" if why else self._state_of(case, space)
        changed = before.restore(case["entry"])  # which may execute something of the program
        self.hits[:] = self.unhit
        threads, self.threads = self.threads, threading.active_count()
        if changed or self.threads > threads:
            why = why or ("state" if changed else "thread")
        self._note_failure(case, outcomes, why)
        other = bool(state) and state not in self.states
        answers = self.explores and not why and self.telling.answers(case["symbol"], outcomes)
        if self.explores:
            if why:
                return None
            if not (new or other or answers):
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
        if self.operands is not None:
            record["operands"] = self.operands.taken()
        return {**record, "views": self.views} if self.views else record

    def _met(self, case: dict[str, Any], names: dict[str, Any], before: Any) -> dict[str, Any]:
        """Returns what the stand-ins of a case met."""
        meeting = self.meeting.StandInLog()
        case = {**case, "steps": [(source, False, True) for source, *_ in case["steps"]]}
        self._observe(case, {**names, self.meeting.NAME: meeting.new}, strict=False)
        self.hits[:] = self.unhit
        before.restore()
        return {"outcomes": [], "hits": [], "rejected": NOTHING, "met": meeting.trees}

    def _passed(self, case: dict[str, Any], names: dict[str, Any], before: Any) -> dict[str, Any]:
        """Returns what functions of the program are passed while a case runs."""
        if self.arguments is None:
            files = frozenset(file for _, file, _ in self.modules)
            log = load("noting.passed").ArgumentLog
            self.arguments = log(self.describing, self.program, files)
        self._observe(case, names, strict=False)
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
            outcomes, _ = self._observe({**case, "watched": ()}, dict(names), strict=False)
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
        again, why = self._observe({**case, "watched": watched}, dict(names), strict=True)
        before.restore()
        self.hits[:] = self.unhit
        timed = why == "clock"
        why = "" if timed else why
        if not why and not judging.agree(outcomes, again):
            why = "clock" if timed else "another result each time"
        if not why and timed and self._tells_the_time(case, names, outcomes, before):
            why = "clock"
        if not why and not judging.usable(outcomes) and self.views[:1] == self.views[1:]:
            why = NOTHING
        self.views.clear()
        return why

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

    def _observe(
        self, case: dict[str, Any], space: dict[str, Any], strict: bool
    ) -> tuple[list[dict[str, Any]], str]:
        outcomes: list[dict[str, Any]] = []
        random.seed(SEED)
        self.guard.why, self.guard.children = "", case["children"]
        self.guard.placed = case["placed"]
        self.parsers.symbol = case["symbol"]
        started, hung = time.monotonic(), False
        share = self.patience.share if self.hurries else 1.0
        self._watch(case, share)
        with self.guards.surroundings(case, self.guard) as printed:
            self.timers.begin(case["children"], share)
            self.idle_loops.begin()
            if self.moved:
                self.clock.move(self.moved, self.spaces)
            try:
                drawn = self.guard.drawn() if strict else ()
                if strict:
                    sys.setprofile(self.guard.profile)
                elif self.job.get("passes"):
                    sys.setprofile(self.arguments.profile)
                self.guard.active = True
                self.loop = self.loops.StepLoop() if case["looped"] else None
                known = case["defines"] if self.lines.definitions_of(case) else 0
                for at, step in enumerate(case["steps"]):
                    if at < known:
                        continue
                    if case["watched"] and at == len(case["steps"]) - 1:
                        self._view(case, space)
                    if not self._step(case, step, space, outcomes, printed):
                        break
                else:
                    if case["watched"]:
                        self._view(case, space)
                if self.loop is not None:
                    self.loop.close()
            except timing.Stopped as stop:
                self.guard.why = self.guard.why or str(stop)
                hung = str(stop) == "timeout"
            finally:
                self.guard.active = False
                sys.setprofile(None)
                self.timers.end()
                if strict and drawn != self.guard.drawn():
                    self.guard.why = self.guard.why or "chance"
                if self.moved:
                    self.clock.move_back()
        self.patience.note(case["symbol"], hung, time.monotonic() - started)
        if self.guard.why == "clock" and not (self.explores or self.checks):
            self.guard.why = ""  # runs with the clock moved tell whether it matters
        if self.guard.why == "chance" and case["seeded"]:
            self.guard.why = ""
        return outcomes, self.guard.why

    def _view(self, case: dict[str, Any], space: dict[str, Any]) -> None:
        """Notes what the watched variables show."""
        self.views.append(
            {name: self.viewer.views_of(space[name]) for name in case["watched"] if name in space}
        )

    def _step(
        self,
        case: dict[str, Any],
        step: tuple[str, bool, bool],
        space: dict[str, Any],
        outcomes: list[dict[str, Any]],
        printed: Any,
    ) -> bool:
        """Runs one step; returns whether the case goes on."""
        source, check, acts = step
        code = self._compiled(source, "eval" if check and not acts else "exec")
        if code is None:
            self.guard.why = "syntax"
            return False
        start = printed.tell()
        started = False
        try:
            value = eval(code, space) if self.loop is None else self.loop.value(code, space)
            started = check
            if not check:
                judging.raise_crash(space)
            if check:
                value, wrap = self.describing.drained(value)
                if step is case["steps"][-1] and self._tells_nothing(case, value):
                    outcomes.append({})
                    return True
                hits = bytes(self.hits)  # what describing executes is no part of the case
                value, wrap, told = self.looked_into(value, wrap, self.program, self.describing)
                outcomes.append(self.describe(value, self.program, wrap))
                outcomes[-1].update(told)
                self.hits[:] = hits
                if value is None and case["optional"] and len(outcomes) == 1 and not acts:
                    outcomes[0]["absent"] = True
        except timing.Stopped:
            raise
        except BaseException as error:
            told = {"raised": self._raised(error), "wrap": "list" if started else ""}
            outcomes.append(told | judging.said_at_the_end(error, printed, start))
            if not check:
                self.guard.why = self.guard.why or f"setup: {type(error).__name__}"
            return check
        if check and not printed.shut and (said := judging.said(printed, start)):
            outcomes[-1] |= {"printed": said, "late": start > 0}
        if check and case["placed"]:
            outcomes[-1]["files"] = self.guards.written(Path(self.guard.place), case["files"])
        return True

    def _tells_nothing(self, case: dict[str, Any], value: Any) -> bool:
        """Whether nothing is told of a case whose last step returned `value`: it reaches nothing
        new, has no object in a state, and enough is told of its symbol."""
        if not self.explores or case["subject"]:
            return False
        if not self.telling.is_done(case["symbol"], value):
            return False
        return not int.from_bytes(self.hits, "little") & ~self.covered

    def _compiled(self, source: str, mode: str) -> CodeType | None:
        key = (source, mode)
        if key not in self.codes:
            try:
                self.codes[key] = compile(source, "<case>", mode, AWAITING, dont_inherit=True)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                self.codes[key] = None
        return self.codes[key]

    def _raised(self, error: BaseException) -> dict[str, Any]:
        """Returns what is told of an exception."""
        told: dict[str, Any] = judging.raised(error, self.files, self.watching)
        return told


def main(kind: type[Runner] = Runner) -> None:
    """Works through jobs. Whatever goes wrong ends the process at once: an interpreter that goes
    down waits for the threads that cases have left."""
    try:
        _work(kind)
    except BaseException:
        os._exit(1)
    os._exit(0)


def _work(kind: type[Runner]) -> None:
    place = sys.argv[1]
    job = jobs.read(place)
    sys.path[:0] = job["roots"]
    sys.argv[:] = ["-c"] if "PYTEST_XDIST_WORKER" in os.environ else ["pytest"]
    runner = kind(job)
    runner.guards.limit()
    runner.timers.install()
    runner.idle_loops.install()
    sys.addaudithook(runner.guard.audit)
    runner.run()
    while (job := jobs.following(job, place)) is not None:
        runner.begin(job)
        runner.run()


if __name__ == "__main__":
    main()
