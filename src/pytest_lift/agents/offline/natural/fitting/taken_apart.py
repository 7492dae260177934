"""Texts that are given to parameters for several things, which take them apart into letters."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_lift.agents.offline.texts.known_texts import text_of

ITEMS = re.compile(
    r"(^|_)(?!(iter(able)?s|seq(uence)?s|characters|chars|letters|digits|bases|symbols|[a-z]?s)$)"
    r"[a-z]+[^s\Wu]s$"
)
"""Names of parameters for several things, of which a text has none: letters are no lines."""
TEXTS = frozenset({"str", "bytes", "any", "hashable", "encoding", "predicate", "callable"})
"""Kinds of parameters that a text may be given to."""
APART = 0.5
"""Oddness of a text that is taken apart into its letters."""


def is_taken_apart(name: str, kinds: Sequence[str], value: str) -> bool:
    """Whether a text is given to a parameter that takes several things."""
    several = "iterable" in kinds and TEXTS.isdisjoint(kinds)
    return several and bool(text_of(value)) and ITEMS.search(name) is not None
