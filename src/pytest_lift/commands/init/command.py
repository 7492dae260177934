"""`pytest-lift init`: writes what a project needs to start, asks nothing, and says what it did."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pytest_lift.commands.init.drafts import Draft, documented, drafts_of
from pytest_lift.commands.init.files import requirements_text, with_hook
from pytest_lift.commands.project_option import add_project, named_project
from pytest_lift.errors import LiftError, UsageError
from pytest_lift.files.atomic import place_file
from pytest_lift.marks.conftest_marks import marker_lines
from pytest_lift.options import MARKS
from pytest_lift.project.discovery import find_program
from pytest_lift.project.ini_editing import lines_for
from pytest_lift.project.ini_files import IniFile, find_ini_file
from pytest_lift.project.static_config import read_static_config
from pytest_lift.suite.respelling import registered
from pytest_lift.text import printable

REQUIREMENTS = "requirements.yml"
HOOKS = ".pre-commit-config.yaml"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--source",
        action="append",
        default=[],
        metavar="PKG_OR_DIR",
        help="package, module or folder that the drafts are about; may be given several times "
        "(default: found by the project's layout and settings)",
    )
    parser.add_argument(
        "--requirements",
        default=REQUIREMENTS,
        metavar="FILE",
        help=f"where the drafts are written (default: {REQUIREMENTS})",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="write nothing, say what would be (default: off)"
    )
    add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Always 0: what is there already stays, and is said. Raises UsageError."""
    root, ini = find_ini_file(named_project(options) or Path.cwd().absolute())
    start = _Start(root, ini, options.dry_run)
    start.requirements(options.requirements, options.source)
    start.settings(options.requirements)
    start.hook()
    for line in start.told:
        print(printable.line(line))
    return 0


@dataclass
class _Start:
    root: Path
    ini: IniFile | None
    dry: bool
    told: list[str] = field(default_factory=list)

    def requirements(self, name: str, source: list[str]) -> None:
        place = self.root / name
        if not place.resolve().is_relative_to(self.root.resolve()):
            raise UsageError(f"{name} is not below the project {self.root}", where="--requirements",
                             todo="name a file inside the project")  # fmt: skip
        if place.exists():
            self.told.append(f"{name} is there already and stays as it is")
            return
        program = find_program(self.root, source=source)
        drafts = drafts_of(self.root, program)
        if not drafts:
            self.told.append(
                f"no {name}: neither README nor docstrings of {', '.join(program.names)} say what "
                "it does; write requirements by hand (docs/formats.md)"
            )
            return
        self._write(name, requirements_text(drafts))
        self.told.append(f"wrote {name}: {', '.join(_counts(drafts, documented(program)))}")
        self.told.append("  read each, mend it, then remove its tag draft; next: pytest --lift")

    def settings(self, name: str) -> None:
        """The requirement file and the marks, in the file that pytest reads."""
        had = self.ini.lines("lift_requirements") if self.ini else []
        lines = self.ini.lines("markers") if self.ini else []
        tests = read_static_config(self.root).tests
        known = registered([*lines, *marker_lines(self.root, tests)])
        added: dict[str, list[str]] = {}
        if not had and (self.dry or (self.root / name).exists()):
            added["lift_requirements"] = [name]
        missing = [line for line in MARKS if not registered([line]) <= known]
        added |= {"markers": missing} if missing else {}
        if not added:
            self.told.append("pytest's settings name requirements and marks already")
            return
        try:
            edit = lines_for(self.root, self.ini.path if self.ini else None, added)
        except UsageError as error:
            self.told.append(f"pytest's settings stay as they are: {error}")
            return
        self._write(edit.name, edit.after)
        self.told.append(f"{'made' if edit.before is None else 'added to'} {edit.name}: "
                         f"{edit.section}")  # fmt: skip
        self.told += [f"  {line}" for line in edit.lines]

    def hook(self) -> None:
        place = self.root / HOOKS
        try:
            before = place.read_text("utf-8") if place.exists() else None
        except (OSError, UnicodeDecodeError) as error:
            self.told.append(f"{HOOKS} cannot be read and stays as it is: {error}")
            return
        after = with_hook(before)
        if after is None:
            known = before is not None and "lift-check" in before
            why = "has the hook already" if known else "cannot be added to: add the hook by hand"
            self.told.append(f"{HOOKS} {why}")
            return
        self._write(HOOKS, after)
        verb = "made" if before is None else "added to"
        self.told.append(f"{verb} {HOOKS}: pytest-lift check before each commit")

    def _write(self, name: str, text: str) -> None:
        if self.dry:
            return
        try:
            place_file(self.root / name, text.encode("utf-8"))
        except OSError as error:
            raise LiftError(
                f"it cannot be written: {error.strerror}",
                where=str(self.root / name),
                todo="make the folder writable",
            ) from error


def _counts(drafts: tuple[Draft, ...], documented_in_all: int) -> Iterator[str]:
    docs = sum(":" in draft.source for draft in drafts)
    if docs:
        more = f" (of {documented_in_all})" if documented_in_all > docs else ""
        yield f"{docs} {'draft' if docs == 1 else 'drafts'} from docstrings{more}"
    if rest := len(drafts) - docs:
        yield f"{rest} {'draft' if rest == 1 else 'drafts'} from {drafts[0].source}"
