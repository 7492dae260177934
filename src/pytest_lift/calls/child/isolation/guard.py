"""Records and stops what a test must not do: files, network, processes, clock, randomness.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from errno import ENOENT
from types import FrameType
from typing import Any

CLOCK_FILE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "clock.py")
FINDERS = ("<frozen importlib", os.path.join(os.path.dirname(os.__file__), "importlib", ""),
           os.path.join(os.path.dirname(os.__file__), "pkgutil.py"))  # fmt: skip
"""Files of Python that look into folders for what is imported."""
INSTALLED = f"-packages{os.sep}"
"""Part of the places of libraries."""
LOOPS = os.path.join(os.path.dirname(os.path.dirname(logging.__file__)), "asyncio", "")
LOOP_FILE = f"{LOOPS}base_events.py"
"""File of what runs coroutines."""
POOL_FILE = os.path.join(os.path.dirname(os.__file__), "concurrent", "futures", "thread.py")
ZONES = ("/usr/share/zoneinfo/", "/usr/lib/zoneinfo/", "/usr/share/lib/zoneinfo/")
"""Folders of the rules of time zones, which are the same on each machine, but for its own zone."""
OWN_ZONE = frozenset({"/etc/localtime", "/etc/timezone", "/etc/TZ", "/etc/sysconfig/clock",
                      "/etc/conf.d/clock", "/var/db/zoneinfo"})  # fmt: skip
"""Files that tell the zone of a machine, as far as its user says no other one: what comes of it is
seen where cases run once more in another zone."""
PLACE, NOBODY = "case", "nobody"
"""Folders of a case and of its user, below that of the child; nothing is there of the latter: what
a test writes there would be the user's own."""


class Guard:
    """Watches the case that runs: by an audit hook, and by a profile where it is asked for."""

    LISTING = frozenset({"os.listdir", "os.scandir"})
    OPENING = frozenset({"open", "os.walk", "glob.glob"}) | LISTING
    CHANGING = frozenset({"os.mkdir", "os.rmdir", "os.remove", "os.rename", "os.chdir", "os.chmod",
                          "os.truncate", "os.utime", "os.listxattr", "os.getxattr", "os.setxattr",
                          "shutil.copyfile", "shutil.copymode",
                          "shutil.copystat", "shutil.copytree", "shutil.move",
                          "shutil.rmtree"})  # fmt: skip
    """Events that are allowed below the folder of a case, with the paths as their arguments."""
    IN_FOLDERS = frozenset({"os.mkdir", "os.rmdir", "os.remove"})
    """Those whose last argument is the number of an open folder, or -1."""
    FORBIDDEN = ("socket.", "subprocess.", "os.", "shutil.", "ctypes.", "ftplib.", "urllib.",
                 "smtplib.", "sqlite3.", "webbrowser.", "signal.", "pty.", "syslog.",
                 "sys.settrace")  # fmt: skip
    """Beginnings of events that stop a case; a debugger takes the place of what measures coverage,
    and none is there after it."""
    HARMLESS = frozenset({"os.putenv", "os.unsetenv", "socket.__new__", "sqlite3.connect/handle"})
    """Events that would be forbidden by their prefix; an event loop makes a pair of sockets."""
    FREQUENT = frozenset({"object.__getattr__", "compile", "exec", "builtins.id",
                          "sys._getframe", "sys.setprofile"})  # fmt: skip
    """Events that are not looked at."""
    CLOCK = frozenset({"now", "today", "utcnow", "time", "time_ns", "monotonic", "monotonic_ns",
                       "perf_counter", "perf_counter_ns", "process_time", "process_time_ns",
                       "thread_time", "thread_time_ns", "localtime", "gmtime", "strftime", "ctime",
                       "asctime", "urandom", "getpid", "uuid1", "uuid4"})  # fmt: skip
    MACHINE = frozenset({"statvfs", "fstatvfs", "getloadavg", "cpu_count", "sched_getaffinity",
                         "getlogin", "getrusage", "getppid"})  # fmt: skip
    """Functions of the system that tell of the machine: its disks, load and processors."""
    CHANCE = frozenset({"random", "getrandbits", "randrange", "shuffle", "choice", "randint"})

    def __init__(
        self, own: list[str], stopped: type[BaseException], importing: Callable[[], None]
    ) -> None:
        self.stopped = stopped
        self.importing = importing
        """What is done before a case imports a module that is not there yet."""
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
        self.temporary = False
        """Whether the case made or removed something in the folder of temporary files."""
        self.children = False
        """Whether the case is a documented command line, which may start the interpreter."""
        self.alone = False
        """Whether the case finds no other programs."""
        self.missing: OSError | None = None
        """Error of a case that would start a program which it does not find."""
        self.placed = False
        """Whether the case has a folder of its own, in which it may change what it likes."""
        self.why = ""
        self.drew: set[str] = set()
        """Modules of whose shared random generators the case drew."""

    def begin(self, case: dict[str, Any]) -> None:
        """Begins with a case: nothing is against it yet."""
        self.why, self.temporary, self.missing = "", False, None
        self.drew.clear()
        self.children, self.placed, self.alone = case["children"], case["changes"], case["alone"]

    def hook(self) -> Callable[[str, tuple[Any, ...]], None]:
        """Returns the audit hook, a plain function: Python calls it for each code that is compiled
        and each attribute of a frame, many times in a case."""
        audit, harmless = self.audit, self.FREQUENT

        def heard(event: str, args: tuple[Any, ...]) -> None:
            if event not in harmless and self.active:
                audit(event, args)

        return heard

    def audit(self, event: str, args: tuple[Any, ...]) -> None:
        """Stops the case that is running where it does what a test must not do."""
        if event == "import":
            self.importing()
        elif event in self.OPENING:
            if not self._may_open(args) or (event in self.LISTING and not self._may_list(args)):
                self._stop("file")
        elif event == "subprocess.Popen" and self.alone and _is_searched(args):
            self.missing = FileNotFoundError(ENOENT, os.strerror(ENOENT), args[0])
            raise self.missing
        elif event.startswith(self.FORBIDDEN) and not self._is_allowed(event, args):
            self._stop(event.partition(".")[0])

    def _is_allowed(self, event: str, args: tuple[Any, ...]) -> bool:
        """Whether an event that is mostly forbidden may be: nothing comes of it, or only what a
        case may do."""
        if event in self.HARMLESS or (self.children and self._is_interpreter(event, args)):
            return True
        if event == "ctypes.dlopen":
            return args[0] is None  # the process itself, as where a library imports ctypes
        if event == "sqlite3.connect":
            return args[0] == ":memory:" or self._may_change(self._places(event, args[:1]))
        return event in self.CHANGING and self._may_change(self._places(event, args))

    def _is_interpreter(self, event: str, args: tuple[Any, ...]) -> bool:
        return event in ("subprocess.Popen", "os.posix_spawn") and args[0] == sys.executable

    def _places(self, event: str, args: tuple[Any, ...]) -> list[str]:
        """Returns the paths among the arguments of an event; one that is told by its name in an
        open folder, as where a whole tree is removed, is one in that folder."""
        paths = [os.fsdecode(one) for one in args[:2] if isinstance(one, str | bytes | os.PathLike)]
        number = args[-1] if event in self.IN_FOLDERS else -1
        if type(number) is int and number >= 0:
            try:
                folder = os.readlink(f"/proc/self/fd/{number}")
            except OSError:  # another system than Linux
                return []
            paths = [os.path.join(folder, path) for path in paths]
        return [os.path.realpath(path) for path in paths]

    def _may_change(self, places: Sequence[str]) -> bool:
        """Whether a case may change what is there: in its own folder, or among the temporary files,
        of which it may leave none."""
        if any(place.startswith(self.nobody) for place in places):
            self._stop("home")
        own = [place for place in places if place.startswith(self.place)]
        made = [place for place in places if place.startswith(f"{self.home}{os.sep}")]
        self.temporary = self.temporary or len(made) > len(own)
        return bool(places) and len(made) == len(places) and (self.placed or not own)

    def end(self) -> None:
        """Removes the temporary files that a case has left: it can be no test."""
        if not self.temporary:
            return
        for entry in os.scandir(self.home):
            if entry.path not in (self.place, self.nobody):
                self.why = self.why or "os"
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    os.unlink(entry.path)

    def _may_open(self, args: tuple[Any, ...]) -> bool:
        path = args[0]
        if not isinstance(path, str | bytes | os.PathLike):
            return True
        place = os.path.realpath(os.fsdecode(path))
        if place.startswith(self.home):
            if place.startswith(self.nobody):
                self._stop("home")
            return True
        if place == os.devnull:
            return True  # nothing comes of it, and who starts a program begins with it
        there = place.startswith(self.readable) or not os.path.lexists(place)
        above = (
            self.placed
            and os.path.isdir(place)
            and self.place.startswith(f"{place.rstrip(os.sep)}/")
        )
        told = os.path.abspath(os.fsdecode(path)) in OWN_ZONE
        return (there or above or told or _is_zone(path, place)) and not _writes(args)

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
            if not _is_of_pool(frame):
                self.why = self.why or "machine"
        elif name in self.CHANCE and any(owner is one for one in self._shared_generators()):
            self.drew.add("random")

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


