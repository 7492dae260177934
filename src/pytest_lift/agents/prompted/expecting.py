"""Expectations derived from requirements without knowledge of the code, then tried and ruled on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.roles import EXPECT, RULE
from pytest_lift.agents.prompted.sections import requirement_section, tokens
from pytest_lift.agents.prompted.team import Team, halved
from pytest_lift.agents.prompted.tools import arguments as a
from pytest_lift.agents.prompted.tools.judgements import doubt_of
from pytest_lift.agents.prompted.tools.reading import ToolTrouble
from pytest_lift.agents.prompted.tools.toolbox import Toolbox, expectation_of
from pytest_lift.oracles.discrepancies import Tried
from pytest_lift.requirements.doubtful import DoubtfulRequirement
from pytest_lift.requirements.requirement import Expectation, Requirement, stands_in
from pytest_lift.source.outline import imports, outline
from pytest_lift.trace.grounding.homes import parts

Said = Expectation | DoubtfulRequirement
MOST_TOGETHER = 16
"""Largest number of requirements in one conversation: their expectations have to fit into one
answer."""
MOST_RULINGS = 40
"""Largest number of differences in one conversation; all differences of a requirement stay
together, because they often have one cause."""
MOST_CONVERSATIONS = 8
MOST_FAULTS = 12
MOST_STANDING = 30
"""Largest number of earlier differences that a ruling is told of."""
MOST_TEXT = 6000
"""Tokens up to which the texts of all requirements are part of a ruling's packet."""
MOST_NEAR = 30


async def expect(brief: Brief, team: Team) -> tuple[Said, ...]:
    """Returns `brief.expectations`, new ones for requirements that have none, and rulings on
    differences; and requirements that contradict themselves or each other.

    The conversations that derive expectations see requirement texts and public signatures, but no
    code and no results: an expectation taken from the program cannot reveal a defect in it.
    """
    known = {one.key: one for one in brief.expectations}

    async def write_down(group: tuple[Requirement, ...]) -> list[Said]:
        team.asked.update(item.text for item in group)
        return await _written_down(group, brief, team)

    doubts: list[Said] = []
    for one in chain.from_iterable(await team.each(planned(brief, team), write_down, halved)):
        if isinstance(one, Expectation):
            known.setdefault(one.key, one)
        else:
            doubts.append(one)
    return (*(await _ruled(known, brief, team)).values(), *doubts)


async def rule(brief: Brief, team: Team) -> tuple[Expectation, ...]:
    """Returns `brief.expectations` with a ruling on every difference that had none."""
    known = {one.key: one for one in brief.expectations}
    return tuple((await _ruled(known, brief, team)).values())


def planned(brief: Brief, team: Team) -> list[tuple[Requirement, ...]]:
    """Returns the requirements whose expectations are derived next, grouped by conversation."""
    todo = _without_expectations(brief, team)
    return list(_groups(todo, brief, team.budget))[:MOST_CONVERSATIONS]


def _without_expectations(brief: Brief, team: Team) -> list[Requirement]:
    have = {one.requirement for one in brief.expectations}
    items = brief.requirements.testable
    return [item for item in items if item.id not in have and item.text not in team.asked]


def _groups(
    items: Sequence[Requirement], brief: Brief, budget: int
) -> Iterator[tuple[Requirement, ...]]:
    """Yields groups of neighbouring requirements that fit into one message."""
    group: list[Requirement] = []
    for item in items:
        full = len(group) >= MOST_TOGETHER or tokens(message(brief, [*group, item])) > budget
        if group and full:
            yield tuple(group)
            group = []
        group.append(item)
    if group:
        yield tuple(group)


def message(brief: Brief, items: Sequence[Requirement]) -> str:
    """Returns the first message: signatures of the modules concerned, and the requirements."""
    program = brief.program
    found = parts(brief.requirements, program)
    paths = dict.fromkeys(path for item in items for path in found.get(item.id, ()))
    near = chain.from_iterable(imports(program.files[path], program) for path in paths)
    front = (p for p, file in program.files.items() if p.endswith("__init__.py") and file.public)
    paths |= dict.fromkeys([*near, *front])
    told = ["## What the program offers, by signature", "```"]
    told += [outline(program.files[path], program) for path in paths]
    told += ["```", "## Requirements"]
    told += ["\n\n".join(requirement_section(item) for item in items)]
    return "\n".join(told)


