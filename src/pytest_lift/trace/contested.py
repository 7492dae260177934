"""What of a contradicted requirement still wants tests: one difference hides nothing else."""

from __future__ import annotations

from pytest_lift.oracles.discrepancies import Discrepancy, bare
from pytest_lift.requirements.requirement import has_words
from pytest_lift.trace.covering import Shown
from pytest_lift.trace.trace import RequirementTrace

_TOLD = {"equals": "gives "}


def has_tests(item: RequirementTrace) -> bool:
    """Whether a passing test verifies the requirement, or what of it is not contradicted."""
    return any(link.grade == "verified" and link.outcome == "passed" for link in item.links)


def uncontested(item: RequirementTrace) -> tuple[Shown, ...]:
    """Returns the points that no test shows and no contradiction is about."""
    return tuple(
        point
        for point in item.open_points
        if not any(_is_about(said, point) for said in item.contradictions)
    )


def untested_rest(item: RequirementTrace) -> tuple[str, ...]:
    """Returns, in words, what tests could show of a contradicted requirement that has none:
    expectations that hold, and examples."""
    if item.status != "suspected-defect" or has_tests(item):
        return ()
    held = [f"`{one.call}` {_TOLD.get(one.relation, '')}{one.told}" for one in item.held]
    shown = [point.text for point in uncontested(item) if point.kind == "example"]
    return tuple(" ".join(text.split()) for text in (*held, *shown))


def _is_about(said: Discrepancy, point: Shown) -> bool:
    if point.kind == "example":
        return bare(said.call) in point.text
    return has_words(point.text, said.sentence) or has_words(said.sentence, point.text)
