"""Runs one case: what it gives and reaches, and whether it can be a test.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from itertools import compress
from typing import Any

from . import outcomes as judging
from .executing import Executor
from .noting.kinds import is_of_another_class

MOVING_SECONDS = 0.15
"""Seconds that the runs of a case at other times may take together; later ones are left out."""
HOUR, DAY = 3600.0, 86400.0
WEEKDAYS = tuple(days * DAY + (4 * days - 1) * HOUR for days in range(1, 7))
MOVED = (131 * DAY + 17 * HOUR, *WEEKDAYS)
"""Seconds by which the clock is moved to see what depends on it: another month, other hours, every
weekday."""
NOTHING: str = judging.NOTHING
OTHER_CLASS = "setup: an object of another class"
LATE: dict[str, Any] = {}
"""Stands for the record of a case that runs once more, since it was the first to import a module of
the program."""


class Trial(Executor):
    """Tries one case after another; what it is asked of each stands in the job."""

    def __init__(
        self, load: Callable[[str], Any], program: frozenset[str], readable: list[str], probes: int
    ) -> None:
        super().__init__(load, program, readable, probes)
        self.load = load
        self.unhit = bytes(probes)
        self.job: dict[str, Any] = {}
        self.modules: Any = ()
        """(name, file, first line) of the modules of the program."""
        self.name = load("importing").CASE
        """Name of the module that a case is."""
        self.arguments: Any = None
        """What notes the arguments of functions, where the job asks for them."""
        self.meeting = load("noting.standin")
        self.operands: Any = None
        """What notes the operands of comparisons, where the job asks for them."""
        self.threads = threading.active_count()
        self.shared: Any = None
        """What the program's classes and objects held after import."""
        self.loop_state: Any = None
        """The event loop that there was then."""
        self._open_state = ""
        """State of the object of a case before it is closed."""
        self.late: Any = None
        """What knows which modules of the program a case is the first to import."""

    def take(self, job: dict[str, Any]) -> None:
        """Takes over what a job asks of each case."""
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
        self.failures = judging.FailureLog()
        self.telling = judging.Telling(job.get("answered", ()))

    def tried(self, case: dict[str, Any], before: Any) -> dict[str, Any] | None:
        """Runs a case and returns what there is to report of it, `LATE` where it is to run once
        more; None where there is nothing. What it changes is restored as it was `before`."""
        names: dict[str, Any] = {"__name__": self.name}
        for line in case["imports"]:
            found = self.lines.found[line]
            if isinstance(found, str):
                self._note_failure(case, [], found)
                return None if self.explores else {"rejected": found}
            names.update(found)
        names.update(self.lines.definitions_of(case))
        self.views.clear()
        if not self.job["mixes"]:
            self.shared.put_back_in_turn()
            self.loop_state.put_back()
            self.hits[:] = self.unhit
        if self.job.get("meets"):
            return self._met(case, names, before)
        if self.job.get("passes"):
            return self._passed(case, names, before)
        space = dict(names)
        self._open_state = ""
        outcomes, why = self.observe(case, space, strict=self.job["profile"])
        if self.late.found and not self.leaving:
            return LATE
        if case["subject"] and space.get(case["subject"], case) is None:
            why = why or NOTHING  # what was to be an object is none
        if self.explores and self._is_about_another_class(case, space):
            why = why or OTHER_CLASS
        mask = int.from_bytes(self.hits, "little")
        new = bool(mask & ~self.covered)
        reached = bytes(self.hits)
        state = "" if why else self._open_state or self._state_of(case, space)
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
            self.telling.note_answer(case["symbol"], outcomes[-1].get("source"))
        record = {"outcomes": outcomes, "hits": hits, "rejected": why, "state": state}
        record["leaves"] = leaves or (apart and not why)
        record["registers"] = self.tidies and before.begun and not why
        if self.operands is not None:
            record["operands"] = self.operands.taken()
        return {**record, "views": list(self.views)} if self.views else record

    def _is_about_another_class(self, case: dict[str, Any], space: dict[str, Any]) -> bool:
        """Whether the object of a case is none of the class whose method it is about."""
        modules = (name for name, *_ in self.modules)
        value, symbol = space.get(case["subject"], case), case["symbol"].rpartition(":")[2]
        return value is not case and is_of_another_class(value, symbol, modules)

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
            log = self.load("noting.passed").ArgumentLog
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
        space = dict(names)
        self.clock.move(seconds, [*self.spaces, space])
        try:
            outcomes, _ = self.observe({**case, "watched": ()}, space, strict=False)
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
        if not why and self.disk.tells_a_place(case, outcomes):
            why = "machine"
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

    def look_before_closing(self, case: dict[str, Any], space: dict[str, Any]) -> None:
        """Notes the state of the case's object, which shows none when it is closed."""
        reached = bytes(self.hits)
        self._open_state = self._state_of(case, space)
        self.hits[:] = reached
        self.guard.active = True

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
