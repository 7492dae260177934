"""The mutants of a program, a sample of them, and what one suite made of them, as values."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import Any, Literal

from pytest_lift.files.atomic import replace_file
from pytest_lift.files.codec import decode, encode, read
from pytest_lift.files.disk import needed_for
from pytest_lift.source.program import Program

Verdict = Literal["killed", "timed-out", "crashed", "survived", "untested", "excluded"]
"""``untested``: no test executes its function; ``excluded``: a type checker, or the user's own
configuration of mutmut, leaves it out of the score."""

DETECTED: frozenset[Verdict] = frozenset({"killed", "timed-out", "crashed"})
SCORED: frozenset[Verdict] = DETECTED | {"survived", "untested"}


@dataclass(frozen=True)
class Mutant:
    """One small change of one function of the program."""

    key: str
    """mutmut's name: ``pkg.mod.x_f__mutmut_1``, ``pkg.mod.xǁClassǁmethod__mutmut_2``."""
    file: str
    """POSIX, relative to the project root."""
    line: int
    """First changed line of the source in `file`."""
    symbol: str
    """Qualified name inside the file (``JSONEncoder.default``)."""
    before: str
    """Changed lines, verbatim."""
    after: str
    diff: str
    """One hunk, as ``diff -u`` writes it, with line numbers of `file`."""

    @property
    def diff_text(self) -> tuple[str, str, str]:
        """The change, independent of its place in the file."""
        return self.symbol, self.before, self.after

    @property
    def function(self) -> str:
        """mutmut's name of the function, the same for all mutants of it."""
        return function_of(self.key)


def function_of(key: str) -> str:
    return key.partition("__mutmut_")[0]


@dataclass(frozen=True)
class Interval:
    """Confidence interval (95 %) of a score in percent that was estimated from a sample."""

    low: float
    high: float


@dataclass(frozen=True)
class Observed:
    """Calls on one mutant, held against the same calls on the program itself."""

    same: int = 0
    """Number of calls that execute the change and behave as without it."""
    call: str = ""
    """Call that the tests make and that behaves otherwise with the change; empty if none does."""
    usual: str = ""
    """Behaviour of `call` as a predicate: ``gives 3``, ``raises ValueError: too much``."""
    other: str = ""
    """Behaviour of `call` with the change."""

    @property
    def is_stubborn(self) -> bool:
        """Whether many calls did not reveal it: it takes another kind of input, or is
        equivalent."""
        return not self.call and self.same >= MANY_CALLS

    @property
    def raises_the_same(self) -> bool:
        """Whether both raise the same class of exception, with other words."""
        usual, other = (text.partition(":")[0] for text in (self.usual, self.other))
        return usual == other and usual.startswith("raises ")

    def __add__(self, later: Observed) -> Observed:
        telling = self if self.call else later
        return Observed(self.same + later.same, telling.call, telling.usual, telling.other)


MANY_CALLS = 100
"""Number of calls without a difference from which it is significant."""
NOTHING_OBSERVED = Observed()


@dataclass(frozen=True, eq=False)
class Mutation:
    """The mutants of a program, and what one suite made of them."""

    mutants: Mapping[str, Mutant] = field(default_factory=dict)
    """key -> mutant, all of the program's."""
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    """key -> verdict, of those that were measured."""
    killers: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """key -> node ids (parameters included) of tests known to fail on it: at least one where it
    is ``killed``, as a rule not all."""
    tests: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """`Mutant.function` -> node ids of the tests that execute it."""
    left_alone: Mapping[str, int] = field(default_factory=dict)
    """file -> statements that no mutant changes: module level, class level, properties, ..."""
    notes: tuple[str, ...] = ()
    """Facts that a reader of the score has to know: why it was cut short, what is not mutated."""
    seconds: float = 0.0
    """Wall time of the measurement, without earlier increments."""
    observed: Mapping[str, Observed] = field(default_factory=dict)
    """key -> what calls show of it, of survivors on which some were tried."""
    sample: frozenset[str] | None = None
    """Keys that the score is a share of, the same for every suite of a lift; None: those that
    have a verdict."""
    earlier: str = ""
    """Description of the measured suite, if it is not the suite in question."""

    @property
    def complete(self) -> bool:
        """Whether all that the score is a share of was measured."""
        return self.sample is None or self.sample <= self.verdicts.keys()

    @property
    def has_score(self) -> bool:
        """Whether there is a score of the very suite that this is told of; else what is known of
        single mutants holds, and no percentage is shown. Of no mutants there is none."""
        return self.complete and not self.earlier and self.scored > 0

    @cached_property
    def estimate(self) -> Mutation | None:
        """Score of the measured beginning of a sample, if time ran out before its end.

        The beginning is as random as the whole. None where there is a score, or where too few
        mutants were run.
        """
        if self.sample is None or self.complete:
            return None
        ordered = [key for key in placed(self.mutants.values()) if key in self.sample]
        known = takewhile(self.verdicts.__contains__, ordered)
        verdicts = {key: self.verdicts[key] for key in known}
        found = replace(self, verdicts=verdicts, sample=frozenset(verdicts))
        return found if found.scored >= LEAST_MUTANTS else None

    @property
    def sampled(self) -> bool:
        return len(self.verdicts) < len(self.mutants)

    @cached_property
    def counts(self) -> Counter[Verdict]:
        return Counter(self.verdicts.values())

    @cached_property
    def detected(self) -> frozenset[str]:
        return frozenset(key for key, verdict in self.verdicts.items() if verdict in DETECTED)

    @cached_property
    def survivors(self) -> tuple[Mutant, ...]:
        """Mutants that no test detects, though some execute them; by file and line."""
        found = [self.mutants[key] for key, v in self.verdicts.items() if v == "survived"]
        return tuple(sorted(found, key=lambda m: (m.file, m.line, m.key)))

    def seen_of(self, mutant: Mutant) -> Observed:
        """Observations of calls on a mutant."""
        return self.observed.get(mutant.key, NOTHING_OBSERVED)

    @property
    def scored(self) -> int:
        """Mutants that the score is a share of."""
        return sum(self.counts[verdict] for verdict in SCORED)

    @property
    def percent(self) -> float:
        """Detected ones of those that were measured; 100.0 where there is none."""
        return 100.0 * len(self.detected) / self.scored if self.scored else 100.0

    @property
    def interval(self) -> Interval | None:
        """Confidence interval of the score of a sample; None if all mutants were measured."""
        if not self.sampled:
            return None
        excluded = self.counts["excluded"]
        return interval(len(self.detected), self.scored, len(self.mutants) - excluded)


