"""Finds by which names a program waits and tells the time, and which of its functions wait."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import SLEEPS, TELLS, WAITS, Awake
from pytest_lift.source.syntax import leaf

OF_LIBRARIES = {
    "time.sleep": SLEEPS,
    "asyncio.sleep": WAITS,
    "time.monotonic": TELLS,
    "time.perf_counter": TELLS,
    "time.time": TELLS,
}
"""Functions of Python's own -> what they do."""
USED = {
    "time.sleep": r"\btime\.sleep\(|^[ \t]+from time import .*\bsleep\b",
    "asyncio.sleep": r"\basyncio\.sleep\(|^[ \t]+from asyncio import .*\bsleep\b",
    "time.monotonic": r"\btime\.monotonic\b|\bloop(\(\))?\.time\(\)",
    "time.perf_counter": r"\btime\.perf_counter\b",
    "time.time": r"\btime\.time\b",
}
"""Function of Python's own -> how a program uses what its module has at that moment."""
PATTERNS = {name: re.compile(pattern, re.MULTILINE) for name, pattern in USED.items()}
DEEPEST = 2
"""Most calls between a function and one that waits, for it to be told as waiting."""
ENTERS = ("__enter__", "__aenter__")


class Pauses:
    """How a program waits."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self._own: dict[str, Awake] = {}
        """File -> its own names."""

    @cached_property
    def names(self) -> Awake:
        """The names by which the program waits and tells the time, which a test can replace."""
        files = self.inputs.program.files
        return tuple(dict.fromkeys(name for path in files for name in self._of(path)))

    @property
    def any(self) -> bool:
        """Whether the program waits anywhere."""
        return any(kind != TELLS for _, kind in self.names)

    def names_for(self, call: Call) -> Awake:
        """Returns the names that concern what a call enters: those of its own file, if any, else
        all of them."""
        path = call.target.path
        if path not in self._own:
            self._own[path] = tuple(self._of(path))
        own = self._own[path]
        return own if any(kind != TELLS for _, kind in own) else self.names

    def _of(self, path: str) -> Iterator[tuple[str, str]]:
        """Yields the names by which a file has functions that wait and tell the time."""
        file = self.inputs.program.files[path]
        for name, kind in OF_LIBRARIES.items():
            if PATTERNS[name].search(file.text):
                yield name, kind
            if file.importable and name.rpartition(".")[2] in file.text:
                for one in file.namespace_imports:
                    if one.origin == name and one.module:
                        yield f"{file.module}.{one.bound}", kind

    @cached_property
    def sleepers(self) -> frozenset[str]:
        """Names of the functions that wait themselves."""
        return self._callers(
            {name.rpartition(".")[2] for name, kind in self.names if kind != TELLS}
        )

    @cached_property
    def waiting(self) -> frozenset[str]:
        """Names of the functions that wait, or call by name one that does."""
        found = self.sleepers
        for _ in range(DEEPEST if found else 0):
            found |= self._callers(found)
        return found

    def is_of(self, call: Call) -> bool:
        """Whether a call, or one before it, is known to wait by its source."""
        if not self.waiting:
            return False
        entering = ENTERS if call.entered or call.target.manages else ()
        names = (*entering, *(part.target.leaf for part in call.chain))
        return not self.waiting.isdisjoint(names)

    def _callers(self, called: frozenset[str] | set[str]) -> frozenset[str]:
        """Returns the names of the functions that call one of some names."""
        functions = self.inputs.inference.functions.items() if called else ()
        return frozenset(
            symbol.rpartition(".")[2]
            for (_, symbol), node in functions
            if any(leaf(one.func) in called for one in ast.walk(node) if isinstance(one, ast.Call))
        )
