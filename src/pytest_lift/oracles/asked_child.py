"""Child process that tries doctest sessions and expectations of requirements on the program.

Started by path with the standard library only: ``python -P asked_child.py job answers``. Each
task has a fork of its own, so that a crash, a hang or a changed module costs no other one. A text
may use the program's public names without importing them.
"""

from __future__ import annotations

import ast
import asyncio
import doctest
import inspect
import json
import marshal
import os
import re
import signal
import sys
from collections.abc import Awaitable, Iterator
from types import CodeType, ModuleType, TracebackType
from typing import Any

SECONDS = 20
"""Most seconds that one task may take."""
LONGEST = 2000
"""Most characters of a value or a message."""
OWN = ("<setup>", "<call>", "<expected>")
"""File names, in tracebacks, of the code of an expectation itself."""
MISCALLED = re.compile(
    r"unexpected keyword argument|missing (\d+ )?required|takes .*argument|got multiple values for"
    r"|positional-only arguments|expected (at least |at most |exactly )?\d+ arguments?"
)
"""Messages of a TypeError about which arguments a call gets, not about their values."""

Answer = dict[str, Any]
Names = dict[str, Any]


class Untriable(Exception):
    """Raised if the expectation itself cannot be tried."""


class TextTrier:
    """Tries texts with the public names of `modules`."""

    def __init__(self, modules: list[str]) -> None:
        self.known: Names = {}
        self.modules = []
        for module in modules:
            try:
                loaded = __import__(module)
            except BaseException:
                continue
            public = {name: it for name, it in vars(loaded).items() if not name.startswith("_")}
            self.known.update(public)
            self.known[module] = loaded
            self.modules.append(module)

    def example(self, text: str) -> Answer:
        """Returns the first difference of a session; later ones may only be its consequence."""
        names = {**self.known, "__name__": "example"}
        try:
            test = doctest.DocTestParser().get_doctest(text, names, "example", None, 0)
        except ValueError:
            return {}
        runner = _First()
        runner.run(test, out=lambda text: None)
        if runner.seen is None:
            return {}
        example, actual = runner.seen
        before = test.examples[: test.examples.index(example)]
        setup = "".join(e.source for e in before if e.exc_msg is None)
        said = {"call": example.source, "expected": example.want, "actual": actual}
        return {**{key: it[:LONGEST] for key, it in said.items()}, "setup": setup}

    def expectation(self, setup: str, call: str, relation: str, expected: str) -> Answer:
        """Returns the fields from which `try_expectations.Tried` is made."""
        try:
            return self._tried(setup, call.strip(), relation, expected.strip())
        except Untriable as error:
            return {"outcome": "broken", "actual": str(error)[:LONGEST]}

    def entering(self, kind: str, *given: str) -> Answer:
        """Returns (file, first line) of each function that a task enters, which is a task of its
        own: an endless recursion would notice who watches."""
        seen: set[CodeType] = set()
        sys.setprofile(lambda frame, event, _: seen.add(frame.f_code) if event == "call" else None)
        try:
            getattr(self, kind)(*given)
        finally:
            sys.setprofile(None)
        return {"entered": [(code.co_filename, code.co_firstlineno) for code in seen]}

    def _tried(self, setup: str, call: str, relation: str, expected: str) -> Answer:
        names = {**self.known, "__name__": "expectation"}
        begin, calling = _compiled(setup, "setup", "exec"), _compiled(call, "call", "eval")
        wanting = _compiled(expected or "None", "expected", "eval")
        _evaluated(begin, names, "setup")
        sources = [call, expected] if relation == "equals" else [call]
        said = {"call": call, "imports": self._imports(setup, sources, names)}
        if relation == "raises":
            return {**said, **self._raising(calling, call, names, expected)}
        try:
            value, said["call"] = _called(calling, call, names)
            wanted = _evaluated(wanting, names, "expected")
            if relation == "equals" and isinstance(wanted, list | tuple) and _is_iterator(value):
                said["call"] = f"{type(wanted).__name__}({said['call']})"
                value = type(wanted)(value)
        except Untriable:
            raise
        except BaseException as error:
            _evaluated(wanting, names, "expected")  # untriable comes before different
            return {**said, **self._raised(error)}
        if relation == "holds":
            return {**said, "outcome": _truth(value), "actual": _shown(value)}
        equal, of_a_kind = _equal(value, wanted), _of_a_kind(value, wanted)
        said |= {"outcome": "holds" if equal and of_a_kind else "differs"}
        return {**said, "actual": _shown(value), "sign": "is" if equal and not of_a_kind else "=="}

    def _raising(self, calling: CodeType, call: str, names: Names, expected: str) -> Answer:
        wanted = self._exception(expected, names)
        said = {"wanted": self._place(wanted) if wanted else "", "call": call}
        try:
            value, said["call"] = _called(calling, call, names)
            if inspect.isgenerator(value):  # a generator has executed nothing yet
                said["call"] = f"list({said['call']})"
                value = list(value)
        except Untriable:
            raise
        except BaseException as error:
            leaf, classes = expected.rpartition(".")[2], type(error).__mro__
            named = any(cls.__name__ == leaf for cls in classes)
            fits = isinstance(error, wanted) if wanted else named
            if fits:
                return {**said, "outcome": "holds", "actual": _told(error)}
            if wanted is None:
                raise Untriable(f"there is no exception {expected}") from error
            return {**said, **self._raised(error)}
        if wanted is None:
            raise Untriable(f"there is no exception {expected}")
        return {**said, "outcome": "differs", "actual": _shown(value)}

    def _raised(self, error: BaseException) -> Answer:
        if _is_own_fault(error):
            raise Untriable(_told(error)) from error
        return {
            "outcome": "differs",
            "actual": f"raises {_told(error)}",
            "raised": self._place(type(error)),
        }

    def _exception(self, expected: str, names: Names) -> type[BaseException] | None:
        """Returns the exception class that a text names: as a test would evaluate it, else by its
        name."""
        try:
            found = eval(expected, names)
        except Exception:
            module, _, leaf = expected.rpartition(".")
            places = [module] if module in sys.modules else self._loaded()
            found = next((it for m in places if _is_exception(it := _member(m, leaf))), None)
        return found if _is_exception(found) else None

    def _loaded(self) -> list[str]:
        return sorted(name for name in sys.modules if name.partition(".")[0] in self.modules)

    def _place(self, kind: type) -> str:
        """Returns ``module:Name`` from where a test can import the class or, if it cannot, a base
        of it."""
        for cls in kind.__mro__:
            for module in (*self.modules, cls.__module__):
                if _member(module, cls.__qualname__) is cls:
                    return f"{module}:{cls.__qualname__}"
        return "builtins:Exception"

    def _imports(self, setup: str, sources: list[str], names: Names) -> list[str]:
        """Returns imports that a test needs but that the text lacks or writes with a star."""
        tree = ast.parse(setup)
        stars = [
            node.module
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module and node.names[0].name == "*"
        ]
        used = {name for source in (setup, *sources) for name in _names_of(source)}
        found = []
        for name in sorted((used & names.keys()) - set(_bound(tree))):
            if isinstance(names[name], ModuleType) and (line := self._whole(name, names[name])):
                found.append(line)
                continue
            holds = (m for m in (*stars, *self.modules) if _member(m, name) is names[name])
            if module := next(holds, None):
                found.append(f"from {module} import {name}")
        return found

    def _whole(self, name: str, module: ModuleType) -> str:
        """Returns the import of a module; empty if `name` is an alias of one of the program's
        modules."""
        inside = module.__name__.partition(".")[0] in {m.partition(".")[0] for m in self.modules}
        if inside and module.__name__ != name:
            return ""
        alias = "" if module.__name__ == name else f" as {name}"
        return f"import {module.__name__}{alias}"


