"""Runs calls of a program in batches, and learns from what comes of them."""

from __future__ import annotations

import math
import random
import re
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.places import PathArguments
from pytest_lift.agents.offline.examples.seeding import generators_of
from pytest_lift.agents.offline.examples.shown_data import ShownData
from pytest_lift.agents.offline.natural.anchors import Anchors
from pytest_lift.agents.offline.natural.inside import calls_inside, is_about_others
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.offered import Offer
from pytest_lift.agents.offline.search.commands import CommandLines
from pytest_lift.agents.offline.search.drafts import MOST_IN_BATCH, Drafts, Written
from pytest_lift.agents.offline.search.dullness import is_crash, is_mute
from pytest_lift.agents.offline.search.kept import KeptCase, Progress
from pytest_lift.agents.offline.search.learnt.listening import Listening
from pytest_lift.agents.offline.search.learnt.wrapping import wrapped_again
from pytest_lift.agents.offline.search.making import CallMaker
from pytest_lift.agents.offline.search.reach import Reach
from pytest_lift.agents.offline.search.showing import Showing
from pytest_lift.agents.offline.search.surroundings.connections import connection_of
from pytest_lift.agents.offline.search.surroundings.needs import TOO_LONG, KnownNeeds
from pytest_lift.agents.offline.stories.objects import Objects
from pytest_lift.agents.offline.stories.ways import Ways
from pytest_lift.agents.offline.texts.contents import Contents
from pytest_lift.agents.offline.texts.recognition import Recognition
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.child.isolation.connections import NETWORK
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.running.children import BATCH_SECONDS, Batch
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.made.given_methods import given_methods

LACKING = re.compile(r"^AttributeError: .* object has no attribute '(\w+)'")
HEEDED = 2
"""Most reasons of failing calls of one target that are heeded."""
MOST_AGAIN = 12
"""Most calls of a target that are tried once more when it is known what they lacked."""
LEAST_LEFT = 0.2
"""Seconds below which no batch begins."""


@dataclass(frozen=True)
class RunningCalls:
    """Calls whose cases a child has begun with."""

    written: Written
    batch: Batch


