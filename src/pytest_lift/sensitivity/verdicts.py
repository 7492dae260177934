"""Faults that a test can notice, by its assertions and its runs on a program that does nothing.

The terms are Vera-Perez et al.'s (2019): a method is pseudo-tested when no test notices that its
body is gone; here the same is asked of the test.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from pytest_lift.assertions.assertions import LOOSE, Assertions
from pytest_lift.text.wording import some

Level = Literal["unit", "integration", "system"]
"""As in ISTQB's syllabus: component, integration of components, system."""

_LISTED = 4
_LOOPBACK = ("127.", "localhost", "::1")


@dataclass(frozen=True)
class Reached:
    """Modules and functions of the program that a test reached, and the ways to them."""

    modules: tuple[str, ...] = ()
    """Modules of which a function ran."""
    entries: tuple[tuple[str, str], ...] = ()
    """(module, qualified name) of what the test, or a fixture of it, called itself."""
    processes: tuple[tuple[str, ...], ...] = ()
    """The commands that it started."""
    sockets: tuple[str, ...] = ()
    """The addresses that it connected to."""
    mains: tuple[str, ...] = ()
    """Description of how it ran a command line in its own process."""


def level_of(
    reached: Reached, names: Collection[str], scripts: Collection[str] = ()
) -> tuple[Level | None, tuple[str, ...]]:
    """Returns the level and what speaks for it; None for a test of which nothing was seen.

    `names` are the program's top-level modules, `scripts` its console scripts.
    """
    if outside := tuple(_as_used(reached, names, scripts)):
        return "system", outside
    public = [(module, name) for module, name in reached.entries if _is_public(name)]
    called = tuple(dict.fromkeys(module for module, _ in public or reached.entries))
    if len(called) > 1 and len(public) > 1:
        return "integration", (f"calls functions of {some(called, _LISTED)}",)
    if reached.modules:
        inside = [name for name in reached.modules if name not in called]
        said = [f"calls functions of {some(called, _LISTED)} only"] if called else []
        behind = [f"which run {some(inside, _LISTED)}"] if inside and called else []
        return "unit", (*said, *behind) or (f"runs {some(reached.modules, _LISTED)}",)
    return None, ()


def _as_used(reached: Reached, names: Collection[str], scripts: Collection[str]) -> Iterable[str]:
    yield from (f"starts {_shown(c)}" for c in reached.processes if is_program(c, names, scripts))
    yield from reached.mains
    local = [address for address in reached.sockets if any(a in address for a in _LOOPBACK)]
    if local and reached.modules:
        yield f"connects to {local[0]}"


def is_program(
    command: Sequence[str], names: Collection[str], scripts: Collection[str] = ()
) -> bool:
    """Whether a command runs the program: ``python -m PKG ...``, a console script, or a file of
    it."""
    words = list(command)
    for word, following in pairwise(words):
        if word == "-m" and following.partition(".")[0] in names:
            return True
        if word == "-c" and any(name in following for name in names):
            return True
    parts = words[0].split() if len(words) == 1 else words
    leaves = [part.rpartition("/")[2] for part in parts[:2]]
    return any(leaf in scripts for leaf in leaves) or (
        len(words) == 1 and len(parts) > 1 and is_program(parts, names, scripts)
    )


def _is_public(name: str) -> bool:
    """Whether a name is public: no part is private. Special methods are what operators and calls
    mean."""
    return all(
        not part.startswith("_") or (part.startswith("__") and part.endswith("__"))
        for part in name.split(".")
    )


def _shown(command: Sequence[str]) -> str:
    return " ".join(word.rpartition("/")[2] if word.startswith("/") else word for word in command)


Verdict = Literal["sensitive", "weak", "over-mocked", "vacuous", "not-probed"]
Outcome = Literal["passed", "failed", "skipped", "timed-out", "crashed", "not-started"]
Returned = Literal["none", "bool", "value"]


