"""What the program does with what texts state of it, asked once for each state of the program."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass

from pytest_lift.oracles.asking import Asker
from pytest_lift.oracles.discrepancies import Looked, look
from pytest_lift.oracles.entering import EnteredFunctions, entered
from pytest_lift.requirements.requirement import Expectation, Requirements


@dataclass
class KnownAnswers:
    """The last answers, which hold for the same expectations of the same program until they are
    forgotten."""

    _begun: Future[Looked] | None = None
    """What is asked while this process does something else."""
    _asker: Asker | None = None
    """Who gave the answers."""
    _looked: Looked | None = None
    _entered: tuple[Sequence[Expectation], EnteredFunctions] | None = None

    def begin(
        self, requirements: Requirements, expectations: tuple[Expectation, ...], asker: Asker
    ) -> None:
        """Does `looked` in a thread; whoever asks anything waits for its end."""
        self._settle(asker)
        begun = Future[Looked]()

        def work() -> None:
            try:
                begun.set_result(look(requirements, expectations, asker))
            except BaseException as error:  # else whoever waits would wait for ever
                begun.set_exception(error)

        threading.Thread(target=work, name="asking the program", daemon=True).start()
        self._begun = begun

    def looked(
        self, requirements: Requirements, expectations: tuple[Expectation, ...], asker: Asker
    ) -> Looked:
        """Returns where the program differs from examples and expectations."""
        self._settle(asker)
        if self._looked is None or self._looked.expectations != expectations:
            self._looked = look(requirements, expectations, asker)
        return self._looked

    def entered(
        self, requirements: Requirements, expectations: tuple[Expectation, ...], asker: Asker
    ) -> EnteredFunctions:
        """Returns which functions examples and expectations enter."""
        self._settle(asker)
        if self._entered is None or self._entered[0] != expectations:
            self._entered = expectations, entered(requirements.testable, expectations, asker)
        return self._entered[1]

    def forget(self) -> None:
        """Forgets all answers, since the program has changed."""
        self.give_up()
        self._end()
        self._looked = self._entered = None

    def give_up(self) -> None:
        """Lets what was begun ask nothing more; what it is asking just now goes on."""
        if self._begun is not None and self._asker is not None:
            self._asker.given_up.set()

    def _settle(self, asker: Asker) -> None:
        """Waits for what was begun; forgets what another program answered, as the same one does
        with other folders on its import path."""
        if self._asker is None or self._asker.program is not asker.program:
            self.forget()
        self._asker = asker
        self._looked = self._end() or self._looked

    def _end(self) -> Looked | None:
        """Waits for what was begun; returns its answers, None where there are none: then it is
        asked again, and fails where others can handle it."""
        begun, self._begun = self._begun, None
        if begun is None:
            return None
        wait([begun])
        return None if begun.exception() else begun.result()
