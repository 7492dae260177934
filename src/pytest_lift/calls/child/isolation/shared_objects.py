"""State that all cases share: attributes of classes, and of objects in modules of the program.

Loaded in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import contextlib
import enum
import threading
from bisect import bisect_right
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import accumulate, chain, compress, count, islice
from operator import is_not, ne
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
ONE_BY_ONE = 3
"""Things that a case changed which are put back without a look at each thing: most cases that
change anything change one."""


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
        held = [Held(one, dict(vars(one)), vars(one), restore_class) for one in classes]
        held += [Held(space, dict.copy(space), space, refill) for space in found]
        containers = (
            value
            for one in held
            for name, value in one.before.items()
            if any(type(value) is kind for kind in CONTAINERS) and not is_of_python(name)
        )
        chosen = islice(containers, MOST_CONTAINERS)
        self.containers = [Held(one, one.copy(), one, replace_content) for one in chosen]
        self.held = [*held, *self.containers]
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
        changed = None
        for _ in range(ONE_BY_ONE):
            before, changed = changed, self._first_changed()
            if changed is None:
                return before is not None
            if changed is before:
                break  # Python keeps something there
            changed.put_back()
        for held in self.held:
            if held.changed:
                held.put_back()
        self._note()  # with what Python keeps there, which is not put back
        return True

    def _note(self) -> None:
        """Notes what all of it holds now."""
        self.owners = [held for held in self.held for _ in held.parts]
        self.parts = [part for held in self.held for part in held.parts]
        self.sizes = [*map(len, self.parts)]
        self.numbers = [at for at, size in enumerate(self.sizes) if size < LARGE]
        self.compared = [self.parts[at] for at in self.numbers]
        self.starts = [*accumulate(map(len, self.compared), initial=0)]
        self.noted = [*chain.from_iterable(self.compared)]

    def _first_changed(self) -> Held | None:
        """Returns the first thing that does not hold the same objects in the same places as when it
        was noted; None where all do. One look at everything takes a tenth of what one at each thing
        does."""
        sizes = [*map(len, self.parts)]
        if sizes != self.sizes:
            return next(compress(self.owners, map(ne, sizes, self.sizes)))
        others = map(is_not, chain.from_iterable(self.compared), self.noted)
        at = next(compress(count(), others), None)
        return None if at is None else self.owners[self.numbers[bisect_right(self.starts, at) - 1]]


class Held:
    """Class, attributes of an object, or a container, with what it held."""

    __slots__ = ("before", "known", "one", "parts", "restore")

    def __init__(
        self, one: Any, before: Any, content: Any, restore: Callable[[Any, Any], None]
    ) -> None:
        self.one, self.before, self.restore = one, before, restore
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

    def put_back(self) -> None:
        """Gives it back what it held."""
        self.restore(self.one, self.before)


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


def is_of_python(name: Any) -> bool:
    """Whether Python itself keeps something by this name; what is no text is no name of its."""
    return isinstance(name, str) and name.startswith(("__", "_abc_"))


def restore_class(one: type, before: dict[str, Any]) -> None:
    """Gives a class back its attributes, but for those that Python keeps."""
    with contextlib.suppress(Exception):
        for name in [*vars(one)]:
            if name not in before and not is_of_python(name):
                type.__delattr__(one, name)
        for name, value in before.items():
            if vars(one).get(name, before) is not value and not is_of_python(name):
                type.__setattr__(one, name, value)


def refill(space: dict[Any, Any], before: dict[Any, Any]) -> None:
    """Gives an object back its attributes."""
    dict.clear(space)
    dict.update(space, before)


def replace_content(container: Any, before: Any) -> None:
    """Gives a container back its items."""
    with contextlib.suppress(Exception):  # a key may be asked whether it equals another
        container.clear()
        container.update(before) if hasattr(container, "update") else container.extend(before)
