"""A `Comparison` as text, Markdown or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict

from pytest_lift.commands.diff.comparing import Comparison, FigureChange, MutantChange
from pytest_lift.findings.page import code, inline
from pytest_lift.text import printable
from pytest_lift.text.secrets import redacted_data

VERSION = 1
MOST_LISTED = 20


def as_text(found: Comparison) -> str:
    """For a terminal."""
    lines = [f"from {found.before} to {found.after}", *([found.note] if found.note else [])]
    for title, rows in _sections(found):
        lines += [f"{title} ({len(rows)}):", *(f"  {row}" for row in _cut(rows))]
    return "\n".join(printable.line(line) for line in lines) + _closing(found)


def as_markdown(found: Comparison) -> str:
    """For a pull request."""
    lines = [f"## From {inline(found.before)} to {inline(found.after)}", ""]
    lines += [inline(found.note), ""] if found.note else []
    for title, rows in _sections(found):
        lines += [f"**{title}** ({len(rows)})", "", *(f"- {code(row)}" for row in _cut(rows)), ""]
    return "\n".join(lines).rstrip() + _closing(found)


def as_json(found: Comparison) -> str:
    data = redacted_data({"version": VERSION, **asdict(found)}, identifying=IDENTIFYING)
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
        "requirements worded anew": list(found.reworded),
        "requirements that no test is expected of any more": list(found.exempted),
        "requirements that tests are expected of again": list(found.demanded),
        "links gained": [f"{name} <- {test}" for name, test in found.links_gained],
        "links lost": [f"{name} <- {test}" for name, test in found.links_lost],
        "unknown ids, new": list(found.unknown_added),
        "unknown ids, gone": list(found.unknown_removed),
        "tests added": list(found.tests_added),
        "tests removed": list(found.tests_removed),
        "mutants detected now": list(map(_mutant, found.mutants_gained)),
        "mutants no longer detected": list(map(_mutant, found.mutants_lost)),
        "figures": list(map(_figure, found.figures)),
    }
    yield from ((title, rows) for title, rows in sections.items() if rows)


def _figure(one: FigureChange) -> str:
    told = f"{one.name} {one.before:.1f} % -> {one.after:.1f} %"
    return f"{told} of {one.mutants:,} mutants that both measured" if one.mutants else told


def _mutant(one: MutantChange) -> str:
    place = f"{one.file} {one.symbol}".rstrip()
    return f"{place}, {one.change}" if one.change else place


def _cut(rows: Sequence[str]) -> list[str]:
    more = len(rows) - MOST_LISTED
    return [*rows[:MOST_LISTED], *([f"... {more} more"] if more > 0 else [])]
