"""Findings as workflow commands of GitHub: an annotation at each place."""

from __future__ import annotations

from collections.abc import Callable

from pytest_lift.check.formats.printing import summary
from pytest_lift.check.output import valid
from pytest_lift.check.problems import Findings, Problem
from pytest_lift.text import printable


def as_github(found: Findings, shown: Callable[[str], str]) -> str:
    """Returns workflow commands: one annotation per problem, then the summary."""
    lines = [_annotation(problem, shown(problem.file)) for problem in found.problems]
    return "".join(f"{line}\n" for line in (*lines, printable.line(summary(found))))


def _annotation(problem: Problem, file: str) -> str:
    place = problem.place
    said = {"file": file, "line": place.line}
    if place.end_line == place.line:
        said |= {"col": place.column, "endColumn": max(place.end_column - 1, place.column)}
    said["title"] = f"pytest-lift: {problem.rule}"
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in said.items())
    step = f"\n-> {problem.todo}" if problem.todo else ""
    return f"::{problem.severity} {properties}::{_data(printable.lines(problem.what + step))}"


def _data(text: str) -> str:
    return valid(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(printable.line(text)).replace(":", "%3A").replace(",", "%2C")
