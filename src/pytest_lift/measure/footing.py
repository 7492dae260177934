"""Asks whether plain pytest can import the program, and which ini line would help."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.measure.last_gate import Cause, LastGate, found_bad
from pytest_lift.measure.suite_measurer import SuiteMeasurer
from pytest_lift.options import MARKS
from pytest_lift.project.import_path import sibling_folders
from pytest_lift.project.ini_files import Added, IniEdit, lines_for
from pytest_lift.run.plain_pytest import AS_IT_IS, Overrides
from pytest_lift.run.result import Run
from pytest_lift.source.program import Program
from pytest_lift.suite.respelling import registered
from pytest_lift.suite.suite import Edit, Suite, path_of

NAME = "test_lift_asks_for_the_program.py"

_TEXT = """\
import importlib.util
import os
import unittest


def place(name):
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError as error:
        if f"{{name}}.".startswith(f"{{error.name}}."):
            return []
        raise
    if spec is None:
        return []
    return [os.path.realpath(p) for p in spec.submodule_search_locations or [spec.origin or ""]]


class TestImports(unittest.TestCase):
"""
_TEST = """\
    def test_{number}_found(self):
        assert place({name!r})

    def test_{number}_here(self):
        assert any(p.startswith({copy!r}) for p in place({name!r}))

"""


INSTALLABLE = ("pyproject.toml", "setup.py", "setup.cfg")
"""Files of which one is there where `pip install -e .` can work."""


_OR = "--lift-write-config does so for you"
_OR_IN_THE_PATCH = "--lift-write-config puts it into the patch"


@dataclass(frozen=True)
class ImportableModules:
    """Modules of the program that a test could import under plain pytest."""

    missing: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    """Those that are found, and not in this project: another version is installed."""
    known: bool = True
    """False where the question could not be put."""


def probe(
    measurer: SuiteMeasurer, suite: Suite, overrides: Overrides = AS_IT_IS
) -> ImportableModules:
    """Asks plain pytest which modules can be imported, from a file in the test root of `suite` with
    its conftest files. Nothing of the program is run but packages around the modules asked for."""
    path = f"{suite.root}/{NAME}"
    names = tuple(asked_for(measurer.program))
    copy = str(measurer.workspace.root.resolve())
    tests = [_TEST.format(number=n, name=name, copy=f"{copy}/") for n, name in enumerate(names)]
    text = _TEXT.format() + "".join(tests)
    run = measurer.run_plainly(suite.apply(Edit({path: text})), [path], overrides)
    found, here = _passed(run, names, "found"), _passed(run, names, "here")
    if any(outcome is None for outcome in found.values()):
        return ImportableModules(known=False)
    missing = tuple(name for name in names if not found[name])
    return ImportableModules(missing, tuple(n for n in names if found[n] and here[n] is False))


def asked_for(program: Program) -> Iterator[str]:
    """Yields the topmost module of each part of the program."""
    for path in program.paths:
        inside = [
            file.module
            for place, file in program.files.items()
            if file.importable and (path in (".", "", place) or place.startswith(f"{path}/"))
        ]
        if inside:
            yield min(inside, key=lambda module: (module.count("."), module))


def _passed(run: Run, names: tuple[str, ...], what: str) -> dict[str, bool | None]:
    """Returns name -> whether its test passed; None where it did not come to that."""
    outcomes = {node.rpartition("::")[2]: result.outcome for node, result in run.results.items()}
    told = {name: outcomes.get(f"test_{n}_{what}") for n, name in enumerate(names)}
    return {name: None if one is None else one == "passed" for name, one in told.items()}


@dataclass(frozen=True)
class PytestSettings:
    """Settings in the project's present configuration."""

    root: Path
    ini: Path | None
    """The file that pytest reads; None where it reads none."""
    pythonpath: tuple[Path, ...] = ()
    markers: tuple[str, ...] = ()
    """Lines, those of this package left out."""

    @classmethod
    def of(cls, config: pytest.Config, root: Path) -> PytestSettings:
        theirs = [*config.getini("markers")]
        for line in MARKS:  # this package's plugin has added each once
            if line in theirs:
                theirs.remove(line)
        return cls(root, config.inipath, tuple(config.getini("pythonpath")), tuple(theirs))

    @property
    def marks(self) -> frozenset[str]:
        """Names of the marks that are registered."""
        return registered(self.markers)

    def unregistered(self, names: Sequence[str] = ("req", "emergent")) -> tuple[str, ...]:
        """Returns the lines that would register those marks of this package that are not."""
        wanted = {*names} - self.marks
        return tuple(line for line in MARKS if registered([line]) & wanted)

    def edit(self, added: Added) -> IniEdit | None:
        """Returns the edit of the file; None if only the user should write to it."""
        try:
            return lines_for(self.root, self.ini, added)
        except UsageError:
            return None

    def typed(self, added: Added) -> tuple[str, ...]:
        """Returns lines to be added, for a person to paste."""
        edit = self.edit(added)
        if edit is not None:
            return (f"in {edit.name}, {edit.section}:", *(f"    {line}" for line in edit.lines))
        listed = [f"{name} = {value}" for name, values in added.items() for value in values]
        return ("in pytest's settings:", *(f"    {line}" for line in listed))

    def mends(self, added: Added, *, installing: bool) -> tuple[str, ...]:
        """Returns lines that say how to add the settings; `installing` says that an editable
        installation of the project would do the same."""
        can = installing and any((self.root / name).is_file() for name in INSTALLABLE)
        other = " (so does pip install -e .)" if can else ""
        first, *rest = self.typed(added)
        return f"this fixes it{other}, {first}", *rest

    def overrides(self, added: Added, copy: Path) -> Overrides:
        """Settings as options of one run in `copy`."""
        found: dict[str, str] = {}
        if paths := added.get("pythonpath"):
            root, top = self.root.resolve(), copy.resolve()
            there = [os.path.relpath(path, root) for path in self.pythonpath]
            found["pythonpath"] = shlex.join(
                str((top / path).resolve()) for path in [*there, *paths]
            )
        if lines := added.get("markers"):
            found["markers"] = "\n".join([*self.markers, *lines])
        return found