@dataclass(frozen=True)
class EnteredFunction:
    """A function of the program that the test, or a fixture of it, called itself."""

    module: str
    name: str
    """Qualified in its module."""
    line: int
    returned: Returned
    """The most that it gave: ``none`` if it gave only None."""

    @property
    def gave(self) -> bool:
        """Whether a function returned something that can be asserted; a constructor returns an
        object."""
        made = self.name.rpartition(".")[2] in ("__init__", "__new__")
        return made or self.returned != "none"


@dataclass(frozen=True)
class StubbedRun:
    """One run in which functions were replaced."""

    outcome: Outcome
    error: str = ""
    """Type of the exception that it failed with."""
    asserted: bool = False
    """Whether an assertion failed, and not the code that met the stub."""
    reached: int = 0
    """Number of calls of stubs."""

    @property
    def unmoved(self) -> bool:
        """Whether the test passed although stubs were called."""
        return self.outcome == "passed" and self.reached > 0


@dataclass(frozen=True)
class ProbedRow:
    """Observations of the probe on one row of a test."""

    why_not: str = ""
    """Reason why there was no stubbed run."""
    entries: tuple[EnteredFunction, ...] = ()
    nothing: StubbedRun | None = None
    """With stubs that return nothing."""
    raising: StubbedRun | None = None
    hollow: StubbedRun | None = None
    """With stubs that return an object that allows everything; only where nothing is asserted."""
    distinct: StubbedRun | None = None
    """With stubs that return another such object each time; only where two results that are
    nothing may have been found equal."""
    doubts: tuple[str, ...] = ()
    """Why what it does may not be seen by the probe."""
    all_stubbed: bool = True
    settled: bool = False
    """Whether another row of the same function has shown all that matters."""

    @property
    def unaffected(self) -> bool | None:
        """Whether it passes both when what was stubbed returns nothing and when it raises, called
        or not; None where that was not tried."""
        if self.nothing is None or self.raising is None:
            return None
        return self.nothing.outcome == self.raising.outcome == "passed"


@dataclass(frozen=True)
class NoticedFaults:
    """Verdict on what a test can notice, with the reason."""

    verdict: Verdict
    reason: str


ANEW = "it imports the program again"
_ORDER: Sequence[Verdict] = ("sensitive", "weak", "not-probed", "over-mocked", "vacuous")


def judge(rows: Sequence[ProbedRow], assertions: Assertions | None) -> NoticedFaults:
    """Returns the verdict on a test function from all of its rows: each row counts for the test.

    `assertions` is None for a test whose text is not in the suite (an inherited one).
    """
    asked = [row for row in rows if not row.settled]
    judged = [judge_row(row, assertions) for row in asked if not row.why_not]
    if not judged:
        why = next((row.why_not for row in asked if row.why_not), "it did not run")
        return NoticedFaults("not-probed", why)
    return min(judged, key=lambda one: _ORDER.index(one.verdict))


def judge_row(row: ProbedRow, assertions: Assertions | None) -> NoticedFaults:
    if not row.entries:
        return _without_entries(row, assertions)
    if row.nothing is None:
        return NoticedFaults("not-probed", "what it calls could not be replaced")
    if assertions is not None and assertions.idle:
        return _idle(row, row.nothing, assertions)
    if row.nothing.outcome != "passed":
        return _noticing(row, assertions)
    if row.distinct is not None and row.distinct.asserted:
        return _noticing(row, assertions)
    if row.doubts:
        return NoticedFaults("not-probed", row.doubts[0])
    if not row.nothing.unmoved:
        return NoticedFaults("not-probed", "what it calls was remembered from before, not called")
    if not row.all_stubbed:
        return NoticedFaults("not-probed", "not all that it calls could be replaced")
    if assertions is None:
        return NoticedFaults("not-probed", "its text is not in the suite")
    return _unmoved(row)


