"""Findings on surviving mutants, and on tests that see no faults, repeat or disturb others."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from pytest_lift.findings.finding import GAIN, Finding, Kind
from pytest_lift.flakiness.polluters import Dependence
from pytest_lift.measure.measurement import Measurement
from pytest_lift.mutation.change import TokenChange, change_of, likely_equivalent, spelled
from pytest_lift.mutation.mutation import NOTHING_OBSERVED, Mutant, Mutation, Observed
from pytest_lift.mutation.worthless import worthless_keys
from pytest_lift.redundancy.redundancy import DROPPABLE, Redundancy, find_redundancy
from pytest_lift.sensitivity.verdicts import Verdict
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import Suite, path_of
from pytest_lift.text.wording import apart
from pytest_lift.trace.grounding.subjects import requirements_by_symbol

KINDS: Mapping[Verdict, Kind] = {"vacuous": "vacuous", "over-mocked": "over-mocked", "weak": "weak"}
TODO: Mapping[Kind, str] = {
    "vacuous": "assert what the call returns or changes",
    "over-mocked": "let the code under test run, and mock only what is around it",
    "weak": "assert the value itself, not only that there is one",
}


def strength_findings(measurement: Measurement) -> tuple[Finding, ...]:
    """Returns findings on weak tests, near-duplicates, redundant tests and levels. Pure."""
    return (*_weak(measurement), *_dead_weight(measurement), *_levels(measurement))


def _weak(measurement: Measurement) -> Iterator[Finding]:
    for node, one in measurement.strength.items():
        kind = KINDS.get(one.verdict)
        if kind is None or node in measurement.contradicting:
            continue
        told = f"{node} is {one.verdict}: {one.reason}"
        yield _about(kind, node, measurement.suite, told, TODO[kind])


def _dead_weight(measurement: Measurement) -> Iterator[Finding]:
    """Yields findings on near-duplicates of any author, and on redundant tests of the tool.
    Redundant tests are reported only if all mutants were measured, because tests that take the
    same branches may detect different faults."""
    if not measurement.coverage.by_test:
        return
    redundancy = find_redundancy(measurement)
    twins = redundancy.twins
    for node, twin in twins.items():
        if twin.likeness in DROPPABLE:
            yield _redundant("near-duplicate", node, redundancy, measurement.suite)
    owned = {test.node for test in measurement.suite.owned_tests()}
    mutation = measurement.mutation
    if mutation is not None and mutation.has_score and not mutation.sampled:
        for node in redundancy.redundant:
            if node in owned and node not in twins:
                yield _redundant("redundant", node, redundancy, measurement.suite)


def _redundant(kind: Kind, node: str, redundancy: Redundancy, suite: Suite) -> Finding:
    todo = "drop it, or make it a row of the other (--lift-minimise)"
    return _about(kind, node, suite, f"{node} {redundancy.why(node)}", todo)


def _levels(measurement: Measurement) -> Iterator[Finding]:
    """Yields a finding for each requirement that asks for a level which none of its passing
    tests has."""
    for item in measurement.trace.requirements:
        wanted = item.requirement.level
        passing = [link.test for link in item.links if link.outcome == "passed"]
        known = [measurement.strength[node] for node in passing if node in measurement.strength]
        measured = [one for one in known if one.level is not None]
        if not wanted or not measured or any(one.level == wanted for one in measured):
            continue
        one, requirement = measured[0], item.requirement.id
        told = f"{requirement} asks for a test at level {wanted}; "
        told += f"{one.test} tests at level {one.level}"
        todo = f"test it at level {wanted}, or correct the level that the requirement states"
        found = _about("level-differs", one.test, measurement.suite, told, todo)
        yield replace(found, requirement=requirement, evidence=", ".join(one.level_evidence))


def _about(kind: Kind, node: str, suite: Suite, told: str, todo: str) -> Finding:
    test = suite.function(node)
    return Finding(
        kind,
        told,
        file=path_of(node),
        line=test.line if test else 0,
        tests=(node,),
        todo=todo,
        gain=GAIN[kind],
    )


@lru_cache(maxsize=4)
def fault_findings(
    measurement: Measurement, program: Program, dependences: tuple[Dependence, ...] = ()
) -> tuple[Finding, ...]:
    """Returns findings on surviving mutants, on tests that notice too little, and on tests that
    depend on their order. Empty if nothing was measured.

    Pure. The result is cached, because one iteration asks for it several times.
    """
    found: tuple[Finding, ...] = ()
    if measurement.mutation is not None:
        asked = (item.requirement for item in measurement.trace.requirements)
        named = requirements_by_symbol(program, asked)
        known = worthless_keys(measurement.mutation.mutants, measurement.knowledge.worthless)
        found += survivor_findings(measurement.mutation, named, known)
    if measurement.strength:
        found += strength_findings(measurement)
    there = {result.node for result in measurement.run.results.values()}
    return (*found, *(_dependent(one) for one in dependences if one.test in there))


def _dependent(one: Dependence) -> Finding:
    kind: Kind = "flaky" if one.kind in ("flaky", "unclear") else "polluting"
    if one.kind == "polluted":
        told = f"{', '.join(one.others)} makes the later test {one.test} fail"
        todo = "restore what it changes, or give each test its own state"
    elif one.kind == "brittle":
        told = (
            f"{one.test} fails alone: it needs {', '.join(one.others) or 'another test'} before it"
        )
        todo = "set up what it needs in the test itself"
    else:
        told = f"{one.test} does not always pass: {one.why}"
        todo = "fix the clock, the seed or the order that it depends on"
    tests = (*one.others, one.test) if kind == "polluting" else (one.test,)
    file = path_of(tests[0])
    return Finding(kind, told, file=file, tests=tests, evidence=one.why, todo=todo, gain=GAIN[kind])


NONE_JUDGED: Mapping[str, str] = MappingProxyType({})
MOST = 400
"""Largest number of survivors that become findings; likely equivalent mutants come last."""
MOST_TESTS, MOST_LOST = 5, 5
LOST_GAIN = 50.0
SHOWN, STUBBORN = 1.5, 0.5
"""Factors of the gain: of a mutant that a call made by the tests reveals, and of one that many
calls do not reveal."""
LONGEST_LINE = 60
COMPARISONS = ("<", "<=", ">", ">=")
LOGIC = ("and", "or")
TRUTH = ("True", "False")
COMPARING = ("in", "==", "!=", "{", "[", "case")
"""Tokens before a text that is only compared and is not part of a result."""
KEYWORDS = frozenset("not in is == != break continue return".split())


def survivor_findings(
    mutation: Mutation,
    requirements: Mapping[tuple[str, str], tuple[str, ...]],
    worthless: Mapping[str, str] = NONE_JUDGED,
) -> tuple[Finding, ...]:
    """Returns findings on at most `MOST` survivors; `requirements` are ids by path and symbol, and
    `worthless` are mutants that were judged to be worth no test (key -> reason).

    Mutants that a call of the tests reveals come first; those that many calls do not reveal come
    after the others; likely equivalent ones come last and have no gain. Pure.
    """
    seen = mutation.seen_of
    judged = [
        (one, because(worthless.get(one.key)) or likely_equivalent(one, seen(one)))
        for one in mutation.survivors
    ]
    judged.sort(key=lambda pair: _rank(pair[1], seen(pair[0])))
    return tuple(
        _finding(one, why, mutation, requirements.get((one.file, one.symbol), ()))
        for one, why in judged[:MOST]
    )


JUDGED_WORTHLESS = "judged to be worth no test: "


def because(why: str | None) -> str:
    """Returns the reason of a judgement as that of a guess; empty where there is none."""
    return "" if why is None else f"{JUDGED_WORTHLESS}{why or 'only words differ'}"


def lost_findings(before: Mutation, lost: Collection[str]) -> tuple[Finding, ...]:
    """Returns findings on mutants (keys) that a rejected candidate no longer detects, with the
    change and the tests of the accepted suite that detect it. Pure."""
    return tuple(
        Finding(
            "refused",
            f"the candidate was refused: none of its tests detects this change of {one.symbol}",
            file=one.file,
            line=one.line,
            symbol=one.symbol,
            tests=tuple(sorted(before.killers.get(one.key, ()))),
            evidence=one.diff,
            todo="keep a test that fails on it",
            gain=LOST_GAIN,
        )
        for one in (before.mutants[key] for key in sorted(lost)[:MOST_LOST])
    )


def _rank(guess: str, seen: Observed) -> int:
    return 3 if guess else 2 if seen.is_stubborn else 0 if seen.call else 1


def _finding(
    mutant: Mutant, guess: str, mutation: Mutation, requirements: tuple[str, ...]
) -> Finding:
    tests = sorted(mutation.tests.get(mutant.function, ()))
    seen = mutation.seen_of(mutant)
    before, after = apart(mutant.before, mutant.after, LONGEST_LINE)
    told = f"no test notices when `{before}` becomes `{after}` in {mutant.symbol}"
    share = SHOWN if seen.call else STUBBORN if seen.is_stubborn else 1.0
    gain = share * GAIN["surviving-mutant"]
    return Finding(
        "surviving-mutant",
        f"{told} ({_spoken(guess)})" if guess else told,
        file=mutant.file,
        line=mutant.line,
        symbol=mutant.symbol,
        requirement=requirements[0] if requirements else "",
        tests=tuple(tests[:MOST_TESTS]),
        evidence=mutant.diff,
        todo=what_to_assert(mutant, seen, guess),
        gain=0.0 if guess else gain,
        reach="excluded" if guess else "testable",
    )


def _spoken(guess: str) -> str:
    return guess if guess.startswith(JUDGED_WORTHLESS) else f"guessed to be equivalent: {guess}"


def what_to_assert(mutant: Mutant, seen: Observed = NOTHING_OBSERVED, guess: str = "") -> str:
    """Returns advice how a test can detect the mutant: a call that reveals it if `seen` has one.
    If `guess` says why the mutant is equivalent, no test is needed. Pure."""
    if guess:
        return f"no test is needed: {guess}"
    if seen.call:
        return f"assert what `{seen.call}` does: it {seen.usual}, and {seen.other} with the change"
    change = change_of(mutant)
    told = next(_advice(change), f"assert a result of {mutant.symbol} that depends on this line")
    if seen.is_stubborn:
        told += f" ({seen.same} calls that execute it do the same: it takes another kind of input, "
        told += "or is equivalent)"
    return told


def _advice(change: TokenChange) -> Iterator[str]:
    old, new = change.old, change.new
    if len(old) == len(new) == 1:
        yield from _of_one(old[0], new[0])
    if new == ("None",):
        yield f"assert a result that needs `{spelled(old)}`; None takes its place"
    if old[:1] == ("not",) or new[:1] == ("not",):
        yield "use one input for which the condition holds and one for which it does not"
    if not new and (change.before in (",", "(") or "," in old or old[1:2] == ("=",)):
        yield f"assert a result that depends on the argument `{spelled(old).strip(' ,')}`"
    if change.only_text and (change.before in COMPARING or change.after == "."):
        yield f"use an input for which {spelled(old)} and {spelled(new)} give different results"
    if change.only_text:
        yield f"assert the exact text {spelled(old)} where it comes out"


def _of_one(old: str, new: str) -> Iterator[str]:
    if old in COMPARISONS and new in COMPARISONS:
        yield "use the boundary, where both sides are equal, and assert the result"
    elif old in LOGIC and new in LOGIC:
        yield f"use an input for which only one side of `{old}` is true, and assert the result"
    elif old in TRUTH and new in TRUTH:
        yield f"assert what {old} stands for: the result must differ from that with {new}"
    elif _is_number(old) and _is_number(new):
        yield f"use an input for which {old} and {new} give different results, and assert it"
    elif old in KEYWORDS or new in KEYWORDS:
        yield f"use an input for which `{old}` and `{new}` differ, and assert the result"
    elif not old.isidentifier() and not new.isidentifier() and old[:1] not in "'\"":
        yield f"use values for which `{old}` and `{new}` give different results, none 0 or 1"


def _is_number(token: str) -> bool:
    return token[:1].isdigit()
