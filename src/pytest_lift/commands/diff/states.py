"""One state of requirements and links, from wherever it is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pytest_lift.report.facts import Report, RequirementFacts
from pytest_lift.report.formats.hunks import change
from pytest_lift.report.mutant_facts import MutationFacts
from pytest_lift.requirements.requirement import Requirement
from pytest_lift.source.syntax import digest
from pytest_lift.trace.statuses import EXEMPT, Status


@dataclass(frozen=True)
class StatedRequirement:
    """A requirement as it was then."""

    title: str
    text: str
    """Digest of everything its author wrote."""
    exempt: bool
    tests: frozenset[str]
    """Nodes that name it."""
    status: Status | None = None
    """None where nothing was run."""


@dataclass(frozen=True, order=True)
class MutantName:
    """A small change of the program, by what it changes: see `FunctionMarks`."""

    file: str
    symbol: str
    mark: str


@dataclass(frozen=True)
class ComparedState:
    """What is compared."""

    label: str
    requirements: Mapping[str, StatedRequirement] = field(default_factory=dict)
    tests: frozenset[str] = frozenset()
    unknown: frozenset[str] = frozenset()
    figures: Mapping[str, float] = field(default_factory=dict)
    """Percentages that were measured: ``line``, ``branch``. That of mutants depends on which of
    them are asked about: see `detected`."""
    detected: frozenset[MutantName] = frozenset()
    """Mutants that some test notices."""
    missed: Mapping[MutantName, str] = field(default_factory=dict)
    """Those that none does, with the change in words; empty where that is not told."""
    scope: str = ""
    """The part of the program that it is about; empty: all of it."""


def state_of(report: Report, label: str) -> ComparedState:
    """What a report says."""
    requirements = {
        item.id: StatedRequirement(
            item.title,
            _wording(item),
            item.status in EXEMPT,
            frozenset(link.test for link in item.links),
            item.status,
        )
        for item in report.requirements
    }
    figures = {
        "line": report.line_percent,
        "branch": report.branch_percent,
    }
    state = ComparedState(
        label,
        requirements,
        frozenset(test.node for test in report.tests),
        frozenset(name for name, _ in report.unknown),
        {name: value for name, value in figures.items() if value is not None},
        *(_mutants(report.mutation) if report.mutation and not report.mutation.earlier else ()),
    )
    return replace(state, scope=report.scope)


def _mutants(
    found: MutationFacts,
) -> tuple[frozenset[MutantName], dict[MutantName, str]]:
    functions = [(file.path, each) for file in found.files for each in file.functions]
    detected = [
        MutantName(path, each.symbol, mark) for path, each in functions for mark in each.detected
    ]
    missed = {
        MutantName(path, each.symbol, mark): "" for path, each in functions for mark in each.missed
    }
    for path, one in found.survivors:
        name = MutantName(path, one.symbol, one.mark)
        if name in missed:
            before, after = change(one.diff)
            missed[name] = f"line {one.line}: {before} -> {after}" if one.diff else ""
    return frozenset(detected), missed


def stated(item: Requirement, tests: frozenset[str]) -> StatedRequirement:
    """A requirement as its file says it, with nothing run."""
    return StatedRequirement(item.title, _wording(item), item.exempt is not None, tests)


def _wording(item: Requirement | RequirementFacts) -> str:
    text = "\0".join((item.title, item.description, *item.acceptance, *item.examples))
    return digest(text.encode("utf-8", "backslashreplace").decode("utf-8"))
