"""State of the program's modules after import, restored after a case changed it.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import contextlib
import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

CACHE = re.compile(r"cache|memo(_|$)|memoi[sz]ed", re.IGNORECASE)
"""Names of containers that hold results of calls."""
CLEAR = "cache_clear"
"""Method by which what `functools` remembers is forgotten."""
ABSENT = object()


class ModuleState:
    """Snapshot of the program's modules after import, restored after a case changed them."""

    def __init__(self, names: dict[str, Any], case: str) -> None:
        self.case = case
        """Name of the module in which cases run."""
        modules = [sys.modules[n] for n in names if isinstance(sys.modules.get(n), ModuleType)]
        for module in modules:
            module.__dict__.setdefault("__warningregistry__", {})
        self.spaces = [(m.__dict__, dict(m.__dict__)) for m in modules]
        self.kept = [
            (value, value.copy(), bool(CACHE.search(name)) or _is_filled_once(name, space))
            for space, _ in self.spaces
            for name, value in list(space.items())
            if type(value) in (dict, list, set) and not name.startswith("__")
        ]
        own = _thread_locals([space for space, _ in self.spaces], set(names))
        self.own = [(one, one.copy()) for one in own]
        self.kept += [
            (value, value.copy(), bool(CACHE.search(name)))
            for one in own
            for name, value in one.items()
            if type(value) in (dict, list, set)
        ]
        values = {id(value): value for space, _ in self.spaces for value in space.values()}
        made = (value for value in values.values() if not isinstance(value, type))
        known: dict[int, bool] = {}
        caches = (value.cache_clear for value in made if _has_cache(value, known))
        self.caches: list[Callable[[], object]] = [c for c in caches if callable(c)]
        self.left: list[tuple[Any, Any]] = []
        """Tables, and what they held, in which the last case left objects of its own."""
        self.touched = False
        """Whether anything was another one when it was restored last, caches included."""
        self.begun = False
        """Whether something was there then that was None before, and that is not only made where
        it is needed: what is there may be another one each time."""
        self._once: dict[str, bool] = {}

    def put_back_left(self) -> None:
        """Puts back what the last case left in tables: what it gives must not depend on that."""
        for table, content in self.left:
            table.update(content)

    def restore(self, entry: bool = False) -> bool:
        """Restores the modules; returns whether anything had changed by which a later call may do
        something else: no cache, and nothing that is made when it is asked for first, or by a
        command line, which is the `entry` of a process."""
        changed = self.touched = self.begun = False
        self.left.clear()
        for space, before in self.spaces:
            if space != before:
                self.touched = True
                self.begun = self.begun or self._is_begun(space, before)
                changed = changed or _changed(space, before, entry)
                before.update(_made_late(space, before))
                space.clear()
                space.update(before)
        for one, before in self.own:
            if one != before:
                self.touched = True
                changed = changed or not _alike(_filled(one), _filled(before))
                one.clear()
                one.update(before)
        for value, before, caches in self.kept:
            if len(value) != len(before) or value != before:
                self.touched = True
                if not caches and self._only_keeps_new_objects(value, before):
                    caches = True
                    self.left.append((value, value.copy()))
                caches = caches or (entry and not before and _is_of_code(value))
                value.clear()
                value.extend(before) if isinstance(value, list) else value.update(before)
                changed = changed or not caches
        for clear in self.caches:
            with contextlib.suppress(Exception):
                clear()
        return changed

    def _is_begun(self, space: dict[str, Any], before: dict[str, Any]) -> bool:
        """Whether a variable of a module holds something in the place of None that code does not
        make by itself where there is none yet."""
        names = [n for n, value in before.items() if value is None and space.get(n) is not None]
        for name in names:
            if name not in self._once:
                self._once[name] = _is_made_once(name, space)
        return not all(self._once[name] for name in names)

    def _only_keeps_new_objects(self, kept: Any, before: Any) -> bool:
        """Whether a table only has more than `before` by functions and classes that the case itself
        defines: no other call can ask for these."""
        if not isinstance(kept, dict | set):
            return False
        added = (key for key in kept if key not in before)
        if not all(
            isinstance(key, type | FunctionType) and key.__module__ == self.case for key in added
        ):
            return False
        rest: Any = {key for key in kept if key in before}
        if isinstance(kept, dict):
            rest = {key: kept[key] for key in rest}
        return bool(rest == before)


