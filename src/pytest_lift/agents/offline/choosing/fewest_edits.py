"""Undoes the edits of known texts in cases, one at a time, as long as these show the same."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from pytest_lift.agents.offline.choosing.selection import Chosen, shared_out
from pytest_lift.agents.offline.choosing.shrinking.simplifying import distance, keeps
from pytest_lift.agents.offline.choosing.typed_at_last import may_change
from pytest_lift.agents.offline.natural.edited_texts import EditedTexts
from pytest_lift.agents.offline.search.drafts import Drafts
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.prober import Prober

SECONDS, MOST_TURNS = 2.0, 5
"""Seconds in which texts are brought nearer to known ones, and turns of each case."""
MOST_TRIED = 30
"""Most texts that are tried in a turn of a case."""


@dataclass(frozen=True)
class FewestEdits:
    """Brings the texts of chosen cases nearer to those that people write."""

    prober: Prober
    drafts: Drafts
    edited: EditedTexts

    def undone(self, chosen: Sequence[Chosen], seconds: float = SECONDS) -> list[Chosen]:
        """Returns the cases with texts that are as few edits away from known ones as possible: each
        reaches what no plainer one does, and ends with the same errors."""
        shared = {item.kept.case.key: item for item in shared_out(chosen, distance)}
        found = [shared.get(item.kept.case.key, replace(item, gain=frozenset())) for item in chosen]
        edits = [self._edits(item) for item in found]
        waiting = [number for number, some in enumerate(edits) if some]
        until = time.monotonic() + seconds
        for _ in range(MOST_TURNS):
            tried = {number: self._others(found[number], edits[number]) for number in waiting}
            cases = [one.case for some in tried.values() for _, one in some]
            left = until - time.monotonic()
            if not cases or left <= 0:
                break
            seen = self.prober.observe(cases, left, checked=True)
            waiting = []
            for number, some in tried.items():
                ran = [(few, replace(one, seen=seen[one.case.key])) for few, one in some
                       if one.case.key in seen]  # fmt: skip
                best = self._best(found[number], edits[number], ran)
                if best is not None:
                    edits[number], found[number] = best
                    waiting += [number] if edits[number] else []
        return found

    def _edits(self, item: Chosen) -> float:
        """Returns how many edits of known texts a case has; 0.0 for one that stays as it is."""
        call = item.kept.call
        if call is None or item.kept.case.effect or not (item.gain or item.kept.goals):
            return 0.0
        return self.edited.edits(call) if may_change(item, self.drafts.unpriced) else 0.0

    def _others(self, item: Chosen, edits: float) -> list[tuple[float, KeptCase]]:
        """Returns (edits, case with a text that has fewer of them, without its cost)."""
        assert item.kept.call is not None
        found = []
        for fewer, call in islice(self.edited.variants(item.kept.call), MOST_TRIED):
            case = None if self.drafts.blocking.have(call) else self.drafts.unpriced(call)
            if case is not None and case.keywords == item.kept.case.keywords:
                found.append((edits - fewer, replace(item.kept, case=case, call=call)))
        return found

    def _best(
        self, item: Chosen, edits: float, ran: Sequence[tuple[float, KeptCase]]
    ) -> tuple[float, Chosen] | None:
        """Returns (edits, case) of the one that shows the same and is nearest to what a person
        writes, edits and all else together; None where none is nearer."""
        least = edits + distance(item.kept)
        best = None
        for few, one in ran:
            if one.call is not None and few + distance(one) < least and keeps(item, one, one.seen):
                priced = replace(one, case=self.drafts.priced(one.call, one.case))
                if (far := few + distance(priced)) < least:
                    least, best = far, (few, replace(item, kept=priced))
        return best
