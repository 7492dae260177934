"""Errors that leave no mutation score: one class for each way in which mutmut can fail."""

from __future__ import annotations

from pytest_lift.errors import LiftError


class MutationError(LiftError):
    """Mutants cannot be measured; the lift itself goes on without them."""


class MutmutMissing(MutationError):
    """The package is not installed, or in another version than this one reads."""


class NothingToMutate(MutationError):
    """The program has no function that mutmut changes."""


class NotMutable(MutationError):
    """mutmut cannot make mutants of the program."""


class SuiteNotPassing(MutationError):
    """The suite fails where nothing is mutated."""


class SuiteNotCollected(MutationError):
    """pytest refuses the suite, finds none, or cannot import it."""


class NothingExecuted(MutationError):
    """No test executes a function that has mutants."""


class OtherModules(MutationError):
    """Tests import the program under other names than its files have."""


class NothingFails(MutationError):
    """No test fails although every function of the program raises."""


class MutationStopped(MutationError):
    """The process ended before its time: a limit, a signal, an error of mutmut's own."""


class SourcesChanged(MutationError):
    """Tests wrote into the mutated sources: what ran was not what was generated."""


class OutOfTime(MutationError):
    """The time for mutants did not suffice to begin."""


class OrderLost(MutationError):
    """The suite needs a way to run mutants in which their order cannot be chosen."""


class ResultsUnreadable(MutationError):
    """Mutmut's files are not in the form that this version of it writes."""
