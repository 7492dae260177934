"""Work items of a phase: source files with their open findings."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from pytest_lift.agents.contract import Brief
from pytest_lift.findings.finding import JUDGED, Finding
from pytest_lift.source.outline import imports
from pytest_lift.source.program import SourceFile
from pytest_lift.source.syntax import FunctionNode
from pytest_lift.suite.suite import path_of
from pytest_lift.trace.grounding.homes import Parts

NOT_FOR_TESTS = frozenset(
    {
        *("suspected-defect", "doubtful-requirement", "pins-contradiction", "broken-example"),
        *("left-out", "redundant", "near-duplicate"),
    }
)
"""Kinds of findings that are left to a person or to minimising, not to the generator."""
_BRANCHES = ast.If | ast.IfExp | ast.For | ast.While | ast.Try | ast.With | ast.Match


@dataclass(frozen=True)
class WorkItem:
    """Source file, or a range of its lines, with its open findings."""

    path: str
    test_file: str
    requirements: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    lines: range = range(0)
    """Lines of the file in question; empty for the whole file."""
    shared: tuple[str, ...] = ()
    """Requirements that live here in part, and are tested where their home is."""

    @property
    def key(self) -> str:
        """Key of the work item; it changes as soon as its requirements or findings do."""
        parts = (self.path, str(self.lines), *self.requirements, *(f.what for f in self.findings))
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def gain(self) -> float:
        return sum(f.gain for f in self.findings if f.reach == "testable")


def find_work(
    brief: Brief, lives: Mapping[str, Parts], places: Mapping[str, str]
) -> Iterator[WorkItem]:
    """Yields a work item per source file. `lives` is requirement id -> the source files of it, its
    home first; `places` source file -> test file."""
    homes = {name: next(iter(told)) for name, told in lives.items()}
    by_path: dict[str, list[Finding]] = {}
    named: dict[str, list[str]] = {}
    if brief.mode == "initial":
        for name, home in homes.items():
            named.setdefault(home, []).append(name)
    for finding in open_findings(brief):
        path = None
        if finding.kind not in NOT_FOR_TESTS:
            path = _home(finding, brief, homes, places)
        if path is not None:
            by_path.setdefault(path, []).append(finding)
            if finding.requirement in homes:
                named.setdefault(path, []).append(finding.requirement)
    if brief.mode == "initial":
        for path in _run_by_import(by_path.keys() - named.keys(), by_path, brief):
            del by_path[path]
    open_ids = dict.fromkeys(name for ids in named.values() for name in ids if name in lives)
    for path, findings in by_path.items():
        ids = tuple(dict.fromkeys(named.get(path, ())))
        shared = (name for name in open_ids if path in lives[name] and homes[name] != path)
        yield WorkItem(path, places[path], ids, tuple(findings), shared=tuple(shared))


def _run_by_import(paths: Iterable[str], others: Iterable[str], brief: Brief) -> Iterator[str]:
    """Yields modules that only define classes and values, and that one of `others` imports: its
    first test executes them."""
    program = brief.program
    imported = {to for path in others for to in imports(program.files[path], program) if to != path}
    for path in sorted(imported.intersection(paths)):
        if not any(
            isinstance(node, FunctionNode | ast.Lambda | _BRANCHES)
            for node in ast.walk(program.files[path].tree)
        ):
            yield path


def _home(
    finding: Finding, brief: Brief, homes: Mapping[str, str], places: Mapping[str, str]
) -> str | None:
    """Returns the source file to whose work item a finding belongs; None if there is none."""
    if finding.requirement in homes:
        return homes[finding.requirement]
    if finding.file in brief.program.files:
        return finding.file if finding.reach == "testable" else None
    by_test = {test: path for path, test in places.items()}
    for place in (finding.file, *map(path_of, finding.tests)):
        if place in by_test:
            return by_test[place]
    if finding.kind in ("refused", "failing", "broken-file", "flaky"):
        return next(iter(brief.program.files), None)
    return None


def open_findings(brief: Brief) -> tuple[Finding, ...]:
    """Returns the computed findings, with the advice of the last feedback where it has some, and
    the findings that only an evaluator can report."""
    if brief.feedback is None:
        return brief.findings
    said = {(f.kind, f.what): f for f in brief.feedback.findings}
    computed = tuple(
        replace(f, todo=said[f.kind, f.what].todo) if (f.kind, f.what) in said else f
        for f in brief.findings
    )
    return (*computed, *(f for f in brief.feedback.findings if f.kind in JUDGED))


def split(unit: WorkItem, source: SourceFile) -> tuple[WorkItem, ...]:
    """Returns two halves of a work item that is too large, divided by its requirements or else by
    its lines.

    Empty if it cannot be halved: then no part of it would fit.
    """
    if len(unit.requirements) > 3:
        return _by_requirements(unit)
    return _by_lines(unit, source)


def _by_requirements(unit: WorkItem) -> tuple[WorkItem, ...]:
    middle = len(unit.requirements) // 2
    halves = []
    for ids in (unit.requirements[:middle], unit.requirements[middle:]):
        first = ids[0] == unit.requirements[0]
        findings = tuple(
            f for f in unit.findings if f.requirement in ids or (first and not f.requirement)
        )
        halves.append(replace(unit, requirements=ids, findings=findings))
    return tuple(halves)


def _by_lines(unit: WorkItem, source: SourceFile) -> tuple[WorkItem, ...]:
    lines = unit.lines or range(1, source.text.count("\n") + 2)
    if len(lines) < 20:
        return ()
    starts = [s.line for s in source.symbols if s.line in lines[1:]]
    middle = lines[len(lines) // 2]
    cut = min(starts, key=lambda line: abs(line - middle), default=middle)
    halves = []
    for part in (range(lines[0], cut), range(cut, lines[-1] + 1)):
        inside = tuple(
            f
            for f in unit.findings
            if ((f.line or lines[0]) in part if f.file == unit.path else part[0] == lines[0])
        )
        ids = unit.requirements if part[0] == lines[0] else ()
        halves.append(replace(unit, requirements=ids, findings=inside, lines=part))
    return tuple(halves)
