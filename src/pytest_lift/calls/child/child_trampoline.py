"""Stands in for mutmut's trampoline: switches one mutant on, and sees which lines a case reaches.

Loaded by path in the child process, so it imports nothing of this package. A program that mutmut
has rewritten imports `wrap_in_trampoline` from mutmut; here it gets this one, which asks no
environment variable at each call and needs no mutmut beside the program.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from types import FrameType, ModuleType
from typing import Any

ORIGINAL = "__mutmut_orig"
MODULE = "mutmut.mutation.trampoline"
Trace = Callable[[FrameType, str, Any], Any]


class Trampoline:
    """Which mutant is switched on, and what was reached while lines were traced."""

    def __init__(self) -> None:
        self.module = self.name = ""
        self.lines: dict[str, set[int]] = {}
        """`Mutant.function` -> lines reached, the first of the function being 0."""

    def install(self) -> None:
        """Be what the rewritten program imports."""
        parts = MODULE.split(".")
        for end in range(1, len(parts) + 1):
            sys.modules[".".join(parts[:end])] = ModuleType(".".join(parts[:end]))
        vars(sys.modules[MODULE]).update(wrap_in_trampoline=self.wrap, MutantDict=dict)

    def switch(self, key: str) -> None:
        """Put the mutant named `key` in place of its function; none for an empty key."""
        self.module, _, self.name = key.rpartition(".")

    def wrap(self, mutants: dict[str, Any], is_classmethod: bool = False) -> Any:
        """The decorator of one function, `mutants` being filled later."""

        def decorate(function: Any) -> Any:
            home = function.__module__

            def call(*args: Any, **kwargs: Any) -> Any:
                chosen = mutants["_mutmut_orig"]
                if self.module == home:
                    chosen = mutants.get(self.name, chosen)
                if is_classmethod:
                    return getattr(args[0], chosen.__name__)(*args[1:], **kwargs)
                return chosen(*args, **kwargs)

            return wraps(function)(_of_its_kind(function, call))

        return decorate

    @contextmanager
    def tracing(self) -> Iterator[None]:
        """Note the lines of original functions that are reached meanwhile."""
        self.lines = {}
        sys.settrace(self._enter)
        try:
            yield
        finally:
            sys.settrace(None)

    def _enter(self, frame: FrameType, event: str, arg: Any) -> Trace | None:
        head, found, rest = frame.f_code.co_qualname.partition(ORIGINAL)
        if not found:
            return None
        function = f"{frame.f_globals.get('__name__')}.{head.rpartition('.')[2]}"
        if not rest:
            first = frame.f_code.co_firstlineno
            seen = self.lines.setdefault(function, {-first})
        else:
            # Made by a call that was not seen, so no mutant of it can be switched on.
            seen = self.lines.get(function, set())

        def follow(frame: FrameType, event: str, arg: Any) -> Trace:
            if event == "line":
                seen.add(frame.f_lineno)
            return follow

        return follow

    def reached(self) -> dict[str, frozenset[int]]:
        """`Mutant.function` -> its lines that were reached, 0 being where it begins."""
        found = {}
        for function, lines in self.lines.items():
            first = -min(lines)
            found[function] = frozenset(line - first for line in lines if line > 0)
        return found


def _of_its_kind(function: Any, call: Callable[..., Any]) -> Callable[..., Any]:
    """A generator function stays one, a coroutine function too."""
    if inspect.isgeneratorfunction(function):

        def generate(*args: Any, **kwargs: Any) -> Any:
            return (yield from call(*args, **kwargs))

        return generate
    if inspect.iscoroutinefunction(function):

        async def wait(*args: Any, **kwargs: Any) -> Any:
            return await call(*args, **kwargs)

        return wait
    return call
