"""An exception -> plain facts about it: type, message, place and frames, cut to size.

Like `recorder.py` it runs inside the inner session: the standard library and pytest only.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

TEXT_LIMIT = 24_000
MESSAGE_LIMIT = 4_000
FRAME_LIMIT = 60
MACHINERY = frozenset({"_pytest", "pluggy", "pytest_cov", "importlib", "runpy"})
"""Packages whose frames say nothing about the test or the program."""


def describe(
    error: BaseException, phase: str, root: Path, text: str, *, start: str | None = None
) -> dict[str, Any]:
    """Returns `error` as the fields of `run.Failure`, without frames before the file `start`."""
    conftest = getattr(error, "path", None) if is_conftest_failure(error) else None
    error = _behind(error)
    frames = [
        (_inside(file, root), line, name)
        for file, line, name in _frames(error.__traceback__, start)
    ]
    file, line = (frames[-1][0], frames[-1][1]) if frames else ("", 0)
    if isinstance(error, SyntaxError) and error.filename:
        file, line = _inside(error.filename, root), error.lineno or 0
    return {
        "phase": phase,
        "type": _type_name(error),
        "message": head(_message(error), MESSAGE_LIMIT),
        "file": file,
        "line": line,
        "traceback": tail(text, TEXT_LIMIT),
        "frames": frames[-FRAME_LIMIT:],
        "conftest": _inside(str(conftest), root) if conftest else "",
    }


def is_conftest_failure(error: BaseException) -> bool:
    """Whether pytest says that a conftest.py could not be imported (a class it does not export)."""
    return type(error).__name__ == "ConftestImportFailure"


def _behind(error: BaseException) -> BaseException:
    """Returns the exception that pytest's own collection errors wrap."""
    wrapped = isinstance(error, pytest.Collector.CollectError) or is_conftest_failure(error)
    return error.__cause__ if wrapped and error.__cause__ is not None else error


def _frames(traceback: TracebackType | None, start: str | None) -> list[tuple[str, int, str]]:
    found = []
    while traceback is not None:
        frame = traceback.tb_frame
        if not _is_machinery(frame.f_globals) and "<frozen " not in frame.f_code.co_filename:
            found.append((frame.f_code.co_filename, traceback.tb_lineno, frame.f_code.co_name))
        traceback = traceback.tb_next
    first = next((i for i, row in enumerate(found) if row[0] == start), 0)
    return found[first:]


def _is_machinery(names: dict[str, Any]) -> bool:
    package = str(names.get("__name__", "")).partition(".")[0]
    return package in MACHINERY or "__unittest" in names


def _inside(file: str, root: Path) -> str:
    """Returns `file` relative to `root` (POSIX) if it is inside, else unchanged."""
    try:
        return Path(file).relative_to(root).as_posix()
    except ValueError:
        return file


def _type_name(error: BaseException) -> str:
    kind = type(error)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return f"{module}{kind.__qualname__}"


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as second:
        return f"<{type(second).__name__} while printing the {type(error).__name__}>"


def plain_text(error: BaseException) -> str:
    """Returns the traceback of what pytest wraps, machinery left out, as pytest would show it."""
    cause = _behind(error)
    info = pytest.ExceptionInfo.from_exception(cause)
    info.traceback = info.traceback.filter(lambda e: not _is_machinery(e.frame.f_globals))
    return str(info.getrepr(style="short", chain=False))


def head(text: str, limit: int) -> str:
    """Returns at most the first `limit` characters, and only such as can be encoded."""
    return _printable(text if len(text) <= limit else text[:limit] + " ...")


def tail(text: str, limit: int) -> str:
    """Returns at most the last `limit` characters, and only such as can be encoded."""
    return _printable(text if len(text) <= limit else "... " + text[-limit:])


def _printable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
