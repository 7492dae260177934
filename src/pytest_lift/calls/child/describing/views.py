"""What an object shows of its state: attributes, properties, length, items, text; and in short.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import contextlib
import enum
import functools
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType, MethodType
from typing import Any

from .arrays import plain
from .equality import hides_class
from .expressions import expression_of
from .names import UsedNames
from .objects import NOTHING, attribute_names, from_program, indexes, read_aside, text_of

LONGEST_VIEW = 160
DICT = "dict({})"
"""How a test looks at all that is in a mapping."""
NAMESPACE = frozenset({"__builtins__", "__loader__"})
"""Names that are among those of code."""

View = tuple[str, str]
"""Expression with ``{}`` for the object, and source of its value."""


class Viewer:
    """Looks at objects of a program."""

    def __init__(self, program: frozenset[str]) -> None:
        self.program = program

    def views_of(self, value: Any) -> list[View]:
        """Returns what an object of the program shows, the text alone of one whose equality does
        not tell its class; nothing of any other object."""
        own = any(from_program(k, self.program) for k in type(value).__mro__)
        if isinstance(value, type) or not own:
            return []
        found = []
        hidden = hides_class(value, self.program)
        for expression, read in () if hidden else self._readings(value):
            seen = read_aside(value, read)
            if seen is not NOTHING and not _is_namespace(seen):
                inner = "{}" if expression == DICT and _has_keys(value, seen) else expression
                found += self._shown(expression, seen) or self._outline(inner, seen)
        text = text_of(value, self.program)
        return [*found, ("str({})", repr(text))] if text is not None else found

    def state_of(self, value: Any, *, deep: bool = True) -> str:
        """Returns the abstract state of an object: types, emptiness, small counts, flags, members
        of enumerations; and, where it goes `deep`, that of the program's objects in it, for many an
        object only leads to another one that has its state.

        Two objects of one abstract state are taken to be alike for what can be done with them next.
        That of a function is the state of what it was made with.
        """
        found = [type(value).__qualname__, _size(value)]
        for name in sorted(attribute_names(value)):
            try:
                part = getattr(value, name)
                own = deep and not isinstance(part, type) and from_program(type(part), self.program)
                found.append(
                    f"{name}={self.state_of(part, deep=False) if own else _abstract(part)}"
                )
            except Exception:
                continue
        for held in _held(value):
            own = from_program(type(held), self.program)
            with contextlib.suppress(Exception):
                found.append(self.state_of(held) if own else _abstract(held))
        return ";".join(found)

    def _readings(self, value: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
        kind = type(value)
        own = attribute_names(value)
        tables = indexes(value, own)
        for name in dict.fromkeys([*own, *_properties(kind)]):
            if not (name.startswith("_") or name in tables):
                yield f"{{}}.{name}", partial(getattr, value, name)
        if hasattr(kind, "__len__"):
            yield "len({})", partial(len, value)
            if hasattr(kind, "keys") and hasattr(kind, "__getitem__"):
                yield DICT, partial(dict, value)
            elif hasattr(kind, "__iter__") or hasattr(kind, "__getitem__"):
                yield "list({})", partial(list, value)
        if any("__bool__" in vars(k) for k in kind.__mro__[:-1]):
            yield "bool({})", partial(bool, value)

    def _shown(self, expression: str, value: Any) -> list[View]:
        value, look = plain(value)
        if look:
            parts = [part.replace("{", "{{").replace("}", "}}") for part in look.split("{}")]
            expression = expression.join(parts)
        try:
            source = expression_of(value, UsedNames(), self.program)
        except Exception:
            return []
        short = len(source) <= LONGEST_VIEW and " at 0x" not in source
        return [(expression, source)] if short else []

    def _outline(self, expression: str, value: Any) -> list[View]:
        """Returns the keys or the length of a container whose items cannot be shown."""
        if isinstance(value, dict):
            keys = self._shown(f"list({expression})", list(value))
            return keys or [(f"len({expression})", repr(len(value)))]
        if isinstance(value, list | tuple | set | deque):
            return [(f"len({expression})", repr(len(value)))]
        return []


def _is_namespace(seen: Any) -> bool:
    """Whether a dict has the names of a module, or of code that ran: those of what runs a test are
    others elsewhere."""
    return type(seen) is dict and not NAMESPACE.isdisjoint(seen)


def _has_keys(value: Any, seen: dict[Any, Any]) -> bool:
    """Whether what goes through a mapping gets its keys, as of a dict."""
    keys = read_aside(value, partial(list, value))
    return isinstance(keys, list) and keys == list(seen)


def _properties(kind: type) -> list[str]:
    """Returns the names of its properties, those first by which its objects are made."""
    computed = (property, functools.cached_property)
    found = [n for k in kind.__mro__ for n, raw in vars(k).items() if isinstance(raw, computed)]
    makers = (getattr(kind, "__new__", None), getattr(kind, "__init__", None))
    given = {name for one in makers if isinstance(one, FunctionType) for name in _parameters(one)}
    return sorted(found, key=lambda name: name not in given)


def _parameters(function: FunctionType) -> tuple[str, ...]:
    code = function.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _held(value: Any) -> Iterator[Any]:
    """Yields what a function closes over, and the object of a method."""
    if isinstance(value, MethodType):
        yield value.__self__
    elif isinstance(value, FunctionType):
        for cell in value.__closure__ or ():
            with contextlib.suppress(ValueError):  # nothing is in it yet
                yield cell.cell_contents


def _size(value: Any) -> str:
    try:
        return str(min(len(value), 3))
    except Exception:
        return ""


def _abstract(value: Any) -> str:
    if value is None or isinstance(value, bool | enum.Enum):
        return str(value)
    if isinstance(value, int | float):
        return f"{max(-1, min(value, 3)):.0f}"
    if isinstance(value, str):
        return f"s{min(len(value), 2)}"
    if isinstance(value, list | tuple | dict | set | frozenset | deque):
        first = next(iter(value), None)
        return f"{type(value).__name__}{min(len(value), 3)}{type(first).__name__}"
    return type(value).__qualname__ + _size(value)
