"""`pytest-lift diff A B`: what changed between two runs, reports or commits."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from pytest_lift.commands.diff.commits import is_commit, state_at, state_of_files
from pytest_lift.commands.diff.states import (
    ComparedState,
    Comparison,
    FigureChange,
    MutantChange,
    compare,
    state_of,
)
from pytest_lift.commands.project_option import add_project, named_project
from pytest_lift.errors import UsageError
from pytest_lift.files.codec import encode
from pytest_lift.findings.page import code, inline
from pytest_lift.project.ini_files import find_ini_file
from pytest_lift.text import printable
from pytest_lift.text.printable import redacted_data

VERSION = 1
MOST_LISTED = 20


HERE = "the working tree"


def as_text(found: Comparison) -> str:
    """Returns the comparison for a terminal."""
    lines = [f"from {found.before} to {found.after}", *([found.note] if found.note else [])]
    for title, rows in _sections(found):
        lines += [f"{title} ({len(rows)}):", *(f"  {row}" for row in _cut(rows))]
    return "\n".join(printable.line(line) for line in lines) + _closing(found)


def as_markdown(found: Comparison) -> str:
    """Returns the comparison for a pull request."""
    lines = [f"## From {inline(found.before)} to {inline(found.after)}", ""]
    lines += [inline(found.note), ""] if found.note else []
    for title, rows in _sections(found):
        lines += [f"**{title}** ({len(rows)})", "", *(f"- {code(row)}" for row in _cut(rows)), ""]
    return "\n".join(lines).rstrip() + _closing(found)


def as_json(found: Comparison) -> str:
    data = redacted_data({"version": VERSION, **encode(found)}, identifying=IDENTIFYING)
    return json.dumps(data, indent=1) + "\n"


IDENTIFYING = frozenset(
    {"requirement", "file", "symbol", "gained", "lost", "added", "removed", "reworded", "exempted"}
    | {"demanded", "links_gained", "links_lost", "tests_added", "tests_removed"}
    | {"unknown_added", "unknown_removed"}
)
FORMATS: Mapping[str, Callable[[Comparison], str]] = {
    "text": as_text,
    "markdown": as_markdown,
    "json": as_json,
}


def _closing(found: Comparison) -> str:
    return "\nnothing changed\n" if found.same else "\n"


def _sections(found: Comparison) -> Iterator[tuple[str, list[str]]]:
    sections = {
        "requirements gained": list(found.gained),
        "requirements lost": list(found.lost),
        "status changed": [
            f"{one.requirement} ({one.title}): {one.before} -> {one.after}"
            for one in found.statuses
        ],
        "new requirements": list(found.added),
        "requirements removed": list(found.removed),
        "requirements reworded": list(found.reworded),
        "requirements newly exempt from testing": list(found.exempted),
        "requirements no longer exempt from testing": list(found.demanded),
        "links gained": [f"{name} <- {test}" for name, test in found.links_gained],
        "links lost": [f"{name} <- {test}" for name, test in found.links_lost],
        "unknown ids, new": list(found.unknown_added),
        "unknown ids, gone": list(found.unknown_removed),
        "tests added": list(found.tests_added),
        "tests removed": list(found.tests_removed),
        "mutants newly detected": list(map(_mutant, found.mutants_gained)),
        "mutants no longer detected": list(map(_mutant, found.mutants_lost)),
        "figures": list(map(_figure, found.figures)),
    }
    yield from ((title, rows) for title, rows in sections.items() if rows)


def _figure(one: FigureChange) -> str:
    told = f"{one.name} {one.before:.1f} % -> {one.after:.1f} %"
    return f"{told} of {one.mutants:,} mutants that were measured in both" if one.mutants else told


def _mutant(one: MutantChange) -> str:
    place = f"{one.file} {one.symbol}".rstrip()
    return f"{place}, {one.change}" if one.change else place


def _cut(rows: Sequence[str]) -> list[str]:
    more = len(rows) - MOST_LISTED
    return [*rows[:MOST_LISTED], *([f"... {more} more"] if more > 0 else [])]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = "id of a run, a report.json, or a commit"
    parser.add_argument("before", metavar="A", help=what)
    parser.add_argument(
        "after",
        nargs="?",
        metavar="B",
        help="what to compare A with, named likewise (default: the latest report if A is a run "
        "or a report, else the working tree)",
    )
    parser.add_argument(
        "--format", choices=list(FORMATS), default="text", help="output format (default: text)"
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="exit code 1 when a requirement was lost (default: off)",
    )
    add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Returns 0; with ``--strict`` 1 if a requirement that still needs tests was lost."""
    project = (named_project(options) or find_ini_file(Path.cwd())[0]).resolve()
    before = _state(project, options.before)
    after = _state(project, options.after) if options.after else _default(project, before)
    found = compare(before, after)
    sys.stdout.write(FORMATS[options.format](found))
    return int(options.strict and bool(found.lost))


def _state(project: Path, name: str) -> ComparedState:
    """Returns the state of a run, report or commit; a branch may be called as another file."""
    try:
        found = _reported(project, name)
    except UsageError:
        if not is_commit(project, name):
            raise
        found = None
    return found or state_at(project, name)


def _default(project: Path, before: ComparedState) -> ComparedState:
    """Returns the newest report if tests were run in `before`, otherwise the state of the files."""
    ran = any(item.status is not None for item in before.requirements.values())
    newest = _reported(project, None) if ran else None
    return newest or state_of_files(project, HERE)


def _reported(project: Path, name: str | None) -> ComparedState | None:
    """Returns the state of a run or a report; None if there is none of this name."""
    from pytest_lift.commands.report import stored_report
    from pytest_lift.report.stored import read_report

    if name is not None and os.path.isfile(name):  # `Path.is_file` raises for long names
        return state_of(read_report(Path(name)), name)
    try:
        path = stored_report(name, project)
    except UsageError:
        return None
    return state_of(read_report(path), name or f"run {path.parent.name}")
