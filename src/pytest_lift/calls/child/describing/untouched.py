"""Sees whether what is called to describe an object changes anything that its code reaches, and
puts that back: the steps after it must not see that.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import contextlib
import dis
import enum
import functools
import re
import sys
import types
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate, islice
from typing import Any

from ..isolation.shared_objects import (
    CONTAINERS,
    LARGE,
    Held,
    is_of_python,
    refill,
    replace_content,
    restore_class,
)
from .objects import from_program, module_of

MOST_THINGS = 2000
"""Most things that are looked at: with more of them, nothing is called."""
FIXED = frozenset(
    {type(None), type(...), type(NotImplemented), bool, int, float, complex, str, bytes, range}
    | {object, types.CodeType, types.GetSetDescriptorType, types.MemberDescriptorType}
    | {types.WrapperDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType}
    | {types.GenericAlias, types.UnionType}
)
"""Types of what nothing changes."""
OF_FIXED = frozenset(
    {"__future__", "abc", "collections.abc", "dataclasses", "datetime", "fractions", "operator"}
    | {"pathlib", "re", "typing", "uuid"}
)
"""Modules of Python's own whose objects nothing changes that a test would see."""
ALSO_FIXED = frozenset(
    {"_collections._tuplegetter", "_thread.RLock", "_thread.lock", "decimal.Decimal"}
    | {"logging.Logger", "logging.RootLogger"}
)
BASES = frozenset({object, str, int, float, bytes, tuple})
"""Classes of Python's own in whose objects there is nothing but attributes that may change."""
WRAPPERS: dict[type, tuple[str, ...]] = {
    property: ("fget", "fset", "fdel"),
    classmethod: ("__func__",),
    staticmethod: ("__func__",),
    functools.cached_property: ("func",),
    functools.partial: ("func", "args", "keywords"),
    type(lru_cache(len)): ("__wrapped__",),
    types.MethodType: ("__func__", "__self__"),
    types.BuiltinFunctionType: ("__self__",),
    type(re.compile("").match): ("__self__",),
}
"""Type of what stands around a function -> the attributes that hold what is in it."""
DYNAMIC = frozenset(
    {"__import__", "__subclasses__", "_getframe", "eval", "exec", "globals", "import_module"}
    | {"modules"}
)
"""Names in code that may change what it does not name."""
IMMUTABLE = 1 << 8
"""Flag of classes that are not written in Python."""
IMPORT = dis.opmap["IMPORT_NAME"]
ABSENT = object()
"""What is in an empty slot."""


class UnknownError(Exception):
    """Raised where code reaches what may change without being seen."""


class _Slots(Mapping[Any, Any]):
    """Attributes that an object has in slots, as they are at any time, by what reads them."""

    def __init__(self, one: Any) -> None:
        self.one = one
        held = (vars(base).values() for base in type(one).__mro__)
        self.slots = [
            slot for part in held for slot in part if type(slot) is types.MemberDescriptorType
        ]

    def __getitem__(self, slot: Any) -> Any:
        try:
            return slot.__get__(self.one)
        except AttributeError:
            return ABSENT

    def __iter__(self) -> Iterator[Any]:
        return iter(self.slots)

    def __len__(self) -> int:
        return len(self.slots)

    def refill(self, before: dict[Any, Any]) -> None:
        """Gives the object back what it held."""
        for slot, value in before.items():
            with contextlib.suppress(AttributeError):  # it was, and is, empty
                slot.__delete__(self.one)
            if value is not ABSENT:
                slot.__set__(self.one, value)


