"""The accepted suite with fewer tests and the same figures: `--lift-minimise`."""

from __future__ import annotations

from dataclasses import replace

from pytest_lift.measure.fault_measurer import FaultMeasurer
from pytest_lift.measure.measurement import Measurement
from pytest_lift.measure.suite_measurer import SuiteMeasurer
from pytest_lift.redundancy.merging import merge_alike
from pytest_lift.redundancy.minimising import Measure, losses, minimise, propose
from pytest_lift.redundancy.near_duplicates import COPIES
from pytest_lift.run.formatting import formatted
from pytest_lift.suite.suite import Suite
from pytest_lift.trace.statuses import BAD


def smaller(
    accepted: Measurement, faults: FaultMeasurer, seed: int, until: float | None = None
) -> Measurement:
    """The trial of a suite without the tool's tests that add nothing, those that are alike made
    rows of one; `accepted` itself where nothing can go. The user's tests stay as they are.

    The last gate has to let it pass. Nothing that was measured is lost: branches, lines, detected
    mutants, verified requirements. Where mutants were measured and there is no time to do so
    again, only copies go.
    """

    measurer = faults.measurer

    def measure(suite: Suite) -> Measurement:
        return faults.measure(measurer.measure(suite), until)

    begin, groups = accepted, propose(accepted)
    if accepted.mutation is not None and not faults.has_time:
        begin = replace(accepted, mutation=None)
        groups = propose(begin, likenesses=COPIES)
    found = minimise(begin, measure, losses, groups=groups)
    found = _merged(found, begin, measurer, measure)
    if found is begin or not _is_steady(found, measurer, seed):
        return accepted
    gate = measurer.last_gate
    if gate is not None and gate.refused(found.suite, accepted.suite, accepted.broken):
        return accepted
    return found


def _merged(
    found: Measurement, begin: Measurement, measurer: SuiteMeasurer, measure: Measure
) -> Measurement:
    """With tests that differ in literals only as rows of one, if that loses nothing."""
    spared = {test for test, _ in measurer.link_grades}
    edit = merge_alike(found.suite, spared)
    if not edit:
        return found
    suite = formatted(found.suite.apply(edit), found.suite, measurer.workspace, measurer.jail)
    merged = measure(suite)
    as_many_rows = len(merged.run.results) == len(found.run.results)
    lost = merged.broken - begin.broken or losses(begin, merged)
    return merged if as_many_rows and not lost else found


def _is_steady(measurement: Measurement, measurer: SuiteMeasurer, seed: int) -> bool:
    """It passes in another order, too; what fails anyway is left out."""
    again = measurer.repeat(measurement.suite, seed)
    bad = {result.function for result in again.results.values() if result.outcome in BAD}
    owned = {test.node for test in measurement.suite.owned_tests()}
    return again.cut_short is None and not (bad - measurement.broken) & owned
