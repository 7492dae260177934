"""Runs texts on the program in a child process (`asked_child.py`) and reads its answers."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pytest_lift.files import untrusted
from pytest_lift.sandbox.child import Child, Places, run_child
from pytest_lift.sandbox.jail import Jail
from pytest_lift.source.program import Program

CHILD = Path(__file__).with_name("asked_child.py")
SECONDS = 120.0
"""Most seconds for all tasks of one `ask`."""
LARGEST = 16 * 1024 * 1024
"""Most bytes of answers that are read."""

Kind = Literal["example", "expectation"]
Task = tuple[Kind, Sequence[str]]
"""(method of the child's `TextTrier`, its arguments)."""


def ask(
    tasks: Sequence[Task], program: Program, copy: Path, scratch: Path, jail: Jail
) -> dict[int, Mapping[str, Any]]:
    """Returns task number -> its answer, or ``{"ended": why}`` if there is none.

    One child does all tasks. If a task ends the whole child, the next child continues after it.
    Tasks that are not reached within `SECONDS` have no answer.
    """
    found: dict[int, Mapping[str, Any]] = {}
    until = time.monotonic() + SECONDS
    while waiting := [number for number in range(len(tasks)) if number not in found]:
        left = until - time.monotonic()
        if left <= 0:
            break
        job = [(number, *tasks[number]) for number in waiting]
        child, answered = _once(job, program, copy, scratch, jail, left)
        found |= {n: it for n, it in answers(answered, len(tasks)).items() if n not in found}
        died = next((number for number in waiting if number not in found), None)
        if died is not None:
            found[died] = {
                "ended": f"it ends the whole child ({child.reason}, exit status {child.status})"
            }
    return found


def _once(
    job: Sequence[tuple[int, Kind, Sequence[str]]],
    program: Program,
    copy: Path,
    scratch: Path,
    jail: Jail,
    seconds: float,
) -> tuple[Child, Path]:
    folder = scratch / "asked"
    untrusted.remove(folder)
    (folder / "home").mkdir(parents=True)
    asked, answered = scratch / "asked.json", folder / "answers.jsonl"
    untrusted.write(asked, json.dumps({"modules": program.names, "tasks": job}).encode())
    roots = [str(copy / root) for root in program.import_roots]
    path = {"PYTHONPATH": os.pathsep.join(roots), "PYTHONHASHSEED": "0"}
    child = run_child(
        [sys.executable, "-P", str(CHILD), str(asked), str(answered)],
        cwd=folder / "home",
        env=jail.environment(folder / "home", path),
        seconds=seconds,
        jail=jail,
        places=Places(reads=(copy, asked, CHILD), writes=(folder,)),
    )
    return child, answered


def answers(answered: Path, count: int) -> dict[int, Mapping[str, Any]]:
    """Returns the answers to `count` tasks in the file of a child; the first answer to each
    counts."""
    found: dict[int, Mapping[str, Any]] = {}
    for line in untrusted.lines(answered, LARGEST, LARGEST):
        try:
            row = json.loads(line)
            number, answer = row["number"], row.get("answer", {"ended": str(row.get("ended", ""))})
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            continue  # the last line of a child that was stopped, or output of the tried text
        if type(number) is int and 0 <= number < count and isinstance(answer, dict):
            found.setdefault(number, answer)
    return found
