"""Option values that pytest mistakes for paths of tests when it looks for the project's folder.

pytest looks for its ini file before any plugin is loaded. It does not know our options then, and
takes a value that follows one after a space for a path to collect.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.project.ini_files import find_ini_file
from pytest_lift.project.option_tokens import OWN, Tokens, arities, expanded


def typed_tokens(config: pytest.Config) -> list[str]:
    """Returns the tokens of `PYTEST_ADDOPTS` and of the command line."""
    addopts = shlex.split(os.environ.get("PYTEST_ADDOPTS", ""))
    return expanded(config._parser, [*addopts, *map(str, config.invocation_params.args)])


def refuse_mistaken_root(config: pytest.Config, root: Path) -> None:
    """Raises UsageError if pytest found a wrong `root` because of such a value."""
    here = config.invocation_params.dir
    known = config.known_args_namespace
    if known.inifilename or known.rootdir or hasattr(config, "workerinput"):
        return
    mistaken = [(option, value) for option, value in _apart(config) if (here / value).exists()]
    if not mistaken:
        return
    intended, _ = find_ini_file(_common(here, known.file_or_dir))
    if intended != root:
        option, value = mistaken[0]
        raise UsageError(
            f"pytest looks for the project in {root} instead of {intended}, since it takes {value} "
            "for a place of tests",
            where=option,
            todo=f"write {option}={value}",
        )


def _apart(config: pytest.Config) -> Iterator[tuple[str, str]]:
    """Yields our options that have their value after a space, with it."""
    known, rest = arities(config._parser), Tokens(typed_tokens(config))
    for token in rest:
        if token == "--":
            return
        values = rest.take(known.get(token, "none"))
        if token in OWN:
            yield from ((token, value) for value in values)


def _common(here: Path, places: Sequence[str]) -> Path:
    """Returns the common folder of `places` (paths or node ids), else `here`."""
    paths = [Path(os.path.abspath(here / place.partition("::")[0])) for place in places]
    folders = [path if path.is_dir() else path.parent for path in paths if path.exists()]
    return Path(os.path.commonpath(folders)) if folders else here
