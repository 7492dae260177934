"""Figures in words: counts with their plural, and what became of tests."""

from __future__ import annotations

from collections.abc import Mapping

ENDINGS: Mapping[str, str] = {
    "final": "nothing is left to do",
    "threshold": "every threshold is reached",
    "plateau": "the last iterations gained nothing (a plateau)",
    "iterations": "there were as many iterations as asked for (--lift-iterations)",
    "budget": "the limit of time, tokens or cost is used up",
}
"""How a lift ends, in words."""


def count(number: int, noun: str) -> str:
    """Returns number and noun: ``1 test``, ``2 test functions``, ``1,200 branches``; in ``symbol
    that is left`` the words from ``that`` on stay."""
    head, that, rest = noun.partition(" that ")
    if number != 1:
        head += "es" if head.endswith("ch") else "s"
    return f"{number:,} {head}{that}{rest}"


def acceptance(covered: int, sentences: int) -> str:
    """Returns ``2 of 3 acceptance sentences``: those that a passing test is known to show."""
    noun = "acceptance sentence" if sentences == 1 else "acceptance sentences"
    return f"{covered:,} of {sentences:,} {noun}"


def exists_twice(what: str, place: str) -> str:
    """Returns ``id 'A' exists twice, also at reqs.yml:3:1``, for names that must be unique."""
    return f"{what} exists twice, also at {place}"


def verb(number: int, plural: str) -> str:
    """Returns number and verb: ``1 fails``, ``2 fail``; ``are`` becomes ``is``."""
    one = {"are": "is", "pass": "passes", "have": "has"}.get(plural, f"{plural}s")
    return f"{number:,} {one if number == 1 else plural}"


def outcomes(total: int, passed: int, failed: int, skipped: int) -> str:
    """Returns ``3 tests pass, 1 fails, 2 are skipped, 1 is expected to fail``; if none fails,
    failures are not mentioned."""
    if not total:
        return "there are no tests"
    told = [count(passed, "test") + (" passes" if passed == 1 else " pass")]
    told += [verb(failed, "fail")] if failed else []
    told += [f"{verb(skipped, 'are')} skipped"] if skipped else []
    expected = total - passed - failed - skipped
    told += [f"{verb(expected, 'are')} expected to fail"] if expected > 0 else []
    return ", ".join(told)
