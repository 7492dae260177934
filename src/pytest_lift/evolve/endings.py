"""The rules by which a lift ends: a verdict, thresholds, a plateau, or a limit."""

from __future__ import annotations

from pytest_lift.evolve.iteration import Iteration
from pytest_lift.settings import Settings

WITHOUT_GAIN = 3
"""Number of iterations in a row without an accepted gain that is a plateau."""


def ending_of(settings: Settings, iterations: tuple[Iteration, ...]) -> str | None:
    """Returns the first ending that holds: final, threshold, plateau, iterations or budget; None
    where the lift goes on.

    Interrupted, failed, and a time that is used up amid an iteration are seen by the loop itself.
    """
    last = iterations[-1]
    if last.verdict == "FINAL":
        return "final"
    if _thresholds_met(settings, iterations):
        return "threshold"
    tried = iterations[1:]
    if len(tried) >= WITHOUT_GAIN and not any(i.accepted for i in tried[-WITHOUT_GAIN:]):
        return "plateau"
    if last.repeats:
        return "plateau"
    if last.exhausted:
        return "budget"
    if len(tried) >= settings.iterations:
        return "iterations"
    if settings.max_minutes is not None and last.elapsed >= settings.max_minutes * 60:
        return "budget"
    return None


def _thresholds_met(settings: Settings, iterations: tuple[Iteration, ...]) -> bool:
    """Whether the accepted suite reaches all thresholds that are set, and at least one is."""
    accepted = [i.figures for i in iterations if i.accepted][-1]
    return bool(settings.thresholds) and not accepted.missed(settings.thresholds)