def _idle(row: ProbedRow, nothing: StubbedRun, assertions: Assertions) -> NoticedFaults:
    """Returns the verdict on a test whose assertions do not look at the program: a failure caused
    by the stub is an accident, unless something else asserts."""
    if nothing.asserted and (row.hollow is None or row.hollow.asserted):
        return NoticedFaults("sensitive", "an assertion fails when what it calls returns nothing")
    if doubts := [doubt for doubt in row.doubts if doubt != ANEW]:
        return NoticedFaults("not-probed", doubts[0])
    if assertions.any_can_fail and assertions.looks_at == "mock":
        return NoticedFaults("over-mocked", "its assertions look at its own mocks only")
    if row.raising is not None and row.raising.unmoved:
        return NoticedFaults("vacuous", "it passes whether what it calls returns nothing or raises")
    if assertions.bare and assertions.intent == "not-raised":
        return NoticedFaults("weak", "it says that it asks only that nothing is raised")
    if assertions.remnant:
        return NoticedFaults("vacuous", f"it asserts nothing, and {assertions.remnant}")
    if assertions.listed and not assertions.any_can_fail:
        return NoticedFaults("vacuous", "none of its assertions can fail")
    if not any(entry.gave for entry in row.entries):
        return NoticedFaults("weak", "it fails only if the program raises")
    gave = any(entry.returned != "none" for entry in row.entries)
    dropped = nothing.unmoved and gave and not assertions.intent
    if not assertions.listed and not dropped:
        return NoticedFaults("weak", "it asserts only, by calling it, that nothing is raised")
    if assertions.any_can_fail:
        return NoticedFaults("vacuous", "no assertion looks at what the program returned")
    return NoticedFaults("vacuous", "nothing is asserted of what the program returned")


def _without_entries(row: ProbedRow, assertions: Assertions | None) -> NoticedFaults:
    if row.doubts:
        return NoticedFaults("not-probed", row.doubts[0])
    if assertions is None:
        return NoticedFaults("not-probed", "its text is not in the suite")
    if not assertions.any_can_fail:
        if assertions.intent and assertions.acts and not assertions.remnant:
            return NoticedFaults("weak", "it says that it asks only that nothing is raised")
        return NoticedFaults("vacuous", "it asserts nothing that can fail")
    match assertions.looks_at:
        case "mock":
            return NoticedFaults(
                "over-mocked", "it calls nothing of the program, only its own mocks"
            )
        case "own":
            return NoticedFaults("vacuous", "no assertion looks at anything of the program")
    return NoticedFaults("not-probed", "it calls no function of the program that can be replaced")


def _noticing(row: ProbedRow, assertions: Assertions | None) -> NoticedFaults:
    assert row.nothing is not None
    if assertions is not None and not assertions.elsewhere:
        kinds = {one.kind for one in assertions.effective}
        exact = {entry.returned for entry in row.entries} - {"none"} == {"bool"}
        if kinds and kinds <= LOOSE and not (exact and kinds == {"truth"}):
            said = ", ".join(sorted(kinds))
            return NoticedFaults("weak", f"most wrong values pass its only assertions ({said})")
    ends = f"it ends with {row.nothing.error}" if row.nothing.error else "it fails"
    how = "an assertion fails" if row.nothing.asserted else ends
    if row.nothing.outcome == "timed-out":
        how = "it does not end"
    if row.nothing.outcome == "passed":
        return NoticedFaults(
            "sensitive", "an assertion fails when what it calls returns other values"
        )
    return NoticedFaults("sensitive", f"{how} when what it calls returns nothing")


def _unmoved(row: ProbedRow) -> NoticedFaults:
    """Returns the verdict on a test that passes although what it calls returns nothing, and some
    assertion looks at the program."""
    if row.raising is not None and row.raising.unmoved:
        return NoticedFaults("vacuous", "it passes whether what it calls returns nothing or raises")
    return NoticedFaults("weak", "no assertion fails, whatever what it calls returns")
