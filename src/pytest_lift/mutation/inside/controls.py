"""The suite run where nothing is mutated, in the process that mutants are forked from or in forks.

Standard library and pytest only. Mutants run in a process where the suite has run before. What
fails then without a mutant, such as rows that can be used once only, would seem to notice every
mutant: it is found by these runs, before the first mutant is.
"""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

CONTROL = "lift.x_nothing__mutmut_0"
"""A mutant that there is not: while it is under test nothing is mutated, which a test that looks
for mutants, to fail on them, cannot know."""
FORWARD = "lift.x_nothing__mutmut_1"
"""Value of `MUTANT_UNDER_TEST` while files of tests that failed in the control are run once more,
alone and in the suite's own order: tests that fail then, too, fail however mutants are run."""
UNMUTATED = ("", "stats", CONTROL, FORWARD)
"""Value of `MUTANT_UNDER_TEST` while nothing is mutated."""
FAILED_CONTROL = b"Failed to run clean test\n"
"""As mutmut says it."""
HANGS = 5.0
"""Seconds, and times as long as it takes, after which a control hangs."""
LEAST_TEST = 0.001
"""Seconds that the quickest test takes."""
FORCED = "fail"
"""Value of `MUTANT_UNDER_TEST` while every function raises."""


@dataclass(frozen=True)
class Part:
    """Tests that one process runs as a part of a control."""

    number: int = 0
    of: int = 1
    files: Collection[str] = ()
    """Files whose tests are run; empty: all."""


failing_anyway: set[str] = set()
"""Tests that fail where nothing is mutated, as was found out in this process."""
_part: Part | None = None
"""Set in a process that runs a part of the suite as a control."""


def part() -> Part | None:
    """Returns the part of a control that this process runs, if it is one."""
    return _part


def file_of(node: str) -> str:
    return node.partition("::")[0]


def run_again(config: pytest.Config, job: Mapping[str, Any]) -> None:
    """Runs the control in processes forked from this one, as mutants are, and as many at a time; in
    this process if the suite has left threads, which a fork does not have."""
    if forks(job):
        parts = [Part(number, job["processes"]) for number in range(job["processes"])]
        _await({_forked(config, part, CONTROL) for part in parts}, _patience(job))
    else:
        _run(config, CONTROL)
    failing = _failed_on(job["failures"], CONTROL)
    if failing and not (forks(job) and _fail_anyway(config, job, failing)):
        os.write(1, FAILED_CONTROL)
        os._exit(1)


def _fail_anyway(config: pytest.Config, job: Mapping[str, Any], failing: set[str]) -> bool:
    """Whether these fail in their own order, too, and are not most of the suite: then all others
    pass, and the mutants that are forked from here are run without them."""
    alone = Part(files=frozenset(map(file_of, failing)))
    _await({_forked(config, alone, FORWARD)}, _patience(job))
    if failing != _failed_on(job["failures"], FORWARD) or 2 * len(failing) > len(job["seconds"]):
        return False
    failing_anyway.update(failing)
    return True


def forks(job: Mapping[str, Any]) -> bool:
    """Whether the suite can be run in forks of this process; threads would be missing there."""
    return bool(job["control"] == "twice" and threading.active_count() == 1)


def fails_by_force(config: pytest.Config, job: Mapping[str, Any]) -> bool:
    return any(_await({_forked(config, Part(), FORCED)}, _patience(job)))


def _patience(job: Mapping[str, Any]) -> float:
    return HANGS + HANGS * float(sum(job["seconds"].values()))


def _forked(config: pytest.Config, part: Part, mutant: str) -> int:
    """Returns the process of a run of a part of the suite, with this under test."""
    global _part
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        _part = part
        status = _run(config, mutant)
    finally:
        os._exit(status)


def _run(config: pytest.Config, mutant: str) -> int:
    before = os.environ["MUTANT_UNDER_TEST"]
    os.environ["MUTANT_UNDER_TEST"] = mutant
    try:
        return int(pytest.main(list(config.invocation_params.args)))
    finally:
        os.environ["MUTANT_UNDER_TEST"] = before


def _await(running: set[int], seconds: float) -> list[int]:
    """Returns the exit statuses of the forks, not 0 for failures. A fork that hangs is ended,
    because mutants would hang, too."""
    until, statuses = time.monotonic() + seconds, []
    while running:
        late = time.monotonic() > until
        for child in list(running):
            if late:
                os.kill(child, signal.SIGKILL)
            ended, status = os.waitpid(child, 0 if late else os.WNOHANG)
            if ended:
                running.remove(child)
                statuses.append(status)
        time.sleep(0.02)
    return statuses


def _failed_on(failures: str, mutant: str) -> set[str]:
    """Returns nodes of tests."""
    try:
        with open(failures, encoding="utf-8") as file:
            told = (json.loads(line) for line in file)
            return {node for key, node in told if key == mutant}
    except (OSError, ValueError):
        return set()


def part_of(
    items: list[pytest.Item], part: Part, seconds: Mapping[str, float]
) -> list[pytest.Item]:
    """Returns one of the parts that all take about as long, in their order."""
    if part.files:
        items = [item for item in items if file_of(item.nodeid) in part.files]
    shares = [seconds.get(item.nodeid, 0.0) + LEAST_TEST for item in items]
    each, before, found = sum(shares) / part.of, 0.0, []
    for item, share in zip(items, shares, strict=True):
        if min(int(before / each), part.of - 1) == part.number:
            found.append(item)
        before += share
    return found
