"""Surroundings of one case: standard streams, command line and working directory.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from sys import getrefcount
from typing import Any

from .connections import CONNECTS, Connections

GONE = "\0"
"""Text that stands for a file which is not there any more."""
THERE = "\1"
"""Text that stands for what nobody reads of a file: it is there."""
PRINTED = 2000
"""Most characters of a written file that are told."""
SLEPT = "slept"
"""Variable for the seconds for which a case would have slept."""
MOST_WAITS = 6
"""Most waits that are told one by one."""
MOST_WRITTEN = 40
"""Most entries of the folder of a case that are looked at."""


class Stream(io.StringIO):
    """Standard input that can still be read after the program closed it, with the encoding that
    pytest's own has."""

    encoding = "utf-8"

    def close(self) -> None:
        pass


class BytesStream(io.TextIOWrapper):
    """Standard input from which bytes can be read, too, that can still be read after the program
    closed it."""

    def __init__(self, text: str) -> None:
        super().__init__(io.BytesIO(text.encode()), encoding="utf-8")

    def close(self) -> None:
        pass


class Output(io.TextIOWrapper):
    """Standard stream for texts and bytes, as those of pytest are; it is noted that the program
    closed it."""

    shut = False

    def __init__(self) -> None:
        self.written = _Bytes()
        super().__init__(self.written, encoding="utf-8", newline="", write_through=True)

    def close(self) -> None:
        self.shut = True

    def reconfigure(self, **how: Any) -> None:
        self.changed = True
        super().reconfigure(**how)

    def detach(self) -> Any:
        self.changed = True
        return super().detach()

    @property
    def is_unused(self) -> bool:
        """Whether nothing was written to it, and nothing of it was changed."""
        return len(self.__dict__) == 1 and not self.written.getvalue()

    def getvalue(self) -> str:
        """Returns what was written, as far as it is text."""
        return self.written.getvalue().decode("utf-8", "replace")

    @property
    def is_text(self) -> bool:
        """Whether a test can read what was written."""
        try:
            self.written.getvalue().decode("utf-8")
        except UnicodeDecodeError:
            return False
        return True


class Outputs:
    """The two standard streams of a case; those of the one before where nobody used or kept them,
    for it takes a tenth of the time of most cases to make new ones."""

    def __init__(self) -> None:
        self._last: list[Output] = []

    def of_next(self) -> tuple[Output, Output]:
        """Returns the streams of the next case."""
        held = self._last
        kept = held and (getrefcount(held[0]) > 2 or getrefcount(held[1]) > 2)
        if kept or not held or not (held[0].is_unused and held[1].is_unused):
            self._last = [Output(), Output()]
        return self._last[0], self._last[1]


class _Bytes(io.BytesIO):
    """What was written to a stream; closing it, as the end of a life does, closes nothing."""

    def close(self) -> None:
        pass


class NoInput(Stream):
    """Standard input of a case that has none: pytest lets no test read from the real one."""

    why = ""
    """What a program that handles the error did in vain."""

    def read(self, size: int | None = -1) -> str:
        error = OSError("a case without input reads standard input")
        self.why = f"OSError: {error}"
        raise error

    readline = readlines = __next__ = __iter__ = read  # type: ignore[assignment]

    @property
    def buffer(self) -> io.BytesIO:
        """Bytes of which none can be read either: to have them is no reading, as in pytest."""
        return NoBytes(self)


class NoBytes(io.BytesIO):
    """Bytes of a standard input that there is not."""

    def __init__(self, text: NoInput) -> None:
        super().__init__()
        self.text = text

    def read(self, size: int | None = -1) -> bytes:
        return self.text.read(size).encode()

    read1 = readline = readlines = readinto = __next__ = read  # type: ignore[assignment]


class NoArguments(list[str]):
    """Command line of a case that has none: what a test would read is that of pytest."""

    def __init__(self, name: list[str], stopped: type[BaseException]) -> None:
        super().__init__(name)
        self.stopped = stopped

    def __getitem__(self, index: Any) -> Any:
        if index == 0:
            return super().__getitem__(0)
        raise self.stopped("argv")

    def __iter__(self) -> Iterator[str]:
        raise self.stopped("argv")

    def __len__(self) -> int:
        raise self.stopped("argv")


