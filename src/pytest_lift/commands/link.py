"""`pytest-lift link`: suggests tests that show a requirement already, and links them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from pytest_lift.agents.offline.writing.links import Linker
from pytest_lift.check.project import Project, read_project, require_tests
from pytest_lift.commands.keys import read_key
from pytest_lift.commands.link_candidates import CERTAINTIES, Candidate, find_candidates
from pytest_lift.commands.link_writing import DOCSTRING, keep_refused, spelling_of, write_link
from pytest_lift.errors import UsageError
from pytest_lift.project.discovery import find_program
from pytest_lift.project.option_values import needs_requirements, read_static_config
from pytest_lift.requirements.reader import load
from pytest_lift.source.program import Program
from pytest_lift.text import printable
from pytest_lift.text.printable import redacted_data
from pytest_lift.text.wording import count

VERSION = 1
"""Version of the JSON format; it changes if a key changes its meaning or is removed."""
NOTHING = "no test is suggested for a requirement\n"


QUESTION = "link it? [y]es [n]o, never [s]kip [a]ll the rest [q]uit:"

_ARGUMENTS = (
    (("ids",), {"nargs": "*", "metavar": "ID",
     "help": "suggest tests for these requirements only (default: all that are to be tested)"}),
    (("--requirements",), {"action": "append", "default": [], "metavar": "FILE",
     "help": "requirement file; may be given several times (default: lift_requirements)"}),
    (("--tests",), {"action": "append", "default": [], "metavar": "DIR",
     "help": "folder of the tests (default: lift_tests, else testpaths, else tests)"}),
    (("--source",), {"action": "append", "default": [], "metavar": "PKG_OR_DIR",
     "help": "the program under test (default: found as a lift finds it)"}),
    (("--certainty",), {"choices": CERTAINTIES, "default": "possible",
     "help": "least certainty of the suggestions shown (default: possible, which shows all)"}),
    (("--uncovered",), {"action": "store_true",
     "help": "suggest tests only for requirements that no test names yet (default: off)"}),
    (("--list",), {"action": "store_true",
     "help": "list the suggestions and ask nothing (default: off; without a terminal always)"}),
    (("--yes-to",), {"action": "append", "default": [], "metavar": "KEY",
     "help": "write the suggestion with this key; may be given several times (default: none)"}),
    (("--no-to",), {"action": "append", "default": [], "metavar": "KEY",
     "help": "refuse the suggestion with this key; may be given several times (default: none)"}),
    (("--again",), {"action": "store_true",
     "help": "also suggest what was refused before (default: off)"}),
    (("--as",), {"choices": ("mark", "docstring"), "default": None, "dest": "spelling",
     "help": "write links as marks or as fields of docstrings (default: as the project does; a "
     "field where it has no links yet and registers no mark for them)"}),
    (("--format",), {"choices": ("text", "json"), "default": "text",
     "help": "output format of the list (default: text)"}),
)  # fmt: skip


def as_text(found: Sequence[Candidate]) -> str:
    """Returns the suggestions by certainty, one per line, and the command to accept them."""
    if not found:
        return NOTHING
    lines: list[str] = []
    for certainty, those in groupby(found, lambda one: one.certainty):
        lines += [f"{certainty}:", *(_line(one) for one in those)]
    lines.append(
        f"{count(len(found), 'suggestion')}; nothing was written: pytest-lift link --yes-to KEY ..."
    )
    return "\n".join(lines) + "\n"


def _line(one: Candidate) -> str:
    title = f"{one.requirement.id} ({one.requirement.title})"
    return printable.line(f"  {one.key}  {title}  <-  {one.node}: {'; '.join(one.reasons)}")


def question(one: Candidate, place: str) -> str:
    """Returns the information for a decision: requirement, test and reasons."""
    requirement = one.requirement
    lines = [
        "",
        f"{place}  {requirement.id}: {requirement.title}",
        *(f"    {' '.join(text.split())}" for text in requirement.acceptance),
        f"{one.certainty}: {one.file.path}:{one.test.place.line} {one.test.inner_node}",
        *(f"    {reason}" for reason in one.reasons),
    ]
    source = "".join(one.test.lines).rstrip().splitlines()
    more = [f"  ... {len(source) - MOST_LINES} lines more"] if len(source) > MOST_LINES else []
    lines += ["", *(f"  | {line}" for line in source[:MOST_LINES]), *more, ""]
    return "\n".join(printable.line(line) for line in lines)


MOST_LINES = 30
"""Largest number of lines of a test that are shown."""


def summary(written: Sequence[Candidate], refused: Sequence[Candidate], left: int) -> str:
    """Returns the numbers of written, refused and open suggestions."""
    parts = [f"{len(written)} linked"]
    parts += [f"{len(refused)} refused and not suggested again"] if refused else []
    parts += [f"{left} left to decide"] if left else []
    return ", ".join(parts)


def as_json(found: Sequence[Candidate]) -> str:
    """Returns the suggestions as JSON; see docs/link.md."""
    data = {"version": VERSION, "suggestions": [_entry(one) for one in found]}
    return json.dumps(redacted_data(data), indent=1, ensure_ascii=True) + "\n"


def _entry(one: Candidate) -> dict[str, Any]:
    return {
        "key": one.key,
        "requirement": one.requirement.id,
        "title": one.requirement.title,
        "test": one.node,
        "file": one.file.path,
        "line": one.test.place.line,
        "certainty": one.certainty,
        "reasons": list(one.reasons),
    }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    for names, settings in _ARGUMENTS:
        parser.add_argument(*names, **settings)


def run(options: argparse.Namespace) -> int:
    """Returns 0, or 1 if an accepted link could not be written, or 2 if interrupted."""
    project, found = _suggested(options, Path.cwd())
    linking = Linking(project, found, _spelling(options, project))
    if options.yes_to or options.no_to:
        linking.take(options.yes_to, options.no_to)
    elif options.list or options.format == "json" or not found or not sys.stdin.isatty():
        print(as_json(found) if options.format == "json" else as_text(found), end="")
        return 0
    else:
        try:
            linking.ask()
        except KeyboardInterrupt:
            print()
            _close(linking)
            return 2
    return _close(linking)


def _close(linking: Linking) -> int:
    linking.keep_refused()
    for problem in linking.problems:
        print(printable.lines(str(problem)))
    print(printable.line(summary(linking.written, linking.refused, linking.left)))
    return 1 if linking.problems else 0


@dataclass
class Linking:
    """Suggestions and the decisions about them; an accepted link is written immediately."""

    project: Project
    found: Sequence[Candidate]
    spelling: str
    written: list[Candidate] = field(default_factory=list)
    refused: list[Candidate] = field(default_factory=list)
    problems: list[UsageError] = field(default_factory=list)
    left: int = 0

    def take(self, accepted: Sequence[str], refused: Sequence[str] = ()) -> None:
        """Applies the decisions of the command line. Raises `UsageError` for an unknown key."""
        by_key = {one.key: one for one in self.found}
        for where, keys in (("--yes-to", accepted), ("--no-to", refused)):
            for key in keys:
                if key not in by_key:
                    raise UsageError(
                        f"no suggestion has the key {key!r}",
                        where=where,
                        todo="pytest-lift link --list names them",
                    )
        if both := sorted({*accepted} & {*refused}):
            raise UsageError(
                f"{both[0]} is accepted and refused", where="--yes-to, --no-to", todo="choose one"
            )
        self.refused = [by_key[key] for key in dict.fromkeys(refused)]
        for key in dict.fromkeys(accepted):
            self.accept(by_key[key])
        self.left = len(self.found) - len({*accepted, *refused})

    def keep_refused(self) -> None:
        """Stores the refused suggestions, so that they are not made again."""
        try:
            keep_refused(self.project.config, self.refused)
        except UsageError as error:
            self.problems.append(error)

    def ask(self) -> None:
        """Asks about each suggestion until the user quits."""
        every = False
        for number, one in enumerate(self.found, 1):
            if not every:
                print(question(one, f"{number} of {len(self.found)}"))
                key = read_key(QUESTION, "ynsaq")
                if key == "q":
                    self.left += len(self.found) - number + 1
                    return
                if key == "s":
                    self.left += 1
                    continue
                every = key == "a"
                if key == "n":
                    self.refused.append(one)
                    continue
            self.accept(one)

    def accept(self, one: Candidate) -> None:
        """Writes the link into the current text of the file, which may contain new links."""
        file = next(file for file in self.project.files if file.path == one.file.path)
        try:
            now = write_link(
                file, one.test.inner_node, one.requirement.id, self.spelling, self.project.config
            )
        except UsageError as error:
            self.problems.append(error)
            return
        self.project = self.project.with_texts({file.path: now.file.text})
        self.written.append(one)
        print(printable.line(f"    {file.path}:{now.line}: {one.requirement.id} is linked"))


def _spelling(options: argparse.Namespace, project: Project) -> str:
    usual = spelling_of(project.files, project.config)
    if options.spelling == "mark":
        return usual or project.config.naming.links.markers[0]
    return DOCSTRING if options.spelling == "docstring" else usual


def _suggested(options: argparse.Namespace, cwd: Path) -> tuple[Project, list[Candidate]]:
    config = read_static_config(cwd, requirements=options.requirements, tests=options.tests)
    if not config.requirements:
        raise needs_requirements(config)
    require_tests(config, options.tests)
    requirements = load(config.requirements)
    for name in options.ids:
        if name not in requirements:
            todo = "name ids of the requirement files"
            raise UsageError(f"no requirement has the id {name!r}", where=name, todo=todo)
    project = read_project(config, cwd)
    linker = Linker(requirements, _program(config.root, options.source))
    found = find_candidates(requirements, project.files, project.ownership, linker)
    named = {name for file in project.files for test in file.tests for name in test.requirements}
    wanted = CERTAINTIES[: CERTAINTIES.index(options.certainty) + 1]
    return project, [
        one
        for one in found
        if one.certainty in wanted
        and (options.again or one.key not in project.ownership.refused_links)
        and (not options.ids or one.requirement.id in options.ids)
        and not (options.uncovered and one.requirement.id in named)
    ]


def _program(root: Path, source: Sequence[str]) -> Program:
    """Returns the program, or an empty one: texts and names of tests are enough for suggestions."""
    try:
        return find_program(root, source=source)
    except UsageError:
        if source:
            raise
        return Program((), (), ())
