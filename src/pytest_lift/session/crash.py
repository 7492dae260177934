"""Defects of this package, shown to the user as one sentence and a file to send.

pytest shows a traceback, or ends with an INTERNALERROR, for every exception of a plugin. So each
entry point has one catcher: `told_to_the_user` where a session begins, `Guards` around the plugin
objects of a session, and `session/lift.py` for the lift itself.
"""

from __future__ import annotations

import functools
import inspect
import traceback
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pytest_lift.errors import LiftError
from pytest_lift.session.config import project_root
from pytest_lift.text import printable
from pytest_lift.text.printable import redacted

CRASH = "crash.txt"
"""Name of the file with the traceback, in `.lift`."""


@contextmanager
def told_to_the_user(config: pytest.Config) -> Iterator[None]:
    """Turns every error inside into a usage error of pytest."""
    try:
        yield
    except LiftError as error:
        raise pytest.UsageError(printable.lines(str(error))) from error
    except (pytest.UsageError, pytest.exit.Exception):
        raise
    except Exception as error:
        message = f"pytest-lift could not begin: {report(config, error)}"
        raise pytest.UsageError(printable.lines(message)) from error


def report(config: pytest.Config, error: BaseException) -> str:
    """Writes the traceback to a file, and returns a clause that asks the user to send it."""
    named = kept(project_root(config) / ".lift", error)
    return f"an internal error. Please report it with {named}"


def kept(folder: Path, error: BaseException) -> str:
    """Writes the traceback, and returns the path, or the error's message if that fails."""
    place = folder / CRASH
    text = redacted("".join(traceback.format_exception(error)))
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8", errors="backslashreplace")
    except OSError:
        return "".join(traceback.format_exception_only(error)).strip()
    return str(place)


class Guards:
    """Registers plugin objects whose errors do not reach pytest; the first error is stored.

    After an error none of the objects is called any more. Since their results are lost, the session
    reports the error at its end and fails, if it would have succeeded.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self.error: Exception | None = None
        self.message = ""

    def register(self, plugin: object, name: str) -> None:
        self._config.pluginmanager.register(_Guarded(plugin, self), name)

    def failed(self, error: Exception) -> None:
        if self.error is None:
            self.error = error
            self.message = report(self._config, error)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None]:
        yield
        if self.error is None:
            return
        if session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.INTERNAL_ERROR
        reporter: Any = session.config.pluginmanager.getplugin("terminalreporter")
        if reporter is not None:
            reporter.write_line(
                printable.line(f"pytest-lift has stopped: {self.message}"), red=True
            )


class _Guarded:
    """Hooks of a plugin object, each with a catcher around it."""

    def __init__(self, plugin: object, guards: Guards) -> None:
        for name in dir(type(plugin)):
            if name.startswith("pytest_"):
                method = getattr(plugin, name)
                guard = _around if inspect.isgeneratorfunction(method) else _once
                wrapped = guard(method, guards)
                wrapped.pytest_impl = getattr(method, "pytest_impl", {})  # type: ignore[attr-defined]
                setattr(self, name, wrapped)


def _once(method: Callable[..., Any], guards: Guards) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(*args: Any, **keywords: Any) -> Any:
        if guards.error is not None:
            return None
        try:
            return method(*args, **keywords)
        except (pytest.UsageError, pytest.exit.Exception):
            raise
        except Exception as error:
            guards.failed(error)
            return None

    return call


def _around(method: Callable[..., Any], guards: Guards) -> Callable[..., Any]:
    """Guards a hook wrapper; exceptions of other plugins pass through it."""
    begin = _once(lambda *args, **keywords: _begun(method(*args, **keywords)), guards)

    @functools.wraps(method)
    def call(*args: Any, **keywords: Any) -> Generator[None, Any, Any]:
        begun = begin(*args, **keywords)
        result = yield
        if begun is None:
            return result
        try:
            begun.send(result)
        except StopIteration as end:
            return end.value
        except (pytest.UsageError, pytest.exit.Exception):
            raise
        except Exception as error:
            guards.failed(error)
        return result

    return call


def _begun(generator: Generator[None, Any, Any]) -> Generator[None, Any, Any]:
    next(generator)
    return generator
