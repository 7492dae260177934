"""What a search is limited to in a lift that is not about all of the program."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_lift.agents import Brief
from pytest_lift.offline.probe import Site
from pytest_lift.offline.targets import Target
from pytest_lift.scope import Scope
from pytest_lift.scope.reaching import Reaching


def outside(scope: Scope | None, sites: Sequence[Site]) -> frozenset[int]:
    """The probes that do not matter."""
    if scope is None:
        return frozenset()
    return frozenset(
        number
        for number, site in enumerate(sites)
        if not scope.has_line(site.path, site.probe.line)
    )


def concerned(targets: list[Target], brief: Brief) -> list[Target]:
    """Those whose call can reach the scope, and what makes objects for them."""
    if brief.scope is None:
        return targets
    found = Reaching(brief.program).reaching(brief.scope)
    chosen = [target for target in targets if (target.path, target.symbol) in found]
    files = {target.path for target in chosen}
    owners = {target.owner.key for target in chosen if target.owner}
    return [
        target
        for target in targets
        if target in chosen
        or target.key in owners
        or (target.kind == "constructor" and target.path in files)
    ]
