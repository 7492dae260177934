"""Footprint of each passing test: the branches, functions, mutants and requirements it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pytest_lift.coverage.coverage import Branch, Entry
from pytest_lift.measure.measurement import Measurement
from pytest_lift.run.result import TestResult
from pytest_lift.trace.statuses import outcome_of
from pytest_lift.trace.trace import RequirementTrace


@dataclass(frozen=True)
class Footprint:
    """Branches, functions, mutants and requirements of one test function, all of its rows
    together."""

    test: str
    """Node id without parameters."""
    branches: frozenset[Branch] = frozenset()
    functions: frozenset[Entry] = frozenset()
    """Functions of the program that it enters."""
    mutants: frozenset[str] = frozenset()
    """Keys of the mutants that it is known to detect."""
    requirements: frozenset[str] = frozenset()
    """Requirements whose status rests on it: it verifies them, or is linked to them while no test
    verifies them."""
    linked: frozenset[str] = frozenset()
    """All requirements that it names."""
    verifies: frozenset[str] = frozenset()

    @property
    def seen(self) -> bool:
        """Whether coverage.py saw it execute anything of the program."""
        return bool(self.branches or self.functions)

    def within(self, other: Footprint) -> bool:
        """Whether `other` takes, enters and names everything that this test does."""
        return (
            self.branches <= other.branches
            and self.functions <= other.functions
            and self.linked <= other.linked
            and self.requirements <= other.requirements
        )


def footprints(measurement: Measurement) -> dict[str, Footprint]:
    """Returns node id -> footprint of the passing tests of the suite, in the order of the run.

    Contradiction tests, skipped and failing tests have none: no requirement rests on them.
    """
    rows: dict[str, list[TestResult]] = {}
    for result in measurement.run.results.values():
        rows.setdefault(result.function, []).append(result)
    detected = _detected(measurement)
    resting = _resting(measurement)
    return {
        node: _footprint(node, results, measurement, detected, resting)
        for node, results in rows.items()
        if node not in measurement.contradicting
        and measurement.suite.function(node) is not None
        and outcome_of(results) == "passed"
    }


def _footprint(
    node: str,
    rows: list[TestResult],
    measurement: Measurement,
    detected: Mapping[str, frozenset[str]],
    resting: Mapping[str, frozenset[str]],
) -> Footprint:
    nodes = [row.node for row in rows]
    links = measurement.trace.links.get(node, ())
    nothing: frozenset[Branch] = frozenset()
    nowhere: frozenset[Entry] = frozenset()
    return Footprint(
        node,
        nothing.union(*(measurement.coverage.by_test.get(n, nothing) for n in nodes)),
        nowhere.union(*(measurement.coverage.functions_by_test.get(n, nowhere) for n in nodes)),
        detected.get(node, frozenset()),
        resting.get(node, frozenset()),
        frozenset(name for row in rows for name in row.requirements),
        frozenset(link.requirement for link in links if link.grade == "verified"),
    )


def _detected(measurement: Measurement) -> dict[str, frozenset[str]]:
    """Returns test function -> detected mutants that it is known to fail on."""
    found: dict[str, set[str]] = {}
    if measurement.mutation is not None:
        for key, nodes in measurement.mutation.killers.items():
            if key in measurement.mutation.detected:
                for node in nodes:
                    found.setdefault(node.partition("[")[0], set()).add(key)
    return {node: frozenset(keys) for node, keys in found.items()}


def _resting(measurement: Measurement) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for item in measurement.trace.requirements:
        for node in _carriers(item):
            found.setdefault(node, set()).add(item.requirement.id)
    return {node: frozenset(names) for node, names in found.items()}


def _carriers(item: RequirementTrace) -> list[str]:
    """Returns the tests that the status of a requirement rests on."""
    passing = [link for link in item.links if link.outcome == "passed"]
    verifying = [link for link in passing if link.grade == "verified"]
    return [link.test for link in verifying or passing]
