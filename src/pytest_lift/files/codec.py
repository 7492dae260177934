"""Dataclasses <-> plain JSON values, by the types of the fields: how values are stored.

A dataclass is an object, a named tuple a list, a set a sorted list, an enum its value, a path or
bytes a string. Keys that no field has are ignored, fields without a key have their defaults.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache, partial
from itertools import repeat
from pathlib import Path, PurePath
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from pytest_lift.files import untrusted

T = TypeVar("T")
Decoder = Callable[[Any], Any]
_KEY = "key"
_SCALARS = (str, int, float, bool, NoneType)
_COLLECTIONS = (tuple, list, set, frozenset)
_SURROGATES = "surrogateescape"
"""How bytes that are no UTF-8 stand in a string."""


class DecodeError(ValueError):
    """A stored value that does not fit its type; the message names its place: ``a.b[3].c``."""

    def __init__(self, why: str, place: str = "") -> None:
        super().__init__(f"{place.removeprefix('.') or 'it'} {why}")
        self._why, self._place = why, place

    def inside(self, step: str) -> DecodeError:
        """Returns the error with its place as seen from the value around it."""
        return DecodeError(self._why, step + self._place)


def stored_as(key: str | None) -> Mapping[str, str | None]:
    """Returns the metadata of a field with another key than its name; None: stored elsewhere."""
    return {_KEY: key}


def loads(text: str | bytes) -> Any:
    """Parses JSON. Raises ValueError also for NaN and for what is nested too deeply."""
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def read(path: Path, kind: type[T], limit: int = untrusted.LARGEST) -> T:
    """Returns the `kind` in a JSON file, which may be anybody's. Raises OSError, ValueError."""
    return decode(kind, loads(untrusted.read(path, limit)))


