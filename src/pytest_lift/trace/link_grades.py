"""An evaluator's word on one link: does the test verify the requirement, and which words decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pytest_lift.requirements.quoting import stands_in
from pytest_lift.requirements.requirement import Requirements

Grade = Literal["verifies", "touches", "unrelated"]


@dataclass(frozen=True)
class LinkGrade:
    """Holds as long as the test checks at least what it checked then."""

    test: str
    """Node without parameters."""
    requirement: str
    grade: Grade
    sentence: str = ""
    """``verifies``: verbatim from the requirement."""
    checks: tuple[str, ...] = ()
    """What the test checked, sorted (see `assertions.test_checks.held_by`)."""

    def holds(self, checks: Counter[str]) -> bool:
        return Counter(self.checks) <= checks

    def as_json(self) -> dict[str, Any]:
        return {**vars(self), "checks": list(self.checks)}


def read_link_grades(rows: object) -> tuple[LinkGrade, ...]:
    """What `as_json` wrote; what cannot be understood is left out."""
    found = []
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, Mapping) and row.get("grade") in get_args(Grade):
            texts = [row.get(name) for name in ("test", "requirement", "sentence")]
            held = row.get("checks")
            if isinstance(held, list) and all(isinstance(t, str) for t in [*texts, *held]):
                found.append(
                    LinkGrade(
                        str(texts[0]), str(texts[1]), row["grade"], str(texts[2]), tuple(held)
                    )
                )
    return tuple(found)


def still_said(one: LinkGrade, requirements: Requirements) -> bool:
    """Whether the words that a grade rests upon are still there; a grade without words is void
    when requirements have changed."""
    item = requirements.by_id.get(one.requirement)
    return item is not None and one.grade == "verifies" and stands_in(one.sentence, item)
