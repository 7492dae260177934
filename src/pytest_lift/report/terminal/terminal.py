"""Output of a lift in the terminal: a header, a line per iteration, and the next steps."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pytest_lift.evolve.iteration import Iteration, LiftOutcome
from pytest_lift.findings.finding import Finding
from pytest_lift.findings.obstacles import obstacle_lines
from pytest_lift.llm.values import Usage, added
from pytest_lift.measure.measurement import Figures, Measurement
from pytest_lift.measure.time_budget import Activity
from pytest_lift.mutation.mutation import Mutation
from pytest_lift.report.one_reason import one_reason
from pytest_lift.text import printable
from pytest_lift.text.wording import ENDINGS, acceptance, count, outcomes, verb

ON_A_TTY, ELSEWHERE = 1.0, 30.0
"""Seconds between messages on the current activity: on a tty one line is overwritten, elsewhere
each message is a new line."""
ERASE = "\r\x1b[K"
NEXT_STEPS = 5
MOST_DEFECTS = 12
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


def _in_short(iteration: Iteration) -> str:
    f = iteration.figures
    told = f"lift {iteration.number}: {outcomes(f.tests, f.passed, f.failed, f.skipped)}, "
    told += f"{f.line_percent:.1f}% lines, {f.branch_percent:.1f}% branches"
    word = "" if iteration.number == 0 else "accepted: " if iteration.accepted else "not accepted: "
    return f"{told}; {word}{iteration.why}"


def _row(iteration: Iteration, *, mutants: bool) -> str:
    f = iteration.figures
    column = f" {_detected(f) or '-':>8}" if mutants else ""
    verified = f"{f.verified}/{f.requirements}" if f.requirements else "-"
    minutes, seconds = divmod(int(iteration.elapsed), 60)
    return (
        f"{iteration.number:>3} {f.tests:>6} {f.passed:>6} {f.line_percent:>6.1f}% "
        f"{f.branch_percent:>6.1f}%{column} {verified:>9} {minutes:>3}:{seconds:02d}"
    )


def _detected(figures: Figures) -> str:
    """Returns ``73.4%``, with ``~`` before the score of a sample; empty if mutants were not
    measured."""
    if figures.mutation_percent is None:
        return ""
    sampled = figures.sampled
    return f"{'~' if sampled else ''}{figures.mutation_percent:.1f}%"


def spending(usage: Mapping[str, Usage]) -> str:
    """Returns the usage and cost of all model calls in one line, the total first."""
    total = sum(usage.values(), Usage())
    parts = [f"{role} {one.calls}" for role, one in usage.items() if one.calls]
    told = f"model: {count(total.calls, 'call')} ({', '.join(parts)})"
    told += f", {_thousands(total.prompt_tokens)} in"
    if total.cached_tokens:
        told += f" ({_thousands(total.cached_tokens)} cached)"
    told += f", {_thousands(total.completion_tokens)} out, {total.seconds:.0f} s"
    return told + (f", cost {total.cost:.4g}" if total.cost else "")


def _thousands(tokens: int) -> str:
    return f"{tokens / 1000:.1f}k tokens" if tokens >= 1000 else count(tokens, "token")


def sentence(measurement: Measurement) -> str:
    """Returns the figures of a suite in one line."""
    figures = measurement.figures
    told = outcomes(figures.tests, figures.passed, figures.failed, figures.skipped)
    told += f", {figures.line_percent:.1f}% lines, {figures.branch_percent:.1f}% branches"
    if detected := _detected(figures):
        told += f", {detected} of mutants detected"
    if figures.requirements:
        told += f", {figures.verified} of {count(figures.requirements, 'requirement')} verified"
    if figures.sentences:
        told += f" ({acceptance(figures.covered, figures.sentences)} covered)"
    if figures.contradicted:
        told += f", {figures.contradicted} contradicted by the program"
    return f"{told}; scope {measurement.scope}" if measurement.scope else told


def closing_lines(
    outcome: LiftOutcome,
    *,
    where: str,
    kept: Mapping[str, str],
    unmet: Sequence[str],
    failing: Sequence[str],
) -> list[str]:
    """Returns lines on the outcome and the next steps; `where` names the places of the suite and
    the reports."""
    reason = one_reason(outcome.measurement)
    lines = [*([reason] if reason else []), *where.split("\n")]
    usage = added([iteration.usage for iteration in outcome.iterations])
    if usage:
        lines.append(spending(usage))
    if outcome.measurement.mutation is not None:
        lines.append(_mutants(outcome.measurement.mutation))
    if outcome.reason or outcome.ending in ENDINGS:
        lines += f"ended because: {outcome.reason or ENDINGS[outcome.ending]}".split("\n")
    lines += [f"threshold missed: {text}" for text in unmet]
    lines += [f"your version of {path} stays: {why}" for path, why in kept.items()]
    lines += [f"failed before the lift and still fails: {node}" for node in failing[:NEXT_STEPS]]
    defects = [f for f in outcome.findings if f.kind == "suspected-defect"]
    if defects:
        lines.append(
            f"suspected defects ({len(defects)}), for you to decide: is the program wrong, or "
            "the requirement?"
        )
        lines += _by_requirement(defects)
    if obstacles := obstacle_lines(outcome.findings):
        number = sum(f.kind == "not-tested" for f in outcome.findings)
        lines += [f"could not be tested ({number}), and why:", *obstacles]
    todo = [f for f in outcome.findings if f.reach == "testable" and f.gain >= 1]
    todo = [f for f in todo if f.kind != "suspected-defect"][:NEXT_STEPS]
    if todo:
        lines += ["to look at next:", *_listed(todo)]
    return lines


def _mutants(mutation: Mutation) -> str:
    if not mutation.complete:
        wanted = mutation.sample or frozenset()
        ran = len(wanted & mutation.verdicts.keys())
        if mutation.estimate is None:
            told = f"only {ran:,} of {len(wanted):,} could be run in the time for mutants"
            return f"mutants: no score, {told}"
        return f"{_mutants(mutation.estimate)}; no time for {len(wanted) - ran:,} of the sample"
    if not mutation.scored:
        return "mutants: no score, since there is nothing to mutate"
    told = f"mutants: {len(mutation.detected):,} of {mutation.scored:,} detected"
    if mutation.earlier:
        told = f"mutants: not measured with the last tests; {mutation.earlier}: {told[9:]}"
    if mutation.interval is not None:
        low, high = mutation.interval.low, mutation.interval.high
        told += f" (a sample of {len(mutation.mutants):,}: {low:.1f} to {high:.1f}% of all)"
    counts = mutation.counts
    survived, untested = verb(counts["survived"], "survive"), verb(counts["untested"], "are")
    return f"{told}, {survived}, {untested} executed by no test"


def _by_requirement(defects: Sequence[Finding]) -> list[str]:
    """Returns a line on the first defect of each requirement, because the others often have the
    same cause."""
    grouped: dict[str, list[Finding]] = {}
    for finding in defects:
        grouped.setdefault(finding.requirement, []).append(finding)
    lines = []
    for found in list(grouped.values())[:MOST_DEFECTS]:
        (line,) = _listed(found[:1])
        lines.append(line + (f" and {len(found) - 1} more of its kind" if len(found) > 1 else ""))
    if len(grouped) > MOST_DEFECTS:
        more = len(grouped) - MOST_DEFECTS
        lines.append(f"  and of {count(more, 'requirement')} more: see run.json")
    return lines


def _listed(findings: Sequence[Finding]) -> list[str]:
    return [f"  - {f.what}" + (f" ({f.file}:{f.line})" if f.file else "") for f in findings]
