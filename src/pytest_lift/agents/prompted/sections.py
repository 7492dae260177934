"""Sections of packets: requirements, sources, tests and findings as text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.known.snippets import expected_lines
from pytest_lift.findings.finding import Finding
from pytest_lift.requirements.requirement import Expectation, Requirement
from pytest_lift.source.program import SourceFile
from pytest_lift.source.syntax import split_lines
from pytest_lift.suite.suite import Suite, path_of
from pytest_lift.suite.test_file import TestFile, TestFunction
from pytest_lift.text.wording import some
from pytest_lift.trace.contested import untested_rest
from pytest_lift.trace.statuses import Status
from pytest_lift.trace.trace import Link, RequirementTrace

CHARACTERS = 3.5
"""Estimated characters per token; the model's budget learns the true value of an endpoint."""
MOST_LINKED = 12
SPOKEN: Mapping[Status, str] = {"suspected-defect": "contradicted", "uncovered": "untested"}
"""Statuses that have another name in the role prompts."""
EVIDENCE = 1500
"""Largest number of characters of evidence shown with one finding."""
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,16}\b")


def tokens(text: str) -> int:
    """Returns the estimated number of tokens of `text`."""
    return int(len(text) / CHARACTERS) + 1


def steady(text: str) -> str:
    """Returns `text` without memory addresses, which differ from run to run."""
    return _ADDRESS.sub("0x...", text)


def requirement_section(
    item: Requirement,
    said: Sequence[Expectation] = (),
    brief: Brief | None = None,
    traced: RequirementTrace | None = None,
) -> str:
    """Returns a section on a requirement: its text, its state, and the expectations derived from
    it."""
    scope = f" [{' / '.join(item.scope)}]" if item.scope else ""
    lines = [f"### {item.id}: {item.title}{scope}", item.description]
    lines += [f"- acceptance {n}: {text}" for n, text in enumerate(item.acceptance, 1)]
    if item.level:
        lines.append(f"- level: {item.level}")
    for example in item.examples:
        lines += ["- example:", *(f"    {line}" for line in example.splitlines())]
    if traced is not None:
        lines.append(f"- state: {_state(traced)}")
    if said and brief is not None:
        lines += expected_lines(said, brief)
    return "\n".join(lines)


def state_line(traced: RequirementTrace) -> str:
    """Returns a line with the present state of a requirement."""
    return f"- {traced.requirement.id}: {_state(traced)}"


def _state(traced: RequirementTrace) -> str:
    rest = " in part, the rest is untested" if untested_rest(traced) else ""
    return f"{SPOKEN.get(traced.status, traced.status)}{rest}{_linked(traced)}"


def _graded(link: Link) -> str:
    if link.basis == "contradiction":
        return "shows a contradiction"
    return "not graded yet" if link.basis == "observed" else f"{link.grade}: {link.basis}"


def _linked(traced: RequirementTrace) -> str:
    links = [f"{link.test} ({_graded(link)})" for link in traced.links]
    return f"; linked: {some(links, MOST_LINKED)}" if links else ""


def source_section(source: SourceFile) -> str:
    """Returns a section with the source of a whole module."""
    return f"### {source.path} (module {source.module})\n```python\n{source.text.rstrip()}\n```"


def slice_lines(
    source: SourceFile, symbols: Collection[str], lines: Collection[int] = ()
) -> set[int]:
    """Returns the lines of the named functions and classes, and those around `lines`."""
    wanted: set[int] = set()
    for symbol in source.symbols:
        if symbol.name in symbols:
            end = (
                symbol.end_line
                if symbol.kind != "class"
                else min(symbol.end_line, symbol.line + 30)
            )
            wanted.update(range(symbol.line, end + 1))
    for line in lines:
        wanted.update(range(max(1, line - 3), line + 4))
    return wanted


def slice_section(source: SourceFile, wanted: Collection[int]) -> str:
    """Returns a section with some lines of a module and their numbers; empty if there are none."""
    text = source.text.splitlines()
    rows: list[str] = []
    before = 0
    for number in sorted(n for n in wanted if n <= len(text)):
        if number != before + 1:
            rows.append("      ...")
        rows.append(f"{number:5d} {text[number - 1]}")
        before = number
    body = "\n".join(rows)
    return f"### {source.path} (module {source.module}), in part\n```\n{body}\n```" if rows else ""


def test_file_section(file: TestFile, suite: Suite) -> str:
    """Returns a section on a test file: its code outside tests, and the name, links and
    docstring of each test."""
    head = f"### {file.path}"
    if file.error:
        return f"{head}: cannot be parsed: {file.error}"
    return "\n".join([head, *_around(file), *(f"- {_test_line(t, suite)}" for t in file.tests)])


def _around(file: TestFile) -> list[str]:
    """Returns the code of a file outside its tests: imports, data, fixtures."""
    inside = {n for test in file.tests for n in range(test.line, test.end_line + 1)}
    lines = enumerate(split_lines(file.text), 1)
    left = (line for number, line in lines if number not in inside)
    text = "".join(line for line in left if not line.startswith("#"))
    text = re.sub(r"\n{3,}", "\n\n", text).strip()
    return ["```python", text, "```"] if text else []


def _test_line(test: TestFunction, suite: Suite) -> str:
    links = ", ".join(test.requirements) or ("emergent" if test.emergent else "unlinked")
    whose = "" if suite.is_owned(test) else " [the user's: read-only]"
    intent = test.doc.strip().partition("\n")[0]
    return f"{test.node.partition('::')[2]} ({links}){whose}: {intent}"


def test_sources(nodes: Iterable[str], suite: Suite) -> str:
    """Returns the full source of tests, by file, with the code around them and a line on each
    other test of the file."""
    wanted = {test.node for node in nodes if (test := suite.function(node)) is not None}
    parts = []
    for path in sorted({path_of(node) for node in wanted}):
        file = suite.files[path]
        parts.append("\n".join([f"### {path}", *_around(file)]))
        for test in file.tests:
            if test.node in wanted:
                parts.append(f"#### {test.node}\n```python\n{suite.source(test).rstrip()}\n```")
        others = [f"- {_test_line(t, suite)}" for t in file.tests if t.node not in wanted]
        parts += ["\n".join(["Also in this file:", *others])] if others else []
    return "\n\n".join(parts)


def finding_lines(findings: Sequence[Finding], *, evidence: bool = False) -> list[str]:
    """Returns list items for findings, each followed by its evidence if `evidence` is set."""
    return [line for finding in findings for line in _finding(finding, evidence)]


def _finding(finding: Finding, evidence: bool) -> Iterator[str]:
    place = f" ({finding.file}:{finding.line})" if finding.line else f" ({finding.file})"
    place = place if finding.file else ""
    todo = f" -> {finding.todo}" if finding.todo else ""
    yield steady(f"- [{finding.kind}] {finding.what}{place}{todo}")
    if evidence and finding.evidence:
        shown = steady(finding.evidence)
        shown = shown if len(shown) <= EVIDENCE else f"...{shown[-EVIDENCE:]}"
        yield "  ```"
        yield from (f"  {line}" for line in shown.splitlines())
        yield "  ```"
