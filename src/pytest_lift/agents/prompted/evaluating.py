"""The evaluator: computed facts go into its packet, and the model grades links and names gaps."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.evaluator import evaluator as computed
from pytest_lift.agents.offline.evaluator import open_findings
from pytest_lift.agents.offline.remedies import BROKEN
from pytest_lift.agents.prompted.roles import EVALUATOR
from pytest_lift.agents.prompted.sections import (
    finding_lines,
    requirement_section,
    steady,
    test_sources,
    tokens,
)
from pytest_lift.agents.prompted.team import Team, halved
from pytest_lift.agents.prompted.tools import arguments as a
from pytest_lift.agents.prompted.tools.judgements import worthless_of
from pytest_lift.agents.prompted.tools.toolbox import Toolbox
from pytest_lift.assertions.test_checks import held_by
from pytest_lift.findings.feedback import Feedback, Verdict
from pytest_lift.findings.finding import GAIN, Finding
from pytest_lift.mutation.mutation import Mutation
from pytest_lift.requirements.requirement import stands_in
from pytest_lift.text.wording import count, some
from pytest_lift.trace.covering import LinkGrade
from pytest_lift.trace.statuses import Status
from pytest_lift.trace.trace import Link

MOST_LINKS = 40
"""Largest number of links in one conversation."""
MOST_GAPS, MOST_SURVIVORS, MOST_REFUSED = 15, 10, 10
"""Largest numbers of gaps, survivors and refusals that the evaluator is shown."""
MOST_NOTES = 30


async def evaluate(brief: Brief, team: Team) -> Feedback:
    """Returns REWORK or FINAL, grades of the links that have none yet, and missing behaviours.

    The model is not asked if there is nothing to grade and facts keep the suite from being final.
    If it cannot be asked, the computed feedback is returned, and the error is raised when the next
    generator starts.
    """
    links = unjudged(brief)
    told = computed(brief)
    if not links and facts_against(brief, ()):
        return told
    groups = list(_groups(links, brief, team.budget)) or [()]

    async def judge(group: tuple[Link, ...]) -> a.FinishEvaluating | None:
        mine = {(link.test, link.requirement) for link in group}
        others = {one.requirement for one in links if (one.test, one.requirement) not in mine}
        toolbox = Toolbox(
            EVALUATOR, brief, objection=lambda told: _objection(told, group, brief, others)
        )
        ended = await team.talk(brief, _to_judge(group, brief), toolbox)
        if isinstance(ended.told, a.FinishEvaluating):
            return ended.told
        team.unasked.append(_ungraded(group, ended.trouble or "it gave no grades"))
        return None

    said = [one for one in await team.each(groups, judge, halved) if one is not None]
    return _together(said, links, brief, told)


UNVERIFIED: frozenset[Status] = frozenset({"uncovered", "not-run", "doubted", "touched", "failing"})
"""Statuses of requirements that keep a suite from being final."""


def _ungraded(links: Sequence[Link], why: str) -> str:
    what = f"{count(len(links), 'link')} without a grade" if links else "its verdict is computed"
    return f"the evaluator gave no answer ({what}): {why}"


def _together(
    said: Sequence[a.FinishEvaluating], links: Sequence[Link], brief: Brief, told: Feedback
) -> Feedback:
    link_grades = tuple(_judgements(said, links, brief))
    findings = (*brief.findings, *_found(said, brief), *_doubtful(link_grades))
    summary = " ".join(one.summary.strip() for one in said) or told.summary
    final = bool(said) and all(one.verdict == "FINAL" for one in said)
    against = facts_against(brief, link_grades)
    if final and against:
        summary = f"{summary} Not final: {'; '.join(against)}."
    verdict: Verdict = "FINAL" if final and not against else "REWORK"
    return Feedback(
        "evaluator",
        verdict,
        findings,
        summary,
        link_grades=link_grades,
        worthless=tuple(mark for one in said for mark in worthless_of(one.worthless, brief)[0]),
        asked=bool(said),
    )


def unjudged(brief: Brief) -> list[Link]:
    """Returns passing links of the tool's tests whose grade is neither computed nor given by an
    evaluator."""
    if brief.trace is None:
        return []
    return [
        link
        for item in brief.trace.requirements
        for link in item.links
        if link.basis == "observed" and link.outcome == "passed"
    ]


def facts_against(
    brief: Brief, link_grades: Sequence[LinkGrade], about: Collection[str] | None = None
) -> list[str]:
    """Returns the facts that keep a suite from being final, whatever an evaluator says.

    `about` are the requirements in question; None: all of them.
    """
    found = []
    failing = [f for f in brief.findings if f.kind in BROKEN]
    if failing:
        found.append(f"{len(failing)} kinds of failures are open")
    settled = {one.requirement for one in link_grades if one.grade == "verifies"}
    open_ = [
        item.requirement.id
        for item in (brief.trace.requirements if brief.trace else ())
        if item.status in UNVERIFIED and item.requirement.id not in settled
    ]
    open_ = [name for name in open_ if about is None or name in about]
    if open_:
        found.append(f"no test verifies {some(open_, 10)}")
    return found


def _objection(
    told: a.FinishEvaluating, group: Sequence[Link], brief: Brief, others: Collection[str]
) -> str:
    faults = []
    graded = {(row.test, row.requirement): row for row in told.grades}
    missing = [link for link in group if (link.test, link.requirement) not in graded]
    if missing:
        faults.append(
            "no grade for " + ", ".join(f"{m.test} -> {m.requirement}" for m in missing[:10])
        )
    for row in told.grades:
        item = brief.requirements.by_id.get(row.requirement)
        if row.grade == "verifies" and (item is None or not stands_in(row.sentence, item)):
            faults.append(f"{row.requirement} does not say {row.sentence!r}: copy its words")
    faults += worthless_of(told.worthless, brief)[1]
    if told.verdict == "FINAL":
        link_grades = tuple(_judgements([told], group, brief))
        mine = {link.requirement for link in group}
        about = mine.union(one.requirement for one in _shown_gaps(brief, mine))
        against = facts_against(brief, link_grades, about - {*others})
        faults += [f"FINAL contradicts the facts: {why}" for why in against]
    return (
        "correct this and call finish again:\n" + "\n".join(f"- {f}" for f in faults)
        if faults
        else ""
    )


def _judgements(
    said: Sequence[a.FinishEvaluating], links: Sequence[Link], brief: Brief
) -> Iterator[LinkGrade]:
    """Yields the requested grades; ``verifies`` without a valid quotation becomes ``touches``."""
    asked = {(link.test, link.requirement) for link in links}
    for row in (row for one in said for row in one.grades):
        if (row.test, row.requirement) not in asked:
            continue
        item = brief.requirements.by_id[row.requirement]
        quoted = stands_in(row.sentence, item)
        grade = row.grade if row.grade != "verifies" or quoted else "touches"
        sentence = row.sentence.strip() if quoted else ""
        held = tuple(sorted(held_by(brief.suite, row.test).elements()))
        yield LinkGrade(row.test, row.requirement, grade, sentence, held)


def _found(said: Sequence[a.FinishEvaluating], brief: Brief) -> Iterator[Finding]:
    for one in said:
        for row in one.missing:
            item = brief.requirements.by_id.get(row.requirement)
            if item is not None:
                yield Finding(
                    "missing-behaviour",
                    f"{item.id} ({item.title}): no test shows: {row.behaviour}",
                    file=item.file,
                    line=item.line,
                    requirement=item.id,
                    todo=f"try {row.values}" if row.values else "",
                    gain=GAIN["missing-behaviour"],
                )
        for weak in one.weak:
            if brief.suite.function(weak.test) is not None:
                yield Finding(
                    "weak-assertion",
                    f"{weak.test} checks too little: {weak.why}",
                    file=weak.test.partition("::")[0],
                    tests=(weak.test,),
                    todo=weak.todo,
                    gain=GAIN["weak-assertion"],
                )


def _doubtful(link_grades: Sequence[LinkGrade]) -> Iterator[Finding]:
    for one in link_grades:
        if one.grade == "unrelated":
            yield Finding(
                "doubtful-link",
                f"{one.test} names {one.requirement}, which does not state what it checks",
                file=one.test.partition("::")[0],
                requirement=one.requirement,
                tests=(one.test,),
                todo="name the requirement that it verifies, or mark it emergent",
                gain=GAIN["doubtful-link"],
            )


def _groups(links: Sequence[Link], brief: Brief, budget: int) -> Iterator[tuple[Link, ...]]:
    group: list[Link] = []
    for link in links:
        full = len(group) >= MOST_LINKS or tokens(_to_judge([*group, link], brief)) > budget
        if group and full:
            yield tuple(group)
            group = []
        group.append(link)
    if group:
        yield tuple(group)


def _to_judge(links: Sequence[Link], brief: Brief) -> str:
    """Returns the packet: requirements, full tests, links to grade, and measured facts."""
    ids = dict.fromkeys(link.requirement for link in links)
    parts: list[str] = []
    if ids:
        traced = (
            {item.requirement.id: item for item in brief.trace.requirements} if brief.trace else {}
        )
        parts += ["## Requirements, with the tests linked to them"]
        for name in ids:
            item = brief.requirements.by_id[name]
            parts.append(requirement_section(item, traced=traced.get(name)))
        nodes = dict.fromkeys(link.test for link in links)
        parts += ["## The tests", test_sources(nodes, brief.suite)]
        rows = [f"- {link.test} -> {link.requirement}" for link in links]
        parts.append("\n".join(["## Links to grade", *rows]))
    parts += ["## Measured", *_measured(brief, set(ids))]
    return steady("\n\n".join(parts))


def _mutants(mutation: Mutation, open_: int) -> str:
    share = f"{mutation.percent:.1f} %" if mutation.has_score else f"{len(mutation.detected)}"
    told = f"{share} of {mutation.scored} mutants (small faults) are detected; "
    told += f"{mutation.counts['survived']} survive though tests execute them"
    told += f", {mutation.counts['untested']} are in functions that no test executes."
    others = mutation.counts["survived"] - open_
    if others > 0:
        told += f" {others} other survivors need no test: they change what is logged, texts of "
        told += "help or messages, or many calls that execute them do the same."
    return told


def _measured(brief: Brief, graded: set[str]) -> Iterator[str]:
    if brief.coverage is not None:
        yield (
            f"{brief.coverage.line_percent:.1f} % of lines and "
            f"{brief.coverage.branch_percent:.1f} % of branches are executed."
        )
    left = open_findings(brief.findings)
    survivors = [f for f in left if f.kind == "surviving-mutant"]
    if brief.mutation is not None:
        yield _mutants(brief.mutation, len(survivors))
    shown = [*_shown_gaps(brief, graded), *survivors[:MOST_SURVIVORS]]
    if shown:
        yield "\n".join(["Open, as computed:", *finding_lines(shown)])
    down = [f for f in brief.findings if f.kind == "refused"]
    if down:
        yield "\n".join(["Turned down in this round:", *finding_lines(down[:MOST_REFUSED])])
    if told := brief.left_out[-MOST_NOTES:]:
        yield "\n".join(["Left untested on purpose:", *(f"- {text}" for text in told)])


def _shown_gaps(brief: Brief, graded: Collection[str]) -> list[Finding]:
    """Returns the open findings that a message lists, without those on what it has graded."""
    others = (f for f in open_findings(brief.findings) if f.kind != "surviving-mutant")
    return [f for f in others if not f.requirement or f.requirement not in graded][:MOST_GAPS]
