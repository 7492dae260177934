"""Notes on what is left untested, each told to the packets that it may be about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.work import WorkItem

MOST_NOTES = 20
"""Largest number of notes in one packet."""
_WORD = re.compile(r"[\w./-]*\w")


class Notes:
    """The notes of one brief, numbered from 1."""

    def __init__(self, brief: Brief) -> None:
        self.brief = brief

    def about(self, units: Sequence[WorkItem]) -> Iterator[str]:
        """Yields list items for notes that name something of a packet, or nothing that is known."""
        if not self.brief.left_out:
            return
        here = {unit.path for unit in units}
        ids = {name for unit in units for name in unit.requirements}
        shown = 0
        for number, text in enumerate(self.brief.left_out, 1):
            named = [place for word in _WORD.findall(text) for place in self._places.get(word, ())]
            if shown < MOST_NOTES and (not named or not (here | ids).isdisjoint(named)):
                shown += 1
                yield f"- {number}. {text}"

    @cached_property
    def _places(self) -> dict[str, set[str]]:
        """Word -> source files and requirements that it names."""
        found: dict[str, set[str]] = {name: {name} for name in self.brief.requirements.by_id}
        for path, source in self.brief.program.files.items():
            own = {path, path.rpartition("/")[2], source.module}
            for word in own.union(*({s.name, s.leaf} for s in source.symbols)):
                found.setdefault(word, set()).add(path)
        return found
