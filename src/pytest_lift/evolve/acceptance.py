"""Decision on a candidate: nothing of the accepted suite may be lost, something must be gained.

Of a refused candidate, the largest part that loses nothing is searched for: by file, then by test.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pytest_lift.evolve.screening import FLAKY
from pytest_lift.gate.regression import with_tests
from pytest_lift.measure.measurement import (
    Loss,
    Measurement,
    executed,
    measured_losses,
    verified,
)
from pytest_lift.suite.suite import Edit, Suite
from pytest_lift.text.wording import count, some

MOST_TRIES = 16
"""Runs of parts of one candidate."""


@dataclass(frozen=True)
class Decision:
    """The verdict of the ratchet, in words that go into the history and the feedback."""

    accepted: bool
    gains: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    lost: frozenset[str] = frozenset()
    """Each single thing that the losses are about: two refusals are alike where they share one."""

    @property
    def why(self) -> str:
        if self.losses:
            return "lost " + "; ".join(self.losses)
        return "gained " + ", ".join(self.gains) if self.gains else "nothing gained"


def decide(
    accepted: Measurement, candidate: Measurement, dropped: Mapping[str, str] | None = None
) -> Decision:
    """Compares two measured suites.

    Pure; `candidate` has been screened (see `evolve/screening.py`). `dropped` maps tests that it
    lost on the way to the reasons; only flaky ones are no loss.
    """
    found = [*_losses(accepted, candidate), *_gone(accepted, candidate, dropped or {})]
    gains = tuple(_gains(accepted, candidate))
    lost = frozenset(str(thing) for loss in found for thing in loss.things)
    losses = tuple(loss.text for loss in found)
    return Decision(not losses and bool(gains), gains, losses, lost)


def _losses(accepted: Measurement, candidate: Measurement) -> Iterator[Loss]:
    ours = {test.node for test in accepted.suite.owned_tests()}
    broken = accepted.passing - ours - candidate.passing
    if broken:
        told = f"{count(len(broken), 'test')} of yours that passed before: {some(broken)}"
        yield Loss(told, broken)
    yield from measured_losses(accepted, candidate)
    if candidate.unmeasurable:
        told = f"the measuring of mutants: {candidate.unmeasurable}"
        yield Loss(told, {"the measuring of mutants"})
    mutants = unnoticed(accepted, candidate)
    if mutants:
        where = _places(candidate, mutants)
        yield Loss(f"{count(len(mutants), 'detected mutant')} at {some(where)}", mutants)


def unnoticed(accepted: Measurement, candidate: Measurement) -> frozenset[str]:
    """Mutants that the accepted suite detects and the candidate, which was measured, does not."""
    if accepted.mutation is None or candidate.mutation is None:
        return frozenset()
    measured = accepted.mutation.detected & candidate.mutation.verdicts.keys()
    return measured - candidate.mutation.detected


def _places(measurement: Measurement, mutants: Collection[str]) -> set[str]:
    known = measurement.mutation.mutants if measurement.mutation else {}
    return {f"{known[key].file}:{known[key].line}" for key in mutants if key in known}


def _newly_detected(accepted: Measurement, candidate: Measurement) -> frozenset[str]:
    """Mutants that the candidate detects and the accepted suite, measured on them too, does not.

    All that are detected where the accepted suite has no passing test. None where the accepted
    suite has tests and was not measured, since its own tests may detect them.
    """
    if candidate.mutation is None:
        return frozenset()
    if accepted.mutation is None:
        tested = any(result.outcome == "passed" for result in accepted.run.results.values())
        return frozenset() if tested else candidate.mutation.detected
    before = accepted.mutation
    if before.earlier:
        return frozenset()
    return (candidate.mutation.detected & before.verdicts.keys()) - before.detected


def _gone(
    accepted: Measurement, candidate: Measurement, dropped: Mapping[str, str]
) -> Iterator[Loss]:
    """Yields tests of the tool that passed before and do not pass now."""
    ours = {test.node for test in accepted.suite.owned_tests()} & accepted.passing
    ours -= accepted.contradicting
    flaky = {node for node, why in dropped.items() if why.startswith(FLAKY)}
    if gone := ours - candidate.passing - flaky:
        yield Loss(f"{count(len(gone), 'accepted test')}: {some(gone)}", gone)


def _gains(accepted: Measurement, candidate: Measurement) -> Iterator[str]:
    branches = candidate.coverage.covered() - accepted.coverage.covered()
    lines = executed(candidate) - executed(accepted)
    if branches:
        yield count(len(branches), "branch")
    if lines:
        yield count(len(lines), "line")
    newly = verified(candidate) - verified(accepted)
    touched = _touched(candidate) - _touched(accepted) - newly
    if newly:
        yield f"{count(len(newly), 'verified requirement')}"
    if touched:
        more = "more requirement" if newly else "requirement"
        yield f"a test for {count(len(touched), more)}"
    points = candidate.trace.covered - accepted.trace.covered
    if points and not newly:
        yield f"{count(len(points), 'acceptance sentence')}"
    mutants = _newly_detected(accepted, candidate)
    if mutants:
        yield f"{count(len(mutants), 'mutant')}"
    repaired = candidate.passing & accepted.failing
    if repaired:
        yield f"{count(len(repaired), 'repaired test')}"
    yield from _written_down(accepted, candidate)
    smaller = len(accepted.passing - accepted.contradicting) - len(
        candidate.passing - candidate.contradicting
    )
    if smaller > 0 and not (branches or lines or newly or touched or points or mutants):
        yield f"the same with {count(smaller, 'test')} less"


def _written_down(accepted: Measurement, candidate: Measurement) -> Iterator[str]:
    """Yields gains by tests of contradictions: their existence is the gain."""
    new = candidate.contradicting - accepted.contradicting
    gone = accepted.contradicting - candidate.contradicting - accepted.settled
    if new:
        yield f"{count(len(new), 'contradiction')} written down"
    if gone:
        yield f"{count(len(gone), 'contradiction')} no longer stated"


def _touched(measurement: Measurement) -> set[str]:
    return {
        i.requirement.id
        for i in measurement.trace.requirements
        if i.status != "failing" and any(link.outcome == "passed" for link in i.links)
    }


@dataclass(frozen=True)
class _Part:
    """A file as the candidate has it; or one new or changed test in the file as it was."""

    path: str
    test: str = ""


@dataclass
class Parts:
    """Search for the parts of a candidate that fit the accepted suite.

    `fits` is given an edit of the accepted suite and says whether it loses nothing; `has_time` is
    asked before each try.
    """

    candidate: Suite
    accepted: Suite
    fits: Callable[[Edit], bool]
    has_time: Callable[[], bool] = lambda: True
    tries: int = 0
    """Edits for which `fits` was called."""
    _known: dict[frozenset[tuple[str, str | None]], bool] = field(default_factory=dict)

    def largest(self) -> Edit:
        """Returns the largest part that was found to lose nothing; empty if there is none.

        Halves are tried first, so parts that do no harm are not taken apart.
        """
        files = [_Part(path) for path in self.accepted.edit_to(self.candidate).files]
        # What tests ask for comes before them.
        files.sort(key=lambda part: (self._has_tests(part.path), part.path))
        self._known[_key(self._edit(files))] = False
        return self._edit(self._grown((), files))

    def _grown(self, kept: Sequence[_Part], parts: Sequence[_Part]) -> Sequence[_Part]:
        """Returns `kept` with those of `parts` that can be added to it."""
        both = (*kept, *parts)
        if self._is_good(both, kept):
            return both
        if len(parts) == 1:
            finer = [] if parts[0].test else self._tests(parts[0].path)
            return self._grown(kept, finer) if finer else kept
        half = len(parts) // 2
        return self._grown(self._grown(kept, parts[:half]), parts[half:]) if parts else kept

    def _is_good(self, parts: Sequence[_Part], kept: Sequence[_Part]) -> bool:
        edit = self._edit(parts)
        key = _key(edit)
        if key == _key(self._edit(kept)):
            return False
        if key not in self._known:
            if self.tries >= MOST_TRIES or not self.has_time():
                return False
            self.tries += 1
            self._known[key] = self.fits(edit)
        return self._known[key]

    def _tests(self, path: str) -> list[_Part]:
        file, old = self.candidate.files.get(path), self.accepted.files.get(path)
        known = {test.node: test.digest for test in old.tests} if old else {}
        tests = file.tests if file else ()
        new = (test.node for test in tests if known.get(test.node) != test.digest)
        return [_Part(path, node.partition("::")[2]) for node in new]

    def _has_tests(self, path: str) -> bool:
        file = self.candidate.files.get(path) or self.accepted.files[path]
        return bool(file.tests)

    def _edit(self, parts: Collection[_Part]) -> Edit:
        files: dict[str, str | None] = {}
        for path in dict.fromkeys(part.path for part in parts):
            file = self.candidate.files.get(path)
            if _Part(path) in parts:
                files[path] = file.text if file else None
            else:
                names = {part.test for part in parts if part.path == path}
                text = with_tests(path, names, self.candidate, self.accepted)
                if text is not None:
                    files[path] = text
        return Edit(files)


def _key(edit: Edit) -> frozenset[tuple[str, str | None]]:
    return frozenset(edit.files.items())
