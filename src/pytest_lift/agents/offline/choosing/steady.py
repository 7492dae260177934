"""Keeps the cases that give the same in any order, at another time and with other hash seeds."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Any

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.writing.messages import is_usage, telling_piece
from pytest_lift.calls.case import Case, Observation, Outcome
from pytest_lift.calls.child.describing.describe import is_begun
from pytest_lift.calls.child.executing import AWAITED
from pytest_lift.calls.child.outcomes import shared_beginning
from pytest_lift.calls.prober import Manner, Prober, Rerun
from pytest_lift.source.syntax import leaf, shared_expression

DAYS, YEARS = 291_600.0, 137_600_000.0
"""Seconds by which the clock is wrong in another run: some days, and more than four years, another
month, weekday and time of the day: ``3 years ago`` is true for one year."""
AGAIN: Sequence[Manner] = (
    {"hash_seed": 1, "backwards": True, "elsewhere": True, "moved": DAYS},
    {"hash_seed": 4242, "apart": True, "moved": YEARS},
)
"""How the cases are run again: any two of them ran in both orders then, and each of them with few
before it."""
ALONE = AGAIN[-1]
"""How they are run to see which of them are worth more work: with few before them."""
AT_ONCE: Sequence[Manner] = ({"hash_seed": 4242, "apart": True, "elsewhere": True, "moved": YEARS},)
"""How they are run again where there is no time for two more processes: the suite is run in another
order anyway."""
LEAVING: Sequence[Manner] = ({"leaving": True}, {"leaving": True, "backwards": True})
"""How they are run where some leave variables of modules, or classes, changed: as pytest runs
tests."""
SHORT, SHORT_STARTS = 2.5, 5.0
"""Seconds below which there is none, and times that the program is imported in them."""
MORE_SEEDS, MANY_SEEDS = (7, 99, 1234, 31337), (*range(100, 110),)
"""Hash seeds with which cases run once more that have sets of texts, or give texts that the program
may have in sets, and further ones where it places them by their hashes itself."""
SETS = re.compile(
    r"(?<![.\w])(?:set|frozenset)\(|\{[^{}:]+ for |\{[^{}:]+,[^{}:]*\}|keys\(\)\s*[&|^-]"
)
PLACING = re.compile(r"(?<!return )(?<!def )(?<![.\w])hash\(")
"""Code of a program that makes sets, and that does something with hashes but give them back."""
CHOICE_SECONDS, CHOICE_SHARE = 4.0, 0.2
"""Most seconds for looking which cases to choose, and share of the time."""
VERIFY_SECONDS = 20.0
FIRST_RUN = 0.4
"""Share of the time for the first run, which has to do with the most cases."""
ADDRESS = re.compile(r"\bat 0x[0-9a-f]+")
"""Place of an object, which is another one in each run, and no part of what an error says."""
UNSTABLE = Outcome(type="unstable")
"""Stands for an outcome that is not the same in each run; one that is awaited keeps its `wrap`."""
STATE = "state"
"""Why a case is rejected that leaves variables of modules changed."""
SORTED = "sorted({})"
"""How a result is looked at whose order means nothing."""


def steady_choice(
    kept: Sequence[KeptCase],
    choice: Callable[[Sequence[KeptCase]], list[Chosen]],
    prober: Prober,
) -> list[Chosen]:
    """Returns what is chosen of the cases that give the same with few others before them, too, and
    in another order, where some do not: others take their place."""
    now = time.monotonic()
    until = now + min(CHOICE_SECONDS, CHOICE_SHARE * (prober.until - now))
    chosen = choice(kept)
    known: set[str] = set()
    for how in (ALONE, *AGAIN):
        searched = [item.kept for item in chosen if item.kept.case.origin == "searched"]
        waiting = [one for one in searched if how is not ALONE or one.case.key not in known]
        known |= {one.case.key for one in waiting}
        unsteady = _unsteady(waiting, prober, until - time.monotonic(), how)
        if not unsteady:
            break
        kept = [one for one in kept if one.case.key not in unsteady]
        chosen = choice(kept)
    return chosen


def _unsteady(kept: Sequence[KeptCase], prober: Prober, seconds: float, how: Manner) -> set[str]:
    """Returns `Case.key` of what gives something else than it did when it is run in some way."""
    if not kept or seconds <= prober.starting:
        return set()
    parts = with_and_without_definitions([one.case for one in kept])
    reruns = [Rerun(some, how) for some in parts]
    again = reduce(or_, prober.observe_each(reruns, seconds))
    pairs = ((one, again[one.case.key]) for one in kept if one.case.key in again)
    return {one.case.key for one, seen in pairs if not _holds(one.seen, seen)}


def _holds(first: Observation, second: Observation) -> bool:
    """Whether a second run agrees with a first one. What nothing is told of yet, since it changes
    an object, is looked at later."""
    telling = any(outcome.telling or outcome.raised for outcome in first.outcomes)
    return _agreeing(first, second) is not None if telling else not second.rejected


def _part(share: float, prober: Prober, seconds: float, turns: int, later: int = 0) -> float:
    """Returns the seconds of so many `turns`, one after the other, with this share of the time that
    is left: that of importing the program is kept for them and for those that come `later`. Each
    takes at most `seconds`."""
    left = prober.until - time.monotonic()
    importing = turns * prober.starting
    free = max(left - importing - later * prober.starting, 0.0)
    return min(turns * seconds, importing + share * free)


def stable(
    cases: Sequence[Case],
    prober: Prober,
    seconds: float = VERIFY_SECONDS,
    beside: Sequence[Case] = (),
) -> dict[str, Observation]:
    """Returns observations that fresh processes with other hash seeds and orders agree on.

    Each run takes at most `seconds` and its part of the time that is left, so that of many cases
    some get through all runs. Those after the first run beside each other. What is there `beside`
    them, as tests of the suite, gives the same after them, and they after it.
    """
    short = max(SHORT, SHORT_STARTS * prober.starting)
    ways = AGAIN if prober.until - time.monotonic() > short else AT_ONCE
    apart = len(with_and_without_definitions(cases)) or 1
    turns = prober.turns(sum(apart if how.get("apart") else 1 for how in ways))
    part = _part(FIRST_RUN, prober, seconds, 1, turns)
    first = prober.observe(cases, part, strict=True, tidy=True)
    stated = {case.key for case in cases if case.origin == "requirement"}
    agreed = {
        k: seen for k, seen in first.items() if seen.usable or (k in stated and not seen.rejected)
    }
    doubted = any(seen.leaves or seen.registers for seen in agreed.values())
    later = prober.turns(len(LEAVING)) if doubted else 0
    waiting = [case for case in cases if case.key in agreed]
    reruns = [
        Rerun(some, {"tidy": True, **how})
        for how in ways
        for some in (with_and_without_definitions(waiting) if how.get("apart") else [waiting])
    ]
    part = _part(turns / (turns + later), prober, seconds, turns, later)
    for rerun, again in zip(reruns, prober.observe_each(reruns, part), strict=True):
        for key in {case.key for case in rerun.cases} & agreed.keys():
            both = _agreeing(agreed[key], again[key]) if key in again else None
            if both is None:
                del agreed[key]
            else:
                agreed[key] = both
    for key in _that_disturb(cases, agreed, prober, seconds):
        del agreed[key]
    for key in _disturbed_beside(cases, agreed, prober, seconds, beside):
        del agreed[key]
    return _in_other_sets(cases, agreed, prober, part / turns, short=ways is AT_ONCE)


def _that_disturb(
    cases: Sequence[Case], agreed: Mapping[str, Observation], prober: Prober, seconds: float
) -> set[str]:
    """Returns `Case.key` of the cases of which anything is something else after others that leave
    variables of modules or classes changed, or what they define registered; of all that leave some,
    where these are no more than others that go, or where time was too short to see who does."""
    leaving = {key for key, seen in agreed.items() if seen.leaves}
    doubted = leaving | {key for key, seen in agreed.items() if seen.registers}
    waiting = [case for case in cases if case.key in agreed]
    changed: set[str] = set()
    turns = prober.turns(len(LEAVING))
    part = _part(1.0, prober, seconds, turns)
    reruns = [Rerun(waiting, how) for how in LEAVING] if doubted else []
    for again in prober.observe_each(reruns, part):
        if again.keys() != agreed.keys():
            return doubted
        changed |= {key for key, seen in agreed.items() if _differs(seen, again[key])}
    others = changed - leaving
    return leaving if leaving and others and len(leaving) <= len(others) else changed


def _disturbed_beside(
    cases: Sequence[Case],
    agreed: Mapping[str, Observation],
    prober: Prober,
    seconds: float,
    beside: Sequence[Case],
) -> set[str]:
    """Returns `Case.key` of the cases that give something else where what is `beside` them leaves
    variables of modules or classes changed, and of those that leave some, where others give
    something else after that."""
    waiting = [case for case in cases if case.key in agreed]
    others = [case for case in beside if case.key not in agreed]
    if not waiting or not others:
        return set()
    known = prober.observe(others, _part(0.5, prober, seconds, 1), strict=True, tidy=True)
    leaving = {key for key, seen in agreed.items() if seen.leaves or seen.registers}
    if not leaving and not any(one.leaves or one.rejected == STATE for one in known.values()):
        return set()
    usable = {key: seen for key, seen in known.items() if seen.usable}
    reruns = [Rerun([*others, *waiting], how) for how in LEAVING]
    part = _part(1.0, prober, seconds, prober.turns(len(reruns)))
    found: set[str] = set()
    for again in prober.observe_each(reruns, part):
        found |= {key for key in agreed.keys() & again if _differs(agreed[key], again[key])}
        if any(key not in again or _differs(seen, again[key]) for key, seen in usable.items()):
            found |= leaving
    return found


def _differs(seen: Observation, again: Observation) -> bool:
    """Whether something else came out of what is asserted."""
    return _agreeing(seen, again) != seen


def _in_other_sets(
    cases: Sequence[Case],
    agreed: Mapping[str, Observation],
    prober: Prober,
    seconds: float,
    *,
    short: bool,
) -> dict[str, Observation]:
    """Returns the observations but for those of sets of texts that come in another order with more
    hash seeds: of two items every second seed has the same. The sets may be inside of the program:
    then what it gives has texts in some order, which is looked at where time is not `short`."""
    found = dict(agreed)
    texts = [] if short else [file.text for file in prober.program.files.values()]
    placing = any(map(PLACING.search, texts))
    hashing = placing or any(map(SETS.search, texts))
    sets = [
        case
        for case in cases
        if case.key in found
        and (_has_set_of_texts(case.source) or (hashing and _has_order(found[case.key])))
    ]
    seeds = (*MORE_SEEDS, *(MANY_SEEDS if placing else ()))
    reruns = [Rerun(sets, {"hash_seed": seed}) for seed in seeds] if sets else []
    for again in prober.observe_each(reruns, prober.turns(len(reruns)) * seconds):
        for key, seen in again.items():
            both = _agreeing(found[key], seen) if key in found else None
            if both is None:
                found.pop(key, None)
            else:
                found[key] = both
    return found


def _has_set_of_texts(source: str) -> bool:
    """Whether a case has a set of several items with a text among them, or makes a set of one."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Set) and len(node.elts) > 1:
            if any(isinstance(getattr(one, "value", None), str | bytes) for one in node.elts):
                return True
        elif isinstance(node, ast.Call) and leaf(node.func) in ("set", "frozenset") and node.args:
            return True
    return False


