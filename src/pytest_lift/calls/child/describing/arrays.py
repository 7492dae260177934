"""Tells arrays and frames of numpy and pandas as plain lists and numbers.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .objects import module_of
from .rounding import DECIMALS, is_long

ARRAYS = frozenset({"numpy", "pandas"})
"""Libraries whose values are told as lists and numbers."""
MOST_NUMBERS = 40
"""Most items of an array that are told; of a larger one, its shape."""


def plain(value: Any) -> tuple[Any, str]:
    """Returns the plain value of an array, a frame, or of a list, tuple or dict of arrays, and the
    expression for it, with ``{}`` for the value; other values as they are."""
    try:
        kind = foreign(value)
        if kind in ("ndarray", "Series", "Index", "DataFrame"):
            return _of_array(value)
        if kind and hasattr(value, "item"):
            item = value.item()
            return item, "bool({})" if isinstance(item, bool) else ""
        parts = value.values() if type(value) is dict else value
        if type(value) in (tuple, list, dict) and {*map(foreign, parts)} == {"ndarray"}:
            return _of_arrays(value)
    except Exception:
        return value, ""
    return value, ""


def foreign(value: Any) -> str:
    """Returns the name of a class of numpy or pandas, "" for any other."""
    kind = type(value)
    return kind.__name__ if module_of(kind).partition(".")[0] in ARRAYS else ""


def _of_array(value: Any) -> tuple[Any, str]:
    if value.size > MOST_NUMBERS:
        return value.shape, "{}.shape"
    frame = foreign(value) == "DataFrame"
    if frame and len({*value.columns}) < len(value.columns):
        return value.shape, "{}.shape"
    look = ".to_dict('list')" if frame else ".tolist()"
    items = value.to_dict("list") if frame else value.tolist()
    if any(number != number for number in _numbers(items)):
        return (items, "{}.tolist()") if _is_flat(items) else (value.shape, "{}.shape")
    if not _is_flat(items) and any(map(is_long, _numbers(items))):
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
