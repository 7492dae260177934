"""The code style of a project: its formatter, its import sorter, its line length."""

from __future__ import annotations

import configparser
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pytest_lift.project.declared import table

_RUFF = ("ruff.toml", ".ruff.toml")
_INI = ("setup.cfg", "tox.ini", ".flake8", ".pycodestyle", ".isort.cfg")
_LENGTHS = ("line-length", "line_length", "max-line-length", "max_line_length")
_LONGEST = 400
"""Longest line length in characters; larger settings mean no limit."""


def formatter(root: Path) -> list[str] | None:
    """Returns the command that formats the files appended to it, or None."""
    if _blackened(root) and find_spec("black"):
        return [sys.executable, "-m", "black", "-q"]
    if _ruff(root) is not None and find_spec("ruff"):
        return [sys.executable, "-m", "ruff", "format", "-q", "--no-cache"]
    return None


def _blackened(root: Path) -> bool:
    """Whether black is the formatter, and not ruff, where both are configured."""
    return "black" in _tools(root) and "format" not in (_ruff(root) or {})


def sorter(root: Path) -> list[str] | None:
    """Returns the command that sorts imports of the files appended to it, or None."""
    isort = "isort" in _tools(root) or (root / ".isort.cfg").exists()
    isort = isort or any("isort" in name for name, _ in _sections(root))
    if isort and find_spec("isort"):
        return [sys.executable, "-m", "isort", "-q"]
    if _sorts(_ruff(root) or {}) and find_spec("ruff"):
        options = ("--select", "I", "--fix", "--exit-zero", "-q", "--no-cache")
        return [sys.executable, "-m", "ruff", "check", *options]
    return None


def line_length(root: Path) -> int | None:
    """Returns the first line length that ruff, black, flake8, pycodestyle or .editorconfig sets."""
    tools = _tools(root)
    tables = [_ruff(root) or {}, *(tools.get(name, {}) for name in ("black", "flake8", "isort"))]
    if _blackened(root):
        tables = [tables[1], tables[0], *tables[2:]]
    named = ("flake8", "pycodestyle", "pep8", "isort", "settings")
    tables += [values for name, values in _sections(root) if name.rpartition(":")[2] in named]
    tables += [_editor(root)]
    for settings in tables:
        for key in _LENGTHS:
            length = _number(settings.get(key)) if isinstance(settings, Mapping) else None
            if length is not None:
                return length
    return None


def _number(value: object) -> int | None:
    try:
        number = int(str(value))
    except ValueError:
        return None
    return min(number, _LONGEST) if number > 0 else None


def _ruff(root: Path) -> Mapping[str, Any] | None:
    """Returns the settings of ruff, None where it is not configured."""
    for name in _RUFF:
        if (root / name).exists():
            return _toml(root / name)
    found = _tools(root).get("ruff")
    return found if isinstance(found, dict) else None


def _sorts(settings: Mapping[str, Any]) -> bool:
    tables = [settings, settings.get("lint", {})]
    chosen = [t.get(k) for t in tables if isinstance(t, dict) for k in ("select", "extend-select")]
    rules = [str(rule) for rows in chosen if isinstance(rows, list) for rule in rows]
    return any(rule == "ALL" or rule == "I" or rule.startswith("I0") for rule in rules)


def _tools(root: Path) -> Mapping[str, Any]:
    return table(_toml(root / "pyproject.toml"), "tool")


def _toml(place: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(place.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return {}


def _sections(root: Path) -> Iterator[tuple[str, Mapping[str, str]]]:
    for name in _INI:
        parsed = _parsed(root / name)
        yield from ((section, parsed[section]) for section in parsed.sections())


def _editor(root: Path) -> Mapping[str, str]:
    """Returns the settings of an .editorconfig for Python files; the last section wins."""
    parsed = _parsed(root / ".editorconfig")
    settings: dict[str, str] = {}
    for name in parsed.sections():
        if name == "*" or re.search(r"\bpy\b", name):
            settings |= parsed[name]
    return settings


def _parsed(place: Path) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        text = place.read_text("utf-8")
        parser.read_string(text if text.lstrip().startswith("[") else f"[top]\n{text}")
    except (OSError, UnicodeDecodeError, configparser.Error):
        return configparser.ConfigParser(interpolation=None)
    return parser
