"""Describes a value by an expression equal to it, or by what it shows of its state.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import ast
import cmath
import datetime
import decimal
import enum
import fractions
import itertools
import math
import pathlib
import sys
import types
import uuid
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

CASE = "lift_case"
"""Name of the module that cases are taken to be, and with them what they define."""
LOCAL = "test_case.<locals>."
"""Before the name of what they define, as it is in the function of a test."""
LONGEST = 1200
MOST_ITEMS, DEEPEST = 60, 8
FUNCTIONS = ("function", "method", "partial")
"""Types of results that can be called in turn."""
DRAINED = 40
ARRAYS = frozenset({"numpy", "pandas"})
"""Libraries whose values are told as lists and numbers."""
MOST_NUMBERS = 40
"""Most items of an array that are told; of a larger one, its shape."""
LONG, DIGITS, DECIMALS = 12, 9, 6
"""Digits beyond which those of a float are an accident; those that are told; decimals in tables."""
NOISE, BESIDE = 1e-13, 1e10
"""Size below which a number of many digits stands for zero beside one that is larger by a
factor."""
CUT = 5
NOTHING = object()
"""Stands for what cannot be read."""
MOST_ALIKE = 2
"""Most classes of which it is tried whether an object equals one of them."""

Names = set[tuple[str, str]]


PLAIN: dict[type, Callable[[Any], Any]] = {
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    float: float.__float__,
    list: lambda value: [*list.__iter__(value)],
    dict: lambda value: dict(dict.items(value)),
}
"""Class of Python's own -> what makes a plain value of an object of a class derived from it."""


class Unprintable(Exception):
    """Raised for a value for which no equal expression is known."""


class HiddenClassError(Unprintable):
    """Raised for an object whose equality does not tell its class."""


def drained(value: Any) -> tuple[Any, str]:
    """Returns the items of an iterator, as far as they are read, and how; arrays and frames as
    plain values, and by which expression; other values as they are."""
    return _drain(value) if _is_iterator(value) else plain(value)


def plain(value: Any) -> tuple[Any, str]:
    """Returns the plain value of an array, a frame, or of a list, tuple or dict of arrays, and the
    expression for it, with ``{}`` for the value; other values as they are."""
    try:
        kind = _foreign(value)
        if kind in ("ndarray", "Series", "Index", "DataFrame"):
            return _of_array(value)
        if kind and hasattr(value, "item"):
            item = value.item()
            return item, "bool({})" if isinstance(item, bool) else ""
        parts = value.values() if type(value) is dict else value
        if type(value) in (tuple, list, dict) and {*map(_foreign, parts)} == {"ndarray"}:
            return _of_arrays(value)
    except Exception:
        return value, ""
    return value, ""


def _foreign(value: Any) -> str:
    """Returns the name of a class of numpy or pandas, "" for any other."""
    kind = type(value)
    return kind.__name__ if kind.__module__.partition(".")[0] in ARRAYS else ""


def _of_array(value: Any) -> tuple[Any, str]:
    if value.size > MOST_NUMBERS:
        return value.shape, "{}.shape"
    frame = _foreign(value) == "DataFrame"
    if frame and len({*value.columns}) < len(value.columns):
        return value.shape, "{}.shape"
    look = ".to_dict('list')" if frame else ".tolist()"
    items = value.to_dict("list") if frame else value.tolist()
    if any(number != number for number in _numbers(items)):
        return (items, "{}.tolist()") if _is_flat(items) else (value.shape, "{}.shape")
    if not _is_flat(items) and any(map(_is_long, _numbers(items))):
        value, look = value.round(DECIMALS), f".round({DECIMALS}){look}"
        items = value.to_dict("list") if frame else value.tolist()
    return items, "{}" + look


def _of_arrays(value: Any) -> tuple[Any, str]:
    items = value.items() if type(value) is dict else enumerate(value)
    found = {name: _of_array(part) for name, part in items}
    look = max((look for _, look in found.values()), key=len).replace("{}", "part")
    if type(value) is dict:
        plainly = {name: eval(look, {"part": part}) for name, part in value.items()}
        return plainly, f"{{name: {look} for name, part in {{}}.items()}}"
    return [eval(look, {"part": part}) for part in value], f"[{look} for part in {{}}]"


def _is_flat(items: Any) -> bool:
    return isinstance(items, list) and not any(isinstance(one, list | dict) for one in items)


def _numbers(value: Any) -> Iterator[float]:
    """Yields the floats in nested lists and dicts."""
    if type(value) is float:
        yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _numbers(item)


