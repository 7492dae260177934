"""Finds calls whose result may show more, for those whose result shows little."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

from pytest_lift.agents.offline.choosing.entrances import Entrances
from pytest_lift.agents.offline.natural.fitting import wrong_values
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.agents.offline.search.dullness import dullness
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.calls.call import Call, as_line

FEWEST = 0.35
"""Dullness below which a case is good as it is."""
MOST_CALLS, MOST_OBJECTS, MOST_VALUES, MOST_NEW = 10, 10, 5, 8
"""Most calls in the place of another one, by where they come from."""


class Richer:
    """Calls of what the search has learnt, to be tried in the place of those that show little."""

    def __init__(self, search: ProgramSearch) -> None:
        self.search = search
        self.entrances = Entrances(search)

    def calls(self, kept: KeptCase) -> Iterator[Call]:
        """Yields calls of the same target, with what fits and plainer texts first, then with other
        objects and arguments; few for a case that shows something."""
        call = kept.call
        if call is None or call.target.kind == "main":
            return
        proposals = Proposals(self.search.natural)
        if kept.seen.fails:
            yield from wrong_values.variants(call, self.search.natural.fitness)
        yield from proposals.mended(call)
        yield from self.search.plain.others(call)
        yield from self.entrances.others(kept)
        yield from self.search.ways.others(call)
        yield from self.search.anchors.near(call)
        yield from proposals.variants(call)
        if dullness(kept.case, kept.seen) < FEWEST:
            if self.search.natural.misfit(call):
                yield from self._with_other_values(call)
            return
        sources = (
            self._filled(call),
            self.search.progress[call.target.key].calls[:MOST_CALLS],
            self._on_other_objects(call),
            self._with_other_values(call),
            self._new(call),
        )
        for several in zip_longest(*sources):
            yield from (other for other in several if other is not None)

    def _with_other_values(self, call: Call) -> Iterator[Call]:
        for parameter in call.target.parameters:
            if parameter.name in call.given:
                pool = self.search.inputs.pool(call.target, parameter)
                yield from (call.with_value(parameter.name, v) for v in pool[:MOST_VALUES])

    def _new(self, call: Call) -> Iterator[Call]:
        for _ in range(MOST_NEW):
            if (made := self.search.maker.fresh(call.target)) is not None:
                yield made

    def _on_other_objects(self, call: Call) -> Iterator[Call]:
        """Yields the call on objects that were made otherwise."""
        owner = call.target.owner
        if owner is not None and call.receiver is not None and not call.before:
            known = self.search.objects.made_by[owner.key][:MOST_OBJECTS]
            yield from (replace(call, receiver=made) for made in known)

    def _filled(self, call: Call) -> Iterator[Call]:
        """Yields the call on objects that earlier calls filled, also with the arguments of these
        calls: what was put in may be found."""
        owner = call.target.owner
        if owner is None or call.receiver is None or call.before:
            return
        for last in self.search.objects.states[owner.key][:MOST_OBJECTS]:
            lines = (*last.before, as_line(last))
            filled = replace(call, receiver=last.receiver, name=last.name, before=lines)
            yield filled
            given = [value for _, value in last.values]
            for start in range(len(given)):
                pairs = zip(call.values, given[start:], strict=False)
                values = dict(call.values) | {name: value for (name, _), value in pairs}
                yield replace(filled, values=tuple(values.items()))
