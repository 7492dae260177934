"""Surroundings of one case: limits, streams, working directory, module state to restore.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import logging
import os
import re
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any

ADDRESS_SPACE = 1 << 30
ROOM = 256 << 20
"""Bytes that a case may take beside what the imported program takes."""


CASE = "lift_case"
"""Name of the module in which cases run."""
CACHE = re.compile(r"cache|memo(_|$)|memoi[sz]ed", re.IGNORECASE)
"""Names of containers that hold results of calls."""
CLOCK_FILE = os.path.join(os.path.dirname(__file__), "clock.py")
FINDERS = ("<frozen importlib", os.path.join(os.path.dirname(os.__file__), "importlib", ""),
           os.path.join(os.path.dirname(os.__file__), "pkgutil.py"))  # fmt: skip
"""Files of Python that look into folders for what is imported."""
INSTALLED = f"-packages{os.sep}"
"""Part of the places of libraries."""
LOOPS = os.path.join(os.path.dirname(os.path.dirname(logging.__file__)), "asyncio", "")
LOOP_FILE = f"{LOOPS}base_events.py"
"""File of what runs coroutines."""
ABSENT = object()
PRINTED = 2000
PLACE, NOBODY = "case", "nobody"
"""Folders of a case and of its user, below that of the child; nothing is there of the latter: what
a test writes there would be the user's own."""
MOST_WRITTEN = 40
"""Most entries of the folder of a case that are looked at."""