def _is_of_pool(asking: FrameType) -> bool:
    """Whether a pool of threads asks how many it may have at most: tasks give the same in it
    whatever it is told."""
    frame: FrameType | None = asking
    while frame is not None and frame.f_code.co_filename == os.__file__:
        frame = frame.f_back  # `os` asks the system itself in later versions of Python
    return frame is not None and frame.f_code.co_filename == POOL_FILE


def _is_searched(args: tuple[Any, ...]) -> bool:
    """Whether a process would begin with a program that is searched in the folders of PATH, of
    which there are none: this system tells so itself, when it has begun."""
    program, _, folder, variables = args
    named = isinstance(program, str) and bool(program) and os.sep not in program
    searched = "" if variables is None else variables.get("PATH", "/bin")
    return named and not searched and (folder is None or os.path.isdir(folder))


def installed() -> list[str]:
    """Returns the folders in which installed packages lie, and what they are described by."""
    listed = [os.path.realpath(entry) for entry in sys.path if entry and os.path.isdir(entry)]
    return [sys.prefix, sys.base_prefix, *listed]


def _is_zone(path: str | bytes | os.PathLike[Any], place: str) -> bool:
    """Whether a file has the rules of a time zone that is named by its path: not by a link, which
    is another one on each machine."""
    named = os.path.abspath(os.fsdecode(path))
    own = os.path.basename(named) in ("localtime", "posixrules")
    return named.startswith(ZONES) and place.startswith(ZONES) and not own


def _writes(args: tuple[Any, ...]) -> bool:
    """Whether what opens a file, by a mode or by flags, may change it."""
    mode = args[1] if len(args) > 1 else None
    if isinstance(mode, str):
        return bool(set(mode) & set("wax+"))
    flags = args[2] if len(args) > 2 and isinstance(args[2], int) else 0
    return bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
