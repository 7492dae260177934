"""Selects the kept cases that are worth a test."""

from __future__ import annotations

import ast
import heapq
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.choosing.conditions import (
    BothAnswers,
    for_its_answer,
    other_answers,
)
from pytest_lift.agents.offline.search.dullness import EMPTY, READ_BACK, dullness
from pytest_lift.agents.offline.search.kept import HEARD, KeptCase
from pytest_lift.agents.offline.search.showing import REPRESENTATION
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation
from pytest_lift.source.syntax import parsed_expression

GOALS = {"option": 2.0, "answer": 1.0, HEARD: 1.5}
"""Gain of a goal by its first word."""
LEAST_DULL = 0.5
"""Dullness from which a result is no reason for a test."""
NOTHING_SEEN = 1.0
"""Dullness from which a result is nothing: None, or something empty."""
LONGEST_WORDS = 40
"""Characters of what an object reads as, from which it counts as a representation."""
LITTLE = 1.0
"""Gain up to which something empty, an argument that is read back, or a representation is no
reason for a test."""
MOST_GUESSES = 2
"""Guessed arguments from which a result that is nothing is no reason for a test."""
DULL = 0.5
"""Cost of what a result leaves unsaid."""
TAUTOLOGY = 2.0
"""Cost of a comparison with an equal expression."""
Result = tuple[str, str, tuple[str, ...]]
LEAST_COST = 0.1
"""Cost below which a plainer case is chosen no sooner."""
ENOUGH = 1.0
"""Gain of a branch of coverage.py."""
LEAST_GAIN = 0.5
"""Least gain for a test: two deciding conditions, or one block."""


@dataclass(frozen=True)
class Chosen:
    """Case that becomes a test, and the probes that no case chosen before it reaches."""

    kept: KeptCase
    gain: frozenset[int]

    @property
    def function(self) -> tuple[str, str]:
        """Path and qualified name of the function that the case is about."""
        return self.kept.case.path, self.kept.case.symbol


def choose(
    kept: Sequence[KeptCase],
    covered: frozenset[int],
    weigh: Callable[[int], float],
    common: Callable[[Observation], float] = lambda _: 0.0,
) -> list[Chosen]:
    """Returns documented cases, then cases with the best gain per cost until none gains enough.

    `common` is how dull a result is since others are alike.
    """
    chosen: list[Chosen] = []
    reached = set(covered)
    shown: set[str] = set()
    results: dict[Result, str] = {}
    for item in _worth_showing([i for i in kept if i.case.origin != "searched"]):
        chosen.append(Chosen(item, frozenset(item.seen.hits - reached)))
        reached |= item.seen.hits
        shown |= item.goals
        results.setdefault(_result(item), _situation(item))
    searched = [item for item in kept if item.case.origin == "searched"]
    # No score ever grows: of those that were worked out earlier only the best one can be the next.
    waiting = [(-math.inf, item.case.cost, number) for number, item in enumerate(searched)]
    heapq.heapify(waiting)
    while waiting:
        *_, number = heapq.heappop(waiting)
        best = searched[number]
        dull = DULL * common(best.seen)
        score = _score(best, reached, shown, results, weigh, dull)
        rank = (-score, best.case.cost, number)
        if score > 0 and waiting and waiting[0] < rank:
            heapq.heappush(waiting, rank)
        elif score > 0:
            chosen.append(Chosen(best, frozenset(best.seen.hits - reached)))
            reached |= best.seen.hits
            shown |= best.goals
            results.setdefault(_result(best), _situation(best))
    return chosen


def with_both_answers(chosen: Sequence[Chosen], kept: Sequence[KeptCase]) -> list[Chosen]:
    """Returns the chosen cases with the plainest other one of each function that tells whether
    something holds and of which they show one answer: each of the two is there for its answer
    then."""
    others = [*other_answers((item.kept for item in chosen), kept)]
    both = BothAnswers([*(item.kept for item in chosen), *others])
    places = {(one.case.path, one.case.symbol) for one in others}
    return [
        *(
            replace(item, kept=for_its_answer(item.kept))
            if item.function in places and both.is_one(item.kept)
            else item
            for item in chosen
        ),
        *(Chosen(for_its_answer(one), frozenset()) for one in others),
    ]


