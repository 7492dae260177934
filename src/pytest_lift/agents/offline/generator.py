"""The offline generator: first suite, refinement of a suite, correction of tests."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.choosing.choosing import Choosing
from pytest_lift.agents.offline.choosing.looks.beginnings import beginnings_of
from pytest_lift.agents.offline.choosing.looks.sameness import CommonAttributes
from pytest_lift.agents.offline.choosing.plain_words import retry_in_plain_words
from pytest_lift.agents.offline.composing import Composing
from pytest_lift.agents.offline.examples.told.story_subjects import StorySubjects
from pytest_lift.agents.offline.joining.missing_files import MissingFiles
from pytest_lift.agents.offline.knowledge import ProgramKnowledge
from pytest_lift.agents.offline.mutants.judging import Judge
from pytest_lift.agents.offline.mutants.survivors import killing_cases
from pytest_lift.agents.offline.obstacles import find_obstacles, nothing_shown, nothing_to_call
from pytest_lift.agents.offline.printing.files import write_files
from pytest_lift.agents.offline.search.kept import KeptCase, answer_goal
from pytest_lift.agents.offline.search.memory import Memory
from pytest_lift.agents.offline.search.options.effects import goals_of
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.agents.offline.writing.links import Linker
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case
from pytest_lift.calls.reading import written_calls
from pytest_lift.source.syntax import collection_seldom
from pytest_lift.suite.suite import Edit

CASES_A_SECOND = 4000
"""Most cases a search tries, per second of its time. Most programs run faster than this, so that
not the clock ends the search, and a seed always gives the same tests."""


def generator(brief: Brief) -> Edit:
    """Returns new or corrected tests for the suite in `brief.copy`."""
    if brief.mode == "correct":
        from pytest_lift.agents.offline.correction import correct

        return correct(brief)
    known = ProgramKnowledge(brief)
    try:
        return edit(known)
    finally:
        known.prober.close()


@collection_seldom()
def edit(known: ProgramKnowledge) -> Edit:
    """Runs all steps, from documentation to the text of tests."""
    documented = known.documented()
    calls = known.known_calls()
    search = _search(known, documented)
    goals = _has_goals(known, search.covered)
    cases = [*documented, *(_found(known, search, calls) if goals else ())]
    known.prober.until = known.pacing.after(known.pacing.simpler)
    begun = beginnings_of(known.program)
    common = CommonAttributes(cases, known.program.words, begun)
    choosing = Choosing(known, search, common)
    chosen = choosing.chosen(cases)
    known.prober.until = known.pacing.after(1.0)
    killing = _killing(known, search, [item.kept for item in chosen])
    once: dict[str, Case] = {}
    for case in (*choosing.cases(chosen), *killing):
        once.setdefault(case.key, case)
    whole = {case.key for case in killing}
    tests = _composing(known, search).tests(list(once.values()), common, whole)
    files = write_files(tests, known.program, known.brief.suite)
    obstacles = find_obstacles(known.program, known.survey, search.targets, known.prober)
    if not (tests or known.brief.suite.files):
        obstacles = (*obstacles, *nothing_shown(search.targets, known.prober))
        if not (search.targets or obstacles):
            obstacles = nothing_to_call(known.program)
    why = f"{len(tests)} tests, {known.brief.mode}"
    cut_short = bool(goals) and known.brief.deadline is not None and not search.is_exhausted
    # What is printed from calls that ran needs no repairs, and large files take their time.
    return Edit(dict(files), why, obstacles=obstacles, repairs=(), cut_short=cut_short)


def _search(known: ProgramKnowledge, documented: Sequence[KeptCase]) -> ProgramSearch:
    """Returns the search for what examples do not reach, which has not begun."""
    shown = {answer_goal(kept.case.path, kept.case.symbol) for kept in documented}
    search = ProgramSearch(
        known.prober,
        known.targets,
        known.resolver,
        known.inputs,
        known.offer,
        known.rng,
        math.inf,
        0,
        known.covered | frozenset().union(*(kept.seen.hits for kept in documented)),
        options=known.is_first,
        tested=known.covered,
        patience=known.pacing.patience,
        shown=shown.union(*(goals_of(kept.case, known.by_key) for kept in documented)),
        examples=[kept.case for kept in documented],
        shown_data=known.documents.data,
        recognised_until=known.pacing.recognised_until(),
    )
    # Its time begins when it has read what its targets take.
    search.deadline = known.pacing.search_ends(known.prober.sites)
    search.most = int(CASES_A_SECOND * (search.deadline - time.monotonic()))
    known.prober.until = max(known.prober.until, search.deadline)
    return search


def _has_goals(known: ProgramKnowledge, covered: frozenset[int]) -> bool:
    """Whether a search may find anything: a first suite shows states and options, too, and what
    detects mutants begins with what is found."""
    if known.is_first or known.brief.mutated:
        return True
    lost = known.survey.failed.keys()
    modules = known.program.files
    return any(
        number not in covered and modules[site.path].module not in lost
        for number, site in enumerate(known.prober.sites)
    )


def _found(known: ProgramKnowledge, search: ProgramSearch, calls: Sequence[Call]) -> list[KeptCase]:
    """Searches from what earlier searches left, and leaves to later ones what was found."""
    memory = Memory(known.program, known.targets)
    recalled = memory.recall(known.brief.remembered)
    search.recall(recalled)
    search.run(calls)
    retry_in_plain_words(search)
    failing = {target.key: search.failing(target) for target in known.targets}
    blocking = ((target, key) for key, target in search.blocking.items())
    known.brief.remember(memory.lines(recalled, search.lasting, blocking, failing))
    return search.kept


def _killing(
    known: ProgramKnowledge, search: ProgramSearch, chosen: Sequence[KeptCase]
) -> list[Case]:
    """Returns cases by which the suite detects more mutants."""
    brief = known.brief
    if brief.mutation is None:
        return []
    calls = [*known.documented_calls(), *written_calls(brief.suite, known.matcher)]
    linker = Linker(brief.requirements, known.program)
    judge = Judge(search, lambda item: not linker.link(item.case, item.checks).exempt)
    return killing_cases(brief, judge, chosen, list(dict.fromkeys(calls)))


def _composing(known: ProgramKnowledge, search: ProgramSearch) -> Composing:
    return Composing(
        known.brief,
        known.prober,
        known.resolver,
        known.inputs,
        known.targets,
        MissingFiles(known.matcher, search.maker.places),
        StorySubjects(known.program, known.resolver, known.matcher),
        known.inheritance,
        search.reach,
        known.pacing.verifying_ends(),
        known.covered,
    )
