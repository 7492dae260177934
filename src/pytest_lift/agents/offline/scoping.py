"""The part of a program that a search is about, and the time that this part gets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.examples.sessions import Session
from pytest_lift.calls.running.children import Site
from pytest_lift.calls.targets.target import SCRIPT, Target
from pytest_lift.scope.reaching import Definition, Reaching
from pytest_lift.scope.scope import Scope
from pytest_lift.source.program import Program

LEAST_SECONDS, SECONDS_A_PROBE = 2.0, 0.1


def outside(scope: Scope | None, sites: Sequence[Site]) -> frozenset[int]:
    """Returns the numbers of the probes outside the scope."""
    if scope is None:
        return frozenset()
    return frozenset(
        number
        for number, site in enumerate(sites)
        if not scope.has_line(site.path, site.probe.line)
    )


def seconds(scope: Scope | None, sites: Sequence[Site], usual: float) -> float:
    """Returns the seconds that a search may take: a part of the program gets a part of the time."""
    if scope is None:
        return usual
    inside = len(sites) - len(outside(scope, sites))
    return min(usual, LEAST_SECONDS + SECONDS_A_PROBE * inside)


def concerned_sessions(sessions: Sequence[Session], brief: Brief) -> Sequence[Session]:
    """Returns the sessions that name anything that can reach the scope."""
    if brief.scope is None:
        return sessions
    names = {name.rpartition(".")[2] for _, name in _reaching(brief.program, brief.scope)}
    return [one for one in sessions if any(names & item.reads for item in one.items)]


@lru_cache(maxsize=2)
def _reaching(program: Program, scope: Scope) -> frozenset[Definition]:
    """Returns the definitions from which the scope can be reached; cached over iterations."""
    return Reaching(program).reaching(scope)


def concerned(targets: list[Target], brief: Brief) -> list[Target]:
    """Returns the targets whose call can reach the scope, and constructors of objects for them."""
    if brief.scope is None:
        return targets
    found = _reaching(brief.program, brief.scope)
    chosen = [target for target in targets if (target.path, target.symbol) in found]
    files = {target.path for target in chosen}
    owners = {target.owner.key for target in chosen if target.owner}
    return [
        target
        for target in targets
        if target in chosen
        or target.key in owners
        or (target.kind == "constructor" and target.path in files)
        or (target.symbol == SCRIPT and target.path in brief.scope.files)
    ]
