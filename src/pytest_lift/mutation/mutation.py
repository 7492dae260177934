"""The mutants of a program, and what one suite made of them, as a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile

from pytest_lift.mutation.mutants import (
    DETECTED,
    NOTHING_OBSERVED,
    SCORED,
    Interval,
    Mutant,
    Observed,
    Verdict,
)
from pytest_lift.mutation.sampling import LEAST_MUTANTS, interval, placed


@dataclass(frozen=True, eq=False)
class Mutation:
    """The mutants of a program, and what one suite made of them."""

    mutants: Mapping[str, Mutant] = field(default_factory=dict)
    """key -> mutant, all of the program's."""
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    """key -> verdict, of those that were measured."""
    killers: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """key -> node ids (parameters included) of tests known to fail on it: at least one where it
    is ``killed``, as a rule not all."""
    tests: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """`Mutant.function` -> node ids of the tests that execute it."""
    left_alone: Mapping[str, int] = field(default_factory=dict)
    """file -> statements that no mutant changes: module level, class level, properties, ..."""
    notes: tuple[str, ...] = ()
    """Facts that a reader of the score has to know: why it was cut short, what is not mutated."""
    seconds: float = 0.0
    """Wall time of the measurement, without earlier increments."""
    observed: Mapping[str, Observed] = field(default_factory=dict)
    """key -> what calls show of it, of survivors on which some were tried."""
    sample: frozenset[str] | None = None
    """Keys that the score is a share of, the same for every suite of a lift; None: those that
    have a verdict."""
    earlier: str = ""
    """Description of the measured suite, if it is not the suite in question."""

    @property
    def complete(self) -> bool:
        """Whether all that the score is a share of was measured."""
        return self.sample is None or self.sample <= self.verdicts.keys()

    @property
    def has_score(self) -> bool:
        """Whether there is a score of the very suite that this is told of; else what is known of
        single mutants holds, and no percentage is shown. Of no mutants there is none."""
        return self.complete and not self.earlier and self.scored > 0

    @cached_property
    def estimate(self) -> Mutation | None:
        """Score of the measured beginning of a sample, if time ran out before its end.

        The beginning is as random as the whole. None where there is a score, or where too few
        mutants were run.
        """
        if self.sample is None or self.complete:
            return None
        ordered = [key for key in placed(self.mutants.values()) if key in self.sample]
        known = takewhile(self.verdicts.__contains__, ordered)
        verdicts = {key: self.verdicts[key] for key in known}
        found = replace(self, verdicts=verdicts, sample=frozenset(verdicts))
        return found if found.scored >= LEAST_MUTANTS else None

    @property
    def sampled(self) -> bool:
        return len(self.verdicts) < len(self.mutants)

    @cached_property
    def counts(self) -> Counter[Verdict]:
        return Counter(self.verdicts.values())

    @cached_property
    def detected(self) -> frozenset[str]:
        return frozenset(key for key, verdict in self.verdicts.items() if verdict in DETECTED)

    @cached_property
    def survivors(self) -> tuple[Mutant, ...]:
        """Mutants that no test detects, though some execute them; by file and line."""
        found = [self.mutants[key] for key, v in self.verdicts.items() if v == "survived"]
        return tuple(sorted(found, key=lambda m: (m.file, m.line, m.key)))

    def seen_of(self, mutant: Mutant) -> Observed:
        """Observations of calls on a mutant."""
        return self.observed.get(mutant.key, NOTHING_OBSERVED)

    @property
    def scored(self) -> int:
        """Mutants that the score is a share of."""
        return sum(self.counts[verdict] for verdict in SCORED)

    @property
    def percent(self) -> float:
        """Detected ones of those that were measured; 100.0 where there is none."""
        return 100.0 * len(self.detected) / self.scored if self.scored else 100.0

    @property
    def interval(self) -> Interval | None:
        """Confidence interval of the score of a sample; None if all mutants were measured."""
        if not self.sampled:
            return None
        excluded = self.counts["excluded"]
        return interval(len(self.detected), self.scored, len(self.mutants) - excluded)
