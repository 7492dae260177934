"""A change of the program that was judged to be worth no test, as a value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class WorthlessMutant:
    """A mutant that no test need notice, as judged; it is known again by its mark."""

    mark: str
    """Digest of the place and the changed lines (`mutation.marked`): another line is another."""
    why: str
    what: str = ""
    """The change in words, for people who read the file."""
