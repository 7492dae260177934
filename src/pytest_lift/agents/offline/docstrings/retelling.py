"""Replaces values in the sentences that tell a test, where it asserts other ones now."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pytest_lift.agents.offline.writing.sentences import LONG_VALUE
from pytest_lift.agents.offline.writing.values import LONGEST_VALUE, value_words

ARGUMENTS = r"(?<=\w)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
"""Brackets of a call in a sentence, with two more in each other."""


def told_anew(text: str, old: Iterable[str], new: Iterable[str]) -> str:
    """Returns a sentence with new values in the place of the old ones, each where it was told; the
    arguments of calls stay. An empty value is one that no sentence tells."""
    anew: dict[str, list[str]] = {}
    for before, now in zip(old, new, strict=True):
        words = {
            value_words(before, longest): value_words(now, longest) or now
            for longest in (LONGEST_VALUE, LONG_VALUE)
        }
        for told, instead in words.items():
            if told and instead:
                anew.setdefault(told, []).append(instead)

    def renewed(found: re.Match[str]) -> str:
        waiting = anew.get(found[0], [found[0]])
        return waiting.pop(0) if len(waiting) > 1 else waiting[0]

    known = "|".join(map(re.escape, sorted(anew, key=len, reverse=True)))
    whole = rf"|(?<![\w.])(?:{known})(?!\w)" if known else ""
    return re.sub(ARGUMENTS + whole, renewed, text)
