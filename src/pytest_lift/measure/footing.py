"""What is known of the user's plain pytest before the first iteration, and what follows from it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pytest_lift.measure.last_gate import LastGate
from pytest_lift.measure.mending import Mender, PytestSettings, for_imports
from pytest_lift.measure.plain_probe import ImportableModules, probe
from pytest_lift.measure.suite_measurer import SuiteMeasurer
from pytest_lift.project.ini_editing import Added, IniEdit
from pytest_lift.suite.respelling import registered as names_of
from pytest_lift.suite.suite import Suite

_OR = "--lift-write-config does so for you"
_OR_IN_THE_PATCH = "--lift-write-config puts it into the patch"


@dataclass(frozen=True)
class Footing:
    """Where the last gate stands when a lift begins."""

    gate: LastGate | None
    """None where nothing could pass it."""
    lands: bool = True
    """False where nothing can land until the user has done something."""
    why: tuple[str, ...] = ()
    """What that is; also what is about to be written, where `edit` is given."""
    told: tuple[str, ...] = ()
    edit: IniEdit | None = None
    """What to write into the configuration before the lift begins, or into its patch."""
    marks: frozenset[str] = frozenset()
    """Names of the marks that this registers."""


NO_FOOTING = Footing(None)
"""Where plain pytest is not asked."""


def find_footing(
    measurer: SuiteMeasurer,
    suite: Suite,
    settings: PytestSettings,
    *,
    landing: bool = True,
    write: bool = False,
    marks: Sequence[str] = (),
) -> Footing:
    """Ask plain pytest for the program, and try what mends it where it is not found.

    `landing` is False where a patch is asked for. `write` says that the configuration may be
    changed; the `marks` (lines) are registered then.
    """
    probed = probe(measurer, suite)
    told = tuple(_elsewhere(probed))
    needed = _needed(measurer, suite, settings, probed)
    wanted: Added = {**(needed or {}), **({"markers": tuple(marks)} if marks and write else {})}
    if needed is None:
        return Footing(None, False, tuple(_hopeless(probed, suite.root)), told)
    edit = settings.edit(wanted) if write and wanted else None
    if edit is not None:
        where = f"adds to {edit.name}, {edit.section}{'' if landing else ', in the patch'}:"
        why = (f"--lift-write-config {where}", *_indented(edit.lines))
        # What lands stands in the copy from the start; what a patch says is assumed there.
        gate = _gate(measurer, settings, None if landing else wanted)
        return Footing(gate, True, why, told, edit, names_of(marks))
    if needed:
        why = tuple(_unimportable(probed, suite.root, settings, needed, landing=landing))
        return Footing(_gate(measurer, settings, needed), False, why, told)
    return Footing(_gate(measurer, settings), told=told)


def _gate(
    measurer: SuiteMeasurer, settings: PytestSettings, assumed: Added | None = None
) -> LastGate:
    overrides = settings.overrides(assumed or {}, measurer.workspace.root)
    run = partial(measurer.run_plainly, overrides=overrides)
    return LastGate(run, measurer.apart, Mender(measurer, settings).mend)


def _needed(
    measurer: SuiteMeasurer, suite: Suite, settings: PytestSettings, probed: ImportableModules
) -> Added | None:
    """What lets plain pytest find the program: nothing where it does, None where nothing helps."""
    if not probed.missing or _manages(measurer, suite, probed.missing):
        return {}
    added = for_imports(measurer)
    again = probe(measurer, suite, settings.overrides(added, measurer.workspace.root))
    return added if again.known and not again.missing else None


def _manages(measurer: SuiteMeasurer, suite: Suite, missing: Sequence[str]) -> bool:
    """Whether tests of the user's import it all the same, by a path that they set themselves."""
    tops = "|".join(re.escape(name.partition(".")[0]) for name in missing)
    imports = re.compile(rf"^\s*(?:from|import)\s+(?:{tops})\b", re.MULTILINE)
    files = {path for path, text in suite.texts().items() if imports.search(text)}
    if not files:
        return False
    run = measurer.run_plainly(suite)
    passed = (r.node.partition("::")[0] for r in run.results.values() if r.outcome == "passed")
    return not files.isdisjoint(passed)


def _unimportable(
    probed: ImportableModules, tests: str, settings: PytestSettings, needed: Added, *, landing: bool
) -> list[str]:
    names, mends = ", ".join(probed.missing), settings.mends(needed, installing=True)
    return [
        f"a test in {tests} cannot import {names} under plain pytest, so "
        f"{'nothing lands' if landing else 'the patch is of no use'} until it can; {mends[0]}",
        *mends[1:],
        *([_OR if landing else _OR_IN_THE_PATCH] if settings.edit(needed) else []),
    ]


def _hopeless(probed: ImportableModules, tests: str) -> list[str]:
    names = ", ".join(probed.missing)
    return [
        f"a test in {tests} cannot import {names} under plain pytest, and a pythonpath in its "
        "settings does not mend it: nothing lands until it can"
    ]


def _elsewhere(probed: ImportableModules) -> list[str]:
    if not probed.elsewhere:
        return []
    names = ", ".join(probed.elsewhere)
    return [
        f"plain pytest imports {names} from an installed version, not from this folder: what "
        "lands has passed with that one, too (pip install -e . makes them one)"
    ]


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]