class _First(doctest.DocTestRunner):
    """Runner that records the first example whose result is not the stated one."""

    def __init__(self) -> None:
        super().__init__(verbose=False)
        self.seen: tuple[doctest.Example, str] | None = None

    def report_start(self, *given: Any) -> None:
        pass

    def report_success(self, *given: Any) -> None:
        pass

    def report_failure(self, out: Any, test: Any, example: doctest.Example, got: str) -> None:
        self.seen = self.seen or (example, got)

    def report_unexpected_exception(
        self, out: Any, test: Any, example: doctest.Example, exc_info: Any
    ) -> None:
        told = _told(exc_info[1])
        # A traceback header unlike Python's ("<...>", "...") does not make it another exception.
        if example.want.strip().rpartition("\n")[2].strip() != told:
            self.seen = self.seen or (example, told)


def _compiled(source: str, name: str, mode: str) -> CodeType:
    try:
        return compile(source, f"<{name}>", mode)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Untriable(f"{name}: {_told(error)}") from error


def _evaluated(code: CodeType, names: Names, what: str) -> Any:
    """Evaluates setup or expected value, neither of which may fail."""
    try:
        return eval(code, names)
    except BaseException as error:
        raise Untriable(f"{what} raises {_told(error)}") from error


def _called(code: CodeType, source: str, names: Names) -> tuple[Any, str]:
    """Returns the value, awaited if need be, and the expression that gives it in a test."""
    value = eval(code, names)
    if not inspect.isawaitable(value):
        return value, source
    return asyncio.run(_awaited(value)), f"asyncio.run({source})"


