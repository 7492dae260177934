"""The sample of mutants: drawn, its margin of error, and kept for later lifts."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_lift.files.atomic import replace_file
from pytest_lift.files.codec import decode, encode, read
from pytest_lift.files.disk import needed_for
from pytest_lift.mutation.mutants import Interval, Mutant
from pytest_lift.source.program import Program

Z = 1.959964
"""Standard normal quantile of 95 %."""
LEAST_MUTANTS = 10
"""A sample of fewer says nothing."""
MARK = 10
"""Digits of a mark: it tells apart the mutants of one function only."""


NAME = "sample.json"
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
    with needed_for("the sample of mutants could not be stored", folder / NAME):
        replace_file(folder / NAME, (json.dumps(data) + "\n").encode())


def known_sample(folders: Iterable[Path], program: Program) -> Sample | None:
    """Returns the sample of the newest of these runs (the oldest first) which measured `program`;
    None if there is none. Files that are no sample are skipped."""
    for folder in reversed(list(folders)):
        found = _read(folder / NAME, sorted(program.paths))
        if found is not None:
            return found
    return None


def _read(place: Path, paths: list[str]) -> Sample | None:
    try:
        data = read(place, dict[str, Any], LARGEST)
        found = decode(Sample, data)
    except (OSError, ValueError):
        return None
    known = data.get("version") == VERSION and data.get("program") == paths
    return found if known and 0.0 < found.share <= 1.0 else None
