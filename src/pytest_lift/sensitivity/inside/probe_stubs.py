"""Functions of the program replaced by ones that do nothing, raise or give hollow objects.

Extreme mutation (Niedermayr, Juergens and Wagner 2016; Vera-Perez et al. 2019). It happens inside
a run, in a process of its own that ends afterwards (`apart`): only the standard library is used.
"""

from __future__ import annotations

import functools
import gc
import json
import os
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from dis import opmap
from types import CodeType, FunctionType, ModuleType
from typing import Any, Literal

Action = Literal["nothing", "raise", "hollow", "distinct"]
"""``hollow``: objects that allow everything; ``distinct``: such that equal none but themselves."""
Answer = Callable[[tuple[Any, ...]], Any]

_GENERATOR, _COROUTINE, _ITERABLE_COROUTINE, _ASYNC_GENERATOR = 0x20, 0x80, 0x100, 0x200
_YIELDING = _GENERATOR | _ASYNC_GENERATOR
_ANSWER = "pytest-lift: what a stub answers"
_SOURCE = """
def around():
    {cells} = None
    {kind} stub(*args, **keywords):
        if 0:
            {cells}
        {body}
    return stub
"""
_PLAIN = f"return {_ANSWER!r}(args)"
_YIELDS = f"for value in {_ANSWER!r}(args): yield value"


class Removed(Exception):
    """Raised instead of doing the work."""


class Hollow:
    """Return value of a stub: an object with which anything can be done."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def _same(self, *_: object, **__: object) -> Any:
        return self

    __call__ = __getitem__ = __enter__ = __add__ = __sub__ = __mul__ = __truediv__ = _same
    __radd__ = __rsub__ = __rmul__ = __mod__ = __and__ = __or__ = __floordiv__ = __neg__ = _same

    def __setitem__(self, key: object, value: object) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass

    def __iter__(self) -> Iterator[Hollow]:
        """Returns as many values as the caller unpacks, else one."""
        frame = sys._getframe(1)
        code = frame.f_code.co_code
        unpacked = code[frame.f_lasti] == opmap["UNPACK_SEQUENCE"]
        return iter([self] * (code[frame.f_lasti + 1] if unpacked else 1))

    def __len__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hollow)

    def __lt__(self, other: object) -> bool:
        return False

    __le__ = __gt__ = __ge__ = __lt__

    def __hash__(self) -> int:
        return 0

    def __index__(self) -> int:
        return 0

    __int__ = __index__

    def __float__(self) -> float:
        return 0.0

    def __str__(self) -> str:
        return ""

    def __fspath__(self) -> str:
        return ""

    def __await__(self) -> Iterator[Any]:
        return iter(())


class Distinct(Hollow):
    """Equals itself only."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


HOLLOW = Hollow()
_SPECIAL: dict[str, Callable[[], Any]] = {
    "__len__": int, "__bool__": bool, "__str__": str, "__repr__": str, "__format__": str,
    "__iter__": lambda: iter(()), "__hash__": int, "__int__": int, "__index__": int,
    "__float__": float, "__bytes__": bytes, "__contains__": bool, "__dir__": list,
    "__fspath__": str, "__sizeof__": int, "__complex__": complex,
}  # fmt: skip
"""Methods of which Python wants a result of one type."""
_SILENT = frozenset({"__init__", "__setattr__", "__delattr__", "__setitem__", "__delitem__"}
                    | {"__init_subclass__", "__set_name__", "__exit__", "__post_init__"}
                    | {"__del__", "__set__", "__delete__", "__aexit__"})  # fmt: skip


class Stubs:
    """Stands in for functions, and counts how often."""

    def __init__(self, action: Action) -> None:
        self.action = action
        self.reached = 0

    def put(self, functions: Iterable[FunctionType], *, managed: bool = False) -> None:
        """Replaces what these functions do; `managed` generators are used in a `with`."""
        for function in functions:
            code = function.__code__
            function.__code__ = _stub(code, self._answer(code, managed))

    def _answer(self, code: CodeType, managed: bool) -> Answer:
        name, yields = code.co_name, bool(code.co_flags & _YIELDING)

        def answer(args: tuple[Any, ...]) -> Any:
            self.reached += 1
            if self.action == "raise":
                raise Removed(f"{name} is stubbed")
            if self.action == "nothing":
                return (None,) * managed if yields else None
            if name == "__init__" and args:
                _open_up(type(args[0]))
            made = HOLLOW if self.action == "hollow" else Distinct()
            return (made,) if yields else _hollow(name, made)

        return answer


