"""Imports the program's modules inside a child process and describes their classes.

Started by path with the standard library only: ``python -P survey_child.py job``. It tells
what only running tells: inherited members, signatures behind decorators, what is abstract.
"""

from __future__ import annotations

import ast
import contextlib
import faulthandler
import functools
import importlib
import importlib.util
import inspect
import io
import json
import marshal
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import (
    FrameType,
    FunctionType,
    MethodDescriptorType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

IDLE_SECONDS, IDLE_SHARE = 4.0, 0.02
"""An import that uses less than this share of a processor for so long waits for something."""
ABOUT_NOW = 0.001
"""Seconds of a limit by which such an import is known."""
MOST_PRINTED = 1 << 20
"""Bytes that an import may print."""
JOIN_SECONDS = 0.5
THREAD_LEFT = "the import starts a thread that keeps the process from ending"
START = threading.Thread.start
FORKS = ("os.fork", "os.forkpty")
MOST_MEMBERS = 150
PLAIN = (bool, int, float, str, bytes, list, tuple, dict, set)
NO_MEMBERS = ("__init__", "__new__", "__dict__", "__weakref__")
CHANGES = ("__setattr__", "__delattr__")
KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "positional-only",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "positional",
    inspect.Parameter.VAR_POSITIONAL: "var-positional",
    inspect.Parameter.KEYWORD_ONLY: "keyword",
    inspect.Parameter.VAR_KEYWORD: "var-keyword",
}


class RefusedImport(BaseException):
    """Raised into an import that does what would never end, or would end this process."""


class _PrintedBytes(io.BytesIO):
    """Bytes of a standard stream, so many and no more."""

    def write(self, data: Any) -> int:
        if self.tell() + len(data) > MOST_PRINTED:
            raise RefusedImport("the import prints without end")
        return super().write(data)


class ImportOutput(io.TextIOWrapper):
    """Standard stream with the encoding and the bytes that pytest's have."""

    def __init__(self) -> None:
        super().__init__(_PrintedBytes(), encoding="utf-8", write_through=True)


class ImportWatch:
    """Watches one import after another: it may not fork, nor wait, nor take too long."""

    def __init__(self, seconds: float, copy: str) -> None:
        self.seconds = seconds
        self.copy = copy
        self.imports = False
        self.started = ("", 0)
        """Place in the program that last started a thread."""
        self.known: set[threading.Thread] = set()
        sys.addaudithook(self._audit)
        threading.Thread(target=self._end_idle, daemon=True).start()
        setattr(threading.Thread, "start", lambda thread: self._start(thread))  # noqa: B010

    @contextlib.contextmanager
    def importing(self) -> Iterator[None]:
        faulthandler.dump_traceback_later(self.seconds, exit=True, file=2)
        with contextlib.redirect_stdout(ImportOutput()), contextlib.redirect_stderr(ImportOutput()):
            self.imports = True
            try:
                yield
            finally:
                self.imports = False
                faulthandler.cancel_dump_traceback_later()

    def _audit(self, event: str, args: tuple[Any, ...]) -> None:
        if self.imports and event in FORKS:
            raise RefusedImport("the import forks the process")

    def _start(self, thread: threading.Thread) -> None:
        frame: FrameType | None = sys._getframe()
        while frame is not None and not frame.f_code.co_filename.startswith(self.copy):
            frame = frame.f_back
        if frame is not None:
            self.started = frame.f_code.co_filename, frame.f_lineno
        START(thread)

    def has_thread_left(self) -> bool:
        """Whether a thread goes on that keeps the process from ending; each is told once."""
        pools = sys.modules.get("concurrent.futures.thread")
        ending = set(getattr(pools, "_threads_queues", ()))
        left = {t for t in threading.enumerate() if not t.daemon} - self.known - ending
        left.discard(threading.main_thread())
        self.known |= left
        until = time.monotonic() + JOIN_SECONDS
        for thread in left:
            thread.join(max(until - time.monotonic(), 0.0))
        return any(thread.is_alive() for thread in left)

    def _end_idle(self) -> None:
        """Ends the process, as the limit of the time does, when an import only waits."""
        used, since = 0.0, time.monotonic()
        while True:
            time.sleep(IDLE_SECONDS / 8)
            now, busy = time.monotonic(), time.process_time()
            if not self.imports or busy - used > IDLE_SHARE * IDLE_SECONDS:
                used, since = busy, now
            elif now - since > IDLE_SECONDS:
                faulthandler.dump_traceback_later(ABOUT_NOW, exit=True, file=2)


