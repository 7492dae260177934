"""Searches for calls that reach new branches: documented and minimal calls, options, variations."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from pytest_lift.agents.offline.arguments.doubles import StandIns
from pytest_lift.agents.offline.search.comparisons.guidance import Guidance
from pytest_lift.agents.offline.search.comparisons.watching import ComparisonWatch
from pytest_lift.agents.offline.search.exploring import LEAST_LEFT, Exploration
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.learnt.inverses import Inverses
from pytest_lift.agents.offline.search.learnt.passing import PassedArguments
from pytest_lift.agents.offline.search.making import own_and_inherited
from pytest_lift.agents.offline.search.memory import Recalled
from pytest_lift.agents.offline.search.nodes import with_nodes
from pytest_lift.agents.offline.search.options.effects import Effect
from pytest_lift.agents.offline.search.options.trying import OptionTrying
from pytest_lift.agents.offline.search.prospects import Prospects
from pytest_lift.agents.offline.stories.altered import AlteredArguments
from pytest_lift.agents.offline.texts.plain_texts import PlainTexts
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case
from pytest_lift.calls.targets.target import Target

FIRST_TRIES, LEAST_TRIES, MET_TRIES = 14, 3, 6
"""Calls of each target before any is preferred: where there are few targets, and where many."""
MOST_FIRST = 3000
OPTIONS_SHARE = 0.25
"""Share of the search, in time and in cases, in which options are set."""
EXTRA_TRIES, DEFINED = {"main": 6, "command": 6, "constructor": 3}, 3
"""How many more first calls some targets get, and documented programs, of which there are many."""
PATIENCE = 11
"""Rounds without a find after which the search ends; each is larger than the one before."""
PATIENCE_AT_LAST = 4
"""The same where nothing is left to be reached, but for states of objects and other results."""
GROWTH, LARGEST_ROUND = 1.5, 4000
"""Growth of a round after one without a find: small ones profit early from what others found."""
LEAST_ROUND, FIRST_ROUND, CALLS_OF_EACH = 100, 250, 20
ANSWERED = 2
"""Most answers to comparisons in a round, per call of the round."""
WATCHED_IN_VAIN = 2
"""Calls watched at a time of each target none of whose calls were kept."""
PLAIN_SHARE, MOST_PLAIN = 0.2, 3.0
"""Share of the time of the rounds, and most seconds, that are left for plain texts and simpler
calls in the place of others (`choosing/plain_words.py`)."""
GIVEN_SHARE = 0.2
"""Most of the time that is left which texts of known formats and documented values may take before
each target is called: of a large program, nothing of which reads any, that is much."""
SHORT = 5.0
"""Seconds below which the time of a search is short."""
EDITED_SHARE, EDITED_AT_ONCE = 0.1, 200
"""Share of the search, in time and in cases, for known texts with one token changed, and again for
those with one word of a role exchanged, and how many run at once."""


@dataclass
class ProgramSearch(Exploration):
    """Search over the program; deterministic for a seed apart from the clock."""

    patience: float = PATIENCE
    examples: Sequence[Case] = ()
    """Examples of the documentation."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.plain = PlainTexts(self.inputs, self.natural.vocabulary)
        self.altered = AlteredArguments(self.resolver, self.prober)
        self.prospects = Prospects(self.reach, self.progress, self.prober)
        values = partial(self.inputs.records.values, words=self.inputs.words)
        guidance = Guidance(self.inputs.examples, self.rng, values)
        self.watch = ComparisonWatch(self.prober, self.resolver, guidance)
        learning = self.prober, self.resolver, self.inputs, self.natural, self.targets
        self.passing, self.inverses = PassedArguments(*learning), Inverses(*learning)
        self.begun_with = self.covered
        self.own: list[Target] = []
        """Targets that the program defines, but for those that an earlier search went into; known
        when the search has run."""
        self.documented: Sequence[Call] = ()
        """Calls that documents show."""
        self._recalled: Sequence[Call] = ()
        self.is_exhausted = False
        """Whether the search ended since nothing was found any more, not by a limit."""

    def recall(self, recalled: Recalled) -> None:
        """Takes over what an earlier search found."""
        self._recalled = recalled.calls
        self.prober.banned |= recalled.banned
        targets = {target.key: target for target in self.targets}
        for key, reasons in recalled.failures.items():
            for why in reasons:
                self._heed(targets[key], why, {})
                if why == "chance":
                    self.prober.failures[key][why] += 1

    @property
    def lasting(self) -> list[Call]:
        """The calls to remember: those that were kept, and those that left an object in a new
        state."""
        states = [
            replace(call, raises="") for calls in self.objects.states.values() for call in calls
        ]
        kept = [one.call for one in self.kept if one.call is not None]
        return list(dict.fromkeys([*states, *kept]))

    def run(self, documented: Sequence[Call]) -> list[KeptCase]:
        """Tries seeds and options, then rounds until nothing new is found or the time is up."""
        self._note_documented(documented)
        self._try_documented()
        own, inherited = own_and_inherited(self.targets, self._defined)
        known = [*documented, *self._try_known(own)]
        is_short = self.deadline - time.monotonic() < SHORT
        self._explore_edited(self.plain.exchanged(known))
        if not is_short:  # else options come first
            self._explore_edited(self.plain.edited(known))
        self._follow()
        self._try_each(own, inherited)
        if self.options:
            self._try_options()
        if is_short:
            self._explore_edited(self.plain.edited(known))
        self._late = True
        self._explore_in_parts([*self.maker.shown(self.targets)])
        self._go_on()
        self._see_more()
        self._look_at_altered()
        return self.kept

    def _note_documented(self, documented: Sequence[Call]) -> None:
        """Notes what documents, and earlier searches, make and hand on."""
        self.documented = documented
        for call in documented:
            if call.target.kind == "constructor":
                self.objects.note_maker(call)
                self.ways.completing.habits.note(call)
            for maker, name, text in self.ways.completing.habits.handed(call):
                self.inputs.note_used(maker, name, text)
        for call in (*documented, *self._recalled):
            self.progress[call.target.key].calls.append(call)

    def _try_documented(self) -> None:
        """Runs documented calls: those of what others are made of first, then what earlier
        searches left, then all, and what makes objects that no document shows."""
        documented = self.documented
        sources = self.ways.sources(self.targets)
        self._explore([c for c in documented if c.target in sources])
        self._explore_in_parts(self._first(sources, LEAST_TRIES))
        self._explore([c for c in documented if c.target.kind == "constructor"])
        self._explore_recalled()
        self._explore(documented)
        self._follow()
        self._explore_in_parts(self._first([t for t in self.targets if t.defined], 1))
        makers = [t for t in self.targets if t.kind in ("constructor", "static") and not t.library]
        self._explore_in_parts(self._first(makers, FIRST_TRIES))
        self._explore(list(self.maker.bare([t for t in self.targets if t.kind == "main"])))
        self._note_passed(self.examples, documented)

    def _try_known(self, own: Sequence[Target]) -> list[Call]:
        """Runs calls with what is known of the arguments of the program's `own` targets; returns
        those with texts of formats that they read."""
        self.anchors.note(self.documented)
        self._explore_in_parts(self._in_time(self.anchors.beside(own)))
        offered = self.offered_first(own)
        now = time.monotonic()
        until = now + GIVEN_SHARE * (self.deadline - now)
        reading = self._in_time(self.maker.reading(offered))
        nodes = with_nodes(self.maker, self.inputs, offered)
        typed = self._in_time(self.maker.of_types(offered))
        self._explore_in_parts([*reading, *typed, *self._in_time(nodes)], until)
        return reading

    def _try_each(self, own: Sequence[Target], inherited: Sequence[Target]) -> None:
        """Runs a few calls of each target; of those that an earlier search went into, fewer, and
        none more of constructors that run nothing of the program's."""
        own = [target for target in own if target.kind != "constructor" or self._runs_code(target)]
        first = self._first(own, LEAST_TRIES)
        self._explore_in_parts(first)
        self._follow()
        self._explore_in_parts(self._altering(first))
        gone_into = {call.target.key for call in self._recalled}
        self.own = own = [target for target in own if target.key not in gone_into]
        if FIRST_TRIES * len(own) <= MOST_FIRST:
            more = self._first(own, FIRST_TRIES)
            self._explore_in_parts(more)
            first += more
        self._note_passed((), self._found(), found=True)
        self._explore_seen()
        self._meet(own)
        suspects = self.altered.suspects(first, self._found())
        self._explore_in_parts(self._first(suspects, LEAST_TRIES))
        self._explore_in_parts(self._first(inherited, 1))
        self._follow()

    def _runs_code(self, target: Target) -> bool:
        """Whether calls of a target run a function of the program's, as far as is known."""
        return bool(self.reach.of_target(target) or self.progress[target.key].functions)

    def _explore_recalled(self) -> None:
        """Runs what an earlier search left; command lines come last, and count for all that they
        reach, for what is called directly reaches what it can."""
        self._explore_in_parts([call for call in self._recalled if not call.target.entry])
        self._late = True
        self._explore_in_parts([call for call in self._recalled if call.target.entry])
        self._late = False

    def _go_on(self) -> None:
        """Tries rounds of calls, and leaves time for plain ones; a round is drawn while the one
        before it runs, and knows what came of the one before that. The child never waits for what
        is learnt of a round."""
        idle, size = 0, max(LEAST_ROUND, min(FIRST_ROUND, CALLS_OF_EACH * len(self.targets)))
        end = self.deadline
        self.deadline -= max(0.0, min(MOST_PLAIN, PLAIN_SHARE * (end - time.monotonic())))
        running = self._begin(self._written(self._round(size)))
        while idle < self._patience_left and self._tried < self.most and not self._is_over:
            answers = self.watch.answers(self.reach.missing_sides(self.covered))
            calls = [*answers, *self._next, *self._round(size)]
            self._next.clear()
            seconds = self._left
            self.watch.begin(self._to_watch(), ANSWERED * size, seconds)
            following = self._begin_after(running, self._written(calls))
            if self._learn(running):
                idle = 0
            else:
                idle, size = idle + 1, min(int(size * GROWTH), LARGEST_ROUND)
            running = following
        self._learn(running)
        self.is_exhausted = idle >= self._patience_left and not self._is_over
        self.deadline = end

    @property
    def _patience_left(self) -> float:
        """Rounds without a find after which the search ends now."""
        everything = len(self.covered) >= len(self.prober.sites)
        return min(self.patience, PATIENCE_AT_LAST) if everything else self.patience

    def _note_passed(
        self, examples: Sequence[Case], calls: Iterable[Call], *, found: bool = False
    ) -> None:
        """Notes what calls pass to functions inside of the program, and what they return to those
        that undo them."""
        calls, left = [*calls], self._left
        if left > LEAST_LEFT:
            self.inverses.learn(calls, left)
        if left <= LEAST_LEFT or not self.passing.learn(examples, calls, left, found=found):
            return
        self.ways.forget()
        fitting = [one for one in self.kept if self._still_fits(one)]
        if len(fitting) < len(self.kept):
            self.kept = fitting
            self.covered = self.begun_with.union(*(one.seen.hits for one in fitting))
            self.showing.reset(fitting)

    def _explore_seen(self) -> None:
        """Runs the calls that the program was seen to make itself, methods on objects of those
        classes on which it called them."""
        calls = [self.maker.with_object(call) for call in self.passing.whole_calls()]
        self.anchors.note(calls, seen=True)
        self._explore_in_parts(calls)

    def _see_more(self) -> None:
        """Runs what the program itself calls while what was kept at last runs."""
        left = self._left
        if left > LEAST_LEFT:
            self.passing.see(self._found(), left)
            self._explore_seen()

    def _altering(self, calls: Sequence[Call]) -> list[Call]:
        """Returns those of calls that change an argument in place, which tests look at then."""
        left = self._left
        found = self.altered.note(calls, left) if left > LEAST_LEFT else []
        self.drafts.forget(found)
        return found

    def _look_at_altered(self) -> None:
        """Has what was kept look at arguments that are changed in place, as was not known then."""
        self._altering([*self._found()])
        left = self._left
        self.kept = self.altered.seen_again(self.kept, self.write, max(left, 0.0))

    def _still_fits(self, one: KeptCase) -> bool:
        """Whether nothing that was learnt since a case was kept speaks against it."""
        call = one.call
        return call is None or self.natural.fits(call) or self.natural.is_refused(call, one.seen)

    def _found(self) -> Iterator[Call]:
        """Yields the calls that were kept."""
        return (one.call for one in self.kept if one.call is not None)

    def _meet(self, targets: Sequence[Target]) -> None:
        """Tries what never succeeded with values that have what stand-ins were asked for."""
        left = self._left
        failing = [t for t in targets if not t.entry and not self.prober.successes[t.key]]
        stand_ins = StandIns(self.prober, self.resolver, self.inputs)
        learnt = stand_ins.learn(failing, left) if failing and left > 0 else []
        makers = [target for target in learnt if target.kind == "constructor"]
        self._explore_in_parts(self._first(makers, LEAST_TRIES))
        self._explore_in_parts(self._first([t for t in failing if t not in makers], MET_TRIES))

    def _explore_edited(self, edited: Iterator[Call]) -> None:
        """Runs calls with known texts in which one word is changed, in a part of the search: what
        they reach needs no text that a search makes up."""
        now = time.monotonic()
        until, most = now + EDITED_SHARE * (self.deadline - now), EDITED_SHARE * self.most
        edited = islice(edited, max(int(most), 0))
        while time.monotonic() < until and (part := list(islice(edited, EDITED_AT_ONCE))):
            self._explore(part)

    def _first(self, targets: Sequence[Target], tries: int) -> list[Call]:
        found = [
            self.maker.fresh(target)
            for target in targets
            for _ in range(tries * (DEFINED if target.defined else EXTRA_TRIES.get(target.kind, 1)))
            if not self._is_over
        ]
        return [call for call in found if call is not None]

    def _try_options(self) -> None:
        """Sets every option on data where it makes a difference; those of a method once, not again
        for each class that inherits it."""
        started = time.monotonic()
        until = started + OPTIONS_SHARE * (self.deadline - started)
        own, _ = own_and_inherited(self.targets, self._defined)
        trying = OptionTrying(self.prober, self.drafts, self.maker, self.shown, self.rng)
        targets = self.offered_first(own)
        found = trying.effects(targets, self.progress, until, OPTIONS_SHARE * self.most)
        self._tried += trying.tried
        self._show(found)

    def _show(self, found: Sequence[Effect]) -> None:
        """Keeps the calls of options that a test can show; the others were not shown after all."""
        left = self._left
        checked = self.prober.observe([one.case for one in found], left, checked=True)
        for goal, call, case in found:
            again = checked.get(case.key)
            if again is None or not again.usable:
                self.shown.discard(goal)
                continue
            internal = self.showing.is_internal(call.target)
            goals = frozenset[str]() if internal else frozenset({goal})
            self._keep(KeptCase(case, again, call, goals))

    def offered_first(self, targets: Iterable[Target]) -> list[Target]:
        """Returns the targets that the program offers before others, functions first."""
        return sorted(targets, key=lambda t: (self.showing.is_internal(t), t.kind != "function"))

    def _round(self, size: int) -> list[Call]:
        """Returns `size` calls, most of them of targets near uncovered branches."""
        if not self.targets:
            return []
        weights = [self.prospects.weight(target, self.covered) for target in self.targets]
        chosen = self.rng.choices(self.targets, weights, k=size)
        calls = (self.maker.following(target) for target in chosen if not self._is_over)
        return [call for call in calls if call is not None]

    def _to_watch(self) -> Iterator[Call]:
        """Yields kept calls near uncovered branches, known ones, and calls of what never came to
        anything."""
        for kept in reversed(self.kept):
            if kept.call is None or self.watch.is_known(kept.call):
                continue
            near = self.reach.near(self.reach.functions(kept.seen.hits))
            if near - self.covered:
                yield kept.call
        yield from (call for call in self.documented if not self.watch.is_known(call))
        for target in self.targets:
            if not self.progress[target.key].found and not self._is_over:
                calls = (self.maker.fresh(target, 0.1) for _ in range(WATCHED_IN_VAIN))
                yield from (call for call in calls if call is not None)