def for_imports(measurer: SuiteMeasurer) -> Added:
    """Returns the setting that lets tests import the program from its place."""
    program = measurer.program
    folders = (*program.import_roots, *sibling_folders(program))
    return {"pythonpath": tuple(folder or "." for folder in folders)}


@dataclass(frozen=True)
class Mender:
    """Finds the lines that mend a cause, and tries them in the private copy."""

    measurer: SuiteMeasurer
    settings: PytestSettings

    def mend(self, cause: Cause, suite: Suite, nodes: frozenset[str]) -> tuple[str, ...]:
        """Returns the text to type so that `nodes` pass; empty if nothing that was tried helps."""
        files = sorted({path_of(node) for node in nodes})
        for added in self._candidates(cause):
            overrides = self.settings.overrides(added, self.measurer.workspace.root)
            run = self.measurer.run_plainly(suite, files, overrides)
            if run.cut_short is None and not nodes & found_bad(run, suite).keys():
                return self._told(cause, added)
        return ()

    def _told(self, cause: Cause, added: Added) -> tuple[str, ...]:
        """Returns the text for a cause: a module that has the name once the project's own is found
        first was another version."""
        ours = cause.kind == "name" and added == for_imports(self.measurer)
        first, *rest = self.settings.mends(added, installing=ours)
        if cause.kind == "name":
            where = f" ({cause.place})" if cause.place else ""
            first = f"that is another version of it, which is installed{where}; {first}"
        return first, *rest

    def _candidates(self, cause: Cause) -> Iterator[Added]:
        match cause.kind:
            case "import" | "name":
                yield for_imports(self.measurer)
                if self.measurer.program.import_roots != ("",):
                    yield {"pythonpath": (".",)}
            case "mark":
                if lines := self.settings.unregistered():
                    yield {"markers": lines}


