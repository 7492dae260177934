"""The scope of a lift: as the user gave it, or that of the resumed run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pytest_lift.errors import UsageError
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.scope.changed import Changed, what_changed
from pytest_lift.scope.entered import known_entered
from pytest_lift.scope.named import scope_of
from pytest_lift.scope.reaching import Reaching
from pytest_lift.scope.scope import Scope, ScopePlace
from pytest_lift.session.prepare import Start
from pytest_lift.store.history import History
from pytest_lift.suite.suite import Suite


def choose_scope(
    start: Start, suite: Suite, requirements: Requirements, here: Path
) -> Scope | None:
    """Returns the scope, None for all of the program. `suite` includes tests outside the test root.

    Raises UsageError for a name that nothing has, and for another scope than that of the resumed
    run.
    """
    requested, stored = _requested(start, suite, requirements, here), start.stored
    if not start.settings.resume or (stored is None and requested is None):
        return requested
    if stored is not None and (requested is None or (stored.since and not start.only)):
        return stored.located(start.program)
    if requested is None or stored is None or requested.names != stored.names:
        raise UsageError(
            f"the run that goes on is about {stored or 'all of the program'}, not {requested}",
            where="--lift-resume",
            todo="leave out what names a part of the program, or --lift-resume",
        )
    return stored.located(start.program)


def _requested(start: Start, suite: Suite, requirements: Requirements, here: Path) -> Scope | None:
    settings, root = start.settings, start.settings.root
    named = changed = None
    if start.only:
        named = scope_of(start.only, start.program, requirements, (here, root), root)
    if settings.changed is not None:
        changed = what_changed(
            root, settings.changed, start.program, suite, requirements, settings.requirements
        )
    if changed is not None:
        since = changed.scope(start.program, requirements)
        named = since if named is None else _of_both(named, since)
    return None if named is None else _with_tests(named, start, suite, changed)


def _of_both(named: Scope, since: Scope) -> Scope:
    """Returns the intersection: parts that are named and changed."""
    places = [p for p in since.places if named.has_symbol(p.path, p.symbol) or _holds(named, p)]
    names = tuple(dict.fromkeys(named.names))
    ids = since.requirements & named.requirements
    return Scope(names if places or ids else (), tuple(places), ids, since=since.since)


def _holds(scope: Scope, place: ScopePlace) -> bool:
    return scope.has_line(place.path, place.line) and scope.has_line(place.path, place.end_line)


def _with_tests(scope: Scope, start: Start, suite: Suite, changed: Changed | None) -> Scope:
    """Adds the tests that are not run for the scope; changed tests always run."""
    every = frozenset(test.node for test in suite.tests())
    reaching = Reaching(start.program, suite)
    history = History(start.settings.lift_dir)
    runs = history.runs() if (history.root / "history").is_dir() else ()
    measured = known_entered(history.run_named(name).folder for name in runs)
    found = reaching.tests(scope, suite) | (measured.tests(scope) & every)
    if changed is not None and changed.settings:
        found = every
    elif changed is not None:
        found |= reaching.tests(Scope((), changed.tests), suite, changed.gone)
    scope = replace(scope, apart=every - found, tests=len(found))
    beside = {path: file for path, file in suite.files.items() if path not in start.suite.files}
    elsewhere = scope.selection(replace(suite, files=beside))
    return replace(scope, elsewhere=elsewhere)