def _worth_showing(documented: Sequence[KeptCase]) -> Iterator[KeptCase]:
    """Yields every example of a requirement, and other examples that are no mere variation."""
    known: dict[tuple[str, ...], str] = {}
    checks: set[str] = set()
    told: set[str] = set()
    """Lines of the examples before."""
    reached: set[int] = set()
    for item in documented:
        case = item.case
        kind = (case.path, case.symbol, *sorted(set(case.keywords)))
        source = "\n".join(step.source for step in case.steps if step.check)
        lines = {step.source for step in case.steps}
        first = known.setdefault(kind, case.session)
        repeated = source in checks or lines <= told or first != case.session
        if case.origin == "requirement" or not repeated or item.seen.hits - reached:
            yield item
            told |= lines
        checks.add(source)
        reached |= item.seen.hits


def _score(
    item: KeptCase,
    reached: set[int],
    shown: set[str],
    results: Mapping[Result, str],
    weigh: Callable[[int], float],
    dull: float,
) -> float:
    """Returns gain over cost; 0 for a case that only repeats the result of another test."""
    new = item.seen.hits - reached
    gain = sum(weigh(number) for number in new)
    repeated = _result(item) in results and not any(weigh(n) >= 1 for n in new)
    gain += sum(GOALS[goal.partition(" ")[0]] for goal in item.goals - shown)
    if gain < LEAST_GAIN or (repeated and not item.goals - shown):
        return 0.0
    raised = item.seen.fails
    if raised and results.get(_result(item), _situation(item)) != _situation(item):
        return 0.0
    named = sum(goal.startswith("option ") for goal in item.goals)
    beside = len(item.case.keywords) - named + (len(item.case.keywords) if raised else 0)
    odd = TAUTOLOGY if _compares_with_itself(item.case) or _is_unlike(item) else 0.0
    odd += dull + DULL * dullness(item.case, item.seen)
    cost = max(LEAST_COST, item.case.cost) + 0.4 * beside + odd
    return gain / (0.6 + cost)


def _situation(item: KeptCase) -> str:
    """Returns the lines before the last call: an error is shown in one state of an object."""
    return "\n".join(step.source for step in item.case.steps if not step.check)


def _compares_with_itself(case: Case) -> bool:
    """Whether a case is like ``Set() == Set()``, which any class with equality passes."""
    nodes = [parsed_expression(step.source) for step in case.steps if step.check]
    return any(
        isinstance(node, ast.Compare) and ast.dump(node.left) == ast.dump(node.comparators[0])
        for node in nodes
    )


def _is_unlike(item: KeptCase) -> bool:
    """Whether a case shows that an object differs from one of another kind: ``Url() != Mount()``,
    which is nearly always true."""
    checked = [step for step in item.case.steps if step.check]
    pairs = zip(checked, item.seen.outcomes, strict=False)
    told = [(parsed_expression(step.source), outcome.source) for step, outcome in pairs]
    return bool(told) and all(
        isinstance(node, ast.Compare)
        and isinstance(node.ops[0], ast.Eq | ast.NotEq)
        and (source == "True") == isinstance(node.ops[0], ast.NotEq)
        and _kind(node.left) != _kind(node.comparators[0])
        for node, source in told
    )


def _kind(node: ast.expr) -> str:
    """Returns what a call calls, or the kind of another expression."""
    return ast.unparse(node.func) if isinstance(node, ast.Call) else type(node).__name__


def _result(item: KeptCase) -> Result:
    """Returns what a test of the case would assert, as far as it distinguishes tests."""
    said = tuple(
        o.raised.type + o.raised.message if o.raised else f"{o.source}{o.attributes}{o.files}"
        for o in item.seen.outcomes
    )
    return item.case.path, item.case.symbol, said


def shared_out(chosen: Sequence[Chosen], distance: Callable[[KeptCase], float]) -> list[Chosen]:
    """Returns the chosen cases, each with those probes that no plainer one reaches, and without
    searched ones that are left with nothing to show.

    `distance` is from what a person would write. What was chosen first has most probes, and would
    have to stay as it is.
    """
    wanted = frozenset[int]().union(*(item.gain for item in chosen))
    order = sorted(
        range(len(chosen)),
        key=lambda n: (chosen[n].kept.case.origin == "searched", distance(chosen[n].kept)),
    )
    gains: dict[int, frozenset[int]] = {}
    for number in order:
        gains[number] = wanted & chosen[number].kept.seen.hits
        wanted -= gains[number]
    shared = [replace(item, gain=gains[number]) for number, item in enumerate(chosen)]
    return [i for i in shared if i.gain or i.kept.goals or i.kept.case.origin != "searched"]


