"""Has calls watched for what the program compares in them, and answers the comparisons."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice

from pytest_lift.agents.offline.search.comparisons.guidance import Guidance, rows_near
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import OperandBatch, Prober

MOST_ROWS = 40
"""Most comparisons of one call that are answered."""
MOST_ANSWERS = 32
"""Most calls that answer the comparisons of one call."""
MOST_STEPS, MOST_NEARER = 4, 6
"""Most times in a row that a call with a moved number, or with a key that was lacking, is watched
in its turn, and most such calls that come of one call."""
FURTHER = 0.5
"""Share of the calls to watch that are such ones, at most."""


@dataclass
class ComparisonWatch:
    """Calls whose comparisons a child notes while something else goes on."""

    prober: Prober
    resolver: Resolver
    guidance: Guidance
    _watched: set[str] = field(default_factory=set)
    _known: dict[int, Call] = field(default_factory=dict)
    """Calls that were asked for, by their identity: to write them as cases is dear."""
    _begun: tuple[OperandBatch, dict[str, Call]] | None = None
    _further: list[Call] = field(default_factory=list)
    """Calls with a moved number or with a key more, which may need another: the latest come
    first."""
    _steps: dict[str, int] = field(default_factory=dict)
    """`Case.key` -> how often a number was moved, or a key given."""

    def begin(self, wanted: Iterable[Call], most: float, seconds: float) -> None:
        """Has a child begin with calls that have about `most` answers; each is watched once."""
        calls: dict[str, Call] = {}
        cases: list[Case] = []
        size = max(1, math.ceil(most / MOST_ANSWERS))
        for call in chain(self._taken(int(FURTHER * size)), wanted):
            self._known[id(call)] = call
            case = as_case(call, self.resolver, priced=False)
            if case is not None and case.key not in self._watched:
                self._watched.add(case.key)
                cases.append(case)
                calls[case.key] = call
            if len(cases) >= size:
                break
        self._begun = (self.prober.begin_comparing(cases, seconds), calls) if cases else None

    def is_known(self, call: Call) -> bool:
        """Whether this very call was asked for before."""
        return id(call) in self._known

    def _taken(self, most: int) -> list[Call]:
        """Returns the latest of the calls that may be nearer; the others are forgotten."""
        taken, self._further = self._further[-most:] if most else [], []
        return taken

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
            self._note_nearer(self._steps.get(key, 0) + 1)
        return answers

    def _note_nearer(self, steps: int) -> None:
        """Notes the calls that were just brought nearer for the so manieth time."""
        nearer, self.guidance.nearer = self.guidance.nearer[:MOST_NEARER], []
        for call in nearer if steps < MOST_STEPS else ():
            case = as_case(call, self.resolver, priced=False)
            if case is not None:
                self._steps[case.key] = steps
                self._further.append(call)