def functions_of(modules: Collection[str]) -> list[FunctionType]:
    """Returns every function of these modules that there is now, bound to a name or not."""
    return [
        thing
        for thing in gc.get_objects()
        if type(thing) is FunctionType
        and type(name := thing.__globals__.get("__name__")) is str
        and name in modules
    ]


def forget(modules: Iterable[str]) -> None:
    """Empties the caches of functions of these modules, so that they are called again."""
    for name in modules:
        module = sys.modules.get(name)
        if not isinstance(module, ModuleType):
            continue
        for thing in list(vars(module).values()):
            inside = list(vars(thing).values()) if isinstance(thing, type) else ()
            for one in (thing, *inside):
                one = getattr(one, "__func__", one) if isinstance(one, _METHODS) else one
                if isinstance(one, functools._lru_cache_wrapper):
                    one.cache_clear()


_METHODS = (staticmethod, classmethod)


def _hollow(name: str, made: Hollow) -> Any:
    if name in _SILENT:
        return None
    if name == "__next__":
        raise StopIteration
    return _SPECIAL[name]() if name in _SPECIAL else made


def _open_up(cls: type) -> None:
    """Lets objects that nothing has set up have any attribute."""
    if getattr(cls, "__getattr__", None) is None:
        try:
            cls.__getattr__ = lambda _, name: HOLLOW.__getattr__(name)  # type: ignore[attr-defined]
        except TypeError:
            pass  # a class made in C


@functools.cache
def _template(flags: int, cells: int) -> CodeType:
    """Returns the code of a stub of a kind, with as many free variables as the original has."""
    names = " = ".join(f"cell{number}" for number in range(cells)) or "_"
    asynchronous = flags & (_COROUTINE | _ASYNC_GENERATOR)
    source = _SOURCE.format(
        cells=names,
        kind="async def" if asynchronous else "def",
        body=_YIELDS if flags & _YIELDING else _PLAIN,
    ).replace(f"        if 0:\n            {names}\n", _mention(cells))
    space: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a text is called: it is replaced by what answers
        exec(compile(source, "<stub>", "exec"), space)
    code: CodeType = space["around"]().__code__
    return code


def _mention(cells: int) -> str:
    used = ", ".join(f"cell{number}" for number in range(cells))
    return f"        if 0:\n            {used}\n" if used else ""


def _stub(code: CodeType, answer: Answer) -> CodeType:
    kind = code.co_flags & (_GENERATOR | _COROUTINE | _ASYNC_GENERATOR)
    made = _template(kind, len(code.co_freevars))
    consts = tuple(answer if one == _ANSWER else one for one in made.co_consts)
    flags = made.co_flags | (code.co_flags & _ITERABLE_COROUTINE)
    return made.replace(
        co_consts=consts,
        co_flags=flags,
        co_name=code.co_name,
        co_filename=code.co_filename,
        co_firstlineno=code.co_firstlineno,
    )


_CHUNK = 65_536
Ended = dict[str, Any]
"""What the work returned, or how its process ended."""


def apart(work: Callable[[], Ended], seconds: float) -> Ended:
    """Runs `work` in a copy of this process; returns its result, or how the process ended."""
    heard, said = os.pipe()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that threads are not copied
            number = os.fork()
    except OSError:
        os.close(heard)
        os.close(said)
        return {"outcome": "not-started"}
    if number == 0:
        _work(work, said)
    os.close(said)
    try:
        data, timed_out = _hear(heard, time.monotonic() + seconds)
    finally:
        os.close(heard)
        _end(number)
    if timed_out:
        return {"outcome": "timed-out"}
    try:
        answer = json.loads(data)
    except ValueError:
        return {"outcome": "crashed"}
    return answer if isinstance(answer, dict) else {"outcome": "crashed"}


def _work(work: Callable[[], Ended], said: int) -> None:
    """Runs the work and never returns: this copy of the session ends here."""
    try:
        os.setpgid(0, 0)
        gc.disable()  # it would touch, and so copy, all that is in memory
        write, left = os.write, json.dumps(work()).encode()
        while left:
            left = left[write(said, left) :]
    finally:
        os._exit(0)


def _hear(heard: int, until: float) -> tuple[bytes, bool]:
    data = b""
    while (left := until - time.monotonic()) > 0:
        if not select.select([heard], [], [], left)[0]:
            continue
        more = os.read(heard, _CHUNK)
        if not more:
            return data, False
        data += more
        if data.endswith(b"}"):  # a process that it started may hold the pipe open
            return data, False
    return data, True


def _end(number: int) -> None:
    """Ends the process with all that it started."""
    for end in (os.killpg, os.kill):
        try:
            end(number, signal.SIGKILL)
        except OSError:
            pass
    try:
        os.waitpid(number, 0)
    except ChildProcessError:
        pass
