"""The debugger that asks a model: rules first, the model for what they cannot explain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.remedies import BROKEN, MECHANICAL, remedies
from pytest_lift.agents.offline.remedies import debugger as by_rules
from pytest_lift.agents.prompted.roles import DEBUGGER
from pytest_lift.agents.prompted.sections import (
    finding_lines,
    requirement_section,
    slice_lines,
    slice_section,
    test_sources,
)
from pytest_lift.agents.prompted.team import Team
from pytest_lift.agents.prompted.tools import arguments as a
from pytest_lift.agents.prompted.tools.toolbox import Toolbox
from pytest_lift.findings.feedback import Feedback
from pytest_lift.findings.finding import Finding
from pytest_lift.llm.values import ModelError

MOST_CLUSTERS = 8


async def diagnose(brief: Brief, team: Team) -> Feedback:
    """Returns the feedback FIX: rules treat mechanical causes, the model diagnoses the other
    findings.

    If the model cannot be asked, the computed advice is returned, and the error is raised when the
    next generator starts.
    """
    mechanical = {id(f) for f, remedy in remedies(brief) if remedy.action in MECHANICAL}
    asked = [f for f in brief.findings if f.kind in BROKEN and id(f) not in mechanical]
    told = by_rules(brief)
    asked = asked[:MOST_CLUSTERS]
    if not asked:
        return told
    try:
        ended = await team.talk(brief, _clusters(asked, brief), Toolbox(DEBUGGER, brief))
        why = ended.trouble or "it gave no diagnoses"
    except ModelError as error:
        ended, why = None, str(error)
    if ended is not None and isinstance(ended.told, a.FinishDiagnosing):
        return _with_diagnoses(told, ended.told, asked, brief)
    team.unasked.append(f"the debugger did not answer; its advice comes from rules: {why}")
    return told


def _with_diagnoses(
    told: Feedback, finish: a.FinishDiagnosing, asked: Sequence[Finding], brief: Brief
) -> Feedback:
    said = {row.number: row for row in finish.diagnoses}
    mended = {id(f): _diagnosed(f, said[n]) for n, f in enumerate(asked, 1) if n in said}
    ruled = dict(zip(map(id, brief.findings), told.findings, strict=True))
    findings = tuple(mended.get(id(f), ruled[id(f)]) for f in brief.findings)
    return replace(told, findings=findings, summary=finish.summary, asked=True)


def _diagnosed(finding: Finding, row: a.Diagnosis) -> Finding:
    proposed = f"\n\nquoted: {row.evidence}\n" + (f"proposed:\n{row.diff}" if row.diff else "")
    todo = f"({row.cause_class}) {row.cause} Fix: {row.fix}"
    return replace(finding, todo=todo, evidence=(finding.evidence + proposed).strip())


def _clusters(findings: Sequence[Finding], brief: Brief) -> str:
    parts = ["## Failures"]
    lines: dict[str, set[int]] = {}
    nodes: dict[str, None] = {}
    ids: dict[str, None] = {}
    for number, finding in enumerate(findings, 1):
        parts.append("\n".join([f"### {number}", *finding_lines([finding], evidence=True)]))
        nodes |= dict.fromkeys(test.partition("[")[0] for test in finding.tests[:3])
        for test in finding.tests[:1]:
            result = brief.run.results.get(test) if brief.run else None
            for file, line, _ in result.failure.frames if result and result.failure else ():
                lines.setdefault(file, set()).add(line)
    for node in nodes:
        written = brief.suite.function(node)
        ids |= dict.fromkeys(written.requirements) if written else {}
    parts += ["## The tests", test_sources(nodes, brief.suite)]
    known = [brief.requirements.by_id[i] for i in ids if i in brief.requirements]
    if known:
        parts += ["## What the requirements say", *map(requirement_section, known)]
    parts.append("## Source around the failures")
    for path, where in lines.items():
        source = brief.program.files.get(path)
        if source is not None:
            symbols = {s.name for n in where if (s := source.symbol_at(n)) and s.kind != "class"}
            parts.append(slice_section(source, slice_lines(source, symbols, where)))
    return "\n\n".join(parts)
