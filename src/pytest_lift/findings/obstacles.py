"""What a generator could not test: findings on it, and one line for each reason."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.findings.finding import Finding
from pytest_lift.source.program import Obstacle, ObstacleKind, Program, SourceFile
from pytest_lift.source.symbols import Symbol
from pytest_lift.text.wording import count, some

CANNOT: dict[ObstacleKind, str] = {
    "module": "cannot be imported",
    "class": "cannot be built",
    "function": "cannot be called",
}
VALUES = re.compile(r"'[^']*'|\"[^\"]*\"|\d+")
MOST_NAMED = 4
MOST_REASONS = 6


def obstacle_findings(
    obstacles: Iterable[Obstacle], coverage: Coverage | None, program: Program
) -> Iterator[Finding]:
    """Yields a finding on each obstacle whose code no test executes meanwhile."""
    for one in obstacles:
        file = program.files.get(one.path)
        if file is None or _is_executed(one, file, coverage):
            continue
        symbol = _symbol(one, file)
        name = f"{file.module}.{one.symbol}" if one.symbol else file.module
        tried = f" ({count(one.calls, 'call')} tried)" if one.calls else ""
        yield Finding(
            "not-tested",
            f"{name} {CANNOT[one.kind]}: {one.reason}{tried}",
            file=one.path,
            line=symbol.line if symbol else 1,
            symbol=one.symbol,
            evidence=one.reason,
            todo=one.remedy,
        )


def _symbol(one: Obstacle, file: SourceFile) -> Symbol | None:
    return next((s for s in file.symbols if s.name == one.symbol), None)


def _is_executed(one: Obstacle, file: SourceFile, coverage: Coverage | None) -> bool:
    measured = coverage.files.get(one.path) if coverage else None
    if measured is None:
        return False
    symbol = _symbol(one, file)
    if symbol is None:
        return not one.symbol and bool(measured.executed)
    return any(
        measured.executed & {*range(first, last + 1)} for first, last in _bodies(file, symbol)
    )


def _bodies(file: SourceFile, symbol: Symbol) -> Iterator[tuple[int, int]]:
    """Yields (first, last) line of the bodies of a function, or of the methods of a class: what
    importing the module does not execute."""
    for node in ast.walk(file.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            last = node.end_lineno or node.lineno
            if symbol.line <= node.lineno and last <= symbol.end_line:
                yield max(node.body[0].lineno, node.lineno + 1), last


def obstacle_lines(findings: Sequence[Finding]) -> list[str]:
    """Returns a line for each reason why something could not be tested, the most frequent first."""
    reasons: dict[tuple[str, str], list[Finding]] = defaultdict(list)
    for one in findings:
        if one.kind == "not-tested":
            reasons[_grouped(one)].append(one)
    lines = []
    for (cannot, _), found in sorted(reasons.items(), key=lambda item: -len(item[1])):
        names = [one.symbol or one.file for one in found]
        lines.append(
            f"  - {some(names, MOST_NAMED)} {cannot}: {found[0].evidence}; {found[0].todo}"
        )
    if len(lines) > MOST_REASONS:
        left = len(lines) - MOST_REASONS
        lines[MOST_REASONS:] = [f"  - and for {count(left, 'other reason')}: see run.json"]
    return lines


def _grouped(one: Finding) -> tuple[str, str]:
    """Returns what is the same of findings in one line: what cannot be done, and why, whatever
    the values are that the reason quotes."""
    cannot = next(told for told in CANNOT.values() if f" {told}: " in one.what)
    return cannot, VALUES.sub("", one.evidence)
