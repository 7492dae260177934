"""Findings as JSON, for programs; the format is told in docs/check.md."""

from __future__ import annotations

import json
from typing import Any

from pytest_lift.check.output import valid
from pytest_lift.check.problems import ERROR, WARNING, Findings, Problem
from pytest_lift.marks.fields import TextSpan
from pytest_lift.text import printable
from pytest_lift.text.printable import redacted_data

VERSION = 1
"""Version of the JSON format; it changes when a key changes its meaning or goes away."""


def as_json(found: Findings) -> str:
    """Returns one mapping; see docs/check.md."""
    counted = found.requirements is not None
    data: dict[str, Any] = {
        "version": VERSION,
        "whole": found.whole,
        "tests": found.tests,
        "linked_tests": found.linked_tests,
        "files": found.files,
        "requirements": found.requirements,
        "tested": found.tested if counted else None,
        "percent": round(found.percent, 2) if counted else None,
        "errors": found.counts[ERROR],
        "warnings": found.counts[WARNING],
        "suppressed": found.suppressed,
        "stale": list(found.stale),
        "fixed": list(found.fixes),
        "unreadable": [
            {"file": unread.file, **_place(unread.place)} for unread in found.unreadable
        ],
        "problems": [_entry(problem) for problem in found.problems],
    }
    return valid(json.dumps(redacted_data(data), indent=1)) + "\n"


def _entry(problem: Problem) -> dict[str, Any]:
    return {
        "rule": problem.rule,
        "severity": problem.severity,
        "file": problem.file,
        **_place(problem.place),
        "what": printable.line(problem.what),
        "todo": printable.line(problem.todo),
        "requirement": problem.requirement,
        "test": problem.test,
    }


def _place(place: TextSpan) -> dict[str, int]:
    return {
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
    }
