"""Runs single mutants again in plain pytest, to confirm what was detected or lost.

A test can find out that mutants are being measured and fail for that reason alone: by a name that
it puts together, by the folder, by a count of its runs. So mutants that only new tests are said to
notice, some of each function, are written into the sources.

Under load a test can fail, or seem to hang, by chance: a mutant that was noticed only so was never
noticed, and no suite is to be turned down for it.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pytest_lift.mutation.mutation import Mutant, Mutation
from pytest_lift.run.result import Run
from pytest_lift.source.program import Program
from pytest_lift.trace.statuses import BAD

TryChanged = Callable[[Mapping[str, str], Sequence[str], float], Run]
"""Run these nodes, for as long as that, while files of the program (path -> text) hold something
else. Raises OSError for what is no file."""
MOST_OF_A_FUNCTION = 3
"""Mutants of one function that are tried, until all who claim to notice some were asked."""
MOST_HANGS, HANG_SECONDS = 3, 10.0
"""Mutants that are tried though they may hang, and how long one may."""


@dataclass(frozen=True)
class Doubts:
    """Results of plain runs that speak against what was claimed."""

    tests: frozenset[str] = frozenset()
    """Functions that fail on mutants only while they are measured."""
    timeouts: frozenset[str] = frozenset()
    """Keys of mutants with which the tests seemed to hang, and do not."""
    hanging: frozenset[str] = frozenset()
    """Keys of those with which they really do."""


@dataclass(frozen=True)
class Claim:
    """One mutant, and new tests (nodes) that are said to fail on it, or to hang."""

    mutant: Mutant
    nodes: tuple[str, ...]

    @property
    def tests(self) -> frozenset[str]:
        return frozenset(map(_function, self.nodes))


def doubts(
    mutation: Mutation,
    before: Mutation,
    new: Collection[str],
    program: Program,
    try_changed: TryChanged,
    seconds: float,
    seed: int,
) -> Doubts:
    """Tries plain runs for as long as `seconds` allow.

    `before` was measured without the test functions `new`, none of which fails on the unmutated
    program. A test is doubted if it passes twice on mutants that it claims to detect, on two
    mutants if there are.
    """
    rng = random.Random(seed)
    asking = _Asking(program, try_changed, time.monotonic() + seconds)
    kills, hangs = _claims(mutation, before, frozenset(new))
    suspects: dict[str, Claim] = {}
    for claim in _some(kills, rng):
        suspects |= dict.fromkeys(asking.passing(claim), claim)
    doubted = set()
    for test, claim in suspects.items():
        others = [one for one in kills if test in one.tests and one != claim]
        again = rng.choice(others) if others else claim
        if test in asking.passing(Claim(again.mutant, _of(again.nodes, {test}))):
            doubted.add(test)
    rng.shuffle(hangs)
    for claim in hangs[:MOST_HANGS]:
        asking.hang(claim)
    return Doubts(frozenset(doubted), frozenset(asking.ended), frozenset(asking.hung))


@dataclass
class _Asking:
    """Plain runs with one mutant each, as far as the time goes."""

    program: Program
    try_changed: TryChanged
    until: float
    ended: set[str] = field(default_factory=set)
    hung: set[str] = field(default_factory=set)

    def passing(self, claim: Claim) -> frozenset[str]:
        """Returns test functions of the claim with a node that passes though it is said to fail."""
        run = self._run(claim, self.until - time.monotonic())
        return frozenset(map(_function, _passed(run))) if run else frozenset()

    def hang(self, claim: Claim) -> None:
        """Records whether the tests hang, or crash; nothing if they fail, which detects the mutant
        as well."""
        run = self._run(claim, min(self.until - time.monotonic(), HANG_SECONDS))
        if run is None:
            return
        if _passed(run) == set(claim.nodes):
            self.ended.add(claim.mutant.key)
        else:
            self.hung.add(claim.mutant.key)

    def _run(self, claim: Claim, seconds: float) -> Run | None:
        file = self.program.files.get(claim.mutant.file)
        text = written_into(file.text, claim.mutant) if file else None
        if text is None or seconds <= 0:
            return None
        try:
            return self.try_changed({claim.mutant.file: text}, claim.nodes, seconds)
        except OSError:
            return None  # the user is moving files: nothing is known of these


def written_into(text: str, mutant: Mutant) -> str | None:
    """Returns the source with the mutant in it; None where something else stands in its place.
    Pure."""
    lines, start = text.replace("\r\n", "\n").split("\n"), mutant.line - 1
    before, after = (part.split("\n") if part else [] for part in (mutant.before, mutant.after))
    if lines[start : start + len(before)] != before:
        return None
    lines[start : start + len(before)] = after
    return "\n".join(lines)


def _claims(
    mutation: Mutation, before: Mutation, new: frozenset[str]
) -> tuple[list[Claim], list[Claim]]:
    """Mutants that nothing but new tests is known to notice, killed ones and others."""
    kills, hangs = [], []
    for key in sorted(mutation.detected):
        mutant = mutation.mutants[key]
        if mutation.verdicts[key] == "killed":
            nodes = mutation.killers.get(key, frozenset())
            if own := _of(nodes, new):
                kills += [Claim(mutant, own)] if len(own) == len(nodes) else []
        elif key not in before.detected:
            nodes = mutation.tests.get(mutant.function, frozenset())
            alone = before.verdicts.get(key) == "survived"  # the others did not hang
            if (own := _of(nodes, new)) and (alone or len(own) == len(nodes)):
                hangs.append(Claim(mutant, own))
    return kills, hangs


def _some(claims: Sequence[Claim], rng: random.Random) -> Iterator[Claim]:
    """Selects a few mutants of each function, until each test that claims one was asked once."""
    of_function: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        of_function[claim.mutant.function].append(claim)
    functions = list(of_function)
    rng.shuffle(functions)
    for function in functions:
        mine = of_function[function]
        asked: set[str] = set()
        told = 0
        for claim in rng.sample(mine, len(mine)):
            if told < MOST_OF_A_FUNCTION and not claim.tests <= asked:
                told += 1
                asked |= claim.tests
                yield claim


def _of(nodes: Iterable[str], tests: Collection[str]) -> tuple[str, ...]:
    return tuple(sorted(node for node in nodes if _function(node) in tests))


def _passed(run: Run) -> set[str]:
    """Returns the tests that passed; none are known to in a run that broke off."""
    if run.cut_short is not None:
        return set()
    return {node for node, result in run.results.items() if result.outcome == "passed"}


def _function(node: str) -> str:
    return node.partition("[")[0]


@dataclass(frozen=True)
class Repeated:
    """Verdicts of mutants that were run again."""

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
    """Runs mutants again that `before` detects and `after` does not, while `seconds` last.

    A mutant that cannot be run stays a loss.
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
    """Returns the tests that fail on the mutant `texts`: all if they crash, or hang and do not with
    the `plain` texts; None if unknown."""
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
    if not run.results:
        return None
    return frozenset(node for node, result in run.results.items() if result.outcome in BAD)
