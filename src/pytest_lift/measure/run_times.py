"""How long runs of the suite take, and what trying a candidate will take."""

from __future__ import annotations

from dataclasses import dataclass

RUNS_WITHOUT_COVERAGE = 2
"""Runs of a candidate after the measured one: in another order, and before it lands."""


@dataclass
class RunTimes:
    """Seconds of the latest run of each kind."""

    measured: float = 0.0
    """With coverage, reading the results included."""
    bare: float | None = None
    """Without coverage, as far as anything tells."""
    _start: float | None = None
    """Seconds of a plain run of next to nothing; None once a whole suite has run so."""

    @property
    def again(self) -> float:
        """Seconds that one more run without coverage takes."""
        return self.measured if self.bare is None else min(self.bare, self.measured)

    @property
    def trying(self) -> float:
        """Seconds that trying a candidate takes: measured, in another order, in plain pytest."""
        return self.measured + RUNS_WITHOUT_COVERAGE * self.again

    def note_start(self, seconds: float) -> None:
        """Notes a plain run of next to nothing."""
        if self.bare is None or self._start is not None:
            self._start = seconds

    def note_measured(self, seconds: float, in_tests: float) -> None:
        """Notes a run with coverage, of which so many seconds were spent in tests."""
        self.measured = seconds
        if self._start is not None:
            self.bare = self._start + in_tests

    def note_bare(self, seconds: float) -> None:
        """Notes a run of the whole suite without coverage."""
        self._start, self.bare = None, seconds
