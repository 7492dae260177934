"""Figures, kinds and texts of the report as words, signs and HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from markupsafe import Markup, escape

from pytest_lift.report.facts import GapFile, LinkFacts, Report, RequirementFacts, Standing
from pytest_lift.run.result import Outcome
from pytest_lift.text import wording
from pytest_lift.text.wording import ENDINGS as ENDINGS
from pytest_lift.text.wording import count as count
from pytest_lift.trace.covering import Shown
from pytest_lift.trace.statuses import EXEMPT, Grade, Status

STATUSES: Mapping[Status, str] = {
    "verified": "its tests pass, and at least one of them verifies what the text states",
    "doubted": "its tests pass, and measurements speak against each that would verify it",
    "touched": "its tests pass, and only pin observed behaviour",
    "incomplete": "some cases of its tests pass, others were skipped or did not run",
    "not-run": "it has tests, and none of them ran to completion",
    "known-failing": "a test of it is marked as expected to fail (xfail)",
    "suspected-defect": "the program does not do what it says",
    "failing": "a test that is linked to it fails",
    "uncovered": "no test names it",
    "waived": "no test is expected for now",
    "untestable": "no test can show it",
    "non-goal": "it is deliberately not provided",
}
OUTCOMES: tuple[Outcome, ...] = (
    *("passed", "failed", "error", "skipped", "not-run", "xfailed", "xpassed"),
)
GRADES: Mapping[Grade, str] = {
    "verified": "verifies",
    "doubted": "is doubted",
    "touches": "touches",
    "unrelated": "is unrelated",
}
BASES: Mapping[str, str] = {
    "person": "its author's mark says so",
    "example": "its expected value is in an example",
    "quoted value": "its expected value is in the text",
    "expectation": "its expected value was taken from a sentence",
    "judged": "an evaluator judged so",
    "observed": "it pins observed behaviour only",
    "unproven": "it passes although the functions that it is about do nothing",
    "contradiction": "it fails until the difference is settled",
}
MODES: Mapping[str, str] = {
    "baseline": "the suite as it was found",
    "initial": "the first generated tests",
    "correct": "an attempt to fix what failed in the one before",
    "refine": "an attempt to add to the accepted suite",
    "resumed": "measured again, since something changed in between",
    "minimise": "an attempt to do the same with fewer tests",
    "mutants": "the mutants of the final suite, for which there was no time before",
}
"""Mode of an iteration -> its purpose, in words."""
VERDICTS: Mapping[str, str] = {
    "FIX": "something fails and must be fixed",
    "REWORK": "nothing fails, but something is left to be tested or asserted better",
    "FINAL": "nothing is left to do",
}
"""Verdict of the feedback after an iteration -> its meaning, in words."""
STANDINGS: Mapping[Standing, str] = {
    "linked": "name a requirement",
    "emergent": "no requirement states their behaviour",
    "unlinked": "name no requirement",
    "unknown-id": "name only ids that no requirement has",
}


_NAME = re.compile(r"(\w(?:[\w./:\[\]-]*[\w\]])?)")
_CODE = re.compile(r"(`+)([^`\n]+)\1(?!`)")


def acceptance(points: Sequence[Shown]) -> str:
    """Returns the number of covered points, in words; empty if there are none."""
    if not points:
        return ""
    return f"{wording.acceptance(sum(point.covered for point in points), len(points))} covered"


def judged(link: LinkFacts) -> str:
    """Returns the grade of a link with its basis, and the doubt if there is one."""
    basis = BASES.get(link.basis, link.basis)
    told = verdict(link)
    if link.doubt:
        told = f"{told} ({link.doubt})"
    return f"{told}: {basis}" if basis else told


def verdict(link: LinkFacts) -> str:
    """Returns the grade as a verb: ``verifies``, or ``would verify`` if the test does not pass."""
    if link.grade == "verified" and link.outcome != "passed":
        return "would verify"
    return GRADES.get(link.grade, link.grade)


def measured(link: LinkFacts) -> tuple[str, str]:
    """Returns (kind, words) of the measured facts; the kind is ``yes``, ``part``, ``doubt`` or
    ``unknown``."""
    named, executed = link.evidence.named, link.evidence.executed
    if not named:
        return "unknown", "the text names no symbol of the program"
    if executed is None:
        return "unknown", "not measured"
    if not executed:
        return "doubt", f"executes none of the named symbols: {_symbols(named)}"
    kind = "yes" if len(executed) == len(named) else "part"
    return kind, f"executes {len(executed)} of {len(named)} named symbols: {_symbols(executed)}"


def _symbols(names: Iterable[str]) -> str:
    return ", ".join(name.rpartition(":")[2] for name in names)


def short(node: str) -> str:
    """Returns the node id without its file."""
    return node.partition("::")[2] or node


def expecting(requirements: Sequence[RequirementFacts]) -> str:
    """Returns a sentence with the number of verified requirements among those not exempt."""
    demanded = [item for item in requirements if item.status not in EXEMPT]
    asked = sum(item.status == "verified" for item in demanded)
    many = len(demanded)
    told = f"{asked:,} of {count(many, 'requirement')}"
    have = "has" if many == 1 else "have"
    return f"{told} {have} a passing test that expects what the text says."


def unmeasured(report: Report) -> str:
    """Returns an addition to a sentence, naming what was not measured; empty if everything was."""
    told = [] if report.requirements else ["no requirements were given"]
    told += ["coverage was not measured"] if report.branch_percent is None else []
    told += ["mutants were not measured"] if report.mutation_percent is None else []
    return f", but {' and '.join(told)}" if told else ""


def duration(seconds: float) -> str:
    """Returns a duration such as ``12 ms``, ``1.90 s``, ``3 min 4 s`` or ``2 h 5 min``."""
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.2f} s" if seconds < 9.995 else f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def percent(share: float | None) -> str:
    """Returns a percentage such as ``87.5 %``; ``100 %`` only if nothing is missing."""
    if share is None:
        return "not measured"
    if share in (0, 100):
        return f"{share:.0f} %"
    return f"{min(max(share, 0.1), 99.9):.1f} %"


def line_numbers(numbers: Iterable[int]) -> str:
    """Returns ``lines 3, 5 to 8``; empty if there are no numbers."""
    runs = list(_runs(sorted(set(numbers))))
    told = ", ".join(str(a) if a == b else f"{a} to {b}" for a, b in runs)
    word = "line" if len(runs) == 1 and runs[0][0] == runs[0][1] else "lines"
    return f"{word} {told}" if runs else ""


def _runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    if not numbers:
        return
    start = numbers[0]
    for last, following in pairwise([*numbers, numbers[-1] + 2]):
        if following != last + 1:
            yield start, last
            start = following


def missed(file: GapFile) -> str:
    """Returns ``10 lines, 1 branch missed``; empty if nothing is missed."""
    lines, branches = (
        file.statements - file.covered_statements,
        file.branches - file.covered_branches,
    )
    told = [count(lines, "line")] if lines else []
    told += [count(branches, "branch")] if branches else []
    return f"{', '.join(told)} missed" if told else ""


def branch(pair: tuple[int, int]) -> str:
    """Returns a sentence on a branch that no test takes."""
    line, target = pair
    if target < 0:
        return f"line {line} never leaves the function"
    return f"line {line} never jumps to {target}"


def prose(text: str) -> Markup:
    """Returns `text` as HTML with code spans; everything else in it is escaped."""
    return Markup(_CODE.sub(r"<code>\2</code>", str(escape(text))))


def linked(text: str, anchors: Mapping[str, str]) -> Markup:
    """Returns `text` as HTML in which names that `anchors` has are links to their places on the
    page."""
    pieces = (
        Markup('<a href="#{}">{}</a>').format(anchors[piece], piece)
        if piece in anchors
        else escape(piece)
        for piece in _NAME.split(text)
    )
    return Markup(_CODE.sub(r"<code>\2</code>", "".join(pieces)))


def source(text: str) -> Markup:
    """Returns the content of a ``pre`` element; quotes, of which sources have many, are not
    escaped.

    A line feed comes first, because an HTML parser drops the first one.
    """
    return Markup("\n" + html.escape(text, quote=False))