async def _awaited(value: Awaitable[Any]) -> Any:
    return await value


def _is_own_fault(error: BaseException) -> bool:
    """Whether the text caused the error: it names what does not exist, or passes arguments that the
    call does not accept."""
    if isinstance(error, KeyboardInterrupt | MemoryError):
        return True
    if not _is_raised_here(error.__traceback__):
        return False
    if isinstance(error, AttributeError):
        return error.obj is not None  # None is a wrong result of the program
    if isinstance(error, TypeError):
        return MISCALLED.search(str(error)) is not None
    return isinstance(error, NameError | ImportError)


def _is_raised_here(trace: TracebackType | None) -> bool:
    file = ""
    while trace is not None:
        file, trace = trace.tb_frame.f_code.co_filename, trace.tb_next
    return file in OWN or file.startswith("<frozen importlib")


def _is_iterator(value: Any) -> bool:
    return hasattr(type(value), "__next__")


def _of_a_kind(value: Any, wanted: Any) -> bool:
    """Whether the types agree if a bool is expected: 1 is not True although they are equal."""
    if not isinstance(wanted, bool):
        return True
    return isinstance(value, bool) or not isinstance(value, int | float)


def _equal(value: Any, wanted: Any) -> bool:
    try:
        return _same(value, wanted)
    except BaseException as error:
        raise Untriable(f"the two cannot be compared: {_told(error)}") from error


def _same(value: Any, wanted: Any) -> bool:
    """Compares by ``==``, except that NaN equals NaN."""
    if isinstance(value, float) and isinstance(wanted, float) and value != value:
        return wanted != wanted
    if type(value) is type(wanted) in (list, tuple):
        return len(value) == len(wanted) and all(map(_same, value, wanted))
    if type(value) is type(wanted) is dict:
        return value.keys() == wanted.keys() and all(_same(value[k], wanted[k]) for k in wanted)
    return bool(value == wanted)


def _truth(value: Any) -> str:
    try:
        return "holds" if value else "differs"
    except BaseException as error:
        raise Untriable(f"it is neither true nor false: {_told(error)}") from error


def _shown(value: Any) -> str:
    try:
        return repr(value)[:LONGEST]
    except BaseException as error:
        return f"a {type(value).__name__} whose repr raises {type(error).__name__}"


def _told(error: BaseException) -> str:
    try:
        message = str(error)
    except BaseException:
        message = ""
    name = type(error).__name__
    return (f"{name}: {message}" if message else name)[:LONGEST]


def _is_exception(found: Any) -> bool:
    return isinstance(found, type) and issubclass(found, BaseException)


def _member(module: str, dotted: str) -> Any:
    found: Any = sys.modules.get(module)
    for name in dotted.split("."):
        found = getattr(found, name, None)
    return found


def _names_of(source: str) -> Iterator[str]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    yield from (node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def _bound(tree: ast.Module) -> Iterator[str]:
    """Yields the names that a setup binds, except by star imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((a.asname or a.name).partition(".")[0] for a in node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _apart(texts: TextTrier, number: int, kind: str, given: list[str], answers: str) -> None:
    """Runs one task in a fork; the parent records how the fork ended."""
    process = os.fork()
    if process == 0:
        try:
            signal.alarm(SECONDS)
            _say(answers, {"number": number, "answer": getattr(texts, kind)(*given)})
        finally:
            os._exit(0)
    _, status = os.waitpid(process, 0)
    _say(answers, {"number": number, "ended": _ending(os.waitstatus_to_exitcode(status))})


def _ending(code: int) -> str:
    if code == -signal.SIGALRM:
        return f"it does not end within {SECONDS} s"
    return f"it ends the process ({f'signal {-code}' if code < 0 else f'exit status {code}'})"


def _say(answers: str, row: Answer) -> None:
    with open(answers, "a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(json.dumps(row) + "\n")


def main() -> None:
    with open(sys.argv[1], "rb") as file:
        job = marshal.load(file)
    texts = TextTrier(job["modules"])
    for number, kind, given in job["tasks"]:
        _apart(texts, number, kind, given, job["journal"])


if __name__ == "__main__":
    main()