def encode(value: Any) -> Any:
    """Returns `value` as plain mappings, lists and scalars. Raises TypeError."""
    kind = value.__class__
    if kind in _SCALARS:
        return value
    if is_dataclass(kind):
        return {key: encode(getattr(value, name)) for name, key in _keys(value.__class__)}
    if isinstance(value, Mapping):
        return {encode(key): encode(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [encode(item) for item in value]
    if isinstance(value, Set):
        return sorted(map(encode, value), key=str)
    if isinstance(value, Enum):
        return encode(value.value)
    if isinstance(value, PurePath):
        return str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", _SURROGATES)
    if isinstance(value, _SCALARS):
        return value
    raise TypeError(f"{kind.__name__} cannot be stored")


def decode(kind: type[T], data: Any, /, **elsewhere: Any) -> T:
    """Returns the `kind` that `encode` wrote as `data`; `elsewhere` are values of fields, which
    are not looked for in `data`. Raises DecodeError."""
    of: Any = kind
    found: T = _decode_fields(of, data, **elsewhere) if elsewhere else _decoder(of)(data)
    return found


def decode_each(kind: type[T], rows: object) -> tuple[T, ...]:
    """Returns those of `rows` that fit; what is no list has none."""
    found = []
    for row in rows if isinstance(rows, list) else ():
        with suppress(DecodeError):
            found.append(decode(kind, row))
    return tuple(found)


@cache
def type_hints(kind: Any) -> Mapping[str, Any]:
    """Returns name -> type of the fields of a class, with what annotates them."""
    return get_type_hints(kind, include_extras=True)


@cache
def _keys(kind: Any) -> tuple[tuple[str, str], ...]:
    found = ((one.name, one.metadata.get(_KEY, one.name)) for one in fields(kind) if one.init)
    return tuple((name, key) for name, key in found if key is not None)


def _refuse_constant(text: str) -> float:
    raise ValueError(f"{text} is no number")


@cache
def _decoder(kind: Any) -> Decoder:
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any:
        return lambda value: value
    if origin is Annotated:
        return _decoder(inner[0])
    if origin is Literal:
        return partial(_decode_literal, inner)
    if origin in (Union, UnionType):
        none_first = sorted(inner, key=lambda one: one is not NoneType)
        return partial(_decode_union, [_decoder(one) for one in none_first])
    if origin is tuple and inner[-1] is not Ellipsis:
        return partial(_decode_items, tuple, [_decoder(one) for one in inner])
    if origin in _COLLECTIONS:
        return partial(_decode_items, origin, repeat(_decoder(inner[0])))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return partial(_decode_mapping, *map(_decoder, inner))
    if is_dataclass(kind):
        return partial(_decode_fields, kind)  # its fields later: a type may contain itself
    if issubclass(kind, tuple):
        return partial(_decode_items, kind._make, [*map(_decoder, type_hints(kind).values())])
    if kind in _SCALARS:
        return partial(_decode_scalar, (int, float) if kind is float else (kind,))
    if issubclass(kind, bytes):
        return partial(_decode_by, partial(str.encode, encoding="utf-8", errors=_SURROGATES))
    return partial(_decode_by, kind)


def _decode_scalar(kinds: Sequence[type], value: Any) -> Any:
    """A number is one that fits a float: NaN, infinities and larger integers fit nothing."""
    if type(value) not in kinds or (
        isinstance(value, int | float) and not abs(value) <= sys.float_info.max
    ):
        raise _misfit(value)
    return value


def _decode_literal(known: Sequence[Any], value: Any) -> Any:
    if value not in known:
        raise _misfit(value)
    return value


def _decode_by(make: Callable[[str], Any], value: Any) -> Any:
    try:
        return make(value)
    except (TypeError, ValueError) as error:
        raise _misfit(value) from error


def _decode_union(decoders: Sequence[Decoder], value: Any) -> Any:
    """The error is that of the last type."""
    told = _misfit(value)
    for one in decoders:
        try:
            return one(value)
        except DecodeError as error:
            told = error
    raise told


def _decode_items(make: Callable[[list[Any]], Any], decoders: Iterable[Decoder], value: Any) -> Any:
    """`decoders` are a list of one for each item, or one again and again."""
    if not isinstance(value, list):
        raise DecodeError("is no list")
    if isinstance(decoders, list) and len(value) != len(decoders):
        raise DecodeError(f"has {len(value)} parts, not {len(decoders)}")
    found: list[Any] = []
    try:
        for item, one in zip(value, decoders, strict=False):
            found.append(one(item))
    except DecodeError as error:
        raise error.inside(f"[{len(found)}]") from None
    return make(found)


def _decode_mapping(key: Decoder, one: Decoder, value: Any) -> dict[Any, Any]:
    if not isinstance(value, Mapping):
        raise DecodeError("is no object")
    found = {}
    for name, item in value.items():
        try:
            found[key(name)] = one(item)
        except DecodeError as error:
            raise error.inside(f"[{name!r}]") from None
    return found


def _decode_fields(kind: Any, value: Any, /, **known: Any) -> Any:
    if not isinstance(value, Mapping):
        raise DecodeError("is no object")
    for name, key, required, one in _field_decoders(kind):
        if name in known:
            continue
        if key in value:
            try:
                known[name] = one(value[key])
            except DecodeError as error:
                raise error.inside(f".{key}") from None
        elif required:
            raise DecodeError(f"lacks a key: {key!r}")
    return kind(**known)


@cache
def _field_decoders(kind: Any) -> list[tuple[str, str, bool, Decoder]]:
    """(name, key, whether it has no default, decoder) of each stored field."""
    hints, known = type_hints(kind), {one.name: one for one in fields(kind)}
    return [
        (name, key, is_required(known[name]), _decoder(hints[name])) for name, key in _keys(kind)
    ]


def is_required(one: Field[Any]) -> bool:
    """Whether a field has no default, so that its key has to be there."""
    return one.default is MISSING and one.default_factory is MISSING


def _misfit(value: object) -> DecodeError:
    return DecodeError(f"cannot be {value!r:.60}")
