"""Writes calls as cases, each once."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from pytest_lift.agents.offline.natural.anchors import Anchors
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.objects import asked
from pytest_lift.agents.offline.search.hanging import BlockingArguments
from pytest_lift.agents.offline.search.kept import Progress
from pytest_lift.agents.offline.stories.ways import Ways
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Awake, Case
from pytest_lift.calls.drafting import as_case, price
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.target import Target

DOCUMENTED_BONUS = 0.6
"""Extra length that an argument from the documentation may have over a made-up one."""
WRONG = 0.5
"""Share of the calls with arguments of a wrong type that are tried: the program may refuse them."""
INTERNAL = 0.8
"""Cost of a call of what the program does not offer to its users: what it offers may reach the
same."""

MOST_IN_BATCH = 600
"""Most calls that are written and run at once: later ones profit from what earlier ones found."""

Written = dict[str, tuple[Call, Case]]
"""`Case.key` -> call and case."""


@dataclass(frozen=True)
class Drafts:
    """Calls as cases. What a case costs is worked out where it is worth keeping: most are not."""

    resolver: Resolver
    natural: Naturalness
    failures: Mapping[str, Counter[str]]
    """`Target.key` -> why calls of it failed -> how often."""
    generators: tuple[str, ...]
    """Modules of random generators that the program imports."""
    rng: random.Random
    ways: Ways
    anchors: Anchors
    connection: Awake = ()
    """What takes the place of connections to others."""
    blocking: BlockingArguments = field(default_factory=BlockingArguments)
    _marks: set[int] = field(default_factory=set)
    """Hashes of what was written: the texts of a long search would fill the memory."""
    _connecting: set[str] = field(default_factory=set)
    """Keys of targets that connect to others, and of the classes that they are of."""

    def new(self, calls: Iterable[Call], progress: Mapping[str, Progress], until: float) -> Written:
        """Returns the cases of calls that were not written yet, while there is time; their cost is
        unknown."""
        fresh: Written = {}
        for call in calls:
            if time.monotonic() > until:
                break
            call = self._provided(call)
            made = progress[call.target.key]
            made.tries += 1
            mark = hash(call.story)
            if mark in self._marks:
                made.repeats += 1
                continue
            if self.blocking.have(call):
                continue
            if not self.natural.fits(call) and self.rng.random() > WRONG:
                continue
            self._marks.add(mark)
            case = as_case(call, self.resolver, priced=False)
            if case is not None:
                fresh[case.key] = (call, case)
        return fresh

    def forget(self, calls: Iterable[Call]) -> None:
        """Forgets that calls were written: their cases are other ones now."""
        self._marks.difference_update(hash(self._provided(call).story) for call in calls)

    def again(self, calls: Iterable[Call], *, wrong: bool = False) -> Written:
        """Returns the cases of calls that fit, or of all of them where `wrong` ones are meant,
        whether or not they were written before."""
        meant = (one for one in calls if wrong or self.natural.fits(one))
        cases = ((call, self.unpriced(call)) for call in meant if not self.blocking.have(call))
        return {case.key: (call, case) for call, case in cases if case is not None}

    def write(self, call: Call) -> Case | None:
        """Returns the call as a case; documented arguments lower its cost, odd ones raise it. None
        where it may block the process, or cannot be written."""
        if self.blocking.have(call):
            return None
        call = self._provided(call)
        case = as_case(call, self.resolver, priced=False)
        return None if case is None else self.priced(call, case)

    def unpriced(self, call: Call) -> Case | None:
        """Returns the call as a case whose cost is unknown."""
        return as_case(self._provided(call), self.resolver, priced=False)

    def priced(self, call: Call, case: Case) -> Case:
        """Returns the case of a call with its cost."""
        known = DOCUMENTED_BONUS if self.natural.is_documented(call) else 0.0
        odd = self.natural.oddness(call) + self.natural.made_up(call)
        odd += self.ways.oddness(call) + self.anchors.strayed(call) + asked.oddness(call)
        if self.ways.is_hidden(call):
            odd += INTERNAL
        return replace(case, cost=price(call, case) + odd - known)

    def connecting(self, target: Target) -> bool:
        """Notes that calls of a target, and others on such objects, connect to others; returns
        whether that is news."""
        keys = {target.key, *([target.owner.key] if target.owner else [])}
        new = not keys <= self._connecting
        self._connecting.update(keys)
        return new

    def _provided(self, call: Call) -> Call:
        """Returns the call with random generators seeded where anything in it draws from them, and
        with a connection to nobody where anything in it connects."""
        if self.generators and any(self.failures[p.target.key].get("chance") for p in call.chain):
            call = call.but(seeds=self.generators)
        connects = self._connecting and not call.unconnected
        if connects and not self._connecting.isdisjoint(p.target.key for p in call.chain):
            call = call.but(awake=tuple(dict.fromkeys((*call.awake, *self.connection))))
        return call