async def _written_down(items: Sequence[Requirement], brief: Brief, team: Team) -> list[Said]:
    """Returns the expectations and doubts without faults. They are stored from the first answer
    on, and only the rest is requested again."""
    known = {item.id: item for item in items}
    kept: dict[str, Expectation] = {}
    doubts: dict[object, DoubtfulRequirement] = {}

    def objection(told: a.FinishExpecting) -> str:
        """Returns the faults of form; whether the program agrees must not be known here."""
        good, faults = _sorted_out(told, known)
        bad = dict(_untriable(good, brief))
        kept.update({one.key: one for one in good if one.key not in bad})
        left = [one for one in good if one.key in bad]
        faults += [f"{one.requirement}, `{one.call}`: {bad[one.key]}" for one in left]
        faults += _doubted(told, brief, doubts)
        settled = {one.requirement for one in kept.values()}
        settled.update(name for one in doubts.values() for name in (one.requirement, one.other))
        missing = sorted(known.keys() - settled)
        if missing:
            faults.append(f"there is no expectation for {', '.join(missing)}")
        if not faults:
            return ""
        told_of = "\n".join(f"- {fault}" for fault in faults[:MOST_FAULTS])
        head = f"{len(kept)} are kept; correct these, and call finish again with them only:"
        return f"{head}\n{told_of}"

    toolbox = Toolbox(EXPECT, brief, objection=objection)
    ended = await team.talk(brief, message(brief, items), toolbox)
    if isinstance(ended.told, a.FinishExpecting):
        kept.update({one.key: one for one in _sorted_out(ended.told, known)[0]})
        _doubted(ended.told, brief, doubts)
    return [*kept.values(), *doubts.values()]


def _doubted(
    told: a.FinishExpecting, brief: Brief, doubts: dict[object, DoubtfulRequirement]
) -> list[str]:
    """Adds to `doubts` what has the words of both sides, and returns what is wrong with the
    rest."""
    faults = []
    for row in told.doubtful:
        doubt, why = doubt_of(row, brief.requirements)
        if why:
            faults.append(f"doubtful: {why}")
        else:
            doubts.setdefault(doubt.key, doubt)
    return faults


def _sorted_out(
    told: a.FinishExpecting, known: dict[str, Requirement]
) -> tuple[list[Expectation], list[str]]:
    good, faults = [], []
    for row in told.expectations:
        try:
            good.append(expectation_of(row, known))
        except ToolTrouble as trouble:
            faults.append(str(trouble))
    return good, faults


def _untriable(said: Sequence[Expectation], brief: Brief) -> Iterator[tuple[str, str]]:
    """Yields (key, reason) of expectations that cannot be tried."""
    if brief.try_expectations is None:
        return
    tried = brief.try_expectations(said)
    for one in said:
        if tried[one.key].outcome == "broken":
            yield one.key, f"cannot be tried: {tried[one.key].actual}"


async def _ruled(known: dict[str, Expectation], brief: Brief, team: Team) -> dict[str, Expectation]:
    if brief.try_expectations is None:
        return known
    tried = brief.try_expectations(list(known.values()))
    differ = [k for k, one in known.items() if tried[k].outcome == "differs" and not one.ruling]
    actual = {key: tried[key].actual for key in differ}

    async def judge(keys: tuple[str, ...]) -> dict[str, Expectation]:
        standing = [one for key, one in known.items() if _stands(one) and _differs(tried, key)]
        return await _judged(
            [known[key] for key in keys], standing[-MOST_STANDING:], actual, brief, team
        )

    for group in _by_requirement(differ, known):  # one after the other: each knows what stands
        for ruled in await team.each([group], judge, halved):
            known |= ruled
    return known


def _differs(tried: Mapping[str, Tried], key: str) -> bool:
    return key in tried and tried[key].outcome == "differs"


def _by_requirement(keys: Sequence[str], known: dict[str, Expectation]) -> list[tuple[str, ...]]:
    """Returns the keys in groups: the differences of one requirement stay together, and a group
    has as many requirements as fit."""
    groups: list[list[str]] = []

    def whose(key: str) -> str:
        return known[key].requirement

    for _, mine in groupby(sorted(keys, key=whose), whose):
        these = list(mine)
        if groups and len(groups[-1]) + len(these) <= MOST_RULINGS:
            groups[-1] += these
        else:
            groups.append(these)
    return [tuple(group) for group in groups]