@dataclass
class Exploration:
    """Runs calls of a program in batches, and keeps those that reach something new."""

    prober: Prober
    targets: Sequence[Target]
    resolver: Resolver
    inputs: Inputs
    offer: Offer
    rng: random.Random
    deadline: float
    """Outer time limit; normally `most` ends a search, so that results depend on the seed only."""
    most: int
    """Most cases to try in all."""
    covered: frozenset[int] = frozenset()
    options: bool = True
    """Whether each option is shown once, too, not only what reaches new branches."""
    tested: frozenset[int] = frozenset()
    """Probes that the suite reaches: what it calls needs no test that only shows a result."""
    shown: set[str] = field(default_factory=set)
    """Goals that documented examples show."""
    shown_data: ShownData = field(default_factory=dict)
    """Data that the documentation shows."""
    recognised_until: float = math.inf
    """Moment after which no more formats are looked for that targets read."""
    kept: list[KeptCase] = field(default_factory=list)
    progress: dict[str, Progress] = field(default_factory=lambda: defaultdict(Progress))

    def __post_init__(self) -> None:
        Recognition(self.inputs, self.prober.copy).note(self.targets, self.recognised_until)
        self.inputs.note_described(self.targets)
        self.natural = Naturalness(self.inputs, self.targets)
        self.ways = Ways(self.targets, self.natural, self.offer)
        self.anchors = Anchors(self.natural)
        self.drafts = Drafts(
            self.resolver,
            self.natural,
            self.prober.failures,
            generators_of(self.prober.program),
            self.rng,
            self.ways,
            self.anchors,
            connection_of(self.prober.program),
        )
        self.objects = Objects(self.targets, self.ways, self.rng)
        self.listening = Listening(self.targets, self.natural)
        self.reach = Reach(self.prober.program, self.prober.sites)
        self._next: list[Call] = []
        """Calls to be tried next: calls inside of others that ended with an error, those that
        listen to what others gave, and those that get what they lacked."""
        self.blocking: dict[str, Target] = {}
        """`Case.key` of cases that ended or blocked the process -> target."""
        files = self.prober.program.files
        self._defined = {(path, s.name) for path, file in files.items() for s in file.symbols}
        self._defined |= {
            (path, one) for path, file in files.items() for one in given_methods(file)
        }
        self.showing = Showing(
            self.options,
            self.shown,
            self.reach.functions(self.tested),
            self._defined,
            self.offer,
        )
        self._tried = 0
        self._late = False
        """Whether command lines count for what they reach in other files, too."""
        contents = Contents(self.prober.program, self.rng, self.shown_data)
        places = PathArguments(self.inputs, contents, self.rng)
        lines = CommandLines(self.inputs, contents, self.rng)
        self.around = KnownNeeds(self.inputs, contents, self.rng)
        self.maker = CallMaker(
            self.inputs,
            self.objects,
            self.rng,
            self.progress,
            places,
            lines,
            self.around,
            self.prober.declared,
        )

    def write(self, call: Call) -> Case | None:
        """Returns the call as a case with its cost."""
        return self.drafts.write(call)

    def explore_again(self, calls: Sequence[Call], *, wrong: bool = False) -> None:
        """Runs calls that fit, or `wrong` ones, whether or not they were tried before."""
        for start in range(0, len(calls), MOST_IN_BATCH):
            part = calls[start : start + MOST_IN_BATCH]
            self._learn(self._begin(self.drafts.again(part, wrong=wrong)))

    def _explore(self, calls: Sequence[Call]) -> int:
        """Runs `calls`; returns how many of them were kept, or left an object in a new state."""
        return self._learn(self._begin(self._written(calls)))

    def _explore_in_parts(self, calls: Sequence[Call], until: float = math.inf) -> None:
        """Runs many calls in batches, so that later ones profit from what earlier ones found; one
        is written while the one before it runs. None is begun after `until`."""
        running = None
        for start in range(0, len(calls), MOST_IN_BATCH):
            if time.monotonic() > until:
                break
            written = self._written(calls[start : start + MOST_IN_BATCH])
            self._learn(running)
            running = self._begin(written)
        self._learn(running)

    def _follow(self) -> None:
        """Tries the calls to which those since the last time lead."""
        calls, self._next = self._next, []
        self._explore_in_parts(calls)

    def _in_time(self, calls: Iterable[Call]) -> list[Call]:
        """Returns the calls that can be made until the time is over."""
        return list(takewhile(lambda _: not self._is_over, calls))

    def _written(self, calls: Iterable[Call]) -> Written:
        return self.drafts.new(calls, self.progress, self.deadline)

    def _begin(self, fresh: Written) -> RunningCalls | None:
        """Has a child begin with cases."""
        left = self._left
        if not fresh or left < LEAST_LEFT:
            return None
        self._tried += len(fresh)
        cases = [case for _, case in fresh.values()]
        done = self.showing.done
        states = self.objects.known_states
        batch = self.prober.begin_exploring(cases, self.covered, left, states, done)
        return RunningCalls(fresh, batch)

    def _begin_after(self, running: RunningCalls | None, fresh: Written) -> RunningCalls | None:
        """Has a child begin with cases as soon as it has run those before them: what comes of these
        is read meanwhile, and not held against the new ones."""
        if running is not None:
            self.prober.finish(running.batch)
        return self._begin(fresh)

    def _learn(self, running: RunningCalls | None) -> int:
        """Waits for the cases that a child began with last; returns how many of them were kept, or
        left an object in a new state."""
        if running is None:
            return 0
        before = len(self.kept) + len(self.objects.known_states)
        written = running.written
        for case, seen in self.prober.explored(running.batch):
            call = written[case.key][0]
            if call.target.entry and not (call.target.defined or self._late):
                seen = self._own(call.target, seen)
            if not seen.outcomes or self._shows_nothing(call, case, seen):
                continue
            is_new = bool(seen.hits - self.covered)
            if is_about_others(call, seen, self.reach.of_target(call.target)):
                self._next += calls_inside(call, self.natural.makers) if is_new else ()
                continue
            if call.target.library and not is_new:
                continue  # what runs in it is no code of the program
            made = self.objects.note_result(call, seen.outcomes[0])
            self._next += self.listening.following(call, seen, self.showing.is_heard)
            if made is not None:
                self.targets = [*self.targets, made]
                self._next += wrapped_again(made, call.but(name=""), self.inputs.definitions)
            self.objects.note_state(call, seen)
            goals = self.showing.answer_of(call, seen) | self.showing.heard(call, case, seen)
            if is_new or goals:
                self._keep(KeptCase(self.drafts.priced(call, case), seen, call, goals))
        for key in self.prober.banned & written.keys():
            self.drafts.blocking.note(written[key][0])
            self.blocking[key] = target = written[key][0].target
            self.progress[target.key].hangs += 1
        ran = {call.target.key: call.target for call, _ in written.values()}
        for target in ran.values():
            self._heed_errors(target, written)
        return len(self.kept) + len(self.objects.known_states) - before

    def _shows_nothing(self, call: Call, case: Case, seen: Observation) -> bool:
        """Whether a case is no test: its callback is not called, or its arguments are of a wrong
        type, and the program does not refuse them."""
        mute = (is_mute(case, seen) and not seen.state) or is_crash(call.target, seen)
        return mute or not (self.natural.fits(call) or self.natural.is_refused(call, seen))

    def _own(self, target: Target, seen: Observation) -> Observation:
        """Limits the hits of a command line to the file of its ``main``; other code is tested
        directly, as far as first calls of it reach."""
        sites = self.prober.sites
        return replace(seen, hits=frozenset(n for n in seen.hits if sites[n].path == target.path))

    def _heed_errors(self, target: Target, written: Written) -> None:
        """Looks for objects with the attributes whose lack made most calls of a target fail, and
        for files and input that they lacked, which those that were written last get at once."""
        for why in self.failing(target):
            self._heed(target, why, written)
        if self.prober.failures[target.key][TOO_LONG]:  # few do, for they are not repeated
            self.around.heed(target, TOO_LONG)

    def _heed(self, target: Target, why: str, written: Written) -> None:
        connects = why == NETWORK and self.drafts.connecting(target)
        if self.around.heed(target, why) or connects:
            calls = [call for call, _ in written.values() if call.target == target]
            self._next += map(self.around.around, calls[:MOST_AGAIN])
        self.maker.refuse(target, why)
        if lacking := LACKING.search(why):
            self.inputs.want(target, lacking[1])

    def failing(self, target: Target) -> list[str]:
        """Returns why most calls of a target failed."""
        return [why for why, _ in self.prober.failures[target.key].most_common(HEEDED)]

    def _keep(self, kept: KeptCase) -> None:
        self.kept.append(kept)
        self.covered |= kept.seen.hits
        call = kept.call
        if call is None:
            return
        self.maker.grow(call)
        progress = self.progress[call.target.key]
        progress.found += 1
        progress.calls.append(call)
        progress.functions |= self.reach.functions(kept.seen.hits)

    @property
    def _left(self) -> float:
        """Seconds that the next batch may take."""
        return min(BATCH_SECONDS, self.deadline - time.monotonic())

    @property
    def _is_over(self) -> bool:
        return time.monotonic() > self.deadline - LEAST_LEFT
