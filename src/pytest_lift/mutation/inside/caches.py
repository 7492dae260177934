"""Inside a mutant's process: forget what the program has cached while nothing was mutated.

A mutant is forked from a process in which the suite has run, so that an ``lru_cache`` would answer
for the mutated function. Standard library only.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from types import ModuleType


def forget_cached(sources: Collection[str]) -> None:
    """Empties the caches of functions and methods in the modules of these files, relative to the
    working directory."""
    for module in mutated_modules(sources).values():
        for clear in _clearing(vars(module)):
            with suppress(Exception):  # it is the program's
                clear()


def mutated_modules(sources: Collection[str]) -> dict[str, ModuleType]:
    """Returns name -> module, of those that are imported from these files, relative to the working
    directory."""
    return {name: one for name, one in list(sys.modules.items()) if _place(one) in sources}


def _place(module: ModuleType) -> str:
    file = getattr(module, "__file__", None)
    return os.path.relpath(file) if isinstance(file, str) else ""


def _clearing(names: dict[str, object], *, inner: bool = True) -> Iterator[Callable[[], object]]:
    for value in list(names.values()):
        value = getattr(value, "__func__", value)  # a static or class method
        if isinstance(value, type):
            if inner:
                yield from _clearing(dict(vars(value)), inner=False)
        elif callable(clear := getattr(value, "cache_clear", None)):
            yield clear
