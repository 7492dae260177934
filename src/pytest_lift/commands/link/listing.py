"""Suggestions as a list for people, as JSON for programs, and one by one as a question."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from pytest_lift.commands.link.candidates import Candidate
from pytest_lift.text import printable
from pytest_lift.text.secrets import redacted_data

VERSION = 1
"""Of the JSON format; a new one comes when a key changes its meaning or goes away."""
NOTHING = "no test is suggested for a requirement\n"


def as_text(found: Sequence[Candidate]) -> str:
    """A line for each, under the certainty that they share, and how to accept one."""
    if not found:
        return NOTHING
    lines: list[str] = []
    for certainty, those in groupby(found, lambda one: one.certainty):
        lines += [f"{certainty}:", *(_line(one) for one in those)]
    lines.append(f"{_count(len(found))}; nothing was written: pytest-lift link --yes-to KEY ...")
    return "\n".join(lines) + "\n"


def _line(one: Candidate) -> str:
    title = f"{one.requirement.id} ({one.requirement.title})"
    return printable.line(f"  {one.key}  {title}  <-  {one.node}: {'; '.join(one.reasons)}")


def question(one: Candidate, count: str) -> str:
    """What a person has to know to decide: both texts, and why they may belong together."""
    requirement = one.requirement
    lines = [
        "",
        f"{count}  {requirement.id}: {requirement.title}",
        *(f"    {' '.join(text.split())}" for text in requirement.acceptance),
        f"{one.certainty}: {one.file.path}:{one.test.place.line} {one.test.inner_node}",
        *(f"    {reason}" for reason in one.reasons),
    ]
    source = "".join(one.test.lines).rstrip().splitlines()
    more = [f"  ... {len(source) - MOST_LINES} lines more"] if len(source) > MOST_LINES else []
    lines += ["", *(f"  | {line}" for line in source[:MOST_LINES]), *more, ""]
    return "\n".join(printable.line(line) for line in lines)


MOST_LINES = 30
"""Of a test that are shown."""


def summary(written: Sequence[Candidate], refused: Sequence[Candidate], left: int) -> str:
    """The last line."""
    parts = [f"{len(written)} linked"]
    parts += [f"{len(refused)} refused and not suggested again"] if refused else []
    parts += [f"{left} left to decide"] if left else []
    return ", ".join(parts)


def _count(number: int) -> str:
    return f"{number} suggestion{'' if number == 1 else 's'}"


def as_json(found: Sequence[Candidate]) -> str:
    """One mapping; see docs/link.md."""
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
