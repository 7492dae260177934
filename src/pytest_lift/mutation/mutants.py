"""Mutants, and what became of them and calls showed of them, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["killed", "timed-out", "crashed", "survived", "untested", "excluded"]
"""``untested``: no test executes its function; ``excluded``: a type checker, or the user's own
configuration of mutmut, leaves it out of the score."""

DETECTED: frozenset[Verdict] = frozenset({"killed", "timed-out", "crashed"})
SCORED: frozenset[Verdict] = DETECTED | {"survived", "untested"}


@dataclass(frozen=True)
class Mutant:
    """One small change of one function of the program."""

    key: str
    """mutmut's name: ``pkg.mod.x_f__mutmut_1``, ``pkg.mod.xǁClassǁmethod__mutmut_2``."""
    file: str
    """POSIX, relative to the project root."""
    line: int
    """First changed line of the source in `file`."""
    symbol: str
    """Qualified name inside the file (``JSONEncoder.default``)."""
    before: str
    """Changed lines, verbatim."""
    after: str
    diff: str
    """One hunk, as ``diff -u`` writes it, with line numbers of `file`."""

    @property
    def diff_text(self) -> tuple[str, str, str]:
        """The change, independent of its place in the file."""
        return self.symbol, self.before, self.after

    @property
    def function(self) -> str:
        """mutmut's name of the function, the same for all mutants of it."""
        return function_of(self.key)


def function_of(key: str) -> str:
    return key.partition("__mutmut_")[0]


@dataclass(frozen=True)
class Interval:
    """Confidence interval (95 %) of a score in percent that was estimated from a sample."""

    low: float
    high: float


@dataclass(frozen=True)
class Observed:
    """Calls on one mutant, held against the same calls on the program itself."""

    same: int = 0
    """Number of calls that execute the change and behave as without it."""
    call: str = ""
    """Call that the tests make and that behaves otherwise with the change; empty if none does."""
    usual: str = ""
    """Behaviour of `call` as a predicate: ``gives 3``, ``raises ValueError: too much``."""
    other: str = ""
    """Behaviour of `call` with the change."""

    @property
    def is_stubborn(self) -> bool:
        """Whether many calls did not reveal it: it takes another kind of input, or is
        equivalent."""
        return not self.call and self.same >= MANY_CALLS

    @property
    def raises_the_same(self) -> bool:
        """Whether both raise the same class of exception, with other words."""
        usual, other = (text.partition(":")[0] for text in (self.usual, self.other))
        return usual == other and usual.startswith("raises ")

    def __add__(self, later: Observed) -> Observed:
        telling = self if self.call else later
        return Observed(self.same + later.same, telling.call, telling.usual, telling.other)


MANY_CALLS = 100
"""Number of calls without a difference from which it is significant."""
NOTHING_OBSERVED = Observed()
