"""What the user asked of pytest, as the inner runs need to know it."""

from __future__ import annotations

from glob import glob
from pathlib import Path

import pytest

from pytest_lift.project.members import member_of
from pytest_lift.project.option_tokens import arities, expanded
from pytest_lift.project.typed_paths import typed_tokens
from pytest_lift.run.pytest_options import inner_addopts, seen_from
from pytest_lift.suite.never_run import selects

PARTIAL = {"keyword": "-k", "markexpr": "-m", "lf": "--lf", "maxfail": "-x or --maxfail"}
"""Options that make the user's session a part of the suite only."""
_MARKS = pytest.StashKey[str]()


def asked_options(config: pytest.Config, root: Path) -> list[str]:
    """What of the user's options an inner run gets: of ini, environment and command line. Places
    to collect are left out, but for those in the ini file, and so are selections, but for the
    tests that the project itself sets apart by their marks."""
    parser = config._parser
    known = arities(parser)
    told = expanded(parser, config.getini("addopts"))
    tokens = [
        *inner_addopts(told, known, marks=bool(usual_marks(config))),
        *inner_addopts(typed_tokens(config), known, words=False, marks=False),
    ]
    tokens = seen_from(root, config.invocation_params.dir, tokens)
    ini = config.inipath
    if ini is None:
        return tokens
    inside = ini.is_relative_to(root)
    return [*tokens, "-c", ini.relative_to(root).as_posix() if inside else str(ini)]


def collected_by_default(config: pytest.Config, root: Path, tests: str) -> list[str]:
    """What pytest collects when nothing is selected, relative to the project `root`, and the
    test root `tests`: the first lift may have to make it.

    In a monorepo that is what belongs to the project which the user stands in.
    """
    top = root / (member_of(root, config.invocation_params.dir) or "")
    places = [path for path in testpaths(config) if path.is_relative_to(top)] or [top]
    inside = [path.relative_to(root).as_posix() for path in places]
    if any(place == "." or tests == place or tests.startswith(f"{place}/") for place in inside):
        return inside
    return [*(place for place in inside if not place.startswith(f"{tests}/")), tests]


def testpaths(config: pytest.Config) -> list[Path]:
    """What `testpaths` names and is there."""
    named = [str(config.rootpath / path) for path in config.getini("testpaths")]
    return [Path(path) for pattern in named for path in sorted(glob(pattern))]


def usual_marks(config: pytest.Config) -> str:
    """The ``-m`` of the ini file's addopts (``not slow``), where it runs tests without any mark,
    as new ones are; else empty."""
    if _MARKS not in config.stash:
        parser, usual = config._parser, config.getini("addopts")
        told = parser.parse_known_args(expanded(parser, usual)) if usual else None
        expression = str(getattr(told, "markexpr", "") or "")
        config.stash[_MARKS] = expression if selects(expression, ()) else ""
    return config.stash[_MARKS]


def partial_selection(config: pytest.Config) -> list[str]:
    """How the user's session was made a part of the suite that it usually is, as typed."""
    typed = [name for dest, name in PARTIAL.items() if getattr(config.option, dest, None)]
    if getattr(config.option, "markexpr", "") == usual_marks(config):
        typed = [name for name in typed if name != PARTIAL["markexpr"]]
    return typed + list(map(str, config.getoption("file_or_dir") or ()))
