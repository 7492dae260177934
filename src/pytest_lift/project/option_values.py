"""Values of the options: found in command line, environment, ini file or default, and converted.

`StaticConfig` has those of a project without pytest, for commands that run no tests.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from typing import Any

from pytest_lift.errors import UsageError
from pytest_lift.marks.marks import LinkNames
from pytest_lift.options import DEFAULT_BASE, OPTIONS, Option
from pytest_lift.project.ini_files import IniFile, find_ini_file
from pytest_lift.suite.collection import DEFAULT_NAMING, Naming, is_foreign

KEYS = ("OPENAI_API_KEY",)
LEAST_MEMORY = 256
LEAST_CONTEXT = 2048


@dataclass(frozen=True)
class Given:
    """The texts given for an option, and their source."""

    option: Option
    texts: tuple[str, ...]
    where: str
    """Option, variable or ini key to name in an error."""
    base: Path
    """Folder at which relative paths start."""

    @property
    def text(self) -> str | None:
        return self.texts[0] if self.texts else None

    @property
    def paths(self) -> list[Path]:
        return [self.base / text for text in self.texts]


@dataclass(frozen=True)
class ValueSources:
    """The sources of values, in the order in which they win; the default of the option is last."""

    typed: Callable[[Option], Any]
    environ: Mapping[str, str]
    ini: Callable[[Option], Any]
    ini_file: Path | None
    here: Path
    """Folder at which paths of command line and environment start."""
    root: Path
    """Folder at which paths of the ini file start."""

    def given(self, option: Option) -> Given:
        """Returns the texts of the first source that has the option."""
        if typed := _texts(self.typed(option)):
            return Given(option, typed, option.typed, self.here)
        if variable := self.environ.get(option.variable):
            texts = variable.split(option.between) if option.many else [variable]
            listed = tuple(text for text in texts if text)
            return Given(option, listed, option.variable, self.here)
        if found := _texts(self.ini(option)):
            where = f"{self.ini_file or 'ini'}: {option.dest}"
            return Given(option, found, where, self.root)
        return Given(option, _texts(option.default), option.typed, self.here)


def _texts(value: Any) -> tuple[str, ...]:
    listed = value if isinstance(value, list | tuple) else [value]
    return tuple(map(str, listed)) if value else ()


def converted(given: Given) -> Any:
    """Returns the value for the field of `Settings`: a tuple where the option may be repeated, a
    truth value for a flag, else None where no text is given. Raises UsageError."""
    option, convert = given.option, CONVERTERS[given.option.kind]
    if option.many:
        values = (convert(given, text) for text in given.texts)
        return tuple(value for value in values if value is not None)
    if option.flag or given.text is not None:
        return convert(given, given.text or "off")
    return None


def _text(given: Given, text: str) -> str:
    known = given.option.choices
    if known and text not in known:
        raise UsageError(f"{text!r} is none of {', '.join(known)}", where=given.where)
    return text


def is_on(text: str) -> bool:
    """Whether a flag that is given as a text is on."""
    return text.lower() not in ("0", "false", "no", "off")


def _base(given: Given, text: str) -> str | None:
    """Accepts a truth value where the option cannot be given without a value, as in ini files."""
    if not is_on(text):
        return None
    return DEFAULT_BASE if text.lower() in ("1", "true", "yes", "on") else text


def _number(given: Given, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise UsageError(f"{text!r} is not a number from 0 upwards", where=given.where)
    return value


def _percent(given: Given, text: str) -> float:
    value = _number(given, text)
    if value > 100:
        raise UsageError(f"{text} is not a percentage", where=given.where)
    return value


def _whole(given: Given, text: str) -> int:
    if not text.isdecimal():
        raise UsageError(f"{text!r} is not a whole number from 0 upwards", where=given.where)
    return int(text)


def _count(given: Given, text: str) -> int:
    if not _whole(given, text):
        raise UsageError("0 leaves nothing to ask a model", where=given.where, todo="1 or more")
    return int(text)


def _tokens(given: Given, text: str) -> int:
    value = _count(given, text)
    if value < LEAST_CONTEXT:
        what = f"{value} tokens are too few for a request and its answer"
        raise UsageError(what, where=given.where, todo=f"{LEAST_CONTEXT} or more")
    return value


def _memory(given: Given, text: str) -> int:
    value = _whole(given, text)
    if value < LEAST_MEMORY:
        raise UsageError(
            f"{text} MiB are too few for pytest", where=given.where, todo="256 or more"
        )
    return value


def _existing(given: Given, text: str) -> Path:
    path = (given.base / text).absolute()
    if not path.exists():
        raise UsageError(
            f"{path} does not exist", where=given.where, todo="make it, or name another"
        )
    return path


def _folder(given: Given, text: str) -> Path:
    path = _existing(given, text)
    if not path.is_dir():
        raise UsageError(f"{path} is not a folder", where=given.where, todo="name the folder")
    return path


def _file(given: Given, text: str) -> Path:
    path = given.base / text
    there = next(folder for folder in path.parents if os.path.lexists(folder))
    if path.is_dir() or not there.is_dir():
        raise UsageError(f"{path} cannot be a file", where=given.where, todo="name another place")
    return path


def _variable(given: Given, text: str) -> str:
    if text in KEYS:
        raise UsageError(
            f"{text} is the key of the model, which no test gets to see",
            where=given.where,
            todo="hand a key of its own over under another name",
        )
    return text


CONVERTERS: Mapping[str, Callable[[Given, str], Any]] = {
    "text": _text,
    "name": lambda given, text: text.strip() or None,
    "flag": lambda given, text: is_on(text),
    "negated flag": lambda given, text: not is_on(text),
    "base": _base,
    "number": _number,
    "percent": _percent,
    "whole": _whole,
    "count": _count,
    "tokens": _tokens,
    "memory": _memory,
    "path": lambda given, text: given.base / text,
    "existing": _existing,
    "folder": _folder,
    "file": _file,
    "variable": _variable,
}
"""Kind of an option -> converter of one text."""


@dataclass(frozen=True)
class StaticConfig:
    """Places and names of a project's tests and requirements. Paths are absolute."""

    root: Path
    ini: Path | None = None
    requirements: tuple[Path, ...] = ()
    tests: tuple[str, ...] = ("tests",)
    """Folders, files or globs, POSIX, relative to `root`; ``.`` is the whole project."""
    naming: Naming = DEFAULT_NAMING

    def is_test_path(self, path: str) -> bool:
        """Whether `path` (POSIX, relative to `root`) is below the tests and named like a test."""
        pure = PurePosixPath(path)
        if pure.suffix != ".py" or not self.naming.is_test_file(path):
            return False
        if any(fnmatch(path, pattern) for pattern in self.tests):
            return True
        for folder in pure.parents:
            if any(fnmatch(folder.as_posix(), pattern) for pattern in self.tests):
                return True
            if is_foreign(folder.name):
                return False
        return False


