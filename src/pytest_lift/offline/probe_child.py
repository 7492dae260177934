"""Run cases inside a child process and write down what each did, one journal line at a time.

Started by path with the standard library only: ``python -P probe_child.py job.json``. A crash or
a hang costs the case that was running, whose number stands in the file ``current``.
"""

from __future__ import annotations

import contextlib
import faulthandler
import importlib.machinery
import importlib.util
import io
import json
import os
import random
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

CPU_SECONDS = 0.25
WALL_SECONDS = 0.8
HANG_SECONDS = 1.6
IMPORT_SECONDS = 20.0
ADDRESS_SPACE = 1 << 30
SEED = 20240229
PRINTED = 2000


class _Stopped(BaseException):
    """Raised into a case that takes too long or does what a test must not do."""


def _load(name: str) -> Any:
    """A sibling file under a name that no program has."""
    path = Path(__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"_lift_child_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class _Stream(io.StringIO):
    """A standard stream that can still be read after the program closed it."""

    shut = False

    def close(self) -> None:
        self.shut = True


class _Finder:
    """Import hook: the program's modules come with probes."""

    def __init__(self, modules: dict[str, tuple[str, int]], bindings: dict[str, Any]) -> None:
        self.modules = modules
        self.bindings = bindings
        self.instrument = _load("instrument")

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name not in self.modules:
            return None
        file, first = self.modules[name]
        loader = _Loader(name, file)
        loader.finder, loader.first = self, first
        package = [str(Path(file).parent)] if file.endswith("__init__.py") else None
        return importlib.util.spec_from_file_location(
            name, file, loader=loader, submodule_search_locations=package
        )


class _Loader(importlib.machinery.SourceFileLoader):
    finder: _Finder
    first: int

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        text = importlib.util.decode_source(self.get_data(path))
        tree, _ = self.finder.instrument.instrument(text, self.first)
        code = compile(tree, path, "exec", dont_inherit=True)
        assert isinstance(code, CodeType)
        return code

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__.update(self.finder.bindings)
        super().exec_module(module)


class _Guard:
    """Notes and stops what a test must not do: files, network, processes, clock, chance."""

    OPENING = frozenset({"open", "os.listdir", "os.scandir", "glob.glob"})
    FORBIDDEN = ("socket.", "subprocess.", "os.", "shutil.", "ctypes.", "ftplib.", "urllib.",
                 "smtplib.", "sqlite3.", "webbrowser.", "signal.", "pty.", "syslog.")  # fmt: skip
    CLOCK = frozenset({"now", "today", "utcnow", "time", "time_ns", "monotonic", "perf_counter",
                       "localtime", "gmtime", "urandom", "getpid", "uuid1", "uuid4",
                       "random", "getrandbits", "randrange", "shuffle"})  # fmt: skip

    def __init__(self, readable: list[str], home: str) -> None:
        self.readable = tuple(readable)
        self.home = home
        self.active = False
        self.why = ""

    def audit(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.active:
            return
        if event in self.OPENING:
            if not self._may_open(args):
                self._stop("file")
        elif event.startswith(self.FORBIDDEN) and event not in ("os.putenv", "os.unsetenv"):
            self._stop(event.partition(".")[0])

    def _may_open(self, args: tuple[Any, ...]) -> bool:
        path = args[0]
        if not isinstance(path, str | bytes | os.PathLike):
            return True
        place = os.path.realpath(os.fsdecode(path))
        if place.startswith(self.home):
            return True
        mode = args[1] if len(args) > 1 and isinstance(args[1], str) else "r"
        writes = bool(set(mode) & set("wax+"))
        return not writes and place.startswith(self.readable)

    def _stop(self, why: str) -> None:
        self.why = self.why or why
        raise _Stopped(why)

    def profile(self, frame: FrameType, event: str, arg: Any) -> None:
        if event == "c_call" and getattr(arg, "__name__", "") in self.CLOCK:
            owner = getattr(arg, "__self__", None)
            module = getattr(owner, "__name__", "") or type(owner).__module__
            if module in {"time", "datetime", "date", "posix", "random", "_random", "uuid"}:
                self.why = self.why or "clock or chance"


class _State:
    """The program's modules as they were imported, to be put back after a case changed them."""

    def __init__(self, names: dict[str, Any]) -> None:
        modules = [sys.modules[n] for n in names if isinstance(sys.modules.get(n), ModuleType)]
        for module in modules:
            module.__dict__.setdefault("__warningregistry__", {})
        self.spaces = [(m.__dict__, dict(m.__dict__)) for m in modules]
        self.kept = [
            (value, value.copy())
            for space, _ in self.spaces
            for name, value in list(space.items())
            if type(value) in (dict, list, set) and not name.startswith("__")
        ]
        values = [value for space, _ in self.spaces for value in space.values()]
        caches = (getattr(value, "cache_clear", None) for value in values)
        self.caches: list[Callable[[], object]] = [c for c in caches if callable(c)]

    def restore(self) -> bool:
        """True when something had changed."""
        changed = False
        for space, before in self.spaces:
            if space != before:
                changed = changed or _changed(space, before)
                space.clear()
                space.update(before)
        for value, before in self.kept:
            if len(value) != len(before) or value != before:
                value.clear()
                value.extend(before) if isinstance(value, list) else value.update(before)
                changed = True
        for clear in self.caches:
            clear()
        return changed


def _changed(space: dict[str, Any], before: dict[str, Any]) -> bool:
    """A submodule that was imported late is no change that a test could trip over."""
    added = [value for name, value in space.items() if name not in before]
    if not all(isinstance(value, ModuleType) for value in added):
        return True
    return any(name not in space or space[name] is not before[name] for name in before)


class _Runner:
    """Runs one case after another in one process."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        self.home = os.environ["HOME"]
        self.program = frozenset(job["program"])
        self.hits = bytearray(job["probes"])
        covered = bytearray(job["probes"])
        for number in job["covered"]:
            covered[number] = 1
        self.covered = int.from_bytes(covered, "little")
        self.describe = _load("describe").describe
        self.guard = _Guard([*job["readable"], sys.prefix, sys.base_prefix], self.home)
        self.lines: dict[str, dict[str, Any] | str] = {}
        self.codes: dict[tuple[str, str], CodeType | None] = {}
        self._hook()

    def _hook(self) -> None:
        hits = self.hits

        def falsy(number: int, value: Any) -> Any:
            if not value:
                hits[number] = 1
            return value

        def truthy(number: int, value: Any) -> Any:
            if value:
                hits[number] = 1
            return value

        instrument = _load("instrument")
        bindings = {instrument.HITS: hits, instrument.FALSY: falsy, instrument.TRUTHY: truthy}
        modules = {name: (file, first) for name, file, first in self.job["modules"]}
        self.finder = _Finder(modules, bindings)
        sys.meta_path.insert(0, self.finder)
        self.files = {
            os.path.realpath(file): frozenset(lines) for file, lines in self.job["raises"]
        }

    def run(self) -> None:
        """Run every case from `start` on and append a line per reported case."""
        self._import_all()
        state = _State(self.finder.modules)
        self.hits[:] = bytes(len(self.hits))
        report_all = self.job["all"]
        current = os.open(self.job["current"], os.O_WRONLY | os.O_CREAT)
        with Path(self.job["journal"]).open("a", encoding="utf-8") as journal:
            for number in self.job["order"]:
                os.pwrite(current, b"%010d" % number, 0)
                faulthandler.dump_traceback_later(HANG_SECONDS, exit=True)
                record = self._case(self.job["cases"][number], report_all, state)
                if record is not None:
                    journal.write(json.dumps({"case": number, **record}) + "\n")
                    journal.flush()
            journal.write('{"case": -1}\n')
        faulthandler.cancel_dump_traceback_later()

    def _import_all(self) -> None:
        faulthandler.dump_traceback_later(IMPORT_SECONDS, exit=True)
        wanted = dict.fromkeys(line for case in self.job["cases"] for line in case["imports"])
        for line in wanted:
            space: dict[str, Any] = {}
            try:
                exec(line, space)
            except BaseException as error:
                self.lines[line] = f"import: {type(error).__name__}: {error}"[:200]
            else:
                space.pop("__builtins__", None)
                self.lines[line] = space

    def _case(self, case: dict[str, Any], report_all: bool, state: _State) -> dict[str, Any] | None:
        space: dict[str, Any] = {"__name__": "lift_case"}
        for line in case["imports"]:
            names = self.lines[line]
            if isinstance(names, str):
                return {"rejected": names} if report_all else None
            space.update(names)
        outcomes, why = self._observe(case, space)
        mask = int.from_bytes(self.hits, "little")
        new = bool(mask & ~self.covered)
        found = [n for n, hit in enumerate(self.hits) if hit] if new or report_all else []
        self.hits[:] = bytes(len(self.hits))
        changed = state.restore()
        if changed or threading.active_count() > 1:
            why = why or ("state" if changed else "thread")
        if not report_all and (not new or why or not _usable(outcomes)):
            return None
        self.covered |= mask
        return {"outcomes": outcomes, "hits": found, "rejected": why}

    def _observe(
        self, case: dict[str, Any], space: dict[str, Any]
    ) -> tuple[list[dict[str, Any]], str]:
        outcomes: list[dict[str, Any]] = []
        random.seed(SEED)
        self.guard.why = ""
        with _surroundings(case, self.home) as printed:
            _start_timers()
            try:
                if self.job["profile"]:
                    sys.setprofile(self.guard.profile)
                self.guard.active = True
                for step in case["steps"]:
                    if not self._step(case, step, space, outcomes, printed):
                        break
            except _Stopped as stop:
                self.guard.why = self.guard.why or str(stop)
            finally:
                self.guard.active = False
                sys.setprofile(None)
                _stop_timers()
        return outcomes, self.guard.why

    def _step(
        self,
        case: dict[str, Any],
        step: tuple[str, bool],
        space: dict[str, Any],
        outcomes: list[dict[str, Any]],
        printed: _Stream,
    ) -> bool:
        """Run one step; False ends the case."""
        source, check = step
        code = self._compiled(source, "eval" if check else "exec")
        if code is None:
            self.guard.why = "syntax"
            return False
        start = printed.tell()
        started = False
        try:
            value = eval(code, space)
            started = check
            if check:
                outcomes.append(self.describe(value, self.program))
        except _Stopped:
            raise
        except BaseException as error:
            lazy = "list" if started else ""
            outcomes.append({"raised": self._raised(error), "wrap": lazy})
            if not check:
                self.guard.why = self.guard.why or f"setup: {type(error).__name__}"
            return check
        if check and printed.tell() > start and not printed.shut:
            outcomes[-1]["printed"] = printed.getvalue()[start : start + PRINTED]
        if check and case["argv"] is not None:
            outcomes[-1]["files"] = _written(Path(self.home), case["files"])
        return True

    def _compiled(self, source: str, mode: str) -> CodeType | None:
        key = (source, mode)
        if key not in self.codes:
            try:
                self.codes[key] = compile(source, "<case>", mode)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                self.codes[key] = None
        return self.codes[key]

    def _raised(self, error: BaseException) -> dict[str, Any]:
        last = error.__traceback__
        while last is not None and last.tb_next is not None:
            last = last.tb_next
        file, line = "", 0
        if last is not None:
            file, line = last.tb_frame.f_code.co_filename, last.tb_lineno
        lines = self.files.get(os.path.realpath(file), frozenset())
        try:
            message = str(error)[:400]
        except Exception:
            message = ""
        return {
            "type": type(error).__qualname__,
            "module": type(error).__module__,
            "message": message,
            "file": file,
            "line": line,
            "explicit": line in lines or (bool(lines) and isinstance(error, SystemExit)),
        }


def _written(folder: Path, before: dict[str, str]) -> list[tuple[str, str]]:
    """Text files in the working directory that are new or changed."""
    found = []
    for path in sorted(folder.iterdir()):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            text = path.read_text(encoding="utf-8") if path.is_file() else None
            if text and len(text) <= PRINTED and before.get(path.name) != text:
                found.append((path.name, text))
    return found


def _usable(outcomes: list[dict[str, Any]]) -> bool:
    telling = False
    for outcome in outcomes:
        raised = outcome.get("raised")
        if raised and not raised["explicit"]:
            return False
        said = outcome.get("source") not in (None, "None") or outcome.get("attributes")
        shown = outcome.get("text") or outcome.get("printed") or outcome.get("files")
        telling = telling or bool(raised or said or shown)
    return telling


@contextlib.contextmanager
def _surroundings(case: dict[str, Any], home: str) -> Iterator[_Stream]:
    """Own standard streams, command line and working directory for one case."""
    before = sys.stdin, sys.stdout, sys.stderr, sys.argv
    printed = _Stream()
    sys.stdin, sys.stdout, sys.stderr = _Stream(case["stdin"]), printed, _Stream()
    place = os.getcwd() if case["argv"] is not None else ""
    if case["argv"] is not None:
        sys.argv = list(case["argv"])
        os.chdir(home)
        for name in os.listdir(home):
            Path(home, name).unlink()
        for name, text in case["files"].items():
            Path(home, name).write_text(text, encoding="utf-8")
    try:
        yield printed
    finally:
        sys.stdin, sys.stdout, sys.stderr, sys.argv = before
        if place:
            os.chdir(place)


def _start_timers() -> None:
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS, 0.05)
    signal.setitimer(signal.ITIMER_REAL, WALL_SECONDS, 0.1)


def _stop_timers() -> None:
    while True:
        try:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
            return
        except _Stopped:
            continue


def _expire(number: int, frame: FrameType | None) -> None:
    raise _Stopped("timeout")


def _limit() -> None:
    signal.signal(signal.SIGPROF, _expire)
    signal.signal(signal.SIGALRM, _expire)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    sys.path[:0] = job["roots"]
    _limit()
    runner = _Runner(job)
    sys.addaudithook(runner.guard.audit)
    runner.run()
    os._exit(0)


if __name__ == "__main__":
    main()