@dataclass(frozen=True)
class Footing:
    """State of the last gate when a lift begins."""

    gate: LastGate | None
    """None where nothing could pass it."""
    lands: bool = True
    """False where nothing can land until the user has done something."""
    why: tuple[str, ...] = ()
    """Explanation of these settings, and of `edit` where one is given."""
    told: tuple[str, ...] = ()
    edit: IniEdit | None = None
    """What to write into the configuration before the lift begins, or into its patch."""
    marks: frozenset[str] = frozenset()
    """Names of the marks that this registers."""
    beside: tuple[str, ...] = ()
    """Folders on the import path by `edit`, or by the settings that are assumed."""


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
    """Asks plain pytest whether it finds the program, and tries settings that help if not.

    `landing` is False if a patch is asked for. `write` says that the configuration may be changed;
    the `marks` (lines) are registered then.
    """
    probed = probe(measurer, suite)
    told = tuple(_elsewhere(probed))
    needed = _needed(measurer, suite, settings, probed)
    if needed is None:
        return Footing(None, False, tuple(_hopeless(probed, suite.root)), told)
    beside = sibling_folders(measurer.program)
    useful: Added = {"pythonpath": beside} if beside and not needed else {}
    wanted: Added = {**needed, **useful, **({"markers": tuple(marks)} if marks else {})}
    edit = settings.edit(wanted) if write and wanted else None
    if edit is not None:
        where = f"adds to {edit.name}, {edit.section}{'' if landing else ', in the patch'}:"
        why = (f"--lift-write-config {where}", *(f"    {line}" for line in edit.lines))
        # What lands stands in the copy from the start; what a patch says is assumed there.
        gate = _gate(measurer, settings, None if landing else wanted)
        return Footing(gate, True, why, told, edit, registered(marks), beside)
    if needed:
        why = tuple(_unimportable(probed, suite.root, settings, needed, landing=landing))
        return Footing(_gate(measurer, settings, needed), False, why, told, beside=beside)
    if useful:
        told = (*told, *_siblings(beside, settings, useful, landing=landing))
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
    """Settings that let plain pytest find the program: empty if it does, None if nothing helps."""
    if not probed.missing or _manages(measurer, suite, probed.missing):
        return {}
    added = for_imports(measurer)
    again = probe(measurer, suite, settings.overrides(added, measurer.workspace.root))
    return added if again.known and not again.missing else None


def _manages(measurer: SuiteMeasurer, suite: Suite, missing: Sequence[str]) -> bool:
    """Whether tests of the user import the program all the same, by a path that they set
    themselves."""
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


def _siblings(
    beside: Sequence[str], settings: PytestSettings, useful: Added, *, landing: bool
) -> list[str]:
    mends = settings.mends(useful, installing=False)
    return [
        f"modules in {', '.join(beside)} import their siblings as top-level modules, which plain "
        f"pytest does not find, so they get no tests; {mends[0]}",
        *mends[1:],
        *([_OR if landing else _OR_IN_THE_PATCH] if settings.edit(useful) else []),
    ]


def _hopeless(probed: ImportableModules, tests: str) -> list[str]:
    names = ", ".join(probed.missing)
    return [
        f"a test in {tests} cannot import {names} under plain pytest, and a pythonpath in its "
        "settings does not fix it: nothing lands until it can"
    ]


def _elsewhere(probed: ImportableModules) -> list[str]:
    if not probed.elsewhere:
        return []
    names = ", ".join(probed.elsewhere)
    return [
        f"plain pytest imports {names} from an installed version, not from this folder: tests "
        "that land have passed with that version, too (pip install -e . makes them the same)"
    ]