def _is_long(number: float) -> bool:
    """Whether a number has so many digits that its last ones are an accident of rounding."""
    return number == number and number != float(f"{number:.{LONG}g}")


def approximate(value: Any) -> str:
    """Returns an expression for a number, or a list, tuple or dict of numbers, of which some have
    many digits or are not a number; "" for other values."""
    items = value.values() if type(value) is dict else value
    items = items if type(value) in (list, tuple, dict) else [value]
    numbers = [item for item in items if type(item) in (int, float, complex)]
    if len(numbers) != len(items) or not numbers or type(value) is int:
        return ""
    if type(value) is dict and not all(map(_is_key, value)):
        return ""
    missing = [n for n in numbers if n != n or (type(n) is complex and not cmath.isfinite(n))]
    if not missing and not any(map(_is_inexact, numbers)):
        return ""
    if missing and (type(value) is not list or complex in map(type, numbers)):
        return ""
    largest = max(abs(part) for number in numbers for part in _parts(number))
    shown = [_shortened(number, largest) for number in numbers]
    if type(value) is dict:
        shown = [f"{name!r}: {text}" for name, text in zip(value, shown, strict=True)]
        return f"pytest.approx({{{', '.join(shown)}}})"
    inner = ", ".join(shown)
    if type(value) is tuple:
        inner = f"({inner})" if len(shown) > 1 else f"({inner},)"
    inner = f"[{inner}]" if type(value) is list else inner
    return f"pytest.approx({inner}{', nan_ok=True' if missing else ''})"


def _is_key(key: Any) -> bool:
    """Whether the text of a key of a dict is an expression for it in which nothing is named."""
    if type(key) is tuple:
        return all(map(_is_key, key))
    return key is None or (
        math.isfinite(key) if type(key) is float else type(key) in (str, bytes, int, bool)
    )


def _is_inexact(number: Any) -> bool:
    if type(number) is complex:
        return _is_long(number.real) or _is_long(number.imag)
    return type(number) is float and _is_long(number)


def _parts(number: Any) -> tuple[Any, ...]:
    """Returns the real numbers of which a number consists, 0 for one that is not finite."""
    parts = (number.real, number.imag)
    return tuple(part if abs(part) < math.inf else 0 for part in parts)


def _shortened(number: Any, largest: float) -> str:
    if type(number) is complex:
        return repr(complex(_rounded(number.real, largest), _rounded(number.imag, largest)))
    if number != number or abs(number) == math.inf:
        return f'float("{number!r}")'
    return repr(_rounded(number, largest) if type(number) is float else number)


def _rounded(number: float, largest: float) -> float:
    """Returns the digits of a number that are told; what is left of zero after rounding is none,
    beside the much larger numbers of the same value: one that is alone may well be so small."""
    noise = abs(number) < NOISE and abs(number) * BESIDE < largest and _is_long(number)
    return 0.0 if noise else float(f"{number:.{DIGITS}g}")


def _has_inexact(value: Any, seen: set[int], depth: int = 0) -> bool:
    """Whether a number of many digits is in a list, tuple or dict that is not too long to be told,
    or in one inside of it that is not among those `seen`."""
    if type(value) in (list, tuple, dict):
        if depth >= DEEPEST or len(value) > MOST_ITEMS or id(value) in seen:
            return False
        seen.add(id(value))
        items = value.values() if type(value) is dict else value
        return any(_has_inexact(item, seen, depth + 1) for item in items)
    return _is_inexact(value)


def describe(value: Any, program: frozenset[str], wrap: str = "") -> dict[str, Any]:
    """Returns the record of a value, or of the items of an iterator that `wrap` tells of;
    `program` holds the program's top-level import names."""
    record: dict[str, Any] = {"type": type(value).__qualname__.removeprefix(LOCAL), "wrap": wrap}
    names: Names = set()
    hidden = False
    try:
        record["shown"] = repr(value)[:LONGEST]
    except Exception:
        return record
    try:
        source = expression_of(value, names, program)
        if len(source) <= LONGEST:
            record.update(source=source, names=sorted(names))
            return record
    except (Unprintable, RecursionError) as error:
        hidden = isinstance(error, HiddenClassError)
    own = any(from_program(kind, program) for kind in type(value).__mro__)
    if own and not isinstance(value, type | types.FunctionType):
        if not hidden:
            record["attributes"] = _attributes(value, names, program)
        record["names"] = sorted(names)
        record["text"] = text_of(value, program)
    return record


