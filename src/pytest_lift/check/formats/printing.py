"""Findings as text for who sits at a terminal, a pre-commit hook's included."""

from __future__ import annotations

from collections.abc import Callable

from pytest_lift.check.problems import ERROR, WARNING, Findings
from pytest_lift.text import printable


def as_text(found: Findings, shown: Callable[[str], str], *, verbose: bool = False) -> str:
    """Returns the problems as text. `shown` turns a path of the project into one for the reader of
    the terminal."""
    lines: list[str] = []
    for problem in found.problems:
        kind = "" if problem.severity == ERROR else f"{WARNING}: "
        where = f"{shown(problem.file)}:{problem.place.line}:{problem.place.column}"
        lines.append(f"{where}: {problem.rule}: {kind}{problem.what}")
        if problem.todo:
            lines.append(f"  -> {problem.todo}")
    if verbose:
        for unread in found.unreadable:
            where = f"{shown(unread.file)}:{unread.place.line}:{unread.place.column}"
            lines.append(f"{where}: an argument cannot be read without running the file")
    lines += [f"fixed: {text}" for text in found.fixes]
    lines += [f"baseline: {text}" for text in found.stale]
    return "".join(
        f"{printable.line(text)}\n" for text in (*lines, summary(found, verbose=verbose))
    )


def summary(found: Findings, *, verbose: bool = False) -> str:
    """Returns one line: how much was looked at, and what came of it."""
    parts = [f"{_number(found.tests, 'test')} in {_number(found.files, 'file')}"]
    if found.whole:
        parts[0] += f" ({found.linked_tests:,} linked)"
    if found.requirements is not None:
        tested = f"{found.tested:,} tested, {_percent(found.percent)}"
        parts.append(f"{_number(found.requirements, 'requirement')} ({tested})")
    elif found.whole:
        parts.append("requirements not read")
    parts.append(_number(found.counts[ERROR], "error"))
    parts.append(_number(found.counts[WARNING], "warning"))
    if found.suppressed:
        parts.append(f"{found.suppressed} hidden by the baseline")
    if verbose and found.unreadable:
        parts.append(f"{len(found.unreadable)} cannot be read statically")
    if found.fixes:
        parts.append(f"{len(found.fixes)} fixed")
    return ", ".join(parts)


def _number(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"


def _percent(value: float) -> str:
    """Returns a percentage that is cut, not rounded: 100 % means all."""
    return f"{int(value * 10) / 10:.1f} %"
