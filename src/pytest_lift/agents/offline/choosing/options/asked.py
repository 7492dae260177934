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
    pairs: dict[str, Observation] = field(default_factory=dict)
    """`Case.key` -> what was seen, in a hurry, of calls without and with an option elsewhere."""
    shown: dict[str, object] = field(default_factory=dict)
    """`Case.key` -> what a test of the case asserts."""
    told: ToldOutcomes = field(default_factory=ToldOutcomes)
    again: set[str] = field(default_factory=set)
    """`Case.key` of cases that were run once more."""
    elsewhere: set[tuple[str, str, frozenset[int]]] = field(default_factory=set)
    """Case, option and what that alone reaches, for which an input was looked for on which it makes
    a difference and reaches the same. One that was found is not looked for again either: where two
    options make one on different inputs alone, each would go to that of the other in turn."""