def modules_of(job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields a record for each module of the job, imported under a watch."""
    watch = ImportWatch(job["seconds"], job["copy"])
    current = os.open(job["current"], os.O_WRONLY | os.O_CREAT)
    for number in job["order"]:
        os.pwrite(current, b"%010d" % number, 0)
        name = job["modules"][number]
        try:
            with watch.importing():
                module = importlib.import_module(name)
        except BaseException as error:
            told = f"{type(error).__name__}: {_text(error)}"[:300]
            if isinstance(error, RefusedImport):
                told = _text(error)
            _beside("importing").forget_orphans(name)
            yield {"case": number, "error": told, "place": _place(error, job["copy"])}
            continue
        if watch.has_thread_left():
            yield {"case": number, "error": THREAD_LEFT, "place": watch.started}
            continue
        found = {
            "classes": list(classes_of(module, job["copy"])),
            "commands": list(commands_of(module)),
            "handed": dict(handed_on(module, job["copy"])),
        }
        yield {"case": number, **found}
    os.pwrite(current, b"%010d" % len(job["modules"]), 0)  # no module ends the process now
    yield from libraries_of(job["hinted"], watch)


def libraries_of(hinted: list[Any], watch: ImportWatch) -> Iterator[dict[str, Any]]:
    """Yields a record for each name of a library that hints have, with its class where it is one
    and the seconds that these imports have taken so far."""
    began = time.monotonic()
    for call, module, name in hinted:
        found: list[dict[str, Any]] = []
        with contextlib.suppress(BaseException), watch.importing():
            kind = getattr(importlib.import_module(module), name)
            if isinstance(kind, type) and kind.__module__ != "builtins":
                found.append(_library_class(call, kind))
        yield {"case": -2, "libraries": found, "seconds": time.monotonic() - began}


def _library_class(call: str, kind: type) -> dict[str, Any]:
    return {
        "call": call,
        "module": str(kind.__module__),
        "parameters": None if inspect.isabstract(kind) else _parameters(kind),
        "members": [str(one) for one in dir(kind) if not str(one).startswith("_")],
        "plain": [one.__name__ for one in PLAIN if _is_one(one, kind)],
    }


def _is_one(plain: type, kind: type) -> bool:
    """Whether values of a type of Python's own are objects of a class, for all that it says."""
    try:
        return issubclass(plain, kind)
    except Exception:
        return True


def commands_of(module: ModuleType) -> Iterator[Any]:
    """Yields the commands of click and typer in a module, where the program uses these."""
    if "click" in sys.modules or "typer" in sys.modules:
        yield from _beside("noting/declarations").commands_of(module)


def handed_on(module: ModuleType, copy: str) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yields (symbol, parameters) of what hands its arguments on to a library."""
    try:
        for symbol, taken in _beside("handed_on").handed_on(module, copy):
            yield symbol, _records(taken)
    except Exception:  # of a module that answers in its own way when it is asked
        return


@functools.cache
def _beside(name: str) -> Any:
    """Loads a file beside this one."""
    path = Path(__file__).parent / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"_lift_child_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return ""


def _place(error: BaseException, copy: str) -> tuple[str, int]:
    """Returns file and line of the program's statement that failed; ("", 0) if there is none."""
    if isinstance(error, SyntaxError) and error.filename:
        return error.filename, error.lineno or 0
    found, trace = ("", 0), error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(copy):
            found = file, trace.tb_lineno
        trace = trace.tb_next
    return found


def classes_of(module: ModuleType, copy: str) -> Iterator[dict[str, Any]]:
    """Yields the classes that the module itself defines, also those that say they are another
    module's: a package may name itself there; `copy` is the folder of the program."""
    stated: set[str] | None = None
    for name, value in list(vars(module).items()):
        if not isinstance(value, type) or value.__qualname__ != name:
            continue
        own = value.__module__ == module.__name__
        if not own:
            stated = _stated(module) if stated is None else stated
            own = name in stated
        if own:
            yield from (_class(kind, copy) for kind in (value, *_inside(value)))


def _inside(kind: type) -> Iterator[type]:
    """Yields the public classes that a class defines in its body, and those in theirs."""
    for name, value in list(vars(kind).items()):
        inner = isinstance(value, type) and value.__qualname__ == f"{kind.__qualname__}.{name}"
        if inner and not name.startswith("_"):
            yield value
            yield from _inside(value)


def _stated(module: ModuleType) -> set[str]:
    """Returns the names of the class statements of a module."""
    with contextlib.suppress(OSError, TypeError, SyntaxError, ValueError):
        tree = ast.parse(inspect.getsource(module))
        return {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    return set()


def _class(kind: type, copy: str) -> dict[str, Any]:
    members = []
    for name in dir(kind):
        if name.startswith("_") and not (name.startswith("__") and name.endswith("__")):
            continue
        owner = next((k for k in kind.__mro__ if name in vars(k)), object)
        if str(owner.__module__) in sys.stdlib_module_names or name in NO_MEMBERS:
            continue
        made = vars(owner)[name]
        maker = getattr(made, "__objclass__", made)
        plain = isinstance(made, FunctionType | MethodDescriptorType | WrapperDescriptorType)
        if plain and maker.__module__ in sys.stdlib_module_names:
            continue  # Python gives it to the class, as ``__format__`` to an enumeration
        if name in CHANGES and not _is_written(made, owner):
            continue  # a frozen dataclass refuses to be changed
        member = _member(_beside("handed_on").named_behind(made, name))
        if member is not None:
            members.append({"name": name, "library": _is_foreign(owner, copy), **member})
    return {
        "name": kind.__qualname__,
        "abstract": inspect.isabstract(kind) or bool(getattr(kind, "_is_protocol", False)),
        "parameters": _parameters(kind),
        "members": members[:MOST_MEMBERS],
        "bases": [k.__name__ for k in kind.__mro__ if _is_of_library(k, copy)],
    }


def _is_written(function: Any, owner: type) -> bool:
    """Whether a function stands in the source of its class: none that is made for it while the
    program runs, nor that of a library which a decorator gives it."""
    code = getattr(function, "__code__", None)
    generated = code is None or code.co_filename.startswith("<")
    return not generated and function.__module__ == owner.__module__


def _is_foreign(kind: type, copy: str) -> bool:
    """Whether a library defines a class."""
    file = getattr(sys.modules.get(str(kind.__module__)), "__file__", None)
    return isinstance(file, str) and not os.path.realpath(file).startswith(os.path.realpath(copy))


def _is_of_library(kind: type, copy: str) -> bool:
    """Whether a library other than Python's own defines a class."""
    top = str(kind.__module__).partition(".")[0]
    return top not in sys.stdlib_module_names and _is_foreign(kind, copy)


def _member(raw: Any) -> dict[str, Any] | None:
    if isinstance(raw, property | functools.cached_property):
        return {"kind": "property", "settable": getattr(raw, "fset", None) is not None}
    if isinstance(raw, staticmethod | classmethod):
        bound = isinstance(raw, classmethod)
        return {"kind": "static", **_function(raw.__func__, bound=bound)}
    if isinstance(raw, type):
        return None
    foreign = str(type(raw).__module__).partition(".")[0] not in sys.stdlib_module_names
    read = hasattr(type(raw), "__set__") or not callable(raw)
    if foreign and read and hasattr(type(raw), "__get__"):
        return {"kind": "property", "settable": False}
    if not callable(raw):
        return None
    return {"kind": "method", **_function(raw, bound=True)}


def _function(function: Any, *, bound: bool) -> dict[str, Any]:
    inner = inspect.unwrap(function)
    waits, streams = inspect.iscoroutinefunction(inner), inspect.isasyncgenfunction(inner)
    return {"parameters": _parameters(function, bound), "waits": waits, "streams": streams}


def _parameters(thing: Any, bound: bool = False) -> list[dict[str, Any]] | None:
    try:
        found = list(inspect.signature(thing).parameters.values())
    except Exception:
        return None
    return _records(found[1 if bound else 0 :])


def _records(parameters: list[inspect.Parameter]) -> list[dict[str, Any]]:
    return [
        {
            "name": one.name,
            "kind": KINDS[one.kind],
            "default": None if one.default is one.empty else _source(one.default),
            "annotation": None if one.annotation is one.empty else _annotation(one.annotation),
        }
        for one in parameters
    ]


def _source(value: Any) -> str:
    """Returns an expression for a default, or ``...`` where none is known."""
    if value is None or type(value) in (bool, int, float, str, bytes):
        return repr(value)
    if type(value) in (tuple, list, dict) and not value:
        return repr(value)
    return "..."


def _annotation(value: Any) -> str:
    if isinstance(value, str):
        return value
    return value.__qualname__ if isinstance(value, type) and "[" not in repr(value) else repr(value)


def main() -> None:
    job = marshal.loads(Path(sys.argv[1]).read_bytes())
    sys.argv[:] = ["pytest"]
    sys.path[:0] = job["roots"]
    faulthandler.enable()
    with Path(job["journal"]).open("a", encoding="utf-8") as journal:
        for record in modules_of(job):
            journal.write(json.dumps(record) + "\n")
            journal.flush()
        journal.write('{"case": -1}\n')
    os._exit(0)


if __name__ == "__main__":
    main()
