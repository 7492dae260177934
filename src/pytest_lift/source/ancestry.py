"""Finds the classes above another one, by the names of their bases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping


def above(name: str, bases: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Yields the names of the classes that one is derived from, nearest first and each once; what
    `bases` does not know has none."""
    waiting, seen = [name], {name}
    for one in waiting:
        for base in bases.get(one, ()):
            if base not in seen:
                seen.add(base)
                waiting.append(base)
                yield base
