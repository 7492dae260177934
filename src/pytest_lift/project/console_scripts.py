"""Console scripts that a project installs, as its packaging settings declare them."""

from __future__ import annotations

import configparser
import contextlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pytest_lift.errors import LiftError
from pytest_lift.files.project_reads import read_confined

ENTRY = re.compile(r"([\w.-]+)\s*=\s*([\w.]+)\s*:\s*([\w.]+)")
"""Entry point as setuptools writes it: ``name = module:function``."""
BEGUN = re.compile(r"\bconsole_scripts\b")
ENDED = re.compile(r"\]\s*[,})\n]|(?:\"\"\"|\'\'\')\s*[,})\n]|\n\s*\[")
"""Beginning and end of the console scripts in a setup.py: a list, a text, or a section in one."""
LARGEST = 400_000
"""Most bytes of a settings file that are read."""


class ConsoleScript(NamedTuple):
    """Command that is installed with a project, and what it runs."""

    name: str
    module: str
    attribute: str
    """Function, or method of an object: ``main``, ``program.run``."""


def console_scripts(root: Path) -> list[ConsoleScript]:
    """Returns the console scripts of a project; of settings that cannot be read, none."""
    found = [*_of_toml(root), *_of_cfg(root), *_of_setup(root)]
    return list(dict.fromkeys(found))


def _of_toml(root: Path) -> Iterator[ConsoleScript]:
    data: Mapping[str, Any] = {}
    with contextlib.suppress(tomllib.TOMLDecodeError):
        data = tomllib.loads(_text(root, "pyproject.toml"))
    for path in (("project", "scripts"), ("tool", "poetry", "scripts")):
        table: Any = data
        for key in path:
            table = table.get(key) if isinstance(table, dict) else None
        for name, target in (table or {}).items() if isinstance(table, dict) else ():
            yield from _entries(f"{name} = {target}")


def _of_cfg(root: Path) -> Iterator[ConsoleScript]:
    parser = configparser.ConfigParser(interpolation=None)
    with contextlib.suppress(configparser.Error):
        parser.read_string(_text(root, "setup.cfg"))
        for section in ("options.entry_points", "entry_points"):
            yield from _entries(parser.get(section, "console_scripts", fallback=""))


def _of_setup(root: Path) -> Iterator[ConsoleScript]:
    text = _text(root, "setup.py")
    if begun := BEGUN.search(text):
        first = begun.end() + len("']=[")  # past what opens them
        ended = ENDED.search(text, first)
        yield from _entries(text[begun.end() : ended.start() if ended else len(text)])


def _entries(text: str) -> Iterator[ConsoleScript]:
    for found in ENTRY.finditer(text):
        yield ConsoleScript(found[1], found[2], found[3])


def _text(root: Path, name: str) -> str:
    with contextlib.suppress(LiftError):
        return read_confined(root, name, limit=LARGEST).decode("utf-8", "replace")
    return ""
