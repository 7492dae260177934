"""What a lift is about: as it was asked for, or as the run that goes on had it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pytest_lift.errors import UsageError
from pytest_lift.prepare import Start
from pytest_lift.requirements import Requirements
from pytest_lift.scope import Scope
from pytest_lift.scope.named import scope_of
from pytest_lift.scope.reaching import Reaching


def choose_scope(start: Start, requirements: Requirements, here: Path) -> Scope | None:
    """None: all of the program. Raises UsageError for what nothing is called, and for another
    scope than that of the run that goes on."""
    asked, stored = _asked(start, requirements, here), start.stored
    if not start.settings.resume or (stored is None and asked is None):
        return asked
    if asked is None and stored is not None:
        return stored.located(start.program)
    if asked is None or stored is None or asked.names != stored.names:
        raise UsageError(
            f"the run that goes on is about {stored or 'all of the program'}, not {asked}",
            where="--lift-resume",
            todo="leave out what names a part of the program, or --lift-resume",
        )
    return stored.located(start.program)


def _asked(start: Start, requirements: Requirements, here: Path) -> Scope | None:
    if not start.only:
        return None
    root = start.settings.root
    scope = scope_of(start.only, start.program, requirements, (here, root), root)
    return with_tests(scope, start)


def with_tests(scope: Scope, start: Start) -> Scope:
    """With the tests of the suite that are not run for it."""
    every = frozenset(test.node for test in start.suite.tests())
    found = Reaching(start.program, start.suite).tests(scope, start.suite)
    return replace(scope, apart=every - found, tests=len(found))
