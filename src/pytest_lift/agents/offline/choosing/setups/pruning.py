"""Takes out of the set-up of searched cases what plays no part in what they show: statements, and
in those and in definitions keyword arguments, decorators and lines."""

from __future__ import annotations

import ast
import copy
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import islice

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation, Step
from pytest_lift.calls.definitions import is_named_after_decorator
from pytest_lift.calls.names import free_names
from pytest_lift.calls.prober import Prober
from pytest_lift.source.bindings import bound_names, imports_in
from pytest_lift.source.syntax import FunctionNode, parsed_expression

SECONDS = 2.0
"""Seconds for each round."""
MOST_ROUNDS, MOST_TRIED, MOST_WRITTEN = 8, 24, 120
"""Most parts that a case loses, one after the other, most that are tried in a round, and most parts
of statements of which the largest are tried."""
OTHER_ORDER = 1
"""Seed of hashes with which what is left of cases is looked at once more."""
LEAST_CHARACTERS = 25
"""Characters of a set-up below which there is nothing to be taken out of it."""
MOST_LOST = 0.005
"""Share of the counted probes reached that may go with such parts: nothing is asserted of them."""
CHARACTERS = 20
"""Characters less for which a case may lose one of them."""


@dataclass(frozen=True)
class _Pruned:
    """A case without a part of its set-up, and how many characters that had."""

    case: Case
    less: int


def pruned(
    chosen: Sequence[Chosen],
    prober: Prober,
    counted: AbstractSet[int],
    tested: AbstractSet[int],
) -> list[Chosen]:
    """Returns the cases without parts of their set-up that leave what is seen as it is, the largest
    first; few of the `counted` probes are lost that neither another case nor `tested` reach."""
    found = list(chosen)
    reached = Counter(n for item in chosen for n in item.kept.seen.hits & counted - tested)
    spare = MOST_LOST * len(reached.keys() | (tested & counted))
    waiting = [n for n, item in enumerate(chosen) if _may_lose(item)]
    for _ in range(MOST_ROUNDS):
        sources = Counter(step.source for item in found for step in {*item.kept.case.steps})
        shared = frozenset(source for source, times in sources.items() if times > 1)
        drafts = {n: _drafts(found[n].kept.case, shared) for n in waiting}
        cases = [one.case for some in drafts.values() for one in some]
        seen = prober.observe(cases, SECONDS, checked=True) if cases else {}
        waiting = []
        for number, some in drafts.items():
            item = found[number]
            for one in sorted(some, key=lambda draft: -draft.less):
                observed = seen.get(one.case.key)
                if observed is None or not _is_as_shown(observed, item.kept.seen):
                    continue
                own = (item.kept.seen.hits - observed.hits) & counted - tested
                lost = sum(reached[hit] == 1 for hit in own)
                if lost > spare or lost > one.less / CHARACTERS:
                    continue
                spare -= lost
                reached.subtract(own)
                kept = replace(item.kept, case=one.case, seen=observed)
                found[number] = Chosen(kept, item.gain & observed.hits)
                waiting.append(number)
                break
        if not waiting:
            break
    steady = _steady(chosen, found, prober)
    return [
        _with_its_call(item, before.kept.case) for before, item in zip(chosen, steady, strict=True)
    ]


def _with_its_call(item: Chosen, before: Case) -> Chosen:
    """Returns a case with the call that is left: what was taken out of it is not judged later."""
    kept = item.kept
    if kept.call is None or kept.case is before:
        return item
    gone = _options(before) - _options(kept.case)
    return replace(item, kept=replace(kept, call=_without(kept.call, gone)))


def _options(case: Case) -> AbstractSet[tuple[str, str]]:
    """Returns the names and values of all keyword arguments in a case."""
    nodes = ast.walk(ast.parse(case.source))
    words = (node for node in nodes if isinstance(node, ast.keyword))
    return {(word.arg or "", ast.unparse(word.value)) for word in words}


