"""Describes a value by an expression equal to it, or by what it shows of its state.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import contextlib
import itertools
import types
from collections.abc import Iterator, Sequence
from typing import Any

from .arrays import plain
from .expressions import HiddenClassError, expression_of
from .library_values import held_by
from .made_plainly import is_made_so
from .names import Makers, UsedNames
from .objects import LOCAL, attribute_names, from_program, indexes, text_of
from .rounding import has_long_numbers

LONGEST = 1200
FUNCTIONS = ("function", "method", "partial")
"""Types of results that can be called in turn."""
DRAINED = 40
CUT = 5
"""Items that are told of an iterator or a list that is too long to tell all of them."""
LONGEST_LIST = 400
"""Most characters of the text of a list of which all items are told."""
PLAIN = frozenset({bool, int, float, str, bytes, type(None)})
"""Types whose values are told as they are, whatever the program does."""


def drained(value: Any) -> tuple[Any, str]:
    """Returns the items of an iterator, as far as they are read, and how; arrays, frames and
    what the standard library's objects hold as plain values, and by which expression; other values
    as they are."""
    if _is_iterator(value):
        return _drain(value)
    seen, look = plain(value)
    return (seen, look) if look or seen is not value else held_by(value)


def _is_iterator(value: Any) -> bool:
    if not isinstance(value, Iterator):
        return False  # nothing of it is read: what is asked for an attribute may make one
    readable = hasattr(value, "read") or hasattr(value, "write")
    return not readable and iter(value) is value


def _drain(value: Iterator[Any]) -> tuple[list[Any], str]:
    items = list(itertools.islice(value, DRAINED + 1))
    return (items, "list") if len(items) <= DRAINED else (items[:CUT], "islice")


def shortened(value: Any, wrap: str) -> tuple[Any, str]:
    """Returns the first items of a long list of plain values, which is read to its end, too, and by
    which expression; any other value as it is, with how it was read."""
    if wrap not in ("", "list") or type(value) is not list or len(value) <= CUT:
        return value, wrap
    if not all(map(_is_plain, value)) or len(repr(value)) <= LONGEST_LIST:
        return value, wrap
    return value[:CUT], ("list({})" if wrap else "{}") + f"[:{CUT}]"


def is_begun(wrap: str) -> bool:
    """Whether an expression of `drained` or `shortened` reads the first items of more."""
    return wrap == "islice" or wrap.endswith(f"[:{CUT}]")


def _is_plain(value: Any) -> bool:
    parts = value if type(value) in (tuple, list) else ()
    return type(value) in PLAIN or (bool(parts) and all(type(one) in PLAIN for one in parts))


def describe(
    value: Any,
    program: frozenset[str],
    wrap: str = "",
    lines: Sequence[str] = (),
    makers: Makers = Makers.METHODS,
) -> dict[str, Any]:
    """Returns the record of a value, or of the items of an iterator that `wrap` tells of;
    `program` holds the program's top-level import names, `lines` are those that made the value,
    `makers` may be called to look for what makes an equal one."""
    record: dict[str, Any] = {"type": type_name(value), "wrap": wrap}
    names = UsedNames(makers=makers)
    hidden = False
    try:
        record["shown"] = repr(value)[:LONGEST]
    except Exception:
        return record
    try:
        source = expression_of(value, names, program)
        if about := _approximate_attributes(value, source, program, names.apart()):
            return {**record, **about}
        vain = bool(lines) and source != record["shown"] and is_made_so(source, lines)
        if len(source) <= LONGEST and not (vain and _is_own(value, program)):
            record.update(source=source, names=sorted(names))
            return record
    except Exception as error:  # to compare it runs code of the program, which may raise anything
        hidden = isinstance(error, HiddenClassError)
    if _is_own(value, program) and not isinstance(value, type | types.FunctionType):
        with contextlib.suppress(Exception):  # so does reading its attributes
            record["text"] = text_of(value, program)
            if not hidden:
                record["attributes"] = _attributes(value, names, program)
        record["names"] = sorted(names)
    return record


def type_name(value: Any) -> str:
    """Returns the name of a value's class; ``function`` for an object of a private or inner class
    that a decorator puts in the place of a function (`functools.wraps`)."""
    name = type(value).__qualname__.removeprefix(LOCAL)
    private = "<locals>" in name or name.rpartition(".")[2].startswith("_")
    if private and callable(value) and not isinstance(value, type):
        with contextlib.suppress(Exception):
            return "function" if "__wrapped__" in vars(value) else name
    return name


def _is_own(value: Any, program: frozenset[str]) -> bool:
    return any(from_program(kind, program) for kind in type(value).__mro__)


def _approximate_attributes(
    value: Any, source: str, program: frozenset[str], names: UsedNames
) -> dict[str, Any]:
    """Returns what is told of an object of the program that equals the expression up to the last
    digit of numbers: its attributes, where one of them is told approximately."""
    if not _is_own(value, program) or not has_long_numbers(source):
        return {}
    attributes = _attributes(value, names, program)
    if not any("approx(" in told for _, told in attributes):
        return {}
    return {"attributes": attributes, "names": sorted(names)}


def _attributes(value: Any, names: UsedNames, program: frozenset[str]) -> list[tuple[str, str]]:
    found, every = [], attribute_names(value)
    tables = indexes(value, every)
    for name in every:
        if name.startswith("_") or name in tables:
            continue
        used = names.apart()
        try:
            seen, look = plain(getattr(value, name))
            source = expression_of(seen, used, program)
        except Exception:
            continue
        if len(source) <= 200 and (not look or look.startswith("{}")):
            found.append((look.replace("{}", name) or name, source))
            names |= used
    return found
