"""Runs of mutmut for suites that do not pass at once: what stands in the way is left out or eased.

Each step of the ladder is tried once: processes forked from a clean one, the suite's own order,
tests left out that fail without a mutant, pytest with all its ways, files left as they are.
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pytest_lift.mutation.mutation import Verdict
from pytest_lift.mutation.mutmut.command import (
    SELDOM,
    Finished,
    Steered,
    WantedRun,
    failing_anyway,
    failing_unmutated,
    run_mutmut,
)
from pytest_lift.mutation.mutmut.configuration import Configuration
from pytest_lift.mutation.mutmut.errors import (
    MutationError,
    NothingExecuted,
    NothingToMutate,
    NotMutable,
    OrderLost,
    OutOfTime,
    ResultsUnreadable,
    SourcesChanged,
    SuiteNotCollected,
    SuiteNotPassing,
)
from pytest_lift.mutation.mutmut.project import MutationProject
from pytest_lift.mutation.mutmut.results import Statistics, read_failures, read_verdicts
from pytest_lift.sandbox.jail import Jail
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import Suite

MOST_ATTEMPTS = 8
NAMED = 3
UNLIMITED = 24 * 3600.0
FAST = ("--assert=plain", "-p", "no:cacheprovider", "-p", "no:stepwise")
"""Options of pytest for speed; no verdict depends on them, as a rule."""
CAREFUL = ("--tb=short",)
"""Why a suite cannot be collected is to be read."""
_FILE = re.compile(r"invalid python syntax for mutants/(\S+?)\.? ")


@dataclass(frozen=True)
class Setting:
    """Settings of a run of mutmut."""

    configuration: Configuration
    fast: bool = True
    free_order: bool = True
    left_out: frozenset[str] = frozenset()
    """Tests that fail where nothing is mutated."""

    @property
    def told(self) -> Configuration:
        options = self.configuration.options
        ways = FAST if self.fast else CAREFUL
        return replace(self.configuration, options=(*options, *ways))


@dataclass
class Attempts:
    """mutmut's folder, and the setting that works there."""

    project: MutationProject
    jail: Jail
    scratch: Path
    setting: Setting
    _program: Program | None = None
    _suite: Suite | None = None
    _asked: frozenset[str] = frozenset()
    _generated: dict[str, bytes] = field(default_factory=dict)
    _notes: dict[str, None] = field(default_factory=dict)
    _running: frozenset[str] = frozenset()
    """Mutants that are being run."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Facts that a reader of the score has to know."""
        failing = sorted(self.setting.left_out)
        if not failing:
            return tuple(self._notes)
        named = ", ".join(failing[:NAMED]) + (" ..." if len(failing) > NAMED else "")
        told = f"not counted, since in mutmut's folder they fail ({len(failing)}): {named}"
        return (*self._notes, told)

    def note(self, text: str) -> None:
        self._notes[text] = None

    @property
    def steers(self) -> bool:
        """Whether mutants can be run in another order than mutmut's: in its own process."""
        return self.setting.configuration.isolation == "fork"

    @property
    def left_out(self) -> frozenset[str]:
        return self._asked | self.setting.left_out

    @property
    def sources(self) -> list[str]:
        """The sources that have mutants, as they are called in mutmut's folder."""
        assert self._program is not None
        placed = map(self.project.layout.placed, self._program.files)
        return [p for p in placed if (self.project.mutants / f"{p}.meta").is_file()]

    def begin(self, suite: Suite, program: Program, left_out: frozenset[str]) -> None:
        """Begins with another suite, which is in step with the copy; settings that were relaxed
        stay so."""
        self._suite, self._program, self._asked = suite, program, left_out
        self._notes.clear()
        self._sync()

    def prepare(self, seconds: float | None, *, told: bool = False) -> None:
        """Makes the mutants and finds out which test executes what, unless that was `told`. Raises
        MutationError."""
        try:
            self._attempt(WantedRun(only_prepare=True, told=told), seconds)
        except NothingExecuted:
            self._require_mutants()
            raise
        self._require_mutants()
        self._generated = self.project.generated()

    def _require_mutants(self) -> None:
        if not any(read_verdicts(self.project, source) for source in self.sources):
            raise NothingToMutate(
                "the program has no function that mutmut mutates",
                todo="point --lift-source at the package, and check the filters in [tool.mutmut]",
            )

    def run(
        self,
        keys: Collection[str],
        tests: Mapping[str, frozenset[str]],
        statistics: Statistics,
        seconds: float | None,
        steered: Steered | None = None,
    ) -> Finished:
        """Runs the mutants named, or all that are pending, each against its `tests`; `steered`, in
        their order. Raises MutationError; OrderLost where they cannot be steered any more."""
        wanted = WantedRun(
            tuple(keys),
            tests=tests,
            of_function=statistics.tests,
            times=statistics.seconds,
            patience=self.setting.configuration.patience,
            steered=steered,
        )
        self._running = frozenset(tests)
        try:
            return self._attempt(wanted, seconds)
        finally:
            self._running = frozenset()
            self._require_unchanged()

    def so_far(self) -> dict[str, Verdict | None]:
        """Returns key -> verdict of each mutant that is being run, None where it has none yet;
        empty where none is run, or mutmut is writing at the moment."""
        running = self._running
        try:
            known = [read_verdicts(self.project, p) for p in self.sources] if running else []
        except ResultsUnreadable:
            return {}
        return {key: one.get(key) for one in known for key in running & one.keys()}

    def _require_unchanged(self) -> None:
        changed = [p for p, mark in self.project.generated().items() if self._generated[p] != mark]
        if changed:
            self.project.forget(changed)
            raise SourcesChanged(
                f"the tests changed mutated sources while they ran: {', '.join(changed[:3])}",
                todo="correct the tests that write into the program's folder",
            )

    def be_patient(self) -> None:
        self.note("mutants that seemed to hang were run once more, with more time")
        patient = self.setting.configuration.patient()
        self.setting = replace(self.setting, configuration=patient)
        self._sync()

    def _sync(self) -> None:
        assert self._program is not None
        self.project.sync(self._program, self.setting.told)

    def _attempt(self, wanted: WantedRun, seconds: float | None) -> Finished:
        until = time.monotonic() + (UNLIMITED if seconds is None else seconds)
        for number in range(MOST_ATTEMPTS):
            full = replace(
                wanted,
                seconds=max(until - time.monotonic(), 0.1),
                left_out=self.left_out,
                words=self._words(),
                blocked=_blocked(self.setting.configuration.options),
                careful=not self.setting.fast,
                free_order=self.setting.free_order,
                control=self.steers,
            )
            try:
                finished = run_mutmut(self.project, self.jail, self.scratch, full)
            except MutationError as error:
                eased = self._eased(error) if number + 1 < MOST_ATTEMPTS else None
                if eased is None:
                    raise
                self.setting = eased
                self._sync()
                if wanted.steered is not None and not self.steers:
                    raise OrderLost("mutmut runs mutants in an order of its own now") from error
                continue
            if wanted.only_prepare and finished.cut_short:
                raise OutOfTime(
                    "the time for mutants was too short to find out which test executes what",
                    where="--lift-mutation-minutes",
                    todo="raise --lift-mutation-minutes",
                )
            left_out = self.setting.left_out | finished.left_out
            self.setting = replace(self.setting, left_out=left_out)
            return finished
        raise AssertionError("the last attempt returns or raises")

    def _eased(self, error: MutationError) -> Setting | None:
        """Returns the next settings to try; None if nothing is left to try."""
        setting, configuration = self.setting, self.setting.configuration
        match error:
            case SuiteNotPassing():
                return self._eased_for(read_failures(self.project))
            case SuiteNotCollected() if setting.fast:
                return replace(setting, fast=False)
            case NotMutable() if found := _FILE.search(error.what):
                self.note(f"mutmut cannot mutate {self.project.layout.original(found[1])}")
                return replace(setting, configuration=configuration.without_file(found[1]))
            case _:
                return None

    def _eased_for(self, failures: Mapping[str, set[str]]) -> Setting | None:
        """Returns relaxed settings for tests that fail while statistics are collected, or only when
        run again."""
        setting = self.setting
        failing = failing_unmutated(failures)
        anyway = failing_anyway(self.project, failures) - setting.left_out
        if failures.get("stats"):
            if setting.fast:
                return replace(setting, fast=False)
        elif anyway:
            return replace(setting, left_out=setting.left_out | anyway)
        elif setting.configuration.isolation == "fork":
            isolated = replace(setting.configuration, isolation="forkserver")
            return replace(setting, configuration=isolated)
        elif setting.free_order:
            return replace(setting, free_order=False)
        if not failing - setting.left_out or 2 * len(failing) > self.project.collected():
            return None
        return replace(setting, left_out=setting.left_out | failing)

    def _words(self) -> tuple[str, ...]:
        assert self._suite is not None
        texts = list(self._suite.texts().values())
        return tuple(word for word in SELDOM.values() if any(word in text for text in texts))


def _blocked(options: Sequence[str]) -> frozenset[str]:
    """Plugins of ``-p no:NAME``."""
    pairs = zip(("", *options), options, strict=False)
    given = [after if before == "-p" else after.removeprefix("-p") for before, after in pairs]
    return frozenset(text.removeprefix("no:") for text in given if text.startswith("no:"))
