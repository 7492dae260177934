"""Calls of a test: by which functions it enters the program, and what else it reaches.

Inside a run: only the standard library is used.
"""

from __future__ import annotations

import inspect
import sys
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any, Literal

Returned = Literal["none", "bool", "value"]
MOST = 200
"""Facts of one kind that are kept of a test."""
MOST_EVENTS = 500_000
"""Limit after which a test is no longer watched, because watching takes several times as long."""
_RUNNERS = frozenset({"click.testing", "typer.testing"})
_CONTEXTS = frozenset({"contextlib", "_pytest.fixtures"})
_PROCESSES = frozenset({"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork"})


@dataclass
class ProgramCall:
    """A function that is called while nothing of the program runs."""

    code: CodeType
    module: str
    returned: Returned = "none"
    managed: bool = False
    """A generator that is used in a `with`."""


@dataclass
class TestActivity:
    """Calls, entries and further effects of one test."""

    entries: dict[int, ProgramCall] = field(default_factory=dict)
    """id of the code object -> entry."""
    modules: dict[str, None] = field(default_factory=dict)
    """Modules of which a function ran."""
    imported: dict[str, None] = field(default_factory=dict)
    """Modules whose top level ran."""
    processes: list[str] = field(default_factory=list)
    sockets: list[str] = field(default_factory=list)
    mains: dict[str, None] = field(default_factory=dict)
    events: int = 0
    """Number of calls and returns so far, of any code."""
    disturbed: bool = False
    """Whether another profiler replaced this one."""

    @property
    def cut_short(self) -> bool:
        return self.events > MOST_EVENTS


class Watch:
    """Notes what happens between `on` and its end."""

    def __init__(
        self, modules: Collection[str], files: Mapping[str, str], mains: Collection[str]
    ) -> None:
        self._modules = frozenset(modules)
        self._files = files
        """Absolute path -> module, for what runs as ``__main__``."""
        self._mains = frozenset(mains)
        self._seen: TestActivity | None = None
        self._threads = threading.local()
        sys.addaudithook(self._audit)

    @contextmanager
    def on(self) -> Iterator[TestActivity]:
        seen = self._seen = TestActivity()
        self._threads = threading.local()
        profile = self._profile
        threading.setprofile(profile)
        sys.setprofile(profile)
        try:
            yield seen
        finally:
            seen.disturbed = sys.getprofile() is not profile and not seen.cut_short
            sys.setprofile(None)
            threading.setprofile(None)
            self._seen = None

    def _profile(self, frame: FrameType, event: str, arg: Any) -> None:
        seen = self._seen
        if seen is None or seen.cut_short:
            sys.setprofile(None)
            return
        seen.events += 1
        if event == "call":
            name = frame.f_globals.get("__name__")
            if type(name) is not str:
                return
            if name in self._modules or name == "__main__":
                self._called(frame, name, seen)
            elif name in _RUNNERS and frame.f_code.co_name == "invoke":
                seen.mains["invokes a command with CliRunner"] = None
        elif event == "return" and getattr(self._threads, "outer", None) is frame:
            self._threads.outer = None
            _return(seen.entries.get(id(frame.f_code)), arg)

    def _called(self, frame: FrameType, name: str, seen: TestActivity) -> None:
        code = frame.f_code
        if name == "__main__":
            if code.co_filename not in self._files:
                return
            name = self._files[code.co_filename]
            seen.mains[f"runs {name} as __main__"] = None
        outer = getattr(self._threads, "outer", None) is None
        if outer:
            self._threads.outer = frame
        if code.co_name == "<module>":
            seen.imported[name] = None
            return
        seen.modules[name] = None
        if outer and (code.co_qualname == "main" or f"{name}:{code.co_name}" in self._mains):
            seen.mains[f"calls {name}:{code.co_name}"] = None
        if not outer or code.co_name == "__del__" or len(seen.entries) >= MOST:
            return
        entry = seen.entries.setdefault(id(code), ProgramCall(code, name))
        back = frame.f_back
        if code.co_flags & inspect.CO_GENERATOR and back is not None:
            entry.managed |= back.f_globals.get("__name__") in _CONTEXTS

    def _audit(self, event: str, args: tuple[Any, ...]) -> None:
        seen = self._seen
        if seen is None:
            return
        if event in _PROCESSES and len(seen.processes) < MOST:
            seen.processes.append(_command(event, args))
        elif event == "socket.connect" and len(seen.sockets) < MOST:
            seen.sockets.append(_address(args))


def _return(entry: ProgramCall | None, value: object) -> None:
    if entry is not None and value is not None and entry.returned != "value":
        entry.returned = "bool" if type(value) is bool else "value"


def _command(event: str, args: tuple[Any, ...]) -> str:
    """Returns the started command as one text with NUL between its words."""
    words = args[1] if event == "subprocess.Popen" and len(args) > 1 else args[:1]
    if event in ("os.exec", "os.posix_spawn") and len(args) > 1:
        words = args[1]
    if isinstance(words, str | bytes):
        words = [words]
    try:
        return "\0".join(w.decode("utf-8", "replace") if isinstance(w, bytes) else str(w)
                         for w in words or ())[:2000]  # fmt: skip
    except Exception:  # what a test hands over
        return ""


def _address(args: tuple[Any, ...]) -> str:
    where = args[1] if len(args) > 1 else ""
    return str(where)[:200] if isinstance(where, tuple | str | bytes) else ""
