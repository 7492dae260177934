"""Describes a value by an expression equal to it, or by what it shows of its state.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions
import functools
import itertools
import math
import pathlib
import sys
import types
import uuid
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

LONGEST = 1200
MOST_ITEMS = 60
LONGEST_VIEW = 160
FUNCTIONS = ("function", "method", "partial")
"""Types of results that can be called in turn."""
DRAINED = 40
CUT = 5

Names = set[tuple[str, str]]
_NOTHING = object()


class Unprintable(Exception):
    """Raised for a value for which no equal expression is known."""


def drained(value: Any) -> tuple[Any, str]:
    """Returns the items of an iterator, as far as they are read, and how; other values as they
    are."""
    return _drain(value) if _is_iterator(value) else (value, "")


def describe(value: Any, program: frozenset[str], wrap: str = "") -> dict[str, Any]:
    """Returns the record of a value, or of the items of an iterator that `wrap` tells of;
    `program` holds the program's top-level import names."""
    record: dict[str, Any] = {"type": type(value).__qualname__, "wrap": wrap}
    names: Names = set()
    try:
        record["shown"] = repr(value)[:LONGEST]
    except Exception:
        return record
    try:
        source = source_of(value, names, program)
        if len(source) <= LONGEST:
            record.update(source=source, names=sorted(names))
            return record
    except (Unprintable, RecursionError):
        pass
    if _from_program(type(value), program) and not isinstance(value, type | types.FunctionType):
        record["attributes"] = _attributes(value, program)
        record["text"] = _text(value, program)
    return record


def source_of(value: Any, names: Names, program: frozenset[str], depth: int = 0) -> str:
    """Returns an expression that evaluates to an equal value of the same types.

    Raises `Unprintable` if there is none; adds (module, name) of what it refers to to `names`.
    """
    if depth > 8:
        raise Unprintable
    kind = type(value)
    if value is None or kind in (bool, int, str, bytes, bytearray, range, complex):
        return _plain(value)
    if kind is float:
        return _float(value)
    if kind in (list, tuple, set, frozenset, dict, deque, OrderedDict, Counter):
        return _container(value, names, program, depth + 1)
    if kind in (decimal.Decimal, fractions.Fraction, uuid.UUID):
        return _standard(value, kind.__module__, kind.__name__, names)
    if kind.__module__ == "datetime":
        names.add(("datetime", ""))
        if getattr(value, "tzinfo", None) not in (None, datetime.UTC):
            raise Unprintable
        return repr(value)
    if isinstance(value, pathlib.PurePath) and not value.is_absolute():
        return _standard(value, "pathlib", kind.__name__, names)
    return _program_value(value, names, program, depth)


def _plain(value: Any) -> str:
    if isinstance(value, int) and abs(value) > 10**60:
        raise Unprintable
    if isinstance(value, complex) and (value != value or abs(value) == math.inf):
        raise Unprintable
    return repr(value)


def _float(value: float) -> str:
    if value != value:
        raise Unprintable
    return repr(value) if abs(value) != math.inf else f'float("{value!r}")'


def _standard(value: Any, module: str, name: str, names: Names) -> str:
    if isinstance(value, decimal.Decimal) and not value.is_finite():
        raise Unprintable
    names.add((module.lstrip("_"), name))
    return repr(value)


def _container(value: Any, names: Names, program: frozenset[str], depth: int) -> str:
    if len(value) > MOST_ITEMS:
        raise Unprintable
    kind = type(value)
    if kind in (dict, OrderedDict, Counter):
        pairs = [
            f"{source_of(k, names, program, depth)}: {source_of(v, names, program, depth)}"
            for k, v in value.items()
        ]
        inner = "{" + ", ".join(pairs) + "}"
    else:
        items = [source_of(item, names, program, depth) for item in value]
        if kind in (set, frozenset):
            items.sort()
        inner = "[" + ", ".join(items) + "]"
    if kind is tuple:
        return f"({items[0]},)" if len(items) == 1 else f"({inner[1:-1]})"
    if kind is set and items:
        return "{" + inner[1:-1] + "}"
    if kind in (list, dict):
        return inner
    if kind not in (set, frozenset):
        names.add(("collections", kind.__name__))
    return f"{kind.__name__}({inner if len(value) else ''})"


def _program_value(value: Any, names: Names, program: frozenset[str], depth: int) -> str:
    kind = type(value)
    if isinstance(value, type | types.BuiltinFunctionType | types.FunctionType):
        return _named(value, names, program)
    if not _from_program(kind, program) or "<locals>" in kind.__qualname__:
        raise Unprintable
    if isinstance(value, enum.Enum) and value.name and not value.name.startswith("_"):
        names.add((kind.__module__, kind.__qualname__))
        return f"{kind.__qualname__}.{value.name}"
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        names.add((kind.__module__, kind.__qualname__))
        pairs = zip(kind._fields, value, strict=True)
        inner = [f"{name}={source_of(item, names, program, depth + 1)}" for name, item in pairs]
        return f"{kind.__qualname__}({', '.join(inner)})"
    return _by_repr(value, names)


def _named(value: Any, names: Names, program: frozenset[str]) -> str:
    """Returns the name by which a class or function can be imported: what wraps another function
    has its name, and is not what that name stands for."""
    name, module = getattr(value, "__qualname__", ""), getattr(value, "__module__", None) or ""
    if not name.isidentifier() or getattr(sys.modules.get(module), name, None) is not value:
        raise Unprintable
    if module != "builtins":
        if not _from_program(value, program):
            raise Unprintable
        names.add((module, name))
    return str(name)