def _has_order(seen: Observation) -> bool:
    """Whether a text stands beside something else in what is asserted: an item among others, a word
    among others."""
    sources = [
        source for one in seen.outcomes for source in (one.source, *dict(one.attributes).values())
    ]
    told = (text for one in seen.outcomes for text in (one.printed, one.text or ""))
    nodes = (shared_expression(source) for source in sources if source)
    parts = (part for node in nodes if node is not None for part in ast.walk(node))
    return any(len(text.split()) > 1 for text in told) or any(map(_is_in_order, parts))


def _is_in_order(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and len(re.findall(r"\w+", node.value)) > 1
    items = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", ())
    texts = (isinstance(part, ast.Constant) and isinstance(part.value, str | bytes)
             for one in items if one is not None for part in ast.walk(one))  # fmt: skip
    return len(items) > 1 and any(texts)


def with_and_without_definitions(cases: Sequence[Case]) -> list[list[Case]]:
    """Returns the cases that define nothing, which must not know the classes of others, and those
    that do."""
    parts = [
        [case for case in cases if bool(case.defines) is defining] for defining in (False, True)
    ]
    return [part for part in parts if part]


def _agreeing(first: Observation, second: Observation) -> Observation | None:
    """Returns the observation with `UNSTABLE` for each outcome on which the two differ; None where
    nothing is left to assert."""
    if second.rejected or len(first.outcomes) != len(second.outcomes):
        return None
    pairs = list(zip(first.outcomes, second.outcomes, strict=True))
    if any((one.raised is None) != (other.raised is None) for one, other in pairs):
        return None
    outcomes = tuple(_common(one, other) for one, other in pairs)
    if not any(outcome.telling or outcome.raised for outcome in outcomes):
        return None
    return replace(first, outcomes=outcomes)


def _common(one: Outcome, other: Outcome) -> Outcome:
    """Returns an outcome with the attributes and the text that two runs agree on; an error has its
    words, and what was written before it, where they agree on these but for places of objects.
    Usages that name the process, which is another one elsewhere, agree where they complain of the
    same."""
    for stream in ("printed", "complained"):
        said, again = getattr(one, stream), getattr(other, stream)
        words: dict[str, Any] = {stream: said if _agree_in_usage(said, again) else ""}
        if said != again and (words[stream] or (one.raised and other.raised)):
            one, other = replace(one, **words), replace(other, **words)
    attributes = tuple(pair for pair in one.attributes if pair in other.attributes)
    text = one.text if one.text == other.text else None
    one, other = (replace(each, attributes=attributes, text=text) for each in (one, other))
    if one.raised is not None and other.raised is not None:
        first, second = one.raised, other.raised
        said, again, varies = first.message, second.message, first.varies or second.varies
        alike = replace(first, varies=varies) == replace(second, message=said, varies=varies)
        if one != other and alike:
            same = not varies and ADDRESS.sub("", said) == ADDRESS.sub("", again)
            told = said if same else shared_beginning(said, again)
            return replace(one, raised=replace(first, message=told, varies=not same))
    if one == other:
        return one
    awaited = AWAITED in (one.wrap, other.wrap)  # also where what it gives is not told
    return replace(UNSTABLE, wrap=AWAITED) if awaited else _in_order(one, other) or UNSTABLE


def _agree_in_usage(one: str, other: str) -> bool:
    """Whether two texts are usages of which a test would assert the same."""
    return is_usage(one) and is_usage(other) and telling_piece(one) == telling_piece(other)


def _in_order(one: Outcome, other: Outcome) -> Outcome | None:
    """Returns an outcome that is sorted where two runs give the same values in another order, as a
    set does; else None, as for the first items of more: which these are may differ, too."""
    if is_begun(one.wrap) or is_begun(other.wrap):
        return None
    try:
        first, second = (ast.literal_eval(each.source or "") for each in (one, other))
        ordered = sorted(first)
        agree = isinstance(first, list) and ordered == sorted(second)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    found = replace(one, wrap=SORTED, source=repr(ordered))
    wrap = SORTED if one.wrap == SORTED else other.wrap
    alike = one.wrap == wrap and found == replace(other, wrap=SORTED, source=found.source)
    return found if agree and alike else None
