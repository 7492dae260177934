"""Proposals of a run: each test that it wrote, with the reason and the benefit."""

from __future__ import annotations

import difflib
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from pytest_lift.errors import LiftError
from pytest_lift.files.atomic import place_file
from pytest_lift.files.codec import read
from pytest_lift.gate.refused_tests import fingerprints
from pytest_lift.report.facts import Report, RequirementFacts, TestFacts
from pytest_lift.report.stored import read_report
from pytest_lift.store.archive import REPORT, HistoryRun
from pytest_lift.store.landing import landed_hashes
from pytest_lift.suite.suite import Edit, Suite, path_of, suite_of
from pytest_lift.suite.test_file import TestFunction

REVIEW = "review.json"
"""File in the folder of a run: the decisions about its tests."""
LARGEST_REVIEW = 16 * 1024 * 1024


@dataclass(frozen=True)
class Proposal:
    """A test that a run wrote or changed."""

    node: str
    intent: str
    source: str
    before: str
    """Its text before the run; empty for a new test."""
    adds: tuple[str, ...] = ()
    """Reason and benefit of the test, in words."""

    @property
    def diff(self) -> tuple[str, ...]:
        """The lines of a unified diff without its head; all of a new test is added."""
        if not self.before:
            return tuple(f"+{line}" for line in self.source.splitlines())
        lines = self.before.splitlines(), self.source.splitlines()
        return tuple(difflib.unified_diff(*lines, lineterm=""))[2:]


@dataclass(frozen=True)
class Proposed:
    """Proposals of a run, and the suites before and after them."""

    run: HistoryRun
    now: Suite
    """The suite in the project now."""
    offered: Suite
    """The suite at the end of the run."""
    landed: bool
    """Whether the run has written its tests into the project already."""
    proposals: tuple[Proposal, ...] = ()

    def decided(self, accepted: Collection[str], refused: Collection[str]) -> Suite:
        """Returns the project's suite after a review, with the checks of refused tests recorded.

        If the run has landed, refused tests are removed. If it wrote a patch, accepted tests are
        added, together with its files without tests.
        """
        checks = frozenset(h for node in refused for h in fingerprints(self.offered, node))
        if self.landed:
            after = self.now.without(refused)
        else:
            wanted = self.offered.without({p.node for p in self.proposals}.difference(accepted))
            chosen = {path_of(node) for node in accepted}
            edit = {
                path: text
                for path, text in self.now.edit_to(wanted).files.items()
                if text is not None and accepted
                if path in chosen or not wanted.files[path].tests
            }
            after = self.now.apply(Edit(edit))
        return replace(after, refused=after.refused | checks)


def proposed(run: HistoryRun, now: Suite) -> Proposed:
    """Returns the proposals of `run` that are not yet decided, for a project with the suite `now`.

    If the run wrote a patch, files that the user changed since are left out. Raises UsageError.
    """
    last = run.iterations()[-1]
    name = "accepted" if run.has_suite(last, "accepted") else "tests"
    root = run.test_root(last)
    before = suite_of(root, run.suite_at(0), now.naming)
    offered = suite_of(root, run.suite_at(last, name), now.naming)
    landed = bool(landed_hashes(run.root, run.id))
    tests = [t for t in offered.owned_tests() if _is_new(t, before) and _stands(t, now, landed)]
    if not landed:
        tests = [t for t in tests if _text(before, t) == _text(now, t)]
    done = decisions(run)
    report = _report(run)
    return Proposed(
        run,
        now,
        offered,
        landed,
        tuple(_proposal(t, before, offered, report) for t in tests if t.node not in done),
    )


def decisions(run: HistoryRun) -> Mapping[str, str]:
    """Returns node -> ``accepted`` or ``refused`` from earlier reviews of the run."""
    try:
        return read(run.folder / REVIEW, dict[str, str], LARGEST_REVIEW)
    except (OSError, ValueError):
        return {}


def remember(run: HistoryRun, decided: Mapping[str, str]) -> None:
    """Stores the decisions, so that they are not asked again. Raises OSError."""
    data = {**decisions(run), **decided}
    place_file(run.folder / REVIEW, json.dumps(data, indent=1, sort_keys=True).encode())


def _is_new(test: TestFunction, before: Suite) -> bool:
    known = before.function(test.node)
    return known is None or known.digest != test.digest


def _stands(test: TestFunction, now: Suite, landed: bool) -> bool:
    """Whether a test can be decided: it is unchanged since it landed, or not yet in the project."""
    here = now.function(test.node)
    if not landed:
        return here is None or here.digest != test.digest
    return here is not None and here.digest == test.digest and now.is_owned(here)


def _text(suite: Suite, test: TestFunction) -> str | None:
    file = suite.files.get(path_of(test.node))
    return file.text if file is not None else None


def _report(run: HistoryRun) -> Report | None:
    try:
        return read_report(run.folder / REPORT)
    except LiftError:
        return None


def _proposal(test: TestFunction, before: Suite, offered: Suite, report: Report | None) -> Proposal:
    old = before.function(test.node)
    return Proposal(
        test.node,
        test.doc.strip(),
        offered.source(test),
        before.source(old) if old is not None else "",
        tuple(_adds(test, report)),
    )


def _adds(test: TestFunction, report: Report | None) -> Iterator[str]:
    """Yields statements of the run's report about a test."""
    facts = next((t for t in report.tests if t.node == test.node), None) if report else None
    if report is None or facts is None:
        yield "the report of the run does not mention it"
        return
    came = next((i for i in report.iterations if test.node in (*i.added, *i.changed)), None)
    if came is not None:
        yield f"iteration {came.number}: {came.why}"
    for item in report.requirements:
        yield from _for_requirement(item, test.node)
    if facts.emergent:
        yield f"no requirement states it: {facts.emergent}"
    yield from _strength(facts)


def _for_requirement(item: RequirementFacts, node: str) -> Iterator[str]:
    for link in item.links:
        if link.test == node:
            basis = f" ({link.basis})" if link.basis else ""
            yield f"{link.grade} {item.id}, {item.title}{basis}"
            if link.sentence:
                yield f'  "{link.sentence}"'
            others = [other for other in item.links if other.test != node]
            if not others:
                yield f"  no other test is linked to {item.id}"


def _strength(facts: TestFacts) -> Iterator[str]:
    if facts.kills is not None:
        yield f"detects {facts.kills} {'mutant' if facts.kills == 1 else 'mutants'}"
    if facts.outcome != "passed":
        yield f"outcome: {facts.outcome}{f', {facts.reason}' if facts.reason else ''}"
