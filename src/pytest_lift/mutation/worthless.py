"""Mutants of messages and logs that were judged to be worth no test, by what they change."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from pytest_lift.files.codec import DecodeError, decode, encode, loads
from pytest_lift.mutation.change import changes_words
from pytest_lift.mutation.mutation import Mutant, marked
from pytest_lift.source.worthless import WorthlessMutant


def judged_worthless(mutant: Mutant, mutants: Iterable[Mutant], why: str) -> WorthlessMutant | None:
    """Returns the judgement on one of `mutants`; None if it changes more than words."""
    if not changes_words(mutant):
        return None
    what = f"{mutant.file}: {mutant.symbol}: {mutant.before.strip()} -> {mutant.after.strip()}"
    return WorthlessMutant(marked(mutants)[mutant.key], " ".join(why.split()), what)


def worthless_keys(
    mutants: Mapping[str, Mutant], known: Mapping[str, WorthlessMutant]
) -> dict[str, str]:
    """Returns key -> reason, of the mutants that were judged so, in this lift or an earlier one."""
    if not known:
        return {}
    marks = marked(mutants.values())
    return {key: known[mark].why for key, mark in marks.items() if mark in known}


def written_worthless(known: Mapping[str, WorthlessMutant]) -> list[str]:
    """Returns a line of JSON for each."""
    return [json.dumps(encode(one)) for one in known.values()]


def read_worthless(lines: Sequence[str]) -> dict[str, WorthlessMutant]:
    """Returns mark -> judgement from such lines; others are left out."""
    found = {}
    for line in lines:
        try:
            one = decode(WorthlessMutant, loads(line))
        except (DecodeError, ValueError, TypeError):
            continue
        found[one.mark] = one
    return found
