"""Replaces mutmut's trampoline: activates one mutant and records the lines that a case reaches.

Loaded by path in the child process, so it imports nothing of this package. A program that mutmut
has rewritten imports `wrap_in_trampoline` from mutmut; here it gets this function, which reads no
environment variable at each call and does not need mutmut beside the program.
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
    """Active mutant, and the lines that were reached while tracing."""

    def __init__(self) -> None:
        self.module = self.name = ""
        self.lines: dict[str, set[int]] = {}
        """`Mutant.function` -> lines reached, with minus its first line as a marker."""

    def install(self) -> None:
        """Registers itself as the module that the rewritten program imports."""
        parts = MODULE.split(".")
        for end in range(1, len(parts) + 1):
            sys.modules[".".join(parts[:end])] = ModuleType(".".join(parts[:end]))
        vars(sys.modules[MODULE]).update(wrap_in_trampoline=self.wrap, MutantDict=dict)

    def switch(self, key: str) -> None:
        """Activates the mutant with this key in place of its function; none for an empty key."""
        self.module, _, self.name = key.rpartition(".")

    def wrap(self, mutants: dict[str, Any], is_classmethod: bool = False) -> Any:
        """Returns the decorator of one function; `mutants` is filled later."""

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
        """Records the lines of original functions that are reached inside the block."""
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
            # An inner function made by an unobserved call, so no mutant of it can be active.
            seen = self.lines.get(function, set())

        def follow(frame: FrameType, event: str, arg: Any) -> Trace:
            if event == "line":
                seen.add(frame.f_lineno)
            return follow

        return follow

    def reached(self) -> dict[str, frozenset[int]]:
        """Returns `Mutant.function` -> reached lines, counted from its first line as 0."""
        found = {}
        for function, lines in self.lines.items():
            first = -min(lines)
            found[function] = frozenset(line - first for line in lines if line > 0)
        return found


def _of_its_kind(function: Any, call: Callable[..., Any]) -> Callable[..., Any]:
    """Returns `call` as a generator or coroutine function if `function` is one."""
    if inspect.isgeneratorfunction(function):

        def generate(*args: Any, **kwargs: Any) -> Any:
            return (yield from call(*args, **kwargs))

        return generate
    if inspect.iscoroutinefunction(function):

        async def wait(*args: Any, **kwargs: Any) -> Any:
            return await call(*args, **kwargs)

        return wait
    return call
