"""Output of a lift in the terminal: a header, a line per iteration, and the next steps."""

from __future__ import annotations

import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pytest_lift.evolve.iteration import Iteration, LiftOutcome
from pytest_lift.measure.time_budget import Activity
from pytest_lift.report.closing import NEXT_STEPS, detected, sentence, spending
from pytest_lift.suite.suite import Repair
from pytest_lift.text import printable
from pytest_lift.text.wording import outcomes

ON_A_TTY, ELSEWHERE = 1.0, 30.0
"""Seconds between messages on the current activity: on a tty one line is overwritten, elsewhere
each message is a new line."""
ERASE = "\r\x1b[K"
MUTANTS = "mutants: small faults put into a copy of the program, and how many the tests detect"
VERIFIED = "verified: requirements with a passing test that asserts what their text states"


class Ticker:
    """Timer that calls `tell` in a thread, from `start` to `stop`; both may be called twice."""

    def __init__(self, tell: Callable[[], None], every: float) -> None:
        self._tell = tell
        self._every = every
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._go_on, name="lift-ticker", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join(self._every + 1.0)

    def _go_on(self) -> None:
        while not self._over.wait(self._every):
            try:
                self._tell()
            except (OSError, ValueError):
                return  # the terminal is closed


class Terminal:
    """Printer that uses pytest's own writer, so that `-q`, `--color` and `-p no:terminal` apply.

    `writer` is pytest's terminal reporter or None. From `start` on, the current `activity` is
    printed every second on a tty and every 30 seconds elsewhere; `-q` leaves one line per
    iteration.
    """

    def __init__(
        self,
        writer: Any,
        *,
        verbosity: int = 0,
        activity: Activity | None = None,
        every: float | None = None,
    ) -> None:
        self.writer = writer
        self.verbosity = verbosity
        self.mutants = False
        self.activity = activity or Activity()
        self._tty = bool(writer is not None and writer.isatty)
        self._ticker = Ticker(self._tick, every or (ON_A_TTY if self._tty else ELSEWHERE))
        self._alone = threading.RLock()
        self._shown = False

    def start(self) -> None:
        """Starts the repeated messages on the current activity."""
        if self.writer is not None and self.verbosity >= 0:
            if self._tty:
                self._tick()
            self._ticker.start()

    def stop(self) -> None:
        """Stops the repeated messages."""
        self._ticker.stop()
        with self._writing():
            pass

    def _tick(self) -> None:
        told = printable.line(self.activity.told)
        with self._alone:
            if not self._tty:
                self.writer.write_line(f"  {told}")
                return
            width = shutil.get_terminal_size().columns - 1
            self.writer.write(f"{ERASE}{told[:width]}", flush=True)
            self._shown = True

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Erases the line of the current activity before something else is printed."""
        with self._alone:
            if self._shown:
                self.writer.write(ERASE, flush=True)
                self._shown = False
            yield

    def open(
        self,
        facts: Sequence[str],
        *,
        table: bool = True,
        mutants: bool = False,
        requirements: bool = False,
    ) -> None:
        """Prints the section's title and `facts`, then the header of the `table` and the meaning
        of its columns. `mutants` adds a column."""
        self.mutants = mutants
        if self.writer is None:
            return
        with self._writing():
            self.writer.ensure_newline()
            self.writer.section("lift", sep="=", bold=True)
            for fact in facts:
                self.writer.write_line(printable.line(fact))
            if self.verbosity >= 0 and table:
                for told in [MUTANTS] * mutants + [VERIFIED] * requirements:
                    self.writer.write_line(told)
                self.writer.write_line("")
                self.writer.write_line(_head(mutants=mutants), bold=True)

    def progress(self, phase: str, iteration: Iteration | None) -> None:
        """Reports that a phase begins, or that an iteration is finished. The loop calls it."""
        if iteration is None:
            self.activity.begin(phase)
            return
        self.activity.iteration = iteration.number + 1
        with self._writing():
            self._iteration(iteration)

    def _iteration(self, iteration: Iteration) -> None:
        if self.writer is None or self.verbosity < -1:
            return
        good = iteration.accepted
        if self.verbosity < 0:
            self.writer.write_line(printable.line(_in_short(iteration)))
            return
        self.writer.write(_row(iteration, mutants=self.mutants))
        word = "" if iteration.number == 0 else "accepted: " if good else "not accepted: "
        markup = {"green": True} if good and iteration.number else {}
        self.writer.write_line(printable.line(f"  {word}{iteration.why}"), **markup)
        if iteration.spent.calls:
            self.writer.write_line(f"      {spending(iteration.usage)}")
        for node, why in list(iteration.dropped.items())[:NEXT_STEPS]:
            self.writer.write_line(printable.line(f"      left out {node}: {why}"))
        if iteration.repairs:
            self.writer.write_line(f"      {_repairs(iteration.repairs)}")
        for told in iteration.unasked:
            self.writer.write_line(printable.line(f"      {told}"), yellow=True)

    def warn(self, text: str) -> None:
        """Prints a warning between iterations."""
        self.say(text, yellow=True)

    def say(self, text: str, **markup: bool) -> None:
        """Prints a message between iterations."""
        if self.writer is not None and self.verbosity >= 0:
            with self._writing():
                self.writer.write_line(printable.lines(f"      {text}"), **markup)

    def fail(self, text: str) -> None:
        """Prints why the lift could not go on and what to do, as the last line."""
        self.stop()
        if self.writer is not None:
            self.writer.ensure_newline()
            self.writer.write_line(printable.lines(f"lift: {text}"), red=True)

    def rehearsed(self, lines: Sequence[str]) -> None:
        """Prints a forecast of what a lift would send."""
        self.stop()
        if self.writer is not None:
            for line in ["", *lines]:
                self.writer.write_line(printable.line(line))

    def close(self, outcome: LiftOutcome, lines: Sequence[str], *, good: bool) -> None:
        """Prints the closing summary; the title line comes last, like pytest's own."""
        self.stop()
        if self.writer is None:
            return
        if self.verbosity >= 0:
            self.writer.write_line("")
        for line in lines:
            self.writer.write_line(printable.line(line))
        title = printable.line(f"lift: {outcome.ending}, {sentence(outcome.measurement)}")
        self.writer.write_sep(
            "=",
            f"{title} in {outcome.seconds:.1f}s",
            bold=True,
            **({"green": True} if good else {"red": True}),
        )

    def ended(self, text: str, *, good: bool) -> None:
        """Prints the title line of a lift that had nothing to do."""
        self.stop()
        if self.writer is not None:
            self.writer.write_sep(
                "=", f"lift: {text}", bold=True, **({"green": True} if good else {"red": True})
            )


