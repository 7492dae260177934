"""`pytest-lift restore`: restores the tests as they were before a run."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_lift.commands.project_option import add_project, named_project
from pytest_lift.files.codec import read
from pytest_lift.store.archive import OUTCOME, HistoryRun
from pytest_lift.store.history import History, lifted_project, restore
from pytest_lift.store.landing import landed_hashes
from pytest_lift.text import printable
from pytest_lift.text.wording import count

LARGEST_OUTCOME = 1024 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_id", nargs="?", metavar="RUN", help="id (default: the latest)")
    parser.add_argument(
        "--force", action="store_true", help="overwrite what you edited since (default: off)"
    )
    parser.add_argument(
        "--list",
        action="store_true",
        help="list the runs with their outcome and figures, and change nothing (default: off)",
    )
    add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Returns 1 if a file that the user changed was not restored, otherwise 0."""
    project = named_project(options) or lifted_project()
    if options.list:
        history = History(project / ".lift")
        runs = past_runs(history) if (history.root / "history").is_dir() else ()
        for stored in runs:
            print(printable.line(stored.described))
        if not runs:
            print("no runs are stored")
        return 0
    restored = restore(project, options.run_id, force=options.force)
    for line in restored.lines():
        print(printable.line(line))
    return 1 if restored.kept else 0


@dataclass(frozen=True)
class PastRun:
    """A run in `.lift/history`. Figures are None if the run stored none."""

    id: str
    ending: str
    """Outcome of the run; ``unfinished`` if it was killed or stored by an older version."""
    iterations: int
    landed: tuple[str, ...]
    """Files that it wrote or removed below the test root, as POSIX paths relative to the
    project."""
    tests: int | None = None
    passed: int | None = None
    line_percent: float | None = None
    branch_percent: float | None = None
    verified: int | None = None
    testable: int | None = None

    @property
    def described(self) -> str:
        return "  ".join([self.id, f"{self.ending:<11}", *self._parts()])

    def _parts(self) -> Iterator[str]:
        yield count(self.iterations, "iteration")
        if self.tests is not None:
            yield f"{self.passed} of {count(self.tests, 'test')} passed"
        if self.line_percent is not None:
            yield f"{self.line_percent:.1f}% lines"
        if self.branch_percent is not None:
            yield f"{self.branch_percent:.1f}% branches"
        if self.testable and self.verified is not None:
            yield f"{self.verified} of {count(self.testable, 'requirement')} verified"
        yield f"{count(len(self.landed), 'file')} changed" if self.landed else "nothing changed"


def past_runs(history: History) -> tuple[PastRun, ...]:
    """Returns all stored runs, oldest first."""
    return tuple(past_run(history, name) for name in history.runs())


def past_run(history: History, name: str) -> PastRun:
    """Returns the stored figures of one run; for a killed run, those of its last iteration."""
    run = HistoryRun(history.root, name)
    numbers = run.iterations()
    landed = tuple(sorted(landed_hashes(history.root, name)))
    found = _outcome(run)
    figures = found if found else _last_figures(run, numbers)
    requirements = found.get("requirements", figures)
    return PastRun(
        name,
        str(found.get("outcome") or "unfinished")[:40],
        max(len(numbers) - 1, 0),
        tuple(path for path in landed if path.endswith(".py")),
        tests=_number(figures, "tests"),
        passed=_number(figures, "passed"),
        line_percent=_number(figures, "line_percent"),
        branch_percent=_number(figures, "branch_percent"),
        verified=_number(requirements, "verified"),
        testable=_number(requirements, "testable" if found else "requirements"),
    )


def _outcome(run: HistoryRun) -> Mapping[str, Any]:
    try:
        return read(run.folder / OUTCOME, dict[str, Any], LARGEST_OUTCOME)
    except (OSError, ValueError):
        return {}


def _last_figures(run: HistoryRun, numbers: tuple[int, ...]) -> Mapping[str, Any]:
    try:
        figures = run.figures_at(numbers[-1]).get("figures")
    except (IndexError, OSError, ValueError):
        return {}
    return figures if isinstance(figures, dict) else {}


def _number(data: Any, name: str) -> Any:
    """Returns a number of `data`; None if it is missing or no number."""
    found = data.get(name) if isinstance(data, Mapping) else None
    return found if isinstance(found, int | float) and not isinstance(found, bool) else None