def _by_repr(value: Any, names: Names) -> str:
    """Returns `repr(value)` if evaluating it gives an equal object of the same class."""
    kind = type(value)
    shown = repr(value)
    compares = any("__eq__" in vars(k) for k in kind.__mro__[:-1])
    if not compares or not shown.startswith(f"{kind.__qualname__}("):
        raise Unprintable
    try:
        again = eval(shown, {kind.__name__: kind})
        same = type(again) is kind and bool(again == value) and repr(again) == shown
    except Exception as error:
        raise Unprintable from error
    if not same:
        raise Unprintable
    names.add((kind.__module__, kind.__qualname__))
    return shown


def views_of(value: Any, program: frozenset[str]) -> list[tuple[str, str]]:
    """Returns (expression with ``{}`` for the object, source of its value) for what an object of
    the program shows of its state: public attributes and properties, length, items, text."""
    kind = type(value)
    if isinstance(value, type) or not any(_from_program(k, program) for k in kind.__mro__):
        return []
    found = []
    for expression, read in _readings(value):
        before = dict(getattr(value, "__dict__", ()))
        try:
            seen = read()
        except Exception:
            seen = _NOTHING
        after = getattr(value, "__dict__", {})
        kept = all(name in after and after[name] is one for name, one in before.items())
        if not kept or len(before) != len(after):  # a property that does something, or caches
            after.clear()
            after.update(before)
        if kept and seen is not _NOTHING:
            found += _shown(expression, seen, program) or _outline(expression, seen, program)
    text = _text(value, program)
    return [*found, ("str({})", repr(text))] if text is not None else found


def _shown(expression: str, value: Any, program: frozenset[str]) -> list[tuple[str, str]]:
    names: Names = set()
    try:
        source = source_of(value, names, program)
    except Exception:
        return []
    short = len(source) <= LONGEST_VIEW and " at 0x" not in source
    return [(expression, source)] if short else []


def _outline(expression: str, value: Any, program: frozenset[str]) -> list[tuple[str, str]]:
    """Returns the keys or the length of a container whose items cannot be shown."""
    if isinstance(value, dict):
        keys = _shown(f"list({expression})", list(value), program)
        return keys or [(f"len({expression})", repr(len(value)))]
    if isinstance(value, list | tuple | set | deque):
        return [(f"len({expression})", repr(len(value)))]
    return []


def _readings(value: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    kind = type(value)
    for name in dict.fromkeys([*_attribute_names(value), *_properties(kind)]):
        if not name.startswith("_"):
            yield f"{{}}.{name}", partial(getattr, value, name)
    if hasattr(kind, "__len__"):
        yield "len({})", partial(len, value)
        if hasattr(kind, "keys") and hasattr(kind, "__getitem__"):
            yield "dict({})", partial(dict, value)
        elif hasattr(kind, "__iter__") or hasattr(kind, "__getitem__"):
            yield "list({})", partial(list, value)
    if any("__bool__" in vars(k) for k in kind.__mro__[:-1]):
        yield "bool({})", partial(bool, value)


def _properties(kind: type) -> list[str]:
    computed = (property, functools.cached_property)
    return [n for k in kind.__mro__ for n, raw in vars(k).items() if isinstance(raw, computed)]


def state_of(value: Any) -> str:
    """Returns the abstract state of an object: types, emptiness, small counts, flags, enum members.

    Two objects of one abstract state are taken to be alike for what can be done with them next.
    """
    found = [type(value).__qualname__, _size(value)]
    for name in sorted(_attribute_names(value)):
        try:
            found.append(f"{name}={_abstract(getattr(value, name))}")
        except Exception:
            continue
    return ";".join(found)


def _attribute_names(value: Any) -> list[str]:
    """Returns the names of its attributes, private ones included, in the order of definition."""
    slots = [slot for kind in type(value).__mro__ for slot in getattr(kind, "__slots__", ())]
    names = dict.fromkeys([*getattr(value, "__dict__", ()), *slots])
    return [name for name in names if name.isidentifier()]


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


def _from_program(thing: Any, program: frozenset[str]) -> bool:
    return str(getattr(thing, "__module__", "")).partition(".")[0] in program


def _is_iterator(value: Any) -> bool:
    readable = hasattr(value, "read") or hasattr(value, "write")
    return isinstance(value, Iterator) and not readable and iter(value) is value


def _drain(value: Iterator[Any]) -> tuple[list[Any], str]:
    items = list(itertools.islice(value, DRAINED + 1))
    return (items, "list") if len(items) <= DRAINED else (items[:CUT], "islice")


def _attributes(value: Any, program: frozenset[str]) -> list[tuple[str, str]]:
    found = []
    for name in _attribute_names(value):
        if name.startswith("_"):
            continue
        names: Names = set()
        try:
            source = source_of(getattr(value, name), names, program)
        except Exception:
            continue
        if not names and len(source) <= 200:
            found.append((name, source))
    return found


def _text(value: Any, program: frozenset[str]) -> str | None:
    kind = type(value)
    definer = next((k for k in kind.__mro__ if "__str__" in vars(k)), object)
    if not _from_program(definer, program) and not isinstance(value, BaseException):
        return None
    try:
        text = str(value)
    except Exception:
        return None
    placed = " at 0x" in text or str(id(value)) in text
    return text if not placed and len(text) <= 300 else None
