"""State that all cases share: attributes of classes, and of objects in modules of the program.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import contextlib
import enum
import threading
from collections import OrderedDict, defaultdict, deque
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, islice
from operator import is_not
from typing import Any

CONTAINERS = (dict, list, set, OrderedDict, defaultdict, deque)
MOST_CLASSES, MOST_OBJECTS, MOST_CONTAINERS = 300, 200, 300
"""Most classes whose attributes are compared, most objects of these, and most containers in
them."""
AT_ONCE = 20
"""Classes, objects and containers that are compared before each case; more of them more seldom."""
NOT_SHARED = (threading.local, enum.Enum)
"""Kinds of objects whose attributes are not compared."""
LARGE = 500
"""Items from which on of a container only their number is compared."""


class SharedObjects:
    """Snapshot of attributes after import, put back before another case begins. What the tests of
    the cases leave there is another matter: which others depend on it is seen where nothing is put
    back (`choosing/steady.py`)."""

    def __init__(self, spaces: Iterable[dict[str, Any]], modules: Iterable[str]) -> None:
        of_program = frozenset(modules)
        values = {id(value): value for space in spaces for value in space.values()}.values()
        kinds = _classes((value for value in values if isinstance(value, type)), of_program)
        classes = [*islice(kinds, MOST_CLASSES)]
        known = {id(one) for one in classes}
        made = (one for one in values if id(type(one)) in known and not isinstance(one, NOT_SHARED))
        found = [space for space in map(_space, made) if space is not None][:MOST_OBJECTS]
        self.classes = [_Held(one, dict(vars(one)), vars(one)) for one in classes]
        self.objects = [_Held(space, dict.copy(space), space) for space in found]
        containers = (
            value
            for one in (*self.classes, *self.objects)
            for name, value in one.before.items()
            if any(type(value) is kind for kind in CONTAINERS) and not _is_of_python(name)
        )
        chosen = islice(containers, MOST_CONTAINERS)
        self.containers = [_Held(one, one.copy(), one) for one in chosen]
        self.held = [*self.classes, *self.objects, *self.containers]
        self.every = 1 + len(self.held) // AT_ONCE
        """Before how many cases these are compared once: of many, that would take as long as a
        case."""
        self.cases = 0
        self._note()

    def put_back_in_turn(self) -> None:
        """Puts back what changed, before the case whose turn it is; called before each case."""
        self.cases += 1
        if self.cases % self.every == 0:
            self.put_back()

    def put_back(self) -> bool:
        """Puts back what changed since the snapshot; returns whether anything had."""
        if self._is_as_noted():
            return False
        for held in self.classes:
            if held.changed:
                _restore(held.one, held.before)
        for held in self.objects:
            if held.changed:
                dict.clear(held.one)
                dict.update(held.one, held.before)
        for held in self.containers:
            if held.changed:
                value, content = held.one, held.before
                with contextlib.suppress(Exception):  # a key may be asked whether it equals another
                    value.clear()
                    value.update(content) if hasattr(value, "update") else value.extend(content)
        self._note()  # with what Python keeps there, which is not put back
        return True

    def _note(self) -> None:
        """Notes what all of it holds now."""
        parts = [part for held in self.held for part in held.parts]
        self.compared = [part for part in parts if len(part) < LARGE]
        self.parts, self.sizes = parts, [*map(len, parts)]
        self.noted = [*chain.from_iterable(self.compared)]

    def _is_as_noted(self) -> bool:
        """Whether all of it holds the same objects in the same places as when it was put back last:
        one look at everything takes a tenth of what one at each thing does."""
        if [*map(len, self.parts)] != self.sizes:
            return False
        return not any(map(is_not, chain.from_iterable(self.compared), self.noted))


class _Held:
    """Class, attributes of an object, or a container, with what it held."""

    __slots__ = ("before", "known", "one", "parts")

    def __init__(self, one: Any, before: Any, content: Any) -> None:
        self.one, self.before = one, before
        self.parts = _parts(content)
        self.known = [[*part] for part in self.parts]

    @property
    def changed(self) -> bool:
        """Whether it holds other objects than before: by identity, so that no method of the program
        is called, as an ``==`` would do."""
        for part, known in zip(self.parts, self.known, strict=True):
            size = len(part)
            if size != len(known) or (size < LARGE and any(map(is_not, part, known))):
                return True
        return False


def _classes(values: Iterable[type], modules: frozenset[str]) -> Iterator[type]:
    """Yields the classes of modules, those inside of classes too; no enumerations."""
    waiting, known = [*values], set[int]()
    while waiting:
        one = waiting.pop()
        module = vars(one).get("__module__")
        own = isinstance(module, str) and module in modules
        if id(one) in known or not own or issubclass(one, enum.Enum):
            continue
        known.add(id(one))
        waiting += [value for value in vars(one).values() if isinstance(value, type)]
        yield one


def _space(value: Any) -> dict[Any, Any] | None:
    """Returns the attributes of an object, None where it has none that can be read."""
    with contextlib.suppress(Exception):
        space = object.__getattribute__(value, "__dict__")
        return space if isinstance(space, dict) else None
    return None


def _parts(held: Any) -> tuple[Collection[Any], ...]:
    """Returns what a mapping, a list or a set holds, in order, as it will be at any time; a mapping
    its keys and its values."""
    if isinstance(held, dict):
        kind = OrderedDict if isinstance(held, OrderedDict) else dict
        return kind.keys(held), kind.values(held)
    return (held,) if isinstance(held, list | deque | set) else (held.keys(), held.values())


def _is_of_python(name: Any) -> bool:
    """Whether Python itself keeps something by this name; what is no text is no name of its."""
    return isinstance(name, str) and name.startswith(("__", "_abc_"))


def _restore(one: type, before: dict[str, Any]) -> None:
    """Gives a class back its attributes, but for those that Python keeps."""
    with contextlib.suppress(Exception):
        for name in [*vars(one)]:
            if name not in before and not _is_of_python(name):
                type.__delattr__(one, name)
        for name, value in before.items():
            if vars(one).get(name, before) is not value and not _is_of_python(name):
                type.__setattr__(one, name, value)
