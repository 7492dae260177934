"""What the program does with what texts state of it, asked once for each state of the program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_lift.oracles.asking import Asker
from pytest_lift.oracles.discrepancies import Looked, look
from pytest_lift.oracles.entering import EnteredFunctions, entered
from pytest_lift.requirements.requirement import Expectation, Requirements


@dataclass
class KnownAnswers:
    """The last answers, which hold for the same expectations until they are forgotten."""

    _looked: Looked | None = None
    _entered: tuple[Sequence[Expectation], EnteredFunctions] | None = None

    def looked(
        self, requirements: Requirements, expectations: tuple[Expectation, ...], asker: Asker
    ) -> Looked:
        """Returns where the program differs from examples and expectations."""
        if self._looked is None or self._looked.expectations != expectations:
            self._looked = look(requirements, expectations, asker)
        return self._looked

    def entered(
        self, requirements: Requirements, expectations: tuple[Expectation, ...], asker: Asker
    ) -> EnteredFunctions:
        """Returns which functions examples and expectations enter."""
        if self._entered is None or self._entered[0] != expectations:
            self._entered = expectations, entered(requirements.testable, expectations, asker)
        return self._entered[1]

    def forget(self) -> None:
        """Forgets all answers, since the program has changed."""
        self._looked = self._entered = None