Z = 1.959964
"""Standard normal quantile of 95 %."""
LEAST_MUTANTS = 10
"""A sample of fewer says nothing."""
MARK = 10
"""Digits of a mark: it tells apart the mutants of one function only."""
SAMPLE_FILE = "sample.json"
VERSION = 1
LARGEST = 64 * 1024
"""Bytes that are read: the file may be anybody's."""


@dataclass(frozen=True)
class Sample:
    """The mutants whose place in the program's order is not beyond `share`.

    It depends on the program alone: no suite, seed or time changes it, and an edit of one
    function changes the places of that function's mutants only.
    """

    share: float = 1.0
    """Part of each function's mutants, 0 to 1."""

    def keys(self, places: Mapping[str, float]) -> list[str]:
        """Returns those of `places` that it holds, in their order."""
        return [key for key, place in places.items() if place <= self.share]


ALL = Sample()


def placed(mutants: Iterable[Mutant]) -> dict[str, float]:
    """Returns key -> place (0 to 1), in order: each beginning is a sample stratified by function.

    Every function has its share at any length (systematic sampling over strata that are shuffled
    inside; Cochran, Sampling Techniques, 1977, chapter 8). The digest of where a mutant is and of
    what it changes replaces chance.
    """
    by_function: dict[tuple[str, str], list[Mutant]] = {}
    mutants = list(mutants)
    marks = marked(mutants)
    for mutant in mutants:
        by_function.setdefault((mutant.file, mutant.symbol), []).append(mutant)
    found: list[tuple[float, str, str]] = []
    for function, members in by_function.items():
        start = int(_digest("\n".join(function))[:12], 16) / 16**12
        members.sort(key=lambda one: (marks[one.key], one.key))
        count = len(members)
        found += [
            ((rank + start) / count, marks[one.key], one.key) for rank, one in enumerate(members)
        ]
    return {key: place for place, _, key in sorted(found)}


def marked(mutants: Iterable[Mutant]) -> dict[str, str]:
    """Returns key -> mark, the same in every lift and wherever in the file the function stands;
    equal changes of one function are told apart by their order."""
    seen: Counter[str] = Counter()
    marks = {}
    for mutant in sorted(mutants, key=lambda one: (one.file, one.line, len(one.key), one.key)):
        lines = (*_stripped(mutant.before), "->", *_stripped(mutant.after))
        what = "\n".join((mutant.file, mutant.symbol, *lines))
        seen[what] += 1
        marks[mutant.key] = _digest(f"{what}\n{seen[what]}")[:MARK]
    return marks


def _stripped(text: str) -> Iterator[str]:
    return (line.strip() for line in text.split("\n"))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def interval(detected: int, measured: int, population: int) -> Interval:
    """Returns Wilson's score interval in percent, narrowed for a finite `population`.

    Stratification makes the true one narrower still. ``0 .. 100`` for an empty sample.
    """
    if not measured:
        return Interval(0.0, 100.0)
    left = max(population - measured, 0)
    z2 = Z * Z * left / max(population - 1, 1)
    share = detected / measured
    middle = (share + z2 / (2 * measured)) / (1 + z2 / measured)
    spread = math.sqrt(z2 * (share * (1 - share) / measured + z2 / (4 * measured**2)))
    half = spread / (1 + z2 / measured)
    return Interval(100 * max(middle - half, 0.0), 100 * min(middle + half, 1.0))


def keep_sample(folder: Path, program: Program, sample: Sample) -> None:
    """Write it into the folder of a run. Raises StorageError."""
    data = {"version": VERSION, "program": sorted(program.paths), **encode(sample)}
    with needed_for("the sample of mutants could not be stored", folder / SAMPLE_FILE):
        replace_file(folder / SAMPLE_FILE, (json.dumps(data) + "\n").encode())


def known_sample(folders: Iterable[Path], program: Program) -> Sample | None:
    """Returns the sample of the newest of these runs (the oldest first) which measured `program`;
    None if there is none. Files that are no sample are skipped."""
    for folder in reversed(list(folders)):
        found = _read_sample(folder / SAMPLE_FILE, sorted(program.paths))
        if found is not None:
            return found
    return None


def _read_sample(place: Path, paths: list[str]) -> Sample | None:
    try:
        data = read(place, dict[str, Any], LARGEST)
        found = decode(Sample, data)
    except (OSError, ValueError):
        return None
    known = data.get("version") == VERSION and data.get("program") == paths
    return found if known and 0.0 < found.share <= 1.0 else None