def with_owners(
    chosen: Sequence[Chosen],
    tested: AbstractSet[int],
    weigh: Callable[[int], float],
    distance: Callable[[KeptCase], float],
) -> list[Chosen]:
    """Returns the cases, the plainest ones with the branches that they reach and none is for any
    more: the case that was for one of them has lost it since others reach it, of which one must
    not lose it, too."""
    wanted = frozenset[int]().union(*(item.kept.seen.hits for item in chosen)) - tested
    wanted = wanted.difference(*(item.gain for item in chosen))
    unowned = {number for number in wanted if weigh(number) >= ENOUGH}
    found = list(chosen)
    for at in sorted(range(len(found)), key=lambda n: distance(found[n].kept)):
        own = unowned & found[at].kept.seen.hits
        if own:
            found[at] = replace(found[at], gain=found[at].gain | own)
            unowned -= own
    return found


def without_dull(
    chosen: Sequence[Chosen],
    guesses: Callable[[Call], int],
    weigh: Callable[[int], float],
) -> list[Chosen]:
    """Returns the cases without those that say little: that a function returns something, which
    is nothing; what reaches little and shows something empty, what a constructor was given, or a
    representation; and what is nothing for arguments of which most are `guesses`. A no stays beside
    a yes of its function, the first case of a file where the others of it say as little, and a
    plain call that alone reaches a branch where others of its function show what else that gives:
    this is where it begins, or ends."""
    answers = BothAnswers(item.kept for item in chosen)
    dull = {n for n, i in enumerate(chosen) if _is_dull(i) and not answers.is_one(i.kept)}
    dull |= {n for n, i in enumerate(chosen) if _is_idle(i, guesses, weigh)}
    telling = {item.function for n, item in enumerate(chosen) if n not in dull}
    dull = {n for n in dull if not _is_edge(chosen[n], telling, guesses, weigh)}
    shown = {item.kept.case.path for n, item in enumerate(chosen) if n not in dull}
    found = []
    for number, item in enumerate(chosen):
        path = item.kept.case.path
        if number not in dull or path not in shown:
            found.append(item)
            shown.add(path)
    return found


def _is_idle(item: Chosen, guesses: Callable[[Call], int], weigh: Callable[[int], float]) -> bool:
    case, call = item.kept.case, item.kept.call
    dull = dullness(case, item.kept.seen)
    if call is None or case.origin != "searched":
        return False
    long = any(len(outcome.source or "") > LONGEST_WORDS for outcome in item.kept.seen.outcomes)
    worded = case.symbol.endswith(REPRESENTATION) or (long and case.symbol.endswith("__str__"))
    says_nothing = dull > NOTHING_SEEN or dull == READ_BACK or worded
    little = says_nothing and sum(map(weigh, item.gain)) <= LITTLE
    return little or (dull >= NOTHING_SEEN and guesses(call) >= MOST_GUESSES)


def _is_edge(
    item: Chosen,
    telling: AbstractSet[tuple[str, str]],
    guesses: Callable[[Call], int],
    weigh: Callable[[int], float],
) -> bool:
    """Whether a plain call, of a function of which others tell something, alone reaches a branch
    and gives something empty."""
    call = item.kept.call
    if call is None or call.receiver is not None or call.before or item.function not in telling:
        return False
    empty = all(outcome.source in EMPTY for outcome in item.kept.seen.outcomes)
    return empty and not guesses(call) and sum(map(weigh, item.gain)) >= ENOUGH


def _is_dull(item: Chosen) -> bool:
    case, seen = item.kept.case, item.kept.seen
    answers = all(goal.startswith("answer ") for goal in item.kept.goals)
    alone = sum(step.check for step in case.steps) == len(seen.outcomes)
    if case.origin != "searched" or item.gain or not answers or not alone:
        return False
    return dullness(case, seen) >= LEAST_DULL


def without_copies(chosen: Sequence[Chosen]) -> list[Chosen]:
    """Returns each case once, since shrinking can make cases equal."""
    return list({item.kept.case.key: item for item in reversed(chosen)}.values())[::-1]