def _head(*, mutants: bool) -> str:
    column = f" {'mutants':>8}" if mutants else ""
    titles = f"{'':>3} {'tests':>6} {'passed':>6} {'line':>7} {'branch':>7}"
    return f"{titles}{column} {'verified':>9} {'time':>6}"


def _repairs(made: Sequence[Repair]) -> str:
    rules = Counter(one.rule for one in made)
    named = ", ".join(f"{rule} {count}" for rule, count in rules.most_common())
    return f"repaired by rule before they ran: {named}"


def _in_short(iteration: Iteration) -> str:
    f = iteration.figures
    told = f"lift {iteration.number}: {outcomes(f.tests, f.passed, f.failed, f.skipped)}, "
    told += f"{f.line_percent:.1f}% lines, {f.branch_percent:.1f}% branches"
    word = "" if iteration.number == 0 else "accepted: " if iteration.accepted else "not accepted: "
    return f"{told}; {word}{iteration.why}"


def _row(iteration: Iteration, *, mutants: bool) -> str:
    f = iteration.figures
    column = f" {detected(f) or '-':>8}" if mutants else ""
    verified = f"{f.verified}/{f.requirements}" if f.requirements else "-"
    minutes, seconds = divmod(int(iteration.elapsed), 60)
    return (
        f"{iteration.number:>3} {f.tests:>6} {f.passed:>6} {f.line_percent:>6.1f}% "
        f"{f.branch_percent:>6.1f}%{column} {verified:>9} {minutes:>3}:{seconds:02d}"
    )
