"""Makes tests of cases: runs them once more, leaves out what says nothing, groups and prints."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property, partial

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.choosing.looks.beginnings import beginnings_of
from pytest_lift.agents.offline.choosing.looks.sameness import CommonAttributes
from pytest_lift.agents.offline.choosing.steady import stable
from pytest_lift.agents.offline.choosing.weighing.doubt import still_adding
from pytest_lift.agents.offline.choosing.weighing.inherited import Inheritance
from pytest_lift.agents.offline.choosing.weighing.worth import ENTRIES
from pytest_lift.agents.offline.conforming import holds
from pytest_lift.agents.offline.docstrings.intents import Intents
from pytest_lift.agents.offline.examples.told.story_subjects import StorySubjects
from pytest_lift.agents.offline.expecting import undisputed
from pytest_lift.agents.offline.joining.aware_times import with_zones_asserted
from pytest_lift.agents.offline.joining.comparisons import compared_both_ways
from pytest_lift.agents.offline.joining.cutting import cut_to_told
from pytest_lift.agents.offline.joining.long_texts import in_short
from pytest_lift.agents.offline.joining.looks import asked_together, looked_at_together
from pytest_lift.agents.offline.joining.merits.merits import BRANCHES, Merits
from pytest_lift.agents.offline.joining.merits.nothing import doubted_for_nothing
from pytest_lift.agents.offline.joining.missing_files import MissingFiles
from pytest_lift.agents.offline.joining.named import NamedResults
from pytest_lift.agents.offline.joining.odd.tables import doubtful_together
from pytest_lift.agents.offline.joining.refusals import refusals_together
from pytest_lift.agents.offline.joining.shapes import joined
from pytest_lift.agents.offline.joining.shown_once import plain_calls_once
from pytest_lift.agents.offline.joining.verified_cases import VerifiedCases
from pytest_lift.agents.offline.needed.handed_back import without_handed_back
from pytest_lift.agents.offline.needed.kept_values import KeptValue, tables_of
from pytest_lift.agents.offline.needed.needed import MOST_SECONDS, only_needed
from pytest_lift.agents.offline.needed.parted import calls_apart
from pytest_lift.agents.offline.needed.shown_options import with_options_shown
from pytest_lift.agents.offline.needed.unrelated import without_unrelated_looks
from pytest_lift.agents.offline.printing.functions import PrintedTest, print_test
from pytest_lift.agents.offline.search.reach import Reach, probes_of
from pytest_lift.agents.offline.suite_cases import cases_of
from pytest_lift.agents.offline.writing.grouping import PlannedTest, plan_tests
from pytest_lift.agents.offline.writing.links import Linker
from pytest_lift.agents.offline.writing.oracles.checks import Verified
from pytest_lift.agents.offline.writing.oracles.verifying import verify
from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.target import Target


@dataclass(frozen=True)
class Composing:
    """What is needed to make tests of cases."""

    brief: Brief
    prober: Prober
    resolver: Resolver
    inputs: Inputs
    targets: Sequence[Target]
    missing: MissingFiles
    subjects: StorySubjects
    inheritance: Inheritance
    reach: Reach
    until: float
    """`time.monotonic()` at which cases are run no more."""
    covered: AbstractSet[int]
    """Probes that tests reach already."""

    def tests(
        self,
        cases: Sequence[Case],
        common: CommonAttributes,
        whole: AbstractSet[str],
    ) -> list[PrintedTest]:
        """Returns the tests of cases; those with one of the keys `whole` lose no assertion."""
        self.prober.until = self.until
        beside = cases_of(self.brief.suite)
        seen = stable(undisputed(cases, self.brief.trace), self.prober, beside=beside)
        known = VerifiedCases(self._verified(cases, seen, common))
        whole = known.keys(whole)
        naming = NamedResults(self.inputs.inference, self.resolver, self.prober)
        verified = naming.by_name(known.once())
        functions = self.inputs.inference.functions
        begun = beginnings_of(self.brief.program)
        merits = Merits(functions, self._branches, self.covered, self.inheritance, begun)
        alike = known.keys(key for key, observed in seen.items() if common.is_usual(observed))
        unread = {item.case.key for item in verified if self.missing.is_counted(item)}
        told = partial(merits.worth_telling, whole=whole, common=alike, unread=unread)
        telling, kept = self._told(verified, merits, told, whole)
        telling = still_adding(
            doubted_for_nothing(telling, merits.of_checks.classes),
            probes_of(self.prober.sites, BRANCHES | ENTRIES),
            self.covered,
            lambda one: one.case.origin != "searched" or one.case.key in whole,
            [*kept.values()],
            again=self.brief.mode != "initial",
        )
        telling = plain_calls_once(telling, whole)
        plans = [
            *self._plans(compared_both_ways(with_zones_asserted(telling)), whole),
            *tables_of(kept, self._linker),
        ]
        plans = [self._about_what_is_left(plan) for plan in plans]
        order = {path: n for n, path in enumerate(self.brief.program.files)}
        plans.sort(key=lambda plan: order[plan.first.case.path])
        return [print_test(plan, self._intents) for plan in plans]

    def _told(
        self,
        verified: Sequence[Verified],
        merits: Merits,
        told: Callable[..., list[Verified]],
        whole: AbstractSet[str],
    ) -> tuple[list[Verified], dict[KeptValue, Verified]]:
        """Returns the cases that show something, without what plays no part in that, and what
        objects only keep; one comes back for each function that loses branches."""
        places = self.reach.places(self._branches - self.covered)
        long = in_short(merits.with_lost(told(verified), verified, places), whole)
        shorter, kept = self._needed(long, whole)
        telling = told(shorter, most_lost=0.0)
        return merits.with_lost(telling, [*shorter, *long], places, [*kept.values()]), kept

    def _verified(
        self, cases: Sequence[Case], seen: Mapping[str, Observation], common: CommonAttributes
    ) -> dict[str, Verified]:
        """Returns what may be asserted of each case that holds, by its key."""
        found: dict[str, Verified] = {}
        for case in cases:
            if case.key in seen and holds(case, seen[case.key]):
                told = common.without(seen[case.key])
                item = verify(case, told, self.brief.program, self.resolver)
                if item is not None:
                    found[case.key] = item
        return found

    def _plans(self, items: Sequence[Verified], whole: AbstractSet[str]) -> list[PlannedTest]:
        """Returns which tests the cases become."""
        linked = [(item, self._linker.link(item.case, item.checks)) for item in items]
        linked = [(item, link) for item, link in linked if not link.exempt]
        by_key = {target.key: target for target in self.targets}
        plans = looked_at_together(plan_tests(linked, by_key), whole)
        plans = cut_to_told(plans, self._intents, whole)
        plans = refusals_together(plans, by_key, doubtful=True)
        plans = doubtful_together(plans, by_key)
        plans = joined(plans, by_key, repeats=self.brief.mutation is not None)
        plans = refusals_together(plans, by_key)
        return cut_to_told(asked_together(plans), self._intents, whole)

    def _about_what_is_left(self, plan: PlannedTest) -> PlannedTest:
        """Returns the plan of a test with what its lines show as its subject."""
        members = tuple(map(self.subjects.of_what_is_left, plan.members))
        before, now = plan.first.case.symbol, members[0].case.symbol
        told = plan.link.emergent.replace(f" of {before};", f" of {now};")
        return replace(plan, members=members, link=replace(plan.link, emergent=told))

    def _needed(
        self, items: Sequence[Verified], whole: AbstractSet[str]
    ) -> tuple[list[Verified], dict[KeptValue, Verified]]:
        """Returns the cases without what plays no part in their assertions, and what objects only
        keep."""
        calls = (name for one in self.targets for name in (one.leaf, one.call))
        own = {name.rpartition(".")[2] for name in calls}
        branches = self._branches
        classes = {one.call for one in self.targets if one.kind == "constructor"}
        until = time.monotonic() + MOST_SECONDS
        items = with_options_shown(items, self.prober, classes, whole, until)
        items = without_unrelated_looks(items, self.prober, whole, until)
        places = {one.symbol: one.path for one in self.targets if one.kind == "method"}
        counted = branches - self.covered
        items = without_handed_back(items, self.prober, counted, whole, until)
        items = calls_apart(items, self.prober, self.resolver, places, counted, whole, until)
        return only_needed(items, self.prober, own, branches, self.covered, whole, classes, until)

    @cached_property
    def _branches(self) -> frozenset[int]:
        """Numbers of the probes that are branches."""
        return probes_of(self.prober.sites, BRANCHES)

    @cached_property
    def _linker(self) -> Linker:
        return Linker(self.brief.requirements, self.brief.program)

    @cached_property
    def _intents(self) -> Intents:
        return Intents(self.brief.program, self.brief.requirements)
