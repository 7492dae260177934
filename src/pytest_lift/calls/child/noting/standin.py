"""Stand-ins for arguments of which nothing is known: they record what the program does with them.

Loaded by path in the child process, so it imports nothing of this package. What is noted of one
stand-in is a dict of JSON values, with those of its attributes, items and results inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

DEEPEST = 4
MOST_EVENTS = 300
"""Events of one case after which it ends: a loop over stand-ins may have no end."""
MOST_CONSTANTS = 6
NAME = "StandIn"
"""Name by which a case makes one: ``StandIn('parameter')``."""
COMPARED = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
NUMERIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor",
           "lshift", "rshift")  # fmt: skip
CONVERSIONS = {"__int__": "number", "__float__": "number", "__index__": "index", "__str__": "text",
               "__len__": "length"}  # fmt: skip
CONVERTED = {"__int__": 1, "__float__": 1.0, "__index__": 1, "__str__": "text", "__len__": 1}


class EndlessMeeting(BaseException):
    """Ends a case in which a stand-in is used without end."""


class StandInLog:
    """The stand-ins of one case, by the names of the parameters."""

    def __init__(self) -> None:
        self.events = 0
        self.trees: dict[str, dict[str, Any]] = {}

    def new(self, name: str, agrees: bool = True) -> Any:
        """Returns the stand-in for a parameter; one that agrees is true, and equal to anything."""
        return _stand_in(self, self.trees.setdefault(name, {}), agrees, 0)

    def note(self, tree: dict[str, Any], kind: str) -> None:
        self.events += 1
        if self.events > MOST_EVENTS:
            raise EndlessMeeting
        kinds = tree.setdefault("kinds", [])
        if kind not in kinds:
            kinds.append(kind)

    def constant(self, tree: dict[str, Any], value: Any) -> None:
        """Notes a literal that a stand-in meets."""
        if type(value) in (int, float, str, bytes) and len(repr(value)) < 40:
            known = tree.setdefault("constants", [])
            if repr(value) not in known and len(known) < MOST_CONSTANTS:
                known.append(repr(value))
            self.note(tree, type(value).__name__)


def _stand_in(meeting: StandInLog, tree: dict[str, Any], agrees: bool, depth: int) -> Any:
    return StandIn(meeting, tree, agrees, depth) if depth <= DEEPEST else None


class StandIn:
    """Object that has every attribute and takes part in every operation."""

    __slots__ = ("_lift_agrees", "_lift_depth", "_lift_meeting", "_lift_tree")

    def __init__(self, meeting: StandInLog, tree: dict[str, Any], agrees: bool, depth: int) -> None:
        put = object.__setattr__
        put(self, "_lift_meeting", meeting)
        put(self, "_lift_tree", tree)
        put(self, "_lift_agrees", agrees)
        put(self, "_lift_depth", depth)

    def _lift_part(self, part: str, name: str = "") -> Any:
        """Returns the stand-in for an attribute, an item or a result."""
        tree = self._lift_tree.setdefault(part, {})
        tree = tree.setdefault(name, {}) if name else tree
        return _stand_in(self._lift_meeting, tree, self._lift_agrees, self._lift_depth + 1)

    def _lift_note(self, kind: str) -> None:
        self._lift_meeting.note(self._lift_tree, kind)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._lift_note("attributes")
        return self._lift_part("attributes", name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._lift_note("assigned")

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        self._lift_note("called")
        self._lift_tree["arguments"] = len(args)
        return self._lift_part("result")

    def __getitem__(self, key: Any) -> Any:
        self._lift_note("indexed")
        if type(key) is str:
            return self._lift_part("keys", key)
        return self._lift_part("item")

    def __setitem__(self, key: Any, value: Any) -> None:
        self._lift_note("indexed")

    def __iter__(self) -> Iterator[Any]:
        self._lift_note("iterated")
        return iter([self._lift_part("item")])

    def __contains__(self, value: Any) -> bool:
        self._lift_note("iterated")
        tree = self._lift_tree.setdefault("item", {})
        self._lift_meeting.constant(tree, value)
        return bool(self._lift_agrees)

    def __bool__(self) -> bool:
        self._lift_note("truth")
        return bool(self._lift_agrees)

    def __hash__(self) -> int:
        return 1

    def __enter__(self) -> Any:
        self._lift_note("context")
        return self

    def __exit__(self, *error: object) -> None:
        return None


def _compared(name: str) -> Callable[[StandIn, Any], Any]:
    def compare(self: StandIn, other: Any) -> Any:
        self._lift_meeting.constant(self._lift_tree, other)
        self._lift_note("equality" if name in COMPARED[:2] else "order")
        return bool(self._lift_agrees) is (name != "__ne__")

    return compare


def _numeric(self: StandIn, other: Any = None, *more: Any) -> Any:
    self._lift_meeting.constant(self._lift_tree, other)
    self._lift_note("number")
    return self


def _converted(name: str, value: Any) -> Callable[[StandIn], Any]:
    def convert(self: StandIn) -> Any:
        self._lift_note(CONVERSIONS[name])
        return value

    return convert


for _name in COMPARED:
    setattr(StandIn, _name, _compared(_name))
for _name in NUMERIC:
    setattr(StandIn, f"__{_name}__", _numeric)
    setattr(StandIn, f"__r{_name}__", _numeric)
for _name in ("__neg__", "__abs__", "__round__"):
    setattr(StandIn, _name, _numeric)
for _name, _value in CONVERTED.items():
    setattr(StandIn, _name, _converted(_name, _value))
