"""What the user asked for, as one frozen value; `session/config.py` reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pytest_lift.marks.claims import DEFAULT, Claims
from pytest_lift.suite.test_file import DEFAULT_NAMING, Naming


@dataclass(frozen=True)
class ReportTarget:
    """One report to be written."""

    format: str
    path: Path
    named: str = ""
    """The place as it was typed; empty for the default one."""


@dataclass(frozen=True)
class Prices:
    """Of a million tokens each, in any currency."""

    input: float
    cached: float
    output: float


MUTATION_MINUTES = 2.0
"""What mutants may take unless somebody says more."""


MUTATION_SHARE = 0.3
"""Which part of a limited lift that is at most."""


@dataclass(frozen=True)
class Settings:
    """What the user asked for. Paths are absolute."""

    root: Path
    """The project: `rootdir` where an ini file makes one, else the nearest folder upwards with
    a sign of a project."""
    tests: str
    """The test root, POSIX, relative to `root`."""
    requirements: tuple[Path, ...] = ()
    source: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    """Names of what the lift is about; empty: all of the program."""
    changed: str | None = None
    """The commit or branch since which something must have changed to be lifted, or
    `DEFAULT_BASE`."""
    model: str | None = None
    max_tokens: int | None = None
    """Of all calls of a run together."""
    max_cost: float | None = None
    """Of the same, in the currency of `prices`."""
    prices: Mapping[str, Prices] = field(default_factory=dict)
    """Model -> what its tokens cost."""
    concurrency: int = 4
    context: int | None = None
    """Tokens of a request and its answer; None: what the endpoint has."""
    replay: Path | None = None
    """A recording that holds calls: a folder or a .jsonl file."""
    prompts: Path | None = None
    dry_run: bool = False
    iterations: int = 25
    min_line: float | None = None
    min_branch: float | None = None
    min_requirements: float | None = None
    min_mutation: float | None = None
    mutation: str = "auto"
    mutation_minutes: float | None = None
    """Of all measuring of mutants in one lift; None: see `mutation_seconds`."""
    minimise: bool = False
    strict: bool = False
    """What contradicts a requirement, leaves it without results, or names none, is a failure."""
    max_minutes: float | None = None
    timeout: float = 600.0
    output: str = "land"
    write_config: bool = False
    """Whether pytest's configuration file may be changed."""
    json: Path | None = None
    seed: int | None = None
    """None: 0, or that of the run that is resumed."""
    resume: bool = False
    contexts: bool = True
    sandbox: str = "auto"
    allow_net: bool = False
    allow_read: tuple[Path, ...] = ()
    allow_write: tuple[Path, ...] = ()
    pass_env: tuple[str, ...] = ()
    max_memory: int = 2048
    """MiB"""
    reports: tuple[ReportTarget, ...] = ()
    step_summary: Path | None = None
    """Where a CI job shows Markdown; a summary is appended wherever reports are written."""
    fail_under: float | None = None
    """Percent of the testable requirements that have to be verified."""
    verified: str = "all"
    """How many cases of the tests of a requirement have to pass for it to be verified."""
    claims: Claims = DEFAULT
    naming: Naming = DEFAULT_NAMING
    """What pytest takes for a test here."""

    @property
    def every_case(self) -> bool:
        """Whether every case of the tests of a requirement has to pass."""
        return self.verified == "all"

    @property
    def lift_dir(self) -> Path:
        return self.root / ".lift"

    @property
    def mutation_seconds(self) -> float | None:
        """What measuring mutants may take; None: as long as it takes."""
        if self.mutation_minutes is not None:
            return self.mutation_minutes * 60
        if self.mutation == "full":
            return None
        within = MUTATION_SHARE * self.max_minutes if self.max_minutes else MUTATION_MINUTES
        return min(within, MUTATION_MINUTES) * 60

    @property
    def thresholds(self) -> dict[str, float]:
        """The thresholds that are set: figure name -> percent."""
        named = {
            "line": self.min_line,
            "branch": self.min_branch,
            "requirements": self.min_requirements,
            "mutation": self.min_mutation,
        }
        return {name: value for name, value in named.items() if value is not None}