class Guard:
    """Records and stops what a test must not do: files, network, processes, clock, randomness."""

    LISTING = frozenset({"os.listdir", "os.scandir"})
    OPENING = frozenset({"open", "os.walk", "glob.glob"}) | LISTING
    CHANGING = frozenset({"os.mkdir", "os.rmdir", "os.remove", "os.rename", "os.chdir", "os.chmod",
                          "os.truncate", "os.utime", "shutil.copyfile", "shutil.copymode",
                          "shutil.copystat", "shutil.copytree", "shutil.move",
                          "shutil.rmtree"})  # fmt: skip
    """Events that are allowed below the folder of a case, with the paths as their arguments."""
    FORBIDDEN = ("socket.", "subprocess.", "os.", "shutil.", "ctypes.", "ftplib.", "urllib.",
                 "smtplib.", "sqlite3.", "webbrowser.", "signal.", "pty.", "syslog.")  # fmt: skip
    HARMLESS = frozenset({"os.putenv", "os.unsetenv", "socket.__new__", "sqlite3.connect/handle"})
    """Events that would be forbidden by their prefix; an event loop makes a pair of sockets."""
    CLOCK = frozenset({"now", "today", "utcnow", "time", "time_ns", "monotonic", "perf_counter",
                       "localtime", "gmtime", "strftime", "ctime", "asctime", "urandom", "getpid",
                       "uuid1", "uuid4"})  # fmt: skip
    MACHINE = frozenset({"statvfs", "fstatvfs", "getloadavg", "cpu_count", "sched_getaffinity",
                         "getlogin", "getrusage", "getppid"})  # fmt: skip
    """Functions of the system that tell of the machine: its disks, load and processors."""
    CHANCE = frozenset({"random", "getrandbits", "randrange", "shuffle", "choice", "randint"})

    def __init__(self, own: list[str], stopped: type[BaseException]) -> None:
        self.stopped = stopped
        self.own = tuple(map(os.path.realpath, own))
        """Folders of the program."""
        self.readable = (*own, *installed())
        self.home = home = os.path.realpath(os.environ["HOME"])
        self.place = os.path.join(home, PLACE)
        """Folder of a case that has one of its own."""
        self.nobody = os.path.join(home, NOBODY)
        os.environ["HOME"] = self.nobody
        os.makedirs(self.place, exist_ok=True)
        self.active = False
        self.children = False
        """Whether the case is a documented command line, which may start the interpreter."""
        self.placed = False
        """Whether the case has a folder of its own, in which it may change what it likes."""
        self.why = ""

    def audit(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.active:
            return
        if event in self.OPENING:
            if not self._may_open(args) or (event in self.LISTING and not self._may_list(args)):
                self._stop("file")
        elif event.startswith(self.FORBIDDEN) and not self._is_allowed(event, args):
            self._stop(event.partition(".")[0])

    def _is_allowed(self, event: str, args: tuple[Any, ...]) -> bool:
        """Whether an event that is mostly forbidden may be: nothing comes of it, or only what a
        case may do."""
        if event in self.HARMLESS or (self.children and self._is_interpreter(event, args)):
            return True
        if event == "sqlite3.connect":
            return args[0] == ":memory:" or (self.placed and self._is_inside(args[:1]))
        return self.placed and event in self.CHANGING and self._is_inside(args)

    def _is_interpreter(self, event: str, args: tuple[Any, ...]) -> bool:
        return event in ("subprocess.Popen", "os.posix_spawn") and args[0] == sys.executable

    def _is_inside(self, args: tuple[Any, ...]) -> bool:
        """Whether the paths among the arguments of an event are below the folder of the case."""
        paths = [arg for arg in args[:2] if isinstance(arg, str | bytes | os.PathLike)]
        places = [os.path.realpath(os.fsdecode(path)) for path in paths]
        return bool(places) and all(place.startswith(self.place) for place in places)

    def _may_open(self, args: tuple[Any, ...]) -> bool:
        path = args[0]
        if not isinstance(path, str | bytes | os.PathLike):
            return True
        place = os.path.realpath(os.fsdecode(path))
        if place.startswith(self.home):
            if place.startswith(self.nobody) and not _writes(args):
                self._stop("home")
            return not place.startswith(self.nobody)
        there = place.startswith(self.readable) or not os.path.lexists(place)
        above = (
            self.placed
            and os.path.isdir(place)
            and self.place.startswith(f"{place.rstrip(os.sep)}/")
        )
        return (there or above) and not _writes(args)

    def _may_list(self, args: tuple[Any, ...]) -> bool:
        """Whether what is in a folder is the same wherever a test runs: it belongs to the case, or
        to a package of the program; what Python imports is found, wherever it is, and a library
        may look for what is its own. A folder that is told by its number was opened before."""
        if isinstance(args[0], int):
            return True
        place = os.path.realpath(os.fsdecode(args[0])) if args[0] is not None else os.getcwd()
        own = any(place.startswith(f"{top}{os.sep}") for top in self.own)
        around = self.placed and self.place.startswith(f"{place.rstrip(os.sep)}{os.sep}")
        if own or around or place.startswith(self.home) or not os.path.lexists(place):
            return True
        frame: FrameType | None = sys._getframe(2)
        while frame is not None:
            file = frame.f_code.co_filename
            if file.startswith(self.own):
                return False
            if file.startswith(FINDERS) or INSTALLED in file:
                return True
            frame = frame.f_back
        return False

    def _stop(self, why: str) -> None:
        self.why = self.why or why
        raise self.stopped(why)

    def profile(self, frame: FrameType, event: str, arg: Any) -> None:
        if event != "c_call":
            return
        name, owner = getattr(arg, "__name__", ""), getattr(arg, "__self__", None)
        if name in self.CLOCK:
            module = getattr(owner, "__name__", "") or type(owner).__module__
            asked = module in {"time", "datetime", "date", "posix", "uuid"}
            if asked and not _is_stamp(frame):
                self.why = self.why or "clock"
        elif name in self.MACHINE and getattr(owner, "__name__", "") in {"posix", "resource"}:
            self.why = self.why or "machine"
        elif name in self.CHANCE and any(owner is one for one in self._shared_generators()):
            self.why = self.why or "chance"

    def drawn(self) -> tuple[Any, ...]:
        """Returns how far the shared generator of numpy has come, whose methods no profile
        shows."""
        numbers = sys.modules.get("numpy.random.mtrand")
        if numbers is None:
            return ()
        state = numbers.get_state(legacy=False)
        return (state["state"]["pos"], int(state["state"]["key"][0]), state["has_gauss"])

    def _shared_generators(self) -> tuple[object, ...]:
        """Returns the random generators that a whole process shares."""
        return (getattr(sys.modules.get("random"), "_inst", None),)


def _is_stamp(asking: FrameType) -> bool:
    """Whether a library reads the clock for itself: the time of a message of `logging`, and how
    long an event loop is to wait."""
    frame: FrameType | None = asking
    if asking.f_code.co_filename == CLOCK_FILE:
        frame = asking.f_back  # a clock that can be moved is between
    asked = frame and (frame.f_code.co_filename, frame.f_code.co_name)
    if frame is None or asked == (logging.__file__, "__init__"):
        return frame is not None
    outer = frame.f_back
    inside = outer is not None and outer.f_code.co_filename.startswith(LOOPS)
    return asked == (LOOP_FILE, "time") and inside


def installed() -> list[str]:
    """Returns the folders in which installed packages lie, and what they are described by."""
    listed = [os.path.realpath(entry) for entry in sys.path if entry and os.path.isdir(entry)]
    return [sys.prefix, sys.base_prefix, *listed]


def _writes(args: tuple[Any, ...]) -> bool:
    """Whether what opens a file, by a mode or by flags, may change it."""
    mode = args[1] if len(args) > 1 else None
    if isinstance(mode, str):
        return bool(set(mode) & set("wax+"))
    flags = args[2] if len(args) > 2 and isinstance(args[2], int) else 0
    return bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))


