"""Names a remedy for every finding about a broken test, by rules: the offline debugger."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from pytest_lift.agents.contract import Brief
from pytest_lift.calls.names import STANDARD, Resolver, imported_names, top_level_names
from pytest_lift.expectations.requirement_match import agreement
from pytest_lift.findings.feedback import Feedback
from pytest_lift.findings.finding import Finding
from pytest_lift.suite.suite import path_of
from pytest_lift.suite.test_file import TestFunction
from pytest_lift.trace.texts import surrounded

Action = Literal["import", "rename", "observe", "drop", "unlink", "leave"]
MECHANICAL: frozenset[Action] = frozenset({"import", "rename", "unlink"})
"""Actions that change no assertion and need no review."""
CONFINED = frozenset({"timed-out", "out-of-memory", "denied-write", "needs-loopback"})
BROKEN = CONFINED | {"failing", "flaky", "broken-file", "crashed", "unknown-requirement"}
NOT_DEFINED = re.compile(r"NameError: name '(\w+)' is not defined")
NOT_THERE = re.compile(r"cannot import name '(\w+)' from '?([\w.]+)'?")
NO_MODULE = re.compile(r"No module named '([\w.]+)'")
NO_ATTRIBUTE = re.compile(r"module '([\w.]+)' has no attribute '(\w+)'")


@dataclass(frozen=True)
class Remedy:
    """Action to take on the tests of a finding."""

    action: Action
    nodes: tuple[str, ...]
    """Test functions, or files that cannot be collected."""
    old: str = ""
    new: str = ""

    @property
    def words(self) -> str:
        """The remedy as a sentence for people and models."""
        return {
            "import": f"add `{self.new}`",
            "rename": f"use `{self.new}` instead of `{self.old}`, which does not exist",
            "observe": "observe the call again and assert what it gives; drop the test if that is "
            "not the same every time",
            "drop": f"remove the test: {self.old}",
            "unlink": f"replace the requirement id {self.old!r}, which no requirement has",
            "leave": "the test is the user's or states what a requirement says: leave it",
        }[self.action]


def remedies(brief: Brief) -> Iterator[tuple[Finding, Remedy]]:
    """Yields one remedy for every finding about something broken."""
    resolver = Resolver(brief.program)
    for finding in brief.findings:
        if finding.kind in BROKEN:
            yield finding, _remedy(finding, brief, resolver)


def _remedy(finding: Finding, brief: Brief, resolver: Resolver) -> Remedy:
    nodes = tuple(dict.fromkeys(node.partition("[")[0] for node in finding.tests))
    said = f"{finding.what}\n{finding.evidence}"
    if not any(_is_ours(node, brief) for node in nodes):
        return Remedy("leave", nodes)
    if finding.kind == "unknown-requirement":
        return Remedy("unlink", nodes, finding.requirement)
    if finding.kind == "crashed" or finding.kind in CONFINED:
        return Remedy("drop", nodes, f"it is {finding.kind} in the jail")
    named = _by_name(said, nodes, brief, resolver)
    if named is not None:
        return named
    if finding.kind == "broken-file":
        return Remedy("drop", nodes, "its file cannot be collected")
    if any(_is_specified(test, brief) for node in nodes if (test := brief.suite.function(node))):
        return Remedy("leave", nodes)
    return Remedy("observe", nodes)


def _by_name(said: str, nodes: tuple[str, ...], brief: Brief, resolver: Resolver) -> Remedy | None:
    """Returns a remedy for a name that does not exist or was not imported; None for other
    errors."""
    if match := NOT_DEFINED.search(said):
        line = _import_of(match[1], resolver)
        return Remedy("import", nodes, match[1], line) if line else None
    match = NOT_THERE.search(said)
    if match:
        module, name = match[2], match[1]
    elif match := NO_ATTRIBUTE.search(said):
        module, name = match[1], match[2]
    elif match := NO_MODULE.search(said):
        close = difflib.get_close_matches(match[1], list(brief.program.by_module), 1, 0.7)
        return Remedy("rename", nodes, match[1], close[0]) if close else None
    else:
        return None
    file = brief.program.by_module.get(module)
    if file is None:
        return None
    known = [*top_level_names(file), *(found.bound for found in imported_names(file))]
    close = difflib.get_close_matches(name, known, 1, 0.7)
    return Remedy("rename", nodes, name, close[0]) if close else None


def _import_of(name: str, resolver: Resolver) -> str:
    lines = {export.line for export in resolver.exports.values() if export.name == name}
    return min(lines, key=len, default="") or STANDARD.get(name, "")


def _is_ours(node: str, brief: Brief) -> bool:
    test = brief.suite.function(node)
    if test is not None:
        return brief.suite.is_owned(test)
    return brief.suite.is_owned_file(node)


def _is_specified(test: TestFunction, brief: Brief) -> bool:
    """Whether a requirement states the expected value, so that the program may be wrong."""
    source = surrounded(brief.suite.source(test), brief.suite.text(path_of(test.node)))
    found = (brief.requirements.by_id.get(name) for name in test.requirements)
    return any(item is not None and agreement(item, source) for item in found)


def debugger(brief: Brief) -> Feedback:
    """Returns FIX; the `todo` of each broken finding is replaced by its remedy, other findings
    stay."""
    mended = {id(finding): remedy for finding, remedy in remedies(brief)}
    findings = tuple(
        replace(finding, todo=mended[id(finding)].words) if id(finding) in mended else finding
        for finding in brief.findings
    )
    counts = Counter(remedy.action for remedy in mended.values())
    told = ", ".join(f"{count} x {action}" for action, count in counts.most_common())
    summary = f"{len(mended)} causes found. Remedies: {told}." if mended else "Nothing is broken."
    return Feedback("debugger", "FIX", findings, summary)