def _has_cache(value: Any, known: dict[int, bool]) -> bool:
    """Whether an object can be told to forget results, by its class, which is `known` by its `id`,
    or by an attribute of its own; asked without executing anything of it. This is asked of all
    variables of all modules, so that `inspect.getattr_static` would take ten times as long."""
    kind = type(value)  # it may have no hash
    if id(kind) not in known:
        known[id(kind)] = any(CLEAR in vars(one) for one in type.mro(kind))
    try:
        return known[id(kind)] or CLEAR in object.__getattribute__(value, "__dict__")
    except Exception:
        return False


def _is_filled_once(name: str, space: dict[str, Any]) -> bool:
    """Whether a container of a module is empty until something needs what is in it: code fills it
    ``if not`` there is anything."""
    if space[name]:
        return False
    with contextlib.suppress(OSError, TypeError, ValueError):
        text = Path(space["__file__"]).read_text("utf-8")
        return re.search(rf"\bif not {re.escape(name)}\b(?!\s*[.\[(])", text) is not None
    return False


def _is_made_once(name: str, space: dict[str, Any]) -> bool:
    """Whether code gives a variable of a module a value ``if`` it is None."""
    asked = rf"\bif (not {re.escape(name)}|{re.escape(name)} is None)\b[^\n]*:"
    within = rf"(\n[ \t]+[^\n]*){{0,3}}?\s{re.escape(name)}\b[^\n=]*=[^=]"
    with contextlib.suppress(OSError, TypeError, ValueError, KeyError):
        return re.search(asked + within, Path(space["__file__"]).read_text("utf-8")) is not None
    return False


def _is_of_code(container: Any) -> bool:
    """Whether a container holds nothing but classes and functions: what a program looks up."""
    values = container.values() if isinstance(container, dict) else container
    return all(isinstance(value, type | FunctionType) for value in values)


def _made_late(space: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Returns the functions and classes that a module has made of its own since then, as one that
    compiles them when they are first called: it would not make them again."""
    own = space.get("__name__")
    late = {name: value for name, value in space.items() if name not in before}
    return {
        name: value
        for name, value in late.items()
        if isinstance(value, type | FunctionType) and value.__module__ == own
    }


def _thread_locals(spaces: list[dict[str, Any]], modules: set[str]) -> list[dict[str, Any]]:
    """Returns what the program keeps for this thread, in variables of its modules, in attributes of
    its classes and in what its functions and properties close over."""
    found: dict[int, dict[str, Any]] = {}
    waiting = [value for space in spaces for value in space.values()]
    known = set[int]()
    while waiting:
        value = waiting.pop()
        if id(value) in known:
            continue
        known.add(id(value))
        if isinstance(value, threading.local):
            found[id(value)] = value.__dict__
        elif isinstance(value, type) and value.__module__ in modules:
            waiting += vars(value).values()
        elif isinstance(value, property):
            waiting += [value.fget, value.fset, value.fdel]
        elif isinstance(value, FunctionType):
            for cell in value.__closure__ or ():
                with contextlib.suppress(ValueError):  # nothing is in it yet
                    waiting.append(cell.cell_contents)
    return [*found.values()]


def _filled(own: dict[str, Any]) -> dict[str, Any]:
    """Returns what is kept for a thread but for containers in which there is nothing: a stack that
    was pushed for the first time, and popped."""
    return {k: v for k, v in own.items() if type(v) not in (dict, list, set) or v}


def _alike(one: Any, other: Any) -> bool:
    """Whether a later call will hardly tell two values apart: they are equal, or objects of one
    class, in equal places."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_alike(v, other[k]) for k, v in one.items())
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    plain = isinstance(one, str | bytes | int | float | set)
    return not plain or bool(one == other)


def _changed(space: dict[str, Any], before: dict[str, Any], entry: bool) -> bool:
    """Whether a namespace changed; modules, classes and functions that were imported or made late
    do not count, nor what was None until something asked for it, by a private name or by a command
    line, the `entry`."""
    added = [value for name, value in space.items() if name not in before]
    if not all(isinstance(value, ModuleType | type | FunctionType) for value in added):
        return True
    changed = (name for name in before if space.get(name, ABSENT) is not before[name])
    return not all(before[n] is None and (n[0] == "_" or entry) and n in space for n in changed)
