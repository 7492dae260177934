"""What was asked of cases without their options, so that it is not asked again."""

from __future__ import annotations

from dataclasses import dataclass, field

from pytest_lift.agents.offline.choosing.options.told import ToldOutcomes
from pytest_lift.calls.case import Observation


@dataclass
class OptionAnswers:
    """Answers that hold as long as the search knows no more."""

    known: dict[str, Observation] = field(default_factory=dict)
    """`Case.key` -> what was seen of a case without some of its options."""
    shown: dict[str, object] = field(default_factory=dict)
    """`Case.key` -> what a test of the case asserts."""
    told: ToldOutcomes = field(default_factory=ToldOutcomes)
    again: set[str] = field(default_factory=set)
    """`Case.key` of cases that were run once more."""
    nowhere: set[tuple[str, str, frozenset[int]]] = field(default_factory=set)
    """Case, option and what that alone reaches, where it makes a difference on no input that is
    known and reaches the same."""
