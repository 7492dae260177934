"""Close spellings: which one of some names another is a slip of."""

from __future__ import annotations

from collections.abc import Collection, Iterable

MOST_SLIPS = 2
"""Letters that a slip leaves out, adds, swaps or confuses, in long names."""
SHORTEST = 3
"""Letters of the shortest name that is taken for a slip."""


def the_close_one(name: str, known: Iterable[str], most_slips: int = MOST_SLIPS) -> str | None:
    """Returns the one of `known` that is closest to a name, if it is close, and no other is."""
    if len(name) < SHORTEST:
        return None
    most = 1 if len(name) < 6 else most_slips
    rated = [(_slips(name, one, most), one) for one in {*known} - {name}]
    near = sorted((slips, one) for slips, one in rated if slips <= most)
    if not near or (len(near) > 1 and near[1][0] == near[0][0]):
        return _other_style(name, {one for _, one in rated})
    return near[0][1]


def _other_style(name: str, known: Collection[str]) -> str | None:
    """Returns the one that differs by capitals and underscores alone: ``to_list``, ``toList``."""
    plain = name.replace("_", "").lower()
    same = [one for one in known if one.replace("_", "").lower() == plain]
    return same[0] if len(same) == 1 else None


def _slips(a: str, b: str, most: int) -> int:
    """Returns the distance of two names, swaps of neighbours as one; more than `most` is not told
    apart (Damerau and Levenshtein, optimal string alignment)."""
    if abs(len(a) - len(b)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row = row, [i] + [0] * len(b)
        for j, y in enumerate(b, 1):
            row[j] = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                row[j] = min(row[j], before[j - 2] + 1)
        before = above
    return row[-1]
