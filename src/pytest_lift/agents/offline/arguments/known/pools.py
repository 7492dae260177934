"""Arguments worth trying, kept until what they are made of changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable

from pytest_lift.agents.offline.arguments.known.made import MadeObjects

Key = tuple[str, str]
"""(target, parameter)."""


class Pools:
    """(target, parameter) -> expressions, the most natural first."""

    def __init__(self, objects: MadeObjects) -> None:
        self.objects = objects
        self._pools: dict[Key, list[str]] = {}
        self._made_of: dict[str, set[Key]] = defaultdict(set)
        """Name of a class -> pools that objects of it are in, or would be."""

    def get(self, key: Key, fill: Callable[[], Iterable[str]]) -> list[str]:
        """Returns a pool, made by `fill` where it is not known."""
        if key not in self._pools:
            self.objects.asked.clear()
            self._pools[key] = list(dict.fromkeys(fill()))
            for name in self.objects.asked:
                self._made_of[name].add(key)
        return self._pools[key]

    def forget(self, key: Key) -> None:
        """Has one pool made anew."""
        self._pools.pop(key, None)

    def forget_target(self, target: str) -> None:
        """Has the pools of a target made anew."""
        self._pools = {key: pool for key, pool in self._pools.items() if key[0] != target}

    def forget_made_of(self, names: Collection[str]) -> None:
        """Has the pools made anew that objects of these classes are in."""
        for name in names:
            for key in self._made_of.pop(name, ()):
                self.forget(key)

    def forget_all(self) -> None:
        """Has all pools made anew."""
        self._pools.clear()
        self._made_of.clear()
