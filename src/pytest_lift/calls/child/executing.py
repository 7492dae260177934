"""Executes the steps of a case in its isolation, and tells what each of them gave.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import ast
import faulthandler
import os
import random
import re
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import CodeType, CoroutineType, FunctionType
from typing import Any

from .describing.collected import looked_into
from .describing.describe import describe, drained, shortened
from .describing.expressions import is_still
from .describing.held import told_by_holders
from .describing.names import Makers
from .describing.objects import LOCAL, from_program
from .describing.views import Viewer
from .isolation import finding
from .noting.missing import misses_what_is_not_named
from .noting.nested import is_raised_by_an_argument
from .runs import CaseRun, StepRun

HANG_SECONDS = 1.0
CHILD_SECONDS = 8.0
WATCH_SECONDS, SPARED = 0.1, 0.3
"""Seconds for which a watch over hanging cases is kept before it is set anew, and how much later it
ends the process: what was stopped in time on a busy machine may not be through yet."""
LEAST_KEPT = 0.5
"""Share of these seconds for which it is kept at least, where calls get less time."""
OF_ENTRIES = 3.0
"""How many times the usual time a command line gets, which begins with settings and tables."""
SEED = 20240229
AWAITING = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
"""Flag by which a step may wait."""
AWAITED = "asyncio.run({})"
"""How a test gets the result of what it has to await."""
OTHER_LINES: dict[str, Any] = {"\n": "\r\n", "\r\n": "\n"}
"""Ends of lines of another system: what stays the same with them does not depend on the system.
Others are those that the program has set itself."""
READING = re.compile(r"((len|list|dict|str|bool)\()*\w+(\.\w+)*\)*")
"""Step that only looks at an object."""
MOST_CODES = 20_000
"""Compiled steps that are kept from one job to the next."""
DEFINING = re.compile(r"(?:async )?def (\w+)\(")
"""Step that defines a function, and the name of it."""


class Executor:
    """Executes one case after another; the files beside this one are had by `load`."""

    def __init__(
        self, load: Callable[[str], Any], program: frozenset[str], readable: list[str], probes: int
    ) -> None:
        self.program = program
        self.hits = bytearray(probes)
        """Which probes of the program the case has reached."""
        self.judging = load("outcomes")
        self.timing = load("isolation.timers")
        self.streams = load("isolation.surroundings")
        self.outputs = self.streams.Outputs()
        self.describe = describe
        self.viewer = Viewer(program)
        self._shown_by: Callable[..., tuple[Any, str, dict[str, Any]]] = partial(
            looked_into, program=program
        )
        self.patience = self.judging.Patience()
        self.hurries = False
        """Whether calls get less time where others have used up theirs."""
        self.clock = load("clock").Clock()
        self.moved = 0.0
        """Seconds by which the clock is moved for all cases."""
        self.spaces: list[dict[str, Any]] = []
        """Namespaces of the program, in which it may have the clock."""
        limits = load("isolation.limits")
        self.room = limits.Room()
        guard = load("isolation.guard").Guard
        self.guard = guard(readable, self.timing.Stopped, self.room.widen)
        self.disk = load("isolation.other_disk").OtherDisk(self.guard.home)
        self.machine = load("isolation.other_machine").OtherMachine()
        self.timers = self.timing.Timers()
        self.idleness = self.timing.Idleness(self.timers)
        self.watch_seconds, self.watched_at = 0.0, 0.0
        objects = load("isolation.defined_objects").DefinedObjects()
        self.lines = load("importing").ImportLines(limits, objects)
        self.parsers = load("noting.declarations").ParserWatch(load("noting.usages").of_docopt)
        self.codes: dict[tuple[str, str], CodeType | None] = {}
        self.loops: Any = None
        """What makes event loops, once there are cases that run in one."""
        self.loop: Any = None
        """The event loop of the case that is running, where it has one."""
        self.noting: Any = None
        """Profile function that notes what happens in a case, where one does."""
        self.views: list[dict[str, Any]] = []
        """What the watched variables of a case showed, each time they were looked at."""
        self.files: dict[str, frozenset[int]] = {}
        """File of the program -> its lines that raise."""
        self.watching = ""
        """File of what notes the operands of comparisons, where that is done."""

    def watch(self, case: dict[str, Any], share: float) -> None:
        """Lets the process end where a run of a case takes too long to be stopped, by the `share`
        of the usual time that it gets, and sets the timers; a watch costs a thread, so that a
        recent one is kept, also a longer one."""
        seconds = CHILD_SECONDS if case["children"] else HANG_SECONDS * share
        kept = WATCH_SECONDS * max(share, LEAST_KEPT)
        now = time.clock_gettime(time.CLOCK_MONOTONIC)  # which no case and no test of it moves
        if seconds > self.watch_seconds or now > self.watched_at + kept:
            spared = SPARED * max(share, LEAST_KEPT)
            faulthandler.dump_traceback_later(seconds + kept + spared, exit=True)
            self.timers.set(kept + self.timing.CPU_SECONDS * share + self.timing.AGAIN)
            self.watch_seconds, self.watched_at = seconds, now

    def end_watch(self) -> None:
        """Ends the watch over hanging cases."""
        faulthandler.cancel_dump_traceback_later()
        self.timers.set()
        self.watch_seconds = 0.0

    def observe(
        self, case: dict[str, Any], space: dict[str, Any], strict: bool, elsewhere: bool = False
    ) -> tuple[list[dict[str, Any]], str]:
        """Executes a case with the names of `space`; returns the outcome of each step that is
        looked at, and why it can be no test, "" where nothing is against it. If `strict`, it is
        looked at for the clock, the machine and chance, which costs time; `elsewhere` it is
        another machine with another disk."""
        outcomes: list[dict[str, Any]] = []
        random.seed(SEED)
        self.guard.begin(case)
        self.parsers.symbol = case["symbol"]
        started, hung = time.monotonic(), False
        finders, lines, drawn = [*sys.meta_path], os.linesep, self.guard.drawn() if strict else ()
        share = self.patience.share if self.hurries else 1.0
        share *= OF_ENTRIES if case["entry"] else 1.0
        self.watch(case, share)
        with self.streams.surroundings(case, self.guard, self.outputs, space) as printed:
            self.timers.begin(case["children"], share)
            self.idleness.begin()
            try:
                self._go_elsewhere(space, elsewhere)
                sys.setprofile(self.guard.profile if strict else self.noting)
                self.guard.active = True
                self._steps(CaseRun(case, space, outcomes, printed))
            except self.timing.Stopped as stop:
                self.guard.why = self.guard.why or str(stop)
                hung = str(stop) == self.timing.TOO_LONG
            finally:
                self.guard.active = False
                sys.setprofile(None)
                self.timers.end()
                if self.timers.put_back():
                    self.guard.why = self.guard.why or "signal"
                self.guard.end()
                if finding.put_back(finders, partial(from_program, program=self.program)):
                    self.guard.why = self.guard.why or "os"
                self.room.narrow()
                self._come_back(lines, elsewhere)
                if strict and drawn != self.guard.drawn():
                    self.guard.drew.add("numpy")
        self.patience.note(case, hung, time.monotonic() - started)
        if self.guard.drew.difference(case["seeded"]) and self.guard.why in ("", "clock"):
            self.guard.why = "chance"  # what asks the clock may give the same at any time
        return outcomes, self.guard.why

    def _go_elsewhere(self, space: dict[str, Any], elsewhere: bool) -> None:
        """Moves the clock where it is another one for all cases, and to another disk and machine
        then, or where the case is `elsewhere`."""
        if self.moved:
            self.clock.move(self.moved, [*self.spaces, space])
            os.linesep = OTHER_LINES.get(os.linesep, os.linesep)
        if elsewhere or self.moved:
            self.disk.change()
            self.machine.change()

    def _come_back(self, lines: Any, elsewhere: bool) -> None:
        """Moves all that back; `lines` ended so before."""
        if elsewhere or self.moved:
            self.disk.change_back()
            self.machine.change_back()
        if self.moved:
            self.clock.move_back()
            os.linesep = lines

    def _steps(self, run: CaseRun) -> None:
        """Executes the steps of a case until one of them ends it."""
        case = run.case
        self.loop = self.loops.StepLoop() if case["looped"] else None
        known = case["defines"] if self.lines.has_defined(case) else 0
        steps = case["steps"]
        last = len(steps) - (2 if len(steps) > 1 and steps[-2][2] else 1)
        for at in range(known, len(steps)):
            if case["watched"] and at == last:
                self._view(run)
            if not self._step(run, at):
                break
        else:
            if case["watched"]:
                self._view(run)
        if self.loop is not None:
            self.loop.close()

    def _view(self, run: CaseRun) -> None:
        """Notes what the watched variables show."""
        shown = (name for name in run.case["watched"] if name in run.space)
        self.views.append({name: self.viewer.views_of(run.space[name]) for name in shown})

    def _step(self, run: CaseRun, at: int) -> bool:
        """Runs one step; returns whether the case goes on."""
        source, check, acts, _ = run.case["steps"][at]
        code = self._compiled(source, "eval" if check and not acts else "exec")
        if code is None:
            self.guard.why = "syntax"
            return False
        step = self._begun(run, at)
        if source == run.case["closing"]:
            self.look_before_closing(run.case, run.space)
        try:
            value = self._value(run, step, code)
            if not check:
                _place(source, run.space)
                self.judging.raise_crash(run.space)
                return True
            if not self._note_value(run, step, value):
                return True
        except self.timing.Stopped:
            raise
        except BaseException as error:
            return self._failed(run, step, error)
        if step.said:
            run.outcomes[-1] |= {"printed": step.said, "late": step.printed > 0}
        if run.case["placed"]:
            known = [*run.lines(), str(run.outcomes[-1].get("source"))]
            place = Path(self.guard.place)
            run.outcomes[-1]["files"] = self.streams.written(place, step.files, known)
        return True

    def _begun(self, run: CaseRun, at: int) -> StepRun:
        """Notes what there is before a step."""
        source, check, _, aside = run.case["steps"][at]
        there = self._files_before(run.case, source) if check and run.case["placed"] else {}
        printed, complained = len(run.printed.getvalue()), len(self.judging.complaints())
        return StepRun(at, printed, complained, there, bytes(self.hits) if aside else b"")

    def _value(self, run: CaseRun, step: StepRun, code: CodeType) -> Any:
        """Executes the code of a step, and awaits what it gives where a test has to."""
        value = eval(code, run.space) if self.loop is None else self.loop.value(code, run.space)
        if run.case["steps"][step.at][1] and self.loop is None and isinstance(value, CoroutineType):
            step.how = AWAITED
            value = self._result_of(value)
        return value

    def _note_value(self, run: CaseRun, step: StepRun, value: Any) -> bool:
        """Adds what is told of the value of a step; returns whether anything is."""
        case, outcomes = run.case, run.outcomes
        source, _, acts, aside = case["steps"][step.at]
        how, step.how = step.how, "list"  # what fails from now on is what reads it
        value, wrap = (value, how) if how else drained(value)
        if source == self.streams.SLEPT:
            value, wrap = self.streams.waited(value)
        step.said = self.judging.said(run.printed, step.printed)  # describing may print, too
        last = step.at == len(case["steps"]) - 1 and not aside
        if last and self.tells_nothing(case, value):
            outcomes.append({})
            return False
        hits = bytes(self.hits)  # what describing executes is no part of the case
        by_holders = partial(told_by_holders, value, run.space, self.program)
        told = self._without_blame(by_holders, dict)
        if not told:
            value, wrap, told = self._looked_into(*shortened(value, wrap))
        outcomes.append(self._described(value, wrap, run.lines(step.at + 1)))
        outcomes[-1].update(told, **self.judging.complaint(value, step.complained))
        if aside:
            still = isinstance(aside, str) and is_still(value, aside)
            outcomes[-1].update({"aside": aside, **({"source": aside} if still else {})})
        unread = aside and outcomes[-1].get("source") in self.judging.idle(aside)
        self.hits[:] = step.reached if unread else hits  # what says nothing is not asked
        if value is None and case["optional"] and len(outcomes) == 1 and not acts:
            outcomes[0]["absent"] = True
        return True

    def _failed(self, run: CaseRun, step: StepRun, error: BaseException) -> bool:
        """Adds what is told of the exception that ended a step; returns whether the case goes
        on."""
        source, check, _, aside = run.case["steps"][step.at]
        if error is self.guard.missing:  # of a program that this one does not do without
            raise self.timing.Stopped("subprocess") from error
        if aside:  # what cannot be read back says nothing
            self.hits[:] = step.reached
            run.outcomes.append({**self.describe(None, self.program, ""), "aside": aside})
            return True
        raised = self.raised(error)
        of_cases = self.judging.OF_CASES
        if is_raised_by_an_argument(error, source, run.symbol, of_cases):
            raised["explicit"] = False
        told = {"raised": raised, "wrap": step.how}
        start, complained = step.printed, step.complained
        ended = self.judging.said_at_the_end(error, run.printed, start, complained)
        run.outcomes.append(told | ended)
        if self.judging.lacks_room(error):
            self.guard.why = self.guard.why or "memory"
        if misses_what_is_not_named(error, run.case, self.guard.home):
            self.guard.why = self.guard.why or "machine"
        if not check:
            self.guard.why = self.guard.why or f"setup: {type(error).__name__}"
        return bool(check)

    def _files_before(self, case: dict[str, Any], source: str) -> dict[str, str]:
        """Returns the texts of the files that a step did not write: those of the case, and those
        that the steps before it wrote, but where it only looks at what there is."""
        given: dict[str, str] = case["files"]
        if READING.fullmatch(source):
            return given
        told = [one[0] for one in case["steps"]]
        return given | dict(self.streams.written(Path(self.guard.place), given, told))

    def _looked_into(self, value: Any, wrap: str) -> tuple[Any, str, dict[str, Any]]:
        """Returns what the objects in a value show, without their properties where one of them
        does what a test must not do: that is not what the case does."""
        shown = partial(self._shown_by, value, wrap)
        found: tuple[Any, str, dict[str, Any]]
        found = self._without_blame(shown, partial(shown, computed=False))
        return found

    def _described(self, value: Any, wrap: str, lines: Sequence[str]) -> dict[str, Any]:
        """Returns the record of a value; where the program does what a test must not do as it is
        looked for what makes an equal one, that is not what the case does."""
        described = partial(self.describe, value, self.program, wrap, lines)
        told: dict[str, Any]
        told = self._without_blame(described, partial(described, Makers.NONE))
        return told

    def _without_blame(self, telling: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        """Returns what is told of a value; where the program does what a test must not do there,
        what is told of it `otherwise`: that is not what the case does."""
        why = self.guard.why
        try:
            return telling()
        except self.timing.Stopped as stop:
            if str(stop) in (self.timing.TOO_LONG, self.timing.WAITS):
                raise
        self.guard.why = why
        return otherwise()

    def _result_of(self, waiting: Any) -> Any:
        """Runs what a function returned that has to be awaited."""
        import asyncio

        return asyncio.run(waiting)

    def look_before_closing(self, case: dict[str, Any], space: dict[str, Any]) -> None:
        """Looks at the object of a case before the step that closes it."""

    def tells_nothing(self, case: dict[str, Any], value: Any) -> bool:
        """Returns whether `value`, which the last step of a case gave, need not be described."""
        return False

    def _compiled(self, source: str, mode: str) -> CodeType | None:
        key = (source, mode)
        if key not in self.codes:
            try:
                place = self.judging.OF_CASES
                self.codes[key] = compile(source, place, mode, AWAITING, dont_inherit=True)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                self.codes[key] = None
        return self.codes[key]

    def raised(self, error: BaseException) -> dict[str, Any]:
        """Returns what is told of an exception."""
        told: dict[str, Any] = self.judging.raised(error, self.files, self.watching)
        return told


def _place(source: str, space: dict[str, Any]) -> None:
    """Gives a function that a step defines the qualified name that it has inside of a test."""
    found = DEFINING.match(source)
    made = space.get(found[1]) if found else None
    if found and isinstance(made, FunctionType):
        made.__qualname__ = f"{LOCAL}{found[1]}"
