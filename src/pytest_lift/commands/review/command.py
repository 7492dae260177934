"""`pytest-lift review`: shows the tests of a run one by one, and stores the decisions."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pytest_lift.commands.keys import read_key
from pytest_lift.commands.project_option import add_project, named_project
from pytest_lift.commands.review.proposals import Proposal, Proposed, proposed, remember
from pytest_lift.errors import LandingError, UsageError
from pytest_lift.store.archive import HistoryRun
from pytest_lift.store.history import History, alone, chosen_run, lifted_project
from pytest_lift.store.landing import land, recover
from pytest_lift.suite.suite import read_suite
from pytest_lift.text import printable

QUESTION = "keep this test? [y]es [n]o [s]kip [b]ack [a]ll the rest [q]uit:"
GREEN, RED, BOLD, OFF = "\x1b[32m", "\x1b[31m", "\x1b[1m", "\x1b[0m"


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
            _require_terminal()
            try:
                review.ask()
            except KeyboardInterrupt:
                print("\nnothing was changed")
                return 2
        return _carry_out(project, found, review)


def _require_terminal() -> None:
    if not sys.stdin.isatty():
        raise UsageError(
            "there is no terminal to ask in",
            where="standard input",
            todo="use --list, then --accept NODE and --refuse NODE",
        )


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