def expression_of(value: Any, names: Names, program: frozenset[str]) -> str:
    """Returns an expression that a test compares a value with: an equal one, or one that is equal
    up to the accidents of rounding, also of what is in a container."""
    if found := approximate(value):
        return found
    if hides_class(value, program):
        raise HiddenClassError
    if type(value) not in (list, tuple, dict) or not _has_inexact(value, set()):
        return source_of(value, names, program)
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


def is_still(value: Any, began: str) -> bool:
    """Whether a value is that of an expression of literals, with the same types: its own spelling
    may be another one, as that of a set or of a number of many digits."""
    try:
        first = ast.literal_eval(began)
        return source_of(value, set(), frozenset()) == source_of(first, set(), frozenset())
    except Exception:
        return False


def source_of(value: Any, names: Names, program: frozenset[str], depth: int = 0) -> str:
    """Returns an expression that evaluates to an equal value of the same types.

    Raises `Unprintable` if there is none; adds (module, name) of what it refers to to `names`.
    """
    if depth > DEEPEST:
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
    if _foreign(value) and hasattr(value, "item"):
        return source_of(value.item(), names, program, depth + 1)
    if kind.__module__ == "datetime" and not hasattr(datetime, kind.__name__):
        if not isinstance(value, tuple):
            raise Unprintable
        return source_of(tuple(value), names, program, depth + 1)  # a week has no public class
    if kind.__module__ == "datetime":
        names.add(("datetime", ""))
        if getattr(value, "tzinfo", None) not in (None, datetime.UTC):
            raise Unprintable
        return repr(value)
    if isinstance(value, pathlib.PurePath) and not value.is_absolute():
        return _standard(value, "pathlib", kind.__name__, names)
    try:
        return _program_value(value, names, program, depth)
    except Unprintable:
        plain = _of_builtin(value)
        if plain is None:
            raise
        return source_of(plain, names, program, depth + 1)


def _of_builtin(value: Any) -> Any:
    """Returns the plain value to which an object of a derived class is equal: ``'a'`` for a text
    with more attributes; None where there is none."""
    compared: object = type(value).__eq__
    for kind, plain in PLAIN.items():
        if isinstance(value, kind) and compared is kind.__eq__:
            return plain(value)
    return None


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
    if kind.__module__ == CASE:
        return _by_repr(value, set())
    if not from_program(kind, program) or "<locals>" in kind.__qualname__:
        raise Unprintable
    if isinstance(value, enum.Enum) and value.name and not value.name.startswith("_"):
        names.add((kind.__module__, kind.__qualname__))
        return f"{kind.__qualname__}.{value.name}"
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        names.add((kind.__module__, kind.__qualname__))
        pairs = zip(kind._fields, value, strict=True)
        inner = [f"{name}={source_of(item, names, program, depth + 1)}" for name, item in pairs]
        return f"{kind.__qualname__}({', '.join(inner)})"
    base = _compared_as(kind)
    if base is not None and not repr(value).startswith(f"{kind.__qualname__}("):
        return source_of(base(value), names, program, depth + 1)
    return _by_repr(value, names)


def _compared_as(kind: type) -> type | None:
    """Returns the container of Python's own as which objects of a class are compared."""
    definer = next(k for k in kind.__mro__ if "__eq__" in vars(k))
    return definer if definer in (dict, list, set, frozenset) else None


def _named(value: Any, names: Names, program: frozenset[str]) -> str:
    """Returns the name by which a class or function can be imported: what wraps another function
    has its name, and is not what that name stands for."""
    name, module = getattr(value, "__qualname__", ""), getattr(value, "__module__", None) or ""
    if not name.isidentifier() or getattr(sys.modules.get(module), name, None) is not value:
        raise Unprintable
    if module != "builtins":
        if not from_program(value, program):
            raise Unprintable
        names.add((module, name))
    return str(name)


def _by_repr(value: Any, names: Names) -> str:
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
    names.add((kind.__module__, kind.__qualname__))
    return shown


def hides_class(value: Any, program: frozenset[str]) -> bool:
    """Whether an object equals one of another class that is not derived from its own, 5 MB the
    5 Mb that have the same state, and its text tells what the equality does not: ``"5 MB"``."""
    kind = type(value)
    definer = next(k for k in kind.__mro__ if "__eq__" in vars(k))
    if definer is kind or not from_program(definer, program) or issubclass(kind, enum.Enum):
        return False
    others = (other for other in _derived(definer) if _is_like(other, kind))
    if not (first := [*itertools.islice(others, MOST_ALIKE)]):
        return False
    shown = text_of(value, program)
    return bool(shown) and any(_equals_as(value, other, str(shown)) for other in first)


