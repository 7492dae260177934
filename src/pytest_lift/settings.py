"""The settings of a session, as one frozen value that `session/config.py` reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pytest_lift.marks.claims import DEFAULT, Claims
from pytest_lift.suite.collection import DEFAULT_NAMING, Naming


@dataclass(frozen=True)
class ReportTarget:
    """Format and place of one report."""

    format: str
    path: Path
    named: str = ""
    """The path as the user gave it; empty for the default path."""


@dataclass(frozen=True)
class Prices:
    """Prices of a million tokens, in any currency."""

    input: float
    cached: float
    output: float


MUTATION_MINUTES = 2.0
"""Default limit for measuring mutants, in minutes."""


MUTATION_SHARE = 0.3
"""Largest share of `max_minutes` that measuring mutants takes by default."""


@dataclass(frozen=True)
class Settings:
    """The settings that the user gave. Paths are absolute."""

    root: Path
    """Folder of the project: `rootdir` where pytest has an ini file, else the nearest folder
    upwards with a sign of a project."""
    tests: str
    """Folder of the tests, POSIX, relative to `root`."""
    requirements: tuple[Path, ...] = ()
    source: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    """Names of parts of the program or of requirements; empty: all of the program is lifted."""
    changed: str | None = None
    """Commit or branch, or `DEFAULT_BASE`: only what changed since then is lifted."""
    model: str | None = None
    max_tokens: int | None = None
    """Limit for all model calls of a run together."""
    max_cost: float | None = None
    """Limit for all model calls of a run together, in the currency of `prices`."""
    prices: Mapping[str, Prices] = field(default_factory=dict)
    """Model -> prices of its tokens."""
    concurrency: int = 4
    context: int | None = None
    """Tokens of a request and its answer; None: the limit of the endpoint."""
    replay: Path | None = None
    """Recording of model calls: a folder or a .jsonl file."""
    prompts: Path | None = None
    lsp: str | None = None
    """Command of a language server, or ``off``; None: ty, where it is installed."""
    dry_run: bool = False
    iterations: int = 25
    min_line: float | None = None
    min_branch: float | None = None
    min_requirements: float | None = None
    min_mutation: float | None = None
    mutation: str = "auto"
    mutation_minutes: float | None = None
    """Limit for measuring mutants in one lift; None: see `mutation_seconds`."""
    minimise: bool = False
    strict: bool = False
    """Whether contradictions, requirements without results and unknown ids fail the session."""
    max_minutes: float | None = None
    timeout: float = 600.0
    output: str = "land"
    write_config: bool = False
    """Whether the lift may change pytest's configuration file."""
    json: Path | None = None
    seed: int | None = None
    """None: 0, or the seed of the resumed run."""
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
    """Markdown file that a CI job shows; a summary is appended to it when reports are written."""
    fail_under: float | None = None
    """Least percentage of the testable requirements that must be verified."""
    verified: str = "all"
    """Cases of the tests of a requirement that must pass for it to be verified: all or any."""
    claims: Claims = DEFAULT
    naming: Naming = DEFAULT_NAMING
    """Names by which pytest recognises tests in this project."""

    @property
    def every_case(self) -> bool:
        """Whether every case of the tests of a requirement must pass."""
        return self.verified == "all"

    @property
    def lift_dir(self) -> Path:
        return self.root / ".lift"

    @property
    def mutation_seconds(self) -> float | None:
        """Limit for measuring mutants; None: no limit."""
        if self.mutation_minutes is not None:
            return self.mutation_minutes * 60
        if self.mutation == "full":
            return None
        within = MUTATION_SHARE * self.max_minutes if self.max_minutes else MUTATION_MINUTES
        return min(within, MUTATION_MINUTES) * 60

    @property
    def thresholds(self) -> dict[str, float]:
        """The thresholds that are set: name of the figure -> percent."""
        names = ("line", "branch", "requirements", "mutation")
        values = {name: getattr(self, f"min_{name}") for name in names}
        return {name: value for name, value in values.items() if value is not None}
