"""Do new tests fail on a mutant in a plain run, too, where nothing tells them of being measured?

A test can find out that mutants are being measured and fail for that reason alone: by a name that
it puts together, by the folder, by a count of its runs. So one mutant of each function that only
new tests are said to notice is written into the sources.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pytest_lift.mutation.mutants import Mutant, Mutation
from pytest_lift.program import Program
from pytest_lift.run import Run
from pytest_lift.trace import BAD

TryChanged = Callable[[Mapping[str, str], Sequence[str]], Run]
"""Run these nodes while files of the program (path -> text) hold something else."""
MOST_OF_A_FUNCTION = 3
"""Mutants of one function that are tried, until all who claim to notice some were asked."""


@dataclass(frozen=True)
class Doubts:
    """What a plain run does not confirm."""

    tests: frozenset[str] = frozenset()
    """Functions that fail on mutants only while they are measured."""
    timeouts: frozenset[str] = frozenset()
    """Keys of mutants with which the tests seemed to hang, and do not."""

    def __bool__(self) -> bool:
        return bool(self.tests or self.timeouts)


@dataclass(frozen=True)
class _Claim:
    """One mutant, and new tests (nodes) that are said to fail on it, or to hang."""

    mutant: Mutant
    nodes: tuple[str, ...]
    hangs: bool


def doubts(
    mutation: Mutation,
    before: Mutation,
    new: Collection[str],
    program: Program,
    try_changed: TryChanged,
    seconds: float,
    seed: int,
) -> Doubts:
    """Ask for as long as `seconds` allow. `before` was measured without the test functions `new`,
    none of which fails where nothing is mutated."""
    until = time.monotonic() + seconds
    tests: set[str] = set()
    timeouts: set[str] = set()
    for claim in _claims(mutation, before, frozenset(new), random.Random(seed)):
        file = program.files.get(claim.mutant.file)
        text = written_into(file.text, claim.mutant) if file else None
        if time.monotonic() > until:
            break
        if text is None:
            continue
        run = try_changed({claim.mutant.file: text}, claim.nodes)
        passed = _passed(run)
        if not claim.hangs:
            tests |= {_function(node) for node in claim.nodes if node in passed}
        elif passed.issuperset(claim.nodes):
            timeouts.add(claim.mutant.key)
    return Doubts(frozenset(tests), frozenset(timeouts))


def written_into(text: str, mutant: Mutant) -> str | None:
    """The source with the mutant in it; None where something else stands in its place. Pure."""
    lines, start = text.split("\n"), mutant.line - 1
    before, after = (part.split("\n") if part else [] for part in (mutant.before, mutant.after))
    if lines[start : start + len(before)] != before:
        return None
    lines[start : start + len(before)] = after
    return "\n".join(lines)


def _claims(
    mutation: Mutation, before: Mutation, new: frozenset[str], rng: random.Random
) -> Iterator[_Claim]:
    """Function by function: mutants that nothing but new tests is known to notice."""
    of_function: dict[str, list[_Claim]] = defaultdict(list)
    for key in sorted(mutation.detected):
        mutant, hangs = mutation.mutants[key], mutation.verdicts[key] != "killed"
        if hangs and key in before.detected:
            continue
        nodes = mutation.killers.get(key) or mutation.tests.get(mutant.function, frozenset())
        chosen = tuple(sorted(node for node in nodes if _function(node) in new))
        if chosen and (hangs or len(chosen) == len(nodes)):
            of_function[mutant.function].append(_Claim(mutant, chosen, hangs))
    functions = list(of_function)
    rng.shuffle(functions)
    for function in functions:
        yield from _enough(rng.sample(of_function[function], len(of_function[function])))


def _enough(claims: Sequence[_Claim]) -> Iterator[_Claim]:
    """Some of them, until each test that claims something was asked once; what hangs each."""
    asked: set[str] = set()
    told = 0
    for claim in claims:
        fresh = {_function(node) for node in claim.nodes} - asked
        if claim.hangs or (fresh and told < MOST_OF_A_FUNCTION):
            told += not claim.hangs
            asked |= set() if claim.hangs else fresh
            yield claim


def _passed(run: Run) -> set[str]:
    """What ran and did not fail; in a run that broke off nothing is known to pass."""
    if run.cut_short is not None:
        return set()
    return {node for node, result in run.results.items() if result.outcome not in BAD}


def _function(node: str) -> str:
    return node.partition("[")[0]