async def _judged(
    said: Sequence[Expectation],
    standing: Sequence[Expectation],
    actual: dict[str, str],
    brief: Brief,
    team: Team,
) -> dict[str, Expectation]:
    """Returns expectations with rulings; those `standing` may have the same cause."""

    def objection(told: a.FinishRuling) -> str:
        rulings = {row.number: row for row in told.rulings}
        faults = [f"{n}: no ruling" for n in range(1, len(said) + 1) if n not in rulings]
        faults += [
            f"{n}: the quote is not what {one.requirement} says: copy its words"
            for n, one in enumerate(said, 1)
            if n in rulings and rulings[n].stands and not _whose(rulings[n].quote, one, brief)
        ]
        return "correct these and call finish again: " + "; ".join(faults) if faults else ""

    toolbox = Toolbox(RULE, brief, objection=objection)
    told = "\n\n".join([_differences(said, actual, brief), *_standing(standing, len(said), brief)])
    ended = await team.talk(brief, told, toolbox)
    if not isinstance(ended.told, a.FinishRuling):
        return {}
    rulings = {row.number: row for row in ended.told.rulings}
    ruled = {
        n: _with_ruling(one, rulings[n], brief) for n, one in enumerate(said, 1) if n in rulings
    }
    before = range(len(said) + 1, len(said) + len(standing) + 1)
    for number, one in ruled.items():
        earlier = rulings[number].same_as
        known = earlier in before or (earlier < number and _stands(ruled.get(earlier)))
        if one.ruling == "stands" and known:
            ruled[number] = replace(one, ruling="repeats")
    found = {one.key: one for one in ruled.values()}
    for number, one in ruled.items():
        decided = _whose(rulings[number].quote, one, brief)
        if one.ruling == "stands" and decided != one.requirement:
            found[one.key] = replace(one, ruling="repeats")
            blamed = replace(one, requirement=decided)
            if not any(o.requirement == decided and _stands(o) for o in ruled.values()):
                found[blamed.key] = blamed
    return found


def _stands(one: Expectation | None) -> bool:
    return one is not None and one.ruling == "stands"


def _whose(quote: str, one: Expectation, brief: Brief) -> str:
    """Returns the id of the requirement that contains the quote: the expectation's own, or
    another one that it depends on. Empty if none does."""
    by_id = brief.requirements.by_id
    ids = (one.requirement, *(item.id for item in brief.requirements.testable))
    return next((name for name in ids if stands_in(quote, by_id[name])), "")


def _with_ruling(one: Expectation, row: a.Ruling, brief: Brief) -> Expectation:
    """Returns the expectation with a ruling; withdrawn if no requirement contains the quote."""
    stands = row.stands and bool(_whose(row.quote, one, brief))
    return replace(
        one,
        sentence=row.quote.strip() if stands else one.sentence,
        ruling="stands" if stands else "withdrawn",
        suspect=row.suspect,
        why=row.why.strip(),
    )


def _differences(said: Iterable[Expectation], actual: dict[str, str], brief: Brief) -> str:
    said = list(said)
    told = ["## Requirements", *_texts({one.requirement for one in said}, brief)]
    told += ["## Differences"]
    first: dict[str, int] = {}
    for number, one in enumerate(said, 1):
        rows = [f"### {number}: {one.requirement}", "```python"]
        lines = one.setup.splitlines()
        if (earlier := first.setdefault(one.setup, number)) < number and len(lines) > 1:
            lines = [f"# after the setup of {earlier}"]
        rows += [*lines, one.call, "```", f"expected: {one.told}"]
        rows += [f"the program: {actual[one.key]}", f"derived from: {one.sentence}"]
        told.append("\n".join(rows))
    return "\n\n".join(told)


def _standing(standing: Sequence[Expectation], after: int, brief: Brief) -> Iterator[str]:
    """Yields a section on the differences that stand already, numbered on from `after`."""
    if standing:
        yield "## Standing already: no ruling is asked for, but `same_as` may name one"
    for number, one in enumerate(standing, after + 1):
        does = brief.tried[one.key].actual if one.key in brief.tried else "something else"
        yield f"{number}: {one.requirement}: `{one.call}`: expected {one.told}; the program: {does}"


def _texts(ids: set[str], brief: Brief) -> list[str]:
    """Returns the texts of all requirements if they are short, since one may depend on another;
    otherwise those of `ids`, and of their scopes if these are few."""
    every = brief.requirements.testable
    texts = [requirement_section(item) for item in every]
    if sum(map(tokens, texts)) <= MOST_TEXT:
        return texts
    scopes = {brief.requirements.by_id[name].scope for name in ids}
    near = [item for item in every if item.id in ids or item.scope in scopes]
    near = near if len(near) <= MOST_NEAR else [item for item in every if item.id in ids]
    return [requirement_section(item) for item in near]
