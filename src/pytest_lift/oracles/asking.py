"""Runs texts on the program in a child process (`asked_child.py`) and reads its answers."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pytest_lift.sandbox.jail import Jail
from pytest_lift.sandbox.worker import HOME, Worker, records
from pytest_lift.source.program import Program

CHILD = Path(__file__).with_name("asked_child.py")
SECONDS = 120.0
"""Most seconds for all tasks of one `Asker.ask`."""

Kind = Literal["example", "expectation", "entering"]
Task = tuple[Kind, Sequence[str]]
"""(method of the child's `TextTrier`, its arguments)."""


@dataclass(frozen=True)
class Asker:
    """Runs texts on a program in its private copy, in the jail."""

    program: Program
    copy: Path
    scratch: Path
    jail: Jail
    given_up: threading.Event = field(default_factory=threading.Event, compare=False)
    """Set where nobody needs the answers any more: no further child is started."""

    def ask(self, tasks: Sequence[Task]) -> dict[int, Mapping[str, Any]]:
        """Returns task number -> its answer, or ``{"ended": why}`` if there is none.

        One child does all tasks. If a task ends the whole child, the next child continues after it.
        Tasks that are not reached within `SECONDS` have no answer.
        """
        found: dict[int, Mapping[str, Any]] = {}
        until = time.monotonic() + SECONDS
        folder = self.scratch / "asked"
        roots = os.pathsep.join(str(self.copy / root) for root in self.program.search_path)
        variables = {"PYTHONPATH": roots, "PYTHONHASHSEED": "0"}
        home = folder / HOME
        worker = Worker(CHILD, folder, home, self.jail, (self.copy,), variables, options=())
        while waiting := [number for number in range(len(tasks)) if number not in found]:
            left = until - time.monotonic()
            if left <= 0 or self.given_up.is_set():
                break
            asked = [(number, *tasks[number]) for number in waiting]
            child = worker.run({"modules": self.program.names, "tasks": asked}, left)
            answered = answers(worker.journal, len(tasks))
            found |= {n: it for n, it in answered.items() if n not in found}
            died = next((number for number in waiting if number not in found), None)
            if died is not None:
                found[died] = {
                    "ended": f"it ends the whole child ({child.reason}, exit status {child.status})"
                }
        return found


def answers(journal: Path, count: int) -> dict[int, Mapping[str, Any]]:
    """Returns the answers to `count` tasks in the journal of a child; the first to each counts."""
    found: dict[int, Mapping[str, Any]] = {}
    for row in records(journal):
        number = row.get("number")
        answer = row.get("answer", {"ended": str(row.get("ended", ""))})
        if type(number) is int and 0 <= number < count and isinstance(answer, dict):
            found.setdefault(number, answer)
    return found
