"""Suite -> `Run`: one fresh pytest subprocess over the whole suite in the private copy."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pytest_lift.files import untrusted
from pytest_lift.marks.claims import DEFAULT, Claims
from pytest_lift.run.channel import SealedRecord
from pytest_lift.run.events import SessionEvents, as_run
from pytest_lift.run.pytest_options import inner_environment, inner_options, measuring_options
from pytest_lift.run.result import Run
from pytest_lift.sandbox.child import Places, run_child
from pytest_lift.sandbox.jail import Jail
from pytest_lift.sandbox.supervisor import RECORD
from pytest_lift.source.program import Program


@dataclass(frozen=True)
class Plugin:
    """A further pytest plugin of ours inside a run."""

    module: str
    environ: Mapping[str, str] = field(default_factory=dict)
    """Environment variables for the recorder."""


REPORTS = ("junit.xml", "coverage.xml", "coverage.json", "coverage.db")
RUN = "run"
"""The folder in the scratch for what is gone after each run: HOME, TMPDIR, pytest's cache."""


def run_suite(
    copy: Path,
    program: Program,
    *,
    test_root: str,
    reports: Path,
    scratch: Path,
    seconds: float,
    jail: Jail,
    claims: Claims = DEFAULT,
    selection: Sequence[str] = (),
    addopts: Sequence[str] = (),
    measure: bool = True,
    contexts: bool = True,
    shuffle: int | None = None,
    hash_seed: int = 0,
    python: str = sys.executable,
    plugin: Plugin | None = None,
    session: SessionEvents | None = None,
) -> Run:
    """Runs the suite in `copy` once and returns how it ended; no outcome is an exception.

    `test_root` and `selection` (node ids or paths; empty: the test root) are relative to `copy`.
    `addopts` are the user's own tokens, of which `inner_addopts` keeps most. `reports` is emptied
    first; HOME, TMPDIR and pytest's cache are inside `scratch`. `seconds` limits the whole process;
    `session` (a new one) shows its progress. In the `jail` only these folders can be written:
    `copy` cannot. Raises UsageError when `python` cannot be started there, OSError when a folder
    cannot be written.
    """
    copy, reports, scratch = copy.resolve(), reports.resolve(), scratch.resolve() / RUN
    _empty_reports(reports)
    (copy / test_root).mkdir(parents=True, exist_ok=True)
    command = [
        *(python, "-m", "pytest"),
        *inner_options(addopts, copy, reports, scratch),
        *(measuring_options(program, reports, contexts) if measure else ()),
        *(("-p", plugin.module) if plugin else ()),
        *(selection or (test_root,)),
    ]
    extra = inner_environment(copy, program, reports, scratch, hash_seed)
    extra["LIFT_RECORD"] = str(RECORD)
    if claims != DEFAULT:
        extra["LIFT_CLAIMS"] = claims.as_text()
    if shuffle is not None:
        extra["LIFT_SHUFFLE"] = str(shuffle)
    extra |= plugin.environ if plugin else {}
    session = session or SessionEvents()
    child = run_child(
        command,
        cwd=copy,
        env=jail.environment(scratch / "home", extra),
        seconds=seconds,
        jail=jail,
        places=Places((copy,), (reports,), scratch, ("home", "tmp", "cache")),
        record=SealedRecord(session).read,
    )
    run = as_run(session, child)
    measured = measure and (reports / "coverage.json").exists()
    return replace(run, reports=reports if measured else None)


def _empty_reports(reports: Path) -> None:
    """Empties the folder of reports, so that nothing of an earlier run is read."""
    reports.mkdir(parents=True, exist_ok=True)
    for path in [*(reports / name for name in REPORTS), *reports.glob("coverage.db.*")]:
        untrusted.remove(path)