def _is_like(other: type, kind: type) -> bool:
    """Whether a class is compared as another one from which it is not derived, and an object of it
    can be made, and be thrown away without the program's doing something then."""
    compared: object = kind.__eq__
    if issubclass(other, kind) or other.__eq__ is not compared:
        return False
    ends = hasattr(other, "__del__") or hasattr(kind, "__del__")
    return not (ends or getattr(other, "__abstractmethods__", False))


def _derived(kind: type) -> Iterator[type]:
    """Yields the classes that are derived from one, each once, the nearest first."""
    seen, waiting = {kind}, deque([kind])
    while waiting:
        nearest: list[type] = type.__subclasses__(waiting.popleft())
        for one in nearest:
            if one not in seen:
                seen.add(one)
                waiting.append(one)
                yield one


def _equals_as(value: Any, other: type, shown: str) -> bool:
    """Whether an object equals one of another class with the same attributes, and one that is made
    as its own `repr` says has another text."""
    kind = type(value).__name__
    try:
        twin: Any = object.__new__(other)
        for name in attribute_names(value):
            if hasattr(value, name):
                object.__setattr__(twin, name, getattr(value, name))
        source = repr(value)
        if value != twin or not source.startswith(f"{kind}("):
            return False
        return str(eval(source, {kind: other})) != shown
    except Exception:
        return False


def attribute_names(value: Any) -> list[str]:
    """Returns the names of its attributes, private ones included, in the order of definition."""
    slots = [slot for kind in type(value).__mro__ for slot in getattr(kind, "__slots__", ())]
    names = dict.fromkeys([*getattr(value, "__dict__", ()), *slots])
    return [name for name in names if name.isidentifier()]


def read_aside(value: Any, read: Callable[[], Any]) -> Any:
    """Returns what reading something of an object gives, and puts its attributes back;
    `NOTHING` where that fails, or replaces an attribute: a property that does something."""
    before = dict(getattr(value, "__dict__", ()))
    try:
        seen = read()
    except Exception:
        seen = NOTHING
    finally:  # also where the case is stopped
        after = getattr(value, "__dict__", {})
        kept = all(name in after and after[name] is one for name, one in before.items())
        if not kept or len(before) != len(after):
            after.clear()
            after.update(before)
    return seen if kept else NOTHING


def indexes(value: Any, names: Iterable[str]) -> frozenset[str]:
    """Returns the attributes in which a container of a program keeps tables of what is in it, which
    another attribute holds item by item; none of any other object."""
    kind = type(value)
    if not (hasattr(kind, "__len__") and hasattr(kind, "__iter__")):
        return frozenset()
    try:
        size, held = len(value), {name: getattr(value, name) for name in names if name[0] != "_"}
        items = any(type(one) in (list, set, deque) and len(one) == size for one in held.values())
    except Exception:
        return frozenset()
    return frozenset(name for name, one in held.items() if items and isinstance(one, dict))


def from_program(thing: Any, program: frozenset[str]) -> bool:
    return str(getattr(thing, "__module__", "")).partition(".")[0] in program


def _is_iterator(value: Any) -> bool:
    readable = hasattr(value, "read") or hasattr(value, "write")
    return isinstance(value, Iterator) and not readable and iter(value) is value


def _drain(value: Iterator[Any]) -> tuple[list[Any], str]:
    items = list(itertools.islice(value, DRAINED + 1))
    return (items, "list") if len(items) <= DRAINED else (items[:CUT], "islice")


def _attributes(value: Any, names: Names, program: frozenset[str]) -> list[tuple[str, str]]:
    found, every = [], attribute_names(value)
    tables = indexes(value, every)
    for name in every:
        if name.startswith("_") or name in tables:
            continue
        used: Names = set()
        try:
            seen, look = plain(getattr(value, name))
            source = expression_of(seen, used, program)
        except Exception:
            continue
        if len(source) <= 200 and (not look or look.startswith("{}")):
            found.append((look.replace("{}", name) or name, source))
            names |= used
    return found


def text_of(value: Any, program: frozenset[str]) -> str | None:
    kind = type(value)
    definer = next((k for k in kind.__mro__ if "__str__" in vars(k)), object)
    if not from_program(definer, program) and not isinstance(value, BaseException):
        return None
    try:
        text = str(value)
    except Exception:
        return None
    placed = " at 0x" in text or str(id(value)) in text or LOCAL in text
    return text if not placed and len(text) <= 300 else None
