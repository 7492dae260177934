"""What has to be run again after an edit, so that every verdict is that of a full run.

A verdict can change only by a test that is new, gone, or may behave in another way. A mutant
that an unchanged test is known to kill stays killed; one that survived is run against the new
and changed tests only; where the test that noticed is gone or changed, all tests are run.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from pytest_lift.mutation.mutants import Verdict, function_of
from pytest_lift.mutation.mutation import Mutation

Tests = Mapping[str, frozenset[str]]
"""Function -> nodes of the tests that execute it."""
NONE: frozenset[str] = frozenset()


@dataclass(frozen=True)
class MutantPlan:
    """Mutants to run, and verdicts that stand."""

    keys: frozenset[str] = NONE
    tests: Tests = field(default_factory=dict)
    """Function -> the tests to run its mutants in `keys` against: all others are known to pass."""
    own: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Key -> the tests that this mutant needs, where its function has more of them to be run."""
    known: Mapping[str, Verdict] = field(default_factory=dict)


def plan_increment(
    before: Mutation, now: Tests, changed: Collection[str], keys: Collection[str]
) -> MutantPlan:
    """The `MutantPlan` for the mutants `keys`, after `before` was measured with other tests. Pure.

    `now` is which tests execute what after the edit; `changed` are nodes that are new or may
    behave in another way than before. Killed and timed-out both mean detected: which of them it
    is can depend on which test comes first.
    """
    changed = frozenset(changed)
    known: dict[str, Verdict] = {}
    against_all, against_new = set(), set()
    for key in keys:
        function, verdict = function_of(key), before.verdicts.get(key)
        executing, earlier = now.get(function, NONE), before.tests.get(function, NONE)
        fresh, lost = (executing & changed) | (executing - earlier), earlier - executing
        if verdict == "excluded":
            known[key] = verdict
        elif not executing:
            known[key] = "untested"
        elif verdict is None:
            against_all.add(key)
        elif verdict in ("survived", "untested"):
            known[key] = "survived"
            if fresh:
                against_new.add(key)
        else:
            noticed = before.killers.get(key, NONE) & (executing - fresh)
            if not noticed and (fresh or lost):
                against_all.add(key)
            known[key] = verdict
    running = against_all | against_new
    whole = {function_of(key) for key in against_all}
    new = {
        function: (now[function] & changed) | (now[function] - before.tests.get(function, NONE))
        for function in map(function_of, running)
    }
    return MutantPlan(
        frozenset(running),
        {function: now[function] if function in whole else new[function] for function in new},
        {key: new[function_of(key)] for key in against_new if function_of(key) in whole},
        {key: verdict for key, verdict in known.items() if key not in running},
    )