class Untouched:
    """What classes and functions of a program can reach, by the names in their code, and what each
    thing there held; libraries are taken not to change."""

    def __init__(self, roots: Iterable[Any], program: frozenset[str]) -> None:
        self.program = program
        self.held: list[Held] = []
        self.known: dict[int, Any] = {}
        self.is_whole = True
        """Whether all of it is looked at."""
        try:
            self._look(roots)
        except Exception:  # what is looked at may be of any kind
            self.is_whole = False

    def put_back(self) -> bool:
        """Puts back what changed; returns whether anything had."""
        changed = [held for held in self.held if held.changed]
        for held in changed:
            held.put_back()
        return bool(changed)

    def _look(self, roots: Iterable[Any]) -> None:
        waiting = [*roots]
        while waiting:
            one = waiting.pop()
            if id(one) in self.known or _is_fixed(type(one)):  # by identity: it may have no hash
                continue
            self.known[id(one)] = one
            waiting += islice(self._inside(one), MOST_THINGS)
            if len(self.known) + len(waiting) > MOST_THINGS:
                raise UnknownError

    def _inside(self, one: Any) -> Iterator[Any]:
        """Yields what is in a thing, which is noted where it may change."""
        kind = type(one)
        if kind in CONTAINERS:
            held = self._note(one, one, replace_content)
            yield from (value for part in held.known for value in part)
        elif kind in (tuple, frozenset):
            yield from one
        elif kind in WRAPPERS:
            yield from (getattr(one, name) for name in WRAPPERS[kind])
        elif kind is types.FunctionType:
            yield from self._in_function(one)
        elif issubclass(kind, types.ModuleType):
            yield from self._in_module(one)
        elif issubclass(kind, type):
            yield from self._in_class(one)
        else:
            yield from self._in_object(one)

    def _note(self, one: Any, content: Any, restore: Any) -> Held:
        """Notes what a thing holds now."""
        if len(content) >= LARGE:
            raise UnknownError
        before = one.copy() if type(one) in CONTAINERS else dict(content)
        held = Held(one, before, content, restore)
        self.held.append(held)
        return held

    def _note_names(self, space: dict[str, Any]) -> bool:
        """Notes the variables of a module, where it is one of the program."""
        own = str(space.get("__name__")).partition(".")[0] in self.program
        if own and id(space) not in self.known:
            self.known[id(space)] = space
            self._note(space, space, _replace_names)
        return own

    def _in_function(self, one: types.FunctionType) -> Iterator[Any]:
        self._note(one.__dict__, one.__dict__, refill)
        yield from (*one.__dict__.values(), one.__defaults__, one.__kwdefaults__)
        for cell in one.__closure__ or ():
            with contextlib.suppress(ValueError):  # nothing is in it yet
                yield cell.cell_contents
        space = one.__globals__
        if self._note_names(space):
            names = _names(one.__code__)
            yield from (space[name] for name in names if name in space and not _is_dunder(name))
            yield from _imported(names, space) if _imports(one.__code__) else ()

    def _in_module(self, one: types.ModuleType) -> Iterator[Any]:
        space = vars(one)
        if self._note_names(space):
            yield from (value for name, value in space.items() if not _is_dunder(name))

    def _in_class(self, one: Any) -> Iterator[Any]:
        if not from_program(one, self.program):
            return
        space = type.__getattribute__(one, "__dict__")
        enumerated = issubclass(one, enum.Enum)
        if not enumerated:
            self._note(one, space, restore_class)
        for name, value in space.items():
            code = type(value) is types.FunctionType or type(value) in WRAPPERS
            if code or not (enumerated or is_of_python(name)):
                yield value
        yield from (*type.__getattribute__(one, "__mro__"), type(one))

    def _in_object(self, one: Any) -> Iterator[Any]:
        kind = type(one)
        yield kind
        if issubclass(kind, enum.Enum):
            return
        if not all(map(_shows_all, kind.__mro__)):
            raise UnknownError
        if issubclass(kind, tuple):
            yield from tuple.__iter__(one)
        if slots := _Slots(one):
            self._note(slots, slots, _Slots.refill)
            yield from slots.values()
        with contextlib.suppress(AttributeError):  # it has no attributes
            space = object.__getattribute__(one, "__dict__")
            self._note(space, space, refill)
            yield from space.values()


def _is_fixed(kind: type) -> bool:
    module = module_of(kind)
    if issubclass(kind, type):
        return False
    return kind in FIXED or module in OF_FIXED or f"{module}.{kind.__name__}" in ALSO_FIXED


def _is_dunder(name: str) -> bool:
    """Whether a variable of a module is kept by Python, or by what measures the program."""
    return name.startswith("__") and name.endswith("__")


def _shows_all(base: type) -> bool:
    """Whether what an object has by a class of its own is in its attributes: by one that is written
    in Python, and by few others."""
    file = getattr(sys.modules.get(module_of(base)), "__file__", None) or ""
    written = str(file).endswith(".py") and not base.__flags__ & IMMUTABLE
    return written or base in BASES or module_of(base) in OF_FIXED


@lru_cache(maxsize=4096)
def _names(code: types.CodeType) -> frozenset[str]:
    """Returns the names in code, and in the functions in it; raises `UnknownError` where it changes
    variables of the function around it, or what it does not name."""
    names = frozenset(code.co_names).union(*(one.co_names for one in _inner(code)))
    if _rebinds(code) or not DYNAMIC.isdisjoint(names):
        raise UnknownError
    return names


def _inner(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yields the code of the functions in code."""
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            yield one
            yield from _inner(one)


def _rebinds(code: types.CodeType) -> bool:
    """Whether code, or a function in it, changes variables of a function around it."""
    changed = (
        one.argval
        for part in ((code, *_inner(code)) if code.co_freevars else ())
        for one in dis.get_instructions(part)
        if one.opname in ("STORE_DEREF", "DELETE_DEREF")
    )
    return not frozenset(code.co_freevars).isdisjoint(changed)


@lru_cache(maxsize=4096)
def _imports(code: types.CodeType) -> bool:
    """Whether code, or a function in it, imports something."""
    return any(IMPORT in part.co_code[::2] for part in (code, *_inner(code)))


def _imported(names: Iterable[str], space: dict[str, Any]) -> Iterator[types.ModuleType]:
    """Yields the modules that a function may import by the names in it."""
    parts = str(space.get("__package__") or "").split(".")
    places = ["", *(f"{place}." for place in accumulate(parts, "{}.{}".format))]
    found = (sys.modules.get(f"{place}{name}") for name in names for place in places)
    yield from (one for one in found if one is not None)


def _replace_names(space: dict[str, Any], before: dict[str, Any]) -> None:
    """Gives a module its variables back; what it has imported since then stays there."""
    late = {name: one for name, one in space.items() if isinstance(one, types.ModuleType)}
    refill(space, late | before)
