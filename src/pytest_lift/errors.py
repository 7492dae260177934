"""The one root of the errors that reach a user: what, where, and what to do next."""

from __future__ import annotations


class LiftError(Exception):
    """A problem that is told to the user as text, never as a traceback.

    `what` is the sentence that names the problem, `where` the place (``file:line:column``,
    a node id, an option), `todo` the next step. Everything raised on purpose in this package
    derives from it; `plugin.py` and `cli.py` are the only places that catch it.
    """

    def __init__(self, what: str, *, where: str = "", todo: str = "") -> None:
        super().__init__(what, where, todo)
        self.what = what
        self.where = where
        self.todo = todo

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        step = f"\n  -> {self.todo}" if self.todo else ""
        return f"{place}{self.what}{step}"


class UsageError(LiftError):
    """The command line, the configuration or an input file has to change before a run can start."""

    problems: tuple[UsageError, ...] = ()
    """The single ones, where this one sums up several."""


class LandingError(LiftError):
    """The accepted suite could not be written to the user's test root; the old one is in place."""
