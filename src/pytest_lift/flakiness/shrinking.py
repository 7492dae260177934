"""A sequence that shows something -> a small part of it that still does (delta debugging).

ddmin of Zeller and Hildebrandt (2002). The order is kept; a part is never asked about twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence


class Spent(Exception):
    """No further run may be made."""


def shrink(
    items: Sequence[str], shows: Callable[[Sequence[str]], bool]
) -> tuple[tuple[str, ...], bool]:
    """(part, whether it is minimal): without any one of its items it does not show it any more.

    `items` show it, nothing at all does not; both are known and not asked. `shows` may raise
    `Spent`: then the smallest part so far.
    """
    part, pieces = tuple(items), 2
    asked: dict[tuple[str, ...], bool] = {}
    try:
        while len(part) > 1:
            smaller = _smaller(part, pieces, shows, asked)
            if smaller is not None:
                pieces = 2 if len(smaller) <= -(-len(part) // pieces) else max(pieces - 1, 2)
                part = smaller
            elif pieces >= len(part):
                break
            else:
                pieces = min(len(part), 2 * pieces)
    except Spent:
        return part, False
    return part, True


def _smaller(
    part: tuple[str, ...],
    pieces: int,
    shows: Callable[[Sequence[str]], bool],
    asked: dict[tuple[str, ...], bool],
) -> tuple[str, ...] | None:
    """One piece that shows it, else everything but one piece; the last pieces first: what makes
    the difference is often near."""
    size = -(-len(part) // pieces)
    starts = range(0, len(part), size)
    chunks = [part[start : start + size] for start in reversed(starts)]
    rests = [part[:start] + part[start + size :] for start in reversed(starts)]
    for candidate in (*chunks, *(rests if len(chunks) > 2 else ())):
        if not candidate or candidate == part:
            continue
        if candidate not in asked:
            asked[candidate] = shows(candidate)
        if asked[candidate]:
            return tuple(candidate)
    return None
