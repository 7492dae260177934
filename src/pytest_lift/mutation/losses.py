"""Are mutants that a suite seems to miss really lost? Each is run again, alone, with both suites.

Under load a test can fail, or seem to hang, by chance: a mutant that was noticed only so was never
noticed, and no suite is to be turned down for it.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from pytest_lift.mutation.confirming import HANG_SECONDS, TryChanged, written_into
from pytest_lift.mutation.mutation import Mutation
from pytest_lift.run.result import Run
from pytest_lift.source.program import Program
from pytest_lift.trace.statuses import BAD


@dataclass(frozen=True)
class Repeated:
    """What mutants are that were run again."""

    chance: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Key -> the tests (nodes) that were said to notice it and do not: it was never noticed."""
    noticed: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Key -> tests of the later suite that notice it all the same."""


def run_again(
    lost: Collection[str],
    before: Mutation,
    after: Mutation,
    program: Program,
    try_before: TryChanged,
    try_after: TryChanged,
    seconds: float,
) -> Repeated:
    """Of the mutants that `before` detects and `after` does not, as far as `seconds` go.

    Whatever cannot be run stays a loss.
    """
    until = time.monotonic() + seconds
    chance: dict[str, frozenset[str]] = {}
    noticed: dict[str, frozenset[str]] = {}
    for key in sorted(lost):
        mutant = before.mutants[key]
        file = program.files.get(mutant.file)
        text = written_into(file.text, mutant) if file else None
        if text is None:
            continue
        texts, plain = {mutant.file: text}, {mutant.file: file.text if file else ""}
        known = before.killers.get(key) or before.tests.get(mutant.function, frozenset())
        here = after.tests.get(mutant.function, frozenset())
        every = known | before.tests.get(mutant.function, frozenset())
        failing = _failing(try_after, texts, plain, (known & here) or here, until)
        if failing:
            noticed[key] = failing
        elif _failing(try_before, texts, plain, every, until) == frozenset():
            chance[key] = known
    return Repeated(chance, noticed)


def _failing(
    try_changed: TryChanged,
    texts: Mapping[str, str],
    plain: Mapping[str, str],
    nodes: Collection[str],
    until: float,
) -> frozenset[str] | None:
    """Those that fail on the mutant `texts`, all where they crash, or hang and do not with the
    `plain` ones; None where nobody knows."""
    left = min(until - time.monotonic(), HANG_SECONDS)
    if left <= 0 or not nodes:
        return None
    try:
        run = try_changed(texts, sorted(nodes), left)
        if run.ending == "timed-out" and left == HANG_SECONDS:
            again = min(until - time.monotonic(), HANG_SECONDS)
            slow = again < left or try_changed(plain, sorted(nodes), again).cut_short is not None
            return None if slow else frozenset(nodes)
    except OSError:
        return None  # the user is moving files
    if run.cut_short is not None:
        return frozenset(nodes) if run.ending == "crashed" else None
    return _bad(run) if run.results else None


def _bad(run: Run) -> frozenset[str]:
    return frozenset(node for node, result in run.results.items() if result.outcome in BAD)
