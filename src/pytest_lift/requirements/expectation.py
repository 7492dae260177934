"""Expectations that requirement texts state of the program, written without seeing its code."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

Relation = Literal["equals", "raises", "holds"]
Ruling = Literal["", "stands", "repeats", "withdrawn"]
Suspect = Literal["", "program", "requirement", "unclear"]


@dataclass(frozen=True)
class Expectation:
    """Call, and what a sentence of a requirement states of it."""

    requirement: str
    sentence: str
    """Verbatim from the requirement."""
    call: str
    """Expression; for ``holds`` one that is true."""
    relation: Relation = "equals"
    expected: str = ""
    """``equals``: an expression; ``raises``: the name of an exception; ``holds``: empty."""
    setup: str = ""
    """Statements before the call: imports and data."""
    ruling: Ruling = ""
    """Ruling on a difference: does the text really say so?

    Empty if nobody has looked. ``repeats``: it does, but the cause is that of another difference,
    which stands for both.
    """
    suspect: Suspect = ""
    """Which of the two seems to be wrong."""
    why: str = ""
    """The reason of the ruling."""

    @property
    def key(self) -> str:
        """16 hex digits of what is expected; the ruling does not count."""
        parts = (self.requirement, self.setup, self.call, self.relation, self.expected)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def told(self) -> str:
        """The expectation in words."""
        if self.relation == "raises":
            return f"raises {self.expected}"
        return "is true" if self.relation == "holds" else self.expected