def read_static_config(
    cwd: Path,
    *,
    requirements: Sequence[str] = (),
    tests: Sequence[str] = (),
    environ: Mapping[str, str] = os.environ,
) -> StaticConfig:
    """Reads the settings; `requirements` and `tests` are typed values, relative to `cwd`. Raises
    `UsageError` for an ini file that cannot be read, and for tests outside the project."""
    root, ini = find_ini_file(cwd)
    source = ini or IniFile(root / "pytest.ini")
    folders = [_below(root, cwd / text, "--tests") for text in tests]
    sources = ValueSources(
        lambda option: requirements if option.name == "requirements" else (),
        environ,
        lambda option: source.lines(option.dest),
        source.path,
        cwd,
        root,
    )
    given = {option.name: sources.given(option) for option in OPTIONS}
    files = (Path(os.path.normpath(path)) for path in given["requirements"].paths)
    return StaticConfig(
        root=root,
        ini=ini.path if ini else None,
        requirements=tuple(dict.fromkeys(files)),
        tests=tuple(folders or _test_folders(root, source, given["tests"].text)),
        naming=Naming(
            tuple(source.words("python_files")) or DEFAULT_NAMING.files,
            tuple(source.words("python_functions")) or DEFAULT_NAMING.functions,
            tuple(source.words("python_classes")) or DEFAULT_NAMING.classes,
            links=LinkNames.configured(given["marker"].texts, given["property"].texts),
        ),
    )


def needs_requirements(config: StaticConfig) -> UsageError:
    """Returns the error for a project without requirement files."""
    where = str(config.ini or config.root)
    todo = "set lift_requirements in the ini file of pytest, or use --requirements FILE"
    return UsageError("no requirement file is named", where=where, todo=todo)


def _test_folders(root: Path, ini: IniFile, named: str | None) -> list[str]:
    """Returns `named`, else `testpaths`, else the usual folder, else the whole project."""
    if named:
        return [_below(root, root / named, "lift_tests")]
    listed = [_below(root, root / text, "testpaths") for text in ini.words("testpaths")]
    usual = [name for name in ("tests", "test") if (root / name).is_dir()]
    return listed or usual[:1] or ["."]


def _below(root: Path, path: Path, where: str) -> str:
    """Returns `path` relative to `root`, wildcards unchanged. Raises UsageError."""
    full = Path(os.path.normpath(path))
    if not full.is_relative_to(root):
        todo = "name a folder inside the project that holds the tests"
        raise UsageError(f"{full} is not below the project {root}", where=where, todo=todo)
    return full.relative_to(root).as_posix()
