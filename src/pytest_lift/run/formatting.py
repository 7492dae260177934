"""Formats written tests as the project wants it: by its own formatter, else like its files."""

from __future__ import annotations

import configparser
import re
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pytest_lift.files import untrusted
from pytest_lift.project.declared import table
from pytest_lift.run.workspace import Workspace
from pytest_lift.sandbox.child import Places, run_child
from pytest_lift.sandbox.jail import Jail
from pytest_lift.source.syntax import from_bytes
from pytest_lift.suite.splice import cut_tests
from pytest_lift.suite.styling import in_style, style_of, transplanted
from pytest_lift.suite.suite import Edit, Suite
from pytest_lift.suite.user_code import refusals

SECONDS = 60.0
_RUFF = ("ruff.toml", ".ruff.toml")
_INI = ("setup.cfg", "tox.ini", ".flake8", ".pycodestyle", ".isort.cfg")
_LENGTHS = ("line-length", "line_length", "max-line-length", "max_line_length")
_LONGEST = 400
"""Longest line length in characters; larger settings mean no limit."""


def formatted(suite: Suite, before: Suite, workspace: Workspace, jail: Jail) -> Suite:
    """Returns `suite` with the tool's tests, as far as they changed since `before`, in the style of
    the project.

    Files that are wholly the tool's go through the project's sorter of imports and its formatter.
    In a file of the user, only the added statements do, and every other line stays; without a
    formatter they follow the style of the file. Failures are ignored: the look of a test is no
    reason to lose it.
    """
    whole, mixed = _changed(suite, before)
    if not whole and not mixed:
        return suite
    tools = _Tools(before, workspace, jail)
    if sort := sorter(workspace.root):
        sorted_before = tools.unchanged(sort, mixed)
        texts = tools.after(sort, suite, [*whole, *sorted_before])
        suite = _with(suite, texts)
    if command := formatter(workspace.root):
        texts = tools.after(command, suite, [*whole, *mixed])
        suite = _with(suite, {path: texts[path] for path in whole if path in texts})
        grafted = {
            path: transplanted(suite.files[path].text, texts[path], before.files[path].text)
            for path in mixed
            if path in texts
        }
        suite = _with(suite, grafted)
        mixed = [path for path in mixed if path not in tools.unchanged(command, mixed)]
    width = line_length(workspace.root)
    return _with(suite, {path: _as_theirs(path, suite, before, width) for path in mixed})


def formatter(root: Path) -> list[str] | None:
    """Returns the command that formats the files appended to it, or None."""
    if _blackened(root) and find_spec("black"):
        return [sys.executable, "-m", "black", "-q"]
    if _ruff(root) is not None and find_spec("ruff"):
        return [sys.executable, "-m", "ruff", "format", "-q", "--no-cache"]
    return None


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


def _changed(suite: Suite, before: Suite) -> tuple[list[str], list[str]]:
    """Returns files that are wholly the tool's, and those of the user's that it added to."""
    changed = [p for p, file in suite.files.items() if file != before.files.get(p)]
    whole = [path for path in suite.files_fully_owned() if path in changed]
    mixed = [p for p in changed if p not in whole and p in before.files and suite.files[p].tests]
    return whole, mixed


def _as_theirs(path: str, suite: Suite, before: Suite, width: int | None) -> str:
    old, new = before.files[path], suite.files[path]
    owned = {test.inner_node for test in old.tests if before.is_owned(test)}
    users = cut_tests(old.text, owned, before.naming) if not old.error else old.text
    return in_style(new.text, old.text, style_of(users, width))


def _with(suite: Suite, texts: dict[str, str]) -> Suite:
    """Returns the suite with these texts, except those that the guard refuses."""
    for path, text in texts.items():
        edit = Edit({path: text})
        if text != suite.files[path].text and not refusals(suite, edit):
            suite = suite.apply(edit)
    return suite


class _Tools:
    """The project's tools, run in the private copy."""

    def __init__(self, before: Suite, workspace: Workspace, jail: Jail) -> None:
        self.before, self.workspace, self.jail = before, workspace, jail

    def unchanged(self, command: Sequence[str], paths: Collection[str]) -> list[str]:
        """Returns files that the tool would have left as they were before."""
        texts = self.after(command, self.before, paths)
        return [path for path in paths if texts.get(path) == self.before.files[path].text]

    def after(self, command: Sequence[str], suite: Suite, paths: Collection[str]) -> dict[str, str]:
        """Returns path -> text as the tool leaves it; none where it moves or removes a file."""
        if not paths:
            return {}
        self.workspace.write_suite(suite)
        root, home = self.workspace.root, self.workspace.scratch / "formatter"
        run_child(
            [*command, *paths],
            cwd=root,
            env=self.jail.environment(home, {}),
            seconds=SECONDS,
            jail=self.jail,
            places=Places((root,), (root / suite.root,), home),
        )
        try:
            return {path: from_bytes(untrusted.read(root / path)) for path in paths}
        except OSError:
            return {}


def _blackened(root: Path) -> bool:
    """Whether black is the formatter, and not ruff, where both are configured."""
    return "black" in _tools(root) and "format" not in (_ruff(root) or {})


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