class Wakefulness:
    """What takes the place of functions that sleep, wait and tell the time where nothing is waited
    for: the seconds are noted in the variable that the case has for them, if any, and their sum is
    the time that has passed."""

    def __init__(self, awake: Sequence[tuple[str, str]], space: dict[str, Any]) -> None:
        self._space = space
        self._own: list[Any] = []
        self._before: list[tuple[Any, str, Any]] = []
        self._wait: Any = getattr(sys.modules.get("asyncio"), "sleep", None)
        by = {"sleeps": self._sleep, "waits": self._pass_time, "tells": self._passed}
        for name, kind in awake:
            if kind not in by:
                continue
            path, _, leaf = name.rpartition(".")
            holder = _found(path)
            if hasattr(holder, leaf):
                self._before.append((holder, leaf, getattr(holder, leaf)))
                setattr(holder, leaf, by[kind])

    @property
    def _slept(self) -> list[Any]:
        slept = self._space.get(SLEPT)
        return slept if isinstance(slept, list) else self._own

    def _sleep(self, seconds: Any) -> None:
        self._slept.append(seconds)

    async def _pass_time(self, seconds: Any) -> None:
        self._slept.append(seconds)
        await self._wait(0)

    def _passed(self) -> Any:
        return sum(self._slept)

    def end(self) -> None:
        """Puts back what was there before."""
        for holder, leaf, value in reversed(self._before):
            setattr(holder, leaf, value)


def waited(slept: Any) -> tuple[Any, str]:
    """Returns the seconds of all waits, or of many the sum, and how it is read."""
    many = type(slept) is list and len(slept) > MOST_WAITS
    return (sum(slept), "sum({})") if many else (slept, "")


def _found(path: str) -> Any:
    """Returns what a test finds by a dotted name: attributes first, then modules."""
    first, *parts = path.split(".")
    found, name = sys.modules.get(first), first
    for part in parts:
        name = f"{name}.{part}"
        found = getattr(found, part, sys.modules.get(name))
    return found


@contextlib.contextmanager
def surroundings(
    case: dict[str, Any], guard: Any, outputs: Outputs, space: dict[str, Any]
) -> Iterator[Output]:
    """Provides standard streams, command line and working directory for one case with the variables
    of `space`, whose folder is that of the `guard`; one that writes bytes which are no text can be
    no test."""
    before = sys.stdin, sys.stdout, sys.stderr, sys.argv
    printed, complained = outputs.of_next()
    stream = BytesStream if case["binary"] else Stream
    given = stream(case["stdin"]) if case["stdin"] else NoInput()
    sys.stdin, sys.stdout, sys.stderr = given, printed, complained
    place = os.getcwd() if case["placed"] else ""
    searched = os.environ.get("PATH")
    if case["alone"]:
        os.environ["PATH"] = ""
    awake = Wakefulness(case["awake"], space)
    connections = Connections([name for name, kind in case["awake"] if kind == CONNECTS], space)
    sys.argv = (
        NoArguments(before[3][:1], guard.stopped) if case["argv"] is None else list(case["argv"])
    )
    if case["placed"]:
        os.environ["HOME"] = guard.place if case["home"] else guard.nobody
        os.chdir(guard.place)
        _clear(guard.place)
        for name, text in case["files"].items():
            path = Path(guard.place, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    try:
        yield printed
        if not (printed.is_text and complained.is_text):
            guard.why = guard.why or "bytes"
        if printed.shut or complained.shut:  # pytest itself could write nothing then
            guard.why = guard.why or "stream"
        if isinstance(given, NoInput):
            guard.why = guard.why or given.why
    finally:
        sys.stdin, sys.stdout, sys.stderr, sys.argv = before
        awake.end()
        connections.end()
        if case["alone"]:
            os.environ.pop("PATH", None)
            os.environ |= {} if searched is None else {"PATH": searched}
        if place:
            os.chdir(place)
            os.environ["HOME"] = guard.nobody


def _clear(folder: str) -> None:
    """Takes everything out of a folder."""
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            os.unlink(entry.path)


def _is_empty(path: Path, text: str | None) -> bool:
    """Whether a file has no text in it, or a folder nothing at all."""
    return text == "" or (path.is_dir() and not any(path.iterdir()))


def _was_there(name: str, before: dict[str, str]) -> bool:
    """Whether a file was there before, or anything in a folder of that name."""
    return name in before or any(one.startswith(f"{name}/") for one in before)


def written(
    folder: Path, before: dict[str, str], told: Sequence[str] = ()
) -> list[tuple[str, str]]:
    """Returns the text files below the folder of a case that are new or changed, that new empty
    files and folders are there, and those that hold no text whose name is in what is `told` of the
    case; and what is gone."""
    found = [(name, GONE) for name in before if not os.path.lexists(folder / name)]
    for path in sorted(folder.rglob("*"))[:MOST_WRITTEN]:
        name = path.relative_to(folder).as_posix()
        with contextlib.suppress(OSError):
            try:
                text = path.read_text(encoding="utf-8") if path.is_file() else None
            except UnicodeDecodeError:
                if not _was_there(name, before) and any(repr(name) in one for one in told):
                    found.append((name, THERE))
                continue
            given = io.IncrementalNewlineDecoder(None, True).decode(before.get(name, ""), True)
            if text and len(text) <= PRINTED and given != text:
                found.append((name, text))
            elif _is_empty(path, text) and not _was_there(name, before):
                found.append((name, THERE))
    return found
