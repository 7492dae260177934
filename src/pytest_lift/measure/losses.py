"""Things that one measured suite has and another lacks: verified requirements, branches, lines."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from pytest_lift.measure.measurement import Measurement
from pytest_lift.text.wording import count

MOST_NAMED = 5


@dataclass(frozen=True)
class Loss:
    """One kind of loss, in words, with the single things that are lost."""

    text: str
    things: Collection[object]


def measured_losses(before: Measurement, after: Measurement) -> Iterator[Loss]:
    """Yields the losses of requirements, acceptance sentences, branches and lines. Pure."""
    if requirements := verified(before) - verified(after):
        yield Loss(f"the verification of {some(requirements)}", requirements)
    points = before.trace.covered - after.trace.covered
    if kept := {f"{name} ({number})" for name, number in points if name not in requirements}:
        yield Loss(f"what showed {count(len(kept), 'acceptance sentence')}: {some(kept)}", kept)
    if branches := before.coverage.covered() - after.coverage.covered():
        places = {f"{path}:{origin}" for path, origin, _ in branches}
        yield Loss(f"{count(len(branches), 'covered branch')} at {some(places)}", branches)
    if lines := executed(before) - executed(after):
        yield Loss(count(len(lines), "covered line"), lines)


def verified(measurement: Measurement) -> set[str]:
    """Returns ids of verified requirements."""
    return {i.requirement.id for i in measurement.trace.requirements if i.status == "verified"}


def executed(measurement: Measurement) -> set[tuple[str, int]]:
    """Returns (file, line) of all lines that ran."""
    return {(path, n) for path, file in measurement.coverage.files.items() for n in file.executed}


def some(names: Collection[str]) -> str:
    """Returns the first names in words, and how many more there are."""
    shown = ", ".join(sorted(names)[:MOST_NAMED])
    more = len(names) - MOST_NAMED
    return shown + (f" and {more} more" if more > 0 else "")
