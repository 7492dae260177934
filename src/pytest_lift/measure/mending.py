"""Lines of configuration that would let tests pass in plain pytest: tried, then offered."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.measure.last_gate import Cause, found_bad
from pytest_lift.measure.suite_measurer import SuiteMeasurer
from pytest_lift.options import MARKS
from pytest_lift.project.ini_editing import Added, IniEdit, lines_for
from pytest_lift.run.plain_pytest import Overrides
from pytest_lift.suite.respelling import registered
from pytest_lift.suite.suite import Suite, path_of

INSTALLABLE = ("pyproject.toml", "setup.py", "setup.cfg")
"""Files of which one is there where `pip install -e .` can work."""


@dataclass(frozen=True)
class PytestSettings:
    """What the project's configuration says today."""

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
        """The lines that would register those marks of this package that are not."""
        wanted = {*names} - self.marks
        return tuple(line for line in MARKS if registered([line]) & wanted)

    def edit(self, added: Added) -> IniEdit | None:
        """None where nobody but the user should write into that file."""
        try:
            return lines_for(self.root, self.ini, added)
        except UsageError:
            return None

    def typed(self, added: Added) -> tuple[str, ...]:
        """What is to be added, for a person to paste."""
        edit = self.edit(added)
        if edit is not None:
            return (f"in {edit.name}, {edit.section}:", *(f"    {line}" for line in edit.lines))
        listed = [f"{name} = {value}" for name, values in added.items() for value in values]
        return ("in pytest's settings:", *(f"    {line}" for line in listed))

    def mends(self, added: Added, *, installing: bool) -> tuple[str, ...]:
        """That adding it helps, in lines; `installing` says that an editable installation of the
        project would do the same."""
        can = installing and any((self.root / name).is_file() for name in INSTALLABLE)
        other = " (so does pip install -e .)" if can else ""
        first, *rest = self.typed(added)
        return f"this mends it{other}, {first}", *rest

    def overrides(self, added: Added, copy: Path) -> Overrides:
        """The same as options of one run in `copy`."""
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
    """What lets tests import the program from where it is."""
    return {"pythonpath": tuple(root or "." for root in measurer.program.import_roots)}


@dataclass(frozen=True)
class Mender:
    """Finds the lines that mend a cause, and tries them in the private copy."""

    measurer: SuiteMeasurer
    settings: PytestSettings

    def mend(self, cause: Cause, suite: Suite, nodes: frozenset[str]) -> tuple[str, ...]:
        """What to type so that `nodes` pass; empty where nothing that was tried does it."""
        files = sorted({path_of(node) for node in nodes})
        for added in self._candidates(cause):
            overrides = self.settings.overrides(added, self.measurer.workspace.root)
            run = self.measurer.run_plainly(suite, files, overrides)
            if run.cut_short is None and not nodes & found_bad(run, suite).keys():
                return self._told(cause, added)
        return ()

    def _told(self, cause: Cause, added: Added) -> tuple[str, ...]:
        """A module that has the name as soon as the project's own is found first was another."""
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