def limit() -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_growth(room: int = ROOM) -> None:
    """Limits the process to what it takes now and `room` bytes more."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        taken = int(Path("/proc/self/statm").read_bytes().split()[0]) * resource.getpagesize()
        most = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (min(most, taken + room), most))


class ModuleState:
    """Snapshot of the program's modules after import, restored after a case changed them."""

    def __init__(self, names: dict[str, Any]) -> None:
        modules = [sys.modules[n] for n in names if isinstance(sys.modules.get(n), ModuleType)]
        for module in modules:
            module.__dict__.setdefault("__warningregistry__", {})
        self.spaces = [(m.__dict__, dict(m.__dict__)) for m in modules]
        self.kept = [
            (value, value.copy(), bool(CACHE.search(name)))
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
        values = [value for space, _ in self.spaces for value in space.values()]
        made = (value for value in values if not isinstance(value, type))
        cached = (value for value in made if inspect.getattr_static(value, "cache_clear", None))
        caches = (value.cache_clear for value in cached)
        self.caches: list[Callable[[], object]] = [c for c in caches if callable(c)]
        self.left: list[tuple[Any, Any]] = []
        """Tables, and what they held, in which the last case left objects of its own."""

    def put_back_left(self) -> None:
        """Puts back what the last case left in tables: what it gives must not depend on that."""
        for table, content in self.left:
            table.update(content)

    def restore(self, entry: bool = False) -> bool:
        """Restores the modules; returns whether anything had changed by which a later call may do
        something else: no cache, and nothing that is made when it is asked for first, or by a
        command line, which is the `entry` of a process."""
        changed = False
        self.left.clear()
        for space, before in self.spaces:
            if space != before:
                changed = changed or _changed(space, before, entry)
                space.clear()
                space.update(before)
        for one, before in self.own:
            if one != before:
                changed = changed or not _alike(_filled(one), _filled(before))
                one.clear()
                one.update(before)
        for value, before, caches in self.kept:
            if len(value) != len(before) or value != before:
                if not caches and _only_keeps_new_objects(value, before):
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


def _is_of_code(container: Any) -> bool:
    """Whether a container holds nothing but classes and functions: what a program looks up."""
    values = container.values() if isinstance(container, dict) else container
    return all(isinstance(value, type | FunctionType) for value in values)


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


def _only_keeps_new_objects(kept: Any, before: Any) -> bool:
    """Whether a table only has more than `before` by functions and classes that the case itself
    defines: no other call can ask for these."""
    if not isinstance(kept, dict | set):
        return False
    added = (key for key in kept if key not in before)
    if not all(isinstance(key, type | FunctionType) and key.__module__ == CASE for key in added):
        return False
    rest: Any = {key for key in kept if key in before}
    if isinstance(kept, dict):
        rest = {key: kept[key] for key in rest}
    return bool(rest == before)


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


class Stream(io.StringIO):
    """Standard stream that can still be read after the program closed it."""

    shut = False

    def close(self) -> None:
        self.shut = True


class NoInput(Stream):
    """Standard input of a case that has none: pytest lets no test read from the real one."""

    def read(self, size: int | None = -1) -> str:
        raise OSError("a case without input reads standard input")

    readline = readlines = __next__ = __iter__ = read  # type: ignore[assignment]


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


@contextlib.contextmanager
def surroundings(case: dict[str, Any], guard: Guard) -> Iterator[Stream]:
    """Provides standard streams, command line and working directory for one case."""
    before = sys.stdin, sys.stdout, sys.stderr, sys.argv
    printed = Stream()
    given = Stream(case["stdin"]) if case["stdin"] else NoInput()
    sys.stdin, sys.stdout, sys.stderr = given, printed, Stream()
    place = os.getcwd() if case["placed"] else ""
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
    finally:
        sys.stdin, sys.stdout, sys.stderr, sys.argv = before
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


def written(folder: Path, before: dict[str, str]) -> list[tuple[str, str]]:
    """Returns the text files below the folder of a case that are new or changed."""
    found = []
    for path in sorted(folder.rglob("*"))[:MOST_WRITTEN]:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            text = path.read_text(encoding="utf-8") if path.is_file() else None
            name = path.relative_to(folder).as_posix()
            if text and len(text) <= PRINTED and before.get(name) != text:
                found.append((name, text))
    return found