def _without(call: Call, gone: AbstractSet[tuple[str, str]]) -> Call:
    """Returns a call without arguments that are `gone`, nor those of calls before it."""
    trees = [(pair, parsed_expression(pair[1])) for pair in call.values]
    return call.but(
        values=tuple(
            pair for pair, tree in trees if tree is None or (pair[0], ast.unparse(tree)) not in gone
        ),
        receiver=call.receiver and _without(call.receiver, gone),
        before=tuple(_without(line, gone) for line in call.before),
    )


def _steady(chosen: Sequence[Chosen], found: Sequence[Chosen], prober: Prober) -> list[Chosen]:
    """Returns the cases as they were `found`, but for those that give something else in another
    order of sets only since they lost something."""
    changed = [n for n, item in enumerate(found) if item is not chosen[n]]
    cases = [item.kept.case for n in changed for item in (chosen[n], found[n])]
    seen = prober.observe(cases, SECONDS, hash_seed=OTHER_ORDER) if cases else {}

    def holds(item: Chosen) -> bool:
        observed = seen.get(item.kept.case.key)
        return observed is None or _is_as_shown(observed, item.kept.seen)

    return [
        before if item is not before and holds(before) and not holds(item) else item
        for before, item in zip(chosen, found, strict=True)
    ]


def _is_as_shown(seen: Observation, before: Observation) -> bool:
    return not seen.rejected and seen.outcomes == before.outcomes


def _may_lose(item: Chosen) -> bool:
    case = item.kept.case
    long = sum(len(step.source) for step in case.steps if not step.check) >= LEAST_CHARACTERS
    plain = not (case.looped or case.seeded or case.effect or case.exact)
    return case.origin == "searched" and plain and long and bool(item.kept.seen.outcomes)


def _drafts(case: Case, shared: AbstractSet[str]) -> Sequence[_Pruned]:
    """Returns the case without each of its statements, and those that need it, then with each of
    them made smaller, the largest part first; those that other cases have, too, are defined once
    for all of them."""
    steps = case.steps
    free = [at for at, step in enumerate(steps) if not step.check]
    whole = [gone for at in free if (gone := _needing(steps, at)) is not None]
    whole.sort(key=lambda gone: -sum(len(steps[at].source) for at in gone))
    own = [at for at in free if steps[at].source not in shared]
    made = ((at, source) for at in own for source in smaller(steps[at].source))
    parts = sorted(
        dict.fromkeys(islice(made, MOST_WRITTEN)),
        key=lambda part: len(part[1]) - len(steps[part[0]].source),
    )
    drafts = [(steps, gone) for gone in whole[:MOST_TRIED]]
    for at, source in parts[: MOST_TRIED - len(drafts)]:
        changed = (*steps[:at], replace(steps[at], source=source), *steps[at + 1 :])
        drafts.append((changed, _unread(steps, changed)))
    return [
        _pruned(
            case,
            [step for at, step in enumerate(changed) if at not in gone],
            case.defines - sum(at < case.defines for at in gone),
        )
        for changed, gone in drafts
    ]


def _pruned(case: Case, steps: Sequence[Step], defines: int) -> _Pruned:
    source = "\n".join(step.source for step in steps)
    read = free_names(source) | {*re.findall(r"\b\w+(?=\.)", source)}
    lines = [line for line in case.imports if _is_read(line, read)]
    given = [one for one in (*case.keywords, *case.idle) if _is_given(one, source, case.source)]
    cost = case.cost * len(source) / max(len(case.source), 1)
    less = len(case.source) - len(source)
    shorter = replace(
        case,
        steps=tuple(steps),
        defines=defines,
        imports=tuple(lines),
        keywords=tuple(one for one in case.keywords if one in given),
        idle=tuple(one for one in case.idle if one in given),
        cost=cost,
    )
    return _Pruned(shorter, less)


