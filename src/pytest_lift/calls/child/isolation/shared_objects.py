"""State that all cases share: attributes of classes, and of objects in modules of the program.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import contextlib
import enum
import threading
from collections import OrderedDict, defaultdict, deque
from collections.abc import Iterable, Iterator
from typing import Any

CONTAINERS = (dict, list, set, OrderedDict, defaultdict, deque)
MOST_CLASSES, MOST_OBJECTS = 300, 200
"""Most classes whose attributes are compared after each case, and most objects."""
AT_ONCE = 40
"""Classes, objects and containers that are compared before each case; more of them more seldom."""
LARGE = 500
"""Items from which on of a container only their number is compared."""


class SharedObjects:
    """Snapshot of attributes after import, put back before another case begins. What the tests of
    the cases leave there is another matter: those that depend on it show it where nothing is put
    back."""

    def __init__(self, spaces: Iterable[dict[str, Any]], modules: Iterable[str]) -> None:
        of_program = frozenset(modules)
        values = {id(value): value for space in spaces for value in space.values()}.values()
        classes = [*_classes((v for v in values if isinstance(v, type)), of_program)]
        known = set(classes)
        objects = [
            value
            for value in values
            if type(value) in known
            and isinstance(getattr(value, "__dict__", None), dict)
            and not isinstance(value, threading.local | enum.Enum)
        ][:MOST_OBJECTS]
        self.classes = [(one, dict(vars(one))) for one in classes[:MOST_CLASSES]]
        self.objects = [(vars(one), dict(vars(one))) for one in objects]
        held = [*(vars(one) for one in classes), *(space for space, _ in self.objects)]
        self.containers: list[tuple[Any, Any]] = [
            (value, value.copy())
            for space in held
            for name, value in space.items()
            if type(value) in CONTAINERS and not _is_of_python(name)
        ]

        compared = len(self.classes) + len(self.objects) + len(self.containers)
        self.every = 1 + compared // AT_ONCE
        """Before how many cases these are compared once: of many, that would take as long as a
        case."""
        self.cases = 0

    def put_back(self) -> None:
        """Puts back what changed since the snapshot; called before each case."""
        self.cases += 1
        if self.cases % self.every:
            return
        for one, before in self.classes:
            if _differ(vars(one), before):
                _restore(one, before)
        for space, before in self.objects:
            if _differ(space, before):
                space.clear()
                space.update(before)
        for value, content in self.containers:
            if len(value) != len(content) or (len(content) < LARGE and _differ(value, content)):
                value.clear()
                value.update(content) if hasattr(value, "update") else value.extend(content)


def _classes(values: Iterable[type], modules: frozenset[str]) -> Iterator[type]:
    """Yields the classes of modules, those inside of classes too; no enumerations."""
    waiting, known = [*values], set[type]()
    while waiting:
        one = waiting.pop()
        if one in known or one.__module__ not in modules or issubclass(one, enum.Enum):
            continue
        known.add(one)
        waiting += [value for value in vars(one).values() if isinstance(value, type)]
        yield one


def _is_of_python(name: str) -> bool:
    """Whether Python itself keeps something by this name."""
    return name.startswith(("__", "_abc_"))


def _differ(one: Any, other: Any) -> bool:
    """Whether two mappings or lists differ; those that cannot be compared do not."""
    with contextlib.suppress(Exception):
        return bool(one != other)
    return False


def _restore(one: type, before: dict[str, Any]) -> None:
    """Gives a class back its attributes, but for those that Python keeps."""
    with contextlib.suppress(Exception):
        for name in [*vars(one)]:
            if name not in before and not _is_of_python(name):
                type.__delattr__(one, name)
        for name, value in before.items():
            if vars(one).get(name, before) is not value and not _is_of_python(name):
                type.__setattr__(one, name, value)
