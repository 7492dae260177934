"""What calls of the program show of a mutant that no test notices, as values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Observed:
    """Calls on one mutant, held against the same calls on the program itself."""

    same: int = 0
    """Calls that execute what is changed, and do with it what they do without."""
    call: str = ""
    """A call that the tests make, which does something else with it; empty where none does."""
    usual: str = ""
    """What `call` does, as a predicate: ``gives 3``, ``raises ValueError: too much``."""
    other: str = ""
    """What it does with the change."""

    @property
    def is_stubborn(self) -> bool:
        """Many calls did not show it: it takes an input of another kind, or is equivalent."""
        return not self.call and self.same >= MANY_CALLS

    @property
    def raises_the_same(self) -> bool:
        """Both raise the same class of exception, with other words."""
        usual, other = (text.partition(":")[0] for text in (self.usual, self.other))
        return usual == other and usual.startswith("raises ")

    def __add__(self, later: Observed) -> Observed:
        telling = self if self.call else later
        return Observed(self.same + later.same, telling.call, telling.usual, telling.other)


MANY_CALLS = 100
"""Calls that show no difference before that says something."""
NOTHING_OBSERVED = Observed()
