"""Has calls watched for what the program compares in them, and answers the comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice

from pytest_lift.agents.offline.search.guidance import Guidance, rows_near
from pytest_lift.calls.call import Call, as_case
from pytest_lift.calls.case import Case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import OperandBatch, Prober

MOST_ROWS = 40
"""Most comparisons of one call that are answered."""
MOST_ANSWERS = 32
"""Most calls that answer the comparisons of one call."""


@dataclass
class ComparisonWatch:
    """Calls whose comparisons a child notes while something else goes on."""

    prober: Prober
    resolver: Resolver
    guidance: Guidance
    _watched: set[str] = field(default_factory=set)
    _begun: tuple[OperandBatch, dict[str, Call]] | None = None

    def begin(self, wanted: Iterable[Call], most: float, seconds: float) -> None:
        """Has a child begin with calls that have about `most` answers; each is watched once."""
        calls: dict[str, Call] = {}
        cases: list[Case] = []
        for call in wanted:
            case = as_case(call, self.resolver, priced=False)
            if case is not None and case.key not in self._watched:
                self._watched.add(case.key)
                cases.append(case)
                calls[case.key] = call
            if len(cases) * MOST_ANSWERS >= most:
                break
        self._begun = (self.prober.begin_comparing(cases, seconds), calls) if cases else None

    def answers(self, missing: Mapping[tuple[int, int], int]) -> list[Call]:
        """Returns variations of the calls that were watched last, by what the program compared in
        them; `missing` is how many sides of each statement are uncovered."""
        if self._begun is None:
            return []
        begun, calls = self._begun
        answers: list[Call] = []
        for key, operands in self.prober.compared(begun).items():
            rows = rows_near(operands, missing, MOST_ROWS)
            answers += islice(self.guidance.solutions(calls[key], rows), MOST_ANSWERS)
        return answers
