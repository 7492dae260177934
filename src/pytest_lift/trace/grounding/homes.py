"""The files in which requirements live: the one that each is about most, and those of its parts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from functools import lru_cache

from pytest_lift.coverage.coverage import Entry
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.source.program import Program
from pytest_lift.trace.grounding.ranking import Ranking
from pytest_lift.trace.grounding.subjects import most_in_scope

AS_GOOD = 0.7
"""Share of the best score from which on a symbol in another file is a part of the requirement."""
MOST_PARTS = 3
"""Most files of one requirement."""
LEAST = 0.3
"""Score below which a symbol is a guess by common words alone."""

Parts = Mapping[str, tuple[str, ...]]
"""Path -> names of the symbols there; the first path is the home."""


def parts(
    requirements: Requirements,
    program: Program,
    entered: Mapping[str, Collection[Entry]] | None = None,
) -> dict[str, Parts]:
    """Returns requirement id -> the files that it is about, with the symbols there.

    A requirement that names nothing of the program gets the file of most requirements in its scope,
    or else the first public module. Exempt requirements have no file.
    """
    paths = [path for path, file in program.files.items() if not file.error]
    if not paths:
        return {}
    items = requirements.testable
    watched = frozenset((name, frozenset(entries)) for name, entries in (entered or {}).items())
    ranking = _ranking(program, items, watched)
    found = {item.id: told for item in items if (told := _parts(item, ranking))}
    default = next((path for path in paths if program.files[path].public), paths[0])
    near = {name: tuple(told)[:1] for name, told in found.items()}
    for item in items:
        if item.id not in found:
            home = next(iter(most_in_scope(item, items, near)), default)
            found[item.id] = {home: ()}
    return found


@lru_cache(maxsize=2)
def _ranking(
    program: Program,
    items: tuple[Requirement, ...],
    entered: frozenset[tuple[str, frozenset[Entry]]],
) -> Ranking:
    """Returns a ranking that is made once for each state of what is known: each phase asks."""
    return Ranking(program, items, dict(entered))


def _parts(item: Requirement, ranking: Ranking) -> Parts:
    ranked = ranking.ranked(item)
    best = tuple(one for one in ranked if not one.only_raised) or ranked
    if not best or best[0].score < LEAST:
        return {}
    names: dict[str, list[str]] = defaultdict(list)
    weights: dict[str, float] = defaultdict(float)
    for one in best:
        weights[one.path] += one.score**2
        if one.score >= AS_GOOD * best[0].score:
            names[one.path].append(one.symbol.name)
    paths = sorted(weights, key=lambda path: -weights[path])
    kept = [path for path in paths if path == paths[0] or path in names][:MOST_PARTS]
    return {path: tuple(names.get(path, ())) for path in kept}


def homes(
    requirements: Requirements,
    program: Program,
    entered: Mapping[str, Collection[Entry]] | None = None,
) -> dict[str, str]:
    """Returns requirement id -> path of the source file that it is about most."""
    found = parts(requirements, program, entered)
    return {name: next(iter(told)) for name, told in found.items()}
