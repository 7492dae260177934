"""`pytest-lift ground`: prints which symbols of the program each requirement is about, and why."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_lift.commands.project_option import add_project, named_project
from pytest_lift.coverage.coverage import Entry
from pytest_lift.errors import UsageError
from pytest_lift.oracles.asking import Asker
from pytest_lift.oracles.entering import entered
from pytest_lift.project.discovery import find_program
from pytest_lift.project.option_values import needs_requirements, read_static_config
from pytest_lift.requirements.reader import load
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.run.workspace import Workspace
from pytest_lift.sandbox.jail import Jail, python_reads
from pytest_lift.sandbox.probe import choose
from pytest_lift.source.program import Program
from pytest_lift.text import printable
from pytest_lift.text.printable import redacted_data
from pytest_lift.trace.grounding.ranking import MOST_RANKED, RankedSymbol, Ranking

VERSION = 1
"""Version of the JSON format; it changes if a key changes its meaning or is removed."""
SHOWN, MOST_REASONS = 3, 4
NOTHING = "  no word of it is in the program"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "ids", nargs="*", metavar="ID", help="these requirements only (default: all to be tested)"
    )
    parser.add_argument(
        "--requirements",
        action="append",
        default=[],
        metavar="FILE",
        help="requirement file; may be given several times (default: lift_requirements)",
    )
    parser.add_argument(
        "--source",
        action="append",
        default=[],
        metavar="PKG_OR_DIR",
        help="the program (default: found as a lift finds it)",
    )
    parser.add_argument(
        "--most",
        type=int,
        default=SHOWN,
        metavar="N",
        help=f"symbols of each requirement, up to {MOST_RANKED} (default: {SHOWN})",
    )
    parser.add_argument(
        "--run",
        action="store_true",
        dest="execute",
        help="also run the examples on a copy, in the jail: what they enter counts (default: off)",
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="output format (default: text)"
    )
    parser.add_argument(
        "--json",
        action="store_const",
        const="json",
        dest="format",
        default="text",
        help="short for --format=json (default: off)",
    )
    add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Returns 0. Raises UsageError for an id that no requirement has."""
    here = named_project(options) or Path.cwd()
    config = read_static_config(here, requirements=options.requirements)
    if not config.requirements:
        raise needs_requirements(config)
    requirements = load(config.requirements)
    asked = _asked(options.ids, requirements)
    program = find_program(config.root, source=options.source, here=here)
    watched = _entered(config.root, program, requirements) if options.execute else None
    ranking = Ranking(program, requirements.testable, watched)
    most = max(1, options.most)
    found = [(item, ranking.ranked(item)[:most]) for item in asked]
    if options.format == "json":
        data = {"version": VERSION, "requirements": [_entry(*one) for one in found]}
        print(json.dumps(redacted_data(data), indent=1))
    else:
        print(printable.lines("\n".join(_lines(found))))
    return 0


def _asked(ids: Sequence[str], requirements: Requirements) -> Sequence[Requirement]:
    for name in ids:
        if name not in requirements:
            todo = "name ids of the requirement files"
            raise UsageError(f"no requirement has the id {name!r}", where=name, todo=todo)
    named = [requirements.by_id[name] for name in dict.fromkeys(ids)]
    return named or requirements.testable


def _entered(
    root: Path, program: Program, requirements: Requirements
) -> Mapping[str, frozenset[Entry]]:
    """Returns what the examples enter, run on a private copy."""
    jail = choose("auto", Jail("auto", reads=python_reads(root)))
    with Workspace.create(root, program.paths) as workspace:
        asker = Asker(program, workspace.root, workspace.scratch, jail)
        return entered(requirements.testable, (), asker).by_requirement


def _lines(found: Sequence[tuple[Requirement, Sequence[RankedSymbol]]]) -> Iterator[str]:
    rows = [row for _, ranked in found for row in ranked]
    names = max((len(row.symbol.name) for row in rows), default=0)
    places = max((len(_place(row)) for row in rows), default=0)
    for item, ranked in found:
        yield f"{item.id}: {item.title}"
        for row in ranked:
            reasons = ", ".join(str(one) for one in row.reasons[:MOST_REASONS])
            yield f"  {row.symbol.name:{names}}  {_place(row):{places}}  {row.score:.2f}  {reasons}"
        if not ranked:
            yield NOTHING


def _place(row: RankedSymbol) -> str:
    return f"{row.path}:{row.symbol.line}"


def _entry(item: Requirement, ranked: Sequence[RankedSymbol]) -> dict[str, Any]:
    return {
        "id": item.id,
        "title": item.title,
        "symbols": [
            {
                "path": row.path,
                "line": row.symbol.line,
                "symbol": row.symbol.name,
                "kind": row.symbol.kind,
                "score": round(row.score, 3),
                "reasons": [
                    {"kind": one.kind, "about": one.about, "amount": round(one.amount, 3)}
                    for one in row.reasons
                ],
            }
            for row in ranked
        ],
    }
