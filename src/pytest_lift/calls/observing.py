"""Finds which calls that tests already make reveal a surviving mutant, and how many do not.

A mutant that a test's own input reveals lacks an assertion; any other lacks an input or is
equivalent. This tells reachability, infection and propagation apart (Voas 1992).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pytest_lift.calls.call import as_case
from pytest_lift.calls.case import Case, Observation, Outcome
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.mutant_prober import MutantProber, RepeatableOutcome
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets import find_targets
from pytest_lift.calls.written_calls import written_calls
from pytest_lift.mutation.mutants import NOTHING_OBSERVED, Mutant, Observed
from pytest_lift.sandbox.jail import Jail
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import Suite
from pytest_lift.text.differing import apart, shortened

AT_ONCE, MOST_TRIES = 60, 250
"""Most mutants that a call is tried on, and most calls that are tried on a mutant."""
LEAST_SECONDS = 0.5
LONGEST_CALL, LONGEST_RESULT = 100, 60
"""Most characters of a reported call and of its result."""


@dataclass
class Observer:
    """Runs the calls that tests make on the program and on its surviving mutants, in the jail.

    Results are kept: for another suite only new calls and new survivors are tried.
    """

    copy: Path
    folder: Path
    """Scratch folder; it is created."""
    jail: Jail
    _program: Program | None = None
    _known: dict[str, Observed] = field(default_factory=dict)
    _done: set[str] = field(default_factory=set)
    """Keys of mutants on which all calls in `_made` were tried."""
    _made: set[str] = field(default_factory=set)
    """`Case.key` of calls that were made."""
    _learned: dict[str, int] = field(default_factory=dict)

    def learn(self, same: Mapping[str, int]) -> None:
        """Takes over calls that others tried: mutant key -> number of calls that did not reveal it.

        The calls that the tests make are among them.
        """
        for key, count in same.items():
            self._learned[key] = max(self._learned.get(key, 0), count)

    def observe(
        self,
        suite: Suite,
        program: Program,
        survivors: Sequence[Mutant],
        mutated: Path,
        seconds: float,
    ) -> Mapping[str, Observed]:
        """Returns mutant key -> observation, for survivors of which something is known.

        `mutated` is mutmut's folder of mutated sources. Calls whose arguments are not literals are
        not made; calls that were not tried within `seconds` are tried at the next observation.
        """
        until = time.monotonic() + seconds
        if program is not self._program:
            self._program = program
            for known in (self._known, self._done, self._made, self._learned):
                known.clear()
            resolver = Resolver(program)
            self._resolver, self._matcher = resolver, Matcher(find_targets(program, resolver))
        hidden = [one for one in survivors if not self._of(one).call]
        old = [one for one in hidden if one.key in self._done]
        new = [one for one in hidden if one.key not in self._done]
        cases = self._cases(suite)
        fresh = [case for case in cases if case.key not in self._made]
        for one in new:
            self._known.pop(one.key, None)
        self._try(fresh, old, mutated, until)
        self._try(cases, new, mutated, until)
        if until - time.monotonic() > LEAST_SECONDS:
            self._made |= {case.key for case in cases}
            self._done |= {one.key for one in new}
        return {one.key: seen for one in survivors if (seen := self._of(one)) != NOTHING_OBSERVED}

    def _of(self, mutant: Mutant) -> Observed:
        known = self._known.get(mutant.key, NOTHING_OBSERVED)
        return replace(known, same=max(known.same, self._learned.get(mutant.key, 0)))

    def _cases(self, suite: Suite) -> list[Case]:
        cases = (as_case(call, self._resolver) for call in written_calls(suite, self._matcher))
        return list({case.key: case for case in cases if case is not None}.values())

    def _try(
        self, cases: Sequence[Case], mutants: Sequence[Mutant], mutated: Path, until: float
    ) -> None:
        left = until - time.monotonic()
        if not cases or not mutants or self._program is None or left < LEAST_SECONDS:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        place = mutated.resolve(), self.copy, self._program, self.jail, mutants, self.folder
        prober = MutantProber(*place, deadline=until)
        every = frozenset(one.key for one in mutants)
        found = prober.run(cases, every, left, at_once=AT_ONCE, most_tries=MOST_TRIES)
        by_key = {case.key: case for case in cases}
        for key, told in found.items():
            self._note(by_key[key], told)

    def _note(self, case: Case, told: RepeatableOutcome) -> None:
        for key in told.tried | told.others.keys():
            other = told.others.get(key)
            seen = _difference(case, told.usual, other) if other is not None else Observed(1)
            self._known[key] = self._known.get(key, NOTHING_OBSERVED) + seen


def _difference(case: Case, usual: Observation, other: Observation) -> Observed:
    """Returns an observation of the first check in which program and mutant differ."""
    call = shortened("; ".join(step.source for step in case.steps), LONGEST_CALL)
    for at, was in enumerate(usual.outcomes):
        if at >= len(other.outcomes):
            return Observed(0, call, shortened(_said(was), LONGEST_RESULT), _broken(other))
        if other.outcomes[at] != was:
            return Observed(0, call, *_apart(_said(was), _said(other.outcomes[at])))
    return Observed(0, call, "ends", _broken(other))


def _broken(seen: Observation) -> str:
    return {"timeout": "does not end", "crash": "crashes"}.get(seen.rejected, "does something else")


def _said(outcome: Outcome) -> str:
    if outcome.raised is not None:
        return f"raises {outcome.raised.type}: {outcome.raised.message}"
    if outcome.printed:
        return f"prints {outcome.printed!r}"
    if outcome.files:
        return f"writes {', '.join(f'{name} ({text!r})' for name, text in outcome.files)}"
    if outcome.source is not None:
        return f"gives {outcome.source}"
    named = ", ".join(f"{name}={value}" for name, value in outcome.attributes)
    return f"gives {outcome.text or outcome.type}{f' with {named}' if named else ''}"


def _apart(usual: str, other: str) -> tuple[str, str]:
    if usual == other:
        return shortened(usual, LONGEST_RESULT), "does something else"
    (verb, _, was), (now_verb, _, now) = usual.partition(" "), other.partition(" ")
    if verb != now_verb:
        return shortened(usual, LONGEST_RESULT), shortened(other, LONGEST_RESULT)
    was, now = apart(was, now, LONGEST_RESULT)
    return f"{verb} {was}", f"{verb} {now}"
