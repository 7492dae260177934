"""Writes expressions that evaluate to a value equal to another one.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import ast
import cmath
import datetime
import decimal
import enum
import fractions
import math
import pathlib
import sys
import types
import uuid
from collections import Counter, OrderedDict, deque
from typing import Any

from .arrays import foreign
from .equality import compared_as, hides_class, of_builtin
from .library_values import from_library, is_fixed
from .made_plainly import made_plainly
from .moments import moment
from .names import UsedNames
from .objects import CASE, LOCAL, from_program, module_of
from .rounding import approximate, is_inexact

MOST_ITEMS, DEEPEST = 60, 8


class Unprintable(Exception):
    """Raised for a value for which no equal expression is known."""


class HiddenClassError(Unprintable):
    """Raised for an object whose equality does not tell its class."""


def expression_of(value: Any, names: UsedNames, program: frozenset[str]) -> str:
    """Returns an expression that a test compares a value with: an equal one, or one that is equal
    up to the accidents of rounding, also of what is in a container."""
    if found := approximate(value):
        return found
    if hides_class(value, program):
        raise HiddenClassError
    if not _is_container(value) or not has_inexact(value, set()):
        return source_of(value, names, program)
    if hasattr(value, "_fields"):
        return _named_tuple(value, names, program)
    if type(value) is dict:
        pairs = [
            f"{source_of(key, names, program)}: {expression_of(item, names, program)}"
            for key, item in value.items()
        ]
        return f"{{{', '.join(pairs)}}}"
    inner = ", ".join(expression_of(item, names, program) for item in value)
    if type(value) is list:
        return f"[{inner}]"
    return f"({inner},)" if len(value) == 1 else f"({inner})"


def _named_tuple(value: Any, names: UsedNames, program: frozenset[str]) -> str:
    """Returns the expression of a named tuple with a number of many digits in it."""
    kind = type(value)
    whole = len(kind._fields) == tuple.__len__(value)
    if not from_program(kind, program) or not _is_found(kind) or not whole:
        return source_of(value, names, program)
    names.add((module_of(kind), kind.__qualname__))
    fields = zip(kind._fields, value, strict=True)
    inner = ", ".join(f"{name}={expression_of(item, names, program)}" for name, item in fields)
    return f"{kind.__qualname__}({inner})"


def _is_container(value: Any) -> bool:
    named = isinstance(value, tuple) and hasattr(type(value), "_fields")
    return named or type(value) in (list, tuple, dict)


def has_inexact(value: Any, seen: set[int], depth: int = 0) -> bool:
    """Whether a number of many digits is in a list, tuple or dict that is not too long to be told,
    or in one inside of it that is not among those `seen`."""
    if _is_container(value):
        if depth >= DEEPEST or len(value) > MOST_ITEMS or id(value) in seen:
            return False
        seen.add(id(value))
        items = value.values() if type(value) is dict else value
        return any(has_inexact(item, seen, depth + 1) for item in items)
    return is_inexact(value)


def is_still(value: Any, began: str) -> bool:
    """Whether a value is that of an expression of literals, with the same types: its own spelling
    may be another one, as that of a set or of a number of many digits."""
    try:
        first = ast.literal_eval(began)
        now, then = (source_of(one, UsedNames(), frozenset()) for one in (value, first))
        return now == then
    except Exception:
        return False


def source_of(value: Any, names: UsedNames, program: frozenset[str], depth: int = 0) -> str:
    """Returns an expression that evaluates to an equal value of the same types.

    Raises `Unprintable` if there is none; adds (module, name) of what it refers to to `names`.
    """
    if depth > DEEPEST:
        raise Unprintable
    kind = type(value)
    if kind is str and LOCAL in value:
        raise Unprintable  # the name of a function that a test defines, with that of the test
    if value is None or kind in (bool, int, str, bytes, bytearray, range, complex):
        return _plain(value)
    if kind is float:
        return _float(value)
    if kind in (list, tuple, set, frozenset, dict, deque, OrderedDict, Counter):
        return _container(value, names, program, depth + 1)
    if kind in (decimal.Decimal, fractions.Fraction, uuid.UUID):
        return _standard(value, module_of(kind), kind.__name__, names)
    if foreign(value) and hasattr(value, "item"):
        return source_of(value.item(), names, program, depth + 1)
    if module_of(kind) == "datetime" and not hasattr(datetime, kind.__name__):
        if not isinstance(value, tuple):
            raise Unprintable
        return source_of(tuple(value), names, program, depth + 1)  # a week has no public class
    if module_of(kind) == "datetime":
        names.add(("datetime", ""))
        if not is_fixed(getattr(value, "tzinfo", None)):
            raise Unprintable
        return moment(value)
    if isinstance(value, pathlib.PurePath) and not value.is_absolute():
        return _standard(value, "pathlib", kind.__name__, names)
    try:
        return _program_value(value, names, program, depth)
    except Unprintable:
        plain = of_builtin(value)
        if plain is None:
            raise
        return source_of(plain, names, program, depth + 1)


def _plain(value: Any) -> str:
    if isinstance(value, int) and abs(value) > 10**60:
        raise Unprintable
    if isinstance(value, complex) and not cmath.isfinite(value):
        raise Unprintable
    return repr(value)


def _float(value: float) -> str:
    if value != value:
        raise Unprintable
    return repr(value) if abs(value) != math.inf else f'float("{value!r}")'


def _standard(value: Any, module: str, name: str, names: UsedNames) -> str:
    if isinstance(value, decimal.Decimal) and not value.is_finite():
        raise Unprintable
    names.add((module.lstrip("_"), name))
    return repr(value)


def _container(value: Any, names: UsedNames, program: frozenset[str], depth: int) -> str:
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


def _program_value(value: Any, names: UsedNames, program: frozenset[str], depth: int) -> str:
    kind = type(value)
    if isinstance(value, type | types.BuiltinFunctionType | types.FunctionType):
        return _named(value, names, program)
    if module_of(kind) == CASE:
        return _by_repr(value, UsedNames())
    if "<locals>" in kind.__qualname__ or not (from_program(kind, program) or from_library(kind)):
        raise Unprintable
    if isinstance(value, enum.Enum) and f"{value.name}".isidentifier() and value.name[0] != "_":
        names.add((module_of(kind), kind.__qualname__))
        return f"{kind.__qualname__}.{value.name}"
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        if not _is_found(kind) or not from_program(kind, program):
            raise Unprintable  # it equals a plain tuple
        if len(kind._fields) != tuple.__len__(value):
            raise Unprintable  # some of its fields are no arguments
        names.add((module_of(kind), kind.__qualname__))
        pairs = zip(kind._fields, value, strict=True)
        inner = [f"{name}={source_of(item, names, program, depth + 1)}" for name, item in pairs]
        return f"{kind.__qualname__}({', '.join(inner)})"
    base = compared_as(kind)
    if base is not None and not repr(value).startswith(f"{kind.__qualname__}("):
        return source_of(base(value), names, program, depth + 1)
    try:
        return _by_repr(value, names)
    except Unprintable:
        made = made_plainly(value, names, program, lambda v, n: source_of(v, n, program, depth + 1))
        if not made:
            raise
        return made


def _is_found(kind: type) -> bool:
    """Whether a class can be imported by its name: one that a function makes cannot."""
    found: Any = sys.modules.get(module_of(kind))
    for name in kind.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is kind


def _named(value: Any, names: UsedNames, program: frozenset[str]) -> str:
    """Returns the name by which a class or function can be imported: what wraps another function
    has its name, and is not what that name stands for."""
    name, module = getattr(value, "__qualname__", ""), getattr(value, "__module__", None) or ""
    if not name.isidentifier() or getattr(sys.modules.get(module), name, None) is not value:
        raise Unprintable
    if module == "datetime":
        names.add((module, ""))
        return f"datetime.{name}"
    if module != "builtins":
        known = isinstance(value, type) and from_library(value)
        if not (known or from_program(value, program)):
            raise Unprintable
        names.add((module, name))
    return str(name)


def _by_repr(value: Any, names: UsedNames) -> str:
    """Returns `repr(value)` if evaluating it gives an equal object of the same class."""
    kind = type(value)
    shown = repr(value).replace(LOCAL, "")
    compares = any("__eq__" in vars(k) for k in kind.__mro__[:-1])
    if not compares or not shown.startswith(f"{kind.__qualname__.removeprefix(LOCAL)}("):
        raise Unprintable
    try:
        again = eval(shown, {kind.__name__: kind})
        same = (
            type(again) is kind and bool(again == value) and repr(again).replace(LOCAL, "") == shown
        )
    except Exception as error:
        raise Unprintable from error
    if not same:
        raise Unprintable
    if module_of(kind) != "builtins":
        names.add((module_of(kind), kind.__qualname__))
    return shown
