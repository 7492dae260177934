"""Keys that are looked up: those that an object was made with, or others like them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from pytest_lift.calls.call import Call
from pytest_lift.source.special_methods import ATTRIBUTES, INDEXING
from pytest_lift.source.syntax import shared_expression

KEY = re.compile(r"^k$|^key$|_key$")
"""Names of parameters for keys."""
LOOKED_UP = frozenset({"__contains__", *INDEXING, *ATTRIBUTES})
"""Operators whose first argument is a key, whatever it is called."""
UNLIKE, NUMBER = 0.6, 0.2
"""Oddness of a key of another kind than all those that an object was made with, or of a function,
and of a number for a key where nothing tells its kind."""
NUMBERS = ("int", "float", "bool", "NoneType")
"""Kinds of values that are counted to numbers here."""
MISSING = "'b'"
"""Key that is not there, for an object with the others."""
MOST_KEYS = 2


def oddness(call: Call) -> float:
    """Returns the cost of keys that are unlike those of the object on which they are looked up."""
    held = _held(call) if call.receiver is not None else []
    parts = (part for part in (call, *call.before) if part.target.owner is not None)
    keys = (value for part in parts for _, value in _looked_up(part))
    return sum(_odd(key, held) for key in keys)


def variants(call: Call) -> Iterator[Call]:
    """Yields the call with keys that its object has in the place of others, then with one like
    these that it has not."""
    looked_up = _looked_up(call)
    held = _held(call) if looked_up and call.receiver is not None else []
    texts = [key for key in held if key[:1] in "'\""]
    for name, value in looked_up:
        if value in held or not (_is_scalar(value) or _is_function(value)):
            continue
        missing = [MISSING] if texts and _odd(value, held) else []
        known = held[:MOST_KEYS] if held else ["'a'"] if _odd(value, held) else []
        yield from (call.with_value(name, key) for key in (*known, *missing))


def _looked_up(call: Call) -> list[tuple[str, str]]:
    """Returns the arguments of a call of a method that are keys, by their parameters."""
    if call.target.owner is None or call.target.kind == "constructor":
        return []
    first = call.target.leaf in LOOKED_UP
    return [
        (name, value)
        for at, (name, value) in enumerate(call.values)
        if (first and at == 0) or KEY.search(name)
    ]


def _held(call: Call) -> list[str]:
    """Returns the keys, as source, of the dicts of which an object was made, and those under which
    the calls before put something."""
    found: dict[str, None] = {}
    for part in call.receiver.chain if call.receiver is not None else ():
        for value in part.sources:
            found.update(dict.fromkeys(_keys_of(value)))
    for line in call.before:
        if line.target.leaf in ("__setitem__", "__setattr__") and line.values:
            found[line.values[0][1]] = None
    return list(found)


def _keys_of(value: str) -> Sequence[str]:
    node = shared_expression(value) if value.startswith("{") else None
    keys = node.keys if isinstance(node, ast.Dict) else []
    return [ast.unparse(key) for key in keys if isinstance(key, ast.Constant)]


def _odd(key: str, held: Sequence[str]) -> float:
    """Returns the cost of a key beside those that are held."""
    if key in held:
        return 0.0
    if _is_function(key):
        return UNLIKE
    kind = _kind(key)
    if kind and held:
        return UNLIKE if kind not in map(_kind, held) else 0.0
    return NUMBER if kind in NUMBERS else 0.0


def _kind(source: str) -> str:
    node = shared_expression(source)
    return type(node.value).__name__ if isinstance(node, ast.Constant) else ""


def _is_function(source: str) -> bool:
    """Whether a key is a function or a class, by its name or as an expression."""
    return (source.isidentifier() and not _kind(source)) or source.startswith("lambda")


def _is_scalar(source: str) -> bool:
    return bool(_kind(source))
