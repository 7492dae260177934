"""One state of requirements and links, from wherever it is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pytest_lift.report.facts import Report, RequirementFacts
from pytest_lift.requirements import Requirement
from pytest_lift.testfile import digest
from pytest_lift.trace import EXEMPT, Status


@dataclass(frozen=True)
class Stated:
    """A requirement as it was then."""

    title: str
    text: str
    """Digest of everything its author wrote."""
    exempt: bool
    tests: frozenset[str]
    """Nodes that name it."""
    status: Status | None = None
    """None where nothing was run."""


@dataclass(frozen=True)
class State:
    """What is compared."""

    label: str
    requirements: Mapping[str, Stated] = field(default_factory=dict)
    tests: frozenset[str] = frozenset()
    unknown: frozenset[str] = frozenset()
    figures: Mapping[str, float] = field(default_factory=dict)
    """Percentages that were measured: ``line``, ``branch``, ``mutation``."""


def state_of(report: Report, label: str) -> State:
    """What a report says."""
    requirements = {
        item.id: Stated(
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
        "mutation": report.mutation_percent,
    }
    return State(
        label,
        requirements,
        frozenset(test.node for test in report.tests),
        frozenset(name for name, _ in report.unknown),
        {name: value for name, value in figures.items() if value is not None},
    )


def stated(item: Requirement, tests: frozenset[str]) -> Stated:
    """A requirement as its file says it, with nothing run."""
    return Stated(item.title, _wording(item), item.exempt is not None, tests)


def _wording(item: Requirement | RequirementFacts) -> str:
    return digest("\0".join((item.title, item.description, *item.acceptance, *item.examples)))
