"""What lists and tables of a program's objects show, where no equal expression is known of them.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import itertools
import types
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
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
    texts of items; attributes that are texts or numbers, or properties where these attributes are
    the same of all; other ones and properties; what all objects of a class have; types. Where items
    differ in two attributes of the first kind, these are looked at together: what changes may be
    either."""
    texts = [text_of(item, program) for item in items]
    if all(text and len(text) <= LONGEST_ITEM for text in texts):
        yield "str(item)", texts
    own, of_class = attribute_names(items[0]), _texts_of_class(items[0])
    found: list[_Column] = []
    fixed: list[_Column] = []
    for name, values in _values_of(items, [*own, *of_class]):
        if _are_plain(values):
            column = _Column(f"item.{name}", values)
            same = name in of_class and name not in own and not column.differs
            (fixed if same else found).append(column)
    differing = [one for one in found if one.differs]
    if len(differing) == TOGETHER:
        yield (
            f"({', '.join(one.look for one in differing)})",
            [*zip(*(one.values for one in differing), strict=True)],
        )
    alike = len(items) > 1 and not differing
    if not alike:
        yield from ((one.look, one.values) for one in sorted(found, key=lambda one: one.rank))
    # Properties may do something: they are read where nothing else tells items apart.
    read = [*_values_of(items, _properties_of(items[0]))] if computed else []
    if alike:
        found += _told_apart(items[0], read)
        yield from ((one.look, one.values) for one in sorted(found, key=lambda one: one.rank))
    for name, values in [*_values_of(items, own), *read]:
        if not all(map(_is_empty, values)):
            yield f"item.{name}", values
    yield from ((one.look, one.values) for one in fixed)
    yield "type(item).__name__", [type(item).__name__ for item in items]


def _told_apart(item: Any, read: Iterable[tuple[str, list[Any]]]) -> list[_Column]:
    """Returns the properties that tell items apart: those that objects are made with, if there are
    such."""
    code = getattr(type(item).__init__, "__code__", None)
    given = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if code else ()
    plain = {name: _Column(f"item.{name}", values) for name, values in read if _are_plain(values)}
    apart = {name: column for name, column in plain.items() if column.differs}
    return [column for name, column in apart.items() if name in given] or [*apart.values()]


@dataclass(frozen=True)
class _Column:
    """What one expression shows of each of several items: texts and numbers."""

    look: str
    values: list[Any]

    @cached_property
    def differs(self) -> bool:
        return len({*map(str, self.values)}) > 1

    @property
    def rank(self) -> tuple[bool, int, int]:
        """Place among others: what tells items apart, texts that are not empty, many values."""
        words = sum(isinstance(one, str) and bool(one) for one in self.values)
        return not self.differs, -words, -len({*map(str, self.values)})


def _are_plain(values: Sequence[Any]) -> bool:
    """Whether values are short texts and numbers."""
    plain = all(isinstance(one, str | int | float) for one in values)
    return plain and all(len(str(one)) <= LONGEST_ITEM for one in values)


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
