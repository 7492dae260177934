"""Parts documented cases that show many things: into cases of a few, with what these need."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.examples.pinning import names_in, pinning_lines
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.writing.told import assigned
from pytest_lift.calls.case import Case, Observation, Outcome, Step
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.prober import Prober
from pytest_lift.source.bindings import all_bound_names, imports_in
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import leaf, parsed_expression

MOST_SHOWN, SHOWN_TOGETHER = 4, 3
"""Most things that a case shows as a whole, and in a part of it."""
TOLD_TOGETHER, LONGEST_RESULT = 170, 60
"""Characters of looks and their results that a docstring tells together, and those of a result that
it tells: a longer one is told in a few words."""
MANY_LINES = 4
"""Line breaks of a text that fills a test by itself."""
SECONDS = 4.0
BINDING = (
    *(ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete),
)
"""Statements that do nothing but bind names, or change what is bound to them."""


@dataclass(frozen=True)
class _Share:
    """Some of the steps of a case."""

    case: Case
    shown: Sequence[int]
    """Numbers of the outcomes of the whole case that it shows."""


def in_parts(kept: Sequence[KeptCase], matcher: Matcher, prober: Prober) -> list[KeptCase]:
    """Returns the cases; documented ones that show many things in parts, as far as the program then
    gives the same, and reaches what no other case reaches. What another process gives otherwise
    has to be of the same type. Lines that only seem to be of no use, since they give an object to
    another one, are left to those who take out idle ones."""
    program = prober.program
    parts = {n: some for n, one in enumerate(kept) if (some := _parts(one, matcher, program))}
    seen = prober.observe([part.case for some in parts.values() for part in some], SECONDS)
    same = {n for n, some in parts.items() if _are_as_shown(some, seen, kept[n].seen)}
    others = [n for n in parts if n not in same]
    whole = {n: _parts(kept[n], matcher, program, whole=True) for n in others}
    seen |= prober.observe([part.case for some in whole.values() for part in some], SECONDS)
    same |= {n for n, some in whole.items() if _are_as_shown(some, seen, kept[n].seen)}
    parts |= {n: some for n, some in whole.items() if n in same}
    others = [n for n in others if n not in same]
    again = prober.observe([kept[n].case for n in others], SECONDS, hash_seed=1) if others else {}
    for number in others:
        other = again.get(kept[number].case.key)
        if other is not None and _are_as_shown(parts[number], seen, kept[number].seen, other):
            same.add(number)
    found: list[KeptCase] = []
    reached = Counter(hit for one in kept for hit in one.seen.hits)
    for number, one in enumerate(kept):
        cases = [part.case for part in parts[number]] if number in same else []
        lost = one.seen.hits.difference(*(seen[case.key].hits for case in cases))
        if any(reached[hit] == 1 for hit in lost):
            cases = []
        elif cases:
            reached.subtract(lost)
        found += [KeptCase(case, seen[case.key], None, one.goals) for case in cases] or [one]
    return found


def _are_as_shown(
    parts: Sequence[_Share],
    seen: Mapping[str, Observation],
    whole: Observation,
    other: Observation | None = None,
) -> bool:
    """Whether parts give what the whole case gives, in two processes alike where there is an
    `other` run of it, and something of the same type where it is not alike."""
    outcomes, others = whole.outcomes, (other or whole).outcomes
    if len(outcomes) != len(others):
        return False
    for part in parts:
        observed = seen.get(part.case.key)
        if observed is None or observed.rejected or len(observed.outcomes) != len(part.shown):
            return False
        for one, at in zip(observed.outcomes, part.shown, strict=True):
            if one.raised != outcomes[at].raised or one.type != outcomes[at].type:
                return False
            if one != outcomes[at] and outcomes[at] == others[at]:
                return False
    return True


def _parts(one: KeptCase, matcher: Matcher, program: Program, whole: bool = False) -> list[_Share]:
    """Returns the parts of a case, each with the lines that it needs, as far as names tell, or with
    the `whole` set-up; nothing for a case that stays as it is."""
    case, outcomes = one.case, one.seen.outcomes
    shown = [at for at, step in enumerate(case.steps) if step.check]
    special = case.placed or case.looped or case.seeded or case.stateful
    special = special or case.origin != "documented"
    if special or len(shown) != len(outcomes) or not all(map(_is_plain, outcomes)):
        return []
    told = [_told(case.steps[at], one) for at, one in zip(shown, outcomes, strict=True)]
    if len(shown) <= MOST_SHOWN and sum(told) <= TOLD_TOGETHER:
        return []
    asked = [_asked(case.steps[at]) for at in shown]
    groups = [*_groups(told, [*map(_stands_alone, outcomes)], asked)]
    if len(groups) == 1:
        return []
    acting = {at for at, step in enumerate(case.steps) if whole or not only_binds(step.source)}
    acting |= {*pinning_lines(case, program)}
    cases = [_part(case, [shown[n] for n in group], acting, matcher) for group in groups]
    # What stands above an example tells of what it begins with; each part is told by itself.
    rest = enumerate(cases[1:], 1)
    cases[1:] = [replace(one, title="", part=n) for n, one in rest]
    return [_Share(*share) for share in zip(cases, groups, strict=True)]


def _told(step: Step, outcome: Outcome) -> int:
    """Returns about how many characters tell what a step shows."""
    shown = outcome.source or outcome.text or ", ".join(value for _, value in outcome.attributes)
    return len(step.source) + min(len(shown), LONGEST_RESULT)


def _stands_alone(outcome: Outcome) -> bool:
    """Whether nothing is told beside an outcome: an error, or a text of many lines."""
    return outcome.raised is not None or (outcome.source or "").count("\\n") >= MANY_LINES


def _asked(step: Step) -> str:
    """Returns the name of what is called or read last: ``easter`` of ``days.easter(2019)``."""
    node = parsed_expression(step.source)
    return leaf(node.func if isinstance(node, ast.Call) else node) if node is not None else ""


def _groups(
    told: Sequence[int], alone: Sequence[bool], asked: Sequence[str]
) -> Iterator[Sequence[int]]:
    """Yields the numbers of outcomes that are told together; several of one function in a row
    begin anew. No comparison, which asks no function, is left alone by that; the last outcome is
    not left alone for being one too many."""
    first, last = 0, len(told) - 1
    for at in range(1, len(told)):
        too_long = sum(told[first : at + 1]) > TOLD_TOGETHER or alone[at] or alone[first]
        begins_a_row = at < last and asked[at - 1] != asked[at] == asked[at + 1]
        leaves_one_comparison = at - first == 1 and asked[first] == ""
        is_one_too_many = at < last and at - first == SHOWN_TOGETHER
        if too_long or is_one_too_many or (begins_a_row and not leaves_one_comparison):
            yield range(first, at)
            first = at
    yield range(first, len(told))


def _is_plain(outcome: Outcome) -> bool:
    """Whether an outcome is that of its own step alone."""
    return not (outcome.printed or outcome.files)


def _part(case: Case, shown: Sequence[int], acting: AbstractSet[int], matcher: Matcher) -> Case:
    """Returns a case of some of the shown steps, with the steps before that bind what they need,
    and those `acting`."""
    steps = [case.steps[at] for at in shown]
    needed = {name for step in steps for name in _read(step)}
    lead: list[tuple[int, Step]] = []
    for at in range(shown[-1] - 1, -1, -1):
        step = case.steps[at]
        if at in shown:
            lead.insert(0, (at, step))
        elif not step.check and ((bound := needed.intersection(_bound(step))) or at in acting):
            lead.insert(0, (at, step))
            needed -= bound if assigned(step.source) else set()
            needed |= {*_read(step)}
    kept = [*lead, (shown[-1], case.steps[shown[-1]])]
    found = replace(
        case,
        steps=tuple(step for _, step in kept),
        defines=sum(at < case.defines for at, _ in kept),
    )
    imports = tuple(line for line in case.imports if _is_read(line, found.source))
    acts = [step.source for _, step in lead[found.defines :] if not step.check]
    match = matcher.principal([*acts, *(step.source for step in steps)], found.source)
    if match is not None:
        path, symbol = match.target.path, match.target.symbol
        found = replace(found, path=path, symbol=symbol, keywords=match.options)
    return replace(found, imports=imports, cost=len(found.source) / 60)


def only_binds(source: str) -> bool:
    """Whether a line does no more than to bind names, unlike ``bag.add(2)`` and ``for item in
    items: ...``."""
    return all(isinstance(node, BINDING) for node in ast.parse(source).body)


def _bound(step: Step) -> Iterator[str]:
    """Yields the names that a step binds or changes a part of: ``a`` of ``a = 1``, ``a += 1`` and
    ``a['b'] = 1``."""
    for node in ast.parse(step.source).body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                yield from (name for one in targets for name in names_in(one))
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
                yield from names_in(target)
            case _:
                yield from all_bound_names(node)


def _read(step: Step) -> Iterator[str]:
    """Yields the names that a step reads, and those that it changes."""
    tree = ast.parse(step.source)
    for one in ast.walk(tree):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
            yield one.id
        elif isinstance(one, ast.AugAssign):
            yield from names_in(one.target)


def _is_read(line: str, source: str) -> bool:
    """Whether a name that an import line binds stands in a source, as far as the line tells."""
    names = {"*", *names_in(ast.parse(source))}
    return any(one.bound in names for one in imports_in(ast.parse(line).body))
