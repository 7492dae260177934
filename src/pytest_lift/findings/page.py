"""The readable part of ``fixes.md`` and ``evaluation.md``, from figures and findings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.findings.feedback import Feedback
from pytest_lift.findings.finding import JUDGED, Finding
from pytest_lift.run.result import Run
from pytest_lift.text import printable
from pytest_lift.text.wording import acceptance
from pytest_lift.trace.statuses import OPEN
from pytest_lift.trace.trace import RequirementTrace, Trace

MOST_FINDINGS = 60
"""Findings shown in full; the front matter lists them all."""


def page(feedback: Feedback, run: Run, trace: Trace, coverage: Coverage | None) -> str:
    """Returns the body of the feedback file."""
    parts = fixes(feedback, run) if feedback.role == "debugger" else None
    parts = parts or evaluation(feedback, run, trace, coverage)
    return "\n".join(parts).rstrip() + "\n"


def fixes(feedback: Feedback, run: Run) -> list[str]:
    """Returns the lines of ``fixes.md``: a section for each group of failures, and a table at
    the end."""
    lines = [
        "# What fails and how to fix it",
        "",
        *_execution(run),
        "",
        paragraph(feedback.summary),
        "",
    ]
    for number, finding in enumerate(feedback.findings[:MOST_FINDINGS], 1):
        lines += [
            f"## {number}. {inline(finding.what)}",
            "",
            f"- Failing: {_names(finding.tests)}",
            f"- Raised at: {_place(finding)}",
            f"- Requirement: {inline(finding.requirement) or 'none named'}",
            f"- Fix: {inline(finding.todo) or 'see the evidence'}",
            "",
            *_evidence(finding, "python"),
        ]
    rows = [
        (str(n), f.kind, _place(f), str(len(f.tests)), inline(f.todo))
        for n, f in enumerate(feedback.findings[:MOST_FINDINGS], 1)
    ]
    return [*lines, "## Summary", "", *table(("#", "kind", "place", "tests", "fix"), rows)]


def evaluation(feedback: Feedback, run: Run, trace: Trace, coverage: Coverage | None) -> list[str]:
    """Returns the lines of ``evaluation.md``: figures, gaps by requirement and by function,
    quality, verdict."""
    lines = ["# Evaluation of the suite", "", *_execution(run), ""]
    if coverage is not None:
        lines += ["## Coverage", "", *_coverage(coverage, feedback.findings), ""]
    lines += ["## Requirements", "", *_requirements(trace), ""]
    gaps = [f for f in feedback.findings if f.kind == "uncovered-branch"]
    lines += ["## Code that no test executes", "", *_gaps(gaps)]
    left = [f for f in feedback.findings if f.kind == "left-out"]
    if left:
        lines += ["## Left untested on purpose", "", *(f"- {inline(f.what)}" for f in left), ""]
    judged = [f for f in feedback.findings if f.kind in JUDGED]
    if judged:
        told = (f"- {inline(f.what)}. {inline(f.todo)}" for f in judged)
        lines += ["## Missing or weak, as judged", "", *told, ""]
    rest = [f for f in feedback.findings if f.kind in ("skipped", "slow", "refused", "flaky")]
    if rest:
        lines += ["## Quality", "", *(f"- {inline(f.what)}: {inline(f.todo)}" for f in rest), ""]
    return [
        *lines,
        "## Verdict",
        "",
        f"**Verdict: {feedback.verdict}**",
        "",
        paragraph(feedback.summary),
    ]


def _execution(run: Run) -> list[str]:
    counts = Counter(result.outcome for result in run.results.values())
    told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
    ended = "" if run.ending in ("passed", "failed") else f" The run ended: {run.ending}."
    return [f"{len(run.results)} tests in {run.seconds:.1f} s: {told or 'none ran'}.{ended}"]


def _coverage(coverage: Coverage, findings: Iterable[Finding]) -> list[str]:
    reach = Counter(f.reach for f in findings if f.kind == "uncovered-branch")
    rows = [
        (inline(path), str(len(f.executed)), str(len(f.missing)), str(len(f.missing_branches)))
        for path, f in coverage.files.items()
    ]
    why = ", ".join(f"{count} {name}" for name, count in sorted(reach.items())) or "none"
    return [
        f"{coverage.line_percent:.1f} % of lines, {coverage.branch_percent:.1f} % of branches. "
        f"Functions with gaps: {why}.",
        "",
        *table(("file", "lines executed", "lines missing", "branches missing"), rows),
    ]


def _requirements(trace: Trace) -> list[str]:
    if not trace.requirements:
        return ["No requirements were given."]
    lines = [
        f"{trace.verified} of {trace.testable} verified, {trace.touched} touched; "
        f"{acceptance(len(trace.covered), len(trace.points))} covered. "
        "Verified: a test asserts what the text states. Touched: observed behaviour only.",
        "",
    ]
    for item in trace.requirements:
        if item.status in OPEN or (item.status == "verified" and item.open_points):
            lines += [*_requirement(item), ""]
    return lines


def _requirement(item: RequirementTrace) -> Iterator[str]:
    requirement = item.requirement
    yield f"### {inline(requirement.id)}: {inline(requirement.title)} ({item.status})"
    yield ""
    for said in item.contradictions:
        yield (
            f"- contradicted: {code(said.call)} should be {code(said.expected)}, "
            f"the program: {code(said.actual)}"
        )
        if said.sentence:
            yield f"  - it says: {inline(said.sentence)}"
        if said.suspect or said.why:
            yield f"  - seems wrong: {said.suspect or 'unclear'}. {inline(said.why)}".rstrip()
    for link in item.links:
        yield f"- {link.outcome}: {code(link.test)} ({inline(link.basis)})"
    texts = [point for point in item.points if point.kind == "sentence"]
    yield from (f"- {'shown' if one.covered else 'to show'}: {inline(one.text)}" for one in texts)
    for point in item.points:
        if point.kind == "example" and not point.covered:
            yield from ("", *fenced(point.text.rstrip(), "pycon"))


def _gaps(gaps: list[Finding]) -> list[str]:
    if not gaps:
        return ["None: every line and branch is executed.", ""]
    lines: list[str] = []
    for finding in gaps[:MOST_FINDINGS]:
        lines += [f"### {inline(finding.what)}", "", paragraph(finding.todo), ""]
        lines += _evidence(finding, "")
    if len(gaps) > MOST_FINDINGS:
        lines += [f"{len(gaps) - MOST_FINDINGS} more are listed in the front matter.", ""]
    return lines


def _evidence(finding: Finding, language: str) -> list[str]:
    return [*fenced(finding.evidence, language), ""] if finding.evidence else []


def _place(finding: Finding) -> str:
    place = f"{finding.file}:{finding.line}"
    return f"{code(place)} {inline(finding.symbol)}".rstrip() if finding.file else "-"


def _names(tests: tuple[str, ...]) -> str:
    shown = ", ".join(code(test) for test in tests[:10])
    return shown + (f" and {len(tests) - 10} more" if len(tests) > 10 else "") or "-"


def fenced(text: str, language: str) -> list[str]:
    """Returns a code block whose fence is longer than any run of backticks in `text`."""
    text = printable.spelled_out(text)
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{language}", text, fence]


def code(text: str) -> str:
    """Returns a code span on one line, delimited by more backticks than any run of them in
    `text`."""
    text = _one_line(text)
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    ticks = "`" * (longest + 1)
    space = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def inline(text: str) -> str:
    """Returns `text` on one line, so that it cannot start a heading, list or table, with tags,
    comments and links of Markdown escaped."""
    return re.sub(r"<(?=[a-zA-Z!/?])", "&lt;", _one_line(text)).replace("](", "]\\(")


def paragraph(text: str) -> str:
    """Escapes text for the start of a Markdown line."""
    text = inline(text)
    return f"\\{text}" if re.match(r"([#>+*=~|\[-]|```|\d+[.)])", text) else text


def _one_line(text: str) -> str:
    return printable.spelled_out(" ".join(text.split()))


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """Returns a Markdown table. Cells must be Markdown already: use `inline` or `code`."""

    def line(cells: Iterable[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return [line(head), "|" + " --- |" * len(head), *(line(row) for row in rows)]