def _is_given(option: str, source: str, before: str) -> bool:
    """Whether an option is still set, where it was by its name."""
    setting = re.compile(rf"\b{re.escape(option)}=")
    return bool(setting.search(source) or not setting.search(before))


def _is_read(line: str, read: AbstractSet[str]) -> bool:
    names = {one.bound for one in imports_in(ast.parse(line).body)}
    return "*" in names or bool(names & read)


def _needing(steps: Sequence[Step], at: int) -> AbstractSet[int] | None:
    """Returns a statement with those after it that read what it binds, and nobody else does; None
    where something is looked at that needs it."""
    gone, lost = {at}, {*_bound(steps[at])}
    for number in range(at + 1, len(steps)):
        step = steps[number]
        if lost & free_names(step.source):
            if step.check:
                return None
            gone.add(number)
            lost |= {*_bound(step)}
        elif not step.check:
            lost -= {*_bound(step)}
    return gone


def _unread(before: Sequence[Step], steps: Sequence[Step]) -> AbstractSet[int]:
    """Returns the statements that bind what only the part read that went, and those that bind what
    only these read."""
    gone: set[int] = set()
    read = [free_names(step.source) for step in before]
    reads = [free_names(step.source) for step in steps]
    for at in reversed(range(len(steps))):
        names = {*_bound(steps[at])}
        later = [n for n in range(at + 1, len(steps)) if n not in gone]
        needed = any(names & reads[n] for n in later)
        was_needed = any(names & read[n] for n in range(at + 1, len(before)))
        if names and was_needed and not needed and not steps[at].check:
            gone.add(at)
    return gone


def _bound(step: Step) -> Iterator[str]:
    for node in ast.parse(step.source).body:
        if isinstance(node, FunctionNode | ast.ClassDef):
            yield node.name
        else:
            yield from bound_names(node)


def smaller(source: str) -> Iterator[str]:
    """Yields a statement without its keyword arguments, those of a name, of a call, and each;
    without one of its decorators, and of the lines of the classes and decorated functions that it
    defines: commands may do nothing, but a function that a test hands on is what its name says,
    decorators included."""
    tree = ast.parse(source)
    if any(map(is_named_after_decorator, tree.body)):
        return
    calls = [n for n, node in enumerate(ast.walk(tree)) if getattr(node, "keywords", ())]
    if len(calls) > 1:
        yield _without_keywords(tree, calls)
    names = Counter(one.arg for one in ast.walk(tree) if isinstance(one, ast.keyword))
    yield from (_without_keywords(tree, calls, name) for name, times in names.items() if times > 1)
    for number, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.Call):
            if len(node.keywords) > 1:
                yield _without_keywords(tree, [number])
            for at in range(len(node.keywords)):
                yield _written(tree, number, "keywords", at)
        if isinstance(node, FunctionNode | ast.ClassDef):
            for at in range(len(node.decorator_list)):
                yield _written(tree, number, "decorator_list", at)
            loose = isinstance(node, ast.ClassDef) or node.decorator_list
            for at, line in enumerate(node.body if loose else ()):
                if not isinstance(line, ast.Pass | ast.Return):
                    yield _written(tree, number, "body", at)


def _without_keywords(tree: ast.Module, calls: Sequence[int], name: str | None = "") -> str:
    """Returns the source of code without the keyword arguments of some of its nodes, those of one
    `name` where that is given."""
    found = copy.deepcopy(tree)
    for number, node in enumerate([*ast.walk(found)]):
        if number in calls and isinstance(node, ast.Call):
            node.keywords = [one for one in node.keywords if name and one.arg != name]
    return ast.unparse(found)


def _written(tree: ast.Module, number: int, name: str, at: int) -> str:
    """Returns the source of code without one item of a list of one of its nodes."""
    found = copy.deepcopy(tree)
    node = next(one for n, one in enumerate(ast.walk(found)) if n == number)
    items = getattr(node, name)
    del items[at]
    if name == "body" and not items:
        items.append(ast.Pass())
    return ast.unparse(found)
