"""The report as a page of Markdown, for pull requests and the summary of a CI job."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from pytest_lift.findings.page import code, inline, paragraph, table
from pytest_lift.report.facts import Report, RequirementFacts
from pytest_lift.report.mutant_facts import Survivor, most_telling
from pytest_lift.report.page.mutants import change
from pytest_lift.report.page.words import STATUSES
from pytest_lift.text.wording import some
from pytest_lift.trace.covering import Shown
from pytest_lift.trace.statuses import OPEN

MOST_ROWS = 50
"""Largest number of requirements in the table of what needs attention."""
MOST_SURVIVORS = 5
MOST_CHECKED = 10
"""Largest number of requirements whose checklist is shown."""
LONGEST_CHANGE = 120
"""Largest number of characters of a changed line, before and after."""


def summary(report: Report) -> str:
    """Returns verdict, figures, what needs attention, and the next steps."""
    lines = [f"## {inline(report.project)}: {inline(report.verdict.headline)}", ""]
    lines += [*table(("figure", "value"), _figures(report)), ""]
    lines += _meanings(report)
    lines += _open(report)
    lines += _checklist(report)
    lines += _survivors(report)
    for name, tests in report.unknown:
        lines.append(f"- unknown id {code(name)} in {', '.join(map(code, tests[:3]))}")
    if report.unknown:
        lines.append("")
    if report.verdict.next_steps:
        lines += ["**Next:**", ""]
        lines += [f"1. {inline(step)}" for step in report.verdict.next_steps]
        lines.append("")
    lines += [paragraph(f"{report.tool}, {report.made}")]
    return "\n".join(lines) + "\n"


def _figures(report: Report) -> Iterator[tuple[str, str]]:
    if report.requirements:
        yield "requirements", _counted(item.status for item in report.requirements)
    if report.sentences:
        shown = sum(point.covered for point in report.sentences)
        yield "acceptance sentences", f"{shown:,} of {len(report.sentences):,} covered"
    yield "test functions", _counted(test.outcome for test in report.tests) or "none"
    yield "lines", _percent(report.line_percent)
    yield "branches", _percent(report.branch_percent)
    yield "mutants", _mutants(report)
    if report.requirements:
        emergent = sum(test.standing == "emergent" for test in report.tests)
        unlinked = sum(test.standing == "unlinked" for test in report.tests)
        told = f"{emergent} emergent (no requirement states what they assert), "
        yield "tests without a requirement", told + f"{unlinked} unlinked (they name none)"


def _meanings(report: Report) -> list[str]:
    found = {item.status for item in report.requirements}
    told = [f"{status}: {meaning}" for status, meaning in STATUSES.items() if status in found]
    return [paragraph(f"{'; '.join(told)}."), ""] if told else []


def _counted(names: Iterable[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(Counter(names).items()))


def _percent(value: float | None) -> str:
    return "not measured" if value is None else f"{value:.1f} %"


def _mutants(report: Report) -> str:
    found = report.mutation
    if found is None:
        return _percent(report.mutation_percent)
    if not found.complete and found.interval is None:
        return "not measured to the end"
    if not found.measured:
        return "no score, since there is nothing to mutate"
    told = f"{'~' if found.sampled else ''}{found.percent:.1f} % detected"
    if found.interval is not None:
        low, high = found.interval.low, found.interval.high
        told += f" ({low:.1f} to {high:.1f} %: {found.measured} of {found.mutants} measured)"
    told += f", {found.survived} survive"
    return f"not measured; {found.earlier}: {told}" if found.earlier else told


def _survivors(report: Report) -> list[str]:
    """Returns a table of a few survivors, which show the kind of assertion that is missing."""
    found = report.mutation.survivors if report.mutation else ()
    listed = most_telling((path, one) for path, one in found if one.diff)
    if not listed:
        return []
    head = ("no test notices", "changed to", "in", "for")
    rows = (_survivor(path, one) for path, one in listed[:MOST_SURVIVORS])
    return [*table(head, rows), ""]


def _survivor(path: str, one: Survivor) -> tuple[str, ...]:
    before, after = (code(text[:LONGEST_CHANGE]) if text else "" for text in change(one.diff))
    place = f"{code(f'{path}:{one.line}')} {code(one.symbol) if one.symbol else ''}".rstrip()
    return before, after, place, ", ".join(map(inline, one.requirements[:3])) or "-"


def _open(report: Report) -> list[str]:
    items = [item for item in report.requirements if item.status in OPEN]
    items.sort(key=lambda item: OPEN.index(item.status))
    if not items:
        return []
    head = ("requirement", "status", "tests")
    lines = [*table(head, (_row(item) for item in items[:MOST_ROWS])), ""]
    if len(items) > MOST_ROWS:
        lines += [f"{len(items) - MOST_ROWS} more need attention.", ""]
    return lines


def _checklist(report: Report) -> list[str]:
    """Returns the checklists of verified requirements with sentences that no test shows."""
    found = [item for item in report.requirements if item.status == "verified"]
    found = [item for item in found if item.covered < len(item.points)]
    if not found:
        return []
    lines = ["**Verified, but not every sentence:**", ""]
    for item in found[:MOST_CHECKED]:
        told = f"{item.covered} of {len(item.points)} covered"
        lines.append(f"- {inline(f'{item.id}: {item.title}')}: {told}")
        lines += [f"  - [{'x' if one.covered else ' '}] {_said(one)}" for one in item.points]
    if len(found) > MOST_CHECKED:
        lines.append(f"- and {len(found) - MOST_CHECKED} more")
    return [*lines, ""]


def _said(point: Shown) -> str:
    return code(point.text) if point.kind == "example" else inline(point.text)


def _row(item: RequirementFacts) -> tuple[str, str, str]:
    tests = [f"{code(link.test)} {link.outcome}" for link in item.links]
    return inline(f"{item.id}: {item.title}"), item.status, some(tests, 3) or "-"
