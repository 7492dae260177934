"""The offline generator: first suite, refinement of a suite, correction of tests."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from functools import partial

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.arguments.call_sites import CallSites
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.trees.syntax_trees import PYTHON
from pytest_lift.agents.offline.choosing.contrast import contrasted
from pytest_lift.agents.offline.choosing.effects import with_effects
from pytest_lift.agents.offline.choosing.fewest_edits import FewestEdits
from pytest_lift.agents.offline.choosing.looks.answers import with_answers
from pytest_lift.agents.offline.choosing.looks.beginnings import beginnings_of
from pytest_lift.agents.offline.choosing.looks.changes import what_is_shown, with_changes
from pytest_lift.agents.offline.choosing.looks.sameness import CommonAttributes
from pytest_lift.agents.offline.choosing.made_alike import with_parts_asserted
from pytest_lift.agents.offline.choosing.options.asked import OptionAnswers
from pytest_lift.agents.offline.choosing.options.idle import with_options_that_matter
from pytest_lift.agents.offline.choosing.plain_words import retry_in_plain_words
from pytest_lift.agents.offline.choosing.selection import (
    choose,
    with_owners,
    without_copies,
    without_dull,
    without_idle_options,
    without_idle_seeds,
)
from pytest_lift.agents.offline.choosing.setups.pruning import pruned
from pytest_lift.agents.offline.choosing.shrinking.idle_files import without_idle_files
from pytest_lift.agents.offline.choosing.shrinking.simplifying import alike, distance, shrink
from pytest_lift.agents.offline.choosing.steady import steady_choice
from pytest_lift.agents.offline.choosing.telling import Richer
from pytest_lift.agents.offline.choosing.typed_at_last import typed_at_last
from pytest_lift.agents.offline.choosing.untangling import untangled
from pytest_lift.agents.offline.choosing.weighing.doubt import (
    DoubtfulCases,
    with_few_doubtful,
)
from pytest_lift.agents.offline.choosing.weighing.heirs import on_one_heir
from pytest_lift.agents.offline.choosing.weighing.inherited import Inheritance
from pytest_lift.agents.offline.choosing.weighing.known_errors import shown_again
from pytest_lift.agents.offline.choosing.weighing.siblings import Families
from pytest_lift.agents.offline.choosing.weighing.worth import ENTRIES, branches_owed, worthwhile
from pytest_lift.agents.offline.composing import Composing
from pytest_lift.agents.offline.conforming import ConformingExamples
from pytest_lift.agents.offline.documentation import documentation_of
from pytest_lift.agents.offline.examples.defining import working_definitions
from pytest_lift.agents.offline.examples.examples import (
    NOTHING_WRITTEN,
    read_written,
)
from pytest_lift.agents.offline.joining.merits.merits import BRANCHES
from pytest_lift.agents.offline.joining.missing_files import MissingFiles
from pytest_lift.agents.offline.mutants.judging import Judge
from pytest_lift.agents.offline.mutants.survivors import killing_cases
from pytest_lift.agents.offline.natural.offered import Offer
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.agents.offline.natural.replacing import Replacing
from pytest_lift.agents.offline.obstacles import find_obstacles, nothing_shown
from pytest_lift.agents.offline.pacing import STARTING_SHARE, Pacing
from pytest_lift.agents.offline.printing.files import write_files
from pytest_lift.agents.offline.scoping import concerned, outside
from pytest_lift.agents.offline.search.kept import KeptCase, answer_goal
from pytest_lift.agents.offline.search.memory import Memory
from pytest_lift.agents.offline.search.options.effects import goals_of
from pytest_lift.agents.offline.search.reach import probes_of, reached
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.agents.offline.stories.bases import without_bases
from pytest_lift.agents.offline.stories.defined import defined_targets, using_targets
from pytest_lift.agents.offline.stories.documented_programs import documented_programs
from pytest_lift.agents.offline.writing.links import Linker
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.reading import documented_calls, written_calls
from pytest_lift.calls.survey import survey
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.suite.suite import Edit, suite_of

CASES_A_SECOND = 4000
"""Most cases a search tries, per second of its time. Most programs run faster than this, so that
not the clock ends the search, and a seed always gives the same tests."""
ALIKE_SECONDS, LEAST_PRUNED = 2.0, 0.5


def generator(brief: Brief) -> Edit:
    """Returns new or corrected tests for the suite in `brief.copy`."""
    if brief.mode == "correct":
        from pytest_lift.agents.offline.correction import correct

        return correct(brief)
    generation = _Generation(brief)
    try:
        return generation.edit()
    finally:
        generation.prober.close()


class _Generation:
    """Run of the generator, with everything it needs from the brief."""

    def __init__(self, brief: Brief) -> None:
        self.brief = brief
        self.pacing = Pacing(brief)
        self.program = brief.program
        self.rng = random.Random(brief.seed + brief.iteration)
        self.resolver = Resolver(brief.program)
        self.offer = Offer(brief.program, self.resolver, brief.copy)
        self.survey = survey(brief.program, brief.copy, brief.jail, self.pacing.surveyed)
        imported = self.survey.seconds
        files = brief.scope.files if brief.scope and brief.scope.files else None
        self.prober = Prober(
            brief.copy, brief.program, brief.jail, only=files, starting=STARTING_SHARE * imported
        )
        # Later on, earlier tests would have to be run with them in any order.
        self.prober.may_leave = brief.mode == "initial"
        self.brief = brief = self.pacing.settled(imported, len(self.prober.sites))
        self.inheritance = Inheritance(brief.program)
        self.targets = concerned(find_targets(brief.program, self.resolver, self.survey), brief)
        self.by_key = {target.key: target for target in self.targets}
        self.documents = documents = documentation_of(brief.program, brief.copy)
        blocks: list[Sequence[str]] = [*documents.snippets]
        blocks += [[item.source for item in one.items] for one in documents.sessions]
        blocks += documents.guides
        defined = working_definitions(blocks, self.resolver, self.prober)
        self.targets = [*defined_targets(self.targets, defined), *self.targets]
        self.targets += using_targets(defined, self.resolver)
        programs = documented_programs([*blocks, *documents.scripts], self.resolver, self.prober)
        self.targets += programs
        self.matcher = Matcher(self.targets, defined)
        for path, file in brief.program.files.items():
            for name, command in self.survey.commands.get(file.module, {}).items():
                self.prober.declared[f"{path}:{name}"] = command.line
        self.inputs = Inputs(brief.program, self.rng, defined, self.survey.library_bases)
        self.inputs.note_code(documents.data.get(PYTHON, ()))
        self.own_calls: list[Call] = []
        """Calls in the sources of the program."""
        again = brief.mode != "initial"
        self.written = read_written(brief.suite) if again else NOTHING_WRITTEN
        """What tests have already: its examples are not tried again."""
        self.examples = ConformingExamples(
            brief, documents, self.matcher, self.resolver, self.prober, self.written
        )
        self.covered = reached(brief.program, self.prober.sites, brief.coverage, unmeasured=again)
        self.covered |= outside(brief.scope, self.prober.sites)

    def edit(self) -> Edit:
        """Runs all steps, from documentation to the text of tests."""
        documented = self._documented()
        self._note_call_sites()
        known = list(dict.fromkeys([*self._documented_calls(), *self.own_calls]))
        self.targets = without_bases(self.targets, self.inputs, self.offer, known)
        self.inputs.add_samples(self.targets)
        search = ProgramSearch(
            self.prober,
            self.targets,
            self.resolver,
            self.inputs,
            self.offer,
            self.rng,
            math.inf,
            0,
            self.covered | frozenset().union(*(k.seen.hits for k in documented)),
            options=self.brief.mode == "initial",
            tested=self.covered,
            patience=self.pacing.patience,
            shown=set().union(*(goals_of(k.case, self.by_key) for k in documented))
            | {answer_goal(k.case.path, k.case.symbol) for k in documented},
            examples=[kept.case for kept in documented],
            shown_data=self.documents.data,
            recognised_until=self.pacing.recognised_until(),
        )
        # Its time begins when it has read what its targets take.
        search.deadline = self.pacing.search_ends(self.prober.sites)
        search.most = int(CASES_A_SECOND * (search.deadline - time.monotonic()))
        self.prober.until = max(self.prober.until, search.deadline)
        goals = self._has_goals(search.covered)
        found = self._found(search, known) if goals else []
        self.prober.until = self.pacing.after(self.pacing.simpler)
        begun = beginnings_of(self.program)
        common = CommonAttributes([*documented, *found], self.program.words, begun)
        chosen = steady_choice(
            [*documented, *found],
            lambda kept: choose(kept, self.covered, self._weigh, common.dullness),
            self.prober,
        )
        asked, until = OptionAnswers(), self.pacing.options_end()
        chosen = with_options_that_matter(chosen, search, self._weigh, until, asked)
        owned = partial(with_owners, tested=self.covered, weigh=self._weigh, distance=distance)
        chosen = shrink(
            owned(chosen),
            self.prober,
            search.write,
            self.pacing.shrinking_ends(search.deadline, self.prober.until),
            Richer(search).calls,
            Replacing(search.natural).may_replace,
        )
        chosen = alike(chosen, self.prober, search.write, ALIKE_SECONDS)
        chosen = without_idle_options(chosen, self.prober, search.write, self._weigh)
        until = self.pacing.options_end()
        self.prober.until = max(self.pacing.after(self.pacing.untangled), until)
        chosen = owned(chosen)
        chosen = with_options_that_matter(chosen, search, self._weigh, until, asked, last=True)
        chosen = without_idle_files(chosen, self.prober, search.write)
        show = partial(what_is_shown, search=search)
        chosen = untangled(owned(chosen), self.prober, search.write, show, self._weigh)
        proposals = Proposals(search.natural)
        chosen = typed_at_last(owned(chosen), self.prober, search.write, proposals)
        edits = FewestEdits(self.prober, search.drafts, search.natural.edited)
        chosen = edits.undone(owned(chosen))
        chosen = with_effects(chosen, self.prober, search.write)
        chosen = on_one_heir(chosen, self.targets, self.prober, search.write, self.inheritance)
        self.prober.until = self.pacing.looking_ends()
        chosen = without_idle_seeds(without_copies(chosen), self.prober)
        chosen = with_answers(with_changes(chosen, search), search)
        chosen = without_dull(chosen, search.natural.guesses, self._weigh)
        chosen = contrasted(common.telling(chosen), self.prober, search.write)
        chosen = with_parts_asserted(chosen, self.prober)
        counted = probes_of(self.prober.sites, BRANCHES | ENTRIES)
        self.prober.until = max(self.prober.until, time.monotonic() + LEAST_PRUNED)
        chosen = pruned(chosen, self.prober, counted, self.covered)
        owed = partial(branches_owed, natural=search.natural)
        chosen = worthwhile(chosen, distance, counted, self.covered, owed)
        functions, own = self.inputs.inference.functions, probes_of(self.prober.sites, BRANCHES)
        families = Families(functions, search.reach, counted, own, self.covered)
        chosen = families.without_siblings(chosen, distance)
        again = self.brief.mode != "initial"
        suite = self.brief.suite if again else suite_of("tests", {})
        repeated = shown_again(chosen, suite, self.program, self.inheritance)
        doubts = DoubtfulCases(search.natural)
        doubtful = {c.kept.case.key for c in chosen if doubts.of_case(c.kept)} | repeated
        chosen = with_few_doubtful(chosen, doubtful, counted, self.covered, again=again)
        self.prober.until = self.pacing.after(1.0)
        cases = doubts.marked([item.kept for item in chosen], repeated)
        killing = self._killing(search, [item.kept for item in chosen])
        cases += killing
        once: dict[str, Case] = {}
        for case in cases:
            once.setdefault(case.key, case)
        composing = Composing(
            self.brief,
            self.prober,
            self.resolver,
            self.inputs,
            self.targets,
            MissingFiles(self.matcher, search.maker.places),
            self.inheritance,
            self.pacing.verifying_ends(),
            self.covered,
        )
        whole = {case.key for case in killing}
        tests = composing.tests(list(once.values()), common, whole)
        files = write_files(tests, self.program, self.brief.suite)
        obstacles = find_obstacles(self.program, self.survey, search.targets, self.prober)
        if not (tests or obstacles or self.brief.suite.files):
            obstacles = nothing_shown(search.targets)
        why = f"{len(tests)} tests, {self.brief.mode}"
        cut_short = bool(goals) and self.brief.deadline is not None and not search.is_exhausted
        # What is printed from calls that ran needs no repairs, and large files take their time.
        return Edit(dict(files), why, obstacles=obstacles, repairs=(), cut_short=cut_short)

    def _found(self, search: ProgramSearch, known: Sequence[Call]) -> list[KeptCase]:
        """Searches from what earlier searches left, and leaves to later ones what was found."""
        memory = Memory(self.program, self.targets)
        recalled = memory.recall(self.brief.remembered)
        search.recall(recalled)
        search.run(known)
        retry_in_plain_words(search)
        failing = {target.key: search.failing(target) for target in self.targets}
        blocking = ((target, key) for key, target in search.blocking.items())
        self.brief.remember(memory.lines(recalled, search.lasting, blocking, failing))
        return search.kept

    def _has_goals(self, covered: frozenset[int]) -> bool:
        """Whether a search may find anything: a first suite shows states and options, too, and
        what detects mutants begins with what is found."""
        if self.brief.mode == "initial" or self.brief.mutated:
            return True
        lost = self.survey.failed.keys()
        modules = self.program.files
        return any(
            number not in covered and modules[site.path].module not in lost
            for number, site in enumerate(self.prober.sites)
        )

    def _killing(self, search: ProgramSearch, chosen: Sequence[KeptCase]) -> list[Case]:
        """Returns cases by which the suite detects more mutants."""
        if self.brief.mutation is None:
            return []
        known = [*self._documented_calls(), *written_calls(self.brief.suite, self.matcher)]
        linker = Linker(self.brief.requirements, self.program)
        judge = Judge(search, lambda item: not linker.link(item.case, item.checks).exempt)
        return killing_cases(self.brief, judge, chosen, list(dict.fromkeys(known)))

    def _documented(self) -> list[KeptCase]:
        """Returns the examples that the program conforms to, each once. Where nothing was left
        untried for lack of time, they are tried once in a lift."""
        self.prober.until = end = self.pacing.examples_end()
        kept = self.documents.kept.get(self.prober.only)
        if kept is None or self.brief.requirements.testable:
            kept = self.examples.kept()
            if time.monotonic() < end:
                self.documents.kept[self.prober.only] = kept
        self.prober.until = self.pacing.after(self.pacing.searched)
        fresh = (item for item in kept if not self.written.has(item.case))
        return [item for item in fresh if self._concerns(item) and self._adds(item)]

    def _concerns(self, item: KeptCase) -> bool:
        """Whether a case executes anything of the scope, or comes from a requirement."""
        if self.brief.scope is None or item.case.origin == "requirement":
            return True
        return bool(item.seen.hits - outside(self.brief.scope, self.prober.sites))

    def _adds(self, item: KeptCase) -> bool:
        """Whether a case is worth a test: when refining, a documented one has to reach new code."""
        if self.brief.mode == "initial" or item.case.origin == "requirement":
            return True
        return any(self._weigh(number) for number in item.seen.hits - self.covered)

    def _note_call_sites(self) -> None:
        """Notes the arguments with which the program calls itself."""
        sites = CallSites(self.program, self.targets, self.resolver)
        for target, parameter, text in sites.arguments():
            self.inputs.note_used(target, parameter, text)
        self.own_calls = list(sites.calls())

    def _documented_calls(self) -> list[Call]:
        calls: list[Call] = []
        sessions = [[item.source for item in session.items] for session in self.examples.sessions]
        for sources in (*sessions, *self.documents.snippets):
            for call in documented_calls(self.matcher, sources):
                calls.append(call)
                for name, value in call.values:
                    self.inputs.note(call.target, name, value)
                rest = [p.name for p in call.target.parameters if p.kind == "var-positional"]
                for name, value in ((name, value) for name in rest for value in call.extra):
                    self.inputs.note_rest(call.target, name, value)
        return list(dict.fromkeys(calls))

    def _weigh(self, number: int) -> float:
        """Returns the gain of a probe; a refinement counts only what coverage.py does."""
        if self.prober.sites[number].probe.kind not in ("condition", "ternary"):
            return 1.0
        return 0.25 if self.brief.mode == "initial" else 0.0
