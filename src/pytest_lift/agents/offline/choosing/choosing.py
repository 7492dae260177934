"""Chooses which of the cases that were found become tests: the steps, in their order."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from pytest_lift.agents.offline.choosing.contrast import contrasted
from pytest_lift.agents.offline.choosing.effects import with_effects
from pytest_lift.agents.offline.choosing.fewest_edits import FewestEdits
from pytest_lift.agents.offline.choosing.looks.answers import with_answers
from pytest_lift.agents.offline.choosing.looks.changes import what_is_shown, with_changes
from pytest_lift.agents.offline.choosing.looks.later_effects import with_later_effects
from pytest_lift.agents.offline.choosing.looks.other_kinds import of_other_kinds
from pytest_lift.agents.offline.choosing.looks.sameness import CommonAttributes
from pytest_lift.agents.offline.choosing.made_alike import with_parts_asserted
from pytest_lift.agents.offline.choosing.options.asked import OptionAnswers
from pytest_lift.agents.offline.choosing.options.idle import with_options_that_matter
from pytest_lift.agents.offline.choosing.options.idle_arguments import IdleArguments
from pytest_lift.agents.offline.choosing.options.plainly_made import PlainlyMade
from pytest_lift.agents.offline.choosing.options.removing import without_idle_options
from pytest_lift.agents.offline.choosing.selection import (
    Chosen,
    choose,
    with_both_answers,
    with_owners,
    without_copies,
    without_dull,
)
from pytest_lift.agents.offline.choosing.setups.contents import Filled
from pytest_lift.agents.offline.choosing.setups.pruning import pruned
from pytest_lift.agents.offline.choosing.shrinking.idle_files import without_idle_files
from pytest_lift.agents.offline.choosing.shrinking.idle_seeds import without_idle_seeds
from pytest_lift.agents.offline.choosing.shrinking.simplifying import alike, distance, shrink
from pytest_lift.agents.offline.choosing.steady import steady_choice
from pytest_lift.agents.offline.choosing.telling import Richer
from pytest_lift.agents.offline.choosing.typed_at_last import typed_at_last
from pytest_lift.agents.offline.choosing.untangling import untangled
from pytest_lift.agents.offline.choosing.weighing.brought_back import brought_back
from pytest_lift.agents.offline.choosing.weighing.doubt import DoubtfulCases, with_few_doubtful
from pytest_lift.agents.offline.choosing.weighing.heirs import on_one_heir
from pytest_lift.agents.offline.choosing.weighing.known_errors import shown_again
from pytest_lift.agents.offline.choosing.weighing.siblings import Families
from pytest_lift.agents.offline.choosing.weighing.worth import (
    ENTRIES,
    FAR,
    branches_owed,
    worthwhile,
)
from pytest_lift.agents.offline.choosing.wrong_at_last import WrongAtLast, right_values
from pytest_lift.agents.offline.joining.merits.merits import BRANCHES
from pytest_lift.agents.offline.knowledge import ProgramKnowledge
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.agents.offline.natural.replacing import Replacing
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.reach import probes_of
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.calls.case import Case
from pytest_lift.suite.suite import suite_of

ALIKE_SECONDS, LEAST_PRUNED = 2.0, 0.5


@dataclass(frozen=True)
class Choosing:
    """Steps from cases to the chosen ones, each with its share of the time of one generation."""

    known: ProgramKnowledge
    search: ProgramSearch
    common: CommonAttributes

    def chosen(self, cases: Sequence[KeptCase]) -> list[Chosen]:
        """Returns those of `cases` that are worth a test, as small and plain as they get."""
        asked = OptionAnswers()
        chosen = self._smaller(self._first(cases, asked))
        chosen = self._plainer(self._with_options(chosen, asked))
        chosen = self._telling(chosen)
        return self._few(chosen)

    def cases(self, chosen: Sequence[Chosen]) -> list[Case]:
        """Returns what was chosen, with a mark on what a person would not type."""
        return self._doubts.marked([item.kept for item in chosen], self._repeated(chosen))

    def _first(self, cases: Sequence[KeptCase], asked: OptionAnswers) -> list[Chosen]:
        """Returns for each probe the plainest case, on inputs with which options matter."""
        known = self.known
        if known.is_first:
            seconds = known.pacing.options_end() - time.monotonic()
            cases = [*cases, *of_other_kinds(cases, known.prober, self.search.drafts, seconds)]
        chosen = steady_choice(cases, self._choice, known.prober)
        chosen = self._on_plain_objects(chosen)
        until = known.pacing.options_end()
        return with_options_that_matter(chosen, self.search, known.weigh, until, asked)

    def _choice(self, cases: Sequence[KeptCase]) -> list[Chosen]:
        """Returns for each probe the plainest case; in a first suite with both answers of a
        function that tells whether something holds."""
        known = self.known
        chosen = choose(cases, known.covered, known.weigh, self.common.dullness)
        return with_both_answers(chosen, cases) if known.is_first else chosen

    def _owned(self, chosen: Sequence[Chosen]) -> list[Chosen]:
        """Returns the cases with the probes that each is there for, as they are now."""
        known = self.known
        return with_owners(chosen, tested=known.covered, weigh=known.weigh, distance=distance)

    def _smaller(self, chosen: Sequence[Chosen]) -> list[Chosen]:
        """Returns simpler calls that reach the same."""
        prober, write, pacing = self.known.prober, self.search.write, self.known.pacing
        until = pacing.shrinking_ends(self.search.deadline, prober.until)
        may_replace = Replacing(self.search.natural).may_replace
        richer = Richer(self.search).calls
        chosen = shrink(self._owned(chosen), prober, write, until, richer, may_replace)
        chosen = alike(chosen, prober, write, ALIKE_SECONDS)
        return without_idle_options(chosen, prober, write, self.known.weigh)

    def _with_options(self, chosen: Sequence[Chosen], asked: OptionAnswers) -> list[Chosen]:
        """Returns the cases without options that made no difference when they were smallest."""
        known, search = self.known, self.search
        until = known.pacing.options_end()
        known.prober.until = max(known.pacing.after(known.pacing.untangled), until)
        chosen = self._owned(chosen)
        return with_options_that_matter(chosen, search, known.weigh, until, asked, last=True)

    def _plainer(self, chosen: Sequence[Chosen]) -> list[Chosen]:
        """Returns the cases with what a person would type, and without what plays no part."""
        prober, search = self.known.prober, self.search
        chosen = without_idle_files(chosen, prober, search.write)
        show = partial(what_is_shown, search=search)
        chosen = untangled(self._owned(chosen), prober, search.write, show, self.known.weigh)
        proposals = Proposals(search.natural)
        chosen = typed_at_last(self._owned(chosen), prober, search.write, proposals)
        chosen = self._on_plain_objects(chosen)
        edits = FewestEdits(prober, search.drafts, search.natural.edited)
        chosen = edits.undone(self._owned(chosen))
        right = right_values(search.kept, search.natural)
        chosen = WrongAtLast(prober, search.drafts, search.natural, right).nearer(chosen)
        return IdleArguments(prober, search.drafts, show).plain(chosen)

    def _on_plain_objects(self, chosen: Sequence[Chosen]) -> list[Chosen]:
        """Returns the cases on objects that are made without options which play no part."""
        return self._plainly_made.all(chosen, self.known.pacing.options_end() - time.monotonic())

    def _telling(self, chosen: Sequence[Chosen]) -> list[Chosen]:
        """Returns the cases with looks at what their calls give and change, without those that
        show nothing."""
        known, search = self.known, self.search
        prober = known.prober
        chosen = Filled(prober, search.drafts, search.natural).all(self._owned(chosen))
        chosen = with_effects(chosen, prober, search.write)
        is_base = search.natural.base_classes.is_base
        chosen = on_one_heir(
            chosen, known.targets, prober, search.write, known.inheritance, is_base
        )
        prober.until = known.pacing.looking_ends()
        chosen = without_idle_seeds(without_copies(chosen), prober)
        chosen = with_later_effects(with_changes(chosen, search), search)
        chosen = with_answers(chosen, search)
        chosen = without_dull(chosen, search.natural.guesses, known.weigh)
        chosen = contrasted(self.common.telling(chosen), prober, search.write)
        return with_parts_asserted(chosen, prober)

    def _few(self, chosen: Sequence[Chosen]) -> list[Chosen]:
        """Returns the cases that are worth a test beside the others."""
        known, prober, again = self.known, self.known.prober, not self.known.is_first
        counted = probes_of(prober.sites, BRANCHES | ENTRIES)
        prober.until = max(prober.until, time.monotonic() + LEAST_PRUNED)
        whole = chosen = pruned(chosen, prober, counted, known.covered)
        owed = partial(branches_owed, natural=self.search.natural)
        chosen = worthwhile(chosen, distance, counted, known.covered, owed)
        functions, own = known.inputs.inference.functions, probes_of(prober.sites, BRANCHES)
        families = Families(functions, self.search.reach, counted, own, known.covered)
        chosen = families.without_siblings(chosen, distance)
        doubtful = self._doubts.among([one.kept for one in chosen], again=again)
        doubtful |= self._repeated(chosen)
        few = with_few_doubtful(chosen, doubtful, counted, known.covered, again=again)
        return [*few, *self._brought_back(whole, few)]

    def _brought_back(self, whole: Sequence[Chosen], few: Sequence[Chosen]) -> list[Chosen]:
        """Returns those of the whole cases that come back beside the few that are left."""
        branches = probes_of(self.known.prober.sites, BRANCHES) - self.known.covered
        left = {item.kept.case.key for item in few}
        rest = [i for i in whole if i.kept.case.key not in left and distance(i.kept) < FAR]
        rest.sort(key=lambda item: distance(item.kept))
        places = self.search.reach.places(branches)
        return brought_back(rest, few, lambda item: item.kept.seen.hits, places)

    def _repeated(self, chosen: Sequence[Chosen]) -> set[str]:
        """Returns the keys of the cases that show an error which is known from another."""
        known = self.known
        suite = suite_of("tests", {}) if known.is_first else known.brief.suite
        return shown_again(chosen, suite, known.program, known.inheritance)

    @cached_property
    def _plainly_made(self) -> PlainlyMade:
        search = self.search
        return PlainlyMade(self.known.prober, search.drafts, search.natural)

    @cached_property
    def _doubts(self) -> DoubtfulCases:
        return DoubtfulCases(self.search.natural)
