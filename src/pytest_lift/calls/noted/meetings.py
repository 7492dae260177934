"""What a program does with a stand-in for an argument, as a value."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

DEEPEST = 8
MOST_PARTS = 40


@dataclass
class Meeting:
    """Uses of one stand-in; those of its attributes, items and results are inside."""

    kinds: set[str] = field(default_factory=set)
    """called, indexed, iterated, length, truth, equality, order, number, index, text, context,
    attributes, assigned, and names of types of constants that it met."""
    constants: list[str] = field(default_factory=list)
    """Sources of literals that it was compared or combined with."""
    arguments: int = 0
    """Number of arguments of its last call."""
    attributes: dict[str, Meeting] = field(default_factory=dict)
    keys: dict[str, Meeting] = field(default_factory=dict)
    item: Meeting | None = None
    result: Meeting | None = None

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self.attributes)

    def join(self, other: Meeting) -> None:
        """Adds what another stand-in for the same parameter met."""
        self.kinds |= other.kinds
        self.constants += [one for one in other.constants if one not in self.constants]
        self.arguments = max(self.arguments, other.arguments)
        for own, more in ((self.attributes, other.attributes), (self.keys, other.keys)):
            for name, met in more.items():
                own.setdefault(name, Meeting()).join(met)
        self.item = _joined(self.item, other.item)
        self.result = _joined(self.result, other.result)


def _joined(one: Meeting | None, other: Meeting | None) -> Meeting | None:
    if one is not None and other is not None:
        one.join(other)
    return one or other


def read_meetings(raw: Mapping[str, Any]) -> dict[str, Meeting]:
    """Reads what a child noted, by the names of parameters; raises TypeError or ValueError for what
    is not so."""
    return {str(name): _read(tree, 0) for name, tree in raw.items()}


def _read(raw: Mapping[str, Any], depth: int) -> Meeting:
    if depth > DEEPEST:
        raise ValueError("too deep")
    for text in raw.get("constants", ()):
        ast.literal_eval(text)
    return Meeting(
        {str(kind) for kind in raw.get("kinds", ())},
        [str(text) for text in raw.get("constants", ())][:MOST_PARTS],
        int(raw.get("arguments", 0)),
        _parts(raw.get("attributes", {}), depth),
        _parts(raw.get("keys", {}), depth),
        _read(raw["item"], depth + 1) if "item" in raw else None,
        _read(raw["result"], depth + 1) if "result" in raw else None,
    )


def _parts(raw: Mapping[str, Any], depth: int) -> dict[str, Meeting]:
    found = {}
    for name, tree in list(raw.items())[:MOST_PARTS]:
        if type(name) is not str:
            raise TypeError("a name was expected")
        found[name] = _read(tree, depth + 1)
    return found
