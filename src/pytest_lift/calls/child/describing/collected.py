"""What lists and tables of a program's objects show, where no equal expression is known of them.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import itertools
import types
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from .equality import hides_class
from .expressions import source_of
from .names import UsedNames
from .objects import NOTHING, attribute_names, from_program, read_aside, text_of

MOST = 40
"""Most objects that are looked at."""
LONGEST, LONGEST_ITEM = 300, 80
"""Most characters of what is shown of all of them, and of the text of one."""
TOGETHER = 2
"""Attributes of items that are looked at together where the items differ in these alone."""
EMPTY = frozenset({bool, int, float, str, bytes, list, tuple, dict, set, frozenset})
"""Types whose objects may say nothing: 0, an empty text or an empty list."""
EACH = "[{} for item in {{}}]"


def looked_into(
    value: Any, wrap: str, program: frozenset[str], computed: bool = True
) -> tuple[Any, str, dict[str, str]]:
    """Returns what objects in a list or tuple, or the keys of those in a dict, show, by which
    expression, with ``{}`` for the container, and its own text; any other value as it is, with how
    it was read. Properties are read where what is `computed` is looked at."""
    if type(value) not in (list, tuple, dict) or not 0 < len(value) <= MOST:
        return value, wrap, {}
    try:
        return _looked_into(value, wrap, program, computed)
    except Exception:  # what objects raise when they are looked at is no outcome of the call
        return value, wrap, {}


def _looked_into(
    value: Any, wrap: str, program: frozenset[str], computed: bool
) -> tuple[Any, str, dict[str, str]]:
    items = list(value.values() if type(value) is dict else value)
    if wrap not in ("", "list") or not any(_is_object(item, program) for item in items):
        return value, wrap, {}
    numbers = [id(item) for item in items if _is_object(item, program)]
    if wrap == "list" and len({*numbers}) < len(numbers):
        return value, wrap, {}  # one object that the iterator changes: a test looks in between
    hidden = any(hides_class(item, program) for item in items)
    if not hidden and _is_told(value, program):
        return value, wrap, {}
    for look, shown in _whole_looks(value, items, program, computed):
        if _is_told(shown, program):
            return shown, look, {"shown": repr(value)[:LONGEST]}
    return value, wrap, {}


def _whole_looks(
    value: Any, items: list[Any], program: frozenset[str], computed: bool
) -> Iterator[tuple[str, Any]]:
    """Yields expressions for a container, and their values: the keys of a dict; the items of a
    tuple before its first object, as how much was read before what was read; what each item
    shows."""
    if type(value) is dict:
        yield "list({}.keys())", list(value)
        return
    if type(value) is tuple:
        first = (*itertools.takewhile(lambda item: not _is_object(item, program), value),)
        if not all(map(_is_empty, first)):
            yield ("{}[0]", first[0]) if len(first) == 1 else (f"{{}}[:{len(first)}]", first)
    yield from ((EACH.format(look), shown) for look, shown in _looks(items, program, computed))


def _is_object(value: Any, program: frozenset[str]) -> bool:
    kinds = type | types.FunctionType | types.ModuleType
    return not isinstance(value, kinds) and from_program(type(value), program)


def _is_told(value: Any, program: frozenset[str]) -> bool:
    """Whether a short equal expression is known."""
    try:
        source = source_of(value, UsedNames(), program)
    except Exception:
        return False
    return len(source) <= LONGEST and " at 0x" not in source


def _looks(
    items: list[Any], program: frozenset[str], computed: bool
) -> Iterator[tuple[str, list[Any]]]:
    """Yields expressions that look at one ``item``, and their values, the most telling first: the
    texts of items, attributes that are texts or numbers, other ones and properties, what all
    objects of a class have, types. Where items differ in two attributes of the first kind, these
    are looked at together: what changes may be either."""
    texts = [text_of(item, program) for item in items]
    if all(text and len(text) <= LONGEST_ITEM for text in texts):
        yield "str(item)", texts
    own, of_class = attribute_names(items[0]), _texts_of_class(items[0])
    found: list[tuple[int, int, str, list[Any]]] = []
    fixed: list[tuple[int, int, str, list[Any]]] = []
    for name, values in _values_of(items, [*own, *of_class]):
        plain = all(isinstance(one, str | int | float) for one in values)
        if plain and all(len(str(one)) <= LONGEST_ITEM for one in values):
            words = sum(isinstance(one, str) and bool(one) for one in values)
            row = (-words, -len({*map(str, values)}), f"item.{name}", values)
            same = name in of_class and name not in own and row[1] == -1
            (fixed if same else found).append(row)
    differing = [row[2:] for row in found if row[1] < -1]
    if len(differing) == TOGETHER:
        names, columns = zip(*differing, strict=True)
        yield f"({', '.join(names)})", list(zip(*columns, strict=True))
    yield from (row[2:] for row in sorted(found, key=lambda row: row[:2]))
    properties = _properties_of(items[0]) if computed else []
    for name, values in _values_of(items, [*own, *properties]):
        if not all(map(_is_empty, values)):
            yield f"item.{name}", values
    yield from (row[2:] for row in fixed)
    yield "type(item).__name__", [type(item).__name__ for item in items]


def _is_empty(value: Any) -> bool:
    """Whether a value of Python's own says nothing; that of a program or a library is not asked."""
    return value is None or (type(value) in EMPTY and not value)


def _values_of(items: list[Any], names: Iterable[str]) -> Iterator[tuple[str, list[Any]]]:
    """Yields the public ones of some names, and the values of all items, where each has one."""
    for name in dict.fromkeys(names):
        if not name.startswith("_"):
            values = [read_aside(item, partial(getattr, item, name)) for item in items]
            if not any(value is NOTHING for value in values):
                yield name, values


def _texts_of_class(item: Any) -> list[str]:
    """Returns the names of attributes of an object's class that are texts."""
    kinds = type(item).__mro__
    return [name for kind in kinds for name, value in vars(kind).items() if isinstance(value, str)]


def _properties_of(item: Any) -> list[str]:
    return [
        name
        for kind in type(item).__mro__
        for name, value in vars(kind).items()
        if isinstance(value, property)
    ]
