"""Inside mutmut's processes: a trampoline that asks the environment less often than mutmut's.

Every function with mutants is called through one, which asks the environment which mutant is under
test and takes the name apart, at each call. Here the answer is kept for as long as the variable has
the same value; what counts calls, and what makes every function raise, stays mutmut's. Standard
library only, beside mutmut.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import wraps
from types import ModuleType
from typing import Any, TypeVar

NAME = b"MUTANT_UNDER_TEST"
ORIGINAL = "_mutmut_orig"
MODES = ("stats", "fail")
"""Values of the variable that the trampoline itself acts upon."""
Function = Callable[..., Any]
Value = TypeVar("Value")
Wrap = Callable[..., Callable[[Function], Function]]
_MISSING = (AttributeError, KeyError, TypeError)
"""A test has cleared the environment, or put something else in its place."""


def install(mutmuts: ModuleType) -> None:
    """Replaces the trampoline in mutmut's module, once. Does nothing if that module is not the
    expected one."""
    names = ("wrap_in_trampoline", "get_mutant_under_test")
    if all(hasattr(mutmuts, name) for name in names) and not hasattr(mutmuts, "_is_quicker"):
        wrap, ask = (getattr(mutmuts, name) for name in names)
        known = remembering(ask)
        vars(mutmuts).update(
            wrap_in_trampoline=quicker(wrap, known), get_mutant_under_test=known, _is_quicker=True
        )


def remembering(ask: Callable[[], str]) -> Callable[[], str]:
    """Returns `ask` with a cache for each value of the variable."""
    known: dict[bytes, str] = {}

    def mutant_under_test() -> str:
        try:
            return known[os.environ._data[NAME]]  # type: ignore[attr-defined]
        except _MISSING:
            return _kept(known, ask())

    return mutant_under_test


def quicker(wrap: Wrap, ask: Callable[[], str]) -> Wrap:
    """Returns a wrapper that calls the original or the mutant under test, like `wrap`. The
    dictionary of both is complete before the first call."""

    def wrap_in_trampoline(
        mutants: Mapping[str, Function], is_classmethod: bool = False
    ) -> Callable[[Function], Function]:
        def decorate(function: Function) -> Function:
            theirs = wrap(mutants, is_classmethod)(function)
            if is_classmethod or not _is_plain(function):
                return theirs
            chosen: dict[bytes, Function] = {}

            @wraps(function)
            def trampoline(*args: Any, **kwargs: Any) -> Any:
                try:
                    call = chosen[os.environ._data[NAME]]  # type: ignore[attr-defined]
                except _MISSING:
                    call = _kept(chosen, choose(ask()))
                return call(*args, **kwargs)

            def choose(mutant: str) -> Function:
                if mutant in MODES:
                    return theirs
                module, _, name = mutant.rpartition(".")
                here = mutants.get(name) if module == function.__module__ else None
                return mutants[ORIGINAL] if here is None else here

            return trampoline

        return decorate

    return wrap_in_trampoline


def _kept(known: dict[bytes, Value], value: Value) -> Value:
    with suppress(*_MISSING):
        known[os.environ._data[NAME]] = value  # type: ignore[attr-defined]
    return value


def _is_plain(function: Function) -> bool:
    return not (
        inspect.isgeneratorfunction(function)
        or inspect.iscoroutinefunction(function)
        or inspect.isasyncgenfunction(function)
    )
