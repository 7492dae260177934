"""Notes what functions of the program are passed while a case runs.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from types import CodeType, FrameType
from typing import Any

from ..describing.expressions import Unprintable, source_of
from ..describing.names import UsedNames
from ..describing.objects import from_program, module_of

MOST_CALLS = 24
"""Calls of one function, on objects of one class, of which the arguments are noted."""
MOST_OF_ALL = 240
"""Calls of one function, on whatever objects, that are looked at."""
MOST_TOGETHER = 3
LONGEST = 200
CASE = "<case>"
"""Name of the file of the statements of a case."""
SPECIAL = frozenset({"__init__", "__call__", "__new__"})
"""Methods with two underscores that take arguments of their own."""

Argument = tuple[str, str, str]
"""(parameter, type of the value, source of an equal value or "")."""
Row = tuple[str, str, tuple[Argument, ...]]
"""(module, qualified name, arguments)."""


class ArgumentLog:
    """The calls of functions defined in files of the program, each with its arguments once."""

    def __init__(self, program: frozenset[str], files: frozenset[str]) -> None:
        self.program = program
        self.files = files
        self.rows: list[Row] = []
        self._seen: set[Row] = set()
        self._calls: Counter[CodeType] = Counter()
        self._on: Counter[tuple[CodeType, type]] = Counter()
        places = {sys.prefix, sys.base_prefix, *sys.path}
        self._places = tuple(one for one in places if len(one) > 1 and os.path.isabs(one))
        """Where Python, its libraries and the program are on this machine: elsewhere on others."""

    def profile(self, frame: FrameType, event: str, arg: Any) -> None:
        """Is the function for `sys.setprofile`: nothing that it calls is profiled."""
        code = frame.f_code
        if event != "call" or code.co_filename not in self.files or not self._is_wanted(code):
            return
        if frame.f_back is not None and frame.f_back.f_code.co_filename == CASE:
            return  # what a case passes itself tells nothing
        self._calls[code] += 1
        if code.co_flags & inspect.CO_GENERATOR and self._calls[code] > 1:
            return  # each item is a call, and by then parameters may have other values
        try:
            given = frame.f_locals
            kind = type(given.get(code.co_varnames[0])) if code.co_argcount else object
            self._on[code, kind] += 1
            if self._on[code, kind] > MOST_CALLS:
                return
            names = _parameters(code, given)
            arguments = [self._argument(name, given[name]) for name in names]
            if code.co_flags & inspect.CO_VARARGS:
                name = code.co_varnames[code.co_argcount + code.co_kwonlyargcount]
                together = given.get(name, ())[:MOST_TOGETHER]
                arguments += [self._argument(name, value) for value in together]
            for module, symbol in self._owners(frame, code, kind):
                self._note((module, symbol, tuple(arguments)))
        except Exception:
            return  # a value that cannot be looked at is not noted

    def taken(self) -> list[Row]:
        """Returns the rows since it was called last."""
        rows, self.rows = self.rows, []
        return rows

    def _is_wanted(self, code: CodeType) -> bool:
        special = code.co_name.startswith("__") and code.co_name not in SPECIAL
        if special or code.co_name.startswith("<") or "<locals>" in code.co_qualname:
            return False
        return self._calls[code] < MOST_OF_ALL

    def _owners(self, frame: FrameType, code: CodeType, kind: type) -> Iterator[tuple[str, str]]:
        """Yields (module, qualified name) of a function, and of a method as that of the class of
        its object."""
        yield str(frame.f_globals.get("__name__")), code.co_qualname
        if "." in code.co_qualname and from_program(kind, self.program):
            own = f"{kind.__qualname__}.{code.co_name}"
            if own != code.co_qualname:
                yield module_of(kind), own

    def _note(self, row: Row) -> None:
        known = row in self._seen and all(source for *_, source in row[-1])
        if row[-1] and not known:
            self._seen.add(row)
            self.rows.append(row)

    def _argument(self, name: str, value: Any) -> Argument:
        return name, type(value).__qualname__, self._source(value)

    def _source(self, value: Any) -> str:
        try:
            source = source_of(value, UsedNames(), self.program)
        except (Unprintable, RecursionError):
            return ""
        of_machine = any(place in source for place in self._places)
        return source if len(source) <= LONGEST and not of_machine else ""


def _parameters(code: CodeType, given: Mapping[str, Any]) -> Iterator[str]:
    """Yields the names of the parameters but for the object of a method."""
    method = "." in code.co_qualname
    for at, name in enumerate(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]):
        if name in given and not (method and not at and name in ("self", "cls")):
            yield name
