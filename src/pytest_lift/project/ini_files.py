"""The settings of pytest, found in ini files and read without pytest.

Which files count, and in which order, follows pytest 9: a `pytest.ini` counts even when it is
empty, a `pyproject.toml`, `tox.ini` or `setup.cfg` only with a section for pytest.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_lift.errors import UsageError

SIGNS = ("pyproject.toml", ".lift", "setup.cfg", "setup.py", ".git")
"""Files and folders that mark the top folder of a project without settings for pytest."""


@dataclass(frozen=True)
class IniFile:
    """The unconverted settings of one file."""

    path: Path
    values: Mapping[str, Any] = field(default_factory=dict)

    def lines(self, name: str) -> list[str]:
        """Returns the values of a setting that is a list or has one value a line."""
        value = self.values.get(name)
        if isinstance(value, list):
            return [str(part) for part in value]
        texts = str(value).splitlines() if value is not None else []
        return [text.strip() for text in texts if text.strip()]

    def words(self, name: str) -> list[str]:
        """Returns the values of a setting that is a list or has values separated by spaces."""
        value = self.values.get(name)
        if isinstance(value, list):
            return [str(part) for part in value]
        try:
            return shlex.split(str(value)) if value is not None else []
        except ValueError as error:
            raise UsageError(f"{name}: {error}", where=str(self.path)) from None


def find_ini_file(start: Path) -> tuple[Path, IniFile | None]:
    """Returns the root of the project and its settings, searched upwards from the folder `start`.

    Raises `UsageError` for a candidate that cannot be read.
    """
    folders = (start, *start.parents)
    for folder in folders:
        for name, read in _READERS.items():
            path = folder / name
            if path.is_file() and (values := _read(path, read)) is not None:
                return folder, IniFile(path, values)
    return project_folder(folders) or start, None


def project_folder(folders: Iterable[Path]) -> Path | None:
    """Returns the first folder with a sign of a project."""
    return next((f for f in folders if any((f / sign).exists() for sign in SIGNS)), None)


def read_ini_file(path: Path) -> IniFile:
    """Reads the file that pytest has chosen; it may have any name.

    Raises `UsageError` for a file that cannot be read.
    """
    other = _pytest_toml if path.suffix == ".toml" else _pytest_ini
    return IniFile(path, _read(path, _READERS.get(path.name, other)) or {})


def _read(path: Path, read: Callable[[Path], Mapping[str, Any] | None]) -> Mapping[str, Any] | None:
    import iniconfig

    try:
        return read(path)
    except (OSError, ValueError, iniconfig.ParseError) as error:
        what = f"cannot be read: {getattr(error, 'strerror', None) or error}"
        raise UsageError(what, where=str(path), todo="correct this file") from None


def _pytest_toml(path: Path) -> Mapping[str, Any]:
    return _table(_toml(path), "pytest") or {}


def _pytest_ini(path: Path) -> Mapping[str, Any]:
    return _ini(path, "pytest") or {}


def _pyproject(path: Path) -> Mapping[str, Any] | None:
    own = _table(_table(_toml(path), "tool") or {}, "pytest")
    if own is None:
        return None
    native = {key: value for key, value in own.items() if key != "ini_options"}
    return native or _table(own, "ini_options")


_READERS: Mapping[str, Callable[[Path], Mapping[str, Any] | None]] = {
    "pytest.toml": _pytest_toml,
    ".pytest.toml": _pytest_toml,
    "pytest.ini": _pytest_ini,
    ".pytest.ini": _pytest_ini,
    "pyproject.toml": _pyproject,
    "tox.ini": lambda path: _ini(path, "pytest"),
    "setup.cfg": lambda path: _ini(path, "tool:pytest"),
}
"""File name -> reader, in order of precedence."""

FILES = tuple(_READERS)
"""Names of files that may hold pytest's settings."""


def _toml(path: Path) -> Mapping[str, Any]:
    text = path.read_text("utf-8")
    if "pytest" not in text:
        return {}
    import tomllib

    return tomllib.loads(text)


def _table(value: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    found = value.get(name)
    return found if isinstance(found, dict) else None


def _ini(path: Path, section: str) -> Mapping[str, Any] | None:
    import iniconfig

    sections = iniconfig.IniConfig(str(path), path.read_text("utf-8"))
    return dict(sections[section].items()) if section in sections else None
