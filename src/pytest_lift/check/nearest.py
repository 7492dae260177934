"""The requirement that an unknown id may mean: one that was renamed, or the nearest."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cached_property
from pathlib import Path
from typing import Literal

from pytest_lift.errors import UsageError
from pytest_lift.files.git import Git

Slip = Literal["", "spelling", "letters"]
"""How an id differs from the only one that can be meant: in case, leading zeros and white space, or
in letters; empty: no one is certain."""

_SIMILAR = 0.6
"""From this ratio on, an id is named as what may be meant."""
_CERTAIN = 0.8
"""From this ratio on, the only such id may be written in its place."""
_MOST = 200
"""So many unknown ids are looked up; where there are more, the file is the wrong one."""


class NearestIds:
    """Looks up unknown ids among `known` ones."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = tuple(known)
        self._found: dict[str, tuple[str, Slip]] = {}

    def of(self, unknown: str) -> tuple[str, Slip]:
        """Returns (the nearest id or "", how the unknown id differs from it if no other id can be
        meant)."""
        if unknown not in self._found:
            if len(self._found) >= _MOST:
                return "", ""
            self._found[unknown] = self._look_up(unknown)
        return self._found[unknown]

    def _look_up(self, unknown: str) -> tuple[str, Slip]:
        found, slip = self._certain(unknown)
        if len(found) == 1:
            return found[0], slip
        from difflib import get_close_matches

        close = get_close_matches(unknown.casefold(), self._by_folded, n=1, cutoff=_SIMILAR)
        return (self._by_folded[close[0]] if close else ""), ""

    def _certain(self, unknown: str) -> tuple[list[str], Slip]:
        """Returns the ids that have the same numbers: ENC-11 is no slip for ENC-1, but EMC-11 is
        for ENC-11.

        In a known family only case and leading zeros can be a slip: beside ENC-1 and DEC-11, ENC-11
        may be either, or a requirement that is yet to be written.
        """
        same = self._by_numbers.get(_numbers(unknown), ())
        if _family(unknown) in self._families:
            return [known for known in same if _family(known) == _family(unknown)], "spelling"
        from difflib import SequenceMatcher

        matcher = SequenceMatcher(b=unknown.casefold())
        found = []
        for identity in same:
            matcher.set_seq1(identity.casefold())
            if matcher.real_quick_ratio() >= _CERTAIN and matcher.ratio() >= _CERTAIN:
                found.append(identity)
        return found, "letters"

    @cached_property
    def _families(self) -> frozenset[str]:
        return frozenset(map(_family, self._known))

    @cached_property
    def _by_folded(self) -> dict[str, str]:
        return {identity.casefold(): identity for identity in self._known}

    @cached_property
    def _by_numbers(self) -> dict[tuple[int, ...], list[str]]:
        found: dict[tuple[int, ...], list[str]] = {}
        for identity in self._known:
            found.setdefault(_numbers(identity), []).append(identity)
        return found


def _numbers(identity: str) -> tuple[int, ...]:
    return tuple(int(digits) for digits in re.findall(r"[0-9]+", identity))


def _family(identity: str) -> str:
    """Returns the common part of ids that differ in their numbers, in case or in white space."""
    return re.sub(r"[0-9]+", "#", "".join(identity.split()).casefold())


def former_ids(root: Path, files: Iterable[Path], ids: Collection[str]) -> frozenset[str]:
    """Returns those of `ids` that stand in any version of `files` in the history of HEAD.

    None where there is no git repository to ask.
    """
    inside = [str(path) for path in files if path.is_relative_to(root)]
    if not ids or not inside:
        return frozenset()
    git = Git(root, "--fix", "leave --fix out")
    try:
        done = git("log", "-p", "--format=", "--no-ext-diff", "--no-textconv", "--", *inside)
    except UsageError:
        return frozenset()
    if done.returncode:
        return frozenset()
    text = done.stdout.decode("utf-8", "replace")
    return frozenset(one for one in ids if _word(one).search(text))


def _word(identity: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.-]){re.escape(identity.strip())}(?![\w-]|\.\w)")
