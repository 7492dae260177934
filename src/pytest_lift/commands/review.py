"""`pytest-lift review`: shows the tests of a run one by one, and stores the decisions."""

from __future__ import annotations

import argparse
import difflib
import json
import os
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pytest_lift.commands.keys import read_key
from pytest_lift.commands.project_option import add_project, named_project
from pytest_lift.errors import LandingError, LiftError, UsageError
from pytest_lift.files.atomic import place_file
from pytest_lift.files.codec import read
from pytest_lift.gate.refused_tests import fingerprints
from pytest_lift.report.facts import Report, RequirementFacts, TestFacts
from pytest_lift.report.stored import read_report
from pytest_lift.store.archive import REPORT, HistoryRun
from pytest_lift.store.history import History, alone, chosen_run, lifted_project
from pytest_lift.store.landing import land, landed_hashes, recover
from pytest_lift.suite.suite import Edit, Suite, path_of, read_suite, suite_of
from pytest_lift.suite.test_file import TestFunction
from pytest_lift.text import printable
from pytest_lift.text.wording import count

QUESTION = "keep this test? [y]es [n]o [s]kip [b]ack [a]ll the rest [q]uit:"
GREEN, RED, BOLD, OFF = "\x1b[32m", "\x1b[31m", "\x1b[1m", "\x1b[0m"
REVIEW = "review.json"
"""File in the folder of a run: the decisions about its tests."""
LARGEST_REVIEW = 16 * 1024 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "run_id", nargs="?", metavar="RUN", help="id of the run (default: the latest)"
    )
    parser.add_argument(
        "--list", action="store_true", help="list the tests to decide about, and end (default: off)"
    )
    for name, verb in (("accept", "keep"), ("refuse", "drop")):
        parser.add_argument(
            f"--{name}",
            action="append",
            default=[],
            metavar="NODE",
            help=f"{verb} this test without asking; may be given several times (default: none)",
        )
    add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Returns 0, or 1 if a file was not changed because the user changed it, or 2 if
    interrupted."""
    project = named_project(options) or lifted_project().absolute()
    with alone(project):
        history = History.open(project)
        recover(project, history.root)
        stored = HistoryRun(history.root, chosen_run(history, options.run_id))
        found = proposed(stored, read_suite(project, stored.test_root(0)))
        if options.list or not found.proposals:
            _list(found)
            return 0
        review = _Review(found.proposals)
        if options.accept or options.refuse:
            review.take(options.accept, options.refuse)
        else:
            if not sys.stdin.isatty():
                raise UsageError(
                    "there is no terminal to ask in",
                    where="standard input",
                    todo="use --list, then --accept NODE and --refuse NODE",
                )
            try:
                review.ask()
            except KeyboardInterrupt:
                print("\nnothing was changed")
                return 2
        return _carry_out(project, found, review)


def _list(found: Proposed) -> None:
    if not found.proposals:
        print(f"nothing to decide about run {found.run.id}")
    for proposal in found.proposals:
        print(printable.line(f"{proposal.node}: {proposal.intent.partition(chr(10))[0]}"))


@dataclass
class _Review:
    """Decisions of a review in progress."""

    proposals: Sequence[Proposal]
    decided: dict[str, str] = field(default_factory=dict)
    """Node -> ``accepted`` or ``refused``."""

    def take(self, accepted: Sequence[str], refused: Sequence[str]) -> None:
        """Applies the decisions of the command line. Raises UsageError for a test that is not
        proposed."""
        known = {proposal.node for proposal in self.proposals}
        for node in (*accepted, *refused):
            if node not in known:
                raise UsageError(
                    f"{node} is not among the tests to decide about",
                    where="--accept, --refuse",
                    todo="pytest-lift review --list names them",
                )
        self.decided = dict.fromkeys(accepted, "accepted") | dict.fromkeys(refused, "refused")

    def ask(self) -> None:
        """Asks about each test until all are decided or the user quits."""
        place = 0
        while place < len(self.proposals):
            proposal = self.proposals[place]
            _show(proposal, f"{place + 1} of {len(self.proposals)}")
            key = read_key(QUESTION, "ynsbaq")
            if key == "q":
                return
            if key == "a":
                rest = (p.node for p in self.proposals[place:])
                self.decided |= dict.fromkeys(rest, "accepted")
                return
            if key == "b":
                place = max(place - 1, 0)
                self.decided.pop(self.proposals[place].node, None)
                continue
            if key in "yn":
                self.decided[proposal.node] = "accepted" if key == "y" else "refused"
            place += 1

    def of_kind(self, kind: str) -> list[str]:
        return [node for node, decision in self.decided.items() if decision == kind]


def _show(proposal: Proposal, count: str) -> None:
    color = sys.stdout.isatty() and not os.environ.get("NO_COLOR")

    def put(text: str, code: str = "") -> None:
        text = printable.line(text)
        print(f"{code}{text}{OFF}" if color and code else text)

    print()
    put(f"{count}  {proposal.node}", BOLD)
    for line in proposal.adds:
        put(f"    {line}")
    print()
    for line in proposal.diff:
        put(line, {"+": GREEN, "-": RED}.get(line[:1], ""))
    print()


def _carry_out(project: Path, found: Proposed, review: _Review) -> int:
    accepted, refused = review.of_kind("accepted"), review.of_kind("refused")
    after = found.decided(accepted, refused)
    landed = land(project, project / ".lift", found.now, after, found.run.id)
    done = {n: d for n, d in review.decided.items() if n.partition("::")[0] not in landed.kept}
    try:
        remember(found.run, done)
    except OSError as error:
        raise LandingError(
            f"the tests are as decided, but the decisions cannot be stored: {error.strerror}",
            where=str(found.run.folder),
            todo="make the folder writable; otherwise you will be asked again",
        ) from error
    left = len(found.proposals) - len(review.decided)
    print(f"{len(accepted)} accepted, {len(refused)} refused, {left} left to decide")
    if refused:
        print(f"what was refused is not proposed again ({found.now.ownership_path}: commit it)")
    for path, why in sorted(landed.kept.items()):
        print(printable.line(f"kept {path}: {why}"))
    return 1 if landed.kept else 0


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
        old, new = before.texts(), now.texts()
        tests = [t for t in tests if old.get(path_of(t.node)) == new.get(path_of(t.node))]
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
        yield f"detects {count(facts.kills, 'mutant')}"
    if facts.outcome != "passed":
        yield f"outcome: {facts.outcome}{f', {facts.reason}' if facts.reason else ''}"
